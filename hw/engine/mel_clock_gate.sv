// SPDX-License-Identifier: Apache-2.0
// mel_clock_gate: the clock of everything in the unit that can sleep: without edges while `awake_i` is low.
// In most cycles the unit has nothing to do: a simulator then skips its logic, and a chip saves power. For FPGAs and proofs leave
// Gated = 0: `clk_o` is `clk_i`. On a chip put the library's clock-gating cell in the place of this module.
// Timing: `awake_i` is sampled while `clk_i` is low, and decides about the next rising edge.
module mel_clock_gate #(
  parameter bit Gated = 1'b0
) (
  input  logic clk_i,
  input  logic awake_i,
  output logic clk_o
);

  if (Gated) begin : gen_gated
    logic enable;
    always_latch begin
      if (!clk_i) enable = awake_i;
    end
    assign clk_o = clk_i && enable;
  end else begin : gen_free
    logic unused_awake;
    assign unused_awake = awake_i;
    assign clk_o = clk_i;
  end

endmodule
