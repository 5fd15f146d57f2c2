// SPDX-License-Identifier: Apache-2.0
// Proof that mel_access, the unit's side of an access port, keeps the promise of mel_bridge_port, on which the proofs of the
// bridges rest: for any accesses, when the engine ends each within EngineWithin cycles. Unbounded, by induction.
module mel_bridge_unit_proof
  import mel_engine_pkg::*;
#(
  parameter int unsigned EngineWithin = 2,
  parameter bit          Hints        = 1'b1   // also what holds the induction; 0: the promise alone
) (
  input logic        clk_i,
  input logic        valid_i,
  input logic        write_i,
  input mel_pkg::offset_t addr_i,
  input logic [3:0]  be_i,
  input logic        done_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic          ready, rsp_valid, access_valid, pending, kept, answered;
  core_request_t access;
  check_t        check;
  logic [31:0]   rdata;

  mel_access u_access (
    .clk_i, .rst_ni (started_q), .sample_i (1'b1),
    .req_valid_i (valid_i), .req_ready_o (ready), .req_write_i (write_i), .req_addr_i (addr_i), .req_be_i (be_i),
    .req_wdata_i ('0), .rsp_valid_o (rsp_valid), .rsp_rdata_o (rdata),
    .access_valid_o (access_valid), .access_o (access), .check_o (check), .access_done_i (done_i), .at_once_i (1'b0),
    .access_data_i ('0), .last_i ('0), .ready_i (1'b1), .answer_i ('0), .answered_o (answered)
  );

  // A held access waits for the one before it, a cycle, then for itself; a response is registered.
  mel_bridge_port #(.ReadyWithin (1), .AnswerWithin (2 * EngineWithin + 2)) u_port (
    .clk_i, .rst_ni (started_q), .req_valid_i (valid_i), .req_ready_i (ready), .rsp_valid_i (rsp_valid),
    .pending_o (pending), .kept_o (kept)
  );

  logic [3:0] served_q = '0;   // cycles that the engine has had the access
  always_ff @(posedge clk_i) served_q <= (!access_valid || done_i) ? '0 : served_q + 4'd1;

  always_comb begin
    m_done: assume (access_valid || !done_i);
    m_ends: assume (!access_valid || done_i || served_q < 4'(EngineWithin - 1));
    a_kept: assert (!started_q || kept);
    // A load that the engine serves is the request that is pending; so is a held request.
    a_load: assert (!Hints || !started_q || !access_valid || access.write || (pending && !rsp_valid));
    a_hold: assert (!Hints || !started_q || ready || pending);
    c_held: cover (started_q && pending && !ready && access_valid && access.write);
    c_load: cover (started_q && rsp_valid && valid_i && ready);
  end
endmodule
