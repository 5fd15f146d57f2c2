// SPDX-License-Identifier: Apache-2.0
// mel_bank_fetch: the fetch of the dispatch vector is the switch of an interrupted task (decision 0015): the core gets the vector's
// first instruction, which reads the new task's x3, when the unit has performed the dispatch and the register is at hand, and until then nothing else.
// It stands between the core's instruction port and the bus, and asks the unit beside the core's data port (mel_bank_ask).
//
// Contract: OBI-like on both sides, up to 3 accesses outstanding, responses in order. The core fetches the vector's address in no other way
// than by its interrupt, but for fetches ahead from the slot before it, which are told by that.
// Timing: no cycle is added to any fetch, unless the unit is busy or the task is not resident: the dispatch is performed in the cycle after the address, when zero-wait
// memory responds; `near_i` comes with it, or up to 3 cycles later (mel_context_store).
module mel_bank_fetch #(
  parameter logic [31:0] Vector = 32'h1000_000C
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // The core's instruction port.
  input  logic        req_i,
  output logic        gnt_o,
  input  logic [31:0] addr_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        err_o,
  // The bus. The address goes around.
  output logic        req_o,
  input  logic        gnt_i,
  input  logic        rvalid_i,
  input  logic [31:0] rdata_i,
  input  logic        err_i,

  output logic        ask_o,        // for the dispatch, until it is granted
  input  logic        ask_gnt_i,
  output logic        switch_o,     // it waits for `dispatch_i`: from the cycle behind the address on
  input  logic        dispatch_i,
  input  logic        near_i        // x3 of the task that runs, or comes with `dispatch_i`, is at hand in the next cycle
);
  logic [1:0]  open_q;              // accesses without a response
  logic        ahead_q;             // the last one was of the slot before
  logic        waits_q;             // for the dispatch
  logic [1:0]  before_q;            // … responses that come before the vector's
  logic        asked_q;             // … which the unit has granted
  logic        held_q, held_err_q;  // the response came before it
  logic [31:0] held_data_q;
  logic        done_q;              // the dispatch is performed
  logic        begins, holds, goes_on;

  assign goes_on  = (dispatch_i || done_q) && near_i;
  assign req_o    = req_i && (!waits_q || goes_on);   // the address decides nothing here: it comes late
  assign gnt_o    = req_o && gnt_i;
  assign begins   = gnt_o && addr_i == Vector && !ahead_q && !waits_q;
  assign switch_o = waits_q && !done_q;
  assign ask_o    = (begins || switch_o) && !asked_q;

  assign holds    = waits_q && before_q == 2'd0;
  assign rvalid_o = holds ? goes_on && (rvalid_i || held_q) : rvalid_i;
  assign rdata_o  = held_q ? held_data_q : rdata_i;
  assign err_o    = held_q ? held_err_q : err_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q   <= '0;
      ahead_q  <= 1'b0;
      waits_q  <= 1'b0;
      before_q <= '0;
      done_q   <= 1'b0;
      asked_q  <= 1'b0;
      held_q   <= 1'b0;
    end else begin
      open_q <= open_q + 2'(gnt_o) - 2'(rvalid_i);
      if (gnt_o) ahead_q <= addr_i == Vector - 32'd4;
      waits_q  <= begins || (waits_q && !goes_on);
      before_q <= (begins ? open_q : before_q) - 2'(rvalid_i && (begins || before_q != 2'd0));
      done_q   <= waits_q && (dispatch_i || done_q) && !goes_on;
      asked_q  <= (asked_q || (ask_o && ask_gnt_i)) && !dispatch_i;
      held_q   <= holds && !goes_on && (held_q || rvalid_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (rvalid_i) {held_data_q, held_err_q} <= {rdata_i, err_i};
  end

`ifndef SYNTHESIS
  a_open: assert property (@(posedge clk_i) disable iff (!rst_ni) !(rvalid_i && open_q == 2'd0));
  a_few: assert property (@(posedge clk_i) disable iff (!rst_ni) !(gnt_o && open_q == 2'd3 && !rvalid_i));
`endif
endmodule
