// SPDX-License-Identifier: Apache-2.0
// mel_uart_rx: a UART receiver (8 data bits, no parity, one stop bit).
// Contract: `rx_i` is synchronized. `valid_o` is high for one cycle per character with a stop bit; a frame without one is dropped.
// Timing: each bit is sampled once, in its middle.
module mel_uart_rx #(
  parameter int unsigned ClocksPerBit = 25  // 4..65535
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,
  output logic       valid_o,
  output logic [7:0] data_o
);
  localparam int unsigned DivW = $clog2(ClocksPerBit);

  logic [DivW-1:0] count_q;
  logic [3:0]      bits_q;   // samples to come: start bit, eight data bits, stop bit
  logic [7:0]      data_q;

  assign data_o = data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      bits_q  <= '0;
      data_q  <= '0;
      valid_o <= 1'b0;
    end else begin
      valid_o <= 1'b0;
      if (bits_q == '0) begin
        if (!rx_i) begin
          bits_q  <= 4'd10;
          count_q <= DivW'(ClocksPerBit / 2 - 1);
        end
      end else if (count_q != '0) begin
        count_q <= count_q - DivW'(1);
      end else begin
        count_q <= DivW'(ClocksPerBit - 1);
        bits_q  <= bits_q - 4'd1;
        if (bits_q == 4'd10) begin
          if (rx_i) bits_q <= '0;  // it was no start bit
        end else if (bits_q == 4'd1) begin
          valid_o <= rx_i;
        end else begin
          data_q <= {rx_i, data_q[7:1]};
        end
      end
    end
  end

  if (ClocksPerBit < 4 || ClocksPerBit > 65535) begin : gen_clocks_check
    $error("mel_uart_rx: ClocksPerBit must be 4..65535");
  end
endmodule
