// SPDX-License-Identifier: Apache-2.0
// mel_execute_mutex: the plans of the mutex commands, and of unlocking the mutexes of a task that ended:
// melanion/model/mutex.py in hardware. What follows for other tasks' priorities is mel_inheritance's.
//
// A lock that has to wait is planned twice: first the owners and waiters that follow it are searched for the caller (`walk`);
// `walked_i`: that is done, `cycle_i` with what result. An orphan is planned twice: first its record is read (`again`).
// Timing: combinational.
module mel_execute_mutex
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Priorities = 32
) (
  input  logic        orphan_i,        // the step unlocks a mutex of the task that ended
  input  mel_pkg::op_t  op_i,
  input  id_t         id_i,
  input  logic [31:0] argument_i,
  input  found_t      found_i,
  input  logic        walked_i,        // planned for the second time
  input  logic        cycle_i,
  input  backlog_t    backlog_i,
  output plan_t       plan_o
);

  localparam prio_t Lowest = prio_t'(Priorities - 1);

  task_t  record;
  mutex_t mutex;
  logic   in_ready, owner, above_ceiling, creates, deletes;
  prio_t  level;     // level of the mutex while nobody waits for it

  assign record        = found_i.record;
  assign mutex         = found_i.mutex;
  assign in_ready      = is_runnable(record) && !found_i.apart;
  assign creates       = !orphan_i && op_i == mel_pkg::OpMutexCreate;
  assign deletes       = !orphan_i && op_i == mel_pkg::OpMutexDelete;
  assign owner         = mutex.owned && mutex.owner == found_i.subject;
  assign above_ceiling = mutex.has_ceiling && record.base_prio < mutex.ceiling;
  assign level         = mutex.has_ceiling ? mutex.ceiling : Lowest;

  // Out of the owner's held set, to the first waiter if there is one. `inherits`: the owner may have inherited from it.
  function automatic plan_t hand_over(plan_t plan, found_t found, logic abandoned, logic inherits);
    hand_over = plan;
    hand_over.mutex_we              = 1'b1;
    hand_over.mutex_entry.owned     = found.waiter.valid;
    hand_over.mutex_entry.owner     = found.waiter.task_id;
    hand_over.mutex_entry.locks     = found.waiter.valid ? 8'd1 : '0;
    hand_over.mutex_entry.abandoned = abandoned;
    hand_over.held_op               = ListRemove;
    hand_over.to_waiter             = found.waiter.valid;
    hand_over.waiter_result         = mel_pkg::StatusEOk;
    hand_over.adopt                 = found.waiter.valid;
    if (inherits) hand_over.chain   = ChainEffective;
  endfunction

  always_comb begin
    plan_o = nothing(found_i, argument_i);
    plan_o.chain_mutex = id_i;

    // Record to be written, unless the mutex is handed over: selected by the command and by `owned` alone, because the other
    // signals come late. Owner and level mean nothing while it is not owned.
    plan_o.mutex_entry.owned = !creates && !deletes;
    if (!mutex.owned) begin
      plan_o.mutex_entry.owner = found_i.subject;
      plan_o.mutex_entry.level = level;
    end
    plan_o.mutex_entry.locks = (mutex.owned ? mutex.locks : '0) + ((op_i == mel_pkg::OpMutexUnlock) ? 8'hFF : 8'd1);
    if (creates) begin
      plan_o.mutex_entry.exists      = 1'b1;
      plan_o.mutex_entry.locks       = '0;
      plan_o.mutex_entry.has_ceiling = argument_i[8];
      plan_o.mutex_entry.ceiling     = argument_i[7:0];
      plan_o.mutex_entry.abandoned   = 1'b0;
    end
    if (deletes) plan_o.mutex_entry.exists = 1'b0;

    if (orphan_i) begin
      if (walked_i) begin
        plan_o = hand_over(plan_o, found_i, 1'b1, 1'b0);
      end else if (found_i.held.valid) begin
        plan_o.again       = 1'b1;
        plan_o.chain_mutex = found_i.held.task_id;
        plan_o.wait_kind   = WaitMutex;
        plan_o.wait_id     = found_i.held.task_id;
      end else begin
        plan_o.orphan_end = 1'b1;
        plan_o.silent     = 1'b1;
      end
    end else begin
      case (op_i)
        mel_pkg::OpMutexCreate: begin
          plan_o.mutex_we = 1'b1;
          if (mutex.exists) plan_o = fail(plan_o, mel_pkg::StatusEObj);
          else if (is_draining(backlog_i, WaitMutex, id_i)) plan_o = try_again(plan_o);
        end

        mel_pkg::OpMutexDelete: begin
          plan_o.mutex_we    = 1'b1;
          plan_o.wait_kind   = WaitMutex;
          plan_o.drain_start = found_i.waiter.valid;
          if (mutex.owned) begin
            plan_o.held_op = ListRemove;
            plan_o.chain   = ChainEffective;
          end
          if (found_i.waiter.valid && backlog_i.drain_valid) plan_o = try_again(plan_o);
        end

        mel_pkg::OpMutexLock: begin
          if (above_ceiling) begin
            plan_o.status = mel_pkg::StatusEIluse;
          end else if (!mutex.owned) begin
            plan_o.mutex_we   = 1'b1;
            plan_o.held_op    = ListInsertTail;
            plan_o.held_prio  = level;
            plan_o.held_owner = found_i.subject;
            // The caller stands in no list but the ready set: one that waits or has ended is refused (mel_check).
            if (level < record.prio) begin
              plan_o.task_entry.prio  = level;
              plan_o.task_we          = 1'b1;
              plan_o.change.sets_prio = 1'b1;
              plan_o.change.prio      = level;
              plan_o.settle           = is_runnable(record) && found_i.apart;
              plan_o.move             = !plan_o.settle;
              plan_o.move_first       = 1'b1;
              plan_o.move_prio        = level;
              if (in_ready) plan_o.ready_op = ListRemove;
            end
          end else if (owner) begin
            plan_o.mutex_we = 1'b1;
            if (mutex.locks == mel_pkg::LocksLimit) plan_o = fail(plan_o, mel_pkg::StatusEQovr);
          end else if (argument_i == '0) begin
            plan_o.status = mel_pkg::StatusETmout;
          end else if (!walked_i) begin
            plan_o.walk = 1'b1;
          end else if (cycle_i) begin
            plan_o.status = mel_pkg::StatusEIluse;
          end else begin
            plan_o = wait_here(plan_o, in_ready);
            plan_o.chain = ChainLevel;
          end
        end

        mel_pkg::OpMutexUnlock: begin
          if (!mutex.owned)             plan_o.status = mel_pkg::StatusEObj;
          else if (!owner)              plan_o.status = mel_pkg::StatusEIluse;
          else if (mutex.locks != 8'd1) begin
            plan_o.mutex_we = 1'b1;
          end else begin
            plan_o = hand_over(plan_o, found_i, 1'b0, mutex.level < record.base_prio);
          end
        end

        default: ;
      endcase
    end
  end

endmodule
