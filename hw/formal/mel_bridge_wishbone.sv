// SPDX-License-Identifier: Apache-2.0
// Proof of mel_bridge_wishbone, unbounded: each request goes to the unit at most once and unchanged, and is acknowledged once, in the cycle
// of the unit's answer to it and with its data; the answer to a request that was withdrawn acknowledges nothing; a
// request that stays is acknowledged within a bound; `stall_o` is low in that cycle only.
// The bridge adds no cycle (a_prompt, a_kept).
// Assumes: what is asked does not change before it is acknowledged or withdrawn for a cycle (m_*); the unit keeps the
// promise of mel_bridge_port. A request may be withdrawn at any time.
module mel_bridge_wishbone_proof #(
  parameter int unsigned ReadyWithin  = 3,
  parameter int unsigned AnswerWithin = 6,
  parameter bit          Hints        = 1'b1   // also what holds the induction; 0: the promise alone
) (
  input logic        clk_i,
  input logic        cyc_i,
  input logic        stb_i,
  input logic        we_i,
  input logic [$bits(mel_pkg::offset_t)-1:2] adr_i,
  input logic [3:0]  sel_i,
  input logic [31:0] dat_i,
  input logic        req_ready_i,
  input logic        rsp_valid_i,
  input logic [31:0] rsp_rdata_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic        ack, stall, valid, write, pending, kept;
  logic [31:0] dat, wdata;
  mel_pkg::offset_t addr;
  logic [3:0]  be;

  mel_bridge_wishbone u_bridge (
    .clk_i, .rst_ni (started_q),
    .cyc_i, .stb_i, .we_i, .adr_i, .sel_i, .dat_i, .ack_o (ack), .stall_o (stall), .dat_o (dat),
    .req_valid_o (valid), .req_ready_i, .req_write_o (write), .req_addr_o (addr), .req_be_o (be), .req_wdata_o (wdata),
    .rsp_valid_i, .rsp_rdata_i
  );

  mel_bridge_port #(.ReadyWithin (ReadyWithin), .AnswerWithin (AnswerWithin)) u_port (
    .clk_i, .rst_ni (started_q), .req_valid_i (valid), .req_ready_i, .rsp_valid_i, .pending_o (pending), .kept_o (kept)
  );

  logic        strobe, fire;
  logic        asked_q = 1'b0;    // asked and not acknowledged
  logic        passed_q = 1'b0;   // … and the unit has it
  logic [50:0] request, request_q = '0;
  logic [4:0]  wait_q = '0;
  assign strobe  = cyc_i && stb_i;
  assign request = {we_i, adr_i, sel_i, dat_i};
  assign fire    = valid && req_ready_i;
  always_ff @(posedge clk_i) begin
    asked_q   <= started_q && strobe && !ack;
    passed_q  <= started_q && strobe && !ack && (passed_q || fire);
    request_q <= request;
    wait_q    <= (!started_q || !strobe || ack) ? '0 : wait_q + 5'd1;
  end

  always_comb begin
    m_port:  assume (!started_q || kept);
    m_hold:  assume (!asked_q || !strobe || request == request_q);
    m_start: assume (started_q || !strobe);

    a_asked: assert (!started_q || !valid || strobe);
    a_once:  assert (!started_q || !fire || !passed_q);
    a_prompt: assert (!started_q || !strobe || pending || valid);
    a_same:  assert (!started_q || !valid || {write, addr, be, wdata} == {we_i, adr_i, 2'b00, sel_i, dat_i});
    a_ack:   assert (!started_q || !ack || (strobe && passed_q && rsp_valid_i && dat == rsp_rdata_i));
    a_kept:  assert (!started_q || !(rsp_valid_i && passed_q && strobe) || ack);
    a_stall: assert (!started_q || !strobe || stall != ack);
    a_bound: assert (!started_q || !strobe || ack || wait_q < 5'(ReadyWithin + 2 * AnswerWithin));
    a_state: assert (!Hints || !started_q || (u_bridge.busy_q == pending && passed_q == (pending && asked_q && !u_bridge.stale_q) &&
                     (!u_bridge.stale_q || pending)));
    c_short: cover (started_q && ack && wait_q == 5'd1);
    c_stale: cover (started_q && rsp_valid_i && strobe && !ack);
  end
endmodule
