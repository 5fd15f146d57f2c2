// mel_bind_ibex: puts the core probe into every `ibex_core`. The right-hand names are signals of ibex_core (package pythondata-cpu-ibex).
bind ibex_core mel_probe_core #(
  .WritebackStage(WritebackStage)
) u_probe (
  .clk_i,
  .rst_ni,
  .hart_id_i,
  .id_new_i    (instr_new_id),
  .id_done_i   (instr_id_done),
  .pc_if_i     (pc_if),
  .pc_id_i     (pc_id),
  .pc_wb_i     (pc_wb),
  .retired_i   (perf_instr_ret_wb),
  .rd_we_i     (rf_we_wb_o),
  .rd_i        (rf_waddr_wb_o),
  .rd_wdata_i  (rf_wdata_wb_ecc_o),
  .mie_i       (csr_mstatus_mie),
  .trap_i      (csr_save_cause),
  .trap_pc_if_i(csr_save_if),
  .trap_pc_wb_i(csr_save_wb),
  .trap_irq_i  (exc_cause.irq_ext),
  .trap_cause_i(exc_cause.lower_cause),
  .mret_i      (csr_restore_mret_id),
  .mepc_i      (csr_mepc)
);
