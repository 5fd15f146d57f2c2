// SPDX-License-Identifier: Apache-2.0
// mel_bind_ibex: puts the core probe beside every Ibex core. The names in u_ibex_core are its signals (package pythondata-cpu-ibex).
// BANK: of the registers that retire; PUT …: the write of no instruction.
`define MEL_BIND_IBEX(CORE, BANK, PUT, PUT_BANK, PUT_RD, PUT_DATA) \
  bind CORE mel_probe_core #( \
    .Stages(Small ? 0 : 1) \
  ) u_probe ( \
    .clk_i, \
    .rst_ni, \
    .hart_id_i   (HartId), \
    .id_new_i    (u_ibex.u_ibex_core.instr_new_id), \
    .advance_i   (u_ibex.u_ibex_core.instr_id_done), \
    .pc_id_i     (u_ibex.u_ibex_core.pc_id), \
    .retired_i   (u_ibex.u_ibex_core.perf_instr_ret_wb), \
    .pc_i        (Small ? u_ibex.u_ibex_core.pc_id : u_ibex.u_ibex_core.pc_wb), \
    .rd_we_i     (we), \
    .rd_i        (waddr), \
    .rd_wdata_i  (wdata), \
    .bank_i      (BANK), \
    .put_i       (PUT), \
    .put_bank_i  (PUT_BANK), \
    .put_rd_i    (PUT_RD), \
    .put_data_i  (PUT_DATA), \
    .mie_i       (u_ibex.u_ibex_core.csr_mstatus_mie), \
    .trap_i      (u_ibex.u_ibex_core.csr_save_cause), \
    .trap_pc_i   (u_ibex.u_ibex_core.csr_save_if ? u_ibex.u_ibex_core.pc_if : u_ibex.u_ibex_core.csr_save_wb ? u_ibex.u_ibex_core.pc_wb : u_ibex.u_ibex_core.pc_id), \
    .trap_irq_i  (u_ibex.u_ibex_core.exc_cause.irq_ext), \
    .trap_cause_i(u_ibex.u_ibex_core.exc_cause.lower_cause), \
    .mret_i      (u_ibex.u_ibex_core.csr_restore_mret_id), \
    .mepc_i      (u_ibex.u_ibex_core.csr_mepc) \
  );

`MEL_BIND_IBEX(mel_core_ibex, '0, 1'b0, '0, '0, '0)
