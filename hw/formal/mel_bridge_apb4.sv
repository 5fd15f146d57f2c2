// SPDX-License-Identifier: Apache-2.0
// Proof of mel_bridge_apb4, unbounded: each transfer goes to the unit once and unchanged, ends once, in the cycle of the unit's answer and
// with its data, never in the setup phase; and it ends within a bound. The
// bridge adds no cycle (a_prompt, a_kept).
// Assumes: the requester does as APB says (setup, access until ready, nothing changes meanwhile: m_*); the unit keeps the
// promise of mel_bridge_port.
module mel_bridge_apb4_proof #(
  parameter int unsigned ReadyWithin  = 3,
  parameter int unsigned AnswerWithin = 6,
  parameter bit          Hints        = 1'b1   // also what holds the induction; 0: the promise alone
) (
  input logic        clk_i,
  input logic        psel_i,
  input logic        penable_i,
  input logic        pwrite_i,
  input mel_pkg::offset_t paddr_i,
  input logic [3:0]  pstrb_i,
  input logic [31:0] pwdata_i,
  input logic        req_ready_i,
  input logic        rsp_valid_i,
  input logic [31:0] rsp_rdata_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic        pready, pslverr, valid, write, pending, kept;
  logic [31:0] prdata, wdata;
  mel_pkg::offset_t addr;
  logic [3:0]  be;

  mel_bridge_apb4 u_bridge (
    .clk_i, .rst_ni (started_q),
    .psel_i, .penable_i, .pwrite_i, .paddr_i, .pstrb_i, .pwdata_i,
    .pready_o (pready), .prdata_o (prdata), .pslverr_o (pslverr),
    .req_valid_o (valid), .req_ready_i, .req_write_o (write), .req_addr_o (addr), .req_be_o (be), .req_wdata_o (wdata),
    .rsp_valid_i, .rsp_rdata_i
  );

  mel_bridge_port #(.ReadyWithin (ReadyWithin), .AnswerWithin (AnswerWithin)) u_port (
    .clk_i, .rst_ni (started_q), .req_valid_i (valid), .req_ready_i, .rsp_valid_i, .pending_o (pending), .kept_o (kept)
  );

  logic        access_q = 1'b0;   // access phase
  logic        passed_q = 1'b0;   // the unit has the request of this transfer
  logic        fire, ends;
  logic [52:0] request, request_q = '0;
  logic [4:0]  wait_q = '0;
  assign request = {pwrite_i, paddr_i, pstrb_i, pwdata_i};
  assign fire    = valid && req_ready_i;
  assign ends    = psel_i && penable_i && pready;
  always_ff @(posedge clk_i) begin
    access_q  <= started_q && psel_i && !ends;
    passed_q  <= started_q && psel_i && !ends && (passed_q || fire);
    request_q <= request;
    wait_q    <= (!started_q || !psel_i || ends) ? '0 : wait_q + 5'd1;
  end

  always_comb begin
    m_port:   assume (!started_q || kept);
    m_start:  assume (started_q || !psel_i);
    m_phase:  assume (!psel_i || penable_i == access_q);
    m_hold:   assume (!access_q || (psel_i && request == request_q));
    m_strobe: assume (!psel_i || pwrite_i || pstrb_i == '0);

    a_asked:  assert (!started_q || !valid || psel_i);
    a_once:   assert (!started_q || !fire || !passed_q);
    a_prompt: assert (!started_q || !psel_i || passed_q || valid);
    a_same:   assert (!started_q || !valid || (write == pwrite_i && addr == paddr_i && wdata == pwdata_i &&
                      be == (pwrite_i ? pstrb_i : 4'hF)));
    a_setup:  assert (!started_q || !pready || (psel_i && penable_i));
    a_ends:   assert (!started_q || !ends || (passed_q && rsp_valid_i && prdata == rsp_rdata_i));
    a_kept:   assert (!started_q || !rsp_valid_i || ends);
    a_error:  assert (!pslverr);
    a_bound:  assert (!started_q || !psel_i || ends || wait_q < 5'(ReadyWithin + AnswerWithin));
    a_state:  assert (!Hints || !started_q || (passed_q == pending && u_bridge.busy_q == pending));
    c_short:  cover (started_q && ends && wait_q == 5'd1);
    c_waits:  cover (started_q && ends && wait_q == 5'(ReadyWithin + AnswerWithin - 1));
  end
endmodule
