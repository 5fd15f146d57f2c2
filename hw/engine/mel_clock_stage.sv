// SPDX-License-Identifier: Apache-2.0
// mel_clock_stage: in the place of mel_clock_ratio before a core whose clock counts more than a cycle (docs/decisions/0049): between the access port of one core
// and a unit at twice the core's clock. What the unit says goes into registers of the core's clock, which stand behind it, so that each of the core's paths
// has a whole cycle.
//
// Contract: that of mel_clock_ratio, but what goes to the core holds when its cycle ends, and nobody looks at it but the registers that capture it then.
//
// Timing: a request goes to the unit as in mel_clock_ratio. A store is answered when the core's cycle in which it is taken ends, whatever the unit does with it. A
// load's response and a dispatch are shown when the core's cycle ends in which they come, in the first unit cycle or in the last one. Lines and the answer are those
// of the last unit cycle; the line of a dispatch is low when that comes then.
module mel_clock_stage (
  input  logic        clk_i,           // the unit's
  input  logic        rst_ni,
  input  logic        last_i,

  // The core, and the registers before it.
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

  // The unit.
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
  logic        ready, ready_q;          // ready_q: in the last unit cycle, as in the first
  logic        owed_q, shown_q;         // a load's response has not been shown; a response is shown
  logic        store_q;                 // the last request was a store: the core knows the unit's response
  logic        load_came;
  logic        came_q, dispatched_q;    // in the first unit cycle a load's response came; a dispatch, to …
  logic [31:0] came_data_q;
  logic [8:0]  dispatched_to_q;

  assign ready       = !owed_q || shown_q;
  assign req_ready_o = (last_i ? ready_q : req_ready_i) && ready;
  assign req_valid_o = last_i && ready_q && ready && req_valid_i;
  assign load_came   = rsp_valid_i && !store_q;

  assign rsp_valid_o    = (req_valid_o && req_write_i) || came_q || load_came;
  assign rsp_rdata_o    = came_q ? came_data_q : rsp_rdata_i;
  assign dispatch_o     = dispatched_q || dispatch_i;
  assign running_o      = dispatched_q ? dispatched_to_q : running_i;
  assign irq_handler_o  = irq_handler_i;
  assign irq_dispatch_o = irq_dispatch_i && !dispatch_i;
  assign answer_o       = answer_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q      <= 1'b0;
      owed_q       <= 1'b0;
      shown_q      <= 1'b0;
      store_q      <= 1'b0;
      came_q       <= 1'b0;
      dispatched_q <= 1'b0;
    end else begin
      ready_q      <= req_ready_i;
      came_q       <= load_came && !last_i;
      dispatched_q <= dispatch_i && !last_i;
      if (last_i) begin
        owed_q  <= req_valid_o ? !req_write_i : owed_q && !shown_q;
        shown_q <= rsp_valid_o;
      end
      if (req_valid_o) store_q <= req_write_i;
    end
  end
  always_ff @(posedge clk_i) begin
    came_data_q     <= rsp_rdata_i;
    dispatched_to_q <= running_i;
  end

`ifndef SYNTHESIS
  a_one_response: assert property (@(posedge clk_i) disable iff (!rst_ni) !last_i || $onehot0({req_valid_o && req_write_i, came_q, load_came}));
  a_one_dispatch: assert property (@(posedge clk_i) disable iff (!rst_ni) !last_i || !(dispatched_q && dispatch_i));
  a_stays_ready:  assert property (@(posedge clk_i) disable iff (!rst_ni) !last_i || !ready_q || req_ready_i);
`endif
endmodule
