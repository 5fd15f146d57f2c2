// SPDX-License-Identifier: Apache-2.0
// mel_accounts: what the program cannot count itself: cycles, the cycle of the last dispatch or claim and who ran before it, since when a
// core is asked for an interrupt, in which cycle the budget of a running task ends, and which running tasks have used their quantum.
//
// A budget counts while its task runs and no handler does, that is from a dispatch to the next claim or dispatch. The program arms it
// with the cycle in which it ends; it is over from the next cycle on, until the program drops it. Between a dispatch and the word that arms
// the budget no cycle is lost, because the program adds the cycle of the dispatch, and itself says that one is over which has ended by then.
// A quantum that a tick finds used is used until the next tick, while its task keeps its turn. Once in between, when the waits that end with the
// tick have ended, slices are judged: it counts no longer where no other task could run.
// Cycles are those of the cores: `advance_i` ends one (mel_clock_ratio), and a core is asked in those.
// Timing: all outputs are registers, `since_o` a disjunction of them, but `slice_over_o`, which follows the ready lists by no cycle.
module mel_accounts
  import mel_unit_pkg::*;
  import mel_engine_pkg::*;
  import mel_micro_pkg::*;
#(
  parameter int unsigned Cores = 1     // 1..4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             advance_i,
  input  word_t            word_i,
  input  logic             active_i,
  input  logic [31:0]      result_i,
  input  logic [1:0]       work_core_i,
  input  core_step_t       core_step_i [Cores],
  input  core_t            core_i      [Cores],
  input  core_t            beginner_i,          // the core of a dispatch or claim
  input  logic [Cores-1:0] lines_i,             // the core is asked for an interrupt
  input  logic [Cores-1:0] peers_i,             // another ready task could take the running task's turn
  input  logic             judges_i,            // a step begins, and no wait is still to end with the tick

  output logic [31:0]      cycles_o,
  output logic [31:0]      stamp_o,             // cycle of the last dispatch or claim
  output logic [31:0]      since_o,             // in which cycle the core was asked, if it was then (before_o)
  output before_t          before_o,
  output logic             limits_o,            // a quantum or a budget was set since reset
  output logic [Cores-1:0] budget_over_o,
  output logic [Cores-1:0] slice_over_o
);

  typedef logic [Cores-1:0] cores_t;

  logic [31:0] since_q [Cores];
  logic [31:0] ends_q  [Cores];
  cores_t waits_q, armed_q, spent_q, worked, begins;
  cores_t begun_q;                                  // in this cycle of the core
  cores_t has_turn, ended, arms, drops, spent, keeps, reached;
  logic   ticks;                                    // a tick begins
  logic   judging_q;                                // not judged since the last tick
  logic [Cores-1:0][31:0] chosen_q;                 // since when: of a core that did not begin it is 0
  logic        asked, is_dispatch;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cycles_o <= '0;
    else         cycles_o <= cycles_o + 32'(advance_i);
  end

  always_comb begin
    asked       = 1'b0;
    is_dispatch = 1'b0;
    since_o     = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      begins[i]    = core_step_i[i].dispatch || core_step_i[i].claim;
      worked[i]    = work_core_i == 2'(i);
      asked       |= begins[i] && waits_q[i] && lines_i[i];
      is_dispatch |= core_step_i[i].dispatch;
      since_o     |= chosen_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (|begins) begin
      stamp_o  <= cycles_o;
      for (int unsigned i = 0; i < Cores; i++) chosen_q[i] <= begins[i] ? since_q[i] : '0;
      before_o <= '{
        valid:     beginner_i.running_valid,
        task_id:   beginner_i.running,
        prio:      beginner_i.prio,
        affinity:  beginner_i.affinity,
        counted:   beginner_i.running_valid && !beginner_i.in_handler,
        preempted: is_dispatch && beginner_i.due && beginner_i.running_valid && beginner_i.runnable && !beginner_i.listed,
        took:      is_dispatch && beginner_i.take_best,
        changed:   is_dispatch && beginner_i.due &&
                   !(beginner_i.best.valid && beginner_i.running_valid && beginner_i.best.task_id == beginner_i.running),
        asked:     asked
      };
    end
  end

  // Operations of the program are about `worked`.
  function automatic cores_t of(logic named);
    return (active_i && named) ? worked : '0;
  endfunction

  assign ended = of(word_i.device == DeviceBudgetEnded);
  assign arms  = of(word_i.device == DeviceBudgetArm);
  assign drops = of(word_i.device == DeviceBudgetDrop);
  assign spent = of(word_i.device == DeviceSliceSpent);
  assign ticks = active_i && word_i.device == DevicePublish;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q       <= '0;
      armed_q       <= '0;
      budget_over_o <= '0;
      spent_q       <= '0;
      judging_q     <= 1'b0;
      begun_q       <= '0;
    end else begin
      begun_q <= advance_i ? '0 : begins;
      if (advance_i) waits_q <= lines_i & ~begins & ~begun_q;
      armed_q       <= arms | (armed_q & ~drops & ~begins);
      budget_over_o <= (budget_over_o | ended | (armed_q & reached)) & ~(drops | arms | begins);
      spent_q       <= spent | (ticks ? '0 : spent_q & keeps);
      judging_q     <= (judging_q && !judges_i) || spent != '0;
    end
  end

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    always_ff @(posedge clk_i) begin
      if (!waits_q[i]) since_q[i] <= cycles_o;
      if (arms[i])     ends_q[i]  <= result_i;
    end
    assign reached[i]      = (cycles_o == ends_q[i]);
    assign has_turn[i]     = core_i[i].runnable && !core_i[i].listed;
    assign keeps[i]        = has_turn[i] && !(core_step_i[i].dispatch && core_i[i].take_best) && (peers_i[i] || !(judging_q && judges_i));
    assign slice_over_o[i] = spent_q[i] && has_turn[i] && peers_i[i];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                            limits_o <= 1'b0;
    else if (active_i && word_i.device == DeviceLimitsUsed) limits_o <= 1'b1;
  end

endmodule
