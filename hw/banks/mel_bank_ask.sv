// SPDX-License-Identifier: Apache-2.0
// mel_bank_ask: the switch that the fetch of the dispatch vector asks for (mel_bank_fetch) goes to the unit's access port beside the
// accesses of the core's data port, so that no logic leads from the core's fetches to the grants of its loads and stores.
//
// Contract: the unit's generic interface on both sides (mel_access); the core's bridge asks for nothing while `ask_i` is high, and nothing of it
// is unanswered then: before an interrupt a core waits for its accesses. The answer to the load of `dispatch` goes to nobody.
// Timing: adds no cycle.
module mel_bank_ask (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        ask_i,           // held until it is granted
  output logic        ask_gnt_o,

  // The core's bridge.
  input  logic        req_valid_i,
  input  logic        req_write_i,
  input  mel_pkg::offset_t req_addr_i,
  input  logic [3:0]  req_be_i,
  output logic        rsp_valid_o,
  // The unit. Ready, write data and what is read go around.
  output logic        req_valid_o,
  input  logic        req_ready_i,
  output logic        req_write_o,
  output mel_pkg::offset_t req_addr_o,
  output logic [3:0]  req_be_o,
  input  logic        rsp_valid_i
);
  logic asked_q;   // its answer has not come
  assign ask_gnt_o   = ask_i && req_ready_i;
  assign req_valid_o = req_valid_i || ask_i;
  assign req_write_o = req_write_i && !ask_i;
  assign req_addr_o  = ask_i ? mel_pkg::RegDispatch : req_addr_i;
  assign req_be_o    = req_be_i | {4{ask_i}};
  assign rsp_valid_o = rsp_valid_i && !asked_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= 1'b0;
    else         asked_q <= ask_gnt_o || (asked_q && !rsp_valid_i);
  end

`ifndef SYNTHESIS
  a_alone: assert property (@(posedge clk_i) disable iff (!rst_ni) !(ask_i && req_valid_i));
`endif
endmodule
