// SPDX-License-Identifier: Apache-2.0
// Proof of mel_execute with mel_check: one step, whatever it serves, from any consistent state of the tables leads to a
// consistent one; so every sequence of steps does. What is consistent: task_ok and the …_ok below. In words:
//   a task is in exactly one place: the ready set, or a core, or the wait list that its record names, or among the waiters for
//     flags, or none when it sleeps, is delayed, suspended or dormant; in the due set exactly when its record says so; with a
//     deadline only while it waits
//   list operations find the task where they look, and put it in the list of its priority
//   a count is at most its maximum, and 0 while somebody waits; a mutex for which somebody waits is owned, a queue empty or full:
//     a give, a message, an unlock is counted or ends one wait, never both, never neither
//   a notification ends its task's wait or stays pending, never both, never neither
//   only its owner unlocks a mutex, and nobody becomes the owner of one that is owned (mel_mutexes)
//   a wait ends once: what ends it takes the task from the wait list and the due set and cancels its deadline, so that nothing
//     is left which could end it again, whatever came in the same cycle; what flags released ends by these
//   a command that is answered with an error changes nothing; one that is to be tried again, or planned again, neither, and only
//     what is still being cleared away makes one be tried again
// The status of every command is compared with spec's order of checks, and with the statuses that spec allows for the command.
// Combinational: one step from free inputs. That lists, tables and timers keep what is written: mel_priority_list, simulation.
module mel_execute_proof
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks      = 4,
  parameter int unsigned Priorities = 2,
  parameter int unsigned Objects    = 1,   // semaphores, groups of flags, mutexes, queues
  parameter int unsigned Messages   = 2,
  parameter int unsigned Timers     = 1,
  parameter int unsigned Interrupts = 2,
  parameter int unsigned Cores      = 1
) (
  input logic [3:0]                      source_i,
  input logic                            waiter_i,
  input logic [7:0]                      waiter_result_i,
  input logic                            walked_i,
  input logic                            cycle_i,
  input mel_pkg::op_t                      op_i,
  input logic [7:0]                      id_i,
  input logic [31:0]                     argument_i,
  input logic [$bits(irq_request_t)-1:0] irq_i,
  input logic [$bits(found_t)-1:0]       found_i,
  input logic [$bits(core_t)-1:0]        core_i,         // the caller's core
  input logic [$bits(core_t)-1:0]        other_i,        // another core: that runs the subject, if its task runs there
  input logic [$bits(timers_t)-1:0]      timers_i,
  input logic                            deleted_i,
  input logic [15:0]                     alarms_i,
  input logic [$bits(backlog_t)-1:0]     backlog_i,
  input logic [15:0]                     room_i,
  input logic [31:0]                     word_i,
  input logic [31:0]                     value_i,
  input logic                            armed_i        // the subject's deadline
);

  irq_request_t irq;
  found_t       found;
  core_t        core, other, runner;   // the last: the core whose running task the subject is, if it is one's
  timers_t      timers;
  backlog_t     backlog;
  source_e      source;
  status_t      checked, passes;
  logic         may_wait;
  plan_t        plan;
  logic [31:0]  query;
  assign irq     = irq_i;
  assign found   = found_i;
  assign core    = core_i;
  assign other   = other_i;
  assign runner  = found.caller ? core : other;
  assign timers  = timers_i;
  assign backlog = backlog_i;
  assign source  = source_e'(source_i);

  localparam mel_pkg::sizes_t Sizes = '{
    Tasks: Tasks, Priorities: Priorities, Semaphores: Objects, EventFlags: Objects, Mutexes: Objects, Queues: Objects,
    Messages: Messages, Timers: Timers, Interrupts: Interrupts, Cores: Cores, default: 1
  };

  mel_check #(.Sizes(Sizes), .Lines(Interrupts + Timers)) u_check (
    .query_i (source == SourceQuery), .op_i, .id_i, .argument_i, .context_i (context_of(core)), .core_i (core),
    .status_o (checked), .may_wait_o (may_wait)
  );

  assign passes = (source == SourceIrq) ? mel_pkg::StatusEOk : checked;

  mel_execute #(.Tasks(Tasks), .Priorities(Priorities)) u_execute (
    .source_i (source), .waiter_i, .waiter_result_i (status_t'(waiter_result_i)), .walked_i, .cycle_i,
    .checked_i (passes), .decoded_i (decode(op_i, passes)), .may_wait_i (may_wait), .op_i, .id_i, .argument_i, .irq_i (irq),
    .found_i (found), .timers_i (timers), .deleted_i, .alarms_i, .backlog_i (backlog), .room_i, .word_i, .value_i, .run_time_i ('0),
    .plan_o (plan), .query_o (query)
  );

  // ---- what is consistent ---------------------------------------------------------------------------------------------

  typedef struct packed {
    logic ready;   // in the ready set
    logic waits;   // in the wait list that its record names
    logic flags;   // among the waiters for event flags
    logic due;     // in the due set
    logic armed;   // has a deadline in memory
  } place_t;

  function automatic logic runs(task_t record);
    return record.exists && !record.dormant && !record.suspended && record.waits == WaitNone;
  endfunction

  function automatic logic task_ok(task_t record, place_t place, logic apart);
    return place.ready == (runs(record) && !apart) &&
           place.waits == (record.exists && in_list(record.waits)) &&
           place.flags == (record.exists && record.waits == WaitFlags) &&
           place.due == record.due &&
           (!place.armed || (record.waits != WaitNone && !record.due)) &&
           (record.waits != WaitNone || !record.due) &&
           (!(record.dormant || !record.exists) || (record.waits == WaitNone && !record.suspended)) &&
           32'(record.prio) < Priorities && 32'(record.base_prio) < Priorities && 32'(record.initial_prio) < Priorities &&
           32'(record.affinity) <= Cores;
  endfunction

  // `waiters`: somebody waits for it; `drains`: one of this number was deleted while somebody did.
  function automatic logic semaphore_ok(semaphore_t record, logic waiters, logic drains);
    return (!record.exists || record.count <= record.maximum) &&
           (!waiters || (record.exists ? record.count == '0 : drains));
  endfunction

  function automatic logic mutex_ok(mutex_t record, logic waiters, logic drains);
    return (!record.owned || (record.exists && record.locks != '0 && 32'(record.owner) < Tasks &&
                              32'(record.level) < Priorities)) &&
           (!(record.exists && record.has_ceiling) || 32'(record.ceiling) < Priorities) &&
           (!waiters || (record.exists ? record.owned : drains));
  endfunction

  function automatic logic queue_ok(queue_t record, logic waiters, logic drains);
    return (!record.exists || (record.count <= record.capacity && record.capacity != '0)) &&
           (!waiters || (record.exists ? (record.count == '0 || record.count == record.capacity) : drains));
  endfunction

  // A task waiting for a notification has none pending; one waiting to take it, the value 0.
  function automatic logic note_ok(task_t record, notification_t note);
    return record.waits != WaitNotification || (!note.pending && (note.value == '0 || keep_e'(record.object[1:0]) == KeepOthers));
  endfunction

  // ---- before ---------------------------------------------------------------------------------------------------------

  logic       commands, by_irq, caller_runs, drains_semaphore, drains_mutex, drains_queue;
  logic [2:0] kind;
  wait_e      waiter_kind;    // for what the object's waiters wait
  place_t     was;
  assign was = '{
    ready: runs(found.record) && !found.apart,
    waits: found.record.exists && in_list(found.record.waits),
    flags: found.record.exists && found.record.waits == WaitFlags,
    due:   found.record.due,
    armed: armed_i
  };
  assign commands         = source == SourceCommand && !waiter_i;
  assign by_irq           = source == SourceIrq && !waiter_i;
  assign kind             = mel_pkg::id_kind(op_i);
  assign drains_semaphore = backlog.drain_valid && backlog.drain_kind == WaitSemaphore && backlog.drain_id == id_i;
  assign drains_mutex     = backlog.drain_valid && backlog.drain_kind == WaitMutex && backlog.drain_id == id_i;
  assign drains_queue     = backlog.drain_valid && backlog.drain_kind == WaitQueue && backlog.drain_id == id_i;
  assign caller_runs      = commands && !core.in_handler && core.running_valid;
  always_comb begin
    waiter_kind = (kind == mel_pkg::IdKindMutex) ? WaitMutex : (kind == mel_pkg::IdKindQueue) ? WaitQueue : WaitSemaphore;
    if (source == SourceOrphan) waiter_kind = WaitMutex;
    if (source == SourceDrain)  waiter_kind = backlog.drain_kind;
  end

  logic named;
  always_comb begin
    unique case (irq.action)
      mel_pkg::IrqActionSemaphoreGive: named = op_i == mel_pkg::OpSemaphoreGive;
      mel_pkg::IrqActionTaskWakeup:    named = op_i == mel_pkg::OpTaskWakeup;
      mel_pkg::IrqActionTaskRelease:   named = op_i == mel_pkg::OpTaskRelease;
      mel_pkg::IrqActionEventFlagsSet: named = op_i == mel_pkg::OpEventFlagsSet;
      mel_pkg::IrqActionQueuePost:     named = op_i == mel_pkg::OpQueuePost;
      mel_pkg::IrqActionNotificationSet:  named = op_i == mel_pkg::OpNotificationSet;
      mel_pkg::IrqActionNotificationGive: named = op_i == mel_pkg::OpNotificationGive;
      default:                         named = irq.action == mel_pkg::IrqActionNone && op_i == '0;
    endcase
  end

  always_comb begin
    m_source:    assume (source inside {SourceCommand, SourceIrq, SourceFlags, SourceTimeout, SourceDrain, SourceOrphan,
                                        SourcePurge, SourceCollect, SourceSlice});
    m_task:      assume (task_ok(found.record, was, found.apart));
    // The tables' modules.
    m_semaphore: assume (semaphore_ok(found.semaphore, found.waiter.valid && waiter_kind == WaitSemaphore, drains_semaphore) &&
                         found.semaphore.empty == (found.semaphore.count == '0) &&
                         found.semaphore.full == (found.semaphore.count == found.semaphore.maximum));
    m_mutex:     assume (mutex_ok(found.mutex, found.waiter.valid && waiter_kind == WaitMutex, drains_mutex));
    m_queue:     assume (queue_ok(found.messages, found.waiter.valid && waiter_kind == WaitQueue, drains_queue) &&
                         found.messages.empty == (found.messages.count == '0) &&
                         found.messages.full == (found.messages.count == found.messages.capacity));
    m_operand:   assume (found.operand.zero == (found.operand.word == '0) && found.operand.one == (found.operand.word == 32'd1) &&
                         found.operand.endless == (found.operand.word == '1) && found.operand.negative == found.operand.word[31] &&
                         found.operand.is_prio == (found.operand.word < 32'(mel_pkg::MessagePriorities)));
    m_zero:      assume (found.notification.zero == (found.notification.value == '0));
    m_notified:  assume (note_ok(found.record, found.notification));
    m_room:      assume (32'(room_i) <= Messages);
    m_held:      assume (!found.held.valid || 32'(found.held.prio) < Priorities);
    // The arbiter: a command without a task is about the running task of its core; an edge is what its action stands for.
    m_subject:   assume (!commands || found.subject == ((kind == mel_pkg::IdKindTask) ? id_i : core.running));
    m_irq:       assume (!by_irq || (named && id_i == irq.object && argument_i == irq.word &&
                                     (kind != mel_pkg::IdKindTask || found.subject == id_i)));
    // mel_check, when it was mapped.
    m_object:    assume (!by_irq || (32'(id_i) < ((kind == mel_pkg::IdKindTask) ? Tasks : Objects)));
    // mel_dispatcher keeps these, of every core; a task runs on one core.
    m_caller:    assume (found.caller == (core.running_valid && core.running == found.subject));
    m_running:   assume (found.caller ? found.running : !found.running || (Cores > 1 && runner.running_valid &&
                                                                           runner.running == found.subject));
    m_apart:     assume (found.apart == (found.running && !runner.listed) &&
                         found.keeps_core == (found.running && !runner.enabled));
    m_runs:      assume (!found.running || (runner.runnable == runs(found.record) && (!runner.listed || runner.runnable) &&
                                            runner.waits == (found.record.waits != WaitNone) && found.record.exists &&
                                            (runner.ended || !found.record.dormant)));
    m_idle:      assume (core.running_valid ? 32'(core.running) < Tasks :
                         !(core.runnable || core.listed || core.waits || core.ended));
    m_listed:    assume (!core.listed || core.runnable);
    // The object of a wait has a number that exists; the subject of a step is where it was found.
    m_named:     assume (!in_list(found.record.waits) || 32'(found.record.object) < Objects);
    m_waiter:    assume (!waiter_i || was.waits);
    m_waits_for: assume (!waiter_i || status_t'(waiter_result_i) != mel_pkg::StatusEOk || found.record.waits == waiter_kind);
    m_waiter_no: assume (!found.waiter.valid || (32'(found.waiter.task_id) < Tasks && 32'(found.waiter.prio) < Priorities));
    m_drain:     assume (source != SourceDrain || backlog.drain_valid);
    m_orphan:    assume (source != SourceOrphan || waiter_i || (found.record.dormant && !found.running));
    m_held_is:   assume (source != SourceOrphan || waiter_i || !walked_i ||
                         (found.mutex.owned && found.mutex.owner == found.subject));
    m_timeout:   assume (waiter_i || source != SourceTimeout || (was.due && !found.released));
    m_released:  assume (!found.released || found.record.waits == WaitFlags);
    m_flags:     assume (waiter_i || source != SourceFlags || (was.flags && found.released));
    // mel_quantum.
    m_slice:     assume (waiter_i || source != SourceSlice || (found.caller && found.apart && runs(found.record)));
    m_collect:   assume (waiter_i || source != SourceCollect || !timers.collect_valid || was.armed);
  end

  // ---- after: what lists, tables and dispatcher make of the plan ------------------------------------------------------

  task_t      record;
  semaphore_t semaphore;
  mutex_t     mutex;
  queue_t     messages;
  notification_t note;
  place_t     will;
  logic       listed, runnable, waiting, ended, apart, ends, waiters_after;

  function automatic logic put(logic member, list_op_e op, logic move);
    return (op inside {ListInsertTail, ListInsertHead}) || (member && (op != ListRemove || move));
  endfunction

  // The object's list of waiters after the step is as it was, or a task more.
  function automatic logic drains_after(plan_t does, wait_e kind_of, logic drains);
    return (drains && !does.drain_end) || (does.drain_start && does.wait_kind == kind_of);
  endfunction

  assign record    = plan.task_we ? plan.task_entry : found.record;
  assign semaphore = plan.semaphore_we ? plan.semaphore_entry : found.semaphore;
  assign mutex     = plan.mutex_we ? plan.mutex_entry : found.mutex;
  assign note      = plan.notification_we ? plan.notification_entry : found.notification;
  always_comb begin
    messages = found.messages;
    unique case (plan.queue_op)   // mel_queues
      QueueCreate: messages = '{exists: 1'b1, empty: 1'b1, full: 1'b0, capacity: argument_i[15:0], count: '0};
      QueueDelete: messages.exists = 1'b0;
      QueuePush:   messages.count  = found.messages.count + 16'd1;
      QueuePop:    messages.count  = found.messages.count - 16'd1;
      default: ;
    endcase
  end
  assign will = '{
    ready: put(was.ready, plan.ready_op, plan.move),
    waits: put(was.waits, plan.wait_op, plan.move),
    flags: plan.flag_wait_op == FlagWaitAdd || (was.flags && plan.flag_wait_op != FlagWaitRemove),
    due:   put(was.due, plan.due_op, plan.move),
    armed: plan.timer_op == TimerSet ? !(timers.scanning && plan.timeout == 32'd1) : plan.timer_op == TimerNone && was.armed
  };

  always_comb begin
    listed   = runner.listed;
    runnable = runner.runnable;
    waiting  = runner.waits;
    ended    = runner.ended;
    if (plan.change.leaves_wait) waiting = 1'b0;
    if (plan.change.gets_ready || plan.change.requeues) listed = 1'b1;
    if (plan.change.gets_ready)   runnable = 1'b1;
    if (plan.change.gets_unready) begin
      {runnable, listed} = 2'b00;
      ended |= plan.change.ends;
    end
    if (plan.caller_waits) {runnable, listed, waiting} = 3'b001;
  end
  assign apart         = found.running && !listed;
  assign ends          = found.record.waits != WaitNone && record.waits == WaitNone;
  assign waiters_after = found.waiter.valid || (plan.wait_op == ListInsertTail);

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic effect, delays;   // the plan writes or starts anything; it is made once more
  assign delays = plan.retry || plan.again || plan.walk;
  assign effect = plan.caller_waits || plan.to_waiter || plan.task_we || plan.semaphore_we || plan.flags_we || plan.judge ||
                  plan.flag_wait_op != FlagWaitNone || plan.queue_op != QueueNone || plan.mutex_we ||
                  plan.held_op != ListNone || plan.chain != ChainNone || plan.adopt ||
                  plan.ready_op != ListNone || plan.wait_op != ListNone || plan.due_op != ListNone ||
                  plan.timer_op != TimerNone || plan.alarm_op != AlarmNone || plan.irq_op != IrqOpNone || plan.irq_offer ||
                  plan.tick_set || plan.claim_limit || plan.enable || plan.disable_dispatch || plan.value_we || plan.flags_value ||
                  plan.word_we || plan.notification_we || plan.quantum_set || plan.deadline_set || plan.budget_set ||
                  plan.drain_start || plan.drain_end || plan.orphan_start || plan.orphan_end || plan.collected ||
                  plan.change.gets_ready || plan.change.gets_unready || plan.change.ends || plan.change.leaves_wait ||
                  plan.change.sets_result || plan.change.sets_prio || plan.change.requeues;

  logic gives, sends, notifies, consumes;
  assign notifies = (commands || by_irq) && plan.status == mel_pkg::StatusEOk && op_i inside {
    mel_pkg::OpNotificationSet, mel_pkg::OpNotificationGive, mel_pkg::OpNotificationOverwrite, mel_pkg::OpNotificationSend};
  assign consumes = commands && plan.status == mel_pkg::StatusEOk && !plan.caller_waits &&
                    op_i inside {mel_pkg::OpNotificationWait, mel_pkg::OpNotificationTake, mel_pkg::OpNotificationTakeAll};
  assign gives = ((commands && op_i == mel_pkg::OpSemaphoreGive) ||
                  (by_irq && irq.action == mel_pkg::IrqActionSemaphoreGive)) && plan.status == mel_pkg::StatusEOk;
  assign sends = ((commands && op_i inside {mel_pkg::OpQueueSend, mel_pkg::OpQueuePost}) ||
                  (by_irq && irq.action == mel_pkg::IrqActionQueuePost)) && plan.status == mel_pkg::StatusEOk;

  // The value after a notification, and what its waiter leaves of it.
  logic [31:0] notified, leaves;
  always_comb begin
    unique case (op_i)
      mel_pkg::OpNotificationSet:  notified = found.notification.value | argument_i;
      mel_pkg::OpNotificationGive: notified = found.notification.value + 32'd1;
      default:                     notified = argument_i;
    endcase
    unique case (keep_e'(found.record.object[1:0]))
      KeepOthers: leaves = notified & ~word_i;
      KeepRest:   leaves = notified - 32'(notified != '0);
      default:    leaves = '0;
    endcase
  end

  always_comb begin
    // One place.
    a_task:       assert (task_ok(record, will, apart));
    a_runs:       assert (!found.running || runnable == runs(record));
    a_listed:     assert (!found.running || !listed || runnable);
    a_waiting:    assert (!found.running || waiting == (record.waits != WaitNone));
    a_ended:      assert (!found.running || ended || !record.dormant);
    a_exists:     assert (!found.running || record.exists);
    a_about:      assert (plan.change.task_id == found.subject);
    a_runs_affine: assert (record.affinity == found.record.affinity || (commands && op_i == mel_pkg::OpTaskCreate));
    a_affinity:   assert (plan.ready_op inside {ListNone, ListRotate} || plan.ready_affinity == record.affinity);
    a_insert:     assert ((!(plan.ready_op inside {ListInsertTail, ListInsertHead}) || !was.ready) &&
                          (plan.wait_op != ListInsertTail || !was.waits) && (plan.due_op != ListInsertTail || !was.due) &&
                          (plan.flag_wait_op != FlagWaitAdd || !was.flags));
    a_remove:     assert ((plan.ready_op != ListRemove || was.ready) && (plan.wait_op != ListRemove || was.waits) &&
                          (plan.due_op != ListRemove || was.due) &&
                          (!(plan.flag_wait_op inside {FlagWaitRemove, FlagWaitMove}) || was.flags));
    a_from:       assert ((plan.ready_op != ListRemove || plan.ready_prio == found.record.prio) &&
                          (!(plan.wait_op == ListRemove || plan.due_op == ListRemove) || plan.prio == found.record.prio));
    a_into:       assert ((!(plan.ready_op inside {ListInsertTail, ListInsertHead}) || plan.ready_prio == record.prio) &&
                          (!(plan.wait_op == ListInsertTail || plan.due_op == ListInsertTail) || plan.prio == record.prio));
    a_rotates:    assert (!commands || op_i != mel_pkg::OpTaskRotate || found.caller ||
                          plan.ready_op inside {ListNone, ListRotate});
    a_again:      assert (!plan.move || plan.move_prio == record.prio);
    a_follows:    assert (record.prio == found.record.prio || ((!was.ready || !will.ready || plan.ready_op == ListRemove) &&
                          (!was.waits || !will.waits || plan.wait_op == ListRemove) &&
                          (!was.flags || !will.flags || plan.flag_wait_op == FlagWaitMove) &&
                          (!was.due || !will.due || plan.due_op == ListRemove)));
    a_wait_list:  assert (plan.wait_op != ListRemove ||
                          (plan.wait_kind == found.record.waits && plan.wait_id == found.record.object));
    a_wait_names: assert (plan.wait_op != ListInsertTail || (plan.wait_kind == record.waits && plan.wait_id == record.object &&
                          record.waits == waiter_kind && record.object == id_i && 32'(record.object) < Objects));
    a_told:       assert (record.prio == found.record.prio || (plan.change.sets_prio && plan.change.prio == record.prio));

    // Counts, messages, owners.
    a_semaphore:  assert (semaphore_ok(semaphore, waiters_after && waiter_kind == WaitSemaphore,
                                       drains_after(plan, WaitSemaphore, drains_semaphore)));
    a_mutex:      assert (mutex_ok(mutex, waiters_after && waiter_kind == WaitMutex && !plan.to_waiter,
                                   drains_after(plan, WaitMutex, drains_mutex)));
    a_queue:      assert (queue_ok(messages, waiters_after && waiter_kind == WaitQueue && !plan.to_waiter,
                                   drains_after(plan, WaitQueue, drains_queue)));
    a_give:       assert (!gives || plan.to_waiter != (plan.semaphore_we && semaphore.count == found.semaphore.count + 16'd1));
    a_give_ends:  assert (!gives || plan.to_waiter == found.waiter.valid);
    a_take:       assert (!commands || op_i != mel_pkg::OpSemaphoreTake || plan.status != mel_pkg::StatusEOk ||
                          plan.caller_waits != (plan.semaphore_we && found.semaphore.count != '0 &&
                                                semaphore.count == found.semaphore.count - 16'd1));
    a_count:      assert (!semaphore.exists || semaphore.count == found.semaphore.count || gives || (commands &&
                          op_i inside {mel_pkg::OpSemaphoreTake, mel_pkg::OpSemaphoreCreate}));
    a_send:       assert (!sends || $onehot({plan.to_waiter, plan.queue_op == QueuePush, plan.caller_waits && plan.word_we}));
    a_overtakes:  assert (plan.queue_op != QueuePush || !found.waiter.valid);
    a_receive:    assert (!commands || op_i != mel_pkg::OpQueueReceive || plan.status != mel_pkg::StatusEOk ||
                          $onehot({plan.to_waiter, plan.queue_op == QueuePop, plan.caller_waits}));
    a_full:       assert (!(plan.queue_op == QueuePush && found.messages.full) &&
                          !(plan.queue_op == QueuePop && found.messages.empty));
    a_reserves:   assert (plan.queue_op != QueueCreate || (argument_i != '0 && argument_i <= 32'(room_i)));
    a_owner:      assert (waiter_i || !mutex.owned || plan.to_waiter || found.mutex.owned == (mutex.owner == found.mutex.owner) ||
                          !found.mutex.owned);
    a_keeps:      assert (!commands || !found.mutex.owned || found.mutex.owner == found.subject || !plan.mutex_we ||
                          (op_i == mel_pkg::OpMutexDelete));
    a_becomes:    assert (!commands || found.mutex.owned || !mutex.owned || (op_i == mel_pkg::OpMutexLock &&
                          mutex.owner == found.subject && caller_runs && mutex.locks == 8'd1));
    a_held:       assert ((plan.held_op == ListInsertTail) == (plan.mutex_we && mutex.owned && !found.mutex.owned) &&
                          (plan.held_op != ListRemove || (found.mutex.owned && plan.held_owner == found.mutex.owner &&
                                                          plan.held_prio == found.mutex.level)));
    a_handed:     assert (plan.adopt == (plan.to_waiter && plan.held_op == ListRemove));
    // When a mutex's waiters or their priorities change, its owner may inherit another one.
    a_inherits:   assert (plan.wait_op == ListNone || plan.wait_kind != WaitMutex ||
                          (waiter_i && status_t'(waiter_result_i) == mel_pkg::StatusEOk) ||
                          (plan.chain == ChainLevel && plan.chain_mutex == plan.wait_id));

    // Records are written as the command says; a timeout is the argument, the operand, or the time left till then.
    a_created:    assert (!semaphore.exists || found.semaphore.exists ||
                          (semaphore.count == argument_i[15:0] && semaphore.maximum == argument_i[31:16]));
    a_made:       assert (!mutex.exists || found.mutex.exists || (!mutex.owned && mutex.locks == '0 &&
                          mutex.has_ceiling == argument_i[8] && mutex.ceiling == argument_i[7:0]));
    a_maximum:    assert (!semaphore.exists || !found.semaphore.exists || semaphore.maximum == found.semaphore.maximum);
    a_ceiling:    assert (!mutex.exists || !found.mutex.exists || (mutex.has_ceiling == found.mutex.has_ceiling &&
                                                                   mutex.ceiling == found.mutex.ceiling));
    a_locks:      assert (!mutex.owned || !found.mutex.owned || mutex.owner != found.mutex.owner || plan.to_waiter ||
                          mutex.locks == (!plan.mutex_we ? found.mutex.locks :
                                          op_i == mel_pkg::OpMutexUnlock ? found.mutex.locks - 8'd1 : found.mutex.locks + 8'd1));
    a_flags:      assert (!plan.flags_we || plan.flags_entry.flags == (
                          op_i == mel_pkg::OpEventFlagsCreate ? argument_i :
                          op_i == mel_pkg::OpEventFlagsSet ? found.flags.flags | argument_i : found.flags.flags & ~argument_i));
    a_message:    assert (plan.queue_op != QueuePush || (plan.message == argument_i && plan.message_prio == (
                          (commands && op_i == mel_pkg::OpQueuePost) ? found.operand.word[7:0] :
                                                                       8'(mel_pkg::MessagePriorities - 1))));
    a_passes_on:  assert (!waiter_i || status_t'(waiter_result_i) != mel_pkg::StatusEOk || found.record.waits != WaitQueue ||
                          (op_i == mel_pkg::OpQueueReceive ? plan.queue_op == QueuePopPush && plan.message == word_i :
                                                             plan.value_we && plan.value_to_waiter && plan.value == argument_i));
    a_sees:       assert (!plan.value_we || plan.value_to_waiter || kind != mel_pkg::IdKindEventFlags ||
                          plan.value == found.flags.flags);
    a_limit:      assert (!plan.caller_waits || (plan.timeout == (
                          op_i == mel_pkg::OpTaskDelayUntil ? argument_i - timers.time_low :
                          mel_pkg::blocks(op_i) == mel_pkg::BlocksOperand ? found.operand.word : argument_i) &&
                          plan.timeout != '0 && plan.timer_op == ((plan.timeout == '1) ? TimerNone : TimerSet)));

    // Notifications: none is lost, or ends a wait and stays.
    a_note:       assert (note_ok(record, note));
    a_notifies:   assert (!notifies || (found.record.waits == WaitNotification ? ends && !note.pending && plan.value_we &&
                          plan.value_to_waiter && plan.value == notified && note.value == leaves :
                          note.pending && note.value == notified));
    a_consumes:   assert (!found.notification.pending || note.pending || (commands && op_i inside {mel_pkg::OpTaskStart,
                          mel_pkg::OpNotificationCancel, mel_pkg::OpNotificationWait, mel_pkg::OpNotificationTake,
                          mel_pkg::OpNotificationTakeAll}));
    a_consume:    assert (!consumes || (plan.value_we && !plan.value_to_waiter && plan.value == found.notification.value &&
                          !note.pending && (op_i == mel_pkg::OpNotificationWait ? found.notification.pending : plan.value != '0)));
    a_left:       assert (!consumes || note.value == ((op_i == mel_pkg::OpNotificationWait) ? plan.value & ~argument_i :
                          (op_i == mel_pkg::OpNotificationTake) ? plan.value - 32'd1 : '0));
    a_not_noted:  assert (note == found.notification || notifies || consumes || (commands && op_i inside {
                          mel_pkg::OpTaskStart, mel_pkg::OpNotificationClear, mel_pkg::OpNotificationCancel,
                          mel_pkg::OpNotificationTake, mel_pkg::OpNotificationTakeAll}));
    a_no_overrun: assert (!notifies || op_i != mel_pkg::OpNotificationSend || !found.notification.pending);

    // A wait ends once, with one result.
    a_ends:       assert (!ends || (!will.waits && !will.flags && !will.due && !will.armed && plan.change.leaves_wait));
    a_result:     assert (!ends || record.dormant || plan.change.sets_result);
    a_no_result:  assert (!plan.change.sets_result || ends ||
                          (commands && op_i inside {mel_pkg::OpTaskCreate, mel_pkg::OpTaskStart}));
    a_released:   assert (!ends || !found.released || record.dormant || (source == SourceFlags && !waiter_i));
    a_reason:     assert (!ends || record.dormant || plan.change.result == (
                          waiter_i ? status_t'(waiter_result_i) :
                          source == SourceTimeout ? (found.record.waits == WaitDelay ? mel_pkg::StatusEOk : mel_pkg::StatusETmout) :
                          source == SourceFlags ? (deleted_i ? mel_pkg::StatusEDlt : mel_pkg::StatusEOk) :
                          (notifies || op_i == mel_pkg::OpTaskWakeup) ? mel_pkg::StatusEOk : mel_pkg::StatusERlwai));

    // Signals that are not chosen among plans agree with the plan.
    a_judge:      assert (plan.judge == (plan.flags_we && found.waited && !waiter_i &&
                                         op_i inside {mel_pkg::OpEventFlagsSet, mel_pkg::OpEventFlagsDelete}));
    a_collected:  assert (plan.collected == (source == SourceCollect && !waiter_i && will.due && !was.due));

    // Errors change nothing.
    a_error:      assert (!commands || plan.status >= 0 || !(effect || delays));
    a_irq_error:  assert (!by_irq || plan.status >= 0 || !delays);
    a_delays:     assert (!delays || !effect && $onehot({plan.retry, plan.again, plan.walk}));
    a_retry:      assert (!plan.retry || backlog.drain_valid || backlog.orphan_valid || backlog.purge_valid);
    a_plans_on:   assert (!(plan.again || plan.walk) || !walked_i);
    a_waits:      assert (!plan.caller_waits || (caller_runs && core.enabled && core.runnable && found.caller));
    a_once:       assert (32'(plan.drain_start) + 32'(backlog.drain_valid) <= 32'd1 &&
                          32'(plan.orphan_start) + 32'(backlog.orphan_valid) <= 32'd1);

    c_move:       cover (plan.move && was.waits && was.due);
    c_both:       cover (commands && gives && plan.to_waiter);
    c_timeout:    cover (source == SourceTimeout && was.waits && will.ready);
    c_retry:      cover (plan.retry);
    c_waits:      cover (plan.caller_waits && plan.due_op == ListInsertTail && plan.wait_op == ListInsertTail);
    c_handed:     cover (commands && plan.adopt);
    c_receive:    cover (commands && op_i == mel_pkg::OpQueueReceive && plan.to_waiter);
    c_flags:      cover (source == SourceFlags && was.due && will.ready);
    c_elsewhere:  cover (commands && op_i == mel_pkg::OpTaskTerminate && found.running && plan.change.ends);
    c_notified:   cover (by_irq && notifies && ends && note.value != '0);
    c_no_memory:  cover (commands && plan.status == mel_pkg::StatusENomem);
  end

  // ---- the status -----------------------------------------------------------------------------------------------------

  status_t expected;
  logic    allowed;

  mel_expected_status #(
    .Tasks(Tasks), .Priorities(Priorities), .Objects(Objects), .Messages(Messages), .Timers(Timers), .Interrupts(Interrupts),
    .Cores(Cores)
  ) u_expected (
    .op_i, .id_i, .argument_i, .core_i (core), .found_i (found), .room_i, .status_i (plan.status),
    .expected_o (expected), .allowed_o (allowed)
  );

  always_comb begin
    a_refused: assert (!commands || expected == mel_pkg::StatusEOk || (plan.status == expected && !effect && !delays));
    a_allowed: assert (!commands || expected != mel_pkg::StatusEOk || allowed);
    a_cycle:   assert (!commands || op_i != mel_pkg::OpMutexLock || !(walked_i && cycle_i) || !plan.caller_waits);
    a_handler: assert (!commands || !core.in_handler || !plan.caller_waits);
  end

  logic unused_query;
  assign unused_query = ^query;

endmodule
