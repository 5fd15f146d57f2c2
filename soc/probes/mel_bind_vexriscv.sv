// SPDX-License-Identifier: Apache-2.0
// mel_bind_vexriscv: puts the core probe beside every VexRiscv core. The names in u_vexriscv are its signals (package
// pythondata-cpu-vexriscv). A trap is reported in the cycle in which the core jumps; an instruction retires when it leaves writeback.
bind mel_core_vexriscv mel_probe_vexriscv u_probe_decode (
  .clk_i,
  .rst_ni,
  .valid_i(u_vexriscv.decode_arbitration_isValid),
  .stuck_i(u_vexriscv.decode_arbitration_isStuck),
  .gone_i (u_vexriscv.decode_arbitration_removeIt)
);

bind mel_core_vexriscv mel_probe_core #(
  .Stages(3)
) u_probe (
  .clk_i,
  .rst_ni,
  .hart_id_i   (HartId),
  .id_new_i    (u_probe_decode.first),
  .advance_i   (~{u_vexriscv.writeBack_arbitration_isStuck, u_vexriscv.memory_arbitration_isStuck,
                  u_vexriscv.execute_arbitration_isStuck}),
  .pc_id_i     (u_vexriscv.decode_PC),
  .retired_i   (u_vexriscv.lastStageIsFiring),
  .pc_i        (u_vexriscv.lastStagePc),
  .rd_we_i     (u_vexriscv.lastStageRegFileWrite_valid),
  .rd_i        (u_vexriscv.lastStageRegFileWrite_payload_address),
  .rd_wdata_i  (u_vexriscv.lastStageRegFileWrite_payload_data),
  .bank_i      ('0),
  .put_i       (1'b0),
  .put_bank_i  ('0),
  .put_rd_i    ('0),
  .put_data_i  ('0),
  .mie_i       (u_vexriscv.CsrPlugin_mstatus_MIE),
  .trap_i      (u_vexriscv.when_CsrPlugin_l1019),
  .trap_pc_i   (u_vexriscv.writeBack_PC),
  .trap_irq_i  (!u_vexriscv.CsrPlugin_hadException),
  .trap_cause_i({1'b0, u_vexriscv.CsrPlugin_trapCause}),
  .mret_i      (u_vexriscv.when_CsrPlugin_l1064),
  .mepc_i      (u_vexriscv.CsrPlugin_mepc)
);
