// SPDX-License-Identifier: Apache-2.0
// Proof of mel_first_set, for every vector: `valid` tells whether a bit is set; `index` names a set bit, and none below it is set.
// Combinational, so one cycle says all.
module mel_first_set_proof #(
  parameter int unsigned Width = 32
) (
  input logic [Width-1:0] vector_i
);

  logic       valid;
  logic [7:0] index;

  mel_first_set #(.Width(Width)) u_first_set (.vector_i, .valid_o (valid), .index_o (index));

  logic [255:0] vector;
  assign vector = 256'(vector_i);

  always_comb begin
    a_valid: assert (valid == (vector_i != '0));
    a_set:   assert (!valid || vector[index]);
    a_none:  assert (valid || index == '0);
    c_last:  cover (valid && 32'(index) == Width - 1);
  end

  for (genvar i = 0; i < Width; i++) begin : gen_bit
    always_comb a_lowest: assert (!vector_i[i] || index <= 8'(i));
  end

endmodule
