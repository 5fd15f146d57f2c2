// SPDX-License-Identifier: Apache-2.0
// mel_probe_unit: hands the hardware unit's trace port to the simulation's C++ side. Simulation only.
// Records of one cycle take effect in the order tick, step, answers (core 0 first), and are reported in that order.
module mel_probe_unit #(
  parameter int unsigned Cores = 1
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input mel_pkg::trace_t             tick_i,
  input mel_pkg::trace_t             step_i,
  input mel_pkg::trace_t [Cores-1:0] answer_i
);
  import "DPI-C" function void mel_probe_event(input int unsigned kind, input int unsigned core, input int unsigned a,
                                               input int unsigned b, input int unsigned c, input int unsigned d);

  function automatic void report(mel_pkg::trace_t lane);
    if (lane.valid) mel_probe_event({24'd0, lane.kind}, {24'd0, lane.core}, {16'd0, lane.a}, lane.b, lane.c, lane.d);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      // Nothing is reported during reset.
    end else begin
      report(tick_i);
      report(step_i);
      for (int unsigned i = 0; i < Cores; i++) report(answer_i[i]);
    end
  end
endmodule
