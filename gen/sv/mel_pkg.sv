// mel_pkg: the numbers that hardware and software share: commands, statuses, registers, trace events, parameter limits.
// Contract: the facts of spec/*.yaml, nothing else; combinational functions only.
// Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
package mel_pkg;

  // No single module uses every fact.
  // verilator lint_off UNUSEDPARAM

  // First 32 bits of the hash of spec/: boot code compares it with its own.
  localparam logic [31:0] SpecHash = 32'h18b2a3dc;
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
  localparam logic [5:0] OpIrqMap = 6'd32;
  localparam logic [5:0] OpIrqEnable = 6'd33;
  localparam logic [5:0] OpIrqDisable = 6'd34;
  localparam logic [5:0] OpIrqRaise = 6'd35;
  localparam logic [5:0] OpTickSet = 6'd40;
  localparam logic [5:0] OpDispatchDisable = 6'd41;
  localparam logic [5:0] OpDispatchEnable = 6'd42;

  // Queries: loads from two further slots of the command region.
  localparam logic [5:0] QueryTaskState = 6'd48;
  localparam logic [5:0] QuerySemaphoreCount = 6'd49;

  // Statuses: the µITRON 4.0 numbers.
  localparam logic signed [7:0] StatusEOk = 8'sd0;
  localparam logic signed [7:0] StatusESys = -8'sd5;
  localparam logic signed [7:0] StatusERsfn = -8'sd10;
  localparam logic signed [7:0] StatusEPar = -8'sd17;
  localparam logic signed [7:0] StatusEId = -8'sd18;
  localparam logic signed [7:0] StatusECtx = -8'sd25;
  localparam logic signed [7:0] StatusEOacv = -8'sd27;
  localparam logic signed [7:0] StatusEIluse = -8'sd28;
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

  // What the edge of an interrupt does (irq_map).
  localparam logic [1:0] IrqActionNone = 2'd0;
  localparam logic [1:0] IrqActionSemaphoreGive = 2'd1;
  localparam logic [1:0] IrqActionTaskWakeup = 2'd2;
  localparam logic [1:0] IrqActionTaskRelease = 2'd3;

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
  localparam logic [7:0] TraceTrap = 8'd16;
  localparam logic [7:0] TraceMret = 8'd17;
  localparam logic [7:0] TraceIrqOff = 8'd18;
  localparam logic [7:0] TraceIrqWire = 8'd19;
  localparam logic [7:0] TracePoint = 8'd20;
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

  // Ranges of the unit's parameters, for the range checks of its modules.
  localparam int unsigned TasksMin = 4;
  localparam int unsigned TasksMax = 256;
  localparam int unsigned PrioritiesMin = 2;
  localparam int unsigned PrioritiesMax = 256;
  localparam int unsigned SemaphoresMin = 0;
  localparam int unsigned SemaphoresMax = 128;
  localparam int unsigned InterruptsMin = 0;
  localparam int unsigned InterruptsMax = 64;
  localparam int unsigned CoresMin = 1;
  localparam int unsigned CoresMax = 4;

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

  // What the number in a command's address is.
  localparam logic [1:0] IdKindNone = 2'd0;
  localparam logic [1:0] IdKindTask = 2'd1;
  localparam logic [1:0] IdKindSemaphore = 2'd2;
  localparam logic [1:0] IdKindInterrupt = 2'd3;

  // When a command may block.
  localparam logic [1:0] BlocksNever = 2'd0;
  localparam logic [1:0] BlocksAlways = 2'd1;
  localparam logic [1:0] BlocksTimeout = 2'd2;

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
      OpSemaphoreTake, OpIrqMap, OpIrqEnable, OpIrqDisable, OpIrqRaise, OpTickSet,
      OpDispatchDisable, OpDispatchEnable: return 1'b1;
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
      OpIrqMap, OpIrqEnable, OpIrqDisable, OpIrqRaise, OpTickSet:
        {task_ok, handler_ok, idle_ok} = 3'b111;
      OpTaskDelete, OpTaskTerminate, OpSemaphoreDelete, OpDispatchEnable:
        {task_ok, handler_ok, idle_ok} = 3'b101;
      OpTaskExit, OpTaskDelay, OpTaskDelayUntil, OpDispatchDisable:
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

  // What the number in the address of a command or query is.
  function automatic logic [1:0] id_kind(logic [5:0] op);
    case (op)
      OpTaskCreate, OpTaskDelete, OpTaskStart, OpTaskTerminate, OpTaskSuspend, OpTaskResume,
      OpTaskSetPriority, OpTaskRelease, OpTaskWakeup, QueryTaskState:
        return IdKindTask;
      OpSemaphoreCreate, OpSemaphoreDelete, OpSemaphoreGive, OpSemaphoreTake, QuerySemaphoreCount:
        return IdKindSemaphore;
      OpIrqMap, OpIrqEnable, OpIrqDisable, OpIrqRaise:
        return IdKindInterrupt;
      default: return IdKindNone;
    endcase
  endfunction

  // When a command may block (timeout: only when its argument is not 0).
  function automatic logic [1:0] blocks(logic [5:0] op);
    case (op)
      OpTaskSleep, OpSemaphoreTake:
        return BlocksTimeout;
      OpTaskDelay, OpTaskDelayUntil:
        return BlocksAlways;
      default: return BlocksNever;
    endcase
  endfunction

  // verilator lint_on UNUSEDPARAM

endpackage
