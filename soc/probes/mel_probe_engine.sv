// SPDX-License-Identifier: Apache-2.0
// mel_probe_engine: hands the word of each cycle of the microprogrammed unit to the C++ side (soc/sim/unit/window.h). Part of the simulations of a page
// and of those that the studio asks for a window of cycles; no measured simulation has it. It only reads.
// Timing: a call at each edge of the clock of the unit, for the cycle that ends; none while the unit sleeps.
module mel_probe_engine #(
  parameter int unsigned Cores = 1
) (
  input logic             clk_i,
  input logic [15:0]      fetched_i,     // address of the word behind the one that executes
  input logic             stall_i,
  input logic             annulled_i,
  input logic             idle_i,
  input logic             start_i,
  input logic             active_i,
  input logic             waits_idle_i,
  input logic             ready_idle_i,
  input logic [Cores-1:0] answered_i,
  input logic [Cores-1:0] dispatch_i
);
  import "DPI-C" function void mel_probe_word(input int unsigned address, input int unsigned flags);

  logic [15:0] address_q;   // of the word that executes
  always_ff @(posedge clk_i) begin
    if (!stall_i) address_q <= fetched_i;
    mel_probe_word(32'(address_q), {16'd0, 4'(dispatch_i), 4'(answered_i), 1'b0, active_i, start_i, !ready_idle_i, !waits_idle_i, idle_i,
                                    stall_i, annulled_i});
  end
endmodule

bind mel_unit mel_probe_engine #(
  .Cores (Cores)
) u_probe_engine (
  .clk_i        (clk),
  .fetched_i    (16'(u_engine.address_q)),
  .stall_i      (stall),
  .annulled_i   (u_engine.annulled_q),
  .idle_i       (idle),
  .start_i      (u_engine.start),
  .active_i     (active),
  .waits_idle_i (waits_idle),
  .ready_idle_i (ready_idle),
  .answered_i   (access_done),
  .dispatch_i   (irq_dispatch)
);
