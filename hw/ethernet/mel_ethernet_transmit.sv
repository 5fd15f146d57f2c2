// SPDX-License-Identifier: Apache-2.0
// mel_ethernet_transmit: the transmit side of the MAC: two slots, of which one is filled while the other goes out.
// Contract: `write_i` and `send_i` only with `room_o` above 0; `bytes_i` of a frame are 14 … 1514, and fit into a slot behind its first two bytes. A frame
// shorter than 60 bytes is followed by zeros.
// Timing: a byte in each ByteCycles cycles; between two frames GapBytes of them. A slot is free in the cycle after its last byte.
module mel_ethernet_transmit
  import mel_traffic_pkg::*;
#(
  parameter int unsigned Words = 384   // words of a slot, 32..384
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        write_i,
  input  logic [8:0]  word_i,
  input  logic [31:0] wdata_i,
  input  logic        send_i,
  input  logic [10:0] bytes_i,
  output logic [1:0]  room_o,

  output wire_t       wire_o
);
  localparam int unsigned DepthW  = $clog2(2 * Words);
  localparam int unsigned PauseW  = $clog2(ByteCycles * (GapBytes + 1));

  logic [31:0]       memory_q [2 * Words];
  logic [31:0]       word_q;
  logic [1:0][10:0]  length_q;
  logic              head_q, tail_q;   // slot that is filled; that goes out
  logic [1:0]        count_q;
  logic [10:0]       byte_q;           // next byte of the frame
  logic [PauseW-1:0] pause_q;          // cycles until it goes out
  logic [11:0]       place;            // its byte in the slot
  logic              goes, last;

  assign place  = {1'b0, byte_q} + 12'd2;
  assign room_o = 2'd2 - count_q;
  assign goes   = count_q != '0 && pause_q == '0;
  assign last   = byte_q >= length_q[tail_q] - 11'd1 && 32'(byte_q) >= LeastBytes - 1;

  assign wire_o = '{
    valid: goes,
    last:  goes && last,
    data:  (goes && byte_q < length_q[tail_q]) ? 8'(word_q >> (8 * 32'(place[1:0]))) : '0
  };

  // The word is read while the byte's time passes.
  always_ff @(posedge clk_i) begin
    if (write_i) memory_q[DepthW'(32'(head_q) * Words + 32'(word_i))] <= wdata_i;
    word_q <= memory_q[DepthW'(32'(tail_q) * Words + 32'(place[11:2]))];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      length_q <= '0;
      head_q   <= 1'b0;
      tail_q   <= 1'b0;
      count_q  <= '0;
      byte_q   <= '0;
      pause_q  <= PauseW'(ByteCycles);
    end else begin
      if (send_i) begin
        length_q[head_q] <= bytes_i;
        head_q           <= !head_q;
      end
      count_q <= count_q + 2'(send_i) - 2'(wire_o.last);
      if (goes) begin
        byte_q  <= last ? '0 : byte_q + 11'd1;
        pause_q <= PauseW'(last ? ByteCycles * (GapBytes + 1) - 1 : ByteCycles - 1);
        if (last) tail_q <= !tail_q;
      end else if (pause_q != '0) begin
        pause_q <= pause_q - PauseW'(1);
      end
    end
  end
endmodule
