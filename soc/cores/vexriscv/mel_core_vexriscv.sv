// SPDX-License-Identifier: Apache-2.0
// mel_core_vexriscv: one VexRiscv core (variant Linux: RV32IMA, 5 stages, 4 KiB of cache for instructions and 4 KiB for data, taken unpatched
// from the package pythondata-cpu-vexriscv), at the ports of mel_core_ibex.
// Contract: instruction and data ports are OBI-like (req held until gnt; one rvalid per grant, in order, at least one cycle later).
// Reset pc = BootAddress + 0x80; every trap comes to the address in mtvec, whatever its cause.
// Caches: the data cache writes through, a line is 32 bytes, no other master is seen. Addresses 0xB…, 0xE…, 0xF… are never cached.
// Bus errors: the core has no wire for them. A refused load or store gives 0 and, for ever, interrupt 9 (bit 1 of the core's interrupt array,
// by way of its supervisor mask), when the kernel has let it in: late, but not lost. A refused fetch gives zeros, an illegal instruction.
// Interrupts: registered twice in the core, external ones three times; then the stages run empty (docs/explanation/vexriscv.md).
module mel_core_vexriscv #(
  parameter logic [31:0] BootAddress = 32'h1000_0000,
  parameter int unsigned HartId      = 0               // for the probe: the core itself has no register for it
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
  logic        instr_stb, instr_ack, data_stb, data_ack, data_we;
  logic [29:0] instr_adr, data_adr;
  logic [3:0]  data_sel;
  logic [31:0] instr_word, data_word, data_wdata;
  logic [2:0]  instr_cti, data_cti;
  logic        refused, refused_q;  // a load or store had no owner; sticky

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) refused_q <= 1'b0;
    else refused_q <= refused_q || refused;
  end

  mel_wishbone_obi u_data (
    .clk_i,
    .rst_ni,
    .stb_i   (data_stb),
    .ack_o   (data_ack),
    .we_i    (data_we),
    .adr_i   (data_adr),
    .sel_i   (data_sel),
    .dat_i   (data_wdata),
    .dat_o   (data_word),
    .cti_i   (data_cti),
    .req_o   (data_req_o),
    .gnt_i   (data_gnt_i),
    .we_o    (data_we_o),
    .be_o    (data_be_o),
    .addr_o  (data_addr_o),
    .wdata_o (data_wdata_o),
    .rvalid_i(data_rvalid_i),
    .rdata_i (data_rdata_i),
    .err_i   (data_err_i),
    .err_o   (refused)
  );

  logic        no_we, no_err;
  logic [3:0]  no_be;
  logic [31:0] no_wdata;
  mel_wishbone_obi u_instr (
    .clk_i,
    .rst_ni,
    .stb_i   (instr_stb),
    .ack_o   (instr_ack),
    .we_i    (1'b0),
    .adr_i   (instr_adr),
    .sel_i   (4'b1111),
    .dat_i   ('0),
    .dat_o   (instr_word),
    .cti_i   (instr_cti),
    .req_o   (instr_req_o),
    .gnt_i   (instr_gnt_i),
    .we_o    (no_we),
    .be_o    (no_be),
    .addr_o  (instr_addr_o),
    .wdata_o (no_wdata),
    .rvalid_i(instr_rvalid_i),
    .rdata_i (instr_rdata_i),
    .err_i   (instr_err_i),
    .err_o   (no_err)
  );
  logic unused_instr;
  assign unused_instr = ^{no_we, no_be, no_wdata, no_err};

  // Outputs that say nothing are left open: CYC is STB, what fetches would write, and how bursts wrap (they do not).
  /* verilator lint_off PINMISSING */
  VexRiscv u_vexriscv (
    .clk                   (clk_i),
    .reset                 (!rst_ni),
    .externalResetVector   (BootAddress + 32'h80),
    .timerInterrupt        (irq_timer_i),
    .softwareInterrupt     (irq_software_i),
    .externalInterruptArray({30'd0, refused_q, irq_external_i}),
    .iBusWishbone_STB      (instr_stb),
    .iBusWishbone_ACK      (instr_ack),
    .iBusWishbone_ADR      (instr_adr),
    .iBusWishbone_DAT_MISO (instr_word),
    .iBusWishbone_ERR      (1'b0),
    .iBusWishbone_CTI      (instr_cti),
    .dBusWishbone_STB      (data_stb),
    .dBusWishbone_ACK      (data_ack),
    .dBusWishbone_WE       (data_we),
    .dBusWishbone_ADR      (data_adr),
    .dBusWishbone_DAT_MISO (data_word),
    .dBusWishbone_DAT_MOSI (data_wdata),
    .dBusWishbone_SEL      (data_sel),
    .dBusWishbone_ERR      (1'b0),
    .dBusWishbone_CTI      (data_cti)
  );
  /* verilator lint_on PINMISSING */

  logic unused_hart;
  assign unused_hart = ^HartId;
endmodule
