// SPDX-License-Identifier: Apache-2.0
// A witness of its own for the tests of windows: prints the word that executes in each cycle of the unit, and the address that its store has fetched.
module unit_words #(
  parameter int unsigned Width = 1
) (
  input logic             clk_i,
  input logic [15:0]      fetched_i,
  input logic             stall_i,
  input logic             annulled_i,
  input logic [Width-1:0] word_i
);
  always_ff @(posedge clk_i) $display("word %h %b %b %h", fetched_i, stall_i, annulled_i, word_i);
endmodule

bind mel_engine unit_words #(
  .Width ($bits(mel_micro_pkg::word_t))
) u_words (
  .clk_i,
  .fetched_i  (16'(address_q)),
  .stall_i    (stall),
  .annulled_i (annulled_q),
  .word_i     (word)
);
