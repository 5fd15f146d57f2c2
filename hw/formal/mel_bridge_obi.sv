// SPDX-License-Identifier: Apache-2.0
// Proof of mel_bridge_obi, unbounded: each granted transfer goes to the unit once and unchanged, and gets one response with the unit's
// data; no response without a transfer; a transfer that is held is granted and answered within a bound.
// Assumes: the manager holds a request until it is granted, and does not want a second one granted before the response
// to the first (m_*); the unit keeps the promise of mel_bridge_port.
module mel_bridge_obi_proof #(
  parameter int unsigned ReadyWithin  = 3,
  parameter int unsigned AnswerWithin = 6,
  parameter bit          Hints        = 1'b1   // also what holds the induction; 0: the promise alone
) (
  input logic        clk_i,
  input logic        req_i,
  input logic        we_i,
  input mel_pkg::offset_t addr_i,
  input logic [3:0]  be_i,
  input logic [31:0] wdata_i,
  input logic        req_ready_i,
  input logic        rsp_valid_i,
  input logic [31:0] rsp_rdata_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic        gnt, rvalid, err, valid, write, pending, kept;
  logic [31:0] rdata, wdata;
  mel_pkg::offset_t addr;
  logic [3:0]  be;

  mel_bridge_obi u_bridge (
    .req_i, .gnt_o (gnt), .we_i, .addr_i, .be_i, .wdata_i, .rvalid_o (rvalid), .rdata_o (rdata), .err_o (err),
    .req_valid_o (valid), .req_ready_i, .req_write_o (write), .req_addr_o (addr), .req_be_o (be), .req_wdata_o (wdata),
    .rsp_valid_i, .rsp_rdata_i
  );

  mel_bridge_port #(.ReadyWithin (ReadyWithin), .AnswerWithin (AnswerWithin)) u_port (
    .clk_i, .rst_ni (started_q), .req_valid_i (valid), .req_ready_i, .rsp_valid_i, .pending_o (pending), .kept_o (kept)
  );

  logic        asked_q = 1'b0, owed_q = 1'b0;   // asked and not granted; granted and not answered
  logic [52:0] request_q = '0;
  logic [4:0]  wait_q = '0;
  always_ff @(posedge clk_i) begin
    asked_q   <= started_q && req_i && !gnt;
    owed_q    <= started_q && ((req_i && gnt) || (owed_q && !rvalid));
    request_q <= {we_i, addr_i, be_i, wdata_i};
    wait_q    <= (!started_q || !req_i || gnt) ? '0 : wait_q + 5'd1;
  end

  always_comb begin
    m_port: assume (!started_q || kept);
    m_hold: assume (!asked_q || (req_i && {we_i, addr_i, be_i, wdata_i} == request_q));
    m_start: assume (started_q || !req_i);

    a_once:   assert (!started_q || (req_i && gnt) == (valid && req_ready_i));
    a_same:   assert (!valid || (req_i && {write, addr, be, wdata} == {we_i, addr_i, be_i, wdata_i}));
    a_asked:  assert (!started_q || !rvalid || owed_q);
    a_answer: assert (!started_q || (rvalid == rsp_valid_i && (!rvalid || rdata == rsp_rdata_i)));
    a_error:  assert (!err);
    a_bound:  assert (!started_q || !req_i || gnt || wait_q < 5'(ReadyWithin + AnswerWithin));
    a_owed:   assert (!Hints || !started_q || owed_q == pending);
    c_next:   cover (started_q && rvalid && gnt);
  end
endmodule
