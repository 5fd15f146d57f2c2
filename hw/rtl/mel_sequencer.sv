// SPDX-License-Identifier: Apache-2.0
// mel_sequencer: serves one request at a time: core accesses, interrupt edges, timeouts, background work. Each is a step that
// takes effect as a whole; its event is reported in its last cycle (flags that release tasks: when they are known; the first leaves
// in the same step).
//
// A step: cycle 1 chooses the request and reads the tables; cycle 2 checks, plans (mel_execute), writes the tables and starts
// list operations; from cycle 3 on they end. `dispatch`, `claim` and an operand are known from registers and end in cycle 1.
//
// Timing: U = cycles from the capture register of the access port to the result register, when no step is under way; the same
// for any number of tasks and any content of the lists:
//   1  dispatch, claim, operand
//   2  refusals; counts (give without waiter, take with count, wake-up, flags for which nobody waits, messages, mutexes,
//     notifications); queries;
//      all calls that wait, except for a mutex; exit; all else that neither touches the ready set nor moves a waiting task
//   3  start, resume, wakeup, release, a notification to a waiter; yield and set_priority of the running task
//   4  give, send or unlock to a waiter, receive with a waiting sender; terminate and suspend of a ready task; rotate of a list
//      with less than two tasks; set_priority of a waiting task
//   5  set_priority of a ready task; rotate; terminate, suspend and set_priority where a list must look up its next priority
//   (A caller that lost its turn stands in the ready set: its own take, sleep, delay, exit or suspend takes 4 or 5.)
//   Flags for which tasks wait: 2 + rows of mel_flag_waiters, 2 more when one is released. Inheritance along d owners, at
//   most: a lock that waits 5 + 7 d, 6 + 8 d when its caller had lost its turn; all else 8 + 6 d, an unlock 9.
// A step can begin in the cycle after the last one, when all list operations have ended: at most 4 cycles later after a
// dispatch, or when a suspended task got what it waits for, 3 after others; with several cores 1 more after a command. What meets
// something that is still being cleared away (mel_backlog) waits till that is done. After reset the tables are cleared, a line per cycle.
module mel_sequencer
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter mel_pkg::sizes_t Sizes = mel_pkg::SizesDefault,
  localparam int unsigned    Cores = Sizes.Cores
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  output logic             ready_o,
  output logic             clear_o,
  output line_t            clear_index_o,
  output logic             quiet_o,            // no step is under way, no list changes
  output logic             steady_o,           // no step is under way, the ready set does not change
  output logic             busy_o,             // not quiet, or a step begins

  input  logic [Cores-1:0] access_valid_i,
  input  access_t          access_i      [Cores],
  output logic [Cores-1:0] access_done_o,
  output logic [Cores-1:0] operand_done_o,     // completion of an operand alone, early in the cycle
  output logic [31:0]      access_data_o,      // answer to a query, value, dispatch or claim
  input  core_t            core_i        [Cores],
  input  logic [Cores-1:0] reclaims_i,         // running tasks that are first in turn again
  input  logic [Cores-1:0] expired_i,          // … that have used their quantum, while others are ready
  output core_step_t       core_step_o   [Cores],
  output finish_t          finish_o,

  output reads_t           reads_o,
  input  records_t         records_i,
  output lists_request_t   lists_o,
  input  lists_t           lists_i,
  input  logic             queues_settled_i,
  input  logic             purge_valid_i,
  input  id_t              purge_id_i,
  output save_result_t     save_result_o,

  output plan_t            plan_o,             // takes effect now, or has none
  output inherit_t         inherit_o,          // likewise
  output access_t          access_o,           // access that is planned
  output id_t              subject_o,          // the task that it is about
  output line_t            context_o,          // the caller's words
  output logic             operand_write_o,    // write the operand of the access in `event_o`
  output mutex_write_t     mutex_write_o,

  input  logic             judged_i,           // the flags that the plan had judged
  output logic             flags_taken_o,      // … are written
  input  flag_released_t   released_i,

  input  timers_t          timers_i,
  input  logic [15:0]      alarms_i,
  input  irq_request_t     irq_i,
  output logic             irq_take_o,
  input  claim_t           claim_i,
  input  logic [31:0]      run_time_i,         // run time of the subject

  output step_event_t      event_o
);

  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1;

  function automatic int unsigned larger(int unsigned a, int unsigned b);
    return (a > b) ? a : b;
  endfunction
  localparam line_t LastLine = line_t'(larger(larger(Sizes.Tasks + 2 * Cores, Sizes.Semaphores + Sizes.Mutexes + Sizes.Queues),
                                              larger(larger(Sizes.EventFlags, Sizes.Messages), larger(Sizes.Interrupts + Sizes.Timers + 1, Sizes.Priorities))) - 1);

  step_state_e      state_q, state_d;
  line_t            clear_q;
  grant_t           step_q;            // the request that is served
  id_t              event_subject_q;
  finish_t          finish_q;          // valid: not used
  status_t          command_status_q;  // status of the first plan
  logic             command_waits_q;
  logic             leave_q;           // the step goes on with a task that flags released
  logic             owned_q;           // an orphan goes to the subject

  logic [31:0]      query;
  id_t              mutex_id;
  backlog_t         backlog;
  logic [Cores-1:0] stalled;
  logic             moves, moves_ready, walked, effective, chain, chain_go, chain_short, chain_done, chain_busy;

  // ---- cycle 1: choose ------------------------------------------------------------------------------------------------

  logic             start, granted, dispatch, claim, operand, reclaim, leave;
  grant_t           grant;
  logic [CoreW-1:0] grant_core;
  core_t            core, caller;      // core of the request that is chosen; that is served

  assign quiet_o = (state_q == StepIdle) && !chain_busy && queues_settled_i && lists_i.ready.settled &&
                   lists_i.waits.settled && lists_i.due.settled && lists_i.held.settled;
  assign steady_o = (state_q == StepIdle) && lists_i.ready.settled;
  assign start    = quiet_o && granted;
  assign busy_o   = !quiet_o || granted;

  mel_arbiter #(
    .Sizes (Sizes)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .access_valid_i (access_valid_i & ~stalled),
    .access_i       (access_i),
    .core_state_i   (core_i),
    .reclaims_i,
    .expired_i,
    .irq_i          (irq_i),
    .timers_i       (timers_i),
    .released_i     (released_i),
    .backlog_i      (backlog),
    .start_i        (start),
    .valid_o        (granted),
    .source_o       (grant.source),
    .core_o         (grant_core),
    .access_o       (grant.access),
    .core_state_o   (core),
    .context_o      (grant.context_line),
    .checked_o      (grant.checked),
    .may_wait_o     (grant.may_wait),
    .subject_o      (grant.subject),
    .object_o       (grant.object),
    .wait_kind_o    (grant.wait_kind)
  );
  assign {grant.core, grant.irq, grant.decoded} = {2'(grant_core), irq_i, decoded_t'('0)};

  assign dispatch        = start && grant.source == SourceDispatch;
  assign reclaim         = start && grant.source == SourceReclaim;
  assign claim           = start && grant.source == SourceClaim;
  assign operand         = start && grant.source == SourceOperand;
  assign irq_take_o      = start && grant.source == SourceIrq;
  assign operand_write_o = operand;

  assign save_result_o   = '{en: dispatch && core.due && core.running_valid && !core.ended, task_id: core.running,
                             status: core.result};

  always_ff @(posedge clk_i) begin
    if (start) begin
      step_q         <= grant;
      step_q.decoded <= decode(grant.access.op, grant.checked);
    end
  end
  // ---- cycle 2 and later ----------------------------------------------------------------------------------------------

  logic planning, first_plan, finish, change_valid;
  logic move;        // all lists accept the second half of a move
  logic lists_done;  // the plan's list operations need no more of this step

  assign caller        = core_i[CoreW'(step_q.core)];
  assign planning      = (state_q == StepCheck) || (state_q == StepWaiter);
  assign first_plan    = (state_q == StepCheck) && !leave_q;
  assign leave         = released_i.first.valid && state_q == StepJudge && judged_i;
  assign flags_taken_o = (state_q == StepJudge) && judged_i;
  assign move          = (state_q == StepMove) && lists_i.ready.ready && lists_i.waits.ready && lists_i.due.ready;

  mel_step #(
    .Tasks      (Sizes.Tasks),
    .Priorities (Sizes.Priorities),
    .Cores      (Cores)
  ) u_step (
    .clk_i,
    .rst_ni,
    .state_i          (state_q),
    .quiet_i          (quiet_o),
    .start_i          (start),
    .grant_i          (grant),
    .step_i           (step_q),
    .dispatch_i       (dispatch || reclaim),
    .operand_i        (operand),
    .leave_i          (leave),
    .left_i           (leave_q),
    .move_i           (move),
    .chain_go_i       (chain_go),
    .core_i,
    .records_i,
    .lists_i,
    .released_i,
    .timers_i,
    .alarms_i,
    .purge_valid_i,
    .purge_id_i,
    .run_time_i,
    .plan_o,
    .query_o          (query),
    .reads_o,
    .lists_o,
    .inherit_o,
    .mutex_write_o,
    .subject_o,
    .mutex_id_o       (mutex_id),
    .moves_o          (moves),
    .moves_ready_o    (moves_ready),
    .walked_o         (walked),
    .effective_o      (effective),
    .chain_o          (chain),
    .chain_short_o    (chain_short),
    .chain_done_o     (chain_done),
    .chain_busy_o     (chain_busy),
    .backlog_o        (backlog),
    .stalled_o        (stalled)
  );

  assign {access_o, context_o} = {step_q.access, step_q.context_line};

  always_ff @(posedge clk_i) begin
    if (planning) begin
      finish_q        <= '{valid: 1'b0, change: plan_o.change, status: plan_o.status, caller_waits: plan_o.caller_waits};
      event_subject_q <= subject_o;
    end
    // The waiter's result is not the status of the command.
    if (first_plan) {command_status_q, command_waits_q, owned_q} <= {plan_o.status, plan_o.caller_waits, plan_o.to_waiter};
    if (start || leave) leave_q <= leave;
  end

  // ---- states ---------------------------------------------------------------------------------------------------------

  always_comb begin
    state_d    = state_q;
    finish     = 1'b0;
    lists_done = 1'b0;
    unique case (state_q)
      StepClear: if (clear_q == LastLine) state_d = StepIdle;
      StepIdle: begin
        if (dispatch) begin
          // Without `due` nothing moves but the running task itself, out of the ready set when it stood there.
          if (core.due && core.running_valid && core.runnable && !core.listed) state_d = StepPreempt;
        end else if (start && !claim && !operand && !reclaim) begin
          state_d = StepCheck;
        end
      end
      StepCheck, StepWaiter: begin
        if (plan_o.again)          state_d = StepCheck;
        else if (plan_o.walk)      state_d = StepChain;
        else if (plan_o.judge)     state_d = StepJudge;
        else if (plan_o.to_waiter) state_d = StepWaiter;
        else if (moves)          state_d = StepMove;
        else if ((plan_o.ready_op != ListNone && !effective) || plan_o.settle) state_d = StepFinish;
        else if (plan_o.retry)     state_d = StepIdle;
        else                     lists_done = 1'b1;
      end
      StepMove: begin
        if (move) begin
          if (moves_ready) state_d    = StepFinish;
          else             lists_done = 1'b1;
        end
      end
      StepFinish: lists_done = lists_i.ready.done;
      StepChain: begin
        if (walked)          state_d = StepCheck;
        else if (chain_done) finish  = 1'b1;
      end
      StepJudge: begin
        if (judged_i) begin
          if (leave) state_d = StepCheck;   // the first to leave is known when the judgement ends
          else       finish  = 1'b1;
        end
      end
      StepTell: state_d = StepIdle;
      default: if (lists_i.ready.ready) state_d = StepIdle;   // StepPreempt
    endcase
    chain_go = lists_done && chain;
    if (lists_done) begin
      if (!chain || chain_short) finish  = 1'b1;
      else                       state_d = StepChain;
    end
    if (finish) state_d = (Cores > 1 && step_q.source == SourceCommand) ? StepTell : StepIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StepClear;
      clear_q <= '0;
    end else begin
      state_q <= state_d;
      clear_q <= clear_q + 9'(clear_o);
    end
  end

  assign ready_o       = (state_q != StepClear);
  assign clear_o       = (state_q == StepClear);
  assign clear_index_o = clear_q;

  // ---- the end of a step ----------------------------------------------------------------------------------------------

  // Dispatchers hear of a change when its list operation has ended (of an unlock's waiter earlier: the owner's follows).
  always_comb begin
    {change_valid, finish_o} = {lists_done || plan_o.settle, finish_q};
    if (planning) finish_o.change = plan_o.change;
    if (inherit_o.prio_we) begin
      change_valid    = 1'b1;
      finish_o.change = inherit_o.change;
    end
    finish_o.valid        = change_valid;
    finish_o.status       = first_plan ? plan_o.status : command_status_q;
    finish_o.caller_waits = first_plan ? plan_o.caller_waits : command_waits_q;
  end

  always_comb begin
    access_done_o  = '0;
    operand_done_o = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      core_step_o[i] = '{ends: finish, default: '0};
      core_step_o[i].dispatch = dispatch && grant_core == CoreW'(i);
      core_step_o[i].claim    = claim && grant_core == CoreW'(i);
      core_step_o[i].reclaim  = reclaim && grant_core == CoreW'(i);
      if (CoreW'(step_q.core) == CoreW'(i) && step_q.source == SourceCommand) begin
        core_step_o[i].serving          = !(state_q inside {StepClear, StepIdle, StepPreempt});
        core_step_o[i].command          = finish;
        core_step_o[i].enable           = plan_o.enable;
        core_step_o[i].disable_dispatch = plan_o.disable_dispatch;
      end
      operand_done_o[i] = operand && grant_core == CoreW'(i);
      access_done_o[i]  = core_step_o[i].dispatch || core_step_o[i].claim || operand_done_o[i] ||
                          (finish && CoreW'(step_q.core) == CoreW'(i) &&
                           step_q.source inside {SourceCommand, SourceQuery, SourceValue});
    end
    if (state_q != StepIdle)                access_data_o = query;
    else if (grant.source == SourceDispatch) access_data_o = core.chosen_valid ? 32'(core.chosen) : 32'(Sizes.Tasks);
    else                                     access_data_o = claim_i.valid ? 32'(claim_i.number) : '1;
  end

  // A step that judges flags reports its command then, and the release of a task at its end.
  logic own_status;
  always_comb begin
    own_status = !leave_q && step_q.source inside {SourceCommand, SourceIrq};
    event_o = '{
      valid:        dispatch || claim || operand || reclaim || flags_taken_o ||
                    (finish && state_q != StepJudge && !(planning && plan_o.silent)),
      source:       (state_q == StepIdle) ? grant.source : leave_q ? SourceFlags : step_q.source,
      core:         (state_q == StepIdle) ? grant.core : step_q.core,
      state:        (state_q == StepIdle) ? core : caller,
      access:       (state_q == StepIdle) ? grant.access : step_q.access,
      irq:          step_q.irq,
      claim:        claim_i,
      subject:      planning ? subject_o : event_subject_q,
      mutex_id:     mutex_id,
      owned:        first_plan ? plan_o.to_waiter : owned_q,
      ended:        backlog.orphan_id,
      value:        query,
      status:       own_status ? finish_o.status : planning ? plan_o.status : finish_q.status,
      caller_waits: finish_o.caller_waits
    };
  end

`ifndef SYNTHESIS
  logic [3:0] age_q;       // number of this cycle in the step
  logic       bounded_q;   // neither flags nor inheritance take part
  always_ff @(posedge clk_i) begin
    age_q     <= start ? 4'd2 : age_q + 4'(age_q != '1);
    bounded_q <= start || (bounded_q && !(state_q inside {StepJudge, StepChain}));
  end

  a_five_cycles: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(finish && bounded_q) || age_q <= 4'd5 || step_q.source == SourceOrphan);
  a_planned_in_second: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StepCheck || !bounded_q || step_q.source == SourceOrphan || age_q == 4'd2);
  a_one_core: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(access_done_o));
  a_one_change: assert property (@(posedge clk_i) disable iff (!rst_ni) !(inherit_o.prio_we && lists_done));
  a_stalled_asks: assert property (@(posedge clk_i) disable iff (!rst_ni) (stalled & ~access_valid_i) == '0);
`endif
endmodule
