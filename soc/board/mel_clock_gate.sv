// SPDX-License-Identifier: Apache-2.0
// mel_clock_gate: the clock of an FPGA is not gated, in the place of the unit's module of this name: a latch in front of a clock network would add skew.
module mel_clock_gate #(
  parameter bit Gated = 1'b0
) (
  input  logic clk_i,
  input  logic awake_i,
  output logic clk_o
);
  assign clk_o = clk_i;

  logic unused_awake;
  assign unused_awake = awake_i ^ Gated;
endmodule
