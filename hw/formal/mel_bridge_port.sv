// SPDX-License-Identifier: Apache-2.0
// mel_bridge_port: what a bridge may expect of the unit's access port, as a checker: proofs of bridges assume `kept_o`
// (mel_bridge_<bus>.sv), the proof of the unit's side asserts it of mel_access (mel_bridge_unit.sv).
// The promise: a response only to a request, one for each, at least one cycle later and at most AnswerWithin; no second request is
// taken before the response to the first comes; nothing pending for ReadyWithin cycles makes it ready.
module mel_bridge_port #(
  parameter int unsigned ReadyWithin  = 3,
  parameter int unsigned AnswerWithin = 6
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic req_valid_i,
  input  logic req_ready_i,
  input  logic rsp_valid_i,
  output logic pending_o,   // a request has been taken and not answered before this cycle
  output logic kept_o       // the promise, in this cycle
);
  logic       pending_q;
  logic [4:0] deaf_q, silent_q;   // cycles without ready, without a response

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      deaf_q    <= '0;
      silent_q  <= '0;
    end else begin
      pending_q <= (req_valid_i && req_ready_i) || (pending_q && !rsp_valid_i);
      deaf_q    <= (req_ready_i || pending_q) ? '0 : deaf_q + 5'd1;
      silent_q  <= (!pending_q || rsp_valid_i) ? '0 : silent_q + 5'd1;
    end
  end

  assign pending_o = pending_q;
  assign kept_o    = (!rsp_valid_i || pending_q) && (!(pending_q && req_ready_i) || rsp_valid_i) &&
                     (rsp_valid_i || !pending_q || silent_q < 5'(AnswerWithin - 1)) &&
                     (req_ready_i || pending_q || deaf_q < 5'(ReadyWithin - 1));
endmodule
