// SPDX-License-Identifier: Apache-2.0
// mel_core_ibex: one Ibex core (mel_ibex, where its ports and variants are described) with one set of registers.
module mel_core_ibex #(
  parameter bit          Small       = 1'b0,
  parameter bit          Pmp         = 1'b0,
  parameter logic [31:0] BootAddress = 32'h1000_0000,
  parameter int unsigned HartId      = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  output logic        instr_req_o,
  input  logic        instr_gnt_i,
  output logic [31:0] instr_addr_o,
  input  logic        instr_rvalid_i,
  input  logic [31:0] instr_rdata_i,
  input  logic        instr_err_i,

  output logic        data_req_o,
  input  logic        data_gnt_i,
  output logic        data_we_o,
  output logic [3:0]  data_be_o,
  output logic [31:0] data_addr_o,
  output logic [31:0] data_wdata_o,
  input  logic        data_rvalid_i,
  input  logic [31:0] data_rdata_i,
  input  logic        data_err_i,

  input  logic        irq_software_i,
  input  logic        irq_timer_i,
  input  logic        irq_external_i
);
  logic [4:0]  raddr_a, raddr_b, waddr;
  logic [31:0] rdata_a, rdata_b, wdata;
  logic        we;

  mel_register_file u_register_file (
    .clk_i,
    .raddr_a_i(raddr_a),
    .rdata_a_o(rdata_a),
    .raddr_b_i(raddr_b),
    .rdata_b_o(rdata_b),
    .we_i     (we),
    .waddr_i  (waddr),
    .wdata_i  (wdata)
  );

  logic [31:0] pc, mepc;
  logic        unused_pc;
  assign unused_pc = ^{pc, mepc};

  // next_pc_o is for a store of contexts.
  // verilator lint_off PINMISSING
  mel_ibex #(
    .Small      (Small),
    .Pmp        (Pmp),
    .BootAddress(BootAddress),
    .HartId     (HartId)
  ) u_ibex (
    .clk_i,
    .rst_ni,
    .instr_req_o,
    .instr_gnt_i,
    .instr_addr_o,
    .instr_rvalid_i,
    .instr_rdata_i,
    .instr_err_i,
    .data_req_o,
    .data_gnt_i,
    .data_we_o,
    .data_be_o,
    .data_addr_o,
    .data_wdata_o,
    .data_rvalid_i,
    .data_rdata_i,
    .data_err_i,
    .irq_software_i,
    .irq_timer_i,
    .irq_external_i,
    .raddr_a_o(raddr_a),
    .rdata_a_i(rdata_a),
    .raddr_b_o(raddr_b),
    .rdata_b_i(rdata_b),
    .we_o     (we),
    .waddr_o  (waddr),
    .wdata_o  (wdata),
    .pc_o     (pc),
    .mepc_o   (mepc)
  );
  // verilator lint_on PINMISSING
endmodule
