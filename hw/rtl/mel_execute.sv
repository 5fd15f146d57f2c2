// mel_execute: what one step does: from a request and what the tables say about its object to a plan (mel_unit_pkg::plan_t) of table
// writes, list operations and changes of running tasks. This is melanion/model in hardware, one case per command.
// A plan never depends on the contents of lists, so every case is one cycle. mel_sequencer carries it out.
// Timing: combinational.
module mel_execute
  import mel_unit_pkg::*;
(
  input  source_e      source_i,
  input  logic         waiter_i,        // the second cycle of a give or release: `found_i` is the waiter's
  input  status_t      waiter_result_i,

  input  status_t      checked_i,       // mel_check; not E_OK: refused
  input  logic [5:0]   op_i,
  input  id_t          id_i,
  input  logic [31:0]  argument_i,
  input  irq_request_t irq_i,
  input  found_t       found_i,

  input  timers_t      timers_i,
  input  logic         drain_valid_i,   // a deleted semaphore still has waiters
  input  id_t          drain_id_i,

  output plan_t        plan_o,
  output logic [31:0]  query_o
);

  localparam logic [31:0] Forever = '1;

  task_t record;
  logic  runnable, in_ready;
  assign record   = found_i.record;
  assign runnable = !record.dormant && !record.suspended && record.waits == WaitNone;
  assign in_ready = runnable && !found_i.apart;

  status_t check;
  logic    missing;
  assign missing = (mel_pkg::id_kind(op_i) == mel_pkg::IdKindTask && !record.exists &&
                    op_i != mel_pkg::OpTaskCreate) ||
                   (mel_pkg::id_kind(op_i) == mel_pkg::IdKindSemaphore && !found_i.semaphore.exists &&
                    op_i != mel_pkg::OpSemaphoreCreate);
  assign check   = (checked_i == mel_pkg::StatusEOk && missing) ? mel_pkg::StatusENoexs : checked_i;

  // ---- parts of several commands --------------------------------------------------------------------------------------

  function automatic plan_t fail(plan_t plan, status_t status);
    fail = without_effect(plan);
    fail.status = status;
  endfunction

  // Out of its wait list, its deadline cancelled.
  function automatic plan_t leave_wait(plan_t plan, task_t task_record);
    leave_wait = plan;
    leave_wait.task_we            = 1'b1;
    leave_wait.task_entry.waits   = WaitNone;
    leave_wait.task_entry.due     = 1'b0;
    leave_wait.timer_op           = TimerCancel;
    leave_wait.change.leaves_wait = 1'b1;
    if (task_record.waits == WaitSemaphore) leave_wait.wait_op = ListRemove;
    if (task_record.due)                    leave_wait.due_op  = ListRemove;
  endfunction

  function automatic plan_t make_ready(plan_t plan);
    make_ready = plan;
    make_ready.task_we           = 1'b1;
    make_ready.ready_op          = ListInsertTail;
    make_ready.change.gets_ready = 1'b1;
  endfunction

  function automatic plan_t end_wait(plan_t plan, task_t task_record, status_t result);
    end_wait = leave_wait(plan, task_record);
    end_wait.change.sets_result = 1'b1;
    end_wait.change.result      = result;
    if (!task_record.suspended) end_wait = make_ready(end_wait);
  endfunction

  function automatic plan_t start_wait(plan_t plan, wait_e waits, logic [31:0] timeout, logic listed, logic scanning,
                                       id_t semaphore_id);
    start_wait = plan;
    start_wait.caller_waits         = 1'b1;
    start_wait.task_we              = 1'b1;
    start_wait.task_entry.waits     = waits;
    start_wait.task_entry.semaphore = semaphore_id;
    start_wait.wait_object          = semaphore_id;
    if (waits == WaitSemaphore) start_wait.wait_op  = ListInsertTail;
    if (listed)                 start_wait.ready_op = ListRemove;
    if (timeout != Forever)     start_wait.timer_op = TimerSet;
    if (timeout == 32'd1 && scanning) begin
      start_wait.due_op         = ListInsertTail;
      start_wait.task_entry.due = 1'b1;
    end
  endfunction

  // To dormant, from any state.
  function automatic plan_t stop(plan_t plan, task_t task_record, logic listed);
    stop = leave_wait(plan, task_record);
    stop.task_entry.dormant   = 1'b1;
    stop.task_entry.suspended = 1'b0;
    stop.task_entry.wakeups   = '0;
    stop.task_entry.prio      = task_record.base_prio;
    stop.change.gets_unready  = 1'b1;
    stop.change.sets_prio     = 1'b1;
    stop.change.prio          = task_record.base_prio;
    if (listed) stop.ready_op = ListRemove;
  endfunction

  function automatic plan_t give(plan_t plan, semaphore_t record_of, top_t waiter);
    give = plan;
    if (waiter.valid) begin
      give.to_waiter     = 1'b1;
      give.waiter_result = mel_pkg::StatusEOk;
    end else if (record_of.full) begin
      give.status = mel_pkg::StatusEQovr;
    end else begin
      give.semaphore_we          = 1'b1;
      give.semaphore_entry.count = record_of.count + 16'd1;
    end
  endfunction

  function automatic plan_t wakeup(plan_t plan, task_t task_record);
    if (task_record.dormant)                              return fail(plan, mel_pkg::StatusEObj);
    if (task_record.waits == WaitSleep)                   return end_wait(plan, task_record, mel_pkg::StatusEOk);
    if (task_record.wakeups == mel_pkg::WakeupsLimit)     return fail(plan, mel_pkg::StatusEQovr);
    wakeup = plan;
    wakeup.task_we            = 1'b1;
    wakeup.task_entry.wakeups = task_record.wakeups + 4'd1;
  endfunction

  function automatic plan_t release_wait(plan_t plan, task_t task_record);
    if (task_record.waits == WaitNone) return fail(plan, mel_pkg::StatusEObj);
    return end_wait(plan, task_record, mel_pkg::StatusERlwai);
  endfunction

  // ---- every command --------------------------------------------------------------------------------------------------

  plan_t       nothing, command, irq;
  logic [31:0] ticks;     // task_delay_until: from now
  prio_t       new_prio;

  assign ticks    = argument_i - timers_i.time_low;
  assign new_prio = argument_i[7:0];

  always_comb begin
    nothing                 = '0;
    nothing.task_entry      = record;
    nothing.semaphore_entry = found_i.semaphore;
    nothing.prio            = record.prio;
    nothing.move_prio       = new_prio;
    nothing.wait_object     = record.semaphore;
    nothing.timeout         = argument_i;
    nothing.change.task_id  = found_i.subject;
  end

  always_comb begin
    command = nothing;
    case (op_i)
      mel_pkg::OpTaskCreate: begin
        command.task_entry           = '0;
        command.task_entry.exists    = 1'b1;
        command.task_entry.dormant   = 1'b1;
        command.task_entry.prio      = new_prio;
        command.task_entry.base_prio = new_prio;
        command.task_we              = 1'b1;
        command.change.sets_result   = 1'b1;
        command.change.result        = mel_pkg::StatusEOk;
        command.change.sets_prio     = 1'b1;
        command.change.prio          = new_prio;
        if (record.exists) command = fail(command, mel_pkg::StatusEObj);
      end

      mel_pkg::OpTaskDelete: begin
        command.task_entry.exists = 1'b0;
        command.task_we           = 1'b1;
        if (!record.dormant) command = fail(command, mel_pkg::StatusEObj);
      end

      mel_pkg::OpTaskStart: begin
        command.task_entry.dormant = 1'b0;
        command = make_ready(command);
        if (!record.dormant) command = fail(command, mel_pkg::StatusEObj);
      end

      mel_pkg::OpTaskExit: begin
        command = stop(command, record, in_ready);
        command.enable = 1'b1;
      end

      mel_pkg::OpTaskTerminate: begin
        if (found_i.running)     command = fail(command, mel_pkg::StatusEIluse);
        else if (record.dormant) command = fail(command, mel_pkg::StatusEObj);
        else                     command = stop(command, record, in_ready);
      end

      mel_pkg::OpTaskSuspend: begin
        if (found_i.held)          command = fail(command, mel_pkg::StatusECtx);
        else if (record.dormant)   command = fail(command, mel_pkg::StatusEObj);
        else if (record.suspended) command = fail(command, mel_pkg::StatusEQovr);
        else begin
          command.task_entry.suspended = 1'b1;
          command.task_we              = 1'b1;
          command.change.gets_unready  = runnable;
          if (in_ready) command.ready_op = ListRemove;
        end
      end

      mel_pkg::OpTaskResume: begin
        command.task_entry.suspended = 1'b0;
        command.task_we              = 1'b1;
        if (record.waits == WaitNone) command = make_ready(command);
        if (!record.suspended) command = fail(command, mel_pkg::StatusEObj);
      end

      mel_pkg::OpTaskSetPriority: begin
        command.task_entry.prio  = new_prio;
        command.task_we          = 1'b1;
        command.change.sets_prio = 1'b1;
        command.change.prio      = new_prio;
        if (runnable && found_i.apart) begin
          command.ready_op        = ListInsertTail;
          command.prio            = new_prio;
          command.change.requeues = 1'b1;
        end else begin
          command.move = 1'b1;
          if (runnable)                      command.ready_op = ListRemove;
          if (record.waits == WaitSemaphore) command.wait_op  = ListRemove;
          if (record.due)                    command.due_op   = ListRemove;
        end
        if (record.dormant) command = fail(command, mel_pkg::StatusEObj);
      end

      mel_pkg::OpTaskRotate: begin   // the subject is the caller's core's running task
        if (argument_i != '1) command.prio = new_prio;
        if (runnable && found_i.apart && record.prio == command.prio) begin
          command.ready_op        = ListInsertTail;
          command.change.requeues = 1'b1;
        end else begin
          command.ready_op = ListRotate;
        end
      end

      mel_pkg::OpTaskRelease: command = release_wait(command, record);

      mel_pkg::OpTaskSleep: begin
        if (record.wakeups != '0) begin
          command.task_entry.wakeups = record.wakeups - 4'd1;
          command.task_we            = 1'b1;
        end else if (argument_i == '0) begin
          command.status = mel_pkg::StatusETmout;
        end else begin
          command = start_wait(command, WaitSleep, argument_i, in_ready, timers_i.scanning, '0);
        end
      end

      mel_pkg::OpTaskWakeup: command = wakeup(command, record);

      mel_pkg::OpTaskDelay: begin
        if (argument_i != '0) command = start_wait(command, WaitDelay, argument_i, in_ready, timers_i.scanning, '0);
      end

      mel_pkg::OpTaskDelayUntil: begin
        if (ticks == '0 || ticks[31]) command.status = mel_pkg::StatusETmout;
        else begin
          command = start_wait(command, WaitDelay, ticks, in_ready, timers_i.scanning, '0);
        end
        command.timeout = ticks;
      end

      mel_pkg::OpSemaphoreCreate: begin
        command.semaphore_entry = '{exists: 1'b1, empty: 1'b0, full: 1'b0, count: argument_i[15:0],
                                    maximum: argument_i[31:16]};
        command.semaphore_we    = 1'b1;
        if (found_i.semaphore.exists) command = fail(command, mel_pkg::StatusEObj);
        else if (drain_valid_i && drain_id_i == id_i) begin
          command       = without_effect(command);
          command.retry = 1'b1;
        end
      end

      mel_pkg::OpSemaphoreDelete: begin
        command.semaphore_entry.exists = 1'b0;
        command.semaphore_we           = 1'b1;
        command.drain_start            = found_i.waiter.valid;
        if (found_i.waiter.valid && drain_valid_i) begin
          command       = without_effect(command);
          command.retry = 1'b1;
        end
      end

      mel_pkg::OpSemaphoreGive: command = give(command, found_i.semaphore, found_i.waiter);

      mel_pkg::OpSemaphoreTake: begin
        if (!found_i.semaphore.empty) begin
          command.semaphore_entry.count = found_i.semaphore.count - 16'd1;
          command.semaphore_we          = 1'b1;
        end else if (argument_i == '0) begin
          command.status = mel_pkg::StatusETmout;
        end else begin
          command = start_wait(command, WaitSemaphore, argument_i, in_ready, timers_i.scanning, id_i);
        end
      end

      mel_pkg::OpIrqMap:          command.irq_op = IrqOpMap;
      mel_pkg::OpIrqEnable:       command.irq_op = IrqOpEnable;
      mel_pkg::OpIrqDisable:      command.irq_op = IrqOpDisable;
      mel_pkg::OpIrqRaise:        command.irq_op = IrqOpRaise;
      mel_pkg::OpTickSet:         command.tick_set = 1'b1;
      mel_pkg::OpDispatchDisable: command.disable_dispatch = 1'b1;
      mel_pkg::OpDispatchEnable:  command.enable = 1'b1;
      default: ;
    endcase
  end

  // ---- an interrupt edge ----------------------------------------------------------------------------------------------

  always_comb begin
    irq = nothing;
    unique case (irq_i.action)
      mel_pkg::IrqActionSemaphoreGive: begin
        if (found_i.semaphore.exists) irq = give(irq, found_i.semaphore, found_i.waiter);
        else                          irq = fail(irq, mel_pkg::StatusENoexs);
      end
      mel_pkg::IrqActionTaskWakeup:   irq = record.exists ? wakeup(irq, record) : fail(irq, mel_pkg::StatusENoexs);
      mel_pkg::IrqActionTaskRelease:  irq = record.exists ? release_wait(irq, record) : fail(irq, mel_pkg::StatusENoexs);
      default: begin
        if (!irq_i.handler)     irq = fail(irq, mel_pkg::StatusENoexs);
        else if (irq_i.offered) irq = fail(irq, mel_pkg::StatusEQovr);
      end
    endcase
    irq.irq_offer = irq_i.handler;
  end

  // ---- the step -------------------------------------------------------------------------------------------------------

  always_comb begin
    plan_o = nothing;
    if (waiter_i) begin
      plan_o = end_wait(nothing, record, waiter_result_i);
      plan_o.status = waiter_result_i;
    end else begin
      unique case (source_i)
        SourceCommand: plan_o = (check == mel_pkg::StatusEOk) ? command : fail(command, check);
        SourceIrq:     plan_o = irq;
        SourceTimeout: begin
          plan_o = end_wait(nothing, record,
                            (record.waits == WaitDelay) ? mel_pkg::StatusEOk : mel_pkg::StatusETmout);
          plan_o.status = plan_o.change.result;
        end
        SourceRelease: begin
          plan_o.to_waiter     = found_i.waiter.valid;
          plan_o.waiter_result = mel_pkg::StatusEDlt;
          plan_o.drain_end     = !found_i.waiter.valid;
          plan_o.silent        = !found_i.waiter.valid;
        end
        SourceCollect: begin
          plan_o.silent = 1'b1;
          if (timers_i.collect_valid) begin
            plan_o.collected      = 1'b1;
            plan_o.task_entry.due = 1'b1;
            plan_o.task_we        = 1'b1;
            plan_o.timer_op       = TimerCancel;
            plan_o.due_op         = ListInsertTail;
          end
        end
        default: plan_o.silent = 1'b1;   // SourceQuery; dispatch and claim do not come here
      endcase
    end
  end

  // ---- queries --------------------------------------------------------------------------------------------------------

  logic [2:0] task_state;

  always_comb begin
    if (record.dormant)                   task_state = mel_pkg::TaskStateDormant;
    else if (record.waits != WaitNone)    task_state = record.suspended ? mel_pkg::TaskStateWaitingSuspended
                                                                        : mel_pkg::TaskStateWaiting;
    else if (record.suspended)            task_state = mel_pkg::TaskStateSuspended;
    else if (found_i.running)             task_state = mel_pkg::TaskStateRunning;
    else                                  task_state = mel_pkg::TaskStateReady;

    if (check != mel_pkg::StatusEOk)        query_o = status_word(check);
    else if (op_i == mel_pkg::QueryTaskState) query_o = {12'd0, record.wakeups, record.prio, 5'd0, task_state};
    else                                      query_o = 32'(found_i.semaphore.count);
  end

endmodule
