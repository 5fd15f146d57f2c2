// SPDX-License-Identifier: Apache-2.0
// Proof of mel_interrupts against a reference that keeps sets of lines and a place in the round: unbounded, for any edges and operations.
// Promised:
//   an edge of an enabled line is owed until the line is taken or disabled; `lost_o` is the number of edges that came to owed lines 3 cycles ago
//   the requested line is the lowest owed one that is not held, from the place of the round on; a round goes upwards, and begins anew when no owed line is left in it
//   while an edge waits whose line is not held, no other line is taken twice: for any two lines, which are free
//   a request comes 2 cycles behind an edge that is alone; behind an operation none in cycles 1 and 2, behind a disable or a take none in cycle 3
//   handlers are offered what was offered, neither claimed nor disabled since, the lowest first, in cycle 3 behind an operation; `first_offered_o`
//     says in the next cycle whether `first_o` was offered
// Method: induction over one cycle, which holds because the sets of the module are those of the reference (agreed).
// FromReset = 0: from any state in which the two agree; then a mutant is caught in few cycles.
// Small instances: lines are handled alike for any number; with more than 48, lost edges are counted in two halves (task halves).
// Needs: m_number (mel_engine refuses other numbers with E_ID); m_apart and m_take, which simulations of the unit check (a_alone,
// a_take_first of the module): mel_engine keeps the line that it chose at a request until the word that takes it; m_hold, m_choose: job walk is
// begun by a step of several words that serves no line, or has taken it (a_held_waits of mel_unit).
module mel_interrupts_proof #(
  parameter int unsigned Interrupts = 8,
  parameter int unsigned Timers     = 2,
  parameter bit          FromReset  = 1'b1,
  parameter bit          Hints      = 1'b1,  // also what holds the induction; 0: the promises alone
  localparam int unsigned IrqW      = (Interrupts > 0) ? Interrupts : 1
) (
  input logic            clk_i,
  input logic [IrqW-1:0] irq_i,
  input logic [16:0]     expired_i,
  input logic            hold_i,
  input logic [2:0]      op_i,
  input logic [6:0]      number_i,
  input logic            held_i,
  input logic            choose_i          // the engine serves the request
);
  localparam int unsigned Lines = Interrupts + Timers;
  localparam logic [2:0] None = 3'd0, Enable = 3'd1, Disable = 3'd2, Raise = 3'd3, Take = 3'd4, Offer = 3'd5, Claim = 3'd6, Hold = 3'd7;
  typedef logic [Lines-1:0] lines_t;
  typedef logic [7:0]       place_t;   // a line, or one behind the last
  typedef struct packed { logic valid; place_t line; } found_t;

  logic rst_n = !FromReset;   // low for one cycle
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       pending, first_offered, offered;
  logic [6:0] first, offered_first, lost;

  mel_interrupts #(.Interrupts(Interrupts), .Timers(Timers)) u_interrupts (
    .clk_i, .rst_ni (rst_n), .irq_i, .expired_i, .hold_i, .op_i, .number_i, .held_i, .pending_o (pending), .first_o (first), .first_offered_o (first_offered),
    .offered_o (offered), .offered_first_o (offered_first), .lost_o (lost)
  );

  // ---- reference ------------------------------------------------------------------------------------------------------

  // None follows at once, but for the offer of a line that is taken.
  function automatic logic apart(logic [2:0] op);
    return op == Disable || op == Take;
  endfunction

  // The lowest line of a set from a place on.
  function automatic found_t lowest(lines_t lines, place_t from);
    lowest = '0;
    for (int unsigned l = Lines; l > 0; l--) if (lines[l-1] && place_t'(l-1) >= from) lowest = '{valid: 1'b1, line: place_t'(l-1)};
  endfunction

  // Number of lines of a set; the first 48 apart, because a proof that sums in another order takes long.
  function automatic logic [6:0] count(lines_t lines);
    logic [6:0] first_half, second_half;
    first_half  = '0;
    second_half = '0;
    for (int unsigned l = 0; l < Lines; l++) begin
      if (l < 48) first_half  += 7'(lines[l]);
      else        second_half += 7'(lines[l]);
    end
    return first_half + second_half;
  endfunction

  // Turn of a line in a round that has reached a place.
  function automatic place_t turn(place_t line, place_t from);
    return (line >= from) ? line : line + place_t'(Lines);
  endfunction

  logic [2:0] op_q, op_2_q, op_3_q;   // operations one, two and three cycles ago
  logic [6:0] number_q;
  logic       mark_q;
  lines_t     level_q, enabled_q, owed_q, offered_q, late_q;   // late: came in the cycle of its disable
  lines_t     holds_q, wanted;                       // lines that are held; those that wait and are not, in cycles of `hold_i`
  lines_t     now, named, edges, leaves, again;
  place_t     round_q;                                // the place that the round has reached
  found_t     next, next_q, handler, handler_q;
  logic [6:0] again_count, lost_1_q, lost_2_q, lost_3_q;
  logic       first_offered_q, first_known_q;

  if (Interrupts == 0) begin : gen_timers
    assign now = expired_i[Lines-1:0];
  end else begin : gen_lines
    assign now = {expired_i[Timers-1:0], irq_i};
  end

  always_comb begin
    for (int unsigned l = 0; l < Lines; l++) begin
      named[l]  = op_q != None && number_q == 7'(l);
      leaves[l] = named[l] && (op_q == Take || op_q == Disable);
      edges[l]  = enabled_q[l] && ((now[l] && (l >= Interrupts || !level_q[l])) || (named[l] && op_q == Raise));
      again[l]  = edges[l] && owed_q[l] && !leaves[l];
    end
    again_count = count(again);
  end
  assign wanted  = owed_q & ~(holds_q & {Lines{hold_i}});
  assign next    = lowest(wanted, round_q);
  assign handler = lowest(offered_q, '0);

  always_ff @(posedge clk_i) begin
    if (op_i != None) {number_q, mark_q} <= {number_i, held_i};
    first_offered_q <= |((offered_q >> first) & lines_t'(1));
    if (!rst_n) begin
      {op_q, op_2_q, op_3_q}                           <= '0;
      {level_q, enabled_q, owed_q, offered_q, late_q, holds_q} <= '0;
      {round_q, next_q, handler_q, first_known_q}      <= '0;
      {lost_1_q, lost_2_q, lost_3_q}                   <= '0;
    end else begin
      op_q      <= op_i;
      op_2_q    <= op_q;
      op_3_q    <= op_2_q;
      level_q   <= now;
      lost_1_q  <= again_count;
      lost_2_q  <= lost_1_q;
      lost_3_q  <= lost_2_q;
      next_q    <= next;
      handler_q <= handler;
      late_q    <= (op_q == Disable) ? edges & named : '0;
      owed_q    <= edges | (owed_q & ~leaves & ~late_q);
      if (op_q == Enable)                   enabled_q <= enabled_q | named;
      if (op_q == Disable)                  enabled_q <= enabled_q & ~named;
      if (op_q == Hold)                     holds_q   <= mark_q ? holds_q | named : holds_q & ~named;
      if (op_q == Offer)                    offered_q <= offered_q | named;
      if (op_q == Claim || op_q == Disable) offered_q <= offered_q & ~named;
      if (op_q == Take)                     round_q   <= place_t'(number_q) + place_t'(1);
      else if (!next.valid)                 round_q   <= '0;
      first_known_q <= op_q == None;
    end
  end

  // ---- the engine: serves one request at a time -----------------------------------------------------------------------

  logic       chosen_q;         // a line is chosen, and no operation came since
  logic [6:0] chosen_line_q;
  always_ff @(posedge clk_i) begin
    if (op_i != None || !rst_n)     chosen_q <= 1'b0;
    else if (choose_i && !chosen_q) {chosen_q, chosen_line_q} <= {pending, first};
  end

  // Lines are held from a cycle on in which nothing is asked for and none is chosen; the next one is chosen when `first` has followed.
  logic hold_q, rises, rose_q, rose_2_q;
  assign rises = hold_i && !hold_q;
  always_ff @(posedge clk_i) begin
    hold_q   <= hold_i;
    rose_q   <= rst_n && rises;
    rose_2_q <= rst_n && rose_q;
  end

  // ---- two lines: one that waits, and another -------------------------------------------------------------------------

  logic [6:0] waits_q, other_q;      // free
  logic       before_q;         // the other was taken while the edge waited
  logic       owed, ends, other_taken;
  assign owed        = |((wanted >> waits_q) & lines_t'(1));
  assign ends        = number_q == waits_q && (op_q == Take || op_q == Disable);
  assign other_taken = op_q == Take && number_q == other_q;
  always_ff @(posedge clk_i) begin
    waits_q  <= waits_q;
    other_q  <= other_q;
    before_q <= rst_n && owed && !ends && (before_q || other_taken);
  end

  // An edge that came while nothing else was owed, and no operation beside it.
  logic alone_q, alone_2_q;
  always_ff @(posedge clk_i) begin
    alone_q   <= rst_n && edges != '0 && owed_q == '0 && op_q == None && op_i == None;
    alone_2_q <= rst_n && alone_q && op_i == None && !hold_i;
  end

  // Nothing that was asked for keeps a request back.
  logic quiet;
  assign quiet = op_q == None && op_2_q == None && !apart(op_3_q);

  logic same_request, same_first, same_owed, same_alone, same_lost, in_turn, same_handler, same_offered, agreed;
  assign same_request = pending == (quiet && next_q.valid);
  assign same_first   = !pending || place_t'(first) == next_q.line;
  assign same_owed    = !pending || |((owed_q & enabled_q) >> first & lines_t'(1));
  assign same_alone   = !alone_2_q || pending;
  assign same_lost    = lost == lost_3_q;
  assign in_turn      = !(owed && !ends && before_q && other_taken);
  assign same_handler = offered == handler_q.valid && (!offered || place_t'(offered_first) == handler_q.line);
  assign same_offered = !first_known_q || first_offered == first_offered_q;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    m_number:  assume (32'(number_i) < Lines);
    m_apart:   assume (!rst_n || !apart(op_q) || op_i == None || (op_q == Take && op_i == Offer && number_i == number_q));
    m_take:    assume (op_i != Take || !rst_n || (chosen_q && number_i == chosen_line_q));
    m_hold:    assume (!rises || (op_i == None && op_q == None && op_2_q == None && !chosen_q));
    m_choose:  assume (!choose_i || !(rises || rose_q || rose_2_q));
    m_two:     assume (32'(waits_q) < Lines && (Lines == 1 || (32'(other_q) < Lines && waits_q != other_q)));
    m_start:   assume (FromReset || started_q || (agreed && same_request && same_first && same_owed && same_alone && same_lost && in_turn &&
                                                  same_handler && same_offered));

    a_request: assert (!rst_n || same_request);
    a_first:   assert (!rst_n || same_first);
    a_owed:    assert (!rst_n || same_owed);
    a_alone:   assert (!rst_n || same_alone);
    a_lost:    assert (!rst_n || same_lost);
    a_in_turn: assert (!rst_n || in_turn);
    a_handler: assert (!rst_n || same_handler);
    a_offered: assert (!rst_n || same_offered);
    h_agreed:  assert (!Hints || agreed);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  // The line, if any, that one of the engine's next operations may take: it is owed, in this round, and not behind the one that waits.
  function automatic logic in_order(place_t line);
    return |((owed_q & enabled_q & ~(holds_q & {Lines{hold_q}})) >> line & lines_t'(1)) && line >= round_q && (!before_q || turn(line, round_q) <= turn(place_t'(waits_q), round_q));
  endfunction

  logic       same_sets, same_offers, same_round, same_losts, same_op, before_reset, order_kept;
  logic [6:0] losts_now;
  always_comb begin
    same_offers = 1'b1;
    same_round  = round_q <= place_t'(Lines);
    for (int unsigned l = 0; l < Lines; l++) begin
      if (u_interrupts.gen_interrupts.above[l/8][l%8] != (place_t'(l) >= round_q)) same_round = 1'b0;
    end
    losts_now = count(u_interrupts.gen_interrupts.lost_q);
    // Words of groups without offers may be anything; bits behind the last line are 0.
    for (int unsigned g = 0; g < (Lines + 7) / 8; g++) begin
      if (u_interrupts.gen_interrupts.any_offered_q[g] != (8'(offered_q >> (8*g)) != '0)) same_offers = 1'b0;
      if (u_interrupts.gen_interrupts.any_offered_q[g] && u_interrupts.gen_interrupts.offered_mem[g] != 8'(offered_q >> (8*g))) same_offers = 1'b0;
    end
  end
  // Lines that are owed though disabled: the one of a disable, in the cycle behind it.
  assign same_sets  = u_interrupts.gen_interrupts.pending_q == owed_q && u_interrupts.gen_interrupts.enabled_q == enabled_q &&
                      u_interrupts.gen_interrupts.holds_q == holds_q &&
                      u_interrupts.gen_interrupts.line_q[Lines-1:0] == (level_q & ~(lines_t'('1) << Interrupts)) &&
                      (owed_q & ~enabled_q & ~late_q) == '0 && (late_q & enabled_q) == '0 &&
                      (late_q & ~(lines_t'(1) << number_q)) == '0 && (late_q == '0 || op_2_q == Disable);
  assign same_op    = 3'(u_interrupts.gen_interrupts.op_q) == op_q && u_interrupts.gen_interrupts.again_q == apart(op_2_q) &&
                      ((op_q == None && !apart(op_2_q)) || (u_interrupts.gen_interrupts.number_q == number_q && 32'(number_q) < Lines)) &&
                      (op_q != Hold || u_interrupts.gen_interrupts.held_q == mark_q) && (!apart(op_2_q) || op_q == None || (op_2_q == Take && op_q == Offer)) && 32'(first) < Lines;
  assign same_losts = losts_now == lost_1_q &&
                      u_interrupts.gen_interrupts.lost_counts_q[0] + u_interrupts.gen_interrupts.lost_counts_q[1] == lost_2_q &&
                      (!rst_n || lost == lost_3_q);
  assign before_reset = rst_n || (owed_q == '0 && enabled_q == '0 && offered_q == '0 && level_q == '0 && holds_q == '0 && round_q == '0 && !next_q.valid &&
                                  !handler_q.valid && op_q == None && op_2_q == None && op_3_q == None && !chosen_q && !before_q &&
                                  lost_1_q == '0 && lost_2_q == '0 && lost_3_q == '0 && !alone_q && !alone_2_q && late_q == '0 && !first_known_q);
  assign order_kept = (!next_q.valid || !quiet || in_order(next_q.line)) &&
                      (!chosen_q || (op_q == None && op_2_q != Disable && in_order(place_t'(chosen_line_q)))) &&
                      (op_q != Take || in_order(place_t'(number_q))) &&
                      (!before_q || turn(place_t'(waits_q), round_q) < turn(place_t'(other_q), round_q)) &&
                      (!alone_q || (op_q == None && op_2_q == None && owed_q != '0 && round_q == '0 && late_q == '0)) &&
                      (!alone_2_q || (quiet && next_q.valid));
  assign agreed = !rst_n || (same_sets && same_offers && same_round && same_op && same_losts && before_reset && order_kept);

  always_comb begin
    c_two:     cover (rst_n && lost == 7'd2);
    c_in_turn: cover (rst_n && before_q && op_q == Take && number_q == waits_q && other_q == 7'(Lines - 1) && waits_q == 7'd1);
    c_again:   cover (rst_n && op_q == Take && |(edges & named) && pending == 1'b0);
    c_held:    cover (rst_n && hold_i && holds_q[0] && owed_q[0] && pending && 32'(first) == 1);
    c_late:    cover (rst_n && late_q != '0 && owed_q == late_q);
    c_handler: cover (rst_n && first_known_q && first_offered && pending && 32'(first) >= 8 && offered && offered_first == 7'd8);
  end
endmodule
