// SPDX-License-Identifier: Apache-2.0
// mel_debug_core: tells the debugger (soc/sim/debug) what each core's probe sees: every retired instruction, and every register that no
// instruction writes. Part of simulations that are built for `melanion debug` alone; it only reads.
module mel_debug_core (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:0] hart_id_i,
  input logic        retired_i,
  input logic [8:0]  bank_i,
  input logic [31:0] pc_i,
  input logic        rd_we_i,
  input logic [4:0]  rd_i,
  input logic [31:0] rd_wdata_i,
  input logic        put_i,
  input logic [8:0]  put_bank_i,
  input logic [4:0]  put_rd_i,
  input logic [31:0] put_data_i
);
  import "DPI-C" function void mel_debug_retired(input int unsigned core, input int unsigned bank, input int unsigned pc, input int unsigned rd,
                                                 input int unsigned value);
  import "DPI-C" function void mel_debug_put(input int unsigned core, input int unsigned bank, input int unsigned rd, input int unsigned value);

  always_ff @(posedge clk_i) begin
    if (rst_ni && retired_i) mel_debug_retired(hart_id_i, {23'd0, bank_i}, pc_i, rd_we_i ? {27'd0, rd_i} : 32'd0, rd_wdata_i);
    if (rst_ni && put_i) mel_debug_put(hart_id_i, {23'd0, put_bank_i}, {27'd0, put_rd_i}, put_data_i);
  end
endmodule

bind mel_probe_core mel_debug_core u_debug (.*);
