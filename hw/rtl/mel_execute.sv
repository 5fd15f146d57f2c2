// SPDX-License-Identifier: Apache-2.0
// mel_execute: what one step does: from a request and what the tables say about its object to a plan (mel_plan_pkg::plan_t) of
// table writes, list operations and changes of running tasks. This is melanion/model in hardware; the commands of each noun
// are in mel_execute_task, mel_execute_object, mel_execute_mutex, mel_execute_notification. An interrupt's action is planned as the command it stands for.
// A plan never depends on the contents of lists, so every case is one cycle. mel_sequencer carries it out.
// Timing: combinational.
module mel_execute
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks      = 64,
  parameter int unsigned Priorities = 32
) (
  input  source_e      source_i,
  input  logic         waiter_i,        // the plan is for the waiter that the first one found
  input  status_t      waiter_result_i,
  input  logic         walked_i,        // second plan (mel_execute_mutex)
  input  logic         cycle_i,

  input  status_t      checked_i,       // mel_check; not E_OK: refused
  input  decoded_t     decoded_i,       // facts about `op_i`
  input  logic         may_wait_i,      // the caller's context may block
  input  mel_pkg::op_t   op_i,
  input  id_t          id_i,
  input  logic [31:0]  argument_i,
  input  irq_request_t irq_i,
  input  found_t       found_i,

  input  timers_t      timers_i,
  input  logic         deleted_i,       // the released task's group of flags was deleted
  input  logic [15:0]  alarms_i,        // timers that run
  input  backlog_t    backlog_i,
  input  logic [15:0]  room_i,          // messages that no queue has reserved
  input  logic [31:0]  word_i,          // word that the subject waits to send, or bits to clear
  input  logic [31:0]  value_i,         // the caller's value word
  input  logic [31:0]  run_time_i,      // run time of the subject

  output plan_t        plan_o,
  output logic [31:0]  query_o
);

  task_t record;
  logic  is_irq;
  assign record = found_i.record;
  assign is_irq = (source_i == SourceIrq);

  // ---- checks that need a table ---------------------------------------------------------------------------------------

  logic    absent, missing, must_not_wait, bad_operand, fails;
  status_t check;

  always_comb begin
    unique case (decoded_i.kind)
      mel_pkg::IdKindTask:       absent = !record.exists;
      mel_pkg::IdKindSemaphore:  absent = !found_i.semaphore.exists;
      mel_pkg::IdKindEventFlags: absent = !found_i.flags.exists;
      mel_pkg::IdKindQueue:      absent = !found_i.messages.exists;
      mel_pkg::IdKindMutex:      absent = !found_i.mutex.exists;
      default:                   absent = 1'b0;
    endcase
    missing = absent && !decoded_i.creates;
    unique case (op_i)
      mel_pkg::OpQueuePost:  bad_operand = !is_irq && !found_i.operand.is_prio;
      mel_pkg::OpTimerStart: bad_operand = found_i.operand.negative;
      default:               bad_operand = 1'b0;
    endcase
    // The order of spec/commands.yaml: E_RSFN and E_CTX before E_ID and E_PAR.
    must_not_wait = decoded_i.by_operand && !found_i.operand.zero && !may_wait_i;
    fails         = must_not_wait || decoded_i.refused || bad_operand || missing;
    if (must_not_wait && checked_i != mel_pkg::StatusERsfn) check = mel_pkg::StatusECtx;
    else if (decoded_i.refused)                             check = checked_i;
    else if (bad_operand)                                   check = mel_pkg::StatusEPar;
    else if (missing)                                       check = mel_pkg::StatusENoexs;
    else                                                    check = mel_pkg::StatusEOk;
  end

  // ---- every command --------------------------------------------------------------------------------------------------

  plan_t idle, task_plan, object_plan, mutex_plan, notification_plan, device_plan, command;
  assign idle = nothing(found_i, argument_i);

  mel_execute_task u_task (
    .op_i,
    .argument_i,
    .found_i,
    .timers_i,
    .backlog_i,
    .plan_o (task_plan)
  );

  mel_execute_object u_object (
    .by_irq_i (is_irq),
    .op_i,
    .id_i,
    .argument_i,
    .found_i,
    .backlog_i,
    .room_i,
    .plan_o (object_plan)
  );

  mel_execute_mutex #(.Priorities(Priorities)) u_mutex (
    .orphan_i (source_i == SourceOrphan),
    .op_i,
    .id_i,
    .argument_i,
    .found_i,
    .walked_i,
    .cycle_i,
    .backlog_i,
    .plan_o (mutex_plan)
  );

  mel_execute_notification u_notification (
    .op_i,
    .argument_i,
    .found_i,
    .word_i,
    .plan_o (notification_plan)
  );

  always_comb begin
    device_plan = idle;
    case (op_i)
      mel_pkg::OpTimerStart:      device_plan.alarm_op = AlarmStart;
      mel_pkg::OpTimerStop: begin
        device_plan.alarm_op = AlarmStop;
        if (!alarms_i[id_i[3:0]]) device_plan = fail(device_plan, mel_pkg::StatusEObj);
      end
      mel_pkg::OpIrqMap:          device_plan.irq_op = IrqOpMap;
      mel_pkg::OpIrqEnable:       device_plan.irq_op = IrqOpEnable;
      mel_pkg::OpIrqDisable:      device_plan.irq_op = IrqOpDisable;
      mel_pkg::OpIrqRaise:        device_plan.irq_op = IrqOpRaise;
      mel_pkg::OpClaimLimit:      device_plan.claim_limit = 1'b1;
      mel_pkg::OpTickSet:         device_plan.tick_set = 1'b1;
      mel_pkg::OpQuantumSet:      device_plan.quantum_set = 1'b1;
      mel_pkg::OpDispatchDisable: device_plan.disable_dispatch = 1'b1;
      mel_pkg::OpDispatchEnable:  device_plan.enable = 1'b1;
      default: ;
    endcase

    // At most one of them does something: what it does is all that is done, and nothing is chosen.
    command = idle ^ ((task_plan ^ idle) | (object_plan ^ idle) | (mutex_plan ^ idle) | (notification_plan ^ idle) |
                      (device_plan ^ idle));
    if (fails) command = fail(command, check);

    if (is_irq) begin
      if (irq_i.action == mel_pkg::IrqActionNone) begin
        command = idle;
        if (!irq_i.handler)     command.status = mel_pkg::StatusENoexs;
        else if (irq_i.offered) command.status = mel_pkg::StatusEQovr;
      end
      command.irq_offer = irq_i.handler;
    end
  end

  // ---- the step -------------------------------------------------------------------------------------------------------

  plan_t  waiter_plan, timeout_plan;
  logic   names_mutex;   // the step is about the mutex that it names, not the one that the subject waits for
  assign names_mutex = !waiter_i && (source_i == SourceOrphan || (source_i == SourceCommand && decoded_i.kind == mel_pkg::IdKindMutex));

  wait_e  waits;         // wait of the caller: its kind, object and timeout
  id_t    object;
  limit_t limit;
  always_comb begin
    unique case (decoded_i.kind)
      mel_pkg::IdKindSemaphore:  waits = WaitSemaphore;
      mel_pkg::IdKindEventFlags: waits = WaitFlags;
      mel_pkg::IdKindQueue:      waits = WaitQueue;
      mel_pkg::IdKindMutex:      waits = WaitMutex;
      default:                   waits = (op_i == mel_pkg::OpTaskSleep) ? WaitSleep : WaitDelay;
    endcase
    if (decoded_i.notifies) waits = WaitNotification;
    object = decoded_i.notifies ? notification_plan.wait_id : id_i;
    limit = '{one: task_plan.timeout == 32'd1, endless: task_plan.timeout == '1, ticks: task_plan.timeout};
    if (decoded_i.by_operand) begin
      limit = '{one: found_i.operand.one, endless: found_i.operand.endless, ticks: found_i.operand.word};
    end
  end

  // The waiter of a mutex becomes its owner, and has at least its ceiling's priority. A waiting sender's word enters the queue
  // as the caller's leaves it; a waiting receiver gets the caller's.
  always_comb begin
    waiter_plan = end_wait(idle, record, waiter_result_i);
    waiter_plan.status = waiter_result_i;
    if (waiter_result_i == mel_pkg::StatusEOk) begin
      if (record.waits == WaitMutex) begin
        if (found_i.mutex.has_ceiling) begin
          waiter_plan.task_entry.prio = more_urgent(record.prio, found_i.mutex.ceiling);
          waiter_plan.ready_prio      = more_urgent(record.prio, found_i.mutex.ceiling);
        end
        waiter_plan.change.sets_prio = 1'b1;
        waiter_plan.change.prio      = waiter_plan.task_entry.prio;
      end
      if (record.waits == WaitQueue) begin
        if (op_i == mel_pkg::OpQueueReceive) begin
          waiter_plan.queue_op = QueuePopPush;
        end else begin
          waiter_plan.value_we        = 1'b1;
          waiter_plan.value_to_waiter = 1'b1;
        end
      end
    end

    timeout_plan = end_wait(idle, record,
                            (record.waits == WaitDelay) ? mel_pkg::StatusEOk : mel_pkg::StatusETmout);
    timeout_plan.status = timeout_plan.change.result;
  end

  always_comb begin
    plan_o = idle;
    if (waiter_i) begin
      plan_o = waiter_plan;
    end else begin
      unique case (source_i)
        SourceCommand, SourceIrq: plan_o = command;
        SourceTimeout:            plan_o = timeout_plan;
        SourceSlice: begin
          plan_o.ready_op        = ListInsertTail;
          plan_o.change.requeues = 1'b1;
        end
        SourceOrphan:             plan_o = mutex_plan;
        SourceFlags: begin
          plan_o = end_wait(plan_o, record, deleted_i ? mel_pkg::StatusEDlt : mel_pkg::StatusEOk);
          plan_o.status      = plan_o.change.result;
          plan_o.flags_value = !deleted_i;
        end
        SourceDrain: begin
          plan_o.to_waiter     = found_i.waiter.valid;
          plan_o.waiter_result = mel_pkg::StatusEDlt;
          plan_o.drain_end     = !found_i.waiter.valid;
          plan_o.silent        = !found_i.waiter.valid;
        end
        SourcePurge: begin
          plan_o.queue_op = QueuePurge;
          plan_o.silent   = 1'b1;
        end
        SourceCollect: begin
          plan_o.silent = 1'b1;
          if (timers_i.collect_valid) begin
            plan_o.task_entry.due = 1'b1;
            plan_o.task_we        = 1'b1;
            plan_o.timer_op       = TimerCancel;
            plan_o.due_op         = ListInsertTail;
          end
        end
        default: plan_o.silent = (source_i != SourceValue);   // a query or a value; others do not come here
      endcase
    end

    if (plan_o.caller_waits)       plan_o = start_wait(plan_o, waits, object, limit, timers_i.scanning);
    if (plan_o.change.leaves_wait) plan_o = leave_wait(plan_o, record);
    // The waiter that becomes the owner of a mutex leaves its list, but not because it gave up.
    if (waiter_i && waiter_result_i == mel_pkg::StatusEOk) plan_o.chain = ChainNone;

    // Signals needed early in the cycle are not chosen among plans: a judgement looks at its first row in it, the scan for
    // due tasks goes on.
    plan_o.judge     = !waiter_i && source_i inside {SourceCommand, SourceIrq} && !decoded_i.refused &&
                       op_i inside {mel_pkg::OpEventFlagsSet, mel_pkg::OpEventFlagsDelete} &&
                       found_i.flags.exists && found_i.waited;
    plan_o.collected = !waiter_i && source_i == SourceCollect && timers_i.collect_valid;

    // Nor are words that only one kind of plan writes: each would be one multiplexer more, behind late signals (a notification
    // is in block RAM).
    plan_o.semaphore_entry = object_plan.semaphore_entry;
    plan_o.flags_entry     = object_plan.flags_entry;
    plan_o.mutex_entry     = mutex_plan.mutex_entry;
    plan_o.chain_mutex     = names_mutex ? mutex_plan.chain_mutex : record.object;
    plan_o.held_prio       = mutex_plan.held_prio;
    plan_o.held_owner      = mutex_plan.held_owner;
    plan_o.message         = waiter_i ? word_i : argument_i;
    plan_o.message_prio    = object_plan.message_prio;
    plan_o.value           = waiter_i ? argument_i : decoded_i.notifies ? notification_plan.value : found_i.flags.flags;
    plan_o.timeout         = limit.ticks;
    plan_o.notification_entry = notification_plan.notification_entry;
  end

  // ---- queries --------------------------------------------------------------------------------------------------------

  logic [2:0] task_state;

  always_comb begin
    if (record.dormant)                task_state = mel_pkg::TaskStateDormant;
    else if (record.waits != WaitNone) task_state = record.suspended ? mel_pkg::TaskStateWaitingSuspended
                                                                     : mel_pkg::TaskStateWaiting;
    else if (record.suspended)         task_state = mel_pkg::TaskStateSuspended;
    else if (found_i.running)          task_state = mel_pkg::TaskStateRunning;
    else                               task_state = mel_pkg::TaskStateReady;

    if (source_i == SourceValue)            query_o = value_i;
    else if (fails)                         query_o = status_word(check);
    else begin
      unique case (op_i)
        mel_pkg::QueryTaskState:      query_o = {11'd0, found_i.notification.pending && !record.dormant, record.wakeups,
                                                 record.prio, 5'd0, task_state};
        mel_pkg::QueryRunTime:        query_o = run_time_i;
        mel_pkg::QuerySemaphoreCount: query_o = 32'(found_i.semaphore.count);
        mel_pkg::QueryQueueCount:     query_o = 32'(found_i.messages.count);
        default: query_o = {14'd0, found_i.mutex.abandoned, found_i.mutex.locks,
                            found_i.mutex.owned ? 9'(found_i.mutex.owner) : 9'(Tasks)};
      endcase
    end
  end

endmodule
