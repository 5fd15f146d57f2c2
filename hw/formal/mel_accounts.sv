// SPDX-License-Identifier: Apache-2.0
// Proof of mel_accounts against a reference for one core, any one: unbounded, for any words, steps, lines and ends of cycles. Promised:
//   cycles are those that ended since reset; the stamp is the cycle of the last dispatch or claim of any core
//   waited is in how many cycles, which have ended, the core was asked without a break, if it still is; a cycle in which it dispatches or claims is none of them
//   before is the running task and core of that dispatch or claim; it has changed exactly when another task, or none, runs behind it
//   a budget that is armed is over from the cycle of the unit behind the first one in its last cycle on, and not before; or when the program says so; until it is
//     dropped or armed anew, or the core dispatches or claims
//   a slice is over exactly while the running task has used its quantum, has its turn since, and others could take it; it is not, till the next quantum
//     that is used, behind a tick, or when none could where slices are judged
//   limits are used from the first word on that says so
// A budget is Off, Armed with a number of cycles to go, or Over; waits are counted, not subtracted.
// Method: induction over one cycle, which holds because registers and reference say the same (agreed).
// FromReset = 0: from any state in which the two agree; then a mutant is caught in few cycles.
// Needs: m_ratio, a cycle of the cores is one or two of the unit (mel_clock_edge); m_one, a step is one core's (mel_engine serves one caller);
// m_idle, it begins in the word `idle`, which names no device (hw/micro/system.mu); m_due, a change that is due has a task to come or to go
// (a_idle of the proof of mel_dispatcher).
module mel_accounts_proof
  import mel_unit_pkg::*;
  import mel_engine_pkg::*;
  import mel_micro_pkg::*;
