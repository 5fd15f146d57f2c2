// SPDX-License-Identifier: Apache-2.0
// Proof of mel_watch, over mel_deadlines and mel_budgets as they are, for any plans, cores, ticks and reports. Promised:
//   a deadline that mel_deadlines finds missed is reported in that cycle; a budget that mel_budgets offers is reported in the first cycle
//     without a tick in which none is; it is taken in the cycle of its report, and only then
//   `watch_o` counts the reports of each kind since they were last forgotten, and has the last, from the cycle after the report on
//   the end of a task takes back its deadline and its budget; deadline_set and budget_set are passed on
//   while `busy_o` is low, nothing is reported and no look at the deadlines is under way: the clock may rest
// That what is found and offered is right: mel_deadlines.sv, mel_budgets.sv; m_watch and m_take of these are proved here.
// How: induction over one cycle. Needs: a tick comes only while `settled_o` is high (mel_unit).
module mel_watch_proof
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks = 4,
  parameter int unsigned Cores = 1
) (
  input logic                                 clk_i,
  input logic                                 deadline_set_i,
  input logic                                 budget_set_i,
  input logic                                 ends_i,
  input logic [$clog2(Tasks)-1:0]             subject_i,
  input logic [31:0]                          argument_i,
  input logic [Cores-1:0]                     dispatch_i,
  input logic [Cores-1:0]                     claim_i,
  input logic [Cores-1:0][$bits(core_t)-1:0]  cores_i,
  input logic [$bits(core_t)-1:0]             state_i,
  input logic                                 tick_i,
  input logic [31:0]                          time_low_i,
  input logic                                 forget_i
);

  // ---- one cycle of reset, then one of clearing per entry --------------------------------------------------------------

  logic [9:0] cycle_q = '0;
  logic       rst_n, clearing;
  assign rst_n    = (cycle_q != '0);
  assign clearing = (cycle_q <= 10'(Tasks));
  always_ff @(posedge clk_i) if (clearing) cycle_q <= cycle_q + 10'd1;

  plan_t      plan;
  core_step_t core_step [Cores];
  core_t      core      [Cores];
  report_t    report;
  watch_t     watch;
  logic       settled, busy;

  always_comb begin
    plan = '0;
    {plan.deadline_set, plan.budget_set, plan.change.ends} = {deadline_set_i, budget_set_i, ends_i};
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign core_step[i] = '{dispatch: dispatch_i[i], claim: claim_i[i], default: '0};
    assign core[i]      = core_t'(cores_i[i]);
  end

  mel_watch #(.Tasks(Tasks), .Cores(Cores)) u_watch (
    .clk_i, .clk_awake_i (clk_i), .rst_ni (rst_n), .clear_i (clearing), .clear_index_i (9'(cycle_q) - 9'd1),
    .plan_i (plan), .subject_i (8'(subject_i)), .argument_i, .core_step_i (core_step), .core_i (core), .state_i (core_t'(state_i)),
    .tick_i, .time_low_i, .forget_i, .report_o (report), .watch_o (watch), .settled_o (settled), .busy_o (busy)
  );

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  logic [31:0] missed_q = '0, overruns_q = '0;   // reports since the last forget
  logic        any_q = '0, budget_q;             // the last report
  id_t         task_q;
  logic        missed, spent;

  assign missed = report.valid && !report.budget;
  assign spent  = report.valid && report.budget;
  always_ff @(posedge clk_i) begin
    missed_q   <= forget_i ? '0 : missed_q + 32'(missed);
    overruns_q <= forget_i ? '0 : overruns_q + 32'(spent);
    if (report.valid) {any_q, budget_q, task_q} <= {1'b1, report.budget, report.task_id};
  end

  always_comb begin
    m_clear:   assume (!clearing || !(deadline_set_i || budget_set_i || ends_i || tick_i || (|dispatch_i)));   // mel_sequencer
    m_settled: assume (!tick_i || settled);                                          // mel_unit: mel_timers' quiet_i
    m_plan:    assume ($onehot0({deadline_set_i, budget_set_i, ends_i}));            // one command, or an end: asserted there
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic ends, sets;
  assign sets = u_watch.u_deadlines.set_i;
  assign ends = ends_i && u_watch.u_deadlines.task_id_i == 8'(subject_i) && u_watch.u_budgets.task_id_i == 8'(subject_i);

  always_comb begin
    a_missed:   assert (!u_watch.u_deadlines.missed_o || (missed && report.task_id == u_watch.u_deadlines.missed_id_o));
    a_only:     assert (!missed || u_watch.u_deadlines.missed_o);
    a_spent:    assert (!spent || (u_watch.u_budgets.spent_o && report.task_id == u_watch.u_budgets.spent_id_o));
    a_taken:    assert (u_watch.u_budgets.take_i == spent);
    a_prompt:   assert (!u_watch.u_budgets.spent_o || report.valid || tick_i);
    a_no_tick:  assert (!report.valid || !tick_i);
    a_counts:   assert (!rst_n || (watch.missed == missed_q && watch.overruns == overruns_q));
    a_reported: assert (!rst_n || watch.reported == (any_q ? {15'd0, budget_q, 8'd0, task_q} : 32'(Tasks)));
    a_ends:     assert (!ends_i || (ends && sets && !u_watch.u_deadlines.watch_i &&
                                    u_watch.u_budgets.set_i && u_watch.u_budgets.cycles_i == '0));
    a_deadline: assert (!deadline_set_i || (sets && u_watch.u_deadlines.watch_i == (argument_i != '0) &&
                                            u_watch.u_deadlines.ticks_i == argument_i && !u_watch.u_budgets.set_i));
    a_budget:   assert (!budget_set_i || (!sets && u_watch.u_budgets.set_i && u_watch.u_budgets.cycles_i == argument_i));
    a_watch:    assert (!u_watch.u_deadlines.watch_i || (sets && u_watch.u_deadlines.ticks_i != '0));
    a_busy:     assert (busy || (!report.valid && settled && !u_watch.u_deadlines.read_valid_q));
    // Invariants of the induction.
    a_clean:    assert (rst_n || (missed_q == '0 && overruns_q == '0 && !any_q));
    a_begins:   assert (!clearing || (settled && !u_watch.u_budgets.spent_o));
    a_settled:  assert (!settled || !u_watch.u_deadlines.read_valid_q);
    a_waiting:  assert (!clearing || u_watch.u_budgets.counts_q == '0);
    a_unset:    assert (!clearing || (!u_watch.u_deadlines.set_q && !u_watch.u_deadlines.any_q));
  end

  always_comb begin
    c_both:   cover (u_watch.u_budgets.spent_o && missed);
    c_tick:   cover (u_watch.u_budgets.spent_o && tick_i);
    c_after:  cover (spent && missed_q == 32'd2);
    c_forget: cover (forget_i && report.valid && overruns_q != '0);
  end
endmodule
