// SPDX-License-Identifier: Apache-2.0
// mel_debug_memory: tells the debugger (soc/sim/debug) of every store to memory and what was there before, and when a cycle is over: at the
// falling edge, where the debugger may hold the simulation. Part of simulations that are built for `melanion debug` alone; it only reads.
module mel_debug_memory (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        store_i,
  input logic [31:0] index_i,  // word index
  input logic [31:0] before_i
);
  import "DPI-C" function void mel_debug_stored(input int unsigned index, input int unsigned was);
  import "DPI-C" function void mel_debug_cycle();

  always_ff @(posedge clk_i) begin
    if (rst_ni && store_i) mel_debug_stored(index_i, before_i);
  end

  always_ff @(negedge clk_i) begin
    if (rst_ni) mel_debug_cycle();
  end
endmodule

bind mel_memory mel_debug_memory u_debug (
  .clk_i,
  .rst_ni,
  .store_i (data_gnt_o && data_we_i),
  .index_i (32'(data_index)),
  .before_i(words[data_index])
);
