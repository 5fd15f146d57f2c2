// SPDX-License-Identifier: Apache-2.0
// mel_board_devices: the devices of a board, where a simulation has mel_host: console, markers, exit, interrupt generator, cycle counter, and besides
// these the receiver of the UART, LEDs and buttons.
// Registers (offsets from the base of the device region): 0x2000 console (store: one character), 0x2004 exit (store: exit code), 0x2008 received (load: the
// oldest character, and it is taken; 0xFFFF_FFFF: none), 0x200C lost (load: characters lost, of the console in the low half, received ones in the high
// half), 0x2010 LEDs (store), 0x2014 buttons (load: one bit each), 0x2100 + 4 * id marker (store: value), 0x3000 + 16 * n interrupt generator line n,
// n < Generated (store d: one pulse, d + 1 cycles after the cycle in which the store is answered), 0x4000 cycle counter, low 32 bits (load).
// Pulses with random delays are a device of the simulation: their registers are answered with `err`.
// Timing: an access is answered in the next cycle.
module mel_board_devices
  import mel_host_pkg::*;
#(
  parameter int unsigned ClocksPerBit = 25,
  parameter int unsigned Leds         = 8,   // 2..32
  parameter int unsigned Buttons      = 1,   // 1..32
  parameter int unsigned Generated    = 4    // lines of the interrupt generator, 1..64
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  host_a_t              host_a_i,
  output host_r_t              host_r_o,

  input  logic                 rx_i,         // synchronized
  output logic                 tx_o,
  input  logic [Buttons-1:0]   buttons_i,    // synchronized, high: pressed
  output logic [Leds-1:0]      leds_o,       // high: lit
  output logic                 received_o,   // a character waits to be read
  output logic [Generated-1:0] irq_o,        // of the interrupt generator
  output logic                 marker_o      // changes with every store to a marker
);
  localparam int unsigned LineW = (Generated > 1) ? $clog2(Generated) : 1;

  logic [31:0] cycle_q;
  logic [14:0] addr;
  logic        console, exits, received, lost, leds, buttons, marker, generates, counter;
  logic [15:0] lost_sent, lost_received_q;
  logic        exited, store;
  logic [31:0] code;

  assign addr      = host_a_i.addr;
  assign store     = host_a_i.req && host_a_i.we;
  assign console   = addr[14:2] == 13'h800;
  assign exits     = addr[14:2] == 13'h801;
  assign received  = addr[14:2] == 13'h802;
  assign lost      = addr[14:2] == 13'h803;
  assign leds      = addr[14:2] == 13'h804;
  assign buttons   = addr[14:2] == 13'h805;
  assign marker    = addr[14:12] == 3'd2 && addr[11:8] != 4'd0;
  assign generates = addr[14:10] == 5'b011_00 && addr[3:2] == 2'd0 && 32'(addr[9:4]) < Generated;
  assign counter   = addr[14:2] == 13'h1000;

  mel_console #(
    .ClocksPerBit(ClocksPerBit)
  ) u_console (
    .clk_i,
    .rst_ni,
    .push_i  (store && console),
    .data_i  (host_a_i.wdata[7:0]),
    .exit_i  (store && exits),
    .code_i  (host_a_i.wdata),
    .exited_o(exited),
    .code_o  (code),
    .lost_o  (lost_sent),
    .tx_o
  );

  logic       came, dropped, there, take, none;
  logic [7:0] character, oldest;
  mel_uart_rx #(
    .ClocksPerBit(ClocksPerBit)
  ) u_uart_rx (
    .clk_i,
    .rst_ni,
    .rx_i,
    .valid_o(came),
    .data_o (character)
  );

  mel_fifo u_fifo (
    .clk_i,
    .rst_ni,
    .push_i   (came),
    .data_i   (character),
    .dropped_o(dropped),
    .empty_o  (none),
    .valid_o  (there),
    .head_o   (oldest),
    .pop_i    (take)
  );
  assign take       = host_a_i.req && !host_a_i.we && received && there;
  assign received_o = !none;

  // LEDs: those of the program, until it ends; then the highest is lit, and the others show the low bits of the exit code.
  logic [Leds-1:0] leds_q;
  assign leds_o = exited ? {1'b1, code[Leds-2:0]} : leds_q;

  for (genvar i = 0; i < Generated; i++) begin : gen_line
    logic [31:0] left_q;
    logic        runs_q, pulse_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        left_q  <= '0;
        runs_q  <= 1'b0;
        pulse_q <= 1'b0;
      end else begin
        pulse_q <= runs_q && left_q == '0 && !pulse_q;  // two pulses have a low cycle between them
        if (runs_q && left_q != '0) left_q <= left_q - 32'd1;
        if (runs_q && left_q == '0 && !pulse_q) runs_q <= 1'b0;
        if (store && generates && addr[4+:LineW] == LineW'(i)) begin
          left_q <= host_a_i.wdata;
          runs_q <= 1'b1;
        end
      end
    end
    assign irq_o[i] = pulse_q;
  end

  logic marker_q;
  assign marker_o = marker_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q         <= '0;
      lost_received_q <= '0;
      leds_q          <= '0;
      marker_q        <= 1'b0;
      host_r_o        <= '0;
    end else begin
      cycle_q <= cycle_q + 32'd1;
      if (dropped && lost_received_q != '1) lost_received_q <= lost_received_q + 16'd1;
      if (store && leds) leds_q <= host_a_i.wdata[Leds-1:0];
      if (store && marker) marker_q <= !marker_q;
      if (host_a_i.req) begin
        host_r_o.err   <= !(console || exits || received || lost || leds || buttons || marker || generates || counter);
        host_r_o.rdata <= '0;
        if (counter) host_r_o.rdata <= cycle_q;
        if (received) host_r_o.rdata <= there ? 32'(oldest) : '1;
        if (lost) host_r_o.rdata <= {lost_received_q, lost_sent};
        if (buttons) host_r_o.rdata <= 32'(buttons_i);
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^{addr[1:0], code};

  if (Leds < 2 || Leds > 32 || Buttons < 1 || Buttons > 32 || Generated < 1 || Generated > 64) begin : gen_sizes_check
    $error("mel_board_devices: Leds must be 2..32, Buttons 1..32, Generated 1..64");
  end
endmodule
