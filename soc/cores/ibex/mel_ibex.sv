// SPDX-License-Identifier: Apache-2.0
// mel_ibex: the bare `ibex_core`, taken unpatched from the package pythondata-cpu-ibex, with what this system does not use tied off.
// Its registers are outside: mel_core_ibex has one set, mel_core_ibex_banked has banks of them.
// Contract: instruction and data ports are OBI-like (req held until gnt; one rvalid per grant, in order, at least one cycle later).
// Reset pc = BootAddress + 0x80; interrupts are vectored: base + 4 * cause (3 software, 7 timer, 11 external).
// Registers are read in the cycle of their address, and a write is seen by reads from the next cycle on; register 0 reads 0.
// Variants: main = 3 stages (writeback), branch-target ALU, single-cycle multiplier, balanced bit manipulation (Zba, Zbb, Zbs …);
// small = 2 stages, 3-cycle multiplier, no bit manipulation.
// Pmp adds physical memory protection: 4 regions, granularity 4 bytes; what user mode may not access is refused before it leaves
// the core. It costs no cycle. Without it, user mode may access everything, and the registers of PMP are illegal instructions.
module mel_ibex #(
  parameter bit          Small       = 1'b0,
  parameter bit          Pmp         = 1'b0,
  parameter logic [31:0] BootAddress = 32'h1000_0000,  // 256-byte aligned
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
  input  logic        irq_external_i,

  // The registers.
  output logic [4:0]  raddr_a_o,
  input  logic [31:0] rdata_a_i,
  output logic [4:0]  raddr_b_o,
  input  logic [31:0] rdata_b_i,
  output logic        we_o,
  output logic [4:0]  waddr_o,
  output logic [31:0] wdata_o,

  output logic [31:0] pc_o,        // PC of the instruction in the ID stage
  output logic [31:0] next_pc_o,   // … and of the one in the IF stage
  output logic [31:0] mepc_o
);
  ibex_pkg::crash_dump_t crash_dump;
  assign pc_o   = crash_dump.current_pc;
  assign next_pc_o = crash_dump.next_pc;
  assign mepc_o = crash_dump.exception_pc;
  logic unused_crash_dump;
  assign unused_crash_dump = ^crash_dump;

  // There is no instruction cache; its memory ports stay unconnected.
  logic [ibex_pkg::IC_TAG_SIZE-1:0]  no_tags[ibex_pkg::IC_NUM_WAYS];
  logic [ibex_pkg::IC_LINE_SIZE-1:0] no_lines[ibex_pkg::IC_NUM_WAYS];
  assign no_tags  = '{default: '0};
  assign no_lines = '{default: '0};

  // Outputs that this system does not use are left open; the probes read the core's own signals.
  /* verilator lint_off PINMISSING */
  ibex_core #(
    .RV32M          (Small ? ibex_pkg::RV32MFast : ibex_pkg::RV32MSingleCycle),
    .RV32B          (Small ? ibex_pkg::RV32BNone : ibex_pkg::RV32BBalanced),
    .BranchTargetALU(!Small),
    .WritebackStage (!Small),
    .PMPEnable      (Pmp),
    .PMPNumRegions  (4)
  ) u_ibex_core (
    .clk_i,
    .rst_ni,
    .hart_id_i         (HartId),
    .boot_addr_i       (BootAddress),
    .instr_req_o,
    .instr_gnt_i,
    .instr_rvalid_i,
    .instr_addr_o,
    .instr_rdata_i,
    .instr_err_i,
    .data_req_o,
    .data_gnt_i,
    .data_rvalid_i,
    .data_we_o,
    .data_be_o,
    .data_addr_o,
    .data_wdata_o,
    .data_rdata_i,
    .data_err_i,
    .rf_raddr_a_o      (raddr_a_o),
    .rf_raddr_b_o      (raddr_b_o),
    .rf_waddr_wb_o     (waddr_o),
    .rf_we_wb_o        (we_o),
    .rf_wdata_wb_ecc_o (wdata_o),
    .rf_rdata_a_ecc_i  (rdata_a_i),
    .rf_rdata_b_ecc_i  (rdata_b_i),
    .ic_tag_rdata_i    (no_tags),
    .ic_data_rdata_i   (no_lines),
    .ic_scr_key_valid_i(1'b1),
    .irq_software_i,
    .irq_timer_i,
    .irq_external_i,
    .irq_fast_i        ('0),
    .irq_nm_i          (1'b0),
    .debug_req_i       (1'b0),
    .crash_dump_o      (crash_dump),
    .fetch_enable_i    (ibex_pkg::IbexMuBiOn)
  );
  /* verilator lint_on PINMISSING */
endmodule
