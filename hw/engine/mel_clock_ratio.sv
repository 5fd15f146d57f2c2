// SPDX-License-Identifier: Apache-2.0
// mel_clock_ratio: between the access port of one core and a unit at twice the core's clock (docs/decisions/0035): the core sees what a
// unit at its own clock would show it, once and for a whole cycle of its own.
//
// Contract: the clocks rise together at every second edge of `clk_i`; `last_i` is high in the unit cycle that ends there. Of the core's
// cycle that is the last one, the one before is the first. The unit keeps its promises: what is ready stays ready until it takes a
// request; one response to a request, at least one unit cycle later; none in the last unit cycle of a core cycle in which it is ready for
// another request from the beginning; dispatches of a core are at least two unit cycles apart.
//
// Timing: a request goes to the unit in the last unit cycle, so that the unit takes it at the core's edge, and only when the unit was
// ready in the first one. A response or a dispatch of the first unit cycle is shown in the core's same cycle, one of the last unit cycle
// in the core's next one. A response may be shown in the same cycle as its dispatch. Lines and the answer are those of the first unit
// cycle. Ratio 1: wires. Staged: a cycle later, all out of registers (mel_clock_stage).
module mel_clock_ratio #(
  parameter int unsigned Ratio  = 2,   // unit cycles in a cycle of the core: 1, 2
  parameter bit          Staged = 1'b0 // with Ratio 2: mel_clock_stage
) (
  input  logic        clk_i,           // the unit's
  input  logic        rst_ni,
  input  logic        last_i,

  // The core.
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic        req_write_i,
  output logic        rsp_valid_o,
  output logic [31:0] rsp_rdata_o,
  output logic        irq_handler_o,
  output logic        irq_dispatch_o,
  output logic        dispatch_o,
  output logic [8:0]  running_o,
  output logic [31:0] answer_o,

  // The unit. What else a request holds goes around: the unit looks at it only in the last unit cycle.
  output logic        req_valid_o,
  input  logic        req_ready_i,
  input  logic        rsp_valid_i,
  input  logic [31:0] rsp_rdata_i,
  input  logic        irq_handler_i,
  input  logic        irq_dispatch_i,
  input  logic        dispatch_i,
  input  logic [8:0]  running_i,
  input  logic [31:0] answer_i
);

  if (Ratio == 1) begin : gen_same
    logic unused_clock;
    assign unused_clock   = ^{clk_i, rst_ni, last_i, req_write_i};
    assign req_valid_o    = req_valid_i;
    assign req_ready_o    = req_ready_i;
    assign rsp_valid_o    = rsp_valid_i;
    assign rsp_rdata_o    = rsp_rdata_i;
    assign irq_handler_o  = irq_handler_i;
    assign irq_dispatch_o = irq_dispatch_i;
    assign dispatch_o     = dispatch_i;
    assign running_o      = running_i;
    assign answer_o       = answer_i;
  end else if (Staged) begin : gen_stage
    mel_clock_stage u_clock_stage (.*);
  end else begin : gen_twice
    logic unused_write;
    assign unused_write = req_write_i;
    // In the last unit cycle what is shown; in the first, responses and dispatches that came in the last one before.
    logic        ready_q, rsp_valid_q, irq_handler_q, irq_dispatch_q, dispatch_q;
    logic [31:0] rsp_rdata_q, answer_q;
    logic [8:0]  running_q;

    assign req_ready_o    = last_i ? ready_q : req_ready_i;
    assign req_valid_o    = last_i && ready_q && req_valid_i;
    assign rsp_valid_o    = rsp_valid_q || (!last_i && rsp_valid_i);
    assign rsp_rdata_o    = (last_i || rsp_valid_q) ? rsp_rdata_q : rsp_rdata_i;
    assign dispatch_o     = dispatch_q || (!last_i && dispatch_i);
    assign running_o      = (last_i || dispatch_q) ? running_q : running_i;
    assign irq_handler_o  = last_i ? irq_handler_q : irq_handler_i;
    assign irq_dispatch_o = last_i ? irq_dispatch_q : irq_dispatch_i;
    assign answer_o       = last_i ? answer_q : answer_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        ready_q        <= 1'b0;
        rsp_valid_q    <= 1'b0;
        dispatch_q     <= 1'b0;
        irq_handler_q  <= 1'b0;
        irq_dispatch_q <= 1'b0;
      end else begin
        ready_q        <= req_ready_i;
        rsp_valid_q    <= last_i ? rsp_valid_i : rsp_valid_o;
        dispatch_q     <= last_i ? dispatch_i : dispatch_o;
        irq_handler_q  <= irq_handler_i;
        irq_dispatch_q <= irq_dispatch_i;
      end
    end
    always_ff @(posedge clk_i) begin
      rsp_rdata_q <= last_i ? rsp_rdata_i : rsp_rdata_o;
      running_q   <= last_i ? running_i : running_o;
      answer_q    <= answer_i;
    end

`ifndef SYNTHESIS
    a_one_response: assert property (@(posedge clk_i) disable iff (!rst_ni) last_i || !(rsp_valid_q && rsp_valid_i));
    a_one_dispatch: assert property (@(posedge clk_i) disable iff (!rst_ni) last_i || !(dispatch_q && dispatch_i));
    a_stays_ready:  assert property (@(posedge clk_i) disable iff (!rst_ni) !last_i || !ready_q || req_ready_i);
`endif
  end

endmodule
