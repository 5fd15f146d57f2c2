// SPDX-License-Identifier: Apache-2.0
// mel_first_set: the lowest set bit of a vector, as a tree (a loop that searches would become a serial chain).
// Timing: combinational, $clog2(Width) levels of multiplexers.
module mel_first_set #(
  parameter int unsigned Width = 32   // 1..256
) (
  input  logic [Width-1:0] vector_i,
  output logic             valid_o,
  output logic [7:0]       index_o    // 0 when nothing is set
);

  localparam int unsigned Levels = (Width > 1) ? $clog2(Width) : 1;
  localparam int unsigned Leaves = 1 << Levels;

  logic [Leaves-1:0]      any;
  logic [Leaves-1:0][7:0] index;

  always_comb begin
    any   = Leaves'(vector_i);
    index = '0;
    for (int unsigned level = 0; level < Levels; level++) begin
      for (int unsigned node = 0; node < (Leaves >> (level + 1)); node++) begin
        index[node] = any[2*node] ? index[2*node] : index[2*node+1] | 8'(32'd1 << level);
        any[node]   = any[2*node] | any[2*node+1];
      end
    end
  end

  assign valid_o = any[0];
  assign index_o = any[0] ? index[0] : '0;

endmodule
