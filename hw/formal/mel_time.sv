// SPDX-License-Identifier: Apache-2.0
// Proof of mel_time against one entry that is followed, any one of either half, and a count of ticks: unbounded, for any sets, takes, notes,
// lengths and publishes, any releases of tasks, and cores at the unit's clock or at half of it. Promised, in the terms of the ports:
//   a count that starts in cycle A elapses in cycle A + length, counted in cycles of the cores, and then the next starts; a length that is set
//     counts from the next tick on, at once when none runs; 0 ends them
//   a tick may be published only while one that elapsed waits, and then at once when both searches have ended; none is lost, however many wait
//   while a tick may be published, no expiry of the tick that would begin is armed, and no deadline of the tick that would end
//   what is found is armed with the value that is sought; it stays found until it is taken or its entry is written, but for the cycle
//     behind a set; expiries are found only behind all deadlines, and only while no tasks are released
//   an entry beside one that is taken is found in 5 cycles, in 7 when the take comes with a set
//   a search ends within Tasks + Timers + 3 cycles, 4 more for each entry found and 5 for each write, and begins anew only for a write of
//     what is sought
//   a timer's line rises two cycles behind the publish that follows its note, for one cycle; `noted_o` is right
//   an entry is not read in the cycle in which it is written
// Assumes that the module is used as its head says (m_*). mel_time asserts this in every simulation of the unit: a_publish, a_sets_apart,
// a_note_apart, a_length, a_lengths_apart, a_ticks_counted; but that asserts 4 cycles between two lengths, and at twice the clock the
// count needs 6 (Apart): a tick may elapse at once otherwise. In hw/micro/time.mu there are at least 7. m_value is asserted
// nowhere: the program sets the times of the model (docs/reference/program-proofs.md), which lie ahead.
// FromReset = 0: from any state that the reference is in, too; then a mutant is caught in few cycles.
module mel_time_proof #(
  parameter int unsigned Tasks     = 4,
  parameter int unsigned Timers    = 2,
  parameter int unsigned Apart     = 4,      // cycles between lengths that are set
  parameter bit          Twice     = 1'b0,   // the unit has twice the clock of the cores
  parameter bit          FromReset = 1'b1,
  parameter bit          Hints     = 1'b1    // also what holds the induction; 0: the promises alone
) (
  input logic        clk_i,
  input logic        clear_i,
  input logic [9:0]  clear_index_i,
  input logic        advance_i,
  input logic        tick_set_i,
  input logic [31:0] tick_cycles_i,
  input logic        publish_i,
  input logic        open_i,
  input logic        set_i,
  input logic [9:0]  set_index_i,
  input logic        set_armed_i,
  input logic [31:0] set_value_i,
  input logic        found_take_i,
  input logic        note_i,
  input logic        unnote_i,
  input logic [3:0]  timer_i
);
  localparam int unsigned Entries = Tasks + Timers;
  localparam int unsigned NumberW = $clog2(Entries);
  typedef logic [11:0] cycles_t;
  typedef logic [NumberW:0] index_t;   // half and number
  typedef struct packed { logic armed; logic [31:0] value; } entry_t;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [31:0] tick_cycles, now_low;
  logic        may_publish, found_valid, found_deadline, noted;
  logic [8:0]  found_index;
  logic [15:0] expired;

  mel_time #(.Tasks (Tasks), .Timers (Timers)) u_time (
    .clk_i, .rst_ni (started_q || !FromReset), .clear_i, .clear_index_i, .advance_i, .tick_set_i, .tick_cycles_i, .tick_cycles_o (tick_cycles),
    .publish_i, .may_publish_o (may_publish), .open_i, .now_low_o (now_low), .set_i, .set_index_i, .set_armed_i, .set_value_i,
    .found_valid_o (found_valid), .found_deadline_o (found_deadline), .found_index_o (found_index), .found_take_i,
    .note_i, .unnote_i, .timer_i, .noted_o (noted), .expired_o (expired)
  );

  // ---- reference ------------------------------------------------------------------------------------------------------

  // The followed entry and the followed timer.
  logic       half_q;
  logic [8:0] number_q;
  logic [3:0] timer_q;
  always_ff @(posedge clk_i) begin
    half_q   <= half_q;
    number_q <= number_q;
    timer_q  <= timer_q;
  end

  entry_t      followed_q;           // as the program set it
  logic        known_q;              // it was cleared
  logic [31:0] now_q;
  logic [1:0]  published_q;          // in the two cycles before
  logic [5:0]  sets_q;               // likewise
  logic [3:0]  cleared_q;
  logic [8:0]  lengths_q;
  logic        open_q, advance_q;
  logic        sets_it, armed, sought_now;
  assign sets_it    = set_i && set_index_i == {half_q, number_q};
  assign armed      = known_q && followed_q.armed;
  assign sought_now = armed && followed_q.value == now_q + 32'(!half_q);

  always_ff @(posedge clk_i) begin
    if (clear_i && clear_index_i[9] == half_q && clear_index_i[NumberW-1:0] == number_q[NumberW-1:0]) begin
      followed_q.armed <= 1'b0;
      known_q          <= started_q || !FromReset;
    end
    if (sets_it) followed_q <= '{armed: set_armed_i, value: set_value_i};
    now_q       <= now_q + 32'(publish_i);
    published_q <= {published_q[0], publish_i};
    sets_q      <= {sets_q[4:0], set_i};
    cleared_q   <= {cleared_q[2:0], clear_i};
    lengths_q   <= {lengths_q[7:0], tick_set_i};
    open_q      <= open_i;
    advance_q   <= advance_i;
  end

  // Ticks.
  logic [31:0] length_q, target_q, spent_q;
  logic [15:0] waiting_q;
  logic [1:0]  stopped_q;            // cycles of the cores since the count stopped, up to 3
  logic        runs_q, elapses;
  assign elapses = runs_q && advance_i && spent_q + 32'd1 == target_q;
  always_ff @(posedge clk_i) begin
    if (tick_set_i) length_q <= tick_cycles_i;
    if (lengths_q[0]) runs_q <= length_q != '0;
    if (elapses || !runs_q) begin
      target_q <= length_q;
      spent_q  <= '0;
    end else begin
      spent_q  <= spent_q + 32'(advance_i);
    end
    if (runs_q)                                stopped_q <= '0;
    else if (advance_i && stopped_q != '1) stopped_q <= stopped_q + 2'd1;
    waiting_q <= waiting_q + 16'(elapses) - 16'(publish_i);
  end

  // Notes.
  logic note_q, note_before_q, rises_q, line_q, noted_q, asked_q;
  always_ff @(posedge clk_i) begin
    if (publish_i || clear_i)                                      note_q <= 1'b0;
    else if ((note_i || unnote_i) && timer_i == timer_q) note_q <= note_i;
    note_before_q <= note_q && !clear_i;
    rises_q       <= publish_i && note_q;
    line_q        <= rises_q;
    noted_q       <= note_before_q;
    asked_q       <= timer_i == timer_q;
  end

  // Cycles that the search has left. Of what is being written its time to be compared, too.
  cycles_t left_q, search_left, check_left, remains, next_left;
  logic    starts, stays, searches;
  assign starts      = u_time.restart || u_time.advance;
  assign stays       = u_time.found_q && u_time.found_d;
  assign searches    = u_time.deadlines_q || !u_time.waits_q;
  assign search_left = (u_time.scan_q < Entries) ? cycles_t'(Entries) - cycles_t'(u_time.scan_q) + cycles_t'(2) + cycles_t'(u_time.check_q) :
                       u_time.read_q ? cycles_t'(2) : cycles_t'(u_time.compared_q);
  assign check_left  = u_time.check_q ? cycles_t'(3) : u_time.check_read_q ? cycles_t'(2) : cycles_t'(u_time.check_compared_q);
  assign remains     = u_time.found_q ? ((u_time.scan_q + 1 < Entries) ? cycles_t'(Entries) - cycles_t'(u_time.scan_q) - cycles_t'(1) : '0) :
                       (search_left > check_left) ? search_left : check_left;
  assign next_left   = left_q + (u_time.set_q ? cycles_t'(5) : '0) + ((u_time.found_q && !stays) ? cycles_t'(4) : '0);
  always_ff @(posedge clk_i) begin
    if (starts)                                       left_q <= cycles_t'(Entries + 2) + (u_time.set_q ? cycles_t'(5) : '0);
    else if (next_left > cycles_t'(Entries + 10)) left_q <= cycles_t'(Entries + 10);   // more is never left
    else if (stays || next_left == '0)                left_q <= next_left;
    else                                              left_q <= next_left - cycles_t'(1);
  end

  // Events that were to happen by now.
  logic [4:0] beside_q;         // the entry before the followed one was taken
  logic [6:0] beside_set_q;     // … with a set
  logic       stays_found_q, done_q;
  logic [1:0] beside_found_q;   // another entry was written
  logic [9:0] found_at_q, found_before_q;
  entry_t     written_q, read_back_q, compared_q;
  logic [31:0] sought_q;
  logic       checks_it_q, check_compares_it_q, takes_beside, quiet;
  entry_t taken;
  assign taken        = set_i ? '{armed: set_armed_i, value: set_value_i} : u_time.entry_mem[index_t'({half_q, found_index[NumberW-1:0]})];
  assign takes_beside = found_valid && found_take_i && found_deadline == half_q && found_index + 9'd1 == number_q && sought_now &&
                        !sets_q[0] && !u_time.anew_q && !(taken.armed && taken.value == now_q + 32'(!half_q)) &&
                        (!set_i || set_index_i == {half_q, found_index});
  assign quiet        = !set_i && !u_time.restart;
  always_ff @(posedge clk_i) begin
    beside_q      <= quiet ? {beside_q[3:0], takes_beside} : '0;
    beside_set_q  <= (quiet ? {beside_set_q[5:0], 1'b0} : '0) | 7'(takes_beside && set_i);
    stays_found_q <= found_valid && !found_take_i && !set_i;
    beside_found_q <= {beside_found_q[0] && !found_take_i, found_valid && !found_take_i && set_i && set_index_i != {found_deadline, found_index}};
    found_at_q     <= {found_deadline, found_index};
    found_before_q <= found_at_q;
    done_q        <= !u_time.deadlines_q && !u_time.waits_q && left_q == '0 && !u_time.found_q && !u_time.anew_q && !starts &&
                     !clear_i && cleared_q == '0 && !set_i && !sets_q[0] && !open_i && waiting_q != '0 && !publish_i && !published_q[0];
    written_q     <= u_time.set_entry_q;
    read_back_q   <= written_q;
    compared_q    <= read_back_q;
    sought_q      <= u_time.sought_q;
    checks_it_q         <= u_time.check_q && u_time.set_index_q == index_t'({half_q, number_q[NumberW-1:0]}) && !u_time.set_q;
    check_compares_it_q <= checks_it_q && !(u_time.set_q && u_time.set_index_q == index_t'({half_q, number_q[NumberW-1:0]}));
  end

  // ---- how the unit uses it -------------------------------------------------------------------------------------------

  logic agreed;
  always_comb begin
    m_followed: assume (32'(number_q) < Entries && 32'(timer_q) < ((Timers > 0) ? Timers : 1));
    m_reset:    assume (!FromReset || started_q || clear_i);
    m_clear:    assume (!clear_i || !(set_i || publish_i || tick_set_i || found_take_i || note_i || unnote_i || open_i));
    m_cleared:  assume (clear_i ? cleared_q[0] : known_q);
    m_index:    assume (!set_i || 32'(set_index_i[8:0]) < Entries);
    m_value:    assume (!set_i || !set_armed_i || set_value_i != now_q);     // at least a tick ahead
    m_publish:  assume (!publish_i || (may_publish && !set_i));
    m_sets:     assume (!set_i || !sets_q[0]);
    m_open:     assume (!open_i || open_q || published_q != '0);
    m_note:     assume (!publish_i || !(note_i || unnote_i));
    m_timer:    assume (!(note_i || unnote_i) || 32'(timer_i) < Timers);
    m_length:   assume (!tick_set_i || tick_cycles_i == '0 || tick_cycles_i > 32'd3);
    m_lengths:  assume (!tick_set_i || (lengths_q & 9'((1 << (Apart - 1)) - 1)) == '0);
    m_advance:  assume (Twice ? advance_i != advance_q : advance_i);
    m_counted:  assume (waiting_q < 16'hFFFE);
    // Registers that no reset sets are anything, and the same in both.
    m_start:    assume (started_q || agreed);
  end

  // ---- promises -------------------------------------------------------------------------------------------------------

  logic found_it;
  assign found_it = found_valid && {found_deadline, found_index} == {half_q, number_q};
  always_comb begin
    a_length:   assert (!started_q || tick_cycles == length_q);
    a_tick:     assert (!started_q || u_time.elapsed == elapses);
    a_count:    assert (!started_q || u_time.pending_q == waiting_q + 16'(published_q[0]));
    a_waits:    assert (!started_q || !may_publish || waiting_q != '0);
    a_prompt:   assert (!started_q || !done_q || may_publish);
    a_now:      assert (!started_q || published_q[0] || now_low == now_q);
    a_passed:   assert (!started_q || !may_publish || !armed || followed_q.value != now_q + 32'(!half_q));
    a_found:    assert (!started_q || !found_it || sought_now);
    a_number:   assert (!started_q || !found_valid || 32'(found_index) < Entries);
    a_stays:    assert (!started_q || !stays_found_q || (found_valid && {found_deadline, found_index} == found_at_q));
    a_again:    assert (!started_q || !beside_found_q[1] || (found_valid && {found_deadline, found_index} == found_before_q));
    a_open:     assert (!started_q || !found_valid || found_deadline || !open_i);
    a_order:    assert (!started_q || !found_valid || found_deadline || !half_q || !sought_now);
    a_beside:   assert (!started_q || !beside_q[4] || found_it);
    a_with_set: assert (!started_q || !beside_set_q[6] || found_it);
    a_ends:     assert (!started_q || !searches || u_time.found_q || left_q != '0 || (u_time.rests && check_left == '0));
    a_anew:     assert (!started_q || cleared_q != '0 || !u_time.check_compared_q || !u_time.same ||
                        (compared_q.armed && compared_q.value == sought_q));
    a_lines:    assert (!started_q || 32'(expired) >> Timers == '0);
    a_line:     assert (!started_q || Timers == 0 || expired[timer_q] == line_q);
    a_noted:    assert (!started_q || Timers == 0 || !asked_q || cleared_q[1] || noted == noted_q);
    a_collides: assert (!started_q || cleared_q[1] || !u_time.set_q || !(u_time.check_q || u_time.reads));
    h_agreed:   assert (!Hints || !started_q || agreed);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  entry_t              kept;              // in memory
  index_t       place;
  logic                written, kept_now;
  logic [31:0]         compares;
  cycles_t             front, at;         // entries below it were compared; the one that is read
  function automatic logic [31:0] unlike(logic [31:0] one, logic [31:0] other);   // as mel_time compares
    return ((one ^ other) | ((one ^ other) >> 1)) & 32'h5555_5555;
  endfunction
  assign place    = {half_q, number_q[NumberW-1:0]};
  assign kept     = u_time.entry_mem[place];
  assign written  = u_time.set_q && u_time.set_index_q == place;
  assign kept_now = kept.armed && kept.value == u_time.sought_q;
  assign compares = unlike(kept.value, u_time.sought_q);
  assign at       = cycles_t'(u_time.scan_q) - cycles_t'(1);
  assign front    = cycles_t'(u_time.scan_q) - cycles_t'(u_time.read_q) - cycles_t'(u_time.compared_q);

  logic same_use, same_entry, same_phase, same_search, same_found, same_checks, same_ticks, same_notes, same_time;
  always_comb begin
    same_use = u_time.publish_q == published_q[0] && u_time.tick_set_q == lengths_q[0] && u_time.cleared_q == cleared_q[0] &&
               (u_time.set_q ? sets_q[0] || cleared_q[0] : !sets_q[0]) && (u_time.check_q ? sets_q[1] || cleared_q[1] : !sets_q[1]) &&
               (u_time.check_read_q ? sets_q[2] || cleared_q[2] : !sets_q[2]) && (u_time.check_compared_q ? sets_q[3] || cleared_q[3] : !sets_q[3]) &&
               (sets_q & (sets_q >> 1)) == '0 && (published_q & (published_q >> 1)) == '0 && (known_q || cleared_q[0]);
    for (int unsigned i = 0; i < 3; i++) same_use = same_use && (!cleared_q[i] || (cleared_q[i+1] && !sets_q[i] && !sets_q[i+1]));
    same_use = same_use && (!cleared_q[3] || sets_q[5:3] == '0) && (!cleared_q[2] || sets_q[4] == '0);

    same_entry = (!known_q || (written ? u_time.set_entry_q.armed == followed_q.armed && (!armed || u_time.set_entry_q.value == followed_q.value) :
                  kept.armed == followed_q.armed && (!armed || kept.value == followed_q.value))) &&
                 (!half_q || !known_q || written || !kept.armed || u_time.any_q) &&
                 (!written || !u_time.set_entry_q.armed || (!cleared_q[0] && u_time.set_entry_q.value != now_q));

    same_phase = u_time.now_q == now_q - 32'(published_q[0]) && u_time.sought_q == now_q + 32'(!published_q[0] && !u_time.waits_q) &&
                 (!u_time.deadlines_q || (u_time.waits_q && u_time.any_q)) && (!u_time.waits_q || !cleared_q[0]) &&
                 (!(u_time.waits_q && !u_time.deadlines_q) || (!u_time.read_q && !u_time.compared_q && !u_time.found_q && u_time.scan_q == '0)) &&
                 (!cleared_q[0] || (!u_time.found_q && !u_time.read_q && !u_time.compared_q && !u_time.anew_q && published_q == '0)) &&
                 (u_time.waits_q || published_q[0] || (!open_q && !published_q[1])) &&
                 (!(may_publish || published_q[0]) || (u_time.rests && !u_time.deadlines_q && !u_time.waits_q && !u_time.set_q && !u_time.check_q &&
                  !u_time.check_read_q && !u_time.check_compared_q && !u_time.anew_q && !cleared_q[0])) &&
                 (!may_publish || (waiting_q != '0 && !published_q[0] && !open_q));

    same_search = 32'(u_time.scan_q) <= Entries && 32'(u_time.scan_q) >= 32'(u_time.read_q) + 32'(u_time.compared_q) &&
                  (!u_time.found_q || (32'(u_time.scan_q) < Entries && !u_time.read_q && !u_time.compared_q)) &&
                  (!(u_time.check_q || u_time.check_read_q) || (!u_time.read_q && !u_time.compared_q)) &&
                  (!u_time.check_compared_q || !u_time.compared_q) &&
                  (!u_time.read_q || u_time.deadlines_q != half_q || at != cycles_t'(number_q) || u_time.entry == kept) &&
                  (!u_time.compared_q || u_time.deadlines_q != half_q || at - cycles_t'(u_time.read_q) != cycles_t'(number_q) ||
                   (u_time.armed_q == kept.armed && u_time.other_q == compares));

    same_found = (!u_time.found_q || u_time.deadlines_q != half_q || 32'(u_time.scan_q) != 32'(number_q) || kept_now) &&
                 (!found_valid || (u_time.found_q && !sets_q[0])) &&
                 (half_q || u_time.deadlines_q || u_time.waits_q || cycles_t'(number_q) >= front || !kept_now ||
                  (u_time.check_q && u_time.set_index_q == place) || checks_it_q || check_compares_it_q || u_time.anew_q) &&
                 (!half_q || !u_time.deadlines_q || cycles_t'(number_q) >= front || !kept_now) &&
                 (!half_q || !known_q || written || published_q[0] || u_time.deadlines_q || !kept.armed || kept.value != u_time.now_q) &&
                 (!stays_found_q || (found_valid && {found_deadline, found_index} == found_at_q));

    same_checks = (!checks_it_q || (u_time.check_read_q && u_time.entry == kept)) &&
                  (!check_compares_it_q || u_time.sought_q != sought_q ||
                   (u_time.check_compared_q && u_time.armed_q == kept.armed && u_time.other_q == compares)) &&
                  (!u_time.check_q || cleared_q[1] || u_time.entry_mem[u_time.set_index_q] == written_q) &&
                  (!u_time.check_read_q || cleared_q[2] || u_time.entry == read_back_q) &&
                  (!u_time.check_compared_q || cleared_q[3] ||
                   (u_time.armed_q == compared_q.armed && u_time.other_q == unlike(compared_q.value, sought_q))) &&
                  (u_time.sought_q == sought_q || (u_time.sought_q == sought_q + 32'd1 && u_time.scan_q == '0 && !u_time.waits_q));

    same_ticks = u_time.length_q == length_q && u_time.target_q == target_q && u_time.runs_q == runs_q && (length_q == '0 || length_q > 32'd3) &&
                 u_time.pending_q == waiting_q + 16'(published_q[0]) && (lengths_q[0] || runs_q == (length_q != '0));
    if (runs_q) same_ticks = same_ticks && spent_q < target_q && target_q > 32'd3 && u_time.count_q == spent_q + 32'd3 &&
                             (u_time.unlike_q == '0) == (spent_q != '0 && target_q == spent_q + 32'd2) &&
                             u_time.reached_q == (spent_q > 32'd1 && target_q == spent_q + 32'd1) && (lengths_q[1] || stopped_q == '0);
    else        same_ticks = same_ticks && (lengths_q[1] || target_q == '0) && (stopped_q < 2'd1 || u_time.count_q == 32'd3) &&
                             (stopped_q < 2'd2 || u_time.unlike_q != '0) && (stopped_q < 2'd3 || !u_time.reached_q);
    for (int unsigned age = 1; age < 7; age++) begin
      if (!runs_q && (lengths_q & 9'((2 << age) - 2)) == '0) begin
        same_ticks = same_ticks && 32'(stopped_q) >= (!Twice ? ((age > 3) ? 3 : age) :
                                                      (age + 32'(advance_q) > 6) ? 3 : (age + 32'(advance_q)) / 2);
      end
    end
    for (int unsigned i = 0; i < 9; i++) begin
      for (int unsigned j = i + 1; j < i + Apart && j < 9; j++) same_ticks = same_ticks && !(lengths_q[i] && lengths_q[j]);
    end

    same_time = !searches || left_q >= remains;
    same_time = same_time && 32'(left_q) <= Entries + 10 && (!done_q || may_publish);

    agreed = same_use && same_entry && same_phase && same_search && same_found && same_checks && same_ticks && same_notes && same_time &&
             (started_q || (beside_q == '0 && beside_set_q == '0 && beside_found_q == '0 &&
                            (!FromReset || (!known_q && cleared_q == '1 && sets_q == '0 && lengths_q == 9'd2))));
  end

  if (Timers > 0) begin : gen_notes
    logic own_note;
    assign own_note   = u_time.gen_timers.notes_q[timer_q];
    assign same_notes = (cleared_q[0] || own_note == note_before_q) && expired[timer_q] == line_q && rises_q == (published_q[0] && own_note) &&
                        note_q == (!published_q[0] && !cleared_q[0] &&
                                   ((u_time.gen_timers.changes_q && 4'(u_time.gen_timers.timer_q) == timer_q) ? u_time.gen_timers.note_q : own_note)) &&
                        (!asked_q || cleared_q[1] || noted == noted_q) && !(u_time.gen_timers.changes_q && (published_q[0] || cleared_q[0]));
  end else begin : gen_no_notes
    assign same_notes = 1'b1;
  end

  always_comb begin
    c_found:    cover (started_q && found_it && half_q && found_take_i && waiting_q == 16'd2);
    c_expiry:   cover (started_q && found_it && !half_q && found_take_i && set_i);
    c_withdraw: cover (started_q && u_time.found_q && written && !found_take_i && u_time.found_index_o == number_q);
    c_next:     cover (started_q && check_compares_it_q && u_time.same && !u_time.deadlines_q && front == cycles_t'(Entries));
    c_publish:  cover (started_q && publish_i && waiting_q == 16'd3);
    c_elapse:   cover (started_q && elapses && lengths_q[0] && length_q != target_q);
    c_beside:   cover (started_q && beside_set_q[6]);
    c_line:     cover (started_q && Timers > 0 && line_q && published_q[1]);
    c_open:     cover (started_q && open_i && u_time.waits_q && !u_time.deadlines_q && set_i);
  end
endmodule
