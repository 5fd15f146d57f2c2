// SPDX-License-Identifier: Apache-2.0
// mel_register_banks: the integer registers of one core, in banks: of tasks, of the idle context, of handlers.
// x3 is read from `bank_x3_i`, every other register from `bank_i`. Besides the core, the coupling may write one register a cycle, when
// the core writes none (mel_bank_switch), and another core may read one (mel_bank_table).
// Timing: reads are combinational; a write is seen by reads from the next cycle on. Register 0 reads 0.
module mel_register_banks #(
  parameter int unsigned  Banks = 18,              // all of them
  localparam int unsigned BankW = $clog2(Banks)
) (
  input  logic             clk_i,

  input  logic [BankW-1:0] bank_i,                 // bank of the instruction that reads
  input  logic [BankW-1:0] bank_x3_i,
  input  logic             x3_is_i,                // x3 reads x3_i instead
  input  logic [31:0]      x3_i,
  input  logic [4:0]       raddr_a_i,
  output logic [31:0]      rdata_a_o,
  input  logic [4:0]       raddr_b_i,
  output logic [31:0]      rdata_b_o,

  input  logic [BankW-1:0] wbank_i,                // bank of the instruction that writes
  input  logic             we_i,
  input  logic [4:0]       waddr_i,
  input  logic [31:0]      wdata_i,

  input  logic             put_i,                  // the coupling's write
  input  logic [BankW-1:0] put_bank_i,
  input  logic [4:0]       put_addr_i,
  input  logic [31:0]      put_data_i,

  input  logic [BankW+4:0] read_i,                 // bank, register
  output logic [31:0]      read_data_o
);
  localparam logic [4:0] X3 = 5'd3;

  // Not reset: software writes a register before it reads it, and FPGA LUT-RAM cannot be reset.
  logic [31:0] registers_q [Banks * 32];

  logic [BankW+4:0] index_a, index_b, windex;
  assign index_a = {(raddr_a_i == X3) ? bank_x3_i : bank_i, raddr_a_i};
  assign index_b = {(raddr_b_i == X3) ? bank_x3_i : bank_i, raddr_b_i};
  assign windex  = put_i ? {put_bank_i, put_addr_i} : {wbank_i, waddr_i};

  always_ff @(posedge clk_i) begin
    if (we_i || put_i) registers_q[windex] <= put_i ? put_data_i : wdata_i;
  end

  assign rdata_a_o = (raddr_a_i == '0) ? '0 : (raddr_a_i == X3 && x3_is_i) ? x3_i : registers_q[index_a];
  assign rdata_b_o = (raddr_b_i == '0) ? '0 : (raddr_b_i == X3 && x3_is_i) ? x3_i : registers_q[index_b];
  assign read_data_o = registers_q[read_i];

`ifndef SYNTHESIS
  a_one_write: assert property (@(posedge clk_i) !(put_i && we_i && waddr_i != '0));
`endif
endmodule
