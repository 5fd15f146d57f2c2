// SPDX-License-Identifier: Apache-2.0
// mel_probe_counts_protected: as mel_probe_counts, for a protected unit, whose state store has the name that its netlist has given it.
// Simulation only.
module mel_probe_counts_protected (
  input logic [31:0] refused_i,
  input logic [31:0] lost_irqs_i
);
  import "DPI-C" function void mel_probe_counts(input int unsigned refused, input int unsigned lost_irqs);

  final mel_probe_counts(refused_i, lost_irqs_i);
endmodule

// verilator lint_off WIDTHEXPAND
bind mel_unit mel_probe_counts_protected u_probe_counts (
  .refused_i  (u_netlist.u_datapath_store[mel_micro_pkg::IndexRefused][31:0]),
  .lost_irqs_i(u_netlist.u_datapath_store[mel_micro_pkg::IndexLostIrqs][31:0] + 32'(u_netlist.lost_q))
);
// verilator lint_on WIDTHEXPAND
