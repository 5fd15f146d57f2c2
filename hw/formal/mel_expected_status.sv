// SPDX-License-Identifier: Apache-2.0
// The status of a command, read off spec/commands.yaml and not off the hardware, for the proof of mel_execute: what the order of
// checks demands (`expected_o`), and whether a command that passes them all may end with the status that it has (`allowed_o`).
// Timing: combinational.
module mel_expected_status
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 4,
  parameter int unsigned Priorities = 2,
  parameter int unsigned Objects    = 1,   // semaphores, groups of flags, mutexes, queues
  parameter int unsigned Messages   = 2,
  parameter int unsigned Timers     = 1,
  parameter int unsigned Interrupts = 2,
  parameter int unsigned Cores      = 1
) (
  input  mel_pkg::op_t  op_i,
  input  logic [7:0]  id_i,
  input  logic [31:0] argument_i,
  input  core_t       core_i,
  input  found_t      found_i,
  input  logic [15:0] room_i,
  input  status_t     status_i,
  output status_t     expected_o,
  output logic        allowed_o
);

  logic       known, wrong_context, wrong_id, wrong_argument, missing, own, blocks;
  logic [2:0] kind;
  core_t      core;
  found_t     found;
  assign core     = core_i;
  assign found    = found_i;
  assign kind     = mel_pkg::id_kind(op_i);
  assign known    = mel_pkg::op_exists(op_i);
  assign own      = argument_i == '1 && op_i == mel_pkg::OpTaskRotate;
  assign blocks   = mel_pkg::blocks(op_i) == mel_pkg::BlocksAlways ||
                    (mel_pkg::blocks(op_i) == mel_pkg::BlocksTimeout && argument_i != '0) ||
                    (mel_pkg::blocks(op_i) == mel_pkg::BlocksOperand && found.operand.word != '0);
  assign wrong_context = !mel_pkg::caller_ok(op_i, context_of(core)) ||
                         (context_of(core) != mel_pkg::ContextTask && (own || op_i == mel_pkg::OpTaskSleep)) ||
                         (context_of(core) == mel_pkg::ContextTask && (core.ended ||
                          (core.waits && op_i inside {mel_pkg::OpMutexLock, mel_pkg::OpMutexUnlock}))) ||
                         (blocks && !(context_of(core) == mel_pkg::ContextTask && core.enabled && core.runnable));

  always_comb begin
    unique case (kind)
      mel_pkg::IdKindNone:      wrong_id = 1'b0;
      mel_pkg::IdKindTask:      wrong_id = 32'(id_i) >= Tasks;
      mel_pkg::IdKindTimer:     wrong_id = 32'(id_i) >= Timers;
      mel_pkg::IdKindInterrupt: wrong_id = 32'(id_i) >= Interrupts + Timers;
      default:                  wrong_id = 32'(id_i) >= Objects;
    endcase
    unique case (op_i)
      mel_pkg::OpTaskCreate:      missing = 1'b0;
      mel_pkg::OpSemaphoreCreate: missing = 1'b0;
      mel_pkg::OpEventFlagsCreate: missing = 1'b0;
      mel_pkg::OpQueueCreate:     missing = 1'b0;
      mel_pkg::OpMutexCreate:     missing = 1'b0;
      default:                    missing = (kind == mel_pkg::IdKindTask && !found.record.exists) ||
                                            (kind == mel_pkg::IdKindSemaphore && !found.semaphore.exists) ||
                                            (kind == mel_pkg::IdKindEventFlags && !found.flags.exists) ||
                                            (kind == mel_pkg::IdKindQueue && !found.messages.exists) ||
                                            (kind == mel_pkg::IdKindMutex && !found.mutex.exists);
    endcase
  end

  assign wrong_argument =
    (op_i == mel_pkg::OpTaskCreate && (32'(argument_i[31:8]) > Cores || 32'(argument_i[7:0]) >= Priorities)) ||
    ((op_i inside {mel_pkg::OpTaskSetPriority, mel_pkg::OpTaskRotate}) && !own && argument_i >= Priorities) ||
    (op_i == mel_pkg::OpSemaphoreCreate && (argument_i[31:16] == '0 || argument_i[15:0] > argument_i[31:16])) ||
    ((op_i inside {mel_pkg::OpEventFlagsWaitAny, mel_pkg::OpEventFlagsWaitAll, mel_pkg::OpEventFlagsTakeAny,
                   mel_pkg::OpEventFlagsTakeAll}) && argument_i == '0) ||
    (op_i == mel_pkg::OpQueueCreate && (argument_i == '0 || argument_i > Messages)) ||
    (op_i == mel_pkg::OpQueuePost && found.operand.word >= 32'(mel_pkg::MessagePriorities)) ||
    (op_i == mel_pkg::OpMutexCreate && argument_i[8] && 32'(argument_i[7:0]) >= Priorities) ||
    (op_i == mel_pkg::OpTimerStart && (argument_i == '0 || argument_i[31] || found.operand.word[31])) ||
    (op_i == mel_pkg::OpIrqMap && (
      (argument_i[2:0] inside {mel_pkg::IrqActionTaskWakeup, mel_pkg::IrqActionTaskRelease, mel_pkg::IrqActionNotificationSet,
                               mel_pkg::IrqActionNotificationGive} && 32'(argument_i[15:8]) >= Tasks) ||
      (argument_i[2:0] inside {mel_pkg::IrqActionSemaphoreGive, mel_pkg::IrqActionEventFlagsSet, mel_pkg::IrqActionQueuePost} &&
       32'(argument_i[15:8]) >= Objects))) ||
    (op_i == mel_pkg::OpTickSet && argument_i != '0 && argument_i < mel_pkg::tick_cycles_min(Tasks)) ||
    (op_i == mel_pkg::OpClaimLimit && argument_i > 32'hFFFF) ||
    (op_i == mel_pkg::OpQuantumSet && 32'(argument_i[31:16]) >= Priorities);

  always_comb begin
    expected_o = mel_pkg::StatusEOk;
    if (missing)        expected_o = mel_pkg::StatusENoexs;
    if (wrong_argument) expected_o = mel_pkg::StatusEPar;
    if (wrong_id)       expected_o = mel_pkg::StatusEId;
    if (wrong_context)  expected_o = mel_pkg::StatusECtx;
    if (!known)         expected_o = mel_pkg::StatusERsfn;
  end

  always_comb begin
    unique case (status_i)
      mel_pkg::StatusEOk:    allowed_o = 1'b1;
      mel_pkg::StatusEObj:   allowed_o = op_i inside {
        mel_pkg::OpTaskCreate, mel_pkg::OpTaskDelete, mel_pkg::OpTaskStart, mel_pkg::OpTaskTerminate, mel_pkg::OpTaskSuspend,
        mel_pkg::OpTaskResume, mel_pkg::OpTaskSetPriority, mel_pkg::OpTaskRelease, mel_pkg::OpTaskWakeup,
        mel_pkg::OpSemaphoreCreate, mel_pkg::OpEventFlagsCreate, mel_pkg::OpQueueCreate, mel_pkg::OpMutexCreate,
        mel_pkg::OpMutexUnlock, mel_pkg::OpTimerStop, mel_pkg::OpNotificationSet, mel_pkg::OpNotificationGive,
        mel_pkg::OpNotificationOverwrite, mel_pkg::OpNotificationSend, mel_pkg::OpNotificationClear,
        mel_pkg::OpNotificationCancel, mel_pkg::OpDeadlineSet, mel_pkg::OpBudgetSet};
      mel_pkg::StatusEIluse: allowed_o = op_i inside {mel_pkg::OpMutexLock, mel_pkg::OpMutexUnlock} ||
                                         (op_i == mel_pkg::OpTaskTerminate && found.caller);
      mel_pkg::StatusECtx:   allowed_o = op_i inside {mel_pkg::OpTaskSuspend, mel_pkg::OpTaskTerminate} && found.keeps_core;
      mel_pkg::StatusEQovr:  allowed_o = op_i inside {mel_pkg::OpTaskSuspend, mel_pkg::OpTaskWakeup, mel_pkg::OpSemaphoreGive,
                                                    mel_pkg::OpMutexLock, mel_pkg::OpQueuePost,
                                                    mel_pkg::OpNotificationSend};
      mel_pkg::StatusETmout: allowed_o = op_i inside {
        mel_pkg::OpTaskSleep, mel_pkg::OpTaskDelayUntil, mel_pkg::OpSemaphoreTake, mel_pkg::OpEventFlagsWaitAny,
        mel_pkg::OpEventFlagsWaitAll, mel_pkg::OpEventFlagsTakeAny, mel_pkg::OpEventFlagsTakeAll, mel_pkg::OpQueueSend,
        mel_pkg::OpQueueReceive, mel_pkg::OpMutexLock, mel_pkg::OpNotificationWait, mel_pkg::OpNotificationTake,
        mel_pkg::OpNotificationTakeAll};
      mel_pkg::StatusENomem: allowed_o = op_i == mel_pkg::OpQueueCreate && argument_i > 32'(room_i);
      default:               allowed_o = 1'b0;
    endcase
  end

endmodule
