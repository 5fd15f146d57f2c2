// mel_bind_ibex: puts the core probe beside every `ibex_core`. The names in u_ibex_core are its signals (package pythondata-cpu-ibex).
bind mel_core_ibex mel_probe_core #(
  .WritebackStage(!Small)
) u_probe (
  .clk_i,
  .rst_ni,
  .hart_id_i   (HartId),
  .id_new_i    (u_ibex_core.instr_new_id),
  .id_done_i   (u_ibex_core.instr_id_done),
  .pc_if_i     (u_ibex_core.pc_if),
  .pc_id_i     (u_ibex_core.pc_id),
  .pc_wb_i     (u_ibex_core.pc_wb),
  .retired_i   (u_ibex_core.perf_instr_ret_wb),
  .rd_we_i     (we),
  .rd_i        (waddr),
  .rd_wdata_i  (wdata),
  .bank_i      (8'(wbank_i)),
  .put_i,
  .put_bank_i  (8'(put_bank_i)),
  .put_rd_i    (put_addr_i),
  .put_data_i,
  .mie_i       (u_ibex_core.csr_mstatus_mie),
  .trap_i      (u_ibex_core.csr_save_cause),
  .trap_pc_if_i(u_ibex_core.csr_save_if),
  .trap_pc_wb_i(u_ibex_core.csr_save_wb),
  .trap_irq_i  (u_ibex_core.exc_cause.irq_ext),
  .trap_cause_i(u_ibex_core.exc_cause.lower_cause),
  .mret_i      (u_ibex_core.csr_restore_mret_id),
  .mepc_i      (u_ibex_core.csr_mepc)
);
