// SPDX-License-Identifier: Apache-2.0
// mel_trace_uart: a UART transmitter (8 data bits, no parity, one stop bit) that also sends the check of what it has sent.
// Contract: a byte is on the wire while `valid_i` is high, until the cycle with `ready_o`: `data_i`, or with `check_i` the next byte of the check, low byte
// first; all three hold until then. The check is a CRC-16 over all data bytes since the last one (polynomial 0x1021, bits and result reflected, from 0xFFFF
// on, not inverted): sending its two bytes makes it all ones again, so no register remembers where a block began.
// Timing: bits change at multiples of ClocksPerBit. A byte takes 10 of them and waits for the first.
module mel_trace_uart #(
  parameter int unsigned ClocksPerBit = 40  // 2..2047
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic       check_i,
  input  logic [7:0] data_i,
  output logic       tx_o
);
  localparam int unsigned DivW = (ClocksPerBit < 16) ? 4 : $clog2(ClocksPerBit + 1);

  localparam logic [DivW-1:0] Taps = DivW'(mel_trace_pkg::Taps[DivW]);

  logic [DivW-1:0] timer_q;   // of a bit, mel_trace_pkg
  logic [3:0]      bit_q;     // next on the wire: 0 the start bit, 8..15 data, 1 the stop bit
  logic [15:0]     crc_q;
  logic            tx_q, reset_q, boundary, sent, feedback;

  assign boundary = timer_q == DivW'(mel_trace_pkg::state_at(DivW, ClocksPerBit - 1));
  assign ready_o  = boundary && bit_q == 4'd1;
  assign sent     = check_i ? crc_q[0] : data_i[bit_q[2:0]];
  assign feedback = !check_i && (crc_q[0] ^ sent);
  assign tx_o     = tx_q;

  // Set by the clock alone: a flip-flop of an ECP5 has one kind of reset, the other would be logic in front of it.
  always_ff @(posedge clk_i) begin
    if (reset_q || boundary) timer_q <= DivW'(1);
    else timer_q <= {timer_q[DivW-2:0], ^(timer_q & Taps)};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reset_q <= 1'b1;
    else         reset_q <= 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bit_q <= '0;
      crc_q <= '1;
      tx_q  <= 1'b1;
    end else if (boundary) begin
      tx_q <= bit_q[3] ? sent : bit_q[0] || !valid_i;
      if (bit_q[3]) begin
        bit_q <= {bit_q[2:0] != '1, bit_q[2:0] + 3'd1} | {3'd0, bit_q[2:0] == '1};
        crc_q <= {check_i || feedback, crc_q[15:12], crc_q[11] ^ feedback, crc_q[10:5], crc_q[4] ^ feedback, crc_q[3:1]};
      end else begin
        bit_q <= {valid_i && !bit_q[0], 3'd0};
      end
    end
  end

  if (ClocksPerBit < 2 || ClocksPerBit > 2047) begin : gen_clocks_check
    $error("mel_trace_uart: ClocksPerBit must be 2..2047");
  end
endmodule
