// SPDX-License-Identifier: Apache-2.0
// mel_register_file: the 32 integer registers of one Ibex core, outside `ibex_core` so that later couplings can bank it.
// Timing: reads are combinational; a write is seen by reads from the next cycle on. Register 0 reads 0.
module mel_register_file (
  input  logic        clk_i,
  input  logic [4:0]  raddr_a_i,
  output logic [31:0] rdata_a_o,
  input  logic [4:0]  raddr_b_i,
  output logic [31:0] rdata_b_o,
  input  logic        we_i,
  input  logic [4:0]  waddr_i,
  input  logic [31:0] wdata_i
);
  logic [31:0] registers_q[32];

  // Not reset: software writes a register before it reads it, and FPGA LUT-RAM cannot be reset.
  always_ff @(posedge clk_i) begin
    if (we_i) registers_q[waddr_i] <= wdata_i;
  end

  assign rdata_a_o = (raddr_a_i == 5'd0) ? 32'd0 : registers_q[raddr_a_i];
  assign rdata_b_o = (raddr_b_i == 5'd0) ? 32'd0 : registers_q[raddr_b_i];
endmodule
