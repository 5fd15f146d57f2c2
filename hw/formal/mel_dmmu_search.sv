// SPDX-License-Identifier: Apache-2.0
// Proof of mel_dmmu_search, for any vector, any length and any time of a start. A place and a bit of a run are chosen freely, and stay: what holds for them holds
// for all. A run that was found has no bit that is not set, and none beyond the vector (a_whole, a_inside); if all bits from the chosen place on are set, as many as
// asked for, then a run was found, there or lower (a_lowest); and the answer comes in exactly Cycles cycles behind the start (a_cycles). By induction over
// more cycles than a search has.
module mel_dmmu_search_proof #(
  parameter int unsigned Width   = 16,
  localparam int unsigned Digits = $clog2(Width),
  localparam int unsigned Cycles = (Digits + 1) / 2
) (
  input logic              clk_i,
  input logic              start_i,
  input logic [Width-1:0]  vector_i,
  input logic [Digits-1:0] more_i,
  input logic [Digits-1:0] place_i,
  input logic [Digits-1:0] bit_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic              done, found;
  logic [Digits-1:0] first;

  mel_dmmu_search #(
    .Width(Width)
  ) u_search (
    .clk_i,
    .rst_ni  (started_q),
    .start_i (start_i && started_q),
    .vector_i,
    .more_i,
    .done_o  (done),
    .found_o (found),
    .first_o (first)
  );

  // The search that is under way, and the cycles since its start.
  logic              active_q;
  logic [7:0]        cycles_q;
  logic [Width-1:0]  vector_q;
  logic [Digits-1:0] more_q, place_q, bit_q;

  always_ff @(posedge clk_i) begin
    if (!started_q)   active_q <= 1'b0;
    else if (start_i) active_q <= 1'b1;
    else if (done)    active_q <= 1'b0;
    cycles_q <= start_i ? '0 : cycles_q + 8'd1;
    if (start_i) begin
      vector_q <= vector_i;
      more_q   <= more_i;
      place_q  <= place_i;
      bit_q    <= bit_i;
    end
  end

  logic             fits;  // a run as long as asked for begins at the chosen place
  logic [Width-1:0] run;
  always_comb begin
    for (int unsigned i = 0; i < Width; i++) run[i] = i >= 32'(place_q) && i <= 32'(place_q) + 32'(more_q);
    fits = (run & ~vector_q) == '0 && 32'(place_q) + 32'(more_q) < Width;
  end

  always_comb begin
    h_active: assert (!started_q || u_search.busy_q == active_q);
    h_cycle:  assert (!started_q || !active_q || (32'(cycles_q) <= Cycles && 32'(u_search.cycle_q) == 32'(cycles_q)));

    a_cycles: assert (!started_q || done == (active_q && 32'(cycles_q) == Cycles));
    a_inside: assert (!started_q || !done || !found || 32'(first) + 32'(more_q) < Width);
    a_whole:  assert (!started_q || !done || !found || bit_q > more_q || (32'(first) + 32'(bit_q) < Width && |(vector_q & (Width'(1) << (32'(first) + 32'(bit_q))))));
    a_lowest: assert (!started_q || !done || !fits || (found && first <= place_q));
    c_found:  cover (started_q && done && found && first != '0 && 32'(more_q) > 2);
    c_none:   cover (started_q && done && !found && vector_q != '0);
  end
endmodule
