// SPDX-License-Identifier: Apache-2.0
// Proof of mel_budgets, for any dispatches, handlers and changes. One task is watched by the proof, which one is free; its ghost holds how
// many cycles it has left, and whether it is still to be reported. Promised:
//   a budget counts the cycles in which its task is a core's running task and no handler runs there, and no others, through any
//     number of preemptions, on whichever core; while a report of that core waits, the last of them does
//   when the last is spent, the task is offered from the next cycle on until the offer is taken, once; never earlier, never when the
//     budget was set again, was taken back, or the task ended
// How: induction over one cycle. What holds it is that the core that runs the task, or else the memory, has what the ghost has left.
// Needs: cores as mel_dispatcher has them, of which each task runs on one (proved there); a dispatch is a step of its own, one core's.
module mel_budgets_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks = 4,
  parameter int unsigned Cores = 1
) (
  input logic                     clk_i,
  input logic                     set_i,
  input logic [$clog2(Tasks)-1:0] task_id_i,
  input logic [31:0]              cycles_i,
  input logic                     dispatch_i,
  input logic                     claim_i,
  input logic [Cores-1:0]         core_i,       // that dispatches or claims, one-hot
  input logic                     keeps_i,      // … and goes on with its running task, whatever is ready
  input logic                     best_valid_i,
  input logic [$clog2(Tasks)-1:0] best_i,
  input logic                     ended_i,      // the running task was that, and is ready again
  input logic                     take_i,
  input logic [$clog2(Tasks)-1:0] subject_i
);

  localparam int unsigned TaskW = $clog2(Tasks);
  typedef logic [TaskW-1:0] task_id_t;

  // ---- one cycle of reset, then one of clearing per entry --------------------------------------------------------------

  logic [9:0] cycle_q = '0;
  logic       rst_n, clearing;
  assign rst_n    = (cycle_q != '0);
  assign clearing = (cycle_q <= 10'(Tasks));
  always_ff @(posedge clk_i) if (cycle_q <= 10'(Tasks)) cycle_q <= cycle_q + 10'd1;

  task_id_t subject_q;   // watched task
  always_ff @(posedge clk_i) subject_q <= rst_n ? subject_q : subject_i;

  // ---- cores, as far as budgets see them (mel_dispatcher) -------------------------------------------------------------

  logic     [Cores-1:0] valid_q = '0, handler_q = '0;
  task_id_t             running_q [Cores];
  core_step_t           core_step [Cores];
  core_t                core      [Cores];
  core_t                state;
  logic                 due;
  logic     [Cores-1:0] runs;      // the subject

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign core_step[i] = '{dispatch: dispatch_i && core_i[i], claim: claim_i && core_i[i], default: '0};
    assign core[i]      = '{running_valid: valid_q[i], running: 8'(running_q[i]), in_handler: handler_q[i], result: '0, best: '0,
                            default: '0};
    assign runs[i]      = valid_q[i] && running_q[i] == subject_q;
    always_ff @(posedge clk_i) begin
      if (core_step[i].claim) handler_q[i] <= 1'b1;
      if (core_step[i].dispatch) begin
        handler_q[i] <= 1'b0;
        if (due) {valid_q[i], running_q[i]} <= {best_valid_i, best_i};
      end
    end
  end

  always_comb begin
    state = '{result: '0, best: '{valid: best_valid_i, prio: '0, task_id: 8'(best_i)}, default: '0};
    for (int unsigned i = 0; i < Cores; i++) begin
      if (core_i[i]) {state.running_valid, state.running} |= {valid_q[i], 8'(running_q[i])};
    end
    due = !keeps_i && (ended_i || (best_valid_i ? !(state.running_valid && state.running == 8'(best_i)) : state.running_valid));
    state.due          = due;
    state.chosen_valid = keeps_i ? state.running_valid : best_valid_i;
  end

  logic spent;
  id_t  spent_id;

  mel_budgets #(.Tasks(Tasks), .Cores(Cores)) u_budgets (
    .clk_i, .rst_ni (rst_n), .clear_i (clearing), .clear_index_i (9'(cycle_q) - 9'd1),
    .set_i, .task_id_i (8'(task_id_i)), .cycles_i, .core_step_i (core_step), .core_i (core), .state_i (state),
    .spent_o (spent), .spent_id_o (spent_id), .take_i
  );

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  logic [31:0] left_q = '0;         // rest of the subject's budget; 0: none, or used up
  logic        owed_q = '0;         // its report
  logic        sets, counts, waits;

  assign sets   = set_i && task_id_i == subject_q;
  assign counts = |(runs & ~handler_q);
  assign waits  = left_q == 32'd1 && |(runs & u_budgets.spent_q);   // for the report of another

  always_ff @(posedge clk_i) begin
    if (take_i && spent_id == 8'(subject_q)) owed_q <= 1'b0;
    if (counts && !waits && left_q != '0) begin
      left_q <= left_q - 32'd1;
      if (left_q == 32'd1) owed_q <= 1'b1;
    end
    if (sets) {left_q, owed_q} <= {cycles_i, 1'b0};
  end

  always_comb begin
    m_clear:    assume (!clearing || !(set_i || dispatch_i || claim_i));   // the unit clears before it serves
    m_core:     assume ($onehot(core_i) && !(dispatch_i && claim_i));      // a step is one core's
    m_step:     assume (!set_i || !(dispatch_i || claim_i));               // a command is another step
    m_take:     assume (!take_i || spent);                                 // mel_watch
    m_ended:    assume (!ended_i || state.running_valid);                  // mel_dispatcher
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_assume
    always_comb m_apart: assume (!dispatch_i || !due || !best_valid_i || core_i[i] || !valid_q[i] || running_q[i] != best_i);   // mel_dispatcher
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic [Cores-1:0] keeps;         // the core still has the subject's report
  for (genvar i = 0; i < Cores; i++) begin : gen_keeps
    assign keeps[i] = u_budgets.spent_q[i] && u_budgets.spent_id_q[i] == 8'(subject_q);
  end

  always_comb begin
    a_earned:  assert (!spent || spent_id != 8'(subject_q) || owed_q);
    a_offered: assert (!owed_q || spent);
    a_kept:    assert (owed_q == (|keeps) && $onehot0(keeps));
    a_empty:   assert (!owed_q || left_q == '0);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  always_comb begin
    a_clean:  assert (!clearing || (valid_q == '0 && handler_q == '0 && left_q == '0 && !owed_q && u_budgets.spent_q == '0 &&
                                    u_budgets.counts_q == '0));
    a_memory: assert ((clearing && cycle_q <= 10'(subject_q) + 10'd1) || (|runs) || u_budgets.left_mem[subject_q] == left_q);
    a_one:    assert ($onehot0(runs));
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_held
    always_comb begin
      a_left:   assert (!runs[i] || u_budgets.left_q[i] == left_q);
      a_counts: assert (u_budgets.counts_q[i] == (valid_q[i] && !handler_q[i]));
    end
  end

  logic preempted_q = '0;   // the subject lost its core since its budget was set
  always_ff @(posedge clk_i) preempted_q <= !sets && (preempted_q || (dispatch_i && due && |(runs & core_i)));
  always_comb begin
    c_spent:   cover (spent && spent_id == 8'(subject_q) && preempted_q);
    c_last:    cover (dispatch_i && due && |(runs & core_i) && counts && left_q == 32'd1 && !sets);
    c_waits:   cover (waits && counts && !take_i);
    c_handler: cover (|(runs & handler_q) && left_q != '0);
  end
endmodule
