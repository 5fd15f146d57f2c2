// SPDX-License-Identifier: Apache-2.0
// mel_wait_states: holds back the grant of each access of one port.
// Contract: `req_i` stays high until `granted_i`; the number of cycles is the value of `cycles_i` in the first cycle of the access, so that
// it may be another for each (drawn by soc/sim). `passed_o` then stays high until the access is granted: who is asked after it is never
// asked in vain.
// Timing: `passed_o` rises `cycles_i` cycles after `req_i`; for 0 in the same cycle.
module mel_wait_states (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] cycles_i,
  input  logic        req_i,
  input  logic        granted_i,
  output logic        passed_o
);
  logic        begun_q;  // not the first cycle of an access
  logic [15:0] limit, limit_q, count_q;

  assign limit    = begun_q ? limit_q : cycles_i;
  assign passed_o = count_q == limit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      limit_q <= '0;
      count_q <= '0;
    end else begin
      begun_q <= req_i && !granted_i;
      limit_q <= limit;
      if (!req_i || granted_i) count_q <= '0;
      else if (!passed_o) count_q <= count_q + 16'd1;
    end
  end
endmodule
