// SPDX-License-Identifier: Apache-2.0
// Proof of mel_flag_waiters, for any sequence of operations and judgements: the released tasks are exactly those whose condition
// held when they were judged; the first of them, whether a deletion released it, its value, the flags to clear, and who is
// released are right, at exactly the cycles that the module promises. The ghost holds every task's condition as a plain record
// and judges all tasks at once.
// How: induction over one step. What holds it is that the memories spell the ghost, rows that a judgement has not read yet the
// ghost of before, and that the two stages hold the best of the rows that they have seen.
// Small instance (2 rows): lanes, rows, flags and groups are handled alike for any number. Full sizes: tests/rtl/test_event_flags_rtl.py.
// Needs: the module is used as the sequencer does (assumptions m_*).
module mel_flag_waiters_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Lanes = 2
) (
  input logic       clk_i,
  input logic [1:0] op_i,
  input logic [7:0] task_id_i,
  input logic [7:0] prio_i,
  input logic [7:0] group_i,
  input logic [1:0] pattern_i,
  input logic       all_i,
  input logic       take_i,
  input logic       judge_i,
  input logic       remove_i,
  input logic       read_i,
  input logic [7:0] subject_i
);

  localparam int unsigned Rows  = 2;
  localparam int unsigned Tasks = Rows * Lanes;
  localparam int unsigned LaneW = $clog2(Lanes);
  localparam int unsigned Width = 2;

  typedef struct packed {
    logic             waiting;
    logic             matched;
    logic             group;
    logic             all;       // … of a released task: a deletion released it
    logic             take;
    logic [Width-1:0] pattern;   // … the flags that released it
  } ghost_t;

  typedef struct packed { logic valid; logic prio; logic [7:0] task_id; logic deleted; logic [Width-1:0] value; } best_t;

  // ---- one cycle of reset, then one cycle of clearing per row ---------------------------------------------------------

  logic [2:0] age_q = '0;
  logic       rst_n, clearing;
  assign rst_n    = (age_q != '0);
  assign clearing = (age_q <= 3'(Rows));
  always_ff @(posedge clk_i) if (age_q != '1) age_q <= age_q + 3'd1;

  flag_wait_t     early;
  flag_wait_t     change = '0;   // operation of the cycle before
  flag_judge_t    judge;
  flag_released_t released;
  logic           judged, subject_matched, busy;
  logic [31:0]    judge_clear;

  assign early  = '{op: flag_wait_op_e'(op_i), task_id: task_id_i, group: group_i, pattern: 32'(pattern_i), all: all_i,
                    take: take_i, prio: prio_i};
  always_ff @(posedge clk_i) change <= rst_n ? early : '0;
  assign judge  = '{valid: judge_i, group: group_i, flags: 32'(pattern_i), remove: remove_i};

  mel_flag_waiters #(.Tasks(Tasks), .Priorities(2), .EventFlags(2), .Lanes(Lanes), .Width(Width)) u_waiters (
    .clk_i, .rst_ni (rst_n),
    .clear_i (clearing), .clear_index_i (9'(age_q) - 9'd1),
    .early_i (early), .op_i (change), .judge_i (judge), .judged_o (judged), .judge_clear_o (judge_clear),
    .read_i, .read_subject_i (subject_i), .subject_matched_o (subject_matched),
    .released_o (released), .busy_o (busy)
  );

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  ghost_t [Tasks-1:0] ghost_q = '0;           // a judgement shows at once
  ghost_t [Tasks-1:0] before_q = '0;          // … before the last judgement
  logic   [Tasks-1:0] prio_q = '0;
  logic   [Rows-1:0][Width-1:0] clear_q = '0; // flags to clear by the last judgement, per row
  logic               removed_q = '0;
  logic   [1:0]       wait_q = '0;            // cycles until the first is known
  logic               judging_q = '0;         // wait_q is that of a judgement
  logic               ends_q = '0;            // the cycle in which a judgement ends
  logic   [Tasks-1:0] hits;
  logic   [Rows-1:0][Width-1:0] clear;
  logic               adds, leaves, moves, urgent;

  assign adds   = (change.op == FlagWaitAdd);
  assign leaves = (change.op == FlagWaitRemove);
  assign moves  = (change.op == FlagWaitMove);

  always_comb begin
    clear  = '0;
    urgent = 1'b0;
    for (int unsigned t = 0; t < Tasks; t++) begin
      hits[t] = ghost_q[t].waiting && ghost_q[t].group == group_i[0] &&
                (remove_i || (ghost_q[t].all ? (ghost_q[t].pattern & ~pattern_i) == '0 : (ghost_q[t].pattern & pattern_i) != '0));
      if (hits[t] && ghost_q[t].take) clear[t / Lanes] |= ghost_q[t].pattern;
      urgent |= (leaves || moves) && ghost_q[t].matched && change.task_id == 8'(t);
    end
  end

  always_ff @(posedge clk_i) begin
    ends_q <= 1'b0;
    if (wait_q != '0) begin
      wait_q <= wait_q - 2'd1;
      ends_q <= judging_q && wait_q == 2'd1;
    end
    if (judge_i) begin
      before_q  <= ghost_q;
      clear_q   <= clear;
      removed_q <= remove_i;
      wait_q    <= 2'(Rows - 1);
      judging_q <= 1'b1;
    end else if (urgent) begin
      wait_q    <= 2'(Rows);
      judging_q <= 1'b0;
    end
    for (int unsigned t = 0; t < Tasks; t++) begin
      if (judge_i && hits[t]) begin
        ghost_q[t] <= '{waiting: 1'b0, matched: 1'b1, group: 1'b0, all: remove_i, take: 1'b0, pattern: pattern_i};
      end
      if (change.task_id == 8'(t)) begin
        if (adds) begin
          ghost_q[t] <= '{waiting: 1'b1, matched: 1'b0, group: change.group[0], all: change.all, take: change.take,
                          pattern: change.pattern[1:0]};
        end
        if (leaves) ghost_q[t] <= '0;
        if (adds || moves) prio_q[t] <= change.prio[0];
      end
    end
  end

  // The first of the released tasks among those of the rows wanted.
  function automatic best_t best_of(ghost_t [Tasks-1:0] tasks, logic [Tasks-1:0] prios, logic [Rows-1:0] rows);
    best_of = '0;
    for (int unsigned t = Tasks; t > 0; t--) begin
      if (tasks[t-1].matched && rows[(t-1)/Lanes] && !(best_of.valid && best_of.prio < prios[t-1])) begin
        best_of = '{valid: 1'b1, prio: prios[t-1], task_id: 8'(t - 1), deleted: tasks[t-1].all, value: tasks[t-1].pattern};
      end
    end
  endfunction

  best_t best;
  assign best = best_of(ghost_q, prio_q, '1);

  // Expected value: that of the first, 2 cycles after it is known, until a judgement begins or the next one is known.
  logic  fetch_q = '0, shown_q = '0, read_q = '0, expected_q = '0;
  best_t fetched_q = '0, value_q = '0;
  always_ff @(posedge clk_i) begin
    fetch_q <= u_waiters.stage_last_q && !judge_i && !urgent;
    if (u_waiters.stage_last_q) fetched_q <= best;
    if (judge_i) shown_q <= 1'b0;
    else if (fetch_q) begin
      shown_q <= fetched_q.valid;
      value_q <= fetched_q;
    end
    // A judgement is seen when its last row has been read.
    read_q     <= read_i && !judge_i && !(judging_q && wait_q != '0);
    expected_q <= 1'b0;
    for (int unsigned t = 0; t < Tasks; t++) begin
      if (subject_i == 8'(t)) expected_q <= ghost_q[t].matched && !(leaves && change.task_id == 8'(t));
    end
  end

  // ---- how the module is used -----------------------------------------------------------------------------------------

  logic busy_judging;
  assign busy_judging = judging_q && wait_q != '0;
  always_comb begin
    m_numbers: assume (task_id_i < 8'(Tasks) && subject_i < 8'(Tasks) && prio_i < 8'd2 && group_i < 8'd2);
    m_clear:   assume (!clearing || (op_i == FlagWaitNone && !judge_i && !read_i));   // the unit clears before it serves
    m_alone:   assume (change.op == FlagWaitNone || (!judge_i && !busy_judging));
    m_early:   assume (op_i != FlagWaitAdd || (!judge_i && !busy_judging));
    m_once:    assume (!judge_i || !busy_judging);
  end
  for (genvar t = 0; t < Tasks; t++) begin : gen_use
    always_comb begin
      m_add:   assume (!adds || change.task_id != 8'(t) || !(ghost_q[t].waiting || ghost_q[t].matched));
      m_waits: assume (!(leaves || moves) || change.task_id != 8'(t) || ghost_q[t].waiting || ghost_q[t].matched);
    end
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic old_any;
  always_comb begin
    old_any = 1'b0;
    for (int unsigned t = 0; t < Tasks; t++) old_any |= before_q[t].matched;

    a_valid:   assert (clearing || released.first.valid == (best.valid && wait_q == '0 && !leaves && !moves));
    a_first:   assert (!released.first.valid || (released.first.task_id == best.task_id &&
                       released.first.prio == 8'(best.prio) && released.deleted == best.deleted));
    a_value:   assert (!shown_q || released.value == 32'(value_q.value));
    a_judged:  assert (clearing || judged == ends_q);
    a_clear:   assert (!ends_q || removed_q || judge_clear == 32'(clear_q[0] | clear_q[1]));
    a_subject: assert (!read_q || subject_matched == expected_q);
    a_any:     assert (clearing || (busy_judging ? (released.any || !old_any) : (released.any == best.valid)));
    a_busy:    assert (clearing || busy || (wait_q == '0 && !best.valid));
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  logic [Rows-1:0] unread, stage_rows, best_rows;   // rows that the judgement will read; that are in stage and best
  best_t           stage_best, other_best;
  logic            at_row, stage_row;
  assign at_row     = u_waiters.row_q[0];
  assign stage_row  = u_waiters.stage_row_q[0];
  assign unread     = busy_judging ? Rows'(1) << at_row : '0;
  assign stage_rows = (u_waiters.left_q == 2'd1 || u_waiters.stage_last_q) ? Rows'(1) << stage_row : '0;
  assign best_rows  = u_waiters.stage_last_q ? ~stage_rows : (u_waiters.known_q && u_waiters.left_q == '0) ? '1 : '0;
  assign stage_best = best_of(ghost_q, prio_q, stage_rows);
  assign other_best = best_of(ghost_q, prio_q, best_rows);

  always_comb begin
    a_age:   assert (!clearing || (ghost_q == '0 && wait_q == '0 && !judging_q && !ends_q && !fetch_q && !shown_q && !read_q));
    a_left:  assert (u_waiters.left_q == wait_q && wait_q <= 2'(Rows) && (wait_q != 2'(Rows) || !judging_q));
    a_judge: assert (u_waiters.judging_q == busy_judging && (!busy_judging || u_waiters.stage_judge_q));
    a_end:   assert (ends_q == (u_waiters.stage_judge_q && u_waiters.stage_last_q));
    a_stage_judge: assert (!(u_waiters.stage_judge_q && wait_q == 2'd1) || busy_judging);
    a_last:  assert (!u_waiters.stage_last_q || (wait_q == '0 && !u_waiters.known_q));
    a_known: assert (!u_waiters.known_q || wait_q == '0);
    a_never: assert (u_waiters.known_q || u_waiters.stage_last_q || wait_q != '0 || !best.valid);
    a_rows:  assert (wait_q != 2'd1 || at_row != stage_row);
    a_fetch: assert (fetch_q == u_waiters.fetch_q && (!fetch_q || u_waiters.known_q || wait_q != '0));
    a_reset: assert (rst_n || age_q == '0);

    a_best_none:  assert (u_waiters.best_q.urgency.none == !other_best.valid);
    a_best:       assert (!other_best.valid || (u_waiters.best_q.urgency.prio == other_best.prio &&
                          8'({u_waiters.best_q.row, u_waiters.best_q.lane}) == other_best.task_id &&
                          u_waiters.best_q.deleted == other_best.deleted));
    a_stage_none: assert (&u_waiters.stage_none_q == !stage_best.valid);

    a_taken:   assert (!(busy_judging && !removed_q) || (u_waiters.together == clear_q[stage_row] && u_waiters.taken_q == '0));
    a_takes:   assert (!(ends_q && !removed_q) || (u_waiters.together == clear_q[stage_row] &&
                       u_waiters.taken_q == clear_q[!stage_row]));
    a_fetched: assert (!fetch_q || !fetched_q.valid || (8'({u_waiters.best_q.row, u_waiters.best_q.lane}) == fetched_q.task_id &&
                       at_row == u_waiters.best_q.row[0]));
  end

  for (genvar p = 0; p < Lanes / 2; p++) begin : gen_pair
    best_t low, pair;
    logic [Tasks-1:0] here;
    ghost_t [Tasks-1:0] only;
    for (genvar t = 0; t < Tasks; t++) begin : gen_only
      assign only[t] = ((t % Lanes) / 2 == p) ? ghost_q[t] : '0;
    end
    assign pair = best_of(only, prio_q, stage_rows);
    always_comb begin
      a_pair_none: assert (u_waiters.stage[p].urgency.none == !pair.valid);
      a_pair:      assert (!pair.valid || (u_waiters.stage[p].urgency.prio == pair.prio &&
                           8'({stage_row, u_waiters.stage[p].lane}) == pair.task_id && u_waiters.stage[p].deleted == pair.deleted));
    end
  end

  // The judgement under way, repeated on the ghost of before.
  logic [Tasks-1:0] before_hits;
  ghost_t           hit_ghost;
  logic [Rows-1:0][Width-1:0] before_clear;
  always_comb begin
    before_clear = '0;
    for (int unsigned t = 0; t < Tasks; t++) begin
      before_hits[t] = before_q[t].waiting && before_q[t].group == u_waiters.group_q[0] &&
                       (removed_q || (before_q[t].all ? (before_q[t].pattern & ~u_waiters.flags_q) == '0 :
                                                        (before_q[t].pattern & u_waiters.flags_q) != '0));
      if (before_hits[t] && before_q[t].take) before_clear[t / Lanes] |= before_q[t].pattern;
    end
    hit_ghost = '{waiting: 1'b0, matched: 1'b1, group: 1'b0, all: removed_q, take: 1'b0, pattern: u_waiters.flags_q};
    a_repeats: assert (!busy_judging || (before_clear == clear_q && u_waiters.remove_q == removed_q));
  end

  for (genvar t = 0; t < Tasks; t++) begin : gen_task
    localparam int unsigned Row  = t / Lanes;
    localparam int unsigned Lane = t % Lanes;
    ghost_t held, found;
    logic   wiped, late;
    assign held  = unread[Row] ? before_q[t] : ghost_q[t];
    assign wiped = !clearing || age_q > 3'(Row + 1);
    assign found = '{
      waiting: u_waiters.gen_lane[Lane].condition_mem[Row].waiting, matched: u_waiters.gen_lane[Lane].condition_mem[Row].matched,
      group: u_waiters.gen_lane[Lane].condition_mem[Row].group, all: u_waiters.gen_lane[Lane].condition_mem[Row].all,
      take: u_waiters.gen_lane[Lane].condition_mem[Row].take, pattern: u_waiters.gen_lane[Lane].pattern_mem[Row]
    };
    assign late = adds && change.task_id == 8'(t);   // the pattern was written when it was read
    always_comb begin
      a_one:         assert (!(ghost_q[t].waiting && ghost_q[t].matched));
      a_mem_state:   assert (!wiped || (found.waiting == held.waiting && found.matched == held.matched));
      a_mem_waiting: assert (!held.waiting || found == held);
      a_mem_value:   assert (!held.matched || (found.all == held.all && found.pattern == held.pattern));
      a_mem_prio:    assert (!(held.waiting || held.matched) || u_waiters.gen_lane[Lane].prio_mem[Row] == prio_q[t]);
      a_mem_word:    assert (!wiped || u_waiters.matched_mem[Row][Lane] == held.matched);
      a_before:      assert (!busy_judging || !unread[Row] || ghost_q[t] == (before_hits[t] ? hit_ghost : before_q[t]));
      a_mem_read:    assert (!rst_n || u_waiters.row_q != 1'(Row) || late ||
                             u_waiters.gen_lane[Lane].pattern == u_waiters.gen_lane[Lane].pattern_mem[Row]);
      a_mem_fetched: assert (!fetch_q || !fetched_q.valid || fetched_q.task_id != 8'(t) ||
                             (found.pattern == fetched_q.value));
    end
  end

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    logic occupied;
    always_comb begin
      occupied = 1'b0;
      for (int unsigned t = 0; t < Lanes; t++) begin
        occupied |= unread[r] ? before_q[r*Lanes+t].matched : ghost_q[r*Lanes+t].matched;
      end
      a_occupied: assert (!rst_n || occupied == (u_waiters.occupied_q[r] || (stage_rows[r] && u_waiters.stage_any)));
      a_marked:   assert (!rst_n || occupied == u_waiters.occupied_q[r] || (u_waiters.stage_judge_q && stage_rows[r]));
    end
  end

  always_comb begin
    c_all:    cover (ends_q && best.valid && ghost_q[0].matched && ghost_q[1].matched && ghost_q[2].matched && ghost_q[3].matched);
    c_second: cover (shown_q && released.first.valid && value_q.task_id == 8'd3 && released.value == 32'd2);
    c_takes:  cover (ends_q && !removed_q && judge_clear == 32'd3);
    c_meets:  cover (judge_i && u_waiters.left_q != '0);
  end

endmodule
