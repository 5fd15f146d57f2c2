// SPDX-License-Identifier: Apache-2.0
// mel_traffic_check: the receiving half of the traffic generator: compares each word of a reply with what it must be, sums up its checksums, and finds the
// frame that it answers by the number in its payload.
// Contract: of the frames for the generator exactly one of `good_o` and `bad_o` comes with the last byte; `other_o` with that of any other frame. A good reply
// answers the frame `number_o` of the current run; whether that frame expects one (still) is for the table to say.
// Timing: combinational from the last byte.
module mel_traffic_check
  import mel_traffic_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [1:0]  form_i,    // as of the frames that are answered
  input  logic [10:0] bytes_i,
  input  logic [7:0]  run_i,
  input  logic [7:0]  newest_i,  // frame that was sent last: the reply to an ARP request has no number
  input  wire_t       wire_i,

  output logic        good_o,
  output logic        bad_o,
  output logic        other_o,
  output logic [7:0]  number_o
);
  logic [11:0] byte_q;          // stops above every length
  logic [7:0]  high_q;
  logic [15:0] number_q, ip_sum_q, sum_q;
  logic        mine_q, wrong_q; // for the generator so far; with a difference so far
  logic [15:0] half, number, ip_sum, whole, length;
  logic [9:0]  place;
  logic [11:0] end_byte;        // behind the payload
  logic        arp, icmp, at_half, covered, matters, differs, mine, wrong, last, sums;
  logic [15:0] expected;

  assign arp      = form_i == FormArp;
  assign icmp     = form_i == FormIcmp;
  assign length   = 16'(bytes_i) + 16'd8;
  assign half     = {high_q, wire_i.data};
  assign place    = byte_q[10:1];
  assign at_half  = wire_i.valid && byte_q[0];
  assign end_byte = arp ? 12'd42 : 12'(bytes_i) + 12'd42;
  assign covered  = byte_q < end_byte;
  assign last     = wire_i.valid && wire_i.last;

  // The number of the answered frame is known with its place in the frame.
  assign number   = (place == 10'd21 || (icmp && place == 10'd20)) ? half : number_q;
  assign number_o = arp ? newest_i : number_q[7:0];

  function automatic logic [15:0] half_of(input logic [47:0] address, input logic [1:0] which);
    return 16'(address >> (16 * (2 - 32'(which))));
  endfunction

  always_comb begin
    matters  = covered;
    expected = payload(number, place - 10'd21);
    unique case (place)
      10'd0, 10'd1, 10'd2: expected = half_of(Generator, place[1:0]);
      10'd3, 10'd4, 10'd5: expected = half_of(Station, place[1:0] - 2'd3);
      10'd6:  expected = arp ? 16'h0806 : 16'h0800;
      10'd7:  expected = arp ? 16'h0001 : 16'h4500;
      10'd8:  expected = arp ? 16'h0800 : length + 16'd20;
      10'd9:  begin
        expected = 16'h0604;
        matters  = arp;
      end
      10'd10: expected = arp ? 16'h0002 : half & 16'h4000;  // not a fragment
      10'd11: expected = arp ? half_of(Station, 2'd0) : {half[15:8], icmp ? 8'd1 : 8'd17};
      10'd12: begin
        expected = half_of(Station, 2'd1);
        matters  = arp;
      end
      10'd13: expected = arp ? half_of(Station, 2'd2) : StationIp[31:16];
      10'd14: expected = arp ? StationIp[31:16] : StationIp[15:0];
      10'd15: expected = arp ? StationIp[15:0] : GeneratorIp[31:16];
      10'd16: expected = arp ? half_of(Generator, 2'd0) : GeneratorIp[15:0];
      10'd17: expected = arp ? half_of(Generator, 2'd1) : icmp ? '0 : EchoPort;
      10'd18: begin
        expected = arp ? half_of(Generator, 2'd2) : OwnPort;
        matters  = !icmp;
      end
      10'd19: expected = arp ? GeneratorIp[31:16] : icmp ? EchoId : length;
      10'd20: begin
        expected = arp ? GeneratorIp[15:0] : number;
        matters  = arp || icmp || half == '0;                // a UDP checksum that is none
        if (!arp && !icmp) expected = 16'd1;
      end
      default: ;
    endcase
  end

  assign differs = at_half && matters && half != expected;
  assign mine    = (byte_q == '0 || mine_q) && !(differs && place < 10'd3);
  assign wrong   = (byte_q != '0 && wrong_q) || differs;

  // Sums in one's complement: of the IP header, and of all behind it with the pseudo header of UDP.
  always_comb begin
    ip_sum = (byte_q == '0) ? '0 : ip_sum_q;
    if (at_half && place >= 10'd7 && place <= 10'd16) ip_sum = sum(ip_sum, half);
    whole = (byte_q == '0) ? '0 : sum_q;
    if (at_half && place == 10'd16 && !icmp) begin
      whole = sum(16'd17, length);
      whole = sum(whole, sum(StationIp[31:16], StationIp[15:0]));
      whole = sum(whole, sum(GeneratorIp[31:16], GeneratorIp[15:0]));
    end else if (at_half && place >= 10'd17 && covered) begin
      whole = sum(whole, half);
    end
  end

  assign sums    = arp || (ip_sum == 16'hFFFF && whole == 16'hFFFF);
  assign good_o  = last && mine && !wrong && sums && (arp || number_q[15:8] == run_i) &&
                   byte_q + 12'd1 == ((end_byte < 12'(LeastBytes)) ? 12'(LeastBytes) : end_byte);
  assign bad_o   = last && mine && !good_o;
  assign other_o = last && !mine;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      byte_q   <= '0;
      high_q   <= '0;
      number_q <= '0;
      ip_sum_q <= '0;
      sum_q    <= '0;
      mine_q   <= 1'b0;
      wrong_q  <= 1'b0;
    end else if (wire_i.valid) begin
      byte_q   <= wire_i.last ? '0 : (byte_q == 12'hFF0) ? byte_q : byte_q + 12'd1;
      high_q   <= wire_i.data;
      mine_q   <= mine;
      wrong_q  <= wrong;
      ip_sum_q <= ip_sum;
      sum_q    <= whole;
      if (at_half) number_q <= number;
    end
  end
endmodule
