// SPDX-License-Identifier: Apache-2.0
// mel_board_top: a system of one core on a board: PLL, reset, pins, and mel_top with the devices of a board.
// Contract: mel_board_pkg (made from boards/, melanion/board) says which pins there are, and mel_system_pkg the system. The build names MEL_BOARD: then the
// tiles hand the device region out instead of having the simulation's devices in it.
// Interrupt lines: lines of the generator from 0 on, those of the buttons and of the receiver as mel_board_pkg says.
// gpio_o, for an oscilloscope: bit 0 rises with an interrupt line and falls with the next store to a marker; bit 1 changes with every store to a marker.
// Timing: the reset ends 16 cycles of the cores after the lock of the PLL, in a register of the cores' clock (docs/decisions/0035).
module mel_board_top
  import mel_board_pkg::*;
  import mel_system_pkg::*;
  import mel_host_pkg::*;
(
  input  logic               clk_i,      // oscillator
  input  logic [Buttons-1:0] buttons_i,
  input  logic               uart_rx_i,
  output logic               uart_tx_o,
  output logic [Leds-1:0]    leds_o,
  output logic [1:0]         gpio_o,
  output logic [Fixed-1:0]   fixed_o     // pins that a board wants at a constant level
`ifdef MEL_BOARD_TRACE
  ,
  output logic               trace_tx_o  // the trace of the unit, soc/board/trace
`endif
);
  logic clk_fast, clk_slow, clk, locked;

  mel_pll #(
    .InputDivider   (PllInput),
    .FeedbackDivider(PllFeedback),
    .FastDivider    (PllFast),
    .SlowDivider    (PllSlow)
  ) u_pll (
    .clk_i,
    .clk_fast_o(clk_fast),
    .clk_slow_o(clk_slow),
    .locked_o  (locked)
  );

`ifdef MEL_UNIT_CLOCK_2
  assign clk = clk_slow;
`else
  assign clk = clk_fast;
  logic unused_clk;
  assign unused_clk = clk_slow;
`endif

  logic [14:0] reset_q;
  logic        rst_n;
  always_ff @(posedge clk or negedge locked) begin
    if (!locked) begin
      reset_q <= '0;
      rst_n   <= 1'b0;
    end else begin
      reset_q <= {reset_q[13:0], 1'b1};
      rst_n   <= reset_q[14];
    end
  end

  logic                 rx, received, marker;
  logic [Buttons-1:0]   buttons;
  logic [Leds-1:0]      leds;
  logic [63:0]          irq;
  logic [Generated-1:0] pulses;
  host_a_t              host_a;
  host_r_t              host_r;

  for (genvar i = 0; i < Buttons; i++) begin : gen_button
    mel_input #(
      .SampleBits(ButtonSampleBits),
      .ActiveHigh(ButtonsHigh[i])
    ) u_input (
      .clk_i  (clk),
      .rst_ni (rst_n),
      .pin_i  (buttons_i[i]),
      .value_o(buttons[i])
    );
  end

  mel_input #(
    .Idle(1'b1)
  ) u_input_rx (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .pin_i  (uart_rx_i),
    .value_o(rx)
  );

  always_comb begin
    irq = 64'(pulses);
    for (int unsigned i = 0; i < Buttons; i++) begin
      if (ButtonLines[i] < 64) irq[ButtonLines[i][5:0]] = buttons[i];
    end
    if (ReceiverLine < 64) irq[ReceiverLine[5:0]] = received;
  end

`ifdef MEL_BOARD_TRACE
  mel_pkg::trace_t trace_tick, trace_step, trace_answer;
  logic            access, hold;

  mel_trace #(
    .ClocksPerBit(TraceClocksPerBit),
    .Depth       (TraceDepth),
    .Hash        (ParameterHash),
    .Lossless    (TraceLossless)
  ) u_trace (
    .clk_i     (clk_fast),
    .clk_core_i(clk),
    .rst_ni    (rst_n),
    .tick_i    (trace_tick),
    .step_i    (trace_step),
    .answer_i  (trace_answer),
    .access_i  (access),
    .hold_o    (hold),
    .tx_o      (trace_tx_o)
  );
`endif

  mel_top u_top (
    .clk_i              (clk),
`ifdef MEL_UNIT_CLOCK_2
    .clk_unit_i         (clk_fast),
`endif
    .rst_ni             (rst_n),
    .instr_wait_states_i('0),
    .data_wait_states_i ('0),
    .unit_wait_states_i ('0),
    .bridge_read_i      ('0),
    .bridge_write_i     ('0),
    .irq_i              (irq),
    .host_a_o           (host_a),
    .host_r_i           (host_r)
`ifdef MEL_BOARD_TRACE
    ,
    .trace_tick_o       (trace_tick),
    .trace_step_o       (trace_step),
    .trace_answer_o     (trace_answer),
    .access_o           (access),
    .hold_i             (hold)
`endif
  );

  mel_board_devices #(
    .ClocksPerBit(ClocksPerBit),
    .Leds        (Leds),
    .Buttons     (Buttons),
    .Generated   (Generated)
  ) u_board_devices (
    .clk_i     (clk),
    .rst_ni    (rst_n),
    .host_a_i  (host_a),
    .host_r_o  (host_r),
    .rx_i      (rx),
    .tx_o      (uart_tx_o),
    .buttons_i (buttons),
    .leds_o    (leds),
    .received_o(received),
    .irq_o     (pulses),
    .marker_o  (marker)
  );
  assign leds_o  = LedsHigh ? leds : ~leds;
  assign fixed_o = FixedLevels;

  logic interrupt_q, marker_q;
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      interrupt_q <= 1'b0;
      marker_q    <= 1'b0;
    end else begin
      marker_q    <= marker;
      interrupt_q <= |irq || (interrupt_q && marker == marker_q);
    end
  end
  assign gpio_o = {marker_q, interrupt_q};

  if (Cores != 1) begin : gen_cores_check
    $error("mel_board_top: the devices of a board serve one core");
  end
endmodule
