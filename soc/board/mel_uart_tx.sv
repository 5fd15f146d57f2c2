// SPDX-License-Identifier: Apache-2.0
// mel_uart_tx: a UART transmitter (8 data bits, no parity, one stop bit).
// Contract: a character is taken in a cycle with `valid_i` and `ready_o`.
// Timing: a character takes 10 * ClocksPerBit cycles on the wire, and the next one follows without a gap.
module mel_uart_tx #(
  parameter int unsigned ClocksPerBit = 25  // 2..65535
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i,
  output logic       tx_o
);
  localparam int unsigned DivW = $clog2(ClocksPerBit);

  logic [DivW-1:0] count_q;
  logic [3:0]      bits_q;   // still to send, start and stop bit included
  logic [8:0]      shift_q;  // the next bits, the lowest on the wire

  assign ready_o = bits_q == '0;
  assign tx_o    = shift_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      bits_q  <= '0;
      shift_q <= '1;
    end else if (ready_o) begin
      if (valid_i) begin
        count_q <= DivW'(ClocksPerBit - 1);
        bits_q  <= 4'd10;
        shift_q <= {data_i, 1'b0};
      end
    end else if (count_q != '0) begin
      count_q <= count_q - DivW'(1);
    end else begin
      count_q <= DivW'(ClocksPerBit - 1);
      bits_q  <= bits_q - 4'd1;
      shift_q <= {1'b1, shift_q[8:1]};
    end
  end

  if (ClocksPerBit < 2 || ClocksPerBit > 65535) begin : gen_clocks_check
    $error("mel_uart_tx: ClocksPerBit must be 2..65535");
  end
endmodule
