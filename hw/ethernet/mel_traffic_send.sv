// SPDX-License-Identifier: Apache-2.0
// mel_traffic_send: the sending half of the traffic generator: numbered frames at a given period, some of them lost, out of order or with a wrong checksum,
// as a seed decides. The same settings give the same frames in the same cycles behind `start_i`.
// Contract: `start_i` only while not `busy_o`; `traffic_i` stays while it is. A frame's number is a place in the table of round trips, so `frames_i` is at
// most its size. `sent_o` is a pulse with the frame's last byte; its frame expects a reply if `opens_o`.
// Timing: a frame begins when its checksum is summed up, a half-word per cycle; then a byte in each ByteCycles cycles, and GapBytes of them between frames.
module mel_traffic_send
  import mel_traffic_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  traffic_t    traffic_i,
  input  logic        start_i,
  input  logic [8:0]  frames_i,
  input  logic        seed_write_i,
  input  logic [31:0] seed_i,
  output logic [31:0] seed_o,
  output logic        busy_o,
  output logic [7:0]  run_o,        // counts starts, so that a late reply to an earlier one is known
  output logic        sent_o,       // pulses
  output logic        dropped_o,
  output logic        opens_o,
  output logic [7:0]  number_o,

  output wire_t       wire_o
);
  typedef enum logic [1:0] {Idle, Draw, Sum, Send} state_e;

  state_e      state_q;
  logic [31:0] seed_q, draw, draw_next, wait_q;
  logic [8:0]  step_q, left_q;
  logic [7:0]  run_q, pause_q;
  logic [10:0] byte_q, frame_bytes;
  logic [9:0]  half_q;              // half-word that is summed up
  logic [15:0] sum_q, half, number;
  logic        swap_q, swap, corrupt_q, last;

  // xorshift32: two draws for each frame.
  function automatic logic [31:0] drawn(input logic [31:0] x);
    logic [31:0] y;
    y = x ^ (x << 13);
    y = y ^ (y >> 17);
    return y ^ (y << 5);
  endfunction

  assign draw      = drawn(seed_q);
  assign draw_next = drawn(draw);

  // Frames 2n and 2n + 1 change places; a last one that is alone cannot.
  assign swap   = step_q[0] ? swap_q : draw_next[15:0] < traffic_i.reorder && left_q != 9'd1;
  assign number = {run_q, step_q[7:0] ^ 8'(swap_q)};

  assign busy_o    = state_q != Idle;
  assign run_o     = run_q;
  assign seed_o    = seed_q;
  assign number_o  = number[7:0];
  assign opens_o   = traffic_i.defect == DefectNone && !corrupt_q;
  assign dropped_o = state_q == Draw && wait_q == '0 && draw[15:0] < traffic_i.loss;

  // ---- the frame ------------------------------------------------------------------------------------------------------

  logic        arp, icmp;
  logic [15:0] length, total, fragment, ip_sum, checksum;
  logic [31:0] target_ip;
  logic [47:0] target;

  assign arp       = traffic_i.form == FormArp;
  assign icmp      = traffic_i.form == FormIcmp;
  assign length    = 16'(traffic_i.bytes) + 16'd8;
  assign total     = length + 16'd20 + ((traffic_i.defect == DefectCut) ? 16'd64 : 16'd0);
  assign fragment  = (traffic_i.defect == DefectFragment) ? 16'h2000 : 16'd0;
  assign target    = (traffic_i.defect == DefectStation) ? Station ^ 48'h80 : Station;
  assign target_ip = (traffic_i.defect == DefectIp) ? StationIp ^ 32'h80 : StationIp;

  always_comb begin
    ip_sum = sum(16'h4500, total);
    ip_sum = sum(ip_sum, number);
    ip_sum = sum(ip_sum, fragment);
    ip_sum = sum(ip_sum, {8'd64, icmp ? 8'd1 : 8'd17});
    ip_sum = sum(ip_sum, GeneratorIp[31:16]);
    ip_sum = sum(ip_sum, GeneratorIp[15:0]);
    ip_sum = sum(ip_sum, target_ip[31:16]);
    ip_sum = sum(ip_sum, target_ip[15:0]);
    ip_sum = ~ip_sum;
    if (traffic_i.defect == DefectSum) ip_sum = ip_sum ^ 16'd2;
  end

  // A UDP checksum of 0 would say that there is none, so a wrong one is not made of 2.
  always_comb begin
    checksum = ~sum_q;
    if (!icmp && checksum == '0) checksum = 16'hFFFF;
    if (corrupt_q) checksum = checksum ^ ((checksum == 16'd2) ? 16'd1 : 16'd2);
  end

  function automatic logic [15:0] half_of(input logic [47:0] address, input logic [1:0] place);
    return 16'(address >> (16 * (2 - 32'(place))));
  endfunction

  // Half-word `place` of the frame: as sent, or as summed up (with checksum 0).
  function automatic logic [15:0] frame(input logic [9:0] place, input logic [15:0] check);
    unique case (place)
      10'd0, 10'd1, 10'd2: return arp ? 16'hFFFF : half_of(target, place[1:0]);
      10'd3, 10'd4, 10'd5: return half_of(Generator, place[1:0] - 2'd3);
      10'd6:  return arp ? 16'h0806 : 16'h0800;
      10'd7:  return arp ? 16'h0001 : 16'h4500;
      10'd8:  return arp ? 16'h0800 : total;
      10'd9:  return arp ? 16'h0604 : number;
      10'd10: return arp ? 16'h0001 : fragment;
      10'd11: return arp ? half_of(Generator, 2'd0) : {8'd64, icmp ? 8'd1 : 8'd17};
      10'd12: return arp ? half_of(Generator, 2'd1) : ip_sum;
      10'd13: return arp ? half_of(Generator, 2'd2) : GeneratorIp[31:16];
      10'd14: return arp ? GeneratorIp[31:16] : GeneratorIp[15:0];
      10'd15: return arp ? GeneratorIp[15:0] : target_ip[31:16];
      10'd16: return arp ? '0 : target_ip[15:0];
      10'd17: return arp ? '0 : icmp ? 16'h0800 : OwnPort;
      10'd18: return arp ? '0 : icmp ? check : EchoPort;
      10'd19: return arp ? target_ip[31:16] : icmp ? EchoId : length;
      10'd20: return arp ? target_ip[15:0] : icmp ? number : check;
      default: return arp ? '0 : payload(number, place - 10'd21);
    endcase
  endfunction

  assign frame_bytes = (traffic_i.defect == DefectShort) ? 11'd40 : (arp || traffic_i.bytes < 11'd18) ? 11'(LeastBytes) : traffic_i.bytes + 11'd42;

  // Behind the payload zeros fill a short frame.
  assign half = (!arp && byte_q >= traffic_i.bytes + 11'd42) ? '0 : frame(byte_q[10:1], checksum);
  assign last = byte_q == frame_bytes - 11'd1;
  assign wire_o = '{
    valid: state_q == Send && pause_q == '0,
    last:  state_q == Send && pause_q == '0 && last,
    data:  byte_q[0] ? half[7:0] : half[15:8]
  };
  assign sent_o = wire_o.last;

  // ---- the order of things --------------------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      seed_q    <= 32'd1;
      wait_q    <= '0;
      step_q    <= '0;
      left_q    <= '0;
      run_q     <= '0;
      pause_q   <= '0;
      byte_q    <= '0;
      half_q    <= '0;
      sum_q     <= '0;
      swap_q    <= 1'b0;
      corrupt_q <= 1'b0;
    end else begin
      if (wait_q != '0)  wait_q <= wait_q - 32'd1;
      if (pause_q != '0) pause_q <= pause_q - 8'd1;
      if (seed_write_i)  seed_q <= seed_i;
      unique case (state_q)
        Idle: if (start_i) begin
          state_q <= Draw;
          step_q  <= '0;
          left_q  <= frames_i;
          run_q   <= run_q + 8'd1;
          wait_q  <= '0;
        end
        Draw: if (wait_q == '0) begin
          seed_q    <= draw_next;
          swap_q    <= swap;
          corrupt_q <= draw[31:16] < traffic_i.corrupt && !arp;
          wait_q    <= (traffic_i.period == '0) ? '0 : traffic_i.period - 32'd1;
          half_q    <= 10'd17;
          sum_q     <= icmp ? '0 : pseudo();
          if (!dropped_o) begin
            state_q <= Sum;
          end else begin
            step_q <= step_q + 9'd1;
            left_q <= left_q - 9'd1;
            if (left_q == 9'd1) state_q <= Idle;
          end
        end
        Sum: begin
          sum_q  <= sum(sum_q, frame(half_q, '0));
          half_q <= half_q + 10'd1;
          byte_q <= '0;
          if (half_q >= 10'd20 + traffic_i.bytes[10:1]) state_q <= Send;
        end
        Send: if (pause_q == '0) begin
          byte_q  <= byte_q + 11'd1;
          pause_q <= 8'(last ? ByteCycles * (GapBytes + 1) - 1 : ByteCycles - 1);
          if (last) begin
            state_q <= (left_q == 9'd1) ? Idle : Draw;
            step_q  <= step_q + 9'd1;
            left_q  <= left_q - 9'd1;
          end
        end
      endcase
    end
  end

  // The pseudo header's share of a UDP checksum.
  function automatic logic [15:0] pseudo();
    logic [15:0] whole;
    whole = sum(GeneratorIp[31:16], GeneratorIp[15:0]);
    whole = sum(whole, sum(target_ip[31:16], target_ip[15:0]));
    return sum(whole, sum(16'd17, length));
  endfunction
endmodule
