// SPDX-License-Identifier: Apache-2.0
// mel_input: a pin that knows no clock, synchronized and sampled.
// Timing: two flip-flops, then a sample every 2**SampleBits cycles (0: every cycle): a contact that bounces for less than that rises once.
module mel_input #(
  parameter int unsigned SampleBits = 0,     // 0..24
  parameter bit          ActiveHigh = 1'b1,
  parameter bit          Idle       = 1'b0   // `value_o` in reset
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic pin_i,
  output logic value_o
);
  logic [1:0] stage_q;
  logic       sampled, value_q;

  if (SampleBits != 0) begin : gen_sample
    logic [SampleBits-1:0] count_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else         count_q <= count_q + SampleBits'(1);
    end
    assign sampled = &count_q;
  end else begin : gen_every_cycle
    assign sampled = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stage_q <= {2{Idle}};
      value_q <= Idle;
    end else begin
      stage_q <= {stage_q[0], pin_i == ActiveHigh};
      if (sampled) value_q <= stage_q[1];
    end
  end
  assign value_o = value_q;
endmodule
