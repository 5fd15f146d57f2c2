// SPDX-License-Identifier: Apache-2.0
// mel_host: the devices that talk to the simulation's C++ side (soc/sim): console, markers, exit, interrupt generator; and the cycle counter.
// One per core, so that the C++ side knows whose access it is; behind it, console and generator are the same for all.
// Registers (offsets from 0x2000_0000): 0x2000 console (store: one character), 0x2004 exit (store: exit code), 0x2100 + 4 * id marker (store:
// value), 0x3000 + 16 * n interrupt generator line n (soc/sim/irqgen.h), 0x4000 cycle counter, low 32 bits (load).
// With MEL_INPUT also the receive side of the console, as a board has it (soc/board/mel_board_devices.sv): 0x2008 received, 0x200C lost
// (loads; soc/sim/console_input.h). A simulation has it only where an input is asked for.
// Timing: an access is answered in the next cycle. Simulation only.
module mel_host #(
  parameter int unsigned Core = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_i,
  input  logic        we_i,
  input  logic [14:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        err_o     // the answered access was to no register
);
  import "DPI-C" function void mel_host_store(input int unsigned core, input int unsigned offset,
                                              input int unsigned value);
  import "DPI-C" function int unsigned mel_host_load(input int unsigned offset);

  logic [31:0] cycle_q;
  logic        console, marker, irqgen, counter;

  assign console = addr_i[14:3] == 12'h400;
  assign marker  = addr_i[14:12] == 3'd2 && addr_i[11:8] != 4'd0;
  assign irqgen  = addr_i[14:10] == 5'b011_00;
  assign counter = addr_i[14:2] == 13'h1000;
`ifdef MEL_INPUT
  logic received;
  assign received = addr_i[14:3] == 12'h401;
`endif

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      rdata_o <= '0;
      err_o   <= 1'b0;
    end else begin
      cycle_q <= cycle_q + 32'd1;
      if (req_i) begin
        err_o   <= !(console || marker || irqgen || counter);
        rdata_o <= counter ? cycle_q : '0;
        if (we_i && (console || marker || irqgen)) begin
          mel_host_store(Core, {17'd0, addr_i}, wdata_i);
        end
        if (!we_i && irqgen) rdata_o <= mel_host_load({17'd0, addr_i});
`ifdef MEL_INPUT
        if (received) begin
          err_o   <= 1'b0;
          rdata_o <= we_i ? '0 : mel_host_load({17'd0, addr_i});
        end
`endif
      end
    end
  end
endmodule
