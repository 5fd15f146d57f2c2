// SPDX-License-Identifier: Apache-2.0
// mel_flag_waiters: the conditions of the tasks that wait for event flags, judged a row of `Lanes` tasks per cycle, and the
// tasks that were released and have not left yet. They are in no lists (decision 0008).
//
// Timing, in cycles after that of `judge_i.valid` or of `op_i`, R = rows = ceil(Tasks / Lanes), the same for any content:
//   judge  R      `judged_o` and `judge_clear_o`, one cycle; `released_o.first`
//   remove R + 1  `released_o.first` is the next one, when the task that left had been released; `released_o.any` in 1
//   move   R + 1  `released_o.first`, when the task had been released
//   Removing or moving other tasks: `released_o.first` is not valid in the cycle of the operation, else as before.
// `released_o.value` belongs to `first` from 2 cycles after `first.valid` rose (then and later, also when the task is being
// removed), until 2 cycles after the next one is known or a judgement begins. In the cycle of a judgement `first` is the old one.
// `subject_matched_o`: the task read in the last cycle with `read_i` is released and has not left. An operation in the cycle of
// `read_i` counts; a judgement counts for reads from its cycle R on.
//
// The patterns are in block RAM: `early_i` is `op_i` one cycle before, so that a new pattern is there when a judgement may begin.
//
// How: cycle a reads a row, judges it, writes what it decided back, and leaves the better of each pair of lanes; cycle b finds
// the best of the row and merges it with that of the rows before. A scan begins with whatever row is the next: nothing late in
// a cycle has to move the address. A scan that only looks for the next released task runs in the background; a judgement
// takes its place, being such a scan too. The union of the taken patterns, and the value, go through one OR of all lanes, the
// lanes not wanted being reset.
module mel_flag_waiters
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32,   // 2..256, 0 is the most urgent
  parameter int unsigned EventFlags = 16,   // 1..128
  parameter int unsigned Lanes      = 16,   // 2, 4, 8 …: tasks judged per cycle
  parameter int unsigned Width      = 32    // 1..32 flags in a group; fewer only in proofs
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           clear_i,
  input  line_t          clear_index_i,     // a row

  input  flag_wait_t     early_i,           // `op_i` of the next cycle: the pattern that is added
  input  flag_wait_t     op_i,              // from registers; not while a judgement reads rows
  input  flag_judge_t    judge_i,
  output logic           judged_o,
  output logic [31:0]    judge_clear_o,     // flags that released tasks take; of a deletion: any

  input  logic           read_i,
  input  id_t            read_subject_i,
  output logic           subject_matched_o,

  output flag_released_t released_o,
  output logic           busy_o
);

  localparam int unsigned TaskW   = $clog2(Tasks);
  localparam int unsigned Columns = (2**TaskW < Lanes) ? 2**TaskW : Lanes;
  localparam int unsigned LaneW   = $clog2(Columns);
  localparam int unsigned Rows    = (Tasks + Columns - 1) / Columns;
  localparam int unsigned RowW    = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int unsigned LeftW   = $clog2(Rows + 1);
  localparam int unsigned PrioW   = $clog2(Priorities);
  localparam int unsigned GroupW  = (EventFlags > 1) ? $clog2(EventFlags) : 1;
  localparam int unsigned Pairs   = Columns / 2;

  typedef logic [LaneW-1:0]  lane_t;
  typedef logic [RowW-1:0]   row_t;
  typedef logic [LeftW-1:0]  left_t;
  typedef logic [PrioW-1:0]  level_t;
  typedef logic [GroupW-1:0] group_t;
  typedef logic [Width-1:0]  flags_t;

  // A released task keeps in the place of its pattern the flags that released it, in that of `all` whether a deletion did.
  typedef struct packed {
    logic   waiting;
    logic   matched;   // released, and has not left
    group_t group;
    logic   all;
    logic   take;
  } condition_t;

  // `none` before the priority: one comparison of both, no logic behind it, chooses between two of them.
  typedef struct packed { logic none; level_t prio; } urgency_t;
  typedef struct packed { urgency_t urgency; lane_t lane; logic deleted; } candidate_t;
  typedef struct packed { urgency_t urgency; row_t row; lane_t lane; logic deleted; } place_t;

  function automatic row_t row_of(id_t task_id);
    return (Rows > 1) ? row_t'(task_id >> LaneW) : '0;
  endfunction

  // ---- which row is read ----------------------------------------------------------------------------------------------

  row_t   row_q, row_d, stage_row_q;
  left_t  left_q;                  // rows still to be read
  logic   judging, judging_q;      // this row belongs to a judgement
  logic   reading, restart;
  logic   stage_last_q, stage_judge_q, fetch_q, known_q;
  place_t best_q, merged;
  logic   op_adds, op_removes, op_changes, op_matched;

  assign op_adds    = (op_i.op == FlagWaitAdd);
  assign op_removes = (op_i.op == FlagWaitRemove);
  assign op_changes = op_removes || (op_i.op == FlagWaitMove);
  assign restart    = op_changes && op_matched;
  assign judging    = judge_i.valid || judging_q;
  assign reading    = judge_i.valid || left_q != '0;

  always_comb begin
    row_d = row_q;
    if (reading)           row_d = (row_q == row_t'(Rows - 1)) ? '0 : row_q + 1'b1;
    else if (stage_last_q) row_d = merged.row;   // its value is read
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_q         <= '0;
      left_q        <= '0;
      judging_q     <= 1'b0;
      stage_last_q  <= 1'b0;
      stage_judge_q <= 1'b0;
      fetch_q       <= 1'b0;
      known_q       <= 1'b0;
      best_q        <= '{urgency: '{none: 1'b1, prio: '0}, row: '0, lane: '0, deleted: 1'b0};
    end else begin
      row_q <= row_d;

      if (judge_i.valid)     left_q <= left_t'(Rows - 1);
      else if (restart)      left_q <= left_t'(Rows);
      else if (left_q != '0) left_q <= left_q - 1'b1;

      judging_q     <= judge_i.valid ? (Rows > 1) : judging_q && left_q != left_t'(1);
      stage_judge_q <= judging;
      stage_last_q  <= judge_i.valid ? (Rows == 1) : !restart && left_q == left_t'(1);
      fetch_q       <= stage_last_q && !judge_i.valid && !restart;
      known_q       <= (known_q || stage_last_q) && !judge_i.valid && !restart;
      best_q        <= merged;
      if (judge_i.valid || restart) best_q.urgency.none <= 1'b1;
    end
  end

  // ---- cycle a: read and judge a row ----------------------------------------------------------------------------------

  flags_t flags_q, flags;
  group_t group_q, group;
  logic   remove_q, remove;

  always_ff @(posedge clk_i) begin
    if (!judging_q) begin
      flags_q  <= flags_t'(judge_i.flags);
      group_q  <= group_t'(judge_i.group);
      remove_q <= judge_i.remove;
    end
  end
  assign flags  = judging_q ? flags_q  : flags_t'(judge_i.flags);
  assign group  = judging_q ? group_q  : group_t'(judge_i.group);
  assign remove = judging_q ? remove_q : judge_i.remove;

  row_t       write_row, pattern_row;
  flags_t     pattern_d;
  condition_t condition_d;
  condition_t [Columns-1:0] condition;
  level_t     [Columns-1:0] prio;
  logic       [Columns-1:0] op_lane, match, matched, chosen;
  logic       [Columns-1:0] pattern_we;
  flags_t     [Columns-1:0] gated_q;

  assign write_row   = clear_i ? row_t'(clear_index_i) : (op_i.op != FlagWaitNone) ? row_of(op_i.task_id) : row_q;
  assign condition_d = '{
    waiting: op_adds,
    matched: judging,
    group:   group_t'(op_i.group),
    all:     op_adds ? op_i.all : remove,
    take:    op_i.take
  };
  assign pattern_row = judging ? row_q : row_of(early_i.task_id);
  assign pattern_d   = judging ? flags : flags_t'(early_i.pattern);

  for (genvar l = 0; l < Columns; l++) begin : gen_lane
    (* ram_style = "distributed" *) condition_t condition_mem [2**RowW];
    (* ram_style = "distributed" *) level_t     prio_mem      [2**RowW];
    (* no_rw_check, ram_style = "block" *) flags_t pattern_mem [2**RowW];
    flags_t pattern;
    logic   fulfilled;

    assign op_lane[l]   = (op_i.op != FlagWaitNone) && lane_t'(op_i.task_id) == lane_t'(l);
    assign condition[l] = condition_mem[row_q];
    assign prio[l]      = prio_mem[row_q];
    assign matched[l]   = condition[l].matched;

    // All: no flag of the pattern is missing. Any: one is not missing.
    assign fulfilled = condition[l].all ^ |(pattern & (flags ^ {Width{condition[l].all}}));
    assign match[l]  = judging && condition[l].waiting && condition[l].group == group && (fulfilled || remove);
    assign chosen[l] = judging ? match[l] && condition[l].take : best_q.lane == lane_t'(l);

    always_ff @(posedge clk_i) begin
      if (clear_i || match[l] || (op_lane[l] && op_i.op != FlagWaitMove)) condition_mem[write_row] <= condition_d;
    end
    always_ff @(posedge clk_i) begin
      if (op_lane[l] && !op_removes) prio_mem[write_row] <= level_t'(op_i.prio);
    end
    always_ff @(posedge clk_i) begin
      if (judging || fetch_q) gated_q[l] <= chosen[l] ? pattern : '0;
    end

    assign pattern_we[l] = match[l] || (early_i.op == FlagWaitAdd && lane_t'(early_i.task_id) == lane_t'(l));
    always_ff @(posedge clk_i) begin
      if (pattern_we[l]) pattern_mem[pattern_row] <= pattern_d;
      pattern <= pattern_mem[row_d];
    end

`ifndef SYNTHESIS
    logic stale_q;   // read in the cycle in which it was written
    always_ff @(posedge clk_i) stale_q <= pattern_we[l] && pattern_row == row_d;
    a_pattern_fresh: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !stale_q || !((judging && condition[l].waiting) || (fetch_q && chosen[l] && !best_q.urgency.none)));
`endif
  end

  candidate_t [Pairs-1:0] stage;         // the better of each pair of lanes
  logic       [Pairs-1:0] stage_none_q;
  for (genvar p = 0; p < Pairs; p++) begin : gen_pair
    logic   low, high, second, second_q, deleted_q;
    level_t prio_q;
    assign low    = matched[2*p] || match[2*p];
    assign high   = matched[2*p+1] || match[2*p+1];
    assign second = high && (!low || is_less(16'(prio[2*p+1]), 16'(prio[2*p])));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) stage_none_q[p] <= 1'b1;
      else         stage_none_q[p] <= !(low || high) || !reading || restart;
    end
    always_ff @(posedge clk_i) begin
      second_q  <= second;
      prio_q    <= second ? prio[2*p+1] : prio[2*p];
      deleted_q <= second ? (matched[2*p+1] ? condition[2*p+1].all : remove) :
                            (matched[2*p] ? condition[2*p].all : remove);
    end
    assign stage[p] = '{
      urgency: '{none: stage_none_q[p], prio: prio_q},
      lane:    lane_t'(2*p) | lane_t'(second_q),
      deleted: deleted_q
    };
  end

  always_ff @(posedge clk_i) stage_row_q <= row_q;

  // ---- cycle b: the best of the row, and of all rows so far -----------------------------------------------------------

  candidate_t [Pairs-1:0] node;
  candidate_t [1:0]       half;       // the best of the lower and of the upper half of the row
  logic [1:0]             ahead;      // … goes before the best of the other rows
  logic                   upper;

  always_comb begin
    node = stage;
    for (int unsigned width = Pairs / 2; width > 1; width /= 2) begin
      for (int unsigned n = 0; n < width; n++) begin
        node[n] = is_less(16'(node[2*n+1].urgency), 16'(node[2*n].urgency)) ? node[2*n+1] : node[2*n];
      end
    end
  end

  // The last comparisons of the row and those with the other rows side by side. Rows come in any order: of equal priorities
  // the lower row goes first.
  assign half[0] = node[0];
  if (Pairs > 1) begin : gen_upper
    assign half[1] = node[1];
  end else begin : gen_no_upper
    assign half[1] = '{urgency: '{none: 1'b1, prio: '1}, lane: '0, deleted: 1'b0};
  end
  for (genvar h = 0; h < 2; h++) begin : gen_ahead
    assign ahead[h] = is_less(16'({half[h].urgency, stage_row_q}), 16'({best_q.urgency, best_q.row}));
  end
  assign upper  = is_less(16'(half[1].urgency), 16'(half[0].urgency));
  assign merged = ahead[upper] ? '{urgency: half[upper].urgency, row: stage_row_q, lane: half[upper].lane,
                                   deleted: half[upper].deleted} : best_q;

  flags_t together, taken_q, taken;
  always_comb begin
    together = '0;
    for (int unsigned l = 0; l < Columns; l++) together |= gated_q[l];
  end
  assign taken = taken_q | together;
  always_ff @(posedge clk_i) begin
    if (judge_i.valid)      taken_q <= '0;
    else if (stage_judge_q) taken_q <= taken;
  end

  assign judged_o      = stage_judge_q && stage_last_q;
  assign judge_clear_o = 32'(taken);

  // ---- who is released: for the subject of a step, and whether there is anyone ----------------------------------------

  typedef logic [Columns-1:0] word_t;
  (* ram_style = "distributed" *) word_t matched_mem [2**RowW];
  word_t           op_word, op_rest, subject_word;
  logic [Rows-1:0] occupied_q;     // rows with a released task
  logic            stage_any;

  assign op_word      = matched_mem[row_of(op_i.task_id)];
  assign op_rest      = op_word & ~op_lane;
  assign op_matched   = |(op_word & op_lane);
  assign subject_word = matched_mem[row_of(read_subject_i)];

  always_ff @(posedge clk_i) begin
    if (clear_i || judging || op_removes) begin
      matched_mem[write_row] <= clear_i ? '0 : op_removes ? op_rest : matched | match;
    end
    if (read_i) begin
      subject_matched_o <= subject_word[lane_t'(read_subject_i)] &&
                           !(op_removes && TaskW'(op_i.task_id) == TaskW'(read_subject_i));
    end
  end

  assign stage_any = !(&stage_none_q);

  for (genvar r = 0; r < Rows; r++) begin : gen_occupied
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                           occupied_q[r] <= 1'b0;
      else if (op_removes && row_of(op_i.task_id) == row_t'(r)) occupied_q[r] <= |op_rest;
      else if (stage_any && stage_row_q == row_t'(r))        occupied_q[r] <= 1'b1;
    end
  end

  assign released_o = '{
    any:     (|occupied_q) || stage_any,
    first:   '{
      valid:   !merged.urgency.none && (known_q || stage_last_q) && !op_changes,
      prio:    prio_t'(merged.urgency.prio),
      task_id: (Rows > 1) ? id_t'({merged.row, merged.lane}) : id_t'(merged.lane)
    },
    deleted: merged.deleted,
    value:   32'(together)
  };

  assign busy_o = released_o.any || left_q != '0 || stage_last_q || fetch_q || op_i.op != FlagWaitNone;

`ifndef SYNTHESIS
  a_early_alone: assert property (@(posedge clk_i) disable iff (!rst_ni) !judging || early_i.op != FlagWaitAdd);
  a_scan_alone: assert property (@(posedge clk_i) disable iff (!rst_ni) !judging || op_i.op == FlagWaitNone);
  a_judge_once: assert property (@(posedge clk_i) disable iff (!rst_ni) !(judge_i.valid && judging_q));
  word_t row_word, first_word;
  assign row_word   = matched_mem[row_q];
  assign first_word = matched_mem[merged.row];
  a_same_released: assert property (@(posedge clk_i) disable iff (!rst_ni)
    clear_i || left_q == '0 || row_word == matched);
  a_first_released: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !released_o.first.valid || first_word[merged.lane]);
  a_any: assert property (@(posedge clk_i) disable iff (!rst_ni) !released_o.first.valid || released_o.any);
`endif

endmodule
