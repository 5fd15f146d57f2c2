// SPDX-License-Identifier: Apache-2.0
// mel_probe_cache: counts the loads of one cache and those that missed, and reports both when the simulation ends. Simulation only.
module mel_probe_cache #(
  parameter int unsigned Core         = 0,
  parameter bit          Instructions = 1'b0  // instruction cache, else data cache
) (
  input logic clk_i,
  input logic rst_ni,
  input logic load_i,
  input logic miss_i
);
  import "DPI-C" function void mel_probe_cache(input int unsigned core, input int unsigned instructions, input longint unsigned loads,
                                               input longint unsigned misses);

  longint unsigned loads_q, misses_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loads_q  <= 0;
      misses_q <= 0;
    end else begin
      if (load_i) loads_q <= loads_q + 1;
      if (miss_i) misses_q <= misses_q + 1;
    end
  end

  final mel_probe_cache(Core, 32'(Instructions), loads_q, misses_q);
endmodule
