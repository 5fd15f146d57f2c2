// SPDX-License-Identifier: Apache-2.0
// mel_engine: the machine that executes the kernel's microprogram (hw/micro): checks the next request, and carries out a word per cycle.
// What a word computes: mel_datapath. Fields of a word: hw/micro/word.yaml. Elsewhere: lists, devices, dispatchers (mel_unit).
//
// A step begins at the `idle` word, when both list engines are idle, for the request that mel_choice chooses.
// Timing: a request that is chosen in cycle 1 (its `idle` word) executes the first word of its entry in cycle 3; a refusal ends in cycle 4.
// `dispatch` and `claim` are answered from registers in cycle 1; their program runs behind. A taken branch costs the word behind it.
module mel_engine
  import mel_unit_pkg::*;
  import mel_engine_pkg::*;
  import mel_micro_pkg::*;
#(
  parameter mel_pkg::sizes_t Sizes  = mel_pkg::SizesDefault,
  parameter logic [63:0] TimeReset     = '0,
  parameter logic [31:0] ParameterHash = '0,
  localparam int unsigned    Cores = Sizes.Cores,
  localparam int unsigned    Jobs  = 11
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,         // memories are being cleared: the program waits

  input  logic [Cores-1:0] access_valid_i,
  input  core_request_t          access_i     [Cores],
  input  check_t           check_i      [Cores],
  output logic [Cores-1:0] access_done_o,
  output logic             at_once_o,       // … with this word; else with the result of the word that ends
  output logic [31:0]      access_data_o,

  input  core_t            core_i       [Cores],
  output core_step_t       core_step_o  [Cores],
  output finish_t          finish_o,
  output logic             steady_o,        // no step is under way, no list changes
  output logic [Cores-1:0] may_dispatch_o,  // no chain of owners goes on that could change who runs
  output logic [Cores-1:0] unsettled_o,     // one goes on that a command of the core's running task has begun

  // The word, for lists and devices; what has an effect only when `active_o` is high.
  output word_t            word_o,
  output word_t            next_o,          // the word that follows, unless this one goes on
  output logic             active_o,
  output logic [1:0]       caller_o,        // the core that is served
  output logic [1:0]       work_core_o,     // the core that operations are about
  output id_t              line_o,          // the interrupt that is served
  output logic             idle_o,          // the word waits for a request
  output core_request_t          access_o,        // the request that is served, or would be
  output logic             by_core_o,       // it is a core's; else an interrupt's or a job
  output logic             begins_dispatch_o,
  output logic             begins_claim_o,

  input  logic             lists_idle_i,    // both engines
  input  logic             waits_idle_i,
  input  logic             ready_idle_i,
  input  logic             ready_outcome_i, // the best of the ready lists is known in the next cycle
  input  logic             irq_pending_i,
  input  id_t              irq_first_i,
  input  id_t              claim_i,         // the interrupt that a claim takes, if valid
  input  logic             claim_valid_i,
  input  logic [Jobs-1:0]  jobs_i,          // requests of the background, from registers
  output logic [Jobs-1:0]  jobs_o,          // those that the program began and did not end
  input  logic [1:0]       job_core_i,      // the core that a turn, a slice or a budget is about

  input  logic [31:0]      memory_i,        // from mel_datapath
  input  status_t          status_i,
  input  logic [31:0]      last_i,
  input  logic             carry_i,
  input  id_t              subject_i,
  input  prio_t            level_i,
  input  logic             waiter_i,        // somebody waits for the object
  input  logic             best_i,
  input  logic             first_i,         // the list that `first` looked at is not empty
  input  logic             device_test_i,   // what the word tests of a device
  input  logic             search_busy_i,   // that of mel_flag_lanes has no result yet
  input  logic             aging_i,         // it takes no insertion yet, which is one when `kind_i` is event flags
  input  logic [1:0]       kind_i,
  output logic             stall_o,
  output logic             busy_o,          // something is done, or asked for
  output logic             failed_o,        // the action of the interrupt that is served
  output logic             readied_o,       // it made the subject ready
  output status_t          refusal_o
);

