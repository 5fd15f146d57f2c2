// SPDX-License-Identifier: Apache-2.0
// mel_trace: the trace port of the unit, out of a UART of its own, and what holds the cores while its queue is nearly full.
// Contract: `clk_i` is that of the unit, `clk_core_i` that of the cores (docs/decisions/0035). `hold_o` keeps an access from the unit; `access_i` is high
// in each cycle of the cores in which one is granted. Held are accesses alone: ticks, timeouts and interrupts go on, and have the last quarter of the queue.
// Timing: with Lossless, while three quarters of the queue are full, one access is granted for every two entries that are sent: so it empties, also when
// other records come. An access that waits for 65 536 cycles of the cores is a bus error (mel_bus): two entries must be sent in less.
module mel_trace #(
  parameter int unsigned ClocksPerBit = 40,
  parameter int unsigned Depth        = 512,
  parameter logic [31:0] Hash         = '0,
  parameter bit          Lossless     = 1'b1
) (
  input  logic            clk_i,
  input  logic            clk_core_i,
  input  logic            rst_ni,
  input  mel_pkg::trace_t tick_i,
  input  mel_pkg::trace_t step_i,
  input  mel_pkg::trace_t answer_i,
  input  logic            access_i,
  output logic            hold_o,
  output logic            tx_o
);
  logic       near_full, taken, valid, ready, check;
  logic [7:0] data;

  mel_trace_pack #(
    .Depth   (Depth),
    .Hash    (Hash),
    .Lossless(Lossless)
  ) u_trace_pack (
    .clk_i,
    .rst_ni,
    .tick_i,
    .step_i,
    .answer_i,
    .near_full_o(near_full),
    .taken_o    (taken),
    .valid_o    (valid),
    .ready_i    (ready),
    .check_o    (check),
    .byte_o     (data)
  );

  mel_trace_uart #(
    .ClocksPerBit(ClocksPerBit)
  ) u_trace_uart (
    .clk_i,
    .rst_ni,
    .valid_i(valid),
    .ready_o(ready),
    .check_i(check),
    .data_i (data),
    .tx_o
  );

  if (Lossless) begin : gen_hold
    logic near_full_q, taken_q, may_q;  // `may_q`: two entries were sent since the last access
    always_ff @(posedge clk_core_i or negedge rst_ni) begin
      if (!rst_ni) begin
        near_full_q <= 1'b0;
        taken_q     <= 1'b0;
        may_q       <= 1'b0;
      end else begin
        near_full_q <= near_full;
        taken_q     <= taken;
        if (taken && !taken_q) may_q <= 1'b1;
        else if (access_i) may_q <= 1'b0;
      end
    end
    assign hold_o = near_full_q && !may_q;
  end else begin : gen_no_hold
    assign hold_o = 1'b0;
    logic unused_hold;
    assign unused_hold = ^{clk_core_i, near_full, taken, access_i};
  end
endmodule
