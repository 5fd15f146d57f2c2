// SPDX-License-Identifier: Apache-2.0
// Proof of mel_bank_ask, unbounded. Promised:
//   what is asked for is a load of `dispatch`, a whole word, that reaches the unit once, when it is granted; its answer reaches nobody
//   the bridge's accesses pass unchanged, each once, and each gets its answer, in the unit's cycle
// Assumes: a bridge that asks for nothing while the dispatch is asked for (m_*); the unit keeps the promise of mel_bridge_port.
module mel_bank_ask_proof (
  input logic        clk_i,
  input logic        ask_i,
  input logic        req_valid_i,
  input logic        req_write_i,
  input mel_pkg::offset_t req_addr_i,
  input logic [3:0]  req_be_i,
  input logic        req_ready_i,
  input logic        rsp_valid_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic        ask_gnt, rsp_valid, valid, write, pending, kept;
  mel_pkg::offset_t addr;
  logic [3:0]  be;

  mel_bank_ask u_ask (
    .clk_i, .rst_ni (started_q), .ask_i, .ask_gnt_o (ask_gnt), .req_valid_i, .req_write_i, .req_addr_i, .req_be_i, .rsp_valid_o (rsp_valid),
    .req_valid_o (valid), .req_ready_i, .req_write_o (write), .req_addr_o (addr), .req_be_o (be), .rsp_valid_i
  );

  mel_bridge_port u_port (
    .clk_i, .rst_ni (started_q), .req_valid_i (valid), .req_ready_i, .rsp_valid_i, .pending_o (pending), .kept_o (kept)
  );

  logic taken, owed_q = 1'b0;                // the unit takes an access of the bridge, owes it the answer
  assign taken = req_valid_i && req_ready_i;
  always_ff @(posedge clk_i) owed_q <= started_q && (taken || (owed_q && !rsp_valid_i));

  always_comb begin
    m_start: assume (started_q || !(ask_i || req_valid_i));
    m_port:  assume (!started_q || kept);
    m_alone: assume (!(ask_i && req_valid_i));

    a_once:   assert (!started_q || (valid && req_ready_i) == (ask_gnt || taken));
    a_ask:    assert (ask_gnt == (ask_i && req_ready_i) && (!ask_gnt || {write, addr, be} == {1'b0, mel_pkg::RegDispatch, 4'hF}));
    a_same:   assert (!req_valid_i || (valid && {write, addr, be} == {req_write_i, req_addr_i, req_be_i}));
    a_answer: assert (!started_q || rsp_valid == (rsp_valid_i && owed_q));
    h_owed:   assert (!started_q || ((owed_q || u_ask.asked_q) == pending && !(owed_q && u_ask.asked_q)));   // holds the induction

    c_ask:    cover (started_q && rsp_valid_i && !rsp_valid);
    c_next:   cover (u_ask.asked_q && rsp_valid_i && taken);
    c_before: cover (rsp_valid && ask_gnt);
  end
endmodule