`ifdef MEL_PROGRAM   // a program under work, read when a simulation starts: the whole one
  localparam bit Lean = 1'b0;
`else
  localparam bit Lean = Sizes.Semaphores + Sizes.EventFlags + Sizes.Queues + Sizes.Mutexes == 0;
`endif
  localparam bit Lanes = Sizes.FlagLanes != 0;
  localparam int unsigned AddressW = $clog2(Lean ? LeanWords : ProgramWords);
  typedef logic [AddressW-1:0] address_t;
  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1;

  // ---- program --------------------------------------------------------------------------------------------------------

  typedef logic [$bits(mel_program_pkg::Words[0])-1:0] line_t;   // number of a size, and a word
  // Its value is assigned: yosys goes on behind a `return` in a function that `initial` calls.
  function automatic logic [31:0] size_of(line_t line);
    size_of = '0;
    unique case (line >> $bits(word_t))
      line_t'(SizeMessages): size_of = 32'(Sizes.Messages);             line_t'(SizePriorities): size_of = 32'(Sizes.Priorities);
      line_t'(SizeAffinities): size_of = 32'((Sizes.Cores + 1) * 256);  line_t'(SizeTickMinimum): size_of = 32'(mel_pkg::tick_cycles_min(Sizes.Tasks, Sizes.Cores));
      line_t'(SizeTasks): size_of = 32'(Sizes.Tasks);                   line_t'(SizeMonitor): size_of = 32'(Sizes.Monitor);
      line_t'(SizeTimeLow): size_of = TimeReset[31:0];                  line_t'(SizeTimeHigh): size_of = TimeReset[63:32];
      line_t'(SizeSemaphores): size_of = 32'(Sizes.Semaphores);         line_t'(SizeEventFlags): size_of = 32'(Sizes.EventFlags);
      line_t'(SizeQueues): size_of = 32'(Sizes.Queues);                 line_t'(SizeSpecHash): size_of = mel_pkg::SpecHash;
      line_t'(SizeParameterHash): size_of = ParameterHash;
      default: ;
    endcase
  endfunction

  // A word of this unit. `constant` is its first field, and 0 in a line that names a size.
  function automatic logic [$bits(word_t)-1:0] word_of(line_t line);
    return line[$bits(word_t)-1:0] | ($bits(word_t)'(size_of(line)) << ($bits(word_t) - 32));
  endfunction

  (* ram_style = "block" *) logic [$bits(word_t)-1:0] program_mem [2**AddressW];
`ifdef MEL_PROGRAM
  line_t lines [2**AddressW];
  initial begin
    $readmemh(`MEL_PROGRAM, lines);
    for (int unsigned i = 0; i < 2**AddressW; i++) program_mem[i] = word_of(lines[i]);
  end
`else
  initial begin
    for (int unsigned i = 0; i < 2**AddressW; i++)
      program_mem[i] = word_of(Lean ? mel_program_pkg::LeanWords[i % LeanWords] :
                               Lanes ? mel_program_pkg::LanesWords[i] : mel_program_pkg::Words[i]);
  end
`endif

  address_t                  address_q, address_d, target;
  logic [$bits(word_t)-1:0]  program_q;
  word_t                     word;
  logic                      annulled_q, refuses, flag_q;
  logic                      idle, holds, taken, stall, active, test, fetch;
  always_ff @(posedge clk_i) if (fetch) program_q <= program_mem[address_d];
  assign fetch = !stall || clear_i;   // … and the first word while memories are cleared

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      address_q  <= address_t'(EntryInit);
      word       <= '0;
      annulled_q <= 1'b1;
    end else begin
      if (fetch) address_q <= address_d;
      if (!stall) begin
        word       <= word_t'(program_q);
        annulled_q <= (taken && word.annul) || refuses;
      end
    end
  end

  // ---- the request that is served, or would be ------------------------------------------------------------------------

  logic [1:0]       caller, work_core_q;
  logic [Cores-1:0] served, held_back, not_above;
  logic             may_wait, no_argument, by_irq, ask, unused_irq, irq_else, job, any, start;
  logic [3:0]       job_number;
  id_t              line_q;
  core_request_t          access;
  check_t           check_q;
  core_t            core;
  logic [1:0]       context_now;

  mel_choice #(.Cores(Cores), .Jobs(Jobs)) u_choice (
    .clk_i, .rst_ni, .access_valid_i, .held_back_i (held_back), .not_above_i (not_above), .access_done_i (access_done_o), .irq_pending_i,
    .jobs_i, .word_i (word), .active_i (active), .start_i (start), .any_o (any), .ask_o (ask), .irq_o (unused_irq), .irq_else_o (irq_else), .job_o (job), .number_o (job_number), .caller_o (caller),
    .served_o (served), .by_irq_o (by_irq), .jobs_o
  );

  assign access      = access_i[CoreW'(caller)];
  assign core        = core_i[CoreW'(caller)];
  assign no_argument = access.argument == '0;
  assign context_now = context_of(core);
  assign may_wait    = context_now == mel_pkg::ContextTask && core.enabled && core.runnable;

  mel_chain #(.Cores(Cores)) u_chain (
    .clk_i, .goes_on_i (jobs_o[4'(JobLink)]), .core_i, .access_i, .start_i (start), .by_task_i (ask && context_now == mel_pkg::ContextTask),
    .caller_i (core), .word_i (word), .active_i (active), .before_i (memory_i[7:0]), .behind_i (level_i), .may_dispatch_o, .unsettled_o,
    .held_back_o (held_back), .not_above_o (not_above)
  );

  logic    plain;              // the status is known: a command whose operand does not matter
  status_t refusal_q;

  // ---- conditions and branches ----------------------------------------------------------------------------------------

  logic [31:0] tested;
  logic        runs, apart, keeps, of_caller;
  assign tested = (word.a_from == AFromMemory) ? memory_i : last_i;

  always_comb begin
    {runs, apart, keeps, of_caller} = '0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (core_i[i].running_valid && core_i[i].running == subject_i) begin
        runs      = 1'b1;
        apart     = core_i[i].runnable && !core_i[i].listed;
        keeps     = !core_i[i].enabled;
        of_caller = served[i];
      end
    end
  end

  always_comb begin
    unique case (word.test)
      TestZero:       test = last_i == '0;
      TestBit:        test = tested[word.position];
      TestWaiter:     test = waiter_i;
      TestNoArgument: test = no_argument;
      TestHeld:       test = |memory_i[30:29];   // due or suspended
      TestRuns:       test = runs;
      TestApart:      test = apart;
      TestKeeps:      test = keeps;
      TestCaller:     test = of_caller;
      TestMayWait:    test = may_wait;
      TestBest:       test = best_i;
      TestFirst:      test = first_i;
      TestDevice:     test = device_test_i;
      TestNothing:    test = memory_i == '0;
      TestWait:       test = memory_i != '0 && !no_argument && core.runnable && !core.listed;
      default:        test = 1'b0;
    endcase
  end
  always_ff @(posedge clk_i) if (!stall) flag_q <= test;

  always_comb begin
    unique case (word.branch)
      BranchNone:     holds = 1'b0;
      BranchFlag:     holds = flag_q;
      BranchNotFlag:  holds = !flag_q;
      BranchCarry:    holds = carry_i;
      BranchNotCarry: holds = !carry_i;
      default:        holds = 1'b1;   // always, case; idle: it stalls until there is a request
    endcase
  end

  // With lanes: the word needs the result of a search, or inserts into the waits of `object`. Known before it executes.
  logic awaits_q, inserts_q;
  always_ff @(posedge clk_i) begin
    if (!stall) begin
      awaits_q  <= next_o.subject == SubjectMatched;
      inserts_q <= next_o.waits == WaitsTail && next_o.waits_key == WaitsKeyObject;
    end
  end

  assign idle   = word.branch == BranchIdle;
  assign stall  = clear_i || (!annulled_q && ((idle && (!any || !lists_idle_i)) ||
                                  ((word.waits != WaitsNone || word.test == TestWaiter) && !waits_idle_i) ||
                                  (word.ready != ReadyNone && !ready_idle_i) || (word.done && !ready_outcome_i) ||
                                  (Lanes && ((awaits_q && search_busy_i) || (inserts_q && aging_i && kind_i == WaitedFlags)))));
  assign active = !annulled_q && !stall && (holds || !word.predicate);
  assign start  = !annulled_q && idle && !stall;
  // A command that ends in a predicate ends its step, too.
  assign taken  = !annulled_q && holds && (!word.predicate || word.finish_to);

  always_comb begin
    target = address_t'(word.next);
    if (word.branch == BranchCase) target[2:0] = memory_i[26:24];
    if (word.finish_to) target = by_irq ? address_t'(EntryIrqEnd) : address_t'(EntryIdle);
    if (idle) begin
      if (ask)           target = access.plain ? address_t'(EntryLoadPlain) :
                             access.in_registers ? address_t'({2'b01, access.write, access.number[5:0], 2'b00}) :
                                                   address_t'({access.op[6], 1'b0, !access.op[6], access.op[5:0], 2'b00});
      else if (irq_else) target = address_t'(EntryIrq);
      else               target = address_t'(EntryJobs) + address_t'({job_number, 2'b00});
    end
    if (clear_i)      address_d = address_t'(EntryInit);
    else if (refuses) address_d = plain ? address_t'(EntryRefuse) : address_t'(EntryRefuseOther);
    else if (taken)   address_d = target;
    else              address_d = address_q + address_t'(1);
  end

  // ---- checks before the program: E_RSFN, E_CTX (callers, may wait), E_ID ---------------------------------------------

  // They are made in the cycle behind the choice of the request, because the row of the check table comes late out of its memory.

  logic [8:0] limit;
  logic       bad_context, bad_number_q, away_q, no_argument_q, may_wait_q, command, asked_q;
  logic [1:0] context_q;
  assign command = access.write && !access.in_registers;
  always_comb begin
    unique case (access.kind)
      mel_pkg::IdKindTask:       limit = 9'(Sizes.Tasks);                          mel_pkg::IdKindSemaphore:  limit = 9'(Sizes.Semaphores);
      mel_pkg::IdKindInterrupt:  limit = 9'(Sizes.Interrupts + Sizes.Timers + 1);  mel_pkg::IdKindEventFlags: limit = 9'(Sizes.EventFlags);
      mel_pkg::IdKindQueue:      limit = 9'(Sizes.Queues);                         mel_pkg::IdKindMutex:      limit = 9'(Sizes.Mutexes);
      mel_pkg::IdKindTimer:      limit = 9'(Sizes.Timers);
      default:                   limit = 9'd256;
    endcase
    bad_context = command && (!check_q.callers[context_q] ||
                              (context_q == mel_pkg::ContextTask && away_q) ||
                              ((check_q.blocks == mel_pkg::BlocksAlways || (check_q.blocks == mel_pkg::BlocksTimeout && !no_argument_q)) &&
                               !may_wait_q));
  end

  assign refuses = asked_q && (!access.legal || !check_q.exists || bad_context || bad_number_q);
  assign plain   = command && access.legal && !(check_q.blocks == mel_pkg::BlocksOperand && check_q.exists && !bad_context && !may_wait_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= 1'b0;
    else         asked_q <= start && ask && !begins_dispatch_o && !begins_claim_o;
  end
  always_ff @(posedge clk_i) begin
    check_q       <= check_i[CoreW'(caller)];
    bad_number_q  <= 9'(access.number) >= limit;
    no_argument_q <= no_argument;
    context_q     <= context_now;
    may_wait_q    <= may_wait;
    away_q        <= core.ended || core.waits;
    if (asked_q) refusal_q <= !(access.legal && check_q.exists) ? mel_pkg::StatusERsfn : bad_context ? mel_pkg::StatusECtx : mel_pkg::StatusEId;
  end
  assign refusal_o = refusal_q;

  // ---- whom it serves -------------------------------------------------------------------------------------------------

  logic done;
  assign done = word.done && active;

  always_ff @(posedge clk_i) begin
    if (start) line_q <= irq_first_i;
    if (start)                                              work_core_q <= job ? job_core_i : caller;
    else if (active && word.device == DeviceCore)           work_core_q <= word.immediate[1:0];
    else if (active && word.device == DeviceCoreNext)       work_core_q <= work_core_q + 2'd1;
    else if (active && word.device == DeviceCoreOfSubject) begin
      for (int unsigned i = 0; i < Cores; i++) begin
        if (core_i[i].running_valid && core_i[i].running == subject_i) work_core_q <= 2'(i);
      end
    end
    if (done) failed_o  <= finish_o.status != mel_pkg::StatusEOk;
    // Tasks that flags release leave behind the action.
    if (start)                                                                         readied_o <= 1'b0;
    else if (finish_o.valid && finish_o.change.gets_ready && word.report != ReportRelease) readied_o <= 1'b1;
  end

  // ---- what others hear -----------------------------------------------------------------------------------------------

  status_t status;
  logic    ends;
  assign status = (word.note || word.status) ? status_i : status_t'(word.immediate);
  assign ends   = active && word.report != ReportNone;

  assign begins_dispatch_o = start && ask && access.dispatches;
  assign begins_claim_o    = start && ask && access.claims;

  assign finish_o = '{
    valid:  word.note && active,
    change: '{
      task_id:      subject_i,          gets_ready:   word.immediate[0],
      gets_unready: word.immediate[1],  ends:         word.immediate[2],
      leaves_wait:  word.immediate[3],  sets_result:  word.immediate[4],
      result:       status_i,           sets_prio:    word.immediate[5],
      prio:         level_i,            requeues:     word.immediate[6]
    },
    status:       status,
    caller_waits: word.note && word.immediate[7]
  };

  for (genvar i = 0; i < Cores; i++) begin : gen_step
    logic worked;
    assign worked = work_core_q == 2'(i);
    assign core_step_o[i] = '{
      serving:          access_valid_i[i] && access_i[i].write && !access_i[i].in_registers,
      command:          served[i] && done && command && access.legal && !by_irq,
      ends:             ends,
      enable:           served[i] && active && word.device == DeviceEnableDispatch,
      disable_dispatch: served[i] && active && word.device == DeviceDisableDispatch,
      dispatch:         served[i] && begins_dispatch_o,
      claim:            served[i] && begins_claim_o,
      reclaim:          worked && active && word.device == DeviceReclaim
    };
    assign access_done_o[i] = served[i] && access_valid_i[i] && ((done && !by_irq) || begins_dispatch_o || begins_claim_o);
  end

  // Answers of a dispatch or claim; a program's answer is the result of its word.
  assign access_data_o = begins_claim_o     ? (claim_valid_i ? 32'(claim_i) : '1) :
                         core.chosen_valid  ? 32'(core.chosen) : 32'(Sizes.Tasks);
  assign at_once_o     = begins_dispatch_o || begins_claim_o;

  // Between the words of a step a task may be out of the lists. Behind its event there is nothing left that lines follow, or the program
  // says so; a dispatch or claim, whose event was before its first word, says when.
  logic ended_q, settles, unsettles;
  assign settles   = ends || (active && word.device == DeviceSettled) || (idle && stall);
  assign unsettles = start || (active && word.device == DeviceUnsettled);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ended_q <= 1'b0;
    else         ended_q <= (ended_q && !unsettles) || settles;
  end
  assign steady_o    = ready_idle_i && (ended_q || idle);   // idle: also between steps without an event that follow each other
  assign word_o      = word;
  assign next_o      = word_t'(program_q);
  assign active_o    = active;
  assign caller_o    = caller;
  assign work_core_o = work_core_q;
  assign line_o      = idle ? irq_first_i : line_q;
  assign idle_o      = idle;
  assign access_o    = access;
  assign by_core_o   = idle ? ask : !by_irq;
  assign stall_o     = stall;
  assign busy_o      = any || !(idle && stall) || !lists_idle_i;

endmodule
