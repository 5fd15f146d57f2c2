// SPDX-License-Identifier: Apache-2.0
// bench: clock and console of a simulated SoC (demo.py). Prints what its UART sends; its CSR for the exit code ends the run.
`timescale 1ns / 1ps
module bench;
  logic       clk = 1'b0;
  logic       valid, unused;
  logic [7:0] data;

  always #5 clk = !clk;

  sim u_soc (
    .sys_clk            (clk),
    .serial_source_valid(valid),
    .serial_source_ready(1'b1),
    .serial_source_data (data),
    .serial_sink_valid  (1'b0),
    .serial_sink_ready  (unused),
    .serial_sink_data   (8'd0)
  );

  always @(posedge clk) if (valid) $write("%c", data);
endmodule
