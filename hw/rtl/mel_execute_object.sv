// SPDX-License-Identifier: Apache-2.0
// mel_execute_object: the plans of the commands of semaphores, event flags and message queues: melanion/model/semaphore.py,
// event_flags.py, queue.py in hardware. `by_irq_i`: the command is the action of an interrupt.
// Timing: combinational.
module mel_execute_object
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
(
  input  logic        by_irq_i,
  input  mel_pkg::op_t  op_i,
  input  id_t         id_i,
  input  logic [31:0] argument_i,
  input  found_t      found_i,
  input  backlog_t    backlog_i,
  input  logic [15:0] room_i,          // messages that no queue has reserved
  output plan_t       plan_o
);

  task_t record;
  logic  in_ready, every, takes, holds;
  assign record   = found_i.record;
  assign in_ready = is_runnable(record) && !found_i.apart;

  // The condition of a wait for flags.
  assign every = op_i inside {mel_pkg::OpEventFlagsWaitAll, mel_pkg::OpEventFlagsTakeAll};
  assign takes = op_i inside {mel_pkg::OpEventFlagsTakeAny, mel_pkg::OpEventFlagsTakeAll};
  assign holds = every ? (argument_i & ~found_i.flags.flags) == '0 : (argument_i & found_i.flags.flags) != '0;

  // To the first receiver, or behind the messages that are as urgent or more.
  function automatic plan_t enter_queue(plan_t plan, found_t found, status_t when_full);
    enter_queue = plan;
    if (found.messages.empty && found.waiter.valid) begin
      enter_queue.to_waiter     = 1'b1;
      enter_queue.waiter_result = mel_pkg::StatusEOk;
    end else if (found.messages.full) begin
      enter_queue.status = when_full;
    end else begin
      enter_queue.queue_op = QueuePush;
    end
  endfunction

  always_comb begin
    plan_o = nothing(found_i, argument_i);

    // Count and flags to be written: selected by the command alone, because the write enable comes late.
    plan_o.semaphore_entry.count = found_i.semaphore.count + ((op_i == mel_pkg::OpSemaphoreTake) ? 16'hFFFF : 16'd1);
    unique case (op_i)
      mel_pkg::OpEventFlagsCreate: plan_o.flags_entry.flags = argument_i;
      mel_pkg::OpEventFlagsSet:    plan_o.flags_entry.flags = found_i.flags.flags | argument_i;
      default:                     plan_o.flags_entry.flags = found_i.flags.flags & ~argument_i;
    endcase

    case (op_i)
      mel_pkg::OpSemaphoreCreate: begin
        plan_o.semaphore_entry = '{exists: 1'b1, empty: 1'b0, full: 1'b0, count: argument_i[15:0],
                                   maximum: argument_i[31:16]};
        plan_o.semaphore_we    = 1'b1;
        if (found_i.semaphore.exists) plan_o = fail(plan_o, mel_pkg::StatusEObj);
        else if (is_draining(backlog_i, WaitSemaphore, id_i)) plan_o = try_again(plan_o);
      end

      mel_pkg::OpSemaphoreDelete: begin
        plan_o.semaphore_entry.exists = 1'b0;
        plan_o.semaphore_we           = 1'b1;
        plan_o.wait_kind              = WaitSemaphore;
        plan_o.drain_start            = found_i.waiter.valid;
        if (found_i.waiter.valid && backlog_i.drain_valid) plan_o = try_again(plan_o);
      end

      mel_pkg::OpSemaphoreGive: begin
        if (found_i.waiter.valid) begin
          plan_o.to_waiter     = 1'b1;
          plan_o.waiter_result = mel_pkg::StatusEOk;
        end else if (found_i.semaphore.full) begin
          plan_o.status = mel_pkg::StatusEQovr;
        end else begin
          plan_o.semaphore_we = 1'b1;
        end
      end

      mel_pkg::OpSemaphoreTake: begin
        if (!found_i.semaphore.empty) begin
          plan_o.semaphore_we = 1'b1;
        end else if (argument_i == '0) begin
          plan_o.status = mel_pkg::StatusETmout;
        end else begin
          plan_o = wait_here(plan_o, in_ready);
        end
      end

      mel_pkg::OpEventFlagsCreate: begin
        plan_o.flags_entry.exists = 1'b1;
        plan_o.flags_we           = 1'b1;
        if (found_i.flags.exists) plan_o = fail(plan_o, mel_pkg::StatusEObj);
      end

      mel_pkg::OpEventFlagsDelete: begin
        plan_o.flags_entry.exists = 1'b0;
        plan_o.flags_we           = 1'b1;
      end

      mel_pkg::OpEventFlagsSet, mel_pkg::OpEventFlagsClear: plan_o.flags_we = 1'b1;

      mel_pkg::OpEventFlagsWaitAny, mel_pkg::OpEventFlagsWaitAll, mel_pkg::OpEventFlagsTakeAny,
      mel_pkg::OpEventFlagsTakeAll: begin
        if (holds) begin
          plan_o.value_we = 1'b1;
          plan_o.flags_we = takes;
        end else if (found_i.operand.zero) begin
          plan_o.status = mel_pkg::StatusETmout;
        end else begin
          plan_o = wait_here(plan_o, in_ready);
        end
      end

      mel_pkg::OpQueueCreate: begin
        plan_o.queue_op = QueueCreate;
        if (found_i.messages.exists) plan_o = fail(plan_o, mel_pkg::StatusEObj);
        else if (is_draining(backlog_i, WaitQueue, id_i) || backlog_i.purge_valid) plan_o = try_again(plan_o);
        else if (argument_i[15:0] > room_i) plan_o = fail(plan_o, mel_pkg::StatusENomem);
      end

      mel_pkg::OpQueueDelete: begin
        plan_o.queue_op    = QueueDelete;
        plan_o.wait_kind   = WaitQueue;
        plan_o.drain_start = found_i.waiter.valid;
        if ((found_i.waiter.valid && backlog_i.drain_valid) || (!found_i.messages.empty && backlog_i.purge_valid)) begin
          plan_o = try_again(plan_o);
        end
      end

      mel_pkg::OpQueueSend: begin
        if (!found_i.messages.full || found_i.operand.zero) begin
          plan_o = enter_queue(plan_o, found_i, mel_pkg::StatusETmout);
        end else begin
          plan_o = wait_here(plan_o, in_ready);
          plan_o.word_we = 1'b1;
        end
      end

      mel_pkg::OpQueuePost: begin
        plan_o = enter_queue(plan_o, found_i, mel_pkg::StatusEQovr);
        if (!by_irq_i) plan_o.message_prio = found_i.operand.word[7:0];
      end

      mel_pkg::OpQueueReceive: begin
        if (!found_i.messages.empty) begin
          plan_o.queue_op      = found_i.waiter.valid ? QueueNone : QueuePop;   // else with the waiting sender's word
          plan_o.to_waiter     = found_i.waiter.valid;
          plan_o.waiter_result = mel_pkg::StatusEOk;
        end else if (argument_i == '0) begin
          plan_o.status = mel_pkg::StatusETmout;
        end else begin
          plan_o = wait_here(plan_o, in_ready);
        end
      end

      default: ;
    endcase
  end

endmodule
