// SPDX-License-Identifier: Apache-2.0
// mel_ethernet_receive: the receive side of the MAC: a ring of slots for frames that are for this station or for all.
// Contract: the oldest frame is `length_o` bytes long (0: there is none) and begins at byte 2 of its slot. `release_i` only with a frame. A frame that
// begins while all slots are taken is lost, even if one is released meanwhile; at most one of the counts' pulses comes with its last byte.
// Timing: `rdata_o` is the word of `word_i` in the cycle before; a frame is there in the cycle after its last byte.
module mel_ethernet_receive
  import mel_traffic_pkg::*;
#(
  parameter int unsigned Slots = 4,    // 2..16
  parameter int unsigned Words = 384   // words of a slot, 32..384
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  wire_t       wire_i,
  output logic        accepted_o,  // pulses
  output logic        lost_o,
  output logic        foreign_o,
  output logic        malformed_o,

  input  logic [8:0]  word_i,
  output logic [31:0] rdata_o,
  output logic [10:0] length_o,
  input  logic        release_i
);
  localparam int unsigned SlotW = $clog2(Slots);
  localparam int unsigned Depth = Slots * Words;
  localparam int unsigned DepthW = $clog2(Depth);

  logic [31:0]       memory_q [Depth];
  logic [Slots-1:0][10:0] length_q;
  logic [SlotW-1:0]  head_q, tail_q;    // slot that is filled; oldest frame
  logic [SlotW:0]    count_q;
  logic [11:0]       bytes_q;           // bytes of the frame before this one; stops above every length
  logic [23:0]       before_q;          // bytes of the word that is not whole yet
  logic              full_q, own_q, all_q;
  logic              full, own, all, last, right, write;
  logic [11:0]       place;             // byte in the slot
  logic [31:0]       word;
  logic [7:0]        expected;          // byte of the address

  function automatic logic [SlotW-1:0] after(input logic [SlotW-1:0] slot);
    return (32'(slot) == Slots - 1) ? '0 : slot + SlotW'(1);
  endfunction

  assign place    = bytes_q + 12'd2;
  assign expected = (bytes_q < 12'd6) ? 8'(Station >> (8 * (5 - 32'(bytes_q[2:0])))) : '0;

  // A decision that the first bytes make counts from its own byte on.
  assign full = (bytes_q == '0) ? 32'(count_q) == Slots : full_q;
  assign own  = (bytes_q == '0 || own_q) && (bytes_q >= 12'd6 || wire_i.data == expected);
  assign all  = (bytes_q == '0 || all_q) && (bytes_q >= 12'd6 || wire_i.data == 8'hFF);
  assign last = wire_i.valid && wire_i.last;
  assign right = 32'(bytes_q) >= LeastBytes - 1 && 32'(bytes_q) < MostBytes && 32'(place) < 4 * Words;

  assign malformed_o = last && !right;
  assign foreign_o   = last && right && !own && !all;
  assign lost_o      = last && right && (own || all) && full;
  assign accepted_o  = last && right && (own || all) && !full;

  // Words are little-endian; one is written with its last byte, or with the frame's.
  assign write = wire_i.valid && !full && (wire_i.last || place[1:0] == 2'd3) && 32'(place) < 4 * Words;
  always_comb begin
    unique case (place[1:0])
      2'd0:    word = {24'd0, wire_i.data};
      2'd1:    word = {16'd0, wire_i.data, before_q[7:0]};
      2'd2:    word = {8'd0, wire_i.data, before_q[15:0]};
      default: word = {wire_i.data, before_q};
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (write) memory_q[DepthW'(32'(head_q) * Words + 32'(place[11:2]))] <= word;
    rdata_o <= memory_q[DepthW'(32'(tail_q) * Words + 32'(word_i))];
  end

  assign length_o = (count_q == '0) ? '0 : length_q[tail_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q   <= '0;
      tail_q   <= '0;
      count_q  <= '0;
      bytes_q  <= '0;
      before_q <= '0;
      full_q   <= 1'b0;
      own_q    <= 1'b0;
      all_q    <= 1'b0;
      length_q <= '0;
    end else begin
      if (wire_i.valid) begin
        bytes_q <= wire_i.last ? '0 : (bytes_q == 12'hFF0) ? bytes_q : bytes_q + 12'd1;
        full_q  <= full;
        own_q   <= own;
        all_q   <= all;
        unique case (place[1:0])
          2'd0:    before_q <= {16'd0, wire_i.data};
          2'd1:    before_q <= {8'd0, wire_i.data, before_q[7:0]};
          2'd2:    before_q <= {wire_i.data, before_q[15:0]};
          default: before_q <= '0;
        endcase
        if (wire_i.last) before_q <= '0;
      end
      if (accepted_o) begin
        length_q[head_q] <= bytes_q[10:0] + 11'd1;
        head_q           <= after(head_q);
      end
      if (release_i) tail_q <= after(tail_q);
      count_q <= count_q + (SlotW + 1)'(accepted_o) - (SlotW + 1)'(release_i);
    end
  end
endmodule
