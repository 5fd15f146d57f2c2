// SPDX-License-Identifier: Apache-2.0
// Models of two cells of the ECP5, for netlists of boards (tests/board/netlist.py). What the netlist makers leave unused is not modelled.

// A block RAM (DP16KD) of 2048 × 9 bits without output registers; what port B reads has a reset, with or without `ce_b`. Widths 1, 2, 4, 9, 18; 36 for port A writing and port B reading.
// An address counts bits of 16384; with 18 bits the two lowest address bits are enables of bytes, with 36 the four lowest.
module cell_block_ram #(
  parameter int unsigned     WidthA = 18,
  parameter int unsigned     WidthB = 18,
  parameter int unsigned     ModeA  = 0,      // result of a read with a write; 0: unchanged, 1: the new word, 2: the old word
  parameter int unsigned     ModeB  = 0,
  parameter logic [18431:0]  Init   = '0
) (
  input  logic        clk_a,
  input  logic        ce_a,
  input  logic        we_a,
  input  logic [13:0] ad_a,
  input  logic [17:0] di_a,
  output logic [17:0] do_a,
  input  logic        clk_b,
  input  logic        ce_b,
  input  logic        we_b,
  input  logic        rst_b,
  input  logic [13:0] ad_b,
  input  logic [17:0] di_b,
  output logic [17:0] do_b
);
  logic [8:0] bytes[2048];
  initial begin
    for (int i = 0; i < 2048; i++) bytes[i] = Init[9*i+:9];
  end

  function automatic logic [35:0] at(int unsigned width, logic [13:0] ad);
    logic [8:0] whole;
    whole = bytes[ad[13:3]];
    case (width)
      1: return 36'(whole[ad[2:0]]);
      2: return 36'(whole[{ad[2:1], 1'b0}+:2]);
      4: return 36'(whole[{ad[2], 2'b00}+:4]);
      9: return 36'(whole);
      18: return 36'({bytes[{ad[13:4], 1'b1}], bytes[{ad[13:4], 1'b0}]});
      default: return {bytes[{ad[13:5], 2'd3}], bytes[{ad[13:5], 2'd2}], bytes[{ad[13:5], 2'd1}], bytes[{ad[13:5], 2'd0}]};
    endcase
  endfunction

  // The word behind a write of one port.
  function automatic logic [35:0] written(int unsigned width, logic [13:0] ad, logic [35:0] data);
    logic [35:0] word;
    word = data;
    if (width >= 18) begin
      word = at(width, ad);
      for (int i = 0; i < int'(width) / 9; i++) if (ad[i]) word[9*i+:9] = data[9*i+:9];
    end
    return word;
  endfunction

  logic [35:0] word_a, word_b;
  logic [35:0] data_a;
  assign data_a = {di_b, di_a};

  always @(posedge clk_a) begin
    if (ce_a) begin
      word_a = written(WidthA, ad_a, data_a);
      if (WidthA != 36 && (!we_a || ModeA != 0)) do_a <= 18'((we_a && ModeA == 1) ? word_a : at(WidthA, ad_a));
      if (we_a) begin
        case (WidthA)
          1: bytes[ad_a[13:3]][ad_a[2:0]] <= word_a[0];
          2: bytes[ad_a[13:3]][{ad_a[2:1], 1'b0}+:2] <= word_a[1:0];
          4: bytes[ad_a[13:3]][{ad_a[2], 2'b00}+:4] <= word_a[3:0];
          9: bytes[ad_a[13:3]] <= word_a[8:0];
          18: begin
            if (ad_a[0]) bytes[{ad_a[13:4], 1'b0}] <= word_a[8:0];
            if (ad_a[1]) bytes[{ad_a[13:4], 1'b1}] <= word_a[17:9];
          end
          default: begin
            for (int i = 0; i < 4; i++) if (ad_a[i]) bytes[{ad_a[13:5], 2'(i)}] <= word_a[9*i+:9];
          end
        endcase
      end
    end
  end

  logic [17:0] low_q;  // low half of a word of 36 bits
  always @(posedge clk_b) begin
    if (ce_b) begin
      word_b = written(WidthB, ad_b, 36'(di_b));
      if (WidthB == 36) {do_b, low_q} <= at(36, ad_b);
      else if (!we_b || ModeB != 0) do_b <= 18'((we_b && ModeB == 1) ? word_b : at(WidthB, ad_b));
      if (we_b) begin
        case (WidthB)
          1: bytes[ad_b[13:3]][ad_b[2:0]] <= word_b[0];
          2: bytes[ad_b[13:3]][{ad_b[2:1], 1'b0}+:2] <= word_b[1:0];
          4: bytes[ad_b[13:3]][{ad_b[2], 2'b00}+:4] <= word_b[3:0];
          9: bytes[ad_b[13:3]] <= word_b[8:0];
          18: begin
            if (ad_b[0]) bytes[{ad_b[13:4], 1'b0}] <= word_b[8:0];
            if (ad_b[1]) bytes[{ad_b[13:4], 1'b1}] <= word_b[17:9];
          end
          default: ;
        endcase
      end
    end
    if (rst_b) do_b <= '0;
  end

  if (WidthB == 36) begin : gen_wide
    assign do_a = low_q;
  end
endmodule

// A multiplier (MULT18X18D) without registers.
module cell_multiplier (
  input  logic [17:0] a,
  input  logic [17:0] b,
  input  logic        signed_a,
  input  logic        signed_b,
  output logic [35:0] p
);
  logic signed [18:0] wide_a, wide_b;
  assign wide_a = {signed_a && a[17], a};
  assign wide_b = {signed_b && b[17], b};
  assign p = 36'(wide_a * wide_b);
endmodule
