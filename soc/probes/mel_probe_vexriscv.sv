// SPDX-License-Identifier: Apache-2.0
// mel_probe_vexriscv: what mel_probe_core asks and a VexRiscv core does not say: that an instruction is in the decode stage for the first
// cycle (`first`, for mel_bind_vexriscv). Simulation only.
module mel_probe_vexriscv (
  input logic clk_i,
  input logic rst_ni,
  input logic valid_i,  // an instruction is in the decode stage
  input logic stuck_i,  // … and cannot go on
  input logic gone_i    // … and is dropped
);
  logic first, stays_q;

  assign first = valid_i && !stays_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stays_q <= 1'b0;
    else stays_q <= valid_i && stuck_i && !gone_i;
  end
endmodule
