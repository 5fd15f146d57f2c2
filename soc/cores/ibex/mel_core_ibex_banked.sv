// SPDX-License-Identifier: Apache-2.0
// mel_core_ibex_banked: one Ibex core (mel_ibex, where its ports and variants are described) with banks of registers (decision 0015): of tasks, of the
// idle context, of handlers. The unit's dispatch changes the bank; beside the core's own ports stand those to the unit and to mel_bank_table.
// Contract of interrupts, as the kernel's vectors are: 3 is the unit's dispatch, and the fetch of its vector is the switch.
module mel_core_ibex_banked #(
  parameter bit           Small       = 1'b0,
  parameter logic [31:0]  BootAddress = 32'h1000_0000,
  parameter int unsigned  HartId      = 0,
  parameter int unsigned  Tasks       = 64,
  parameter int unsigned  Banks       = 16,             // banks of tasks, 2..64
  localparam int unsigned BankW       = $clog2(Banks + 2),
  localparam int unsigned TaskW       = $clog2(Tasks)
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
  input  logic        irq_external_i,

  // The unit: this core's dispatch, asked for beside its data port (mel_bank_ask).
  output logic             ask_o,
  input  logic             ask_gnt_i,
  input  logic             dispatch_i,
  input  logic [31:0]      answer_i,

  // The table of banks (mel_bank_table).
  output logic             left_trap_o,
  output logic             load_o,
  output logic [4:0]       number_o,
  output logic             filled_o,
  output logic             forget_o,
  output logic [TaskW-1:0] task_o,
  input  logic [BankW-1:0] current_i,
  input  logic             called_i,
  input  logic             missing_i,
  input  logic             spills_i,
  input  logic             moves_i,
  input  logic [TaskW-1:0] leaver_i,
  input  logic [TaskW-1:0] comer_i,
  input  logic             load_gnt_i,
  input  logic [31:0]      moved_i,
  input  logic             forget_gnt_i,
  input  logic [BankW+4:0] read_i,
  output logic [31:0]      read_data_o
);
  logic [4:0]       raddr_a, raddr_b, waddr, put_addr;
  logic [31:0]      rdata_a, rdata_b, wdata, x3, put_data, pc, mepc;
  logic             we, x3_is, put, trap, hold_irqs;
  logic [BankW-1:0] bank, bank_x3, wbank, put_bank;
  logic             fetch_req, fetch_gnt, fetch_rvalid, fetch_err;
  logic [31:0]      fetch_rdata;
  logic             core_req, core_gnt, core_we, core_rvalid, core_err;
  logic [3:0]       core_be;
  logic [31:0]      core_addr, core_rdata;

  mel_register_banks #(
    .Banks(Banks + 2)
  ) u_register_banks (
    .clk_i,
    .bank_i     (bank),
    .bank_x3_i  (bank_x3),
    .x3_is_i    (x3_is),
    .x3_i       (x3),
    .raddr_a_i  (raddr_a),
    .rdata_a_o  (rdata_a),
    .raddr_b_i  (raddr_b),
    .rdata_b_o  (rdata_b),
    .wbank_i    (wbank),
    .we_i       (we),
    .waddr_i    (waddr),
    .wdata_i    (wdata),
    .put_i      (put),
    .put_bank_i (put_bank),
    .put_addr_i (put_addr),
    .put_data_i (put_data),
    .read_i,
    .read_data_o
  );

  mel_ibex #(
    .Small      (Small),
    .BootAddress(BootAddress),
    .HartId     (HartId)
  ) u_ibex (
    .clk_i,
    .rst_ni,
    .instr_req_o   (fetch_req),
    .instr_gnt_i   (fetch_gnt),
    .instr_addr_o,
    .instr_rvalid_i(fetch_rvalid),
    .instr_rdata_i (fetch_rdata),
    .instr_err_i   (fetch_err),
    .data_req_o    (core_req),
    .data_gnt_i    (core_gnt),
    .data_we_o     (core_we),
    .data_be_o     (core_be),
    .data_addr_o   (core_addr),
    .data_wdata_o,
    .data_rvalid_i (core_rvalid),
    .data_rdata_i  (core_rdata),
    .data_err_i    (core_err),
    .irq_software_i(irq_software_i && !hold_irqs),
    .irq_timer_i   (irq_timer_i && !hold_irqs),
    .irq_external_i(irq_external_i && !hold_irqs),
    .raddr_a_o     (raddr_a),
    .rdata_a_i     (rdata_a),
    .raddr_b_o     (raddr_b),
    .rdata_b_i     (rdata_b),
    .we_o          (we),
    .waddr_o       (waddr),
    .wdata_o       (wdata),
    .pc_o          (pc),
    .mepc_o        (mepc)
  );

  mel_bank_fetch #(
    .Vector(BootAddress + 32'd12)
  ) u_bank_fetch (
    .clk_i,
    .rst_ni,
    .req_i     (fetch_req),
    .gnt_o     (fetch_gnt),
    .addr_i    (instr_addr_o),
    .rvalid_o  (fetch_rvalid),
    .rdata_o   (fetch_rdata),
    .err_o     (fetch_err),
    .req_o     (instr_req_o),
    .gnt_i     (instr_gnt_i),
    .rvalid_i  (instr_rvalid_i),
    .rdata_i   (instr_rdata_i),
    .err_i     (instr_err_i),
    .ask_o,
    .ask_gnt_i,
    .switch_o  (trap),
    .dispatch_i
  );

  mel_bank_switch #(
    .Tasks     (Tasks),
    .Banks     (Banks),
    .Writeback (!Small),
    .VectorBase(BootAddress)
  ) u_bank_switch (
    .clk_i,
    .rst_ni,
    .req_i       (core_req),
    .gnt_o       (core_gnt),
    .we_i        (core_we),
    .be_i        (core_be),
    .addr_i      (core_addr),
    .wdata_i     (data_wdata_o),
    .rvalid_o    (core_rvalid),
    .rdata_o     (core_rdata),
    .err_o       (core_err),
    .req_o       (data_req_o),
    .gnt_i       (data_gnt_i),
    .we_o        (data_we_o),
    .be_o        (data_be_o),
    .addr_o      (data_addr_o),
    .rvalid_i    (data_rvalid_i),
    .err_i       (data_err_i),
    .rdata_i     (data_rdata_i),
    .trap_i      (trap),
    .pc_i        (pc),
    .mepc_i      (mepc),
    .hold_irqs_o (hold_irqs),
    .dispatch_i,
    .answer_i,
    .left_trap_o,
    .load_o,
    .filled_o,
    .forget_o,
    .current_i,
    .called_i,
    .missing_i,
    .spills_i,
    .moves_i,
    .leaver_i,
    .comer_i,
    .load_gnt_i,
    .moved_i,
    .forget_gnt_i,
    .bank_o      (bank),
    .bank_x3_o   (bank_x3),
    .wbank_o     (wbank),
    .x3_is_o     (x3_is),
    .x3_o        (x3),
    .put_o       (put),
    .put_bank_o  (put_bank),
    .put_addr_o  (put_addr),
    .put_data_o  (put_data)
  );
  assign number_o = core_addr[6:2];
  assign task_o   = TaskW'(data_wdata_o);
endmodule