#(
  parameter int unsigned Cores     = 2,
  parameter bit          FromReset = 1'b1,
  parameter bit          Hints     = 1'b1   // also what holds the induction; 0: the promises alone
) (
  input logic                   clk_i,
  input logic                   advance_i,
  input word_t                  word_i,
  input logic                   active_i,
  input logic       [31:0]      result_i,
  input logic       [1:0]       work_core_i,
  input core_step_t [Cores-1:0] core_step_i,
  input core_t      [Cores-1:0] core_i,
  input logic       [Cores-1:0] lines_i,
  input logic       [Cores-1:0] peers_i,
  input logic                   judges_i
);
  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1;

  logic rst_n = !FromReset, started_q = 1'b0;
  always_ff @(posedge clk_i) {rst_n, started_q} <= 2'b11;

  core_step_t       core_step [Cores];
  core_t            core      [Cores];
  core_t            beginner;
  logic [Cores-1:0] begins;
  always_comb begin
    beginner = core_i[0];
    for (int unsigned i = 0; i < Cores; i++) if (begins[i]) beginner = core_i[i];
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign core_step[i] = core_step_i[i];
    assign core[i]      = core_i[i];
    assign begins[i]    = core_step_i[i].dispatch || core_step_i[i].claim;
    always_comb m_due: assume (!core_i[i].due || core_i[i].best.valid || core_i[i].running_valid);
  end

  logic [31:0]      cycles, stamp, since, waited;
  before_t          previous;
  logic             limits;
  logic [Cores-1:0] budget_over, slice_over;

  mel_accounts #(.Cores(Cores)) u_accounts (
    .clk_i, .rst_ni (rst_n), .advance_i, .word_i, .active_i, .result_i, .work_core_i, .core_step_i (core_step), .core_i (core), .beginner_i (beginner), .lines_i, .peers_i, .judges_i,
    .cycles_o (cycles), .stamp_o (stamp), .since_o (since), .before_o (previous), .limits_o (limits), .budget_over_o (budget_over),
    .slice_over_o (slice_over)
  );
  assign waited = previous.asked ? stamp - since : '0;   // as hw/micro/account.mu takes it

  // ---- reference of one core, which is free ---------------------------------------------------------------------------

  logic [1:0] any_q;
  always_ff @(posedge clk_i) any_q <= any_q;

  typedef enum logic [1:0] { Off, Armed, Over } budget_e;
  budget_e     budget_q;
  logic [31:0] cycles_q, asked_q, left_q, stamp_q, waited_q;   // asked_q: ended cycles in which the core was asked
  logic        advanced_q, asks_q, begun_q, used_q, judging_q, limits_q, known_q, changed_q;
  core_t       before_q;
  logic        dispatch_q, was_asked_q;

  core_t      own;
  core_step_t step;
  logic       line, peers, here, steps, still, turn;
  assign own   = core_i[CoreW'(any_q)];
  assign step  = core_step_i[CoreW'(any_q)];
  assign line  = lines_i[CoreW'(any_q)];
  assign peers = peers_i[CoreW'(any_q)];
  assign here  = active_i && work_core_i == any_q;   // the word is about this core
  assign steps = step.dispatch || step.claim;
  assign still = asks_q && line;
  assign turn  = own.runnable && !own.listed;

  // Task that runs behind a dispatch, as mel_dispatcher changes it.
  logic runs_valid;
  id_t  runs;
  assign {runs_valid, runs} = own.due ? {own.best.valid, own.best.task_id} : {own.running_valid, own.running};

  always_ff @(posedge clk_i) begin
    if (begins != '0) known_q <= steps;
    if (steps) begin
      stamp_q     <= cycles_q;
      waited_q    <= still ? asked_q : '0;
      was_asked_q <= still;
      before_q    <= own;
      dispatch_q  <= step.dispatch;
      changed_q   <= step.dispatch && (runs_valid != own.running_valid || (runs_valid && runs != own.running));
    end
    if (!rst_n) begin
      {cycles_q, asks_q, asked_q, begun_q, used_q, judging_q, limits_q, known_q} <= '0;
      budget_q   <= Off;
      advanced_q <= 1'b1;
    end else begin
      advanced_q <= advance_i;
      cycles_q <= cycles_q + 32'(advance_i);
      begun_q  <= steps || begun_q;
      if (advance_i) begin
        begun_q <= 1'b0;
        asks_q  <= line && !steps && !begun_q;
        asked_q <= (asks_q ? asked_q : '0) + 32'd1;
      end
      if (!turn || (step.dispatch && own.take_best)) used_q <= 1'b0;
      if (judges_i) begin
        judging_q <= 1'b0;
        if (judging_q && !peers) used_q <= 1'b0;
      end
      if (active_i && word_i.device == DeviceSliceSpent && 32'(work_core_i) < Cores) judging_q <= 1'b1;
      if (active_i && word_i.device == DevicePublish) used_q <= 1'b0;
      if (here && word_i.device == DeviceSliceSpent) used_q <= 1'b1;
      if (active_i && word_i.device == DeviceLimitsUsed) limits_q <= 1'b1;

      left_q <= left_q - 32'(advance_i);
      if (budget_q == Armed && left_q == '0)          budget_q <= Over;
      if (here && word_i.device == DeviceBudgetEnded) budget_q <= Over;
      if (here && word_i.device == DeviceBudgetDrop)  budget_q <= Off;
      if (steps)                                      budget_q <= Off;
      if (here && word_i.device == DeviceBudgetArm) begin
        budget_q <= Armed;
        left_q   <= result_i - cycles_q - 32'(advance_i);   // from the next cycle of the unit on
      end
    end
  end

  // ---- promises -------------------------------------------------------------------------------------------------------

  logic same_cycles, same_stamp, same_waited, same_before, same_state, same_changed, same_budget, same_slice, same_limits, agreed;
  assign same_cycles  = cycles == cycles_q;
  assign same_stamp   = !known_q || stamp == stamp_q;
  assign same_waited  = !known_q || (waited == waited_q && previous.asked == was_asked_q);
  assign same_before  = !known_q || (previous.valid == before_q.running_valid && previous.task_id == before_q.running && previous.prio == before_q.prio &&
                                     previous.affinity == before_q.affinity);
  // It had its turn and lost it: it is in no list, and goes into one. Who runs now may come out of one.
  assign same_state   = !known_q || (previous.counted == (before_q.running_valid && !before_q.in_handler) &&
                                     previous.took == (dispatch_q && before_q.take_best) &&
                                     previous.preempted == (dispatch_q && before_q.due && before_q.running_valid && before_q.runnable && !before_q.listed));
  assign same_changed = !known_q || previous.changed == changed_q;
  assign same_budget  = budget_over[CoreW'(any_q)] == (budget_q == Over);
  assign same_slice   = slice_over[CoreW'(any_q)] == (used_q && turn && peers);
  assign same_limits  = limits == limits_q;

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  assign agreed = u_accounts.waits_q[CoreW'(any_q)] == asks_q && (!asks_q || u_accounts.since_q[CoreW'(any_q)] == cycles_q - asked_q) &&
                  u_accounts.begun_q[CoreW'(any_q)] == begun_q && (!begun_q || !advanced_q) && u_accounts.spent_q[CoreW'(any_q)] == used_q && u_accounts.judging_q == judging_q &&
                  (budget_q == Over || u_accounts.armed_q[CoreW'(any_q)] == (budget_q == Armed)) && budget_q inside {Off, Armed, Over} &&
                  (budget_q != Armed || u_accounts.ends_q[CoreW'(any_q)] == cycles_q + left_q);

  always_comb begin
    m_core:  assume (32'(any_q) < Cores);
    m_one:   assume ($onehot0(begins) && !(step.dispatch && step.claim));
    m_ratio: assume (!rst_n || advance_i || advanced_q);
    m_idle:  assume (begins == '0 || !active_i || word_i.device == '0);
    m_start: assume (FromReset || started_q || (agreed && same_cycles && same_stamp && same_waited && same_before && same_state && same_changed &&
                                                same_budget && same_limits));

    a_cycles:  assert (!rst_n || same_cycles);
    a_stamp:   assert (!rst_n || same_stamp);
    a_waited:  assert (!rst_n || same_waited);
    a_before:  assert (!rst_n || same_before);
    a_state:   assert (!rst_n || same_state);
    a_changed: assert (!rst_n || same_changed);
    a_budget:  assert (!rst_n || same_budget);
    a_slice:   assert (!rst_n || same_slice);
    a_limits:  assert (!rst_n || same_limits);
    h_agreed:  assert (!Hints || !rst_n || agreed);

    c_waited:  cover (rst_n && known_q && waited == 32'd3 && dispatch_q && previous.changed && previous.preempted);
    c_halves:  cover (rst_n && known_q && waited == 32'd2 && cycles == 32'd4 && begun_q);
    c_budget:  cover (rst_n && budget_q == Armed && left_q == '0 && advance_i && cycles == 32'd6);
    c_over:    cover (rst_n && (&budget_over) && (&slice_over) && limits);
    c_judged:  cover (rst_n && judging_q && used_q && turn && judges_i && !peers);
    c_idle:    cover (rst_n && known_q && previous.valid && previous.changed && !previous.preempted && before_q.ended);
  end
endmodule
