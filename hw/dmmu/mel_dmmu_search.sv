// SPDX-License-Identifier: Apache-2.0
// mel_dmmu_search: first fit, the lowest run of so many set bits in a vector. It takes the binary digits of the length from the lowest on: `runs_q` has a bit
// where 2^j set bits begin, `fits_q` where as many begin as the digits so far say, and one. A digit puts a run of 2^j in front of each fit.
// A digit shifts by 2^j, which is a shift by one when the positions are sorted by their other digits first: after each digit the digits of all positions rotate
// by one, so that every digit uses the same wires, and after the last one all are in order again.
// Contract: `vector_i` and `more_i`, the length less one, are read with `start_i`; what is beyond the vector is not set.
// Timing: ceil(log2(Width) / 2) cycles, two digits in each; in the cycle behind them `done_o` is high beside the result. The same for any content.
// Needs: mel_first_set (hw/engine).
module mel_dmmu_search #(
  parameter int unsigned Width  = 256,  // 2..256
  localparam int unsigned Digits = $clog2(Width)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              start_i,   // a new search, also when one is under way
  input  logic [Width-1:0]  vector_i,
  input  logic [Digits-1:0] more_i,
  output logic              done_o,
  output logic              found_o,
  output logic [Digits-1:0] first_o
);
  localparam int unsigned Places = 2 ** Digits;
  localparam int unsigned Cycles = (Digits + 1) / 2;
  localparam int unsigned CycleW = $clog2(Cycles + 1);
  localparam bit          Odd    = Digits % 2 == 1;

  typedef logic [Places-1:0] places_t;

  // The digits of each position rotated by one: the lowest becomes the highest.
  function automatic places_t rotated(input places_t places);
    for (int unsigned place = 0; place < Places; place++) rotated[place >> 1 | (place & 1) << (Digits - 1)] = places[place];
  endfunction

  // The position 2^digit further, whose digits were rotated as often: the next one, but behind the last of each group.
  function automatic places_t further(input places_t places, input int unsigned digit);
    further = '0;
    for (int unsigned group = 1; group <= Places; group *= 2) begin
      for (int unsigned place = group - 1; place < Places - 1; place += 2 * group) begin
        if (digit + 32'($clog2(group)) < Digits) further[place] = places[place+1];
      end
    end
  endfunction

  places_t           runs_q, fits_q, runs_low, fits_low, runs_high, fits_high;
  logic [Digits:0]   rest_q;   // digits that are left, and a 0 beside an odd number of them
  logic [CycleW-1:0] cycle_q;
  logic              busy_q, last;
  int unsigned       digit;    // that of this cycle's first
  logic [7:0]        index;

  assign digit = 2 * 32'(cycle_q);
  assign last  = 32'(cycle_q) == Cycles - 1;

  assign runs_low  = rotated(runs_q & further(runs_q, digit));
  assign fits_low  = rotated(rest_q[0] ? runs_q & further(fits_q, digit) : fits_q);
  assign runs_high = rotated(runs_low & further(runs_low, digit + 1));
  assign fits_high = rotated(rest_q[1] ? runs_low & further(fits_low, digit + 1) : fits_low);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      cycle_q <= '0;
    end else if (start_i) begin
      busy_q  <= 1'b1;
      cycle_q <= '0;
    end else if (done_o) begin
      busy_q  <= 1'b0;
    end else if (busy_q) begin
      cycle_q <= cycle_q + CycleW'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      runs_q <= '0;
      fits_q <= '0;
      rest_q <= '0;
    end else if (start_i) begin
      runs_q <= Places'(vector_i);
      fits_q <= Places'(vector_i);
      rest_q <= {1'b0, more_i};
    end else if (busy_q && !done_o) begin
      runs_q <= runs_high;
      fits_q <= (Odd && last) ? fits_low : fits_high;
      rest_q <= rest_q >> 2;
    end
  end

  mel_first_set #(
    .Width(Places)
  ) u_first_set (
    .vector_i(fits_q),
    .valid_o (found_o),
    .index_o (index)
  );
  assign done_o  = busy_q && 32'(cycle_q) == Cycles;
  assign first_o = index[Digits-1:0];
endmodule
