// SPDX-License-Identifier: Apache-2.0
// Proof of mel_lock_cache, for any accesses of all cores at any time. One lock is watched, any one, and one core, any one.
// A reference of that lock, written down from docs/decisions/0019, follows the accesses: every access is answered (a_response), with
// the reference's answer (a_answer), refused accesses change nothing in it. Apart from the reference, from answers alone: at most one core believes that it holds
// the lock (a_exclusion); whoever was told to wait, and did not withdraw, waits for a lock that is held, or has been sent an
// interrupt that it has not answered (a_no_lost_wait, a_interrupted).
// Bounded wait: an access is taken behind at most one of each other core (a_port); a core that waits for a lock that is handed over is passed by
// none but a more urgent one, or an equal one that has waited longer (a_order), and by at most Passes others until it has the lock (a_passes), counted
// anew when one that is more urgent gets it or the priority changes. Where all are told, every waiting core is interrupted by the next release (a_all_told).
// Needs: nothing of the cores; that they look again at short locks, and answer interrupts, is the matter of software. By induction: the claims
// named h_… say how the unit's memories stand to the reference.
module mel_lock_cache_proof
  import mel_lock_pkg::*;
#(
  parameter int unsigned ShortLocks = 2,
  parameter int unsigned LongLocks  = 2,
  parameter int unsigned Cores      = 2,
  parameter int unsigned HandOver   = 0,
  parameter int unsigned Priorities = 2,
  localparam int unsigned PriorityW = $clog2(Priorities)
) (
  input logic                   clk_i,
  input logic [Cores-1:0]       req_valid_i,
  input logic [Cores-1:0]       req_write_i,
  input logic [Cores-1:0][15:0] req_addr_i,
  input logic [Cores-1:0][3:0]  req_be_i,
  input logic [Cores-1:0][31:0] req_wdata_i,
  input logic                   watch_long_i,
  input logic [6:0]             watch_number_i,
  input logic [1:0]             watch_core_i
);
  localparam int unsigned CoreW = $clog2(Cores);
  localparam int unsigned IndexW = $clog2(ShortLocks + LongLocks);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Cores-1:0]       ready, rsp_valid, irq;
  logic [Cores-1:0][31:0] rsp_rdata;

  mel_lock_cache #(
    .ShortLocks(ShortLocks), .LongLocks(LongLocks), .Cores(Cores), .HandOver(HandOver), .Priorities(Priorities)
  ) u_locks (
    .clk_i, .rst_ni (rst_n),
    .req_valid_i, .req_ready_o (ready), .req_write_i, .req_addr_i, .req_be_i, .req_wdata_i,
    .rsp_valid_o (rsp_valid), .rsp_rdata_o (rsp_rdata), .irq_o (irq)
  );

  logic open;   // the memory has been cleared
  assign open = u_locks.u_table.open_o;

  // ---- what is watched ------------------------------------------------------------------------------------------------

  logic       fixed_q = 1'b0;
  logic       long_q;
  logic [6:0] number_q;
  logic [1:0] watch_q;
  always_ff @(posedge clk_i) begin
    fixed_q  <= 1'b1;
    long_q   <= fixed_q ? long_q : watch_long_i;
    number_q <= fixed_q ? number_q : watch_number_i;
    watch_q  <= fixed_q ? watch_q : watch_core_i;
  end

  // ---- the access of this cycle, and the one that is answered ---------------------------------------------------------

  logic [Cores-1:0] takes;
  logic             any;
  logic [1:0]       who;
  logic             write;
  logic [15:0]      addr;
  logic [31:0]      wdata;
  logic             whole, at_lock, at_try, at_state, at_missing, at_register;

  assign takes = rst_n ? req_valid_i & ready : '0;
  assign any   = |takes;

  always_comb begin
    who   = '0;
    write = 1'b0;
    addr  = '0;
    wdata = '0;
    whole = 1'b0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (takes[i]) begin
        who   = 2'(i);
        write = req_write_i[i];
        addr  = req_addr_i[i];
        wdata = req_wdata_i[i];
        whole = req_be_i[i] == 4'hF && req_addr_i[i][1:0] == 2'd0 && req_addr_i[i] < 16'd4096;
      end
    end
  end

  logic watched;   // the address names this lock, in some region
  assign watched     = any && whole && addr[9] == long_q && addr[8:2] == number_q;
  assign at_lock     = watched && addr[11:10] == 2'd0;
  assign at_try      = watched && addr[11:10] == 2'd1;
  assign at_state    = watched && addr[11:10] == 2'd2;
  assign at_register = any && whole && addr[11:10] == 2'd3;
  assign at_missing  = any && whole && addr[11:10] != 2'd3 && 32'(addr[8:2]) >= (addr[9] ? LongLocks : ShortLocks);

  logic [Cores-1:0] taken_q = '0;
  logic             load_notice_q;
  logic [31:0]      answer;
  always_ff @(posedge clk_i) begin
    taken_q       <= takes;
    load_notice_q <= at_register && !write && addr[11:0] == RegNotice;
  end
  always_comb begin
    answer = '0;
    for (int unsigned i = 0; i < Cores; i++) if (taken_q[i]) answer = rsp_rdata[i];
  end

  // ---- the reference --------------------------------------------------------------------------------------------------

  logic                            held_q = 1'b0, known_q = 1'b0;
  logic [1:0]                      holder_q = '0;
  logic [Cores-1:0]                waiting_q = '0, notice_q = '0;
  logic [Cores-1:0][PriorityW-1:0] rank_q, own_rank_q = '0;
  logic [Cores-1:0][Cores-1:0]     before_q = '0, before_d;   // [i][j]: j waited already when i began to

  logic                            held_d, known_d;
  logic [1:0]                      holder_d;
  logic [Cores-1:0]                waiting_d, notice, notice_d;
  logic [Cores-1:0][PriorityW-1:0] rank_d, own_rank_d;

  logic        checked, refused;   // the answer is known; as a refusal
  logic [31:0] expected;
  logic        released, got;      // the lock leaves its holder; `heir` gets it
  logic [1:0]  heir;
  logic [2:0]  named;
  logic        named_told, ranked, mine;
  logic        more_urgent;        // the heir is more urgent than the watched core

  // A notice is gone when its number is the answer.
  always_comb begin
    for (int unsigned i = 0; i < Cores; i++) begin
      notice[i] = notice_q[i] && !(taken_q[i] && load_notice_q && answer == 32'(number_q));
    end
  end

  // Next in turn behind the holder; by priority, where these count, and then by the time of waiting.
  always_comb begin
    got  = 1'b0;
    heir = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      automatic logic first = waiting_q[i];
      for (int unsigned j = 0; j < Cores; j++) begin
        if (j != i && waiting_q[j]) begin
          automatic int unsigned before_i = (i + Cores - 1 - 32'(holder_q)) % Cores;
          automatic int unsigned before_j = (j + Cores - 1 - 32'(holder_q)) % Cores;
          if (ranked && rank_q[j] != rank_q[i]) begin
            if (rank_q[j] < rank_q[i]) first = 1'b0;
          end else if (ranked) begin
            if (before_q[i][j]) first = 1'b0;
          end else if (before_j < before_i) begin
            first = 1'b0;
          end
        end
      end
      if (first) begin
        got  = 1'b1;
        heir = 2'(i);
      end
    end
  end

  assign ranked = long_q && HandOver != 0;
  assign mine   = held_q && holder_q == who;
  assign named  = (wdata == '0) ? {1'b0, who} : wdata[2:0] - 3'd1;

  always_comb begin
    named_told = 1'b1;
    for (int unsigned i = 0; i < Cores; i++) if (named == 3'(i) && notice[i]) named_told = 1'b0;
  end

  always_comb begin
    held_d     = held_q;
    known_d    = known_q;
    holder_d   = holder_q;
    waiting_d  = waiting_q;
    notice_d   = notice;
    rank_d     = rank_q;
    own_rank_d = own_rank_q;
    before_d   = before_q;
    released   = 1'b0;
    refused    = 1'b0;
    checked    = at_lock || at_try || at_state || at_missing || (any && !whole);
    expected   = '0;

    if ((any && !whole) || at_missing) begin
      refused = 1'b1;
    end else if (at_state) begin
      refused  = write;
      expected = {20'd0, 4'(waiting_q), 2'd0, holder_q, 2'd0, held_q && !known_q, held_q};
    end else if ((at_lock || at_try) && !write) begin
      if (!held_q || (!long_q && mine && !known_q)) begin
        expected = 32'd1;
        held_d   = 1'b1;
        known_d  = 1'b1;
        holder_d = who;
      end else if (!long_q && mine) begin
        refused = 1'b1;
      end else if (at_lock) begin
        for (int unsigned i = 0; i < Cores; i++) begin
          if (who == 2'(i)) begin
            if (!waiting_q[i] || own_rank_q[i] < rank_q[i]) rank_d[i] = own_rank_q[i];
            if (!waiting_q[i]) begin
              for (int unsigned j = 0; j < Cores; j++) before_d[j][i] = 1'b0;
              before_d[i] = waiting_q;
            end
            waiting_d[i] = 1'b1;
          end
        end
      end
    end else if (at_lock) begin
      released = held_q && known_q && holder_q == named[1:0] && (long_q ? wdata <= Cores : wdata == '0) &&
                 (HandOver == 0 || !long_q || named_told);
      refused  = !released;
    end else if (at_try) begin
      if (wdata == '1) begin
        for (int unsigned i = 0; i < Cores; i++) if (who == 2'(i)) waiting_d[i] = 1'b0;
        released = !long_q && mine && !known_q;
      end else if (ranked && wdata < Priorities) begin
        for (int unsigned i = 0; i < Cores; i++) if (who == 2'(i)) rank_d[i] = PriorityW'(wdata);
      end else begin
        refused = 1'b1;
      end
    end

    if (released) begin
      if (long_q && HandOver == 0) begin
        notice_d  = notice | waiting_q;
        waiting_d = '0;
      end
      held_d   = (!long_q || HandOver != 0) && got;
      known_d  = held_d && long_q;
      holder_d = held_d ? heir : '0;
      for (int unsigned i = 0; i < Cores; i++) begin
        if (held_d && heir == 2'(i)) begin
          waiting_d[i] = 1'b0;
          if (long_q) notice_d[i] = 1'b1;
        end
      end
    end

    // Registers of the core.
    if (at_register && addr[11:0] == RegPriority) begin
      checked = 1'b1;
      refused = write && !(HandOver != 0 && wdata < Priorities);
      for (int unsigned i = 0; i < Cores; i++) begin
        if (who == 2'(i)) begin
          expected = write ? '0 : 32'(own_rank_q[i]);
          if (write && !refused) own_rank_d[i] = PriorityW'(wdata);
        end
      end
    end
    if (refused) expected = AnswerNone;
  end

  logic        checked_q = 1'b0;
  logic [31:0] expected_q;
  always_ff @(posedge clk_i) begin
    held_q     <= held_d;
    known_q    <= known_d;
    holder_q   <= holder_d;
    waiting_q  <= waiting_d;
    notice_q   <= notice_d;
    rank_q     <= rank_d;
    own_rank_q <= own_rank_d;
    before_q   <= before_d;
    checked_q  <= checked;
    expected_q <= expected;
  end

  // ---- what cores believe, from answers alone -------------------------------------------------------------------------

  logic             was_load_q, was_lock_q, was_release_q, was_withdraw_q;
  logic [31:0]      was_wdata_q;
  logic [1:0]       was_who_q;
  logic [Cores-1:0] knows_q = '0, knows, wants_q = '0, wants;
  always_ff @(posedge clk_i) begin
    was_load_q     <= (at_lock || at_try) && !write;
    was_lock_q     <= at_lock;
    was_release_q  <= at_lock && write;
    was_withdraw_q <= at_try && write && wdata == AnswerNone;
    was_wdata_q    <= wdata;
    was_who_q      <= who;
    knows_q        <= knows;
    wants_q        <= wants;
  end

  logic [Cores-1:0] gains;   // cores that get the lock by this cycle's answer
  always_comb begin
    knows = knows_q;
    wants = wants_q;
    gains = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (taken_q[i] && was_load_q && answer == AnswerTaken) gains[i] = 1'b1;
      if (taken_q[i] && load_notice_q && long_q && answer == 32'(number_q)) begin
        wants[i] = 1'b0;
        if (HandOver != 0) gains[i] = 1'b1;
      end
      // Long locks: another task of the core may have the lock while one goes on waiting.
      if (gains[i] && !long_q) wants[i] = 1'b0;
      if (taken_q[i] && was_load_q && was_lock_q && answer == AnswerWaits) wants[i] = 1'b1;
      if (taken_q[i] && was_withdraw_q) wants[i] = 1'b0;
      if (was_release_q && |taken_q && answer != AnswerNone &&
          ((was_wdata_q == '0) ? was_who_q == 2'(i) : was_wdata_q == i + 1)) knows[i] = 1'b0;
    end
    knows |= gains;
  end

  // ---- how long -------------------------------------------------------------------------------------------------------

  logic [2:0] deaf_q = '0, passes_q = '0;
  logic       watch_waits, watch_passed, heir_before;
  logic [2:0] before_watch;   // cores that wait, and did before the watched one
  logic [PriorityW-1:0] watch_rank, watch_rank_d, heir_rank;

  always_comb begin
    watch_waits  = 1'b0;
    watch_rank   = '0;
    watch_rank_d = '0;
    heir_rank    = '0;
    heir_before  = 1'b0;
    before_watch = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (watch_q == 2'(i)) begin
        watch_waits  = waiting_q[i] && waiting_d[i];
        watch_rank   = rank_q[i];
        watch_rank_d = rank_d[i];
        for (int unsigned j = 0; j < Cores; j++) begin
          if (waiting_q[j] && before_q[i][j]) before_watch = before_watch + 3'd1;
          if (heir == 2'(j)) heir_before = before_q[i][j];
        end
      end
      if (heir == 2'(i)) heir_rank = rank_q[i];
    end
  end
  assign more_urgent  = ranked && heir_rank < watch_rank;
  assign watch_passed = released && held_d && heir != watch_q;

  localparam int unsigned PassesLong  = Cores - 1;
  localparam int unsigned PassesShort = Cores - 2;   // the holder is not among those that wait

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Cores; i++) begin
      if (watch_q == 2'(i)) deaf_q <= (ready[i] || !open || !rst_n) ? '0 : deaf_q + 3'd1;
    end
    if (!watch_waits || (ranked && watch_rank != watch_rank_d) || (watch_passed && more_urgent)) passes_q <= '0;
    else if (watch_passed) passes_q <= passes_q + 3'd1;
  end

  // ---- the unit's memories --------------------------------------------------------------------------------------------

  // Turns from core `from` until `to`: 1 for the next core, Cores for `from` itself.
  function automatic logic [2:0] distance(logic [1:0] from, logic [1:0] to);
    return 3'((32'(to) + Cores - 1 - 32'(from)) % Cores + 1);
  endfunction

  logic [IndexW-1:0]       index;
  logic [CoreW+Cores+1:0]  word;
  logic [1:0]              last;
  logic [Cores-1:0][Cores-1:0] age_kept;
  logic [Cores-1:0]        notice_kept, rank_kept, own_rank_kept, knows_kept, wants_kept, given_kept;
  assign index = long_q ? IndexW'(ShortLocks + 32'(number_q)) : IndexW'(number_q);
  assign word  = u_locks.u_table.words[index];
  assign last  = 2'(u_locks.u_turn.gen_several.last_q);

  for (genvar i = 0; i < Cores; i++) begin : gen_kept
    logic holds;
    assign holds             = held_q && holder_q == 2'(i);
    assign notice_kept[i]    = (long_q && u_locks.u_notices.notice_q[i][$clog2(LongLocks + 1)'(number_q)]) == notice[i];
    assign own_rank_kept[i]  = u_locks.priority_q[i] == own_rank_q[i];
    assign knows_kept[i]     = knows[i] == (holds && known_q && !(ranked && notice[i]));
    assign wants_kept[i]     = long_q ? !wants[i] || waiting_q[i] || notice[i] : wants[i] == (waiting_q[i] || (holds && !known_q));
    assign given_kept[i]     = !notice[i] || (long_q && (HandOver == 0 || holds));
    if (HandOver != 0) begin : gen_rank
      assign rank_kept[i] = !long_q || !waiting_q[i] || u_locks.u_table.gen_ranks.rank_words[$clog2(LongLocks + 1)'(number_q)].ranks[i] == rank_q[i];
      for (genvar j = 0; j < Cores; j++) begin : gen_age
        if (j < i) begin : gen_pair
          assign age_kept[i][j] = !long_q || !waiting_q[i] || !waiting_q[j] || (before_q[i][j] != before_q[j][i] &&
              u_locks.u_table.gen_ranks.rank_words[$clog2(LongLocks + 1)'(number_q)].ages[i * (i - 1) / 2 + j] == before_q[i][j]);
        end else begin : gen_other
          assign age_kept[i][j] = 1'b1;
        end
      end
    end else begin : gen_no_rank
      assign rank_kept[i] = 1'b1;
      assign age_kept[i]  = '1;
    end
  end

  logic before_ordered;   // `before_q` is transitive among cores that wait
  always_comb begin
    before_ordered = 1'b1;
    for (int unsigned i = 0; i < Cores; i++) begin
      for (int unsigned j = 0; j < Cores; j++) begin
        for (int unsigned k = 0; k < Cores; k++) begin
          if (waiting_q[i] && waiting_q[j] && waiting_q[k] && before_q[i][j] && before_q[j][k] && !before_q[i][k]) before_ordered = 1'b0;
        end
      end
    end
  end

  logic holder_waits, watch_waited;
  always_comb begin
    holder_waits = 1'b0;
    watch_waited = 1'b0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (held_q && holder_q == 2'(i)) holder_waits = waiting_q[i];
      if (watch_q == 2'(i)) watch_waited = waiting_q[i];
    end
  end

  // ---- claims ---------------------------------------------------------------------------------------------------------

  logic [Cores-1:0] released_waiting_q = '0;   // cores that waited when the lock was released
  logic             handed_q = 1'b0;
  always_ff @(posedge clk_i) begin
    released_waiting_q <= released ? waiting_q : '0;
    handed_q           <= released && held_d;
  end

  logic [Cores-1:0] lost;
  always_comb begin
    for (int unsigned i = 0; i < Cores; i++) begin
      // Long: held by somebody, or a notice for it. Short: waits in turn, or has been handed the lock.
      lost[i] = wants[i] && !(held_q && waiting_q[i]) && !(long_q && notice[i] && irq[i]) && !(!long_q && held_q && holder_q == 2'(i));
    end
  end

  always_comb begin
    m_lock: assume (!fixed_q || 32'(number_q) < (long_q ? LongLocks : ShortLocks));   // it exists
    m_core: assume (!fixed_q || 32'(watch_q) < Cores);                                // it is one of the cores
  end

  always_comb begin
    a_one:          assert (takes == '0 || (takes & (takes - Cores'(1))) == '0);
    a_response:     assert (rsp_valid == taken_q);
    a_answer:       assert (!checked_q || answer == expected_q);
    a_exclusion:    assert ((knows & (knows - Cores'(1))) == '0);
    a_once:         assert ((gains & knows_q) == '0);
    a_no_lost_wait: assert (lost == '0);
    a_interrupted:  assert (!long_q || (notice & ~irq) == '0);
    a_all_told:     assert (!long_q || HandOver != 0 || (released_waiting_q & ~irq) == '0);
    a_handed:       assert (!long_q || HandOver == 0 || released_waiting_q == '0 ||
                            (handed_q && released_waiting_q[CoreW'(holder_q)] && irq[CoreW'(holder_q)]));
    a_order:        assert (!(watch_passed && watch_waits) || !ranked || heir_rank < watch_rank || (heir_rank == watch_rank && heir_before));
    a_passes:       assert (32'(passes_q) <= (long_q ? PassesLong : PassesShort));
    a_port:         assert (32'(deaf_q) < Cores);
    a_notice_gone:  assert (!(load_notice_q && |taken_q && long_q) || answer != 32'(number_q) || (notice_q & taken_q) != '0);
    a_notice_here:  assert (!(load_notice_q && |taken_q && long_q) || (notice_q & taken_q) == '0 || answer <= 32'(number_q));

    h_start:    assert (fixed_q == rst_n && (rst_n || (taken_q == '0 && !held_q && notice_q == '0)));
    h_word:     assert (!rst_n || !open || word == {held_q, known_q, CoreW'(holder_q), waiting_q});
    h_clear:    assert (!rst_n || open || (!held_q && notice_q == '0 && wants_q == '0 && taken_q == '0 &&
                        32'(u_locks.u_table.clear_q) < ShortLocks + LongLocks && (index >= u_locks.u_table.clear_q || word == '0)));
    h_free:     assert (32'(holder_q) < Cores && (held_q || (holder_q == '0 && waiting_q == '0 && !known_q)));
    h_holder:   assert (!fixed_q || (long_q ? known_q == held_q : !holder_waits));
    h_ranks:    assert (!rst_n || (rank_kept & own_rank_kept) == '1);
    h_ages:     assert (!rst_n || HandOver == 0 || !long_q || (age_kept == '1 && before_ordered));
    h_notices:  assert (!rst_n || (notice_kept & given_kept) == '1);
    h_beliefs:  assert (!rst_n || (knows_kept & wants_kept) == '1);
    h_passes:   assert (!fixed_q || !watch_waited || (ranked ? 32'(passes_q) + 32'(before_watch) < Cores
                                                             : 32'(passes_q) + 32'(distance(holder_q, watch_q)) <= (long_q ? Cores : Cores - 1)));
    h_waited:   assert (!fixed_q || watch_waited || passes_q == '0);
    h_turn:     assert (!rst_n || (32'(last) < Cores && 32'(deaf_q) + 32'(distance(last, watch_q)) <= Cores));

    c_deaf:         cover (32'(deaf_q) == Cores - 1);
    c_refused:      cover (checked_q && answer == AnswerNone && was_release_q);
    c_handed_short: cover (!long_q && handed_q);
  end

  // The bounds are reached: none is larger than it must be.
  if (Cores > 2) begin : gen_reach_short
    always_comb c_passes_short: cover (!long_q && 32'(passes_q) == PassesShort);
  end
  if (HandOver != 0) begin : gen_reach_given
    always_comb c_passes_long: cover (long_q && 32'(passes_q) == PassesLong);
    always_comb c_urgent:      cover (watch_passed && watch_waits && more_urgent);
  end else begin : gen_reach_told
    always_comb c_all_told:    cover (long_q && notice == '1);
  end
endmodule
