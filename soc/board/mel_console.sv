// SPDX-License-Identifier: Apache-2.0
// mel_console: what a program prints, over a UART; behind it, once, the exit code as `exit 00000000` (hexadecimal) on a line of its own.
// Contract: `push_i` gives a character. The first `exit_i` counts, and the line comes when all characters before it are sent; characters behind it are dropped.
// Characters that found the queue full are lost and counted in `lost_o`, up to 65535.
module mel_console #(
  parameter int unsigned ClocksPerBit = 25
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        push_i,
  input  logic [7:0]  data_i,
  input  logic        exit_i,
  input  logic [31:0] code_i,
  output logic        exited_o,
  output logic [31:0] code_o,
  output logic [15:0] lost_o,
  output logic        tx_o
);
  localparam int unsigned Characters = 15;  // length of the line, both ends included
  localparam logic [8*6-1:0] Begin = "\nexit ";

  logic        dropped, empty, valid, pop, ready;
  logic [7:0]  head, character, digit;
  logic        exited_q, last;       // `last`: the queue is sent, the line is next
  logic [3:0]  at_q;                 // next character of the line
  logic [31:0] code_q;
  logic [3:0]  nibble;
  logic [15:0] lost_q;

  mel_fifo u_fifo (
    .clk_i,
    .rst_ni,
    .push_i   (push_i && !exited_q),
    .data_i,
    .dropped_o(dropped),
    .empty_o  (empty),
    .valid_o  (valid),
    .head_o   (head),
    .pop_i    (pop)
  );

  assign last   = exited_q && empty && !valid;
  assign pop    = valid && ready;
  assign nibble = code_q[4*(4'd13-at_q)+:4];
  assign digit  = (nibble < 4'd10) ? 8'h30 + 8'(nibble) : 8'h57 + 8'(nibble);
  always_comb begin
    character = digit;
    if (at_q < 4'd6) character = Begin[8*(4'd5-at_q)+:8];
    else if (at_q == 4'(Characters - 1)) character = 8'h0a;
  end

  mel_uart_tx #(
    .ClocksPerBit(ClocksPerBit)
  ) u_uart_tx (
    .clk_i,
    .rst_ni,
    .valid_i(valid || (last && at_q != 4'(Characters))),
    .ready_o(ready),
    .data_i (valid ? head : character),
    .tx_o
  );

  assign exited_o = exited_q;
  assign code_o   = code_q;
  assign lost_o   = lost_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      exited_q <= 1'b0;
      code_q   <= '0;
      at_q     <= '0;
      lost_q   <= '0;
    end else begin
      if (exit_i && !exited_q) begin
        exited_q <= 1'b1;
        code_q   <= code_i;
      end
      if (last && ready && at_q != 4'(Characters)) at_q <= at_q + 4'd1;
      if (dropped && lost_q != '1) lost_q <= lost_q + 16'd1;
    end
  end
endmodule
