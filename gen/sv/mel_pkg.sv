// SPDX-License-Identifier: Apache-2.0
// mel_pkg: the numbers that hardware and software share: commands, statuses, registers, trace events, parameter limits.
// Contract: the facts of spec/*.yaml, nothing else; combinational functions only.
// Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
package mel_pkg;

  // No single module uses every fact.
  // verilator lint_off UNUSEDPARAM

  // First 32 bits of the hash of spec/: boot code compares it with its own.
  localparam logic [31:0] SpecHash = 32'h9974779d;
  localparam logic [31:0] Identity = 32'h4D454C31;
  localparam int unsigned WindowBytes = 131072;

  // Byte offset in the window.
  typedef logic [16:0] offset_t;

  // Commands: address bits [16:10] of a store to the window; the object's number is in bits [9:2].
  typedef logic [6:0] op_t;
  localparam op_t OpRegisters = 7'd63;   // no command: there the window has its registers
  localparam op_t OpTaskCreate = 7'd1;
  localparam op_t OpTaskDelete = 7'd2;
  localparam op_t OpTaskStart = 7'd3;
  localparam op_t OpTaskExit = 7'd4;
  localparam op_t OpTaskTerminate = 7'd5;
  localparam op_t OpTaskSuspend = 7'd6;
  localparam op_t OpTaskResume = 7'd7;
  localparam op_t OpTaskSetPriority = 7'd8;
  localparam op_t OpTaskRotate = 7'd9;
  localparam op_t OpTaskRelease = 7'd10;
  localparam op_t OpTaskSleep = 7'd11;
  localparam op_t OpTaskWakeup = 7'd12;
  localparam op_t OpTaskDelay = 7'd13;
  localparam op_t OpTaskDelayUntil = 7'd14;
  localparam op_t OpSemaphoreCreate = 7'd16;
  localparam op_t OpSemaphoreDelete = 7'd17;
  localparam op_t OpSemaphoreGive = 7'd18;
  localparam op_t OpSemaphoreTake = 7'd19;
  localparam op_t OpEventFlagsCreate = 7'd20;
  localparam op_t OpEventFlagsDelete = 7'd21;
  localparam op_t OpEventFlagsSet = 7'd22;
  localparam op_t OpEventFlagsClear = 7'd23;
  localparam op_t OpEventFlagsWaitAny = 7'd24;
  localparam op_t OpEventFlagsWaitAll = 7'd25;
  localparam op_t OpEventFlagsTakeAny = 7'd26;
  localparam op_t OpEventFlagsTakeAll = 7'd27;
  localparam op_t OpQueueCreate = 7'd28;
  localparam op_t OpQueueDelete = 7'd29;
  localparam op_t OpQueueSend = 7'd30;
  localparam op_t OpQueueReceive = 7'd31;
  localparam op_t OpIrqMap = 7'd32;
  localparam op_t OpIrqEnable = 7'd33;
  localparam op_t OpIrqDisable = 7'd34;
  localparam op_t OpIrqRaise = 7'd35;
  localparam op_t OpClaimLimit = 7'd15;
  localparam op_t OpMutexCreate = 7'd36;
  localparam op_t OpMutexDelete = 7'd37;
  localparam op_t OpMutexLock = 7'd38;
  localparam op_t OpMutexUnlock = 7'd39;
  localparam op_t OpTickSet = 7'd40;
  localparam op_t OpDispatchDisable = 7'd41;
  localparam op_t OpDispatchEnable = 7'd42;
  localparam op_t OpTimerStart = 7'd43;
  localparam op_t OpTimerStop = 7'd44;
  localparam op_t OpQueuePost = 7'd45;
  localparam op_t OpQuantumSet = 7'd56;
  localparam op_t OpDeadlineSet = 7'd57;
  localparam op_t OpBudgetSet = 7'd58;
  localparam op_t OpNotificationSet = 7'd59;
  localparam op_t OpNotificationGive = 7'd60;
  localparam op_t OpNotificationOverwrite = 7'd61;
  localparam op_t OpNotificationSend = 7'd62;
  localparam op_t OpNotificationClear = 7'd46;
  localparam op_t OpNotificationCancel = 7'd47;
  localparam op_t OpNotificationWait = 7'd53;
  localparam op_t OpNotificationTake = 7'd54;
  localparam op_t OpNotificationTakeAll = 7'd55;

  // Queries: loads from further slots of the command region.
  localparam op_t QueryTaskState = 7'd48;
  localparam op_t QuerySemaphoreCount = 7'd49;
  localparam op_t QueryQueueCount = 7'd50;
  localparam op_t QueryMutexState = 7'd51;
  localparam op_t QueryRunTime = 7'd52;

  // Statuses: the µITRON 4.0 numbers.
  localparam logic signed [7:0] StatusEOk = 8'sd0;
  localparam logic signed [7:0] StatusESys = -8'sd5;
  localparam logic signed [7:0] StatusERsfn = -8'sd10;
  localparam logic signed [7:0] StatusEPar = -8'sd17;
  localparam logic signed [7:0] StatusEId = -8'sd18;
  localparam logic signed [7:0] StatusECtx = -8'sd25;
  localparam logic signed [7:0] StatusEOacv = -8'sd27;
  localparam logic signed [7:0] StatusEIluse = -8'sd28;
  localparam logic signed [7:0] StatusENomem = -8'sd33;
  localparam logic signed [7:0] StatusEObj = -8'sd41;
  localparam logic signed [7:0] StatusENoexs = -8'sd42;
  localparam logic signed [7:0] StatusEQovr = -8'sd43;
  localparam logic signed [7:0] StatusERlwai = -8'sd49;
  localparam logic signed [7:0] StatusETmout = -8'sd50;
  localparam logic signed [7:0] StatusEDlt = -8'sd51;
  localparam logic signed [7:0] StatusEBusy = -8'sd97;

  // Bits of an answer that is not a refusal.
  localparam logic [2:0] AnswerDispatchDue = 3'd1;
  localparam logic [2:0] AnswerWaiting = 3'd2;
  localparam logic [2:0] AnswerUnsettled = 3'd4;

  // Registers: byte offsets in the window.
  localparam offset_t RegIdentity = 17'h0FC00;
  localparam offset_t RegSpecHash = 17'h0FC04;
  localparam offset_t RegParameterHash = 17'h0FC08;
  localparam offset_t RegReady = 17'h0FC0C;
  localparam offset_t RegDispatch = 17'h0FC10;
  localparam offset_t RegClaim = 17'h0FC14;
  localparam offset_t RegRunning = 17'h0FC18;
  localparam offset_t RegTimeLow = 17'h0FC20;
  localparam offset_t RegTimeHigh = 17'h0FC24;
  localparam offset_t RegTickCycles = 17'h0FC28;
  localparam offset_t RegRefused = 17'h0FC2C;
  localparam offset_t RegLostIrqs = 17'h0FC30;
  localparam offset_t RegOperand = 17'h0FC34;
  localparam offset_t RegValue = 17'h0FC38;
  localparam offset_t RegMonitor = 17'h0FC40;
  localparam offset_t RegLongestWait = 17'h0FC44;
  localparam offset_t RegMissedDeadlines = 17'h0FC48;
  localparam offset_t RegBudgetOverruns = 17'h0FC4C;
  localparam offset_t RegReported = 17'h0FC50;
  localparam offset_t RegLatency0 = 17'h0FC80;
  localparam offset_t RegLatency1 = 17'h0FC84;
  localparam offset_t RegLatency2 = 17'h0FC88;
  localparam offset_t RegLatency3 = 17'h0FC8C;
  localparam offset_t RegLatency4 = 17'h0FC90;
  localparam offset_t RegLatency5 = 17'h0FC94;
  localparam offset_t RegLatency6 = 17'h0FC98;
  localparam offset_t RegLatency7 = 17'h0FC9C;
  localparam offset_t RegLatency8 = 17'h0FCA0;
  localparam offset_t RegLatency9 = 17'h0FCA4;
  localparam offset_t RegLatency10 = 17'h0FCA8;
  localparam offset_t RegLatency11 = 17'h0FCAC;
  localparam offset_t RegLatency12 = 17'h0FCB0;
  localparam offset_t RegLatency13 = 17'h0FCB4;
  localparam offset_t RegLatency14 = 17'h0FCB8;
  localparam offset_t RegLatency15 = 17'h0FCBC;

  // The port: the window through the end of the address space. Offsets from its base.
  localparam logic [31:0] PortBase = 32'hFFFFF800;
  localparam int unsigned PortBytes = 2048;
  localparam int unsigned PortObjectBits = 8;
  localparam logic [10:0] PortPacked = 11'h000;
  localparam logic [10:0] PortPlain = 11'h100;
  localparam logic [10:0] PortRegisters = 11'h400;

  // The words of the switch of contexts. Offsets from its base.
  localparam logic [31:0] BanksBase = 32'hFFFFFE00;
  localparam logic [8:0] BankSwitch = 9'h000;
  localparam logic [8:0] BankSwitchTrap = 9'h004;
  localparam logic [8:0] BankForget = 9'h00C;
  localparam logic [8:0] BankFrame = 9'h100;

  // Actions on the edge of an interrupt (irq_map).
  localparam logic [2:0] IrqActionNone = 3'd0;
  localparam logic [2:0] IrqActionSemaphoreGive = 3'd1;
  localparam logic [2:0] IrqActionTaskWakeup = 3'd2;
  localparam logic [2:0] IrqActionTaskRelease = 3'd3;
  localparam logic [2:0] IrqActionEventFlagsSet = 3'd4;
  localparam logic [2:0] IrqActionQueuePost = 3'd5;
  localparam logic [2:0] IrqActionNotificationSet = 3'd6;
  localparam logic [2:0] IrqActionNotificationGive = 3'd7;

  // States that the query task_state reports.
  localparam logic [2:0] TaskStateRunning = 3'd0;
  localparam logic [2:0] TaskStateReady = 3'd1;
  localparam logic [2:0] TaskStateWaiting = 3'd2;
  localparam logic [2:0] TaskStateSuspended = 3'd3;
  localparam logic [2:0] TaskStateWaitingSuspended = 3'd4;
  localparam logic [2:0] TaskStateDormant = 3'd5;

  // Contexts from which a program calls.
  localparam logic [1:0] ContextTask = 2'd0;
  localparam logic [1:0] ContextHandler = 2'd1;
  localparam logic [1:0] ContextIdle = 2'd2;
  localparam logic [1:0] ContextUnknown = 2'd3;

  // Kinds of trace records.
  localparam logic [7:0] TraceCommand = 8'd1;
  localparam logic [7:0] TraceDispatch = 8'd2;
  localparam logic [7:0] TraceTick = 8'd3;
  localparam logic [7:0] TraceTimeout = 8'd4;
  localparam logic [7:0] TraceRelease = 8'd5;
  localparam logic [7:0] TraceIrq = 8'd6;
  localparam logic [7:0] TraceClaim = 8'd7;
  localparam logic [7:0] TraceAnswer = 8'd8;
  localparam logic [7:0] TraceOperand = 8'd9;
  localparam logic [7:0] TraceValue = 8'd10;
  localparam logic [7:0] TraceOrphan = 8'd11;
  localparam logic [7:0] TraceTurn = 8'd12;
  localparam logic [7:0] TraceSlice = 8'd13;
  localparam logic [7:0] TraceMiss = 8'd14;
  localparam logic [7:0] TraceInherit = 8'd15;
  localparam logic [7:0] TraceTrap = 8'd16;
  localparam logic [7:0] TraceMret = 8'd17;
  localparam logic [7:0] TraceIrqOff = 8'd18;
  localparam logic [7:0] TraceIrqWire = 8'd19;
  localparam logic [7:0] TraceTracepoint = 8'd20;
  localparam logic [7:0] TraceMarker = 8'd21;
  localparam logic [7:0] TraceExit = 8'd22;
  localparam logic [7:0] TraceStack = 8'd23;

  // Why a run ended (trace kind exit).
  localparam logic [7:0] ExitReasonProgram = 8'd0;
  localparam logic [7:0] ExitReasonCycleLimit = 8'd1;
  localparam logic [7:0] ExitReasonStackOverflow = 8'd2;
  localparam logic [7:0] ExitReasonFault = 8'd3;
  localparam logic [7:0] ExitReasonWatchdog = 8'd4;

  // Limits of counts.
  localparam logic [3:0] WakeupsLimit = 4'd15;
  localparam logic [15:0] SemaphoreCountLimit = 16'd65535;
  localparam logic [7:0] LocksLimit = 8'd255;
  localparam int unsigned MessagePriorities = 8;

  // Sizes of a hardware unit. Their ranges: mel_sizes_check.
  typedef struct packed {
    int unsigned Tasks;  // tasks
    int unsigned Priorities;  // priorities, 0 is the most urgent
    int unsigned Semaphores;  // semaphores
    int unsigned EventFlags;  // groups of 32 event flags
    int unsigned Mutexes;  // mutexes
    int unsigned Queues;  // message queues
    int unsigned Messages;  // words in all message queues
    int unsigned Timers;  // alarm and cyclic timers
    int unsigned Interrupts;  // interrupt lines
    int unsigned Cores;  // cores
    int unsigned Monitor;  // 1: the unit measures run times and latencies, 0: it does not; what it would say reads as 0
    int unsigned FlagLanes;  // tasks that a set of event flags looks at in a cycle, 0: one after the other, by program; 4: a set takes the same cycles whatever waits (decision 0050)
  } sizes_t;

  localparam sizes_t SizesDefault = '{
    Tasks: 64,
    Priorities: 32,
    Semaphores: 64,
    EventFlags: 16,
    Mutexes: 16,
    Queues: 16,
    Messages: 64,
    Timers: 8,
    Interrupts: 32,
    Cores: 1,
    Monitor: 1,
    FlagLanes: 0
  };

  // One trace event; `valid` is high for one cycle. Operands: spec/trace.yaml.
  typedef struct packed {
    logic        valid;
    logic [7:0]  kind;
    logic [7:0]  core;
    logic [15:0] a;
    logic [31:0] b;
    logic [31:0] c;
    logic [31:0] d;
  } trace_t;

  // Kinds of the number in a command's address.
  localparam logic [2:0] IdKindNone = 3'd0;
  localparam logic [2:0] IdKindTask = 3'd1;
  localparam logic [2:0] IdKindSemaphore = 3'd2;
  localparam logic [2:0] IdKindInterrupt = 3'd3;
  localparam logic [2:0] IdKindEventFlags = 3'd4;
  localparam logic [2:0] IdKindQueue = 3'd5;
  localparam logic [2:0] IdKindMutex = 3'd6;
  localparam logic [2:0] IdKindTimer = 3'd7;

  // When a command may block.
  localparam logic [1:0] BlocksNever = 2'd0;
  localparam logic [1:0] BlocksAlways = 2'd1;
  localparam logic [1:0] BlocksTimeout = 2'd2;
  localparam logic [1:0] BlocksOperand = 2'd3;

  // tick_cycles_minimum, in cycles.
  function automatic int unsigned tick_cycles_min(int unsigned tasks, int unsigned cores);
    return 8 * tasks + 64 * cores;
  endfunction

  // There is such a command (queries are not commands).
  function automatic logic op_exists(op_t op);
    case (op)
      OpTaskCreate, OpTaskDelete, OpTaskStart, OpTaskExit, OpTaskTerminate, OpTaskSuspend,
      OpTaskResume, OpTaskSetPriority, OpTaskRotate, OpTaskRelease, OpTaskSleep, OpTaskWakeup,
      OpTaskDelay, OpTaskDelayUntil, OpSemaphoreCreate, OpSemaphoreDelete, OpSemaphoreGive,
      OpSemaphoreTake, OpEventFlagsCreate, OpEventFlagsDelete, OpEventFlagsSet, OpEventFlagsClear,
      OpEventFlagsWaitAny, OpEventFlagsWaitAll, OpEventFlagsTakeAny, OpEventFlagsTakeAll,
      OpQueueCreate, OpQueueDelete, OpQueueSend, OpQueueReceive, OpIrqMap, OpIrqEnable,
      OpIrqDisable, OpIrqRaise, OpClaimLimit, OpMutexCreate, OpMutexDelete, OpMutexLock,
      OpMutexUnlock, OpTickSet, OpDispatchDisable, OpDispatchEnable, OpTimerStart, OpTimerStop,
      OpQueuePost, OpQuantumSet, OpDeadlineSet, OpBudgetSet, OpNotificationSet, OpNotificationGive,
      OpNotificationOverwrite, OpNotificationSend, OpNotificationClear, OpNotificationCancel,
      OpNotificationWait, OpNotificationTake, OpNotificationTakeAll: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // The command is legal from this context (E_CTX otherwise); what depends on the argument is not judged here.
  function automatic logic caller_ok(op_t op, logic [1:0] caller);
    logic task_ok, handler_ok, idle_ok;
    {task_ok, handler_ok, idle_ok} = 3'b000;
    case (op)
      OpTaskCreate, OpTaskStart, OpTaskSuspend, OpTaskResume, OpTaskSetPriority, OpTaskRotate,
      OpTaskRelease, OpTaskSleep, OpTaskWakeup, OpSemaphoreCreate, OpSemaphoreGive, OpSemaphoreTake,
      OpEventFlagsCreate, OpEventFlagsSet, OpEventFlagsClear, OpEventFlagsWaitAny,
      OpEventFlagsWaitAll, OpEventFlagsTakeAny, OpEventFlagsTakeAll, OpQueueCreate, OpQueueSend,
      OpQueueReceive, OpIrqMap, OpIrqEnable, OpIrqDisable, OpIrqRaise, OpClaimLimit, OpMutexCreate,
      OpTickSet, OpTimerStart, OpTimerStop, OpQueuePost, OpQuantumSet, OpDeadlineSet, OpBudgetSet,
      OpNotificationSet, OpNotificationGive, OpNotificationOverwrite, OpNotificationSend,
      OpNotificationClear, OpNotificationCancel:
        {task_ok, handler_ok, idle_ok} = 3'b111;
      OpTaskDelete, OpTaskTerminate, OpSemaphoreDelete, OpEventFlagsDelete, OpQueueDelete,
      OpMutexDelete, OpDispatchEnable:
        {task_ok, handler_ok, idle_ok} = 3'b101;
      OpTaskExit, OpTaskDelay, OpTaskDelayUntil, OpMutexLock, OpMutexUnlock, OpDispatchDisable,
      OpNotificationWait, OpNotificationTake, OpNotificationTakeAll:
        {task_ok, handler_ok, idle_ok} = 3'b100;
      default: {task_ok, handler_ok, idle_ok} = 3'b000;
    endcase
    case (caller)
      ContextTask:    return task_ok;
      ContextHandler: return handler_ok;
      ContextIdle:    return idle_ok;
      default:        return 1'b0;
    endcase
  endfunction

  // Kind of the number in the address of a command or query.
  function automatic logic [2:0] id_kind(op_t op);
    case (op)
      OpTaskCreate, OpTaskDelete, OpTaskStart, OpTaskTerminate, OpTaskSuspend, OpTaskResume,
      OpTaskSetPriority, OpTaskRelease, OpTaskWakeup, OpDeadlineSet, OpBudgetSet, OpNotificationSet,
      OpNotificationGive, OpNotificationOverwrite, OpNotificationSend, OpNotificationClear,
      OpNotificationCancel, QueryTaskState, QueryRunTime:
        return IdKindTask;
      OpSemaphoreCreate, OpSemaphoreDelete, OpSemaphoreGive, OpSemaphoreTake, QuerySemaphoreCount:
        return IdKindSemaphore;
      OpEventFlagsCreate, OpEventFlagsDelete, OpEventFlagsSet, OpEventFlagsClear,
      OpEventFlagsWaitAny, OpEventFlagsWaitAll, OpEventFlagsTakeAny, OpEventFlagsTakeAll:
        return IdKindEventFlags;
      OpQueueCreate, OpQueueDelete, OpQueueSend, OpQueueReceive, OpQueuePost, QueryQueueCount:
        return IdKindQueue;
      OpIrqMap, OpIrqEnable, OpIrqDisable, OpIrqRaise:
        return IdKindInterrupt;
      OpMutexCreate, OpMutexDelete, OpMutexLock, OpMutexUnlock, QueryMutexState:
        return IdKindMutex;
      OpTimerStart, OpTimerStop:
        return IdKindTimer;
      default: return IdKindNone;
    endcase
  endfunction

  // When a command may block (timeout: only when its argument is not 0; operand: only when its caller's operand is not 0).
  function automatic logic [1:0] blocks(op_t op);
    case (op)
      OpTaskSleep, OpSemaphoreTake, OpQueueReceive, OpMutexLock, OpNotificationTake,
      OpNotificationTakeAll:
        return BlocksTimeout;
      OpTaskDelay, OpTaskDelayUntil:
        return BlocksAlways;
      OpEventFlagsWaitAny, OpEventFlagsWaitAll, OpEventFlagsTakeAny, OpEventFlagsTakeAll,
      OpQueueSend, OpNotificationWait:
        return BlocksOperand;
      default: return BlocksNever;
    endcase
  endfunction

  // verilator lint_on UNUSEDPARAM

endpackage
