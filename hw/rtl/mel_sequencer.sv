// mel_sequencer: serves one request at a time: core accesses, interrupt edges, timeouts, background work. Each is a step that
// takes effect as a whole; its event is reported in its last cycle (a set of event flags that releases tasks: when they are
// known; the first of them leaves in the same step).
//
// A step: cycle 1 chooses the request and reads the tables; cycle 2 checks, plans (mel_execute), writes the tables and starts
// list operations; from cycle 3 on they end. `dispatch`, `claim` and an operand are known from registers and end in cycle 1.
//
// Timing: U = cycles from the capture register of the access port to the result register, when no step is under way; the same
// for any number of tasks and any content of the lists:
//   1  dispatch, claim, operand
//   2  refusals; counts (give without waiter, take with count, wake-up, flags for which nobody waits, messages, mutexes); queries;
//      all calls that wait, except for a mutex; exit; all else that neither touches the ready set nor moves a waiting task
//   3  start, resume, wakeup, release; yield and set_priority of the running task
//   4  give, send or unlock to a waiter, receive with a waiting sender; terminate and suspend of a ready task; rotate of a list
//      with less than two tasks; set_priority of a waiting task
//   5  set_priority of a ready task; rotate; terminate, suspend and set_priority where a list must look up its next priority
//   (A caller that lost its turn stands in the ready set: its own take, sleep, delay, exit or suspend takes 4 or 5.)
//   Flags for which tasks wait: 2 + rows of mel_flag_waiters, and 2 more when one is released: 6 and 8 with 64 tasks.
//   What changes inherited priorities: mel_inheritance.
// A step can begin in the cycle after the last one, when all list operations have ended: at most 4 cycles later after a
// dispatch, 3 after others. What meets something that is still being cleared away (the waiters of a deleted object, the mutexes
// of a task that ended, the messages of a deleted queue) waits till that is done.
// After reset the tables are cleared, one line per cycle; requests wait meanwhile.
module mel_sequencer
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks      = 64,
  parameter int unsigned Priorities = 32,
  parameter int unsigned Semaphores = 64,
  parameter int unsigned EventFlags = 16,
  parameter int unsigned Mutexes    = 16,
  parameter int unsigned Queues     = 16,
  parameter int unsigned Messages   = 64,
  parameter int unsigned Timers     = 8,
  parameter int unsigned Interrupts = 32,
  parameter int unsigned Cores      = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  output logic             ready_o,
  output logic             clear_o,
  output line_t            clear_index_o,
  output logic             quiet_o,            // no step is under way, no list changes
  output logic             busy_o,             // not quiet, or a step begins

  input  logic [Cores-1:0] access_valid_i,
  input  access_t          access_i      [Cores],
  output logic [Cores-1:0] access_done_o,
  output logic [Cores-1:0] operand_done_o,     // likewise, of an operand alone: known early in the cycle
  output logic [31:0]      access_data_o,      // of a query, value, dispatch or claim
  input  core_t            core_i        [Cores],
  output core_step_t       core_step_o   [Cores],
  output finish_t          finish_o,

  output reads_t           reads_o,
  input  records_t         records_i,
  output lists_request_t   lists_o,
  input  lists_t           lists_i,
  input  logic             queues_settled_i,
  input  logic             purge_valid_i,
  input  id_t              purge_id_i,
  output logic             save_result_o,      // of the task that stops running
  output id_t              save_result_id_o,
  output status_t          save_result_value_o,

  output plan_t            plan_o,             // takes effect now, or has none
  output inherit_t         inherit_o,          // likewise
  output access_t          access_o,           // whose plan it is
  output id_t              subject_o,          // the task that it is about
  output line_t            context_o,          // the caller's words
  output logic             operand_write_o,    // of the access that `event_o` reports
  output logic             mutex_write_o,
  output id_t              mutex_write_id_o,
  output mutex_t           mutex_o,

  input  logic             judged_i,           // the flags that the plan had judged
  output logic             flags_taken_o,      // … are written
  input  flag_released_t   released_i,

  input  timers_t          timers_i,
  input  logic [15:0]      alarms_i,
  input  irq_request_t     irq_i,
  output logic             irq_take_o,
  input  claim_t           claim_i,

  output step_event_t      event_o
);

  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1;

  function automatic int unsigned larger(int unsigned a, int unsigned b);
    return (a > b) ? a : b;
  endfunction
  localparam int unsigned TableLines = larger(larger(Tasks + 2 * Cores, Semaphores + Mutexes + Queues),
                                              larger(larger(EventFlags, Messages), Interrupts + Timers));
  localparam line_t LastLine = line_t'(TableLines - 1);

  typedef enum logic [3:0] {
    StateClear,
    StateIdle,      // cycle 1
    StateCheck,     // cycle 2; again after a walk, and for the task that flags released
    StateWaiter,    // the same for the waiter that a give, send, unlock or drain found
    StateMove,      // a task is inserted again
    StateFinish,    // the ready set ends its operation
    StateChain,     // mel_inheritance
    StateJudge,     // event flags are judged
    StateLeave,     // … and have released tasks: the first is looked for
    StatePreempt    // after a dispatch: the preempted task goes to the head of its priority
  } state_e;

  state_e           state_q, state_d;
  line_t            clear_q;
  source_e          source_q;
  logic [CoreW-1:0] core_q;
  access_t          access_q;
  status_t          checked_q;
  decoded_t         decoded_q;
  logic             may_wait_q;
  irq_request_t     irq_q;
  line_t            context_q;
  id_t              subject_q;         // of the task record read last
  id_t              event_subject_q;
  finish_t          finish_q;          // valid: not used
  status_t          command_status_q;  // of the first plan
  logic             command_waits_q;
  status_t          waiter_result_q;
  list_op_e         move_ready_q, move_wait_q, move_due_q;
  prio_t            move_prio_q;
  wait_e            move_kind_q;
  id_t              move_object_q;
  logic             chain_q;           // inheritance follows
  logic             leave_q;           // the step goes on with a task that flags released
  logic             walked_q, cycle_q;
  id_t              mutex_q;           // that the step is about
  logic             owned_q;           // … by the subject now

  plan_t            plan;              // of this cycle, or without effect

  // ---- cycle 1: choose ------------------------------------------------------------------------------------------------

  logic             start, grant, dispatch, claim, operand;
  source_e          grant_source;
  logic [CoreW-1:0] grant_core;
  access_t          access;
  core_t            core;
  line_t            context_line;
  status_t          checked;
  logic             may_wait;
  id_t              subject, object;
  wait_e            wait_kind;
  logic             chain_busy;
  backlog_t         backlog;
  logic [Cores-1:0] stalled;

  assign quiet_o = (state_q == StateIdle) && !chain_busy && queues_settled_i && lists_i.ready.settled &&
                   lists_i.waits.settled && lists_i.due.settled && lists_i.held.settled;
  assign start   = quiet_o && grant;
  assign busy_o  = !quiet_o || grant;

  mel_arbiter #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Semaphores (Semaphores),
    .EventFlags (EventFlags),
    .Mutexes    (Mutexes),
    .Queues     (Queues),
    .Messages   (Messages),
    .Timers     (Timers),
    .Interrupts (Interrupts),
    .Cores      (Cores)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .access_valid_i (access_valid_i & ~stalled),
    .access_i       (access_i),
    .core_state_i   (core_i),
    .irq_i          (irq_i),
    .timers_i       (timers_i),
    .released_i     (released_i),
    .backlog_i      (backlog),
    .start_i        (start),
    .valid_o        (grant),
    .source_o       (grant_source),
    .core_o         (grant_core),
    .access_o       (access),
    .core_state_o   (core),
    .context_o      (context_line),
    .checked_o      (checked),
    .may_wait_o     (may_wait),
    .subject_o      (subject),
    .object_o       (object),
    .wait_kind_o    (wait_kind)
  );

  assign dispatch        = start && grant_source == SourceDispatch;
  assign claim           = start && grant_source == SourceClaim;
  assign operand         = start && grant_source == SourceOperand;
  assign irq_take_o      = start && grant_source == SourceIrq;
  assign operand_write_o = operand;

  // ---- the tables -----------------------------------------------------------------------------------------------------

  records_t records;
  task_t    task_record;
  mutex_t   mutex;
  logic     planning, chain_start, walk, walked, cycle, chain_go, chain_short, chain_done, leave, owner_again;
  reads_t   chain_reads;
  id_t      owner_q;
  core_t    caller;

  assign records     = records_i;
  assign task_record = records.task_record;
  assign mutex       = records.mutex;
  assign caller      = core_i[core_q];
  assign planning    = (state_q == StateCheck) || (state_q == StateWaiter);
  assign leave       = released_i.first.valid && (state_q == StateLeave || (state_q == StateJudge && judged_i));

  always_comb begin
    reads_o = '{
      task_en:      quiet_o || plan.to_waiter || walk || walked || owner_again || leave || chain_reads.task_en,
      task_id:      lists_i.waiter.task_id,
      object_en:    quiet_o && !operand,
      object_id:    object,
      context_line: context_line,
      mutex_en:     quiet_o || chain_reads.mutex_en || plan.again || plan.chain == ChainLevel || walked,
      mutex_id:     plan.chain_mutex,
      word_en:      plan.to_waiter
    };
    if (state_q == StateIdle)         reads_o.task_id = subject;
    else if (chain_reads.task_en)     reads_o.task_id = chain_reads.task_id;
    else if (walked)                  reads_o.task_id = caller.running;
    else if (leave)                   reads_o.task_id = released_i.first.task_id;
    else if (walk)                    reads_o.task_id = mutex.owner;
    else if (owner_again)             reads_o.task_id = (state_q == StateWaiter) ? owner_q : plan.held_owner;

    if (quiet_o)                      reads_o.mutex_id = object;
    else if (chain_reads.mutex_en)    reads_o.mutex_id = chain_reads.mutex_id;
    else if (walked)                  reads_o.mutex_id = mutex_q;
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      source_q   <= grant_source;
      core_q     <= grant_core;
      access_q   <= access;
      irq_q      <= irq_i;
      checked_q  <= checked;
      decoded_q  <= decode(access.op, checked);
      may_wait_q <= may_wait;
      context_q  <= context_line;
    end
    if (dispatch)         subject_q <= core.running;
    else if (reads_o.task_en) subject_q <= reads_o.task_id;
  end

  assign save_result_o       = dispatch && core.due && core.running_valid;
  assign save_result_id_o    = core.running;
  assign save_result_value_o = core.result;

  // ---- cycle 2: check, plan -------------------------------------------------------------------------------------------

  found_t  found;
  plan_t   planned;

  always_comb begin
    found = '{subject: subject_q, record: task_record, running: 1'b0, apart: 1'b0, keeps_core: 1'b0,
              released: records.released, held: lists_i.inherited, semaphore: records.semaphore, flags: records.flags,
              waited: records.waited, messages: records.messages, mutex: mutex, waiter: lists_i.waiter,
              operand: records.operand};
    for (int unsigned i = 0; i < Cores; i++) begin
      if (core_i[i].running_valid && core_i[i].running == subject_q) begin
        found.running    = 1'b1;
        found.apart      = !core_i[i].listed;
        found.keeps_core = !core_i[i].enabled;
      end
    end
  end

  logic [31:0] query;

  mel_execute #(
    .Tasks      (Tasks),
    .Priorities (Priorities)
  ) u_execute (
    .source_i        (leave_q ? SourceFlags : source_q),
    .waiter_i        (state_q == StateWaiter),
    .waiter_result_i (waiter_result_q),
    .walked_i        (walked_q),
    .cycle_i         (cycle_q),
    .checked_i       (checked_q),
    .decoded_i       (decoded_q),
    .may_wait_i      (may_wait_q),
    .op_i            (access_q.op),
    .id_i            ((source_q == SourceOrphan) ? mutex_q : access_q.id),
    .argument_i      (access_q.argument),
    .irq_i           (irq_q),
    .found_i         (found),
    .timers_i        (timers_i),
    .deleted_i       (released_i.deleted),
    .alarms_i        (alarms_i),
    .backlog_i       (backlog),
    .room_i          (records.room),
    .word_i          (records.word),
    .value_i         (records.value),
    .plan_o          (planned),
    .query_o         (query)
  );

  assign plan      = planning ? planned : without_effect(planned);
  assign plan_o    = plan;
  assign access_o  = access_q;
  assign subject_o = subject_q;
  assign context_o = context_q;

  assign walk      = plan.walk;
  assign flags_taken_o = (state_q == StateJudge) && judged_i;

  logic moves, finish, change_valid;
  assign moves = plan.move;

  function automatic list_op_e insert_after(logic move, logic first, list_op_e op);
    if (!move || op != ListRemove) return ListNone;
    return first ? ListInsertHead : ListInsertTail;
  endfunction

  // What happens to the waiter is not the status of the command.
  logic first_plan;
  assign first_plan = (state_q == StateCheck) && !leave_q;

  always_ff @(posedge clk_i) begin
    if (planning) begin
      finish_q        <= '{valid: 1'b0, change: plan.change, status: plan.status, caller_waits: plan.caller_waits};
      event_subject_q <= subject_q;
      waiter_result_q <= plan.waiter_result;
      move_ready_q    <= insert_after(plan.move, plan.move_first, plan.ready_op);
      move_wait_q     <= insert_after(plan.move, 1'b0, plan.wait_op);
      move_due_q      <= insert_after(plan.move, 1'b0, plan.due_op);
      move_prio_q     <= plan.move_prio;
      move_kind_q     <= plan.wait_kind;
      move_object_q   <= plan.wait_id;
    end else if (dispatch) begin
      move_prio_q     <= core.prio;
    end
    if (first_plan) begin
      command_status_q <= plan.status;
      command_waits_q  <= plan.caller_waits;
      owned_q          <= plan.to_waiter;
    end
    if (start)           mutex_q <= object;
    else if (plan.again) mutex_q <= plan.chain_mutex;
    if (start)       walked_q <= 1'b0;
    else if (walked || plan.again) walked_q <= 1'b1;
    if (walked)      cycle_q <= cycle;
    if (start)                       leave_q <= 1'b0;
    else if (leave)                  leave_q <= 1'b1;
  end

  // ---- inheritance ----------------------------------------------------------------------------------------------------

  logic           chain, effective_q;
  lists_request_t chain_lists;

  // Which plan of the step brings it: the first one's, or that of a waiter that leaves a mutex by force.
  assign chain_start = plan.chain != ChainNone || plan.adopt;
  assign chain       = chain_start || chain_q;
  // An unlock has looked at its waiter meanwhile.
  assign owner_again = (state_q == StateWaiter && effective_q) || (plan.chain == ChainEffective && !plan.to_waiter);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chain_q     <= 1'b0;
      effective_q <= 1'b0;
    end else if (start || chain_go) begin
      chain_q     <= 1'b0;
      effective_q <= 1'b0;
    end else if (chain_start) begin
      chain_q     <= 1'b1;
      effective_q <= (plan.chain == ChainEffective);
    end
  end
  always_ff @(posedge clk_i) begin
    if (chain_start) owner_q <= plan.held_owner;
  end

  mel_inheritance #(.Priorities(Priorities)) u_inheritance (
    .clk_i,
    .rst_ni,
    .walk_i          (walk),
    .caller_i        (subject_q),
    .walked_o        (walked),
    .cycle_o         (cycle),
    .start_i         (chain_start),
    .level_i         (plan.chain == ChainLevel),
    .effective_i     (plan.chain == ChainEffective),
    .adopt_i         (plan.adopt),
    .mutex_id_i      (plan.chain_mutex),
    .owner_i         (plan.held_owner),
    .adopter_i       (lists_i.waiter.task_id),
    .go_i            (chain_go),
    .short_o         (chain_short),
    .done_o          (chain_done),
    .busy_o          (chain_busy),
    .task_i          (task_record),
    .apart_i         (found.apart),
    .mutex_i         (mutex),
    .lists_i         (lists_i),
    .reads_o         (chain_reads),
    .lists_o         (chain_lists),
    .writes_o        (inherit_o)
  );

  assign mutex_write_o    = plan.mutex_we || inherit_o.mutex_we;
  assign mutex_write_id_o = inherit_o.mutex_we ? inherit_o.mutex_id : mutex_q;
  assign mutex_o          = inherit_o.mutex_we ? inherit_o.mutex_entry : plan.mutex_entry;

  mel_backlog #(.Cores(Cores)) u_backlog (
    .clk_i,
    .rst_ni,
    .plan_i    (plan),
    .object_i  (access_q.id),
    .subject_i (subject_q),
    .core_i    (core_q),
    .purge_valid_i,
    .purge_id_i,
    .backlog_o (backlog),
    .stalled_o (stalled)
  );

  // ---- states ---------------------------------------------------------------------------------------------------------

  logic move;        // all lists accept the second half of a move
  logic lists_done;  // the plan's list operations need no more of this step
  assign move = (state_q == StateMove) && lists_i.ready.ready && lists_i.waits.ready && lists_i.due.ready;

  always_comb begin
    state_d      = state_q;
    finish       = 1'b0;
    lists_done   = 1'b0;
    unique case (state_q)
      StateClear: if (clear_q == LastLine) state_d = StateIdle;
      StateIdle: begin
        if (dispatch) begin
          // Without `due` nothing moves but the running task itself, out of the ready set when it stood there.
          if (core.due && core.running_valid && core.runnable && !core.listed) state_d = StatePreempt;
        end else if (start && !claim && !operand) begin
          state_d = StateCheck;
        end
      end
      StateCheck, StateWaiter: begin
        if (plan.again)                      state_d = StateCheck;
        else if (plan.walk)                  state_d = StateChain;
        else if (plan.judge)                 state_d = StateJudge;
        else if (plan.to_waiter)             state_d = StateWaiter;
        else if (moves)                      state_d = StateMove;
        else if ((plan.ready_op != ListNone && !effective_q) || plan.settle) state_d = StateFinish;
        else if (plan.retry)                 state_d = StateIdle;
        else                                 lists_done = 1'b1;
      end
      StateMove: begin
        if (move) begin
          if (move_ready_q != ListNone) state_d    = StateFinish;
          else                          lists_done = 1'b1;
        end
      end
      StateFinish: lists_done = lists_i.ready.done;
      StateChain: begin
        if (walked)          state_d = StateCheck;
        else if (chain_done) finish  = 1'b1;
      end
      StateJudge: begin
        if (judged_i) begin
          if (leave)               state_d = StateCheck;
          else if (released_i.any) state_d = StateLeave;
          else                     finish  = 1'b1;
        end
      end
      StateLeave: if (leave) state_d = StateCheck;
      default: if (lists_i.ready.ready) state_d = StateIdle;   // StatePreempt
    endcase
    chain_go = lists_done && chain;
    if (lists_done) begin
      if (!chain || (!chain_start && chain_short)) finish  = 1'b1;
      else                                         state_d = StateChain;
    end
    if (finish) state_d = StateIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateClear;
      clear_q <= '0;
    end else begin
      state_q <= state_d;
      clear_q <= clear_q + 9'(clear_o);
    end
  end

  assign ready_o       = (state_q != StateClear);
  assign clear_o       = (state_q == StateClear);
  assign clear_index_o = clear_q;

  // ---- list operations ------------------------------------------------------------------------------------------------

  always_comb begin
    lists_o = '{
      ready: '{op: plan.ready_op, object: '0, prio: plan.ready_prio, task_id: subject_q},
      waits: '{op: plan.wait_op, kind: plan.wait_kind, object: plan.wait_id, prio: plan.prio, task_id: subject_q},
      due:   '{op: plan.due_op, object: '0, prio: plan.prio, task_id: subject_q},
      held:  '{op: plan.held_op, object: line_t'(plan.held_owner), prio: plan.held_prio, task_id: mutex_q}
    };
    unique case (state_q)
      StateIdle: begin
        lists_o.waits.kind   = wait_kind;
        lists_o.waits.object = object;
        lists_o.held.object  = line_t'(subject);
        if (dispatch && core.take_best) begin
          lists_o.ready = '{op: ListRemove, object: '0, prio: lists_i.best.prio, task_id: lists_i.best.task_id};
        end
      end
      StateMove: begin
        lists_o.ready = '{op: move ? move_ready_q : ListNone, object: '0, prio: move_prio_q, task_id: subject_q};
        lists_o.due   = '{op: move ? move_due_q : ListNone, object: '0, prio: move_prio_q, task_id: subject_q};
        lists_o.waits = '{op: move ? move_wait_q : ListNone, kind: move_kind_q, object: move_object_q, prio: move_prio_q,
                          task_id: subject_q};
      end
      StatePreempt: begin
        lists_o.ready = '{op: lists_i.ready.ready ? ListInsertHead : ListNone, object: '0, prio: move_prio_q,
                          task_id: subject_q};
      end
      StateChain: begin
        lists_o = chain_lists;
        if (walked) begin
          lists_o.waits.kind   = WaitMutex;
          lists_o.waits.object = mutex_q;
        end
      end
      default: ;
    endcase
    if (chain_busy) lists_o.held = chain_lists.held;
  end

  // ---- the end of a step ----------------------------------------------------------------------------------------------

  // Dispatchers hear of a change when its list operation has ended (of an unlock's waiter earlier: the owner's follows).
  always_comb begin
    change_valid = lists_done || plan.settle;
    finish_o     = finish_q;
    if (planning) finish_o.change = plan.change;
    if (inherit_o.prio_we) begin
      change_valid    = 1'b1;
      finish_o.change = inherit_o.change;
    end
    finish_o.valid        = change_valid;
    finish_o.status       = first_plan ? plan.status : command_status_q;
    finish_o.caller_waits = first_plan ? plan.caller_waits : command_waits_q;
  end

  always_comb begin
    access_done_o  = '0;
    operand_done_o = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      core_step_o[i] = '0;
      core_step_o[i].dispatch = dispatch && grant_core == CoreW'(i);
      core_step_o[i].claim    = claim && grant_core == CoreW'(i);
      if (core_q == CoreW'(i) && source_q == SourceCommand) begin
        core_step_o[i].serving          = !(state_q inside {StateClear, StateIdle, StatePreempt});
        core_step_o[i].command          = finish;
        core_step_o[i].enable           = plan.enable;
        core_step_o[i].disable_dispatch = plan.disable_dispatch;
      end
      operand_done_o[i] = operand && grant_core == CoreW'(i);
      access_done_o[i]  = core_step_o[i].dispatch || core_step_o[i].claim || operand_done_o[i] ||
                         (finish && core_q == CoreW'(i) && source_q inside {SourceCommand, SourceQuery, SourceValue});
    end
    if (state_q != StateIdle)                access_data_o = query;
    else if (grant_source == SourceDispatch) access_data_o = core.chosen_valid ? 32'(core.chosen) : 32'(Tasks);
    else                                     access_data_o = claim_i.valid ? 32'(claim_i.number) : '1;
  end

  // A step that judges flags reports its command then, and the release of a task at its end.
  logic own_status;
  assign own_status = !leave_q && source_q inside {SourceCommand, SourceIrq};

  always_comb begin
    event_o = '{
      valid:        dispatch || claim || operand || flags_taken_o ||
                    (finish && state_q != StateJudge && !(planning && plan.silent)),
      source:       (state_q == StateIdle) ? grant_source : leave_q ? SourceFlags : source_q,
      core:         2'((state_q == StateIdle) ? grant_core : core_q),
      state:        (state_q == StateIdle) ? core : caller,
      access:       (state_q == StateIdle) ? access : access_q,
      irq:          irq_q,
      claim:        claim_i,
      subject:      planning ? subject_q : event_subject_q,
      mutex_id:     mutex_q,
      owned:        first_plan ? plan.to_waiter : owned_q,
      ended:        backlog.orphan_id,
      value:        query,
      status:       own_status ? finish_o.status : planning ? plan.status : finish_q.status,
      caller_waits: finish_o.caller_waits
    };
  end

`ifndef SYNTHESIS
  logic [3:0] age_q;     // number of this cycle in the step
  logic       bounded_q; // neither flags nor inheritance take part
  always_ff @(posedge clk_i) begin
    age_q     <= start ? 4'd2 : age_q + 4'(age_q != '1);
    bounded_q <= start || (bounded_q && !(state_q inside {StateJudge, StateChain}));
  end

  a_five_cycles: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(finish && bounded_q) || age_q <= 4'd5 || source_q == SourceOrphan);
  a_planned_in_second: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || !bounded_q || walked_q || age_q == 4'd2);
  a_one_core: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(access_done_o));
  a_lists_free: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || (lists_i.ready.settled && lists_i.waits.settled && lists_i.due.settled && lists_i.held.settled));
  a_timeout_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || source_q != SourceTimeout || (task_record.waits != WaitNone && task_record.due && !records.released));
  a_collect_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || !plan.collected || (task_record.waits != WaitNone && !task_record.due));
  a_waiter_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateWaiter || in_list(task_record.waits));
  a_released_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || !(leave_q || source_q == SourceFlags) || task_record.waits == WaitFlags);
  a_one_change: assert property (@(posedge clk_i) disable iff (!rst_ni) !(inherit_o.prio_we && lists_done));
  a_runnable_agrees: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateCheck || source_q != SourceCommand || !caller.running_valid || subject_q != caller.running ||
    leave_q || caller.runnable == (!task_record.dormant && !task_record.suspended && task_record.waits == WaitNone && task_record.exists));
  a_stalled_asks: assert property (@(posedge clk_i) disable iff (!rst_ni) (stalled & ~access_valid_i) == '0);
`endif

endmodule
