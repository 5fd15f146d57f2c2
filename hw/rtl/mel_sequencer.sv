// mel_sequencer: serves one request at a time: core accesses, interrupt edges, timeouts, background work. Each is a step that
// takes effect as a whole; its event is reported in its last cycle.
//
// A step: cycle 1 chooses the request and reads the tables; cycle 2 checks, plans (mel_execute), writes the tables and starts
// list operations; from cycle 3 on they end. `dispatch` and `claim` are known from registers and end in cycle 1.
//
// Timing: U = cycles from the capture register of the access port to the result register, when no step is under way; the same
// for any number of tasks and any content of the lists:
//   1  dispatch, claim
//   2  refusals; counts (give without waiter, take with count, wake-up); queries; take, sleep, delay that wait; exit; all
//      else that neither touches the ready set nor moves a waiting task
//   3  start, resume, wakeup, release; yield and set_priority of the running task
//   4  give to a waiter; terminate and suspend of a ready task; rotate of a list with less than two tasks; set_priority of
//      a waiting task
//   5  set_priority of a ready task; rotate; terminate, suspend and set_priority where a list must look up its next priority
//   (A caller that lost its turn stands in the ready set: its own take, sleep, delay, exit or suspend takes 4 or 5.)
// A step can begin in the cycle after the last one, when all list operations have ended: at most 4 cycles later after a
// dispatch, 2 after others. A creation or deletion that meets a semaphore still being deleted waits for its waiters to go.
// After reset the tables are cleared, one line per cycle; requests wait meanwhile.
module mel_sequencer
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,
  parameter int unsigned Priorities = 32,
  parameter int unsigned Semaphores = 64,
  parameter int unsigned Interrupts = 32,
  parameter int unsigned Cores      = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  output logic             ready_o,
  output logic             clear_o,
  output id_t              clear_index_o,
  output logic             quiet_o,            // no step is under way, no list changes
  output logic             busy_o,             // not quiet, or a step begins

  input  logic [Cores-1:0] access_valid_i,
  input  access_t          access_i      [Cores],
  output logic [Cores-1:0] access_done_o,
  output logic [31:0]      access_data_o,      // of a query, dispatch or claim
  input  core_t            core_i        [Cores],
  output core_step_t       core_step_o   [Cores],
  output finish_t          finish_o,

  output logic             read_o,             // tables
  output id_t              read_task_o,
  output id_t              read_semaphore_o,
  input  task_t            task_i,
  input  semaphore_t       semaphore_i,
  output logic             save_result_o,      // of the task that stops running
  output id_t              save_result_id_o,
  output status_t          save_result_value_o,

  output plan_t            plan_o,             // takes effect now, or has none
  output access_t          access_o,           // whose plan it is
  output id_t              subject_o,          // the task and the semaphore that it is about
  output id_t              semaphore_o,

  output list_request_t    ready_request_o,
  input  list_state_t      ready_state_i,
  input  top_t             best_i,
  output list_request_t    wait_request_o,
  input  list_state_t      wait_state_i,
  input  top_t             waiter_i,
  output list_request_t    due_request_o,
  input  list_state_t      due_state_i,

  input  timers_t          timers_i,
  input  irq_request_t     irq_i,
  output logic             irq_take_o,
  input  claim_t           claim_i,

  output step_event_t      event_o
);

  localparam int unsigned CoreW    = (Cores > 1) ? $clog2(Cores) : 1;
  localparam int unsigned Objects  = (Semaphores > Interrupts) ? Semaphores : Interrupts;
  localparam id_t         LastLine = id_t'(((Tasks > Objects) ? Tasks : Objects) - 1);

  typedef enum logic [2:0] {
    StateClear,
    StateIdle,      // cycle 1
    StateCheck,     // cycle 2
    StateWaiter,    // the same for the waiter that a give or release found
    StateMove,      // a task is inserted again
    StateFinish,    // the ready set ends its operation
    StatePreempt    // after a dispatch: the preempted task goes to the head of its priority
  } state_e;

  state_e           state_q, state_d;
  id_t              clear_q;
  source_e          source_q;
  logic [CoreW-1:0] core_q;
  access_t          access_q;
  status_t          checked_q;
  irq_request_t     irq_q;
  id_t              subject_q;
  finish_t          finish_q;          // valid: not used
  status_t          waiter_result_q;
  list_op_e         move_ready_q, move_wait_q, move_due_q;
  prio_t            move_prio_q;
  id_t              move_object_q;
  logic [Cores-1:0] stalled_q;         // met a semaphore that is being deleted
  logic             drain_valid_q;
  id_t              drain_id_q;

  plan_t            plan;              // of this cycle, or without effect

  // ---- cycle 1: choose ------------------------------------------------------------------------------------------------

  logic             start, grant, dispatch, claim;
  source_e          grant_source;
  logic [CoreW-1:0] grant_core;
  access_t          access;
  core_t            core;
  status_t          checked;
  id_t              subject, semaphore_id;

  assign quiet_o = (state_q == StateIdle) &&
                   ready_state_i.settled && wait_state_i.settled && due_state_i.settled;
  assign start   = quiet_o && grant;
  assign busy_o  = !quiet_o || grant;

  mel_arbiter #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Semaphores (Semaphores),
    .Interrupts (Interrupts),
    .Cores      (Cores)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .access_valid_i (access_valid_i & ~stalled_q),
    .access_i       (access_i),
    .core_state_i   (core_i),
    .irq_i          (irq_i),
    .timers_i       (timers_i),
    .drain_valid_i  (drain_valid_q),
    .drain_id_i     (drain_id_q),
    .start_i        (start),
    .valid_o        (grant),
    .source_o       (grant_source),
    .core_o         (grant_core),
    .access_o       (access),
    .core_state_o   (core),
    .checked_o      (checked),
    .subject_o      (subject),
    .semaphore_o    (semaphore_id)
  );

  assign dispatch   = start && grant_source == SourceDispatch;
  assign claim      = start && grant_source == SourceClaim;
  assign irq_take_o = start && grant_source == SourceIrq;

  assign read_o           = (state_q == StateIdle) || plan.to_waiter;
  assign read_task_o      = (state_q == StateIdle) ? subject : waiter_i.task_id;
  assign read_semaphore_o = semaphore_id;

  always_ff @(posedge clk_i) begin
    if (start) begin
      source_q  <= grant_source;
      core_q    <= grant_core;
      access_q  <= access;
      irq_q     <= irq_i;
      checked_q <= checked;
    end
    if (start)               subject_q <= (dispatch) ? core.running : subject;
    else if (plan.to_waiter) subject_q <= waiter_i.task_id;
  end

  assign save_result_o       = dispatch && core.due && core.running_valid;
  assign save_result_id_o    = core.running;
  assign save_result_value_o = core.result;

  // ---- cycle 2: check, plan -------------------------------------------------------------------------------------------

  found_t  found;
  plan_t   planned;
  logic    planning;
  core_t   caller;
  assign caller   = core_i[core_q];
  assign planning = (state_q == StateCheck) || (state_q == StateWaiter);

  always_comb begin
    found = '{subject: subject_q, record: task_i, running: 1'b0, apart: 1'b0, held: 1'b0, semaphore: semaphore_i,
              waiter: waiter_i};
    for (int unsigned i = 0; i < Cores; i++) begin
      if (core_i[i].running_valid && core_i[i].running == subject_q) begin
        found.running = 1'b1;
        found.apart   = !core_i[i].listed;
        found.held    = !core_i[i].enabled;
      end
    end
  end

  logic [31:0] query;

  mel_execute u_execute (
    .source_i        (source_q),
    .waiter_i        (state_q == StateWaiter),
    .waiter_result_i (waiter_result_q),
    .checked_i       (checked_q),
    .op_i            (access_q.op),
    .id_i            (access_q.id),
    .argument_i      (access_q.argument),
    .irq_i           (irq_q),
    .found_i         (found),
    .timers_i        (timers_i),
    .drain_valid_i   (drain_valid_q),
    .drain_id_i      (drain_id_q),
    .plan_o          (planned),
    .query_o         (query)
  );

  assign plan        = planning ? planned : without_effect(planned);
  assign plan_o      = plan;
  assign access_o    = access_q;
  assign subject_o   = subject_q;
  assign semaphore_o = (source_q == SourceIrq) ? irq_q.object : access_q.id;

  logic moves, finish;
  assign moves = plan.move && (plan.ready_op != ListNone || plan.wait_op != ListNone || plan.due_op != ListNone);

  function automatic list_op_e insert_after(logic move, list_op_e op);
    return (move && op == ListRemove) ? ListInsertTail : ListNone;
  endfunction

  always_ff @(posedge clk_i) begin
    if (planning) begin
      finish_q        <= '{valid: 1'b0, change: plan.change, status: plan.status, caller_waits: plan.caller_waits};
      waiter_result_q <= plan.waiter_result;
      move_ready_q    <= insert_after(plan.move, plan.ready_op);
      move_wait_q     <= insert_after(plan.move, plan.wait_op);
      move_due_q      <= insert_after(plan.move, plan.due_op);
      move_prio_q     <= plan.move_prio;
      move_object_q   <= plan.wait_object;
    end else if (dispatch) begin
      move_prio_q     <= core.prio;
    end
  end

  // ---- states ---------------------------------------------------------------------------------------------------------

  logic move;   // all lists accept the second half of a move
  assign move = (state_q == StateMove) && ready_state_i.ready && wait_state_i.ready && due_state_i.ready;

  always_comb begin
    state_d = state_q;
    finish  = 1'b0;
    unique case (state_q)
      StateClear: if (clear_q == LastLine) state_d = StateIdle;
      StateIdle: begin
        if (dispatch) begin
          // Without `due` nothing moves but the running task itself, out of the ready set when it stood there.
          if (core.due && core.running_valid && core.runnable && !core.listed) state_d = StatePreempt;
        end else if (start && !claim) begin
          state_d = StateCheck;
        end
      end
      StateCheck, StateWaiter: begin
        if (plan.to_waiter)                 state_d = StateWaiter;
        else if (moves)                     state_d = StateMove;
        else if (plan.ready_op != ListNone) state_d = StateFinish;
        else begin
          state_d = StateIdle;
          finish  = !plan.retry;
        end
      end
      StateMove: begin
        if (move) begin
          state_d = (move_ready_q != ListNone) ? StateFinish : StateIdle;
          finish  = (move_ready_q == ListNone);
        end
      end
      StateFinish: begin
        if (ready_state_i.done) begin
          state_d = StateIdle;
          finish  = 1'b1;
        end
      end
      default: if (ready_state_i.ready) state_d = StateIdle;   // StatePreempt
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= StateClear;
      clear_q       <= '0;
      stalled_q     <= '0;
      drain_valid_q <= 1'b0;
      drain_id_q    <= '0;
    end else begin
      state_q <= state_d;
      clear_q <= clear_q + 8'(clear_o);
      if (plan.drain_start) begin
        drain_valid_q <= 1'b1;
        drain_id_q    <= access_q.id;
      end
      if (plan.drain_end) begin
        drain_valid_q <= 1'b0;
        stalled_q     <= '0;
      end
      if (plan.retry) stalled_q[core_q] <= 1'b1;
    end
  end

  assign ready_o       = (state_q != StateClear);
  assign clear_o       = (state_q == StateClear);
  assign clear_index_o = clear_q;

  // ---- list operations ------------------------------------------------------------------------------------------------

  always_comb begin
    ready_request_o = '{op: plan.ready_op, object: '0, prio: plan.prio, task_id: subject_q};
    wait_request_o  = '{op: plan.wait_op, object: plan.wait_object, prio: plan.prio, task_id: subject_q};
    due_request_o   = '{op: plan.due_op, object: '0, prio: plan.prio, task_id: subject_q};
    unique case (state_q)
      StateIdle: begin
        wait_request_o.object = semaphore_id;
        if (dispatch && core.take_best) begin
          ready_request_o = '{op: ListRemove, object: '0, prio: best_i.prio, task_id: best_i.task_id};
        end
      end
      StateMove: begin
        ready_request_o = '{op: move ? move_ready_q : ListNone, object: '0, prio: move_prio_q, task_id: subject_q};
        wait_request_o  = '{op: move ? move_wait_q : ListNone, object: move_object_q, prio: move_prio_q, task_id: subject_q};
        due_request_o   = '{op: move ? move_due_q : ListNone, object: '0, prio: move_prio_q, task_id: subject_q};
      end
      StatePreempt: begin
        ready_request_o = '{op: ready_state_i.ready ? ListInsertHead : ListNone, object: '0, prio: move_prio_q,
                            task_id: subject_q};
      end
      default: ;
    endcase
  end

  // ---- the end of a step ----------------------------------------------------------------------------------------------

  always_comb begin
    finish_o = finish_q;
    if (planning) finish_o = '{valid: 1'b0, change: plan.change, status: plan.status, caller_waits: plan.caller_waits};
    finish_o.valid = finish;
  end

  always_comb begin
    access_done_o = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      core_step_o[i] = '0;
      core_step_o[i].dispatch = dispatch && grant_core == CoreW'(i);
      core_step_o[i].claim    = claim && grant_core == CoreW'(i);
      if (core_q == CoreW'(i) && source_q == SourceCommand) begin
        core_step_o[i].serving          = planning || state_q inside {StateMove, StateFinish};
        core_step_o[i].command          = finish;
        core_step_o[i].enable           = plan.enable;
        core_step_o[i].disable_dispatch = plan.disable_dispatch;
      end
      access_done_o[i] = core_step_o[i].dispatch || core_step_o[i].claim ||
                         (finish && core_q == CoreW'(i) && source_q inside {SourceCommand, SourceQuery});
    end
    if (state_q != StateIdle)                access_data_o = query;
    else if (grant_source == SourceDispatch) access_data_o = core.chosen_valid ? 32'(core.chosen) : 32'(Tasks);
    else                                     access_data_o = claim_i.valid ? 32'(claim_i.number) : '1;
  end

  assign event_o = '{
    valid:        dispatch || claim || (finish && !(planning && plan.silent)),
    source:       (state_q == StateIdle) ? grant_source : source_q,
    core:         2'((state_q == StateIdle) ? grant_core : core_q),
    state:        (state_q == StateIdle) ? core : caller,
    access:       access_q,
    irq:          irq_q,
    claim:        claim_i,
    subject:      subject_q,
    status:       finish_o.status,
    caller_waits: finish_o.caller_waits
  };

`ifndef SYNTHESIS
  logic [3:0] age_q;   // number of this cycle in the step
  always_ff @(posedge clk_i) age_q <= start ? 4'd2 : age_q + 4'(age_q != '1);

  a_five_cycles: assert property (@(posedge clk_i) disable iff (!rst_ni) !finish || age_q <= 4'd5);
  a_planned_in_second: assert property (@(posedge clk_i) disable iff (!rst_ni) state_q != StateCheck || age_q == 4'd2);
  a_one_core: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(access_done_o));
  a_lists_free: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || (ready_state_i.settled && wait_state_i.settled && due_state_i.settled));
  a_timeout_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || source_q != SourceTimeout || (task_i.waits != WaitNone && task_i.due));
  a_collect_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || !plan.collected || (task_i.waits != WaitNone && !task_i.due));
  a_waiter_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateWaiter || task_i.waits == WaitSemaphore);
  a_runnable_agrees: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || source_q != SourceCommand || !caller.running_valid || subject_q != caller.running ||
    caller.runnable == (!task_i.dormant && !task_i.suspended && task_i.waits == WaitNone && task_i.exists));
  a_stalled_asks: assert property (@(posedge clk_i) disable iff (!rst_ni) (stalled_q & ~access_valid_i) == '0);
`endif

endmodule
