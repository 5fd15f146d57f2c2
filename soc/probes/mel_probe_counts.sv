// SPDX-License-Identifier: Apache-2.0
// mel_probe_counts: at the end of a simulation, reports the counts that the unit keeps in registers of its state store. Bound to mel_unit.
// Simulation only.
module mel_probe_counts (
  input logic [31:0] refused_i,
  input logic [31:0] lost_irqs_i
);
  import "DPI-C" function void mel_probe_counts(input int unsigned refused, input int unsigned lost_irqs);

  final mel_probe_counts(refused_i, lost_irqs_i);
endmodule

// Words of page 0 have their place in the register region as address, which is shorter than that of the store.
// verilator lint_off WIDTHEXPAND
bind mel_unit mel_probe_counts u_probe_counts (
  .refused_i  (u_datapath.store[mel_micro_pkg::IndexRefused]),
  .lost_irqs_i(u_datapath.store[mel_micro_pkg::IndexLostIrqs] + 32'(lost_q))
);
// verilator lint_on WIDTHEXPAND
