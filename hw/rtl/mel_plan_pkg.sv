// SPDX-License-Identifier: Apache-2.0
// mel_plan_pkg: what one step does (plan_t), and the parts that the plans of several commands share.
// A plan takes effect as a whole, or not at all (`without_effect`). mel_execute makes it, mel_sequencer carries it out.
package mel_plan_pkg;
  import mel_unit_pkg::*;

  typedef enum logic [1:0] { TimerNone, TimerSet, TimerCancel } timer_op_e;
  typedef enum logic [1:0] { AlarmNone, AlarmStart, AlarmStop } alarm_op_e;

  // An operation on the wait set: `object` of a kind of objects.
  typedef struct packed {
    list_op_e op;
    wait_e    kind;
    id_t      object;
    prio_t    prio;
    id_t      task_id;
  } wait_request_t;

  // Requests to the sets of lists. Held set: `object` is the owner, `task_id` the mutex.
  typedef struct packed {
    list_request_t ready;
    wait_request_t waits;
    list_request_t due;
    list_request_t held;
  } lists_request_t;

  // Answers of the sets of lists. `…_after`: once the last operation is settled.
  typedef struct packed {
    list_state_t ready;
    list_state_t waits;
    list_state_t due;
    list_state_t held;
    top_t        waiter;         // top of the object asked for last
    top_t        waiter_after;
    top_t        inherited;      // top of the held set of the task asked for last
    top_t        inherited_after;
  } lists_t;

  // Reads of the tables; a record is there in the next cycle, and stays.
  typedef struct packed {
    logic  task_en;
    id_t   task_id;
    logic  object_en;            // semaphore, event flags, queue, and the caller's words
    id_t   object_id;
    line_t context_line;
    logic  mutex_en;
    id_t   mutex_id;
    logic  word_en;              // word that task `task_id` waits to send, or bits to clear
  } reads_t;

  typedef struct packed {
    task_t        task_record;
    logic         released;      // task read with `object_en`: released by flags, has not left yet
    semaphore_t   semaphore;
    event_flags_t flags;
    logic         waited;        // somebody waits for the flags
    queue_t       messages;
    logic [15:0]  room;          // messages that no queue has reserved
    mutex_t       mutex;
    notification_t notification;   // the task's
    operand_t     operand;
    logic [31:0]  value;
    logic [31:0]  word;
  } records_t;

  // Writes of inheritance: the priority of the task read last, the level of a mutex.
  typedef struct packed {
    logic          prio_we;
    prio_t         prio;
    change_t       change;
    flag_wait_op_e flag_wait_op;
    logic          mutex_we;
    id_t           mutex_id;
    mutex_t        mutex_entry;
  } inherit_t;

  typedef struct packed {
    logic   en;
    id_t    id;
    mutex_t entry;
  } mutex_write_t;

  // The result of the task that stops running.
  typedef struct packed {
    logic    en;
    id_t     task_id;
    status_t status;
  } save_result_t;

  // Cleanups that are still under way.
  typedef struct packed {
    logic  drain_valid;          // a deleted object still has waiters
    wait_e drain_kind;
    id_t   drain_id;
    logic  orphan_valid;         // a task that ended still owns mutexes
    id_t   orphan_id;
    logic  purge_valid;          // a deleted queue still has messages
    id_t   purge_id;
  } backlog_t;

  // State of a step (mel_sequencer).
  typedef enum logic [3:0] {
    StepClear,
    StepIdle,      // cycle 1
    StepCheck,     // cycle 2; again after a walk, and for the task that flags released
    StepWaiter,    // likewise for the waiter that a give, send, unlock or drain found
    StepMove,      // a task is inserted again
    StepFinish,    // the ready set ends its operation
    StepChain,     // mel_inheritance
    StepJudge,     // event flags are judged
    StepPreempt,   // after a dispatch: the preempted task goes to the head of its priority
    StepTell       // several cores: no other step before the answer says what is due
  } step_state_e;

  // A command decoded one cycle before its plan, so that decoding `op` is not on the path from the tables to the plan.
  typedef struct packed {
    logic       refused;      // by mel_check
    logic [2:0] kind;         // kind of its object
    logic       creates;      // the object may be missing
    logic       by_operand;   // … decides whether the caller waits
    logic       notifies;     // a notification command
  } decoded_t;

  function automatic decoded_t decode(mel_pkg::op_t op, status_t checked);
    return '{
      refused:    checked != mel_pkg::StatusEOk,
      kind:       mel_pkg::id_kind(op),
      creates:    op inside {mel_pkg::OpTaskCreate, mel_pkg::OpSemaphoreCreate, mel_pkg::OpEventFlagsCreate,
                             mel_pkg::OpQueueCreate, mel_pkg::OpMutexCreate},
      by_operand: mel_pkg::blocks(op) == mel_pkg::BlocksOperand,
      notifies:   op inside {mel_pkg::OpNotificationSet, mel_pkg::OpNotificationGive, mel_pkg::OpNotificationOverwrite,
                             mel_pkg::OpNotificationSend, mel_pkg::OpNotificationClear, mel_pkg::OpNotificationCancel,
                             mel_pkg::OpNotificationWait, mel_pkg::OpNotificationTake, mel_pkg::OpNotificationTakeAll}
    };
  endfunction

  // A request that is served, and the facts about it that need no table.
  typedef struct packed {
    source_e      source;
    logic [1:0]   core;          // core of an access
    access_t      access;        // access, or the command of an interrupt
    irq_request_t irq;
    status_t      checked;       // mel_check
    decoded_t     decoded;
    logic         may_wait;      // the caller may block
    line_t        context_line;  // the caller's words
    id_t          subject;       // a task
    id_t          object;
    wait_e        wait_kind;     // the object has waiters of this kind, if any
  } grant_t;

  // Inheritance after the operations on the lists (mel_inheritance).
  typedef enum logic [1:0] {
    ChainNone,
    ChainLevel,       // a wait for a mutex began, ended or moved: its owner may inherit another priority
    ChainEffective    // the owner no longer owns it
  } chain_e;

  typedef struct packed {
    status_t       status;
    logic          caller_waits;
    logic          retry;           // meets something that is still being cleared away: try again when that is done
    logic          again;           // plan once more: the records of `chain_mutex` and its waiters are read first
    logic          walk;            // … after the owners and waiters that follow it were searched for the caller
    logic          to_waiter;       // end the wait of the object's most urgent waiter
    status_t       waiter_result;
    logic          task_we;
    task_t         task_entry;
    logic          semaphore_we;
    semaphore_t    semaphore_entry;
    logic          flags_we;
    logic          judge;           // every waiter of the group, by flags_entry
    event_flags_t  flags_entry;
    flag_wait_op_e flag_wait_op;
    queue_op_e     queue_op;
    logic [31:0]   message;
    prio_t         message_prio;
    logic          mutex_we;
    mutex_t        mutex_entry;
    list_op_e      held_op;         // on the held set of `held_owner`: the mutex
    prio_t         held_prio;
    id_t           held_owner;
    chain_e        chain;
    id_t           chain_mutex;
    logic          adopt;           // then the mutex goes to the held set of the waiter, who owns it now
    list_op_e      ready_op;
    list_op_e      wait_op;
    list_op_e      due_op;
    prio_t         prio;            // priority for operations on the wait set and the due set
    prio_t         ready_prio;      // … and on the ready set
    affinity_t     ready_affinity;  // likewise
    wait_e         wait_kind;       // kind of list in the wait set
    id_t           wait_id;
    logic          move;            // then insert the removed task again, at `move_prio`
    logic          move_first;      // … in the ready set at the head
    prio_t         move_prio;
    timer_op_e     timer_op;
    logic [31:0]   timeout;
    alarm_op_e     alarm_op;
    change_t       change;
    logic          settle;          // dispatchers hear of it one cycle before the end: what they answer depends on it
    logic          value_we;        // write the value of the caller
    logic          value_to_waiter; // … of the subject
    logic          flags_value;     // … in the next cycle: the flags that released it
    logic [31:0]   value;
    logic          word_we;         // word that the caller waits to send, or bits to clear
    logic          notification_we; // write the notification of the subject
    notification_t notification_entry;
    logic          collected;
    logic          drain_start;
    logic          drain_end;
    logic          orphan_start;
    logic          orphan_end;
    irq_op_e       irq_op;
    logic          irq_offer;
    logic          tick_set;
    logic          claim_limit;
    logic          quantum_set;
    logic          deadline_set;
    logic          budget_set;
    logic          enable;
    logic          disable_dispatch;
    logic          silent;          // no event: the step found nothing to do
  } plan_t;

  // A plan that does nothing; what it would write is kept, because nobody looks.
  function automatic plan_t without_effect(plan_t plan);
    without_effect = plan;
    without_effect.caller_waits        = 1'b0;
    without_effect.retry               = 1'b0;
    without_effect.again               = 1'b0;
    without_effect.walk                = 1'b0;
    without_effect.to_waiter           = 1'b0;
    without_effect.task_we             = 1'b0;
    without_effect.semaphore_we        = 1'b0;
    without_effect.flags_we            = 1'b0;
    without_effect.judge               = 1'b0;
    without_effect.flag_wait_op        = FlagWaitNone;
    without_effect.queue_op            = QueueNone;
    without_effect.mutex_we            = 1'b0;
    without_effect.held_op             = ListNone;
    without_effect.chain               = ChainNone;
    without_effect.adopt               = 1'b0;
    without_effect.ready_op            = ListNone;
    without_effect.wait_op             = ListNone;
    without_effect.due_op              = ListNone;
    without_effect.move                = 1'b0;
    without_effect.timer_op            = TimerNone;
    without_effect.alarm_op            = AlarmNone;
    without_effect.settle              = 1'b0;
    without_effect.change.gets_ready   = 1'b0;
    without_effect.change.gets_unready = 1'b0;
    without_effect.change.ends         = 1'b0;
    without_effect.change.leaves_wait  = 1'b0;
    without_effect.change.sets_result  = 1'b0;
    without_effect.change.sets_prio    = 1'b0;
    without_effect.change.requeues     = 1'b0;
    without_effect.value_we            = 1'b0;
    without_effect.flags_value         = 1'b0;
    without_effect.word_we             = 1'b0;
    without_effect.notification_we     = 1'b0;
    without_effect.collected           = 1'b0;
    {without_effect.drain_start, without_effect.drain_end} = '0;
    {without_effect.orphan_start, without_effect.orphan_end} = '0;
    without_effect.irq_op              = IrqOpNone;
    without_effect.irq_offer           = 1'b0;
    without_effect.tick_set            = 1'b0;
    without_effect.claim_limit         = 1'b0;
    without_effect.quantum_set         = 1'b0;
    without_effect.deadline_set        = 1'b0;
    without_effect.budget_set          = 1'b0;
    without_effect.enable              = 1'b0;
    without_effect.disable_dispatch    = 1'b0;
  endfunction

  // The plan with which a step begins.
  function automatic plan_t nothing(found_t found, logic [31:0] argument);
    nothing                 = '0;
    nothing.task_entry      = found.record;
    nothing.semaphore_entry = found.semaphore;
    nothing.flags_entry     = found.flags;
    nothing.mutex_entry     = found.mutex;
    nothing.held_prio       = found.mutex.level;
    nothing.held_owner      = found.mutex.owner;
    nothing.chain_mutex     = found.record.object;
    nothing.message         = argument;
    nothing.message_prio    = prio_t'(mel_pkg::MessagePriorities - 1);
    nothing.prio            = found.record.prio;
    nothing.ready_prio      = found.record.prio;
    nothing.ready_affinity  = found.record.affinity;
    nothing.move_prio       = argument[7:0];
    nothing.wait_kind       = found.record.waits;
    nothing.wait_id         = found.record.object;
    nothing.timeout         = argument;
    nothing.value           = found.flags.flags;
    nothing.notification_entry = found.notification;
    nothing.change.task_id  = found.subject;
  endfunction

  function automatic logic is_runnable(task_t record);
    return !record.dormant && !record.suspended && record.waits == WaitNone;
  endfunction

  function automatic prio_t more_urgent(prio_t a, prio_t b);
    return (a < b) ? a : b;
  endfunction

  function automatic plan_t fail(plan_t plan, status_t status);
    fail = without_effect(plan);
    fail.status = status;
  endfunction

  function automatic plan_t try_again(plan_t plan);
    try_again = without_effect(plan);
    try_again.retry = 1'b1;
  endfunction

  // A wait that ends: the plan says that it does and with what result. What follows from it for the lists, mel_execute adds once, to
  // whatever plan it is (`leave_wait`); likewise for one that begins (`start_wait`).
  function automatic plan_t end_wait(plan_t plan, task_t record, status_t result);
    end_wait = plan;
    end_wait.change.leaves_wait = 1'b1;
    end_wait.change.sets_result = 1'b1;
    end_wait.change.result      = result;
    if (!record.suspended) end_wait = make_ready(end_wait);
  endfunction

  // Out of where it waits, its deadline cancelled.
  function automatic plan_t leave_wait(plan_t plan, task_t record);
    leave_wait = plan;
    leave_wait.task_we            = 1'b1;
    leave_wait.task_entry.waits   = WaitNone;
    leave_wait.task_entry.due     = 1'b0;
    leave_wait.timer_op           = TimerCancel;
    if (in_list(record.waits))       leave_wait.wait_op      = ListRemove;
    if (record.waits == WaitFlags)   leave_wait.flag_wait_op = FlagWaitRemove;
    if (record.waits == WaitMutex)   leave_wait.chain        = ChainLevel;
    if (record.due)                  leave_wait.due_op       = ListRemove;
  endfunction

  // A task whose priority changes moves in the lists in which it waits.
  function automatic plan_t move_waiter(plan_t plan, task_t record);
    move_waiter = plan;
    if (in_list(record.waits))     move_waiter.wait_op      = ListRemove;
    if (record.waits == WaitFlags) move_waiter.flag_wait_op = FlagWaitMove;
    if (record.waits == WaitMutex) begin
      move_waiter.chain       = ChainLevel;
      move_waiter.chain_mutex = record.object;
    end
    if (record.due)                move_waiter.due_op       = ListRemove;
  endfunction

  function automatic plan_t make_ready(plan_t plan);
    make_ready = plan;
    make_ready.task_we           = 1'b1;
    make_ready.ready_op          = ListInsertTail;
    make_ready.change.gets_ready = 1'b1;
  endfunction

  // A timeout, and what is decided by it: an operand's is known before its word.
  typedef struct packed {
    logic        one;
    logic        endless;
    logic [31:0] ticks;
  } limit_t;

  // The caller waits. `listed`: it stands in the ready set.
  function automatic plan_t wait_here(plan_t plan, logic listed);
    wait_here = plan;
    wait_here.caller_waits = 1'b1;
    if (listed) wait_here.ready_op = ListRemove;
  endfunction

  // … and where: what follows from it. `scanning`: a timeout of 1 is for the due set.
  function automatic plan_t start_wait(plan_t plan, wait_e waits, id_t object, limit_t limit, logic scanning);
    start_wait = plan;
    start_wait.task_we           = 1'b1;
    start_wait.task_entry.waits  = waits;
    start_wait.task_entry.object = object;
    start_wait.wait_kind         = waits;
    start_wait.wait_id           = object;
    if (in_list(waits))       start_wait.wait_op      = ListInsertTail;
    if (waits == WaitFlags)   start_wait.flag_wait_op = FlagWaitAdd;
    if (!limit.endless)       start_wait.timer_op     = TimerSet;
    if (limit.one && scanning) begin
      start_wait.due_op         = ListInsertTail;
      start_wait.task_entry.due = 1'b1;
    end
  endfunction

  // A deleted object of this number still has waiters.
  function automatic logic is_draining(backlog_t backlog, wait_e kind, id_t id);
    return backlog.drain_valid && backlog.drain_kind == kind && backlog.drain_id == id;
  endfunction

  function automatic plan_t release_wait(plan_t plan, found_t found);
    if (found.record.waits == WaitNone || found.released) return fail(plan, mel_pkg::StatusEObj);
    return end_wait(plan, found.record, mel_pkg::StatusERlwai);
  endfunction

endpackage
