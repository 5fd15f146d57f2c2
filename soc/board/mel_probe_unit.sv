// SPDX-License-Identifier: Apache-2.0
// mel_probe_unit: nobody reads the trace port on a board, in the place of soc/probes/mel_probe_unit.sv: synthesis then removes what makes it.
module mel_probe_unit #(
  parameter int unsigned Cores = 1
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input mel_pkg::trace_t             tick_i,
  input mel_pkg::trace_t             step_i,
  input mel_pkg::trace_t [Cores-1:0] answer_i
);
  logic unused_trace;
  assign unused_trace = ^{clk_i, rst_ni, tick_i, step_i, answer_i};
endmodule
