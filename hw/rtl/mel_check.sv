// SPDX-License-Identifier: Apache-2.0
// mel_check: the checks that every command passes before it is looked up, in the order of spec/commands.yaml: E_RSFN, E_CTX,
// E_ID, E_PAR. A query is checked for E_ID only. What depends on the object or the operand, and E_NOEXS: mel_execute.
// Timing: combinational.
module mel_check
  import mel_unit_pkg::*;
#(
  parameter mel_pkg::sizes_t Sizes = mel_pkg::SizesDefault,
  parameter int unsigned     Lines = 40   // interrupts, then those of timers
) (
  input  logic        query_i,
  input  mel_pkg::op_t  op_i,
  input  id_t         id_i,
  input  logic [31:0] argument_i,
  input  logic [1:0]  context_i,
  input  core_t       core_i,          // the caller's core
  output status_t     status_o,        // E_OK: go on
  output logic        may_wait_o       // the caller may block
);

  localparam logic [31:0] Own = '1;   // task_rotate: the caller's own priority

  localparam logic [11:0] TickCyclesMin = 12'(mel_pkg::tick_cycles_min(Sizes.Tasks));

  logic [2:0] kind;
  logic       may_block, bad_context, bad_id, bad_parameter, bad_map, bad_level, bad_priority, bad_task, bad_tick;

  assign kind      = mel_pkg::id_kind(op_i);
  assign may_block = mel_pkg::blocks(op_i) == mel_pkg::BlocksAlways ||
                     (mel_pkg::blocks(op_i) == mel_pkg::BlocksTimeout && argument_i != '0);

  assign may_wait_o = context_i == mel_pkg::ContextTask && core_i.enabled && core_i.runnable;

  // A caller that waits already and was told to dispatch neither locks nor unlocks: its own wait may be for a mutex.
  logic bad_owner;
  assign bad_owner = context_i == mel_pkg::ContextTask && core_i.waits &&
                     op_i inside {mel_pkg::OpMutexLock, mel_pkg::OpMutexUnlock};

  // A caller that is no longer runnable (it waits or has exited, and was told to dispatch) cannot block once more.
  assign bad_context =
      !mel_pkg::caller_ok(op_i, context_i) || (context_i == mel_pkg::ContextTask && core_i.ended) || bad_owner ||
      (may_block && !may_wait_o) ||
      (context_i != mel_pkg::ContextTask &&
       (op_i == mel_pkg::OpTaskSleep || (op_i == mel_pkg::OpTaskRotate && argument_i == Own)));

  always_comb begin
    unique case (kind)
      mel_pkg::IdKindTask:      bad_id = 32'(id_i) >= Sizes.Tasks;
      mel_pkg::IdKindSemaphore: bad_id = 32'(id_i) >= Sizes.Semaphores;
      mel_pkg::IdKindEventFlags: bad_id = 32'(id_i) >= Sizes.EventFlags;
      mel_pkg::IdKindMutex:     bad_id = 32'(id_i) >= Sizes.Mutexes;
      mel_pkg::IdKindQueue:     bad_id = 32'(id_i) >= Sizes.Queues;
      mel_pkg::IdKindTimer:     bad_id = 32'(id_i) >= Sizes.Timers;
      mel_pkg::IdKindInterrupt: bad_id = 32'(id_i) >= Lines;
      default:                  bad_id = 1'b0;
    endcase
  end

  always_comb begin
    unique case (argument_i[2:0])   // the action
      mel_pkg::IrqActionNone:          bad_map = 1'b0;
      mel_pkg::IrqActionSemaphoreGive: bad_map = 32'(argument_i[15:8]) >= Sizes.Semaphores;
      mel_pkg::IrqActionTaskWakeup, mel_pkg::IrqActionTaskRelease, mel_pkg::IrqActionNotificationSet,
      mel_pkg::IrqActionNotificationGive: bad_map = 32'(argument_i[15:8]) >= Sizes.Tasks;
      mel_pkg::IrqActionEventFlagsSet: bad_map = 32'(argument_i[15:8]) >= Sizes.EventFlags;
      mel_pkg::IrqActionQueuePost:     bad_map = 32'(argument_i[15:8]) >= Sizes.Queues;
      default:                         bad_map = 1'b1;
    endcase
  end

  // Comparisons of few bits: priorities are at most 256, the shortest tick is less than 4096 cycles.
  assign bad_level    = 9'(argument_i[7:0]) >= 9'(Sizes.Priorities);
  assign bad_priority = argument_i[31:8] != '0 || bad_level;
  assign bad_task     = argument_i[31:11] != '0 || 4'(argument_i[10:8]) > 4'(Sizes.Cores) || bad_level;
  assign bad_tick     = argument_i[31:12] == '0 && argument_i[11:0] < TickCyclesMin && argument_i[11:0] != '0;

  always_comb begin
    unique case (op_i)
      mel_pkg::OpTaskCreate:       bad_parameter = bad_task;
      mel_pkg::OpTaskSetPriority:  bad_parameter = bad_priority;
      mel_pkg::OpTaskRotate:       bad_parameter = bad_priority && argument_i != Own;
      mel_pkg::OpSemaphoreCreate:  bad_parameter = argument_i[31:16] == '0 || argument_i[15:0] > argument_i[31:16];
      mel_pkg::OpEventFlagsWaitAny, mel_pkg::OpEventFlagsWaitAll,
      mel_pkg::OpEventFlagsTakeAny,
      mel_pkg::OpEventFlagsTakeAll: bad_parameter = argument_i == '0;
      mel_pkg::OpQueueCreate:      bad_parameter = argument_i[31:9] != '0 || argument_i[8:0] == '0 ||
                                                   argument_i[8:0] > 9'(Sizes.Messages);
      mel_pkg::OpMutexCreate:      bad_parameter = argument_i[8] && 9'(argument_i[7:0]) >= 9'(Sizes.Priorities);
      mel_pkg::OpTimerStart:       bad_parameter = argument_i == '0 || argument_i[31];
      mel_pkg::OpIrqMap:           bad_parameter = bad_map;
      mel_pkg::OpClaimLimit:       bad_parameter = argument_i[31:16] != '0;
      mel_pkg::OpTickSet:          bad_parameter = bad_tick;
      mel_pkg::OpQuantumSet:       bad_parameter = argument_i[31:24] != '0 || 9'(argument_i[23:16]) >= 9'(Sizes.Priorities);
      default:                     bad_parameter = 1'b0;
    endcase
  end

  always_comb begin
    if      (!query_i && !mel_pkg::op_exists(op_i)) status_o = mel_pkg::StatusERsfn;
    else if (!query_i && bad_context)               status_o = mel_pkg::StatusECtx;
    else if (bad_id)                                status_o = mel_pkg::StatusEId;
    else if (!query_i && bad_parameter)             status_o = mel_pkg::StatusEPar;
    else                                            status_o = mel_pkg::StatusEOk;
  end

endmodule
