// SPDX-License-Identifier: Apache-2.0
// mel_probe_counts: reports what the hardware unit has counted when the simulation ends: refused commands and illegal accesses, lost interrupt
// edges. Bound to mel_monitor. Simulation only.
module mel_probe_counts (
  input logic [31:0] refused_i,
  input logic [31:0] lost_irqs_i
);
  import "DPI-C" function void mel_probe_counts(input int unsigned refused, input int unsigned lost_irqs);

  final mel_probe_counts(refused_i, lost_irqs_i);
endmodule

bind mel_monitor mel_probe_counts u_probe_counts (
  .refused_i  (refused_o),
  .lost_irqs_i(lost_irqs_o)
);
