// SPDX-License-Identifier: Apache-2.0
// mel_execute_task: the plans of the task commands, melanion/model/task.py in hardware.
// Timing: combinational.
module mel_execute_task
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
(
  input  mel_pkg::op_t  op_i,
  input  logic [31:0] argument_i,
  input  found_t      found_i,
  input  timers_t     timers_i,
  input  backlog_t    backlog_i,
  output plan_t       plan_o
);

  task_t       record;
  logic        runnable, in_ready, unlocking;
  logic [31:0] ticks;       // task_delay_until: from now
  prio_t       new_prio;

  assign record    = found_i.record;
  assign runnable  = is_runnable(record);
  assign in_ready  = runnable && !found_i.apart;
  assign unlocking = backlog_i.orphan_valid && backlog_i.orphan_id == found_i.subject;
  assign ticks     = argument_i - timers_i.time_low;

  // The new base priority, or what the task inherits.
  assign new_prio  = (found_i.held.valid && found_i.held.prio < argument_i[7:0] && op_i == mel_pkg::OpTaskSetPriority)
                     ? found_i.held.prio : argument_i[7:0];

  // To dormant, from any state.
  function automatic plan_t stop(plan_t plan, found_t found, logic listed, logic busy);
    stop = plan;
    stop.change.leaves_wait   = 1'b1;
    stop.task_entry.dormant   = 1'b1;
    stop.task_entry.suspended = 1'b0;
    stop.task_entry.wakeups   = '0;
    stop.task_entry.prio      = found.record.initial_prio;
    stop.task_entry.base_prio = found.record.initial_prio;
    stop.change.gets_unready  = 1'b1;
    stop.change.ends          = 1'b1;
    stop.change.sets_prio     = 1'b1;
    stop.change.prio          = found.record.initial_prio;
    stop.orphan_start         = found.held.valid;
    if (listed) stop.ready_op = ListRemove;
    if (found.held.valid && busy) stop = try_again(stop);
  endfunction

  function automatic plan_t wakeup(plan_t plan, task_t task_record);
    if (task_record.dormant)                          return fail(plan, mel_pkg::StatusEObj);
    if (task_record.waits == WaitSleep)               return end_wait(plan, task_record, mel_pkg::StatusEOk);
    if (task_record.wakeups == mel_pkg::WakeupsLimit) return fail(plan, mel_pkg::StatusEQovr);
    wakeup = plan;
    wakeup.task_we            = 1'b1;
    wakeup.task_entry.wakeups = task_record.wakeups + 4'd1;
  endfunction

  always_comb begin
    plan_o = nothing(found_i, argument_i);
    case (op_i)
      mel_pkg::OpTaskCreate: begin
        plan_o.task_entry              = '0;
        plan_o.task_entry.exists       = 1'b1;
        plan_o.task_entry.dormant      = 1'b1;
        plan_o.task_entry.prio         = new_prio;
        plan_o.task_entry.base_prio    = new_prio;
        plan_o.task_entry.initial_prio = new_prio;
        plan_o.task_entry.affinity     = argument_i[10:8];
        plan_o.task_we                 = 1'b1;
        plan_o.change.sets_result      = 1'b1;
        plan_o.change.result           = mel_pkg::StatusEOk;
        plan_o.change.sets_prio        = 1'b1;
        plan_o.change.prio             = new_prio;
        if (record.exists) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      mel_pkg::OpTaskDelete: begin
        plan_o.task_entry.exists = 1'b0;
        plan_o.task_we           = 1'b1;
        if (!record.dormant || found_i.running) plan_o = fail(plan_o, mel_pkg::StatusEObj);
        else if (unlocking)                     plan_o = try_again(plan_o);
      end

      mel_pkg::OpTaskStart: begin
        plan_o.task_entry.dormant = 1'b0;
        plan_o.change.sets_result = 1'b1;   // to E_OK: of no call yet
        plan_o.notification_we    = 1'b1;   // mel_execute_notification says what
        plan_o = make_ready(plan_o);
        if (!record.dormant) plan_o = fail(plan_o, mel_pkg::StatusEObj);
        else if (unlocking)  plan_o = try_again(plan_o);
      end

      mel_pkg::OpTaskExit: begin
        plan_o.enable = 1'b1;
        plan_o = stop(plan_o, found_i, in_ready, backlog_i.orphan_valid);
      end

      mel_pkg::OpTaskTerminate: begin
        if (found_i.caller)          plan_o = fail(plan_o, mel_pkg::StatusEIluse);
        else if (found_i.keeps_core) plan_o = fail(plan_o, mel_pkg::StatusECtx);
        else if (record.dormant)     plan_o = fail(plan_o, mel_pkg::StatusEObj);
        else                         plan_o = stop(plan_o, found_i, in_ready, backlog_i.orphan_valid);
      end

      mel_pkg::OpTaskSuspend: begin
        if (found_i.keeps_core)     plan_o = fail(plan_o, mel_pkg::StatusECtx);
        else if (record.dormant)   plan_o = fail(plan_o, mel_pkg::StatusEObj);
        else if (record.suspended) plan_o = fail(plan_o, mel_pkg::StatusEQovr);
        else begin
          plan_o.task_entry.suspended = 1'b1;
          plan_o.task_we              = 1'b1;
          plan_o.change.gets_unready  = runnable;
          if (in_ready) plan_o.ready_op = ListRemove;
        end
      end

      mel_pkg::OpTaskResume: begin
        plan_o.task_entry.suspended = 1'b0;
        plan_o.task_we              = 1'b1;
        if (record.waits == WaitNone) plan_o = make_ready(plan_o);
        if (!record.suspended) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      mel_pkg::OpTaskSetPriority: begin
        plan_o.task_entry.base_prio = argument_i[7:0];
        plan_o.task_entry.prio      = new_prio;
        plan_o.task_we              = 1'b1;
        plan_o.change.sets_prio     = 1'b1;
        plan_o.change.prio          = new_prio;
        plan_o.move_prio            = new_prio;
        if (runnable && found_i.apart) begin
          plan_o.ready_op        = ListInsertTail;
          plan_o.ready_prio      = new_prio;
          plan_o.change.requeues = 1'b1;
        end else begin
          plan_o.move = runnable || in_list(record.waits) || record.due;
          if (runnable) plan_o.ready_op = ListRemove;
          plan_o = move_waiter(plan_o, record);
        end
        if (record.dormant) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      mel_pkg::OpTaskRotate: begin   // the subject is the caller's core's running task, if there is one
        if (argument_i != '1) plan_o.ready_prio = argument_i[7:0];
        if (found_i.caller && runnable && found_i.apart && record.prio == plan_o.ready_prio) begin
          plan_o.ready_op        = ListInsertTail;
          plan_o.change.requeues = 1'b1;
        end else begin
          plan_o.ready_op    = ListRotate;
          plan_o.ready_affinity = '0;
        end
      end

      mel_pkg::OpTaskRelease: plan_o = release_wait(plan_o, found_i);
      mel_pkg::OpTaskWakeup:  plan_o = wakeup(plan_o, record);

      mel_pkg::OpTaskSleep: begin
        if (record.wakeups != '0) begin
          plan_o.task_entry.wakeups = record.wakeups - 4'd1;
          plan_o.task_we            = 1'b1;
        end else if (argument_i == '0) begin
          plan_o.status = mel_pkg::StatusETmout;
        end else begin
          plan_o = wait_here(plan_o, in_ready);
        end
      end

      mel_pkg::OpTaskDelay: begin
        if (argument_i != '0) plan_o = wait_here(plan_o, in_ready);
      end

      mel_pkg::OpTaskDelayUntil: begin
        if (ticks == '0 || ticks[31]) plan_o.status = mel_pkg::StatusETmout;
        else plan_o = wait_here(plan_o, in_ready);
      end

      mel_pkg::OpDeadlineSet: begin
        plan_o.deadline_set = 1'b1;
        if (record.dormant) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      mel_pkg::OpBudgetSet: begin
        plan_o.budget_set = 1'b1;
        if (record.dormant) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      default: ;
    endcase

    // Whether it waits comes later than how long it would.
    plan_o.timeout = (op_i == mel_pkg::OpTaskDelayUntil) ? ticks : argument_i;
  end

endmodule
