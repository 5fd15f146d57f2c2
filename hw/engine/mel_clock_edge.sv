// SPDX-License-Identifier: Apache-2.0
// mel_clock_edge: when the cycles of the cores end, in a unit at twice their clock (docs/decisions/0035), and the interrupt lines as the cores'
// clock sees them: so that a line may come as late as any signal of that clock, and change before, and each of its edges counts once.
//
// Contract: a register of the cores' clock ends the reset: the first edge of `clk_i` behind it is between two of the cores', the next is one.
// Timing: in the unit cycle that ends with the cores' the lines pass, in the other they keep what they were there. Ratio 1: wires.
module mel_clock_edge #(
  parameter int unsigned Ratio = 2,    // unit cycles in a cycle of the cores: 1, 2
  parameter int unsigned Lines = 1
) (
  input  logic             clk_i,      // the unit's
  input  logic             rst_ni,
  output logic             last_o,     // a cycle of the cores ends with this one
  input  logic [Lines-1:0] irq_i,
  output logic [Lines-1:0] irq_o
);

  if (Ratio == 1) begin : gen_same
    logic unused_clock;
    assign unused_clock = ^{clk_i, rst_ni};
    assign last_o       = 1'b1;
    assign irq_o        = irq_i;
  end else begin : gen_twice
    if (Ratio != 2) begin : gen_wrong
      $fatal(1, "mel_unit: parameter ClockRatio = %0d is out of range 1..2", Ratio);
    end
    logic             last_q;
    logic [Lines-1:0] irq_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        last_q <= 1'b0;
        irq_q  <= '0;
      end else begin
        last_q <= !last_q;
        irq_q  <= irq_o;
      end
    end
    assign last_o = last_q;
    assign irq_o  = last_q ? irq_i : irq_q;
  end

endmodule
