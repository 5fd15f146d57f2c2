// SPDX-License-Identifier: Apache-2.0
// mel_pkg: the numbers that hardware and software share: commands, statuses, registers, trace events, parameter limits.
// Contract: the facts of spec/*.yaml, nothing else; combinational functions only.
// Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
package mel_pkg;

  // No single module uses every fact.
  // verilator lint_off UNUSEDPARAM

  // First 32 bits of the hash of spec/: boot code compares it with its own.
  localparam logic [31:0] SpecHash = 32'h059857f4;
  localparam logic [31:0] Identity = 32'h4D454C31;
  localparam int unsigned WindowBytes = 65536;

  // Commands: address bits [15:10] of a store to the window; the object's number is in bits [9:2].
  localparam logic [5:0] OpTaskCreate = 6'd1;
  localparam logic [5:0] OpTaskDelete = 6'd2;
  localparam logic [5:0] OpTaskStart = 6'd3;
  localparam logic [5:0] OpTaskExit = 6'd4;
  localparam logic [5:0] OpTaskTerminate = 6'd5;
  localparam logic [5:0] OpTaskSuspend = 6'd6;
  localparam logic [5:0] OpTaskResume = 6'd7;
  localparam logic [5:0] OpTaskSetPriority = 6'd8;
  localparam logic [5:0] OpTaskRotate = 6'd9;
  localparam logic [5:0] OpTaskRelease = 6'd10;
  localparam logic [5:0] OpTaskSleep = 6'd11;
  localparam logic [5:0] OpTaskWakeup = 6'd12;
  localparam logic [5:0] OpTaskDelay = 6'd13;
  localparam logic [5:0] OpTaskDelayUntil = 6'd14;
  localparam logic [5:0] OpSemaphoreCreate = 6'd16;
  localparam logic [5:0] OpSemaphoreDelete = 6'd17;
  localparam logic [5:0] OpSemaphoreGive = 6'd18;
  localparam logic [5:0] OpSemaphoreTake = 6'd19;
  localparam logic [5:0] OpEventFlagsCreate = 6'd20;
  localparam logic [5:0] OpEventFlagsDelete = 6'd21;
  localparam logic [5:0] OpEventFlagsSet = 6'd22;
  localparam logic [5:0] OpEventFlagsClear = 6'd23;
  localparam logic [5:0] OpEventFlagsWaitAny = 6'd24;
  localparam logic [5:0] OpEventFlagsWaitAll = 6'd25;
  localparam logic [5:0] OpEventFlagsTakeAny = 6'd26;
  localparam logic [5:0] OpEventFlagsTakeAll = 6'd27;
  localparam logic [5:0] OpQueueCreate = 6'd28;
  localparam logic [5:0] OpQueueDelete = 6'd29;
  localparam logic [5:0] OpQueueSend = 6'd30;
  localparam logic [5:0] OpQueueReceive = 6'd31;
  localparam logic [5:0] OpIrqMap = 6'd32;
  localparam logic [5:0] OpIrqEnable = 6'd33;
  localparam logic [5:0] OpIrqDisable = 6'd34;
  localparam logic [5:0] OpIrqRaise = 6'd35;
  localparam logic [5:0] OpClaimLimit = 6'd15;
  localparam logic [5:0] OpMutexCreate = 6'd36;
  localparam logic [5:0] OpMutexDelete = 6'd37;
  localparam logic [5:0] OpMutexLock = 6'd38;
  localparam logic [5:0] OpMutexUnlock = 6'd39;
  localparam logic [5:0] OpTickSet = 6'd40;
  localparam logic [5:0] OpDispatchDisable = 6'd41;
  localparam logic [5:0] OpDispatchEnable = 6'd42;
  localparam logic [5:0] OpTimerStart = 6'd43;
  localparam logic [5:0] OpTimerStop = 6'd44;
  localparam logic [5:0] OpQueuePost = 6'd45;
  localparam logic [5:0] OpQuantumSet = 6'd56;
  localparam logic [5:0] OpDeadlineSet = 6'd57;
  localparam logic [5:0] OpBudgetSet = 6'd58;
  localparam logic [5:0] OpNotificationSet = 6'd59;
  localparam logic [5:0] OpNotificationGive = 6'd60;
  localparam logic [5:0] OpNotificationOverwrite = 6'd61;
  localparam logic [5:0] OpNotificationSend = 6'd62;
  localparam logic [5:0] OpNotificationClear = 6'd46;
  localparam logic [5:0] OpNotificationCancel = 6'd47;
  localparam logic [5:0] OpNotificationWait = 6'd53;
  localparam logic [5:0] OpNotificationTake = 6'd54;
  localparam logic [5:0] OpNotificationTakeAll = 6'd55;

  // Queries: loads from further slots of the command region.
  localparam logic [5:0] QueryTaskState = 6'd48;
  localparam logic [5:0] QuerySemaphoreCount = 6'd49;
  localparam logic [5:0] QueryQueueCount = 6'd50;
  localparam logic [5:0] QueryMutexState = 6'd51;
  localparam logic [5:0] QueryRunTime = 6'd52;

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

  // Bits of an answer that is not a refusal.
  localparam logic [1:0] AnswerDispatchDue = 2'd1;
  localparam logic [1:0] AnswerWaiting = 2'd2;

  // Registers: byte offsets in the window.
  localparam logic [15:0] RegIdentity = 16'hFC00;
  localparam logic [15:0] RegSpecHash = 16'hFC04;
  localparam logic [15:0] RegParameterHash = 16'hFC08;
  localparam logic [15:0] RegReady = 16'hFC0C;
  localparam logic [15:0] RegDispatch = 16'hFC10;
  localparam logic [15:0] RegClaim = 16'hFC14;
  localparam logic [15:0] RegRunning = 16'hFC18;
  localparam logic [15:0] RegTimeLow = 16'hFC20;
  localparam logic [15:0] RegTimeHigh = 16'hFC24;
  localparam logic [15:0] RegTickCycles = 16'hFC28;
  localparam logic [15:0] RegRefused = 16'hFC2C;
  localparam logic [15:0] RegLostIrqs = 16'hFC30;
  localparam logic [15:0] RegOperand = 16'hFC34;
  localparam logic [15:0] RegValue = 16'hFC38;
  localparam logic [15:0] RegMonitor = 16'hFC40;
  localparam logic [15:0] RegLongestWait = 16'hFC44;
  localparam logic [15:0] RegMissedDeadlines = 16'hFC48;
  localparam logic [15:0] RegBudgetOverruns = 16'hFC4C;
  localparam logic [15:0] RegReported = 16'hFC50;
  localparam logic [15:0] RegLatency0 = 16'hFC80;
  localparam logic [15:0] RegLatency1 = 16'hFC84;
  localparam logic [15:0] RegLatency2 = 16'hFC88;
  localparam logic [15:0] RegLatency3 = 16'hFC8C;
  localparam logic [15:0] RegLatency4 = 16'hFC90;
  localparam logic [15:0] RegLatency5 = 16'hFC94;
  localparam logic [15:0] RegLatency6 = 16'hFC98;
  localparam logic [15:0] RegLatency7 = 16'hFC9C;
  localparam logic [15:0] RegLatency8 = 16'hFCA0;
  localparam logic [15:0] RegLatency9 = 16'hFCA4;
  localparam logic [15:0] RegLatency10 = 16'hFCA8;
  localparam logic [15:0] RegLatency11 = 16'hFCAC;
  localparam logic [15:0] RegLatency12 = 16'hFCB0;
  localparam logic [15:0] RegLatency13 = 16'hFCB4;
  localparam logic [15:0] RegLatency14 = 16'hFCB8;
  localparam logic [15:0] RegLatency15 = 16'hFCBC;

  // The port: the window through the end of the address space. Offsets from its base.
  localparam logic [31:0] PortBase = 32'hFFFFF800;
  localparam int unsigned PortBytes = 2048;
  localparam int unsigned PortObjectBits = 8;
  localparam logic [10:0] PortPacked = 11'h000;
  localparam logic [10:0] PortPlain = 11'h100;
  localparam logic [10:0] PortRegisters = 11'h400;

  // The words of the bank switch. Offsets from its base.
  localparam logic [31:0] BanksBase = 32'hFFFFFE00;
  localparam logic [8:0] BankSwitch = 9'h000;
  localparam logic [8:0] BankSwitchTrap = 9'h004;
  localparam logic [8:0] BankFilled = 9'h008;
  localparam logic [8:0] BankForget = 9'h00C;
  localparam logic [8:0] BankFrames = 9'h010;
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
    Monitor: 1
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
  function automatic int unsigned tick_cycles_min(int unsigned tasks);
    return 8 * tasks + 64;
  endfunction

  // There is such a command (queries are not commands).
  function automatic logic op_exists(logic [5:0] op);
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
  function automatic logic caller_ok(logic [5:0] op, logic [1:0] caller);
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
  function automatic logic [2:0] id_kind(logic [5:0] op);
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
  function automatic logic [1:0] blocks(logic [5:0] op);
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
