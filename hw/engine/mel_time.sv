// SPDX-License-Identifier: Apache-2.0
// mel_time: counts cycles to the tick, keeps the expiries of tasks and of alarm timers and the deadlines of tasks in one
// memory, and finds those that are reached with one comparator. The program publishes ticks and handles what is found.
//
// Memory: entry {half, number}. Half 0: expiries of tasks (0 .. Tasks-1), then of alarm timers (Tasks .. Tasks+Timers-1).
// Half 1: deadlines of tasks. Both halves are searched over Tasks + Timers numbers, so that they share one end.
// After each publish (when a deadline was ever armed) the deadlines that equal `now` are found; then, as soon as `open_i`
// is low, the expiries that equal `now` + 1. Equality suffices: both searches end before the next publish, and what is set
// is less than 2^32 ticks away.
//
// A search that finds stops at the entry (`found_*`) and, when it is taken, goes on with the same entry: the program must have
// disarmed it or moved it on, at the latest with the take. A write makes the search read again what is on its way, and is
// then read back: if it matches (an expiry set for the very next tick), the search begins anew; entries already handled are
// disarmed. A write of the entry found withdraws it.
//
// Timing, with inputs in cycle 0:
// * `tick_set_i` acts in cycle 1 (A): a count that is started there elapses in cycle A + length. While stopped, or when a
//   count elapses in A, it starts a count of the new length; otherwise that applies from the next tick on. Length 0 stops
//   at once. Lengths 1 to 3 are not possible, sets are at least 4 cycles apart. `tick_cycles_o` follows in cycle 1.
// * `set_i` writes at the end of cycle 1; `found_valid_o` and `may_publish_o` are low in cycle 1, so that what the next word
//   sees includes the write. Sets are at least 2 cycles apart. A match of the written entry is found after its restart.
// * `publish_i` only after `may_publish_o`, which is low from cycle 1 on; `expired_o` in cycle 2, for one cycle; `now_low_o`
//   from cycle 2 on. `open_i` must be high from cycle 2 on if tasks are to be released in this tick.
// * `found_take_i`: `found_valid_o` is low in cycle 1; an entry beside it that matches, too, is found in cycle 5 (7 when the take
//   comes with the set). Without effect when nothing is found; the write of the entry found takes it, too.
// * A search takes Tasks + Timers + 3 cycles, 4 more for each entry found, at most 5 more for each write.
// * `note_i`, `unnote_i` (never with `publish_i`) act in cycle 1; `noted_o` for `timer_i` of cycle 0 is there in cycle 1,
//   without the note of cycle 0.
// While `clear_i` is high (from reset on, until every entry of both halves was cleared), the rest is idle.
module mel_time #(
  parameter int unsigned Tasks     = 64,   // 4..256
  parameter int unsigned Timers    = 8,    // 0..16
  parameter logic [31:0] TimeReset = '0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        clear_i,
  input  logic [9:0]  clear_index_i,

  input  logic        advance_i,        // a cycle of the cores ends: ticks are counted in those (mel_clock_ratio)

  input  logic        tick_set_i,
  input  logic [31:0] tick_cycles_i,
  output logic [31:0] tick_cycles_o,

  input  logic        publish_i,        // a tick begins
  output logic        may_publish_o,
  input  logic        open_i,           // the tasks of this tick are being released
  output logic [31:0] now_low_o,

  input  logic        set_i,
  input  logic [9:0]  set_index_i,
  input  logic        set_armed_i,
  input  logic [31:0] set_value_i,

  output logic        found_valid_o,
  output logic        found_deadline_o,
  output logic [8:0]  found_index_o,
  input  logic        found_take_i,

  input  logic        note_i,           // the timer's line rises with the next tick
  input  logic        unnote_i,
  input  logic [3:0]  timer_i,
  output logic        noted_o,
  output logic [15:0] expired_o
);

  localparam int unsigned Entries = Tasks + Timers;       // numbers in a half
  localparam int unsigned NumberW = $clog2(Entries);
  localparam int unsigned ScanW   = $clog2(Entries + 1);
  typedef logic [NumberW:0]  index_t;
  typedef logic [ScanW-1:0]  scan_t;

  // Pairs of bits, each as its lower bit, in which two words differ: the first of two cycles that compare them.
  function automatic logic [31:0] unlike(logic [31:0] one, logic [31:0] other);
    return ((one ^ other) | ((one ^ other) >> 1)) & 32'h5555_5555;
  endfunction

  // ---- ticks ----------------------------------------------------------------------------------------------------------

  // The count goes up, so that it begins with a constant (a synchronous reset of its flip-flops, no multiplexers), and is
  // compared with the length in two cycles: therefore it begins with 3.
  logic [31:0] length_q, target_q, count_q;
  logic [31:0] unlike_q;
  logic [15:0] pending_q;
  logic        tick_set_q, runs_q, reached_q, elapsed, zero, starts;
  logic        publish_q;

  assign zero    = (length_q == '0);
  assign elapsed = reached_q && runs_q && advance_i;
  assign starts  = elapsed || !runs_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      length_q   <= '0;
      target_q   <= '0;
      tick_set_q <= 1'b0;
      runs_q     <= 1'b0;
      pending_q  <= '0;
    end else begin
      tick_set_q <= tick_set_i;
      if (tick_set_i) length_q <= tick_cycles_i;
      if (tick_set_q) runs_q   <= !zero;
      if (starts)     target_q <= length_q;
      pending_q <= pending_q + {{15{publish_q && !elapsed}}, publish_q != elapsed};
    end
  end

  always_ff @(posedge clk_i) if (advance_i) begin
    count_q   <= starts ? 32'd3 : count_q + 32'd1;
    reached_q <= (unlike_q == '0);
    unlike_q  <= unlike(count_q, target_q);
  end

  assign tick_cycles_o = length_q;

  // ---- memory ---------------------------------------------------------------------------------------------------------

  typedef struct packed { logic armed; logic [31:0] value; } entry_t;

  (* no_rw_check, ram_style = "block" *) entry_t entry_mem [2**(NumberW+1)];
  entry_t      entry, set_entry_q;
  index_t      set_index_q, read_index;
  logic        set_q, cleared_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      set_q     <= 1'b0;
      cleared_q <= 1'b1;
    end else begin
      set_q     <= set_i || clear_i;
      cleared_q <= clear_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (set_i || clear_i) begin
      set_index_q <= clear_i ? {clear_index_i[9], clear_index_i[NumberW-1:0]} : {set_index_i[9], set_index_i[NumberW-1:0]};
      set_entry_q <= '{armed: set_armed_i && !clear_i, value: set_value_i};
    end
  end

  always_ff @(posedge clk_i) begin
    if (set_q) entry_mem[set_index_q] <= set_entry_q;
    entry <= entry_mem[read_index];
  end

  // ---- search ---------------------------------------------------------------------------------------------------------

  // `sought_q` is `now` while deadlines are searched, and one more while expiries are: it advances once in a tick, in between.
  logic [31:0] now_q, sought_q;
  logic        any_q;                    // a deadline was armed
  logic        deadlines_q;              // are searched, else expiries
  logic        waits_q;                  // … but not before `open_i` is low
  scan_t       scan_q;                   // next number to read; with `found_q` the one found
  logic        reads, read_q, compared_q;   // one entry on its way: address, content, comparison
  logic        check_q, check_read_q, check_compared_q;   // likewise the entry written
  logic [31:0] other_q;
  logic        armed_q, same, match, back, back_one;
  logic        found_q, found_d, found_valid_q, withdraws;
  logic        anew_q, restart;          // the entry written matches
  logic        ended, rests, advance, may_publish_q;

  function automatic logic at_end(scan_t number);   // counting up, the first number with the ones of Entries is Entries
    return (number & scan_t'(Entries)) == scan_t'(Entries);
  endfunction

  assign ended      = at_end(scan_q);
  assign reads      = (deadlines_q || !waits_q) && !ended && !found_q && !set_q && !check_q;
  assign read_index = check_q ? set_index_q : {deadlines_q, scan_q[NumberW-1:0]};

  assign same      = (other_q == '0) && armed_q;
  assign match     = compared_q && same && !set_q;
  assign back      = match || set_q;           // to the oldest entry on its way
  assign back_one  = read_q != compared_q;
  assign withdraws = set_q && set_index_q == {deadlines_q, scan_q[NumberW-1:0]};
  assign rests     = ended && !read_q && !compared_q && !found_q;
  assign advance   = waits_q && !deadlines_q && !open_i;
  assign restart   = (anew_q && !found_q) || (deadlines_q && rests) || publish_q || cleared_q;

  always_comb begin
    found_d = found_q ? !found_take_i && !withdraws : match && !restart;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q            <= TimeReset;
      sought_q         <= TimeReset + 32'd1;
      any_q            <= 1'b0;
      deadlines_q      <= 1'b0;
      waits_q          <= 1'b0;
      read_q           <= 1'b0;
      compared_q       <= 1'b0;
      check_q          <= 1'b0;
      check_read_q     <= 1'b0;
      check_compared_q <= 1'b0;
      found_q          <= 1'b0;
      found_valid_q    <= 1'b0;
      anew_q           <= 1'b0;
      publish_q        <= 1'b0;
      may_publish_q    <= 1'b0;
    end else begin
      publish_q <= publish_i;
      if (publish_q) now_q <= sought_q;
      sought_q <= sought_q + 32'(advance);

      if (set_q && set_index_q[NumberW] && set_entry_q.armed) any_q <= 1'b1;
      if (publish_q)                 deadlines_q <= any_q;
      else if (rests)                deadlines_q <= 1'b0;
      if (publish_q)                 waits_q <= 1'b1;
      else if (advance)              waits_q <= 1'b0;

      read_q           <= reads && !match && !restart;
      compared_q       <= read_q && !back && !restart;
      check_q          <= set_q;
      check_read_q     <= check_q;
      check_compared_q <= check_read_q;
      anew_q           <= (check_compared_q && same && !cleared_q) || (anew_q && found_q);
      found_q          <= found_d;
      found_valid_q    <= found_d && !set_i;
      may_publish_q    <= rests && !deadlines_q && !waits_q && !open_i && (pending_q != '0) && !publish_q && !publish_i &&
                          !set_q && !set_i && !clear_i && !check_q && !check_read_q && !check_compared_q && !anew_q;
    end
  end

  always_ff @(posedge clk_i) begin
    scan_q  <= restart ? '0 : scan_q + {{ScanW-1{back && (read_q || compared_q)}}, back ? back_one : reads};
    armed_q <= entry.armed;
    other_q <= unlike(entry.value, sought_q[31:0]);
  end

  assign now_low_o        = now_q;
  assign may_publish_o    = may_publish_q;
  assign found_valid_o    = found_valid_q;
  assign found_deadline_o = deadlines_q;
  assign found_index_o    = 9'(scan_q);

  // ---- alarm timers ---------------------------------------------------------------------------------------------------

  if (Timers == 0) begin : gen_no_timers
    logic unused_all;
    assign unused_all = ^{note_i, unnote_i, timer_i};
    assign noted_o    = 1'b0;
    assign expired_o  = '0;
  end else begin : gen_timers
    localparam int unsigned TimerW = (Timers > 1) ? $clog2(Timers) : 1;
    typedef logic [TimerW-1:0] timer_t;
    timer_t            timer_q;
    logic              note_q, changes_q, noted_q;
    logic [Timers-1:0] notes_q, expired_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) changes_q <= 1'b0;
      else         changes_q <= note_i || unnote_i;
    end
    always_ff @(posedge clk_i) begin
      timer_q <= timer_t'(timer_i);
      note_q  <= note_i;
      noted_q <= notes_q[timer_t'(timer_i)];
      // Without asynchronous reset, so that publish and clear need no logic.
      if (publish_q || cleared_q) notes_q <= '0;
      else begin
        for (int unsigned i = 0; i < Timers; i++) begin
          if (changes_q && timer_q == timer_t'(i)) notes_q[i] <= note_q;
        end
      end
      expired_q <= publish_q ? notes_q : '0;
    end
    assign noted_o   = noted_q;
    assign expired_o = 16'(expired_q);
  end

`ifndef SYNTHESIS
  logic [2:0] tick_sets_q;   // in the cycles before
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tick_sets_q <= '0;
    else         tick_sets_q <= {tick_sets_q[1:0], tick_set_i};
  end
  a_publish:       assert property (@(posedge clk_i) disable iff (!rst_ni) !publish_i || (may_publish_o && !set_i));
  a_complete:      assert property (@(posedge clk_i) disable iff (!rst_ni) !publish_q || (rests && !deadlines_q && !waits_q &&
                     {check_q, check_read_q, check_compared_q, anew_q} == '0 && pending_q != '0));
  a_sets_apart:    assert property (@(posedge clk_i) disable iff (!rst_ni) !set_i || !set_q || cleared_q);   // it is read back
  a_note_apart:    assert property (@(posedge clk_i) disable iff (!rst_ni) !publish_i || !(note_i || unnote_i));
  a_length:        assert property (@(posedge clk_i) disable iff (!rst_ni) !tick_set_i || tick_cycles_i == '0 || tick_cycles_i > 32'd3);
  a_lengths_apart: assert property (@(posedge clk_i) disable iff (!rst_ni) !tick_set_i || tick_sets_q == '0);
  a_ticks_counted: assert property (@(posedge clk_i) disable iff (!rst_ni) pending_q != '1);
`endif

endmodule
