// SPDX-License-Identifier: Apache-2.0
// mel_unit: the hardware RTOS: scheduler, wait queues, timers and interrupt dispatch beside a core, executed as a microprogram
// (docs/decisions/0034). Wiring, the numbers of lists, and what a word reads of devices.
//
// Contract: docs/decisions/0001, spec/, melanion/model. One access port per core: a request is taken when valid and ready, and gets
// one response, at least one cycle later, in order. Rising edges of `irq_i` count; it is synchronous to `clk_i`.
// `irq_handler_o`: an interrupt waits for a C handler (claim). `irq_dispatch_o`: another task should run (dispatch).
// With ClockRatio = 2 all ports but `clk_i` are synchronous to a clock of the cores at half the frequency, which rises with every second
// edge of `clk_i`, and a register of that clock ends the reset (docs/decisions/0035). Cycles that the unit counts (ticks, run times,
// budgets, latencies) are those of the cores.
//
// Timing: mel_access, mel_engine; with lanes for event flags mel_flag_lanes. After reset the state store is cleared, a word per cycle (32 pages), and the program makes the unit ready.
module mel_unit
  import mel_unit_pkg::*;
  import mel_engine_pkg::*;
  import mel_micro_pkg::*;
#(
  parameter mel_pkg::sizes_t Sizes     = mel_pkg::SizesDefault,  // ranges: mel_sizes_check
  parameter logic [63:0] TimeReset     = '0,                     // ticks, at reset
  parameter logic [31:0] ParameterHash = '0,                     // compared by boot code
  parameter bit          ClockGate     = 1'b0,                   // mel_clock_gate
  parameter int unsigned ClockRatio    = 1,                      // cycles of `clk_i` in one of the cores: 1, 2
  parameter bit          Staged        = 1'b0,                   // with ClockRatio 2: registers of the cores' clock capture all that goes to them (mel_clock_stage)
  localparam int unsigned Cores        = Sizes.Cores,
  localparam int unsigned IrqWidth     = (Sizes.Interrupts > 0) ? Sizes.Interrupts : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [Cores-1:0]            req_valid_i,
  output logic [Cores-1:0]            req_ready_o,
  input  logic [Cores-1:0]            req_write_i,
  input  mel_pkg::offset_t [Cores-1:0] req_addr_i,    // byte offset in the core's window
  input  logic [Cores-1:0][3:0]       req_be_i,
  input  logic [Cores-1:0][31:0]      req_wdata_i,
  output logic [Cores-1:0]            rsp_valid_o,
  output logic [Cores-1:0][31:0]      rsp_rdata_o,

  input  logic [IrqWidth-1:0]         irq_i,
  output logic [Cores-1:0]            irq_handler_o,
  output logic [Cores-1:0]            irq_dispatch_o,

  // For couplings that follow the running task: a core's `dispatch` is performed in this cycle, and this task runs from then on
  // (Tasks: idle); what a load of the answer returns, from registers. The first task of the ready set for the core (Tasks: none), at any cycle of
  // `clk_i`: a hint, which another step may outdate.
  output logic [Cores-1:0]            dispatch_o,
  output logic [Cores-1:0][8:0]       running_o,
  output logic [Cores-1:0][8:0]       next_o,
  output logic [Cores-1:0][31:0]      answer_o,

  output mel_pkg::trace_t             trace_tick_o,
  output mel_pkg::trace_t             trace_o,
  output mel_pkg::trace_t [Cores-1:0] trace_answer_o
);

  mel_sizes_check #(
    .Sizes (Sizes)
  ) u_sizes_check ();

  function automatic int unsigned larger(int unsigned a, int unsigned b);
    return (a > b) ? a : b;
  endfunction
  // Bits of a number below `count`; at least one.
  function automatic int unsigned bits(int unsigned count);
    return (count > 2) ? $clog2(count) : 1;
  endfunction

  localparam int unsigned Lines      = Sizes.Interrupts + Sizes.Timers + 1;
  localparam int unsigned Affinities = (Cores > 1) ? Cores + 1 : 1;
  localparam int unsigned CoreW      = (Cores > 1) ? $clog2(Cores) : 1;
  localparam int unsigned TaskW      = bits(Sizes.Tasks);
  localparam int unsigned ObjectW    = bits(larger(larger(Sizes.Semaphores, Sizes.EventFlags), larger(Sizes.Mutexes, Sizes.Queues)));
  localparam int unsigned IndexW     = bits(larger(larger(larger(Sizes.Tasks, 64), larger(2 ** ObjectW, Lines)), larger(Sizes.Priorities, Sizes.Messages)));

  logic             clk, awake, busy;    // clock of what sleeps while nothing is to be done; its enable; the engine does something
  logic [1:0]       linger_q;            // cycles in which what was done still takes effect
  logic             ready, clear, lists_idle, waits_idle, ready_idle, ready_outcome, steady, settled, settled_long;
  logic [15:0]      clear_index;
  logic             core_edge;           // a cycle of the cores ends
  logic [IrqWidth-1:0] irq;
  logic [Cores-1:0] req_valid, req_ready, rsp_valid, answered, irq_handler, irq_dispatch;
  logic [Cores-1:0][31:0] rsp_rdata;
  logic [Cores-1:0] taken, access_valid, access_done, peers, budget_over, slice_over, unused_reclaims, reclaims;
  core_request_t          access       [Cores];
  core_request_t          served;
  check_t           check        [Cores];
  logic [31:0]      access_data, memory, result, last, given, argument_q, constant_q;
  core_t            core         [Cores];
  turn_t            turn         [Cores];
  core_step_t       core_step    [Cores];
  finish_t          finish;
  logic [31:0]      answer       [Cores];
  status_t          answer_status[Cores];
  status_t          saved_result [Cores];
  top_t             tops         [Affinities];
  top_t             best         [Cores];
  affinity_t        best_affinity[Cores];
  word_t            word, next;
  logic             engine_busy, active, at_once, idle, by_core, stall, carry, begins_dispatch, begins_claim, failed, readied, device_test;
  logic [1:0]       caller, work_core, job_core, kind;
  id_t              line, subject, object;
  prio_t            level;
  affinity_t        level_affinity;
  logic [7:0]       operand_a;
  logic             search_busy, aging, matched_valid, more_match;   // answers of mel_flag_lanes
  id_t              matched, stores_index;
  logic             stores;              // `last` is being stored there
  logic [4:0]       stores_page;
  logic             irq_pending, offered, first_offered, claims_spent_q, ticks_on, memory_ready_q;
  logic [6:0]       irq_first, offered_first;
  logic [6:0]       lost;
  logic [10:0]      jobs, jobs_begun;
  logic [Cores-1:0] may_dispatch, unsettled;
  status_t          refusal, status;
  before_t          previous;
  logic [31:0]      cycles, stamp, since;
  logic             limits;

  // ---- sleep ----------------------------------------------------------------------------------------------------------

  assign busy  = clear || engine_busy || search_busy || aging || (|jobs) || (|{req_valid, taken, rsp_valid});
  assign awake = busy || linger_q != '0;
  always_ff @(posedge clk or negedge rst_ni) begin
    if (!rst_ni) linger_q <= '1;
    else         linger_q <= busy ? '1 : linger_q - 2'd1;
  end

  mel_clock_gate #(.Gated(ClockGate)) u_clock_gate (
    .clk_i,
    .awake_i (awake),
    .clk_o   (clk)
  );

  // ---- cores ----------------------------------------------------------------------------------------------------------

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    core_step_t dispatcher_step;
    finish_t    dispatcher_finish;
    logic       done;

    // Several cores: what is due behind a command is known a cycle later. So the command ends a cycle later for its core, and its dispatcher
    // hears the end once more: then it looks at what is due.
    if (Cores == 1) begin : gen_done
      assign done            = access_done[i];
      assign access_valid[i] = taken[i];
      assign dispatcher_step = core_step[i];
      assign dispatcher_finish = finish;
    end else begin : gen_done_later
      logic    done_q, command, waits_q;
      status_t status_q;
      assign command = access[i].write && !access[i].in_registers;
      always_ff @(posedge clk or negedge rst_ni) begin
        if (!rst_ni) done_q <= 1'b0;
        else         done_q <= access_done[i] && command;
      end
      always_ff @(posedge clk) {waits_q, status_q} <= {finish.caller_waits, finish.status};
      assign done            = (access_done[i] && !command) || done_q;
      assign access_valid[i] = taken[i] && !done_q;
      always_comb begin
        dispatcher_step         = core_step[i];
        dispatcher_step.serving = core_step[i].serving || done_q;
        dispatcher_finish       = finish;
        if (done_q) begin
          dispatcher_step.command        = access[i].legal;
          dispatcher_finish.status       = status_q;
          dispatcher_finish.caller_waits = waits_q;
        end
      end
    end

    mel_access u_access (
      .clk_i (clk),
      .rst_ni,
      .sample_i       (core_edge),
      .req_valid_i    (req_valid[i]),
      .req_ready_o    (req_ready[i]),
      .req_write_i    (req_write_i[i]),
      .req_addr_i     (req_addr_i[i]),
      .req_be_i       (req_be_i[i]),
      .req_wdata_i    (req_wdata_i[i]),
      .rsp_valid_o    (rsp_valid[i]),
      .rsp_rdata_o    (rsp_rdata[i]),
      .access_valid_o (taken[i]),
      .access_o       (access[i]),
      .check_o        (check[i]),
      .access_done_i  (done),
      .at_once_i      (at_once),
      .access_data_i  (access_data),
      .last_i         (last),
      .ready_i        (ready),
      .answer_i       (answer[i]),
      .answered_o     (answered[i])
    );

    mel_dispatcher u_dispatcher (
      .clk_i (clk),
      .rst_ni,
      .best_i          (best[i]),
      .best_affinity_i (best_affinity[i]),
      .steady_i        (steady && settled && may_dispatch[i]),
      .step_i          (dispatcher_step),
      .finish_i        (dispatcher_finish),
      .result_i        (saved_result[i]),
      .unsettled_i     (unsettled[i]),
      .state_o         (core[i]),
      .turn_o          (turn[i]),
      .reclaims_o      (reclaims[i]),
      .answer_o        (answer[i]),
      .answer_status_o (answer_status[i]),
      .irq_dispatch_o  (irq_dispatch[i])
    );

    assign next_o[i] = best[i].valid ? 9'(best[i].task_id) : 9'(Sizes.Tasks);

    mel_clock_ratio #(
      .Ratio  (ClockRatio),
      .Staged (Staged)
    ) u_clock_ratio (
      .clk_i,
      .rst_ni,
      .last_i         (core_edge),
      .req_valid_i    (req_valid_i[i]),
      .req_ready_o    (req_ready_o[i]),
      .req_write_i    (req_write_i[i]),
      .rsp_valid_o    (rsp_valid_o[i]),
      .rsp_rdata_o    (rsp_rdata_o[i]),
      .irq_handler_o  (irq_handler_o[i]),
      .irq_dispatch_o (irq_dispatch_o[i]),
      .dispatch_o     (dispatch_o[i]),
      .running_o      (running_o[i]),
      .answer_o       (answer_o[i]),
      .req_valid_o    (req_valid[i]),
      .req_ready_i    (req_ready[i]),
      .rsp_valid_i    (rsp_valid[i]),
      .rsp_rdata_i    (rsp_rdata[i]),
      .irq_handler_i  (irq_handler[i]),
      .irq_dispatch_i (irq_dispatch[i]),
      .dispatch_i     (core_step[i].dispatch),
      .running_i      (core[i].chosen_valid ? 9'(core[i].chosen) : 9'(Sizes.Tasks)),
      .answer_i       (answer[i])
    );
  end

  // ---- the cores' clock -----------------------------------------------------------------------------------------------

  mel_pkg::trace_t             trace_tick, trace_step;
  mel_pkg::trace_t [Cores-1:0] trace_answer;
  logic [31:0]                 cycles_read;   // `device.cycles`

  mel_clock_edge #(
    .Ratio (ClockRatio),
    .Lines (IrqWidth)
  ) u_clock_edge (
    .clk_i,
    .rst_ni,
    .last_o (core_edge),
    .irq_i,
    .irq_o  (irq)
  );

  if (ClockRatio == 1) begin : gen_same_clock
    assign cycles_read    = cycles;
    assign trace_tick_o   = trace_tick;
    assign trace_o        = trace_step;
    assign trace_answer_o = trace_answer;
  end else begin : gen_twice_the_clock
    logic [5:0] ahead, shift;

    // The program adds to `device.cycles` the number of its words to the cycle that it means, at most 15, and may subtract them: here a
    // word takes half a cycle.
    assign ahead       = (next.alu == AluSub) ? -next.constant[5:0] : next.constant[5:0];
    assign shift       = 6'($signed(ahead + 6'(core_edge)) >>> 1) - ahead;
    assign cycles_read = cycles + {{26{shift[5]}}, shift};

    // An event is reported in the cycle of the core behind the one in which it takes effect, an answer in the one that shows it.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        trace_tick_o   <= '0;
        trace_o        <= '0;
        trace_answer_o <= '0;
      end else begin
        trace_tick_o.valid <= trace_tick.valid;
        trace_o.valid      <= trace_step.valid;
        if (trace_tick.valid) trace_tick_o <= trace_tick;
        if (trace_step.valid) trace_o      <= trace_step;
        trace_answer_o <= trace_answer;
      end
    end

`ifndef SYNTHESIS
    // Couplings that follow the running task take one dispatch in a cycle of the cores.
    a_one_dispatch: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(dispatch_o));
`endif
  end

  // ---- the machine ----------------------------------------------------------------------------------------------------

  top_t             waiter;
  id_t              due_task, found_number;
  logic             due_valid;

  // The core whose running task, and what should run there, a word means: once a step has begun, the one that it works for.
  core_t            worked;
  logic             first_valid;
  logic [TaskW-1:0] first_node;
  assign worked = core[CoreW'(idle ? caller : work_core)];

  mel_engine #(
    .Sizes         (Sizes),
    .TimeReset     (TimeReset),
    .ParameterHash (ParameterHash)
  ) u_engine (
    .clk_i (clk),
    .rst_ni,
    .clear_i           (clear),
    .access_valid_i    (access_valid),   // before `ready` the program has no `idle` word: requests wait
    .access_i          (access),
    .check_i           (check),
    .access_done_o     (access_done),
    .at_once_o         (at_once),
    .access_data_o     (access_data),
    .core_i            (core),
    .core_step_o       (core_step),
    .finish_o          (finish),
    .steady_o          (steady),
    .may_dispatch_o    (may_dispatch),
    .unsettled_o       (unsettled),
    .word_o            (word),
    .next_o            (next),
    .active_o          (active),
    .caller_o          (caller),
    .work_core_o       (work_core),
    .line_o            (line),
    .idle_o            (idle),
    .access_o          (served),
    .by_core_o         (by_core),
    .begins_dispatch_o (begins_dispatch),
    .begins_claim_o    (begins_claim),
    .lists_idle_i      (lists_idle),
    .waits_idle_i      (waits_idle),
    .ready_idle_i      (ready_idle),
    .ready_outcome_i   (ready_outcome),
    .irq_pending_i     (irq_pending),
    .irq_first_i       (id_t'(irq_first)),
    .claim_i           (id_t'(offered_first)),
    .claim_valid_i     (irq_handler[0]),
    .jobs_i            (jobs),
    .jobs_o            (jobs_begun),
    .job_core_i        (job_core),
    .memory_i          (memory),
    .status_i          (status),
    .last_i            (last),
    .carry_i           (carry),
    .subject_i         (subject),
    .level_i           (level),
    .waiter_i          (waiter.valid),
    .best_i            (best[CoreW'(work_core)].valid),
    .first_i           (first_valid),
    .device_test_i     (device_test),
    .search_busy_i     (search_busy),
    .aging_i           (aging),
    .kind_i            (kind),
    .busy_o            (engine_busy),
    .stall_o           (stall),
    .failed_o          (failed),
    .readied_o         (readied),
    .refusal_o         (refusal)
  );

  mel_datapath #(
    .IndexW (IndexW),
    .Lanes  (Sizes.FlagLanes != 0)
  ) u_datapath (
    .clk_i (clk),
    .rst_ni,
    .clear_o          (clear),
    .clear_index_o    (clear_index),
    .word_i           (word),
    .idle_i           (idle),
    .by_core_i        (by_core),
    .active_i         (active),
    .stall_i          (stall),
    .access_i         (served),
    .line_i           (line),
    .core_i           (worked),
    .caller_i         (caller),
    .work_core_i      (work_core),
    .given_i          (given),
    .constant_i       (constant_q),
    .waiter_i         (waiter.task_id),
    .due_i            (due_task),
    .found_i          (found_number),
    .best_i           (best[CoreW'(work_core)].task_id),
    .first_i          (id_t'(first_node)),
    .matched_i        (matched),
    .memory_o         (memory),
    .result_o         (result),
    .status_o         (status),
    .last_o           (last),
    .carry_o          (carry),
    .subject_o        (subject),
    .object_o         (object),
    .kind_o           (kind),
    .level_o          (level),
    .level_affinity_o (level_affinity),
    .operand_a_o      (operand_a),
    .stores_o         (stores),
    .stores_page_o    (stores_page),
    .stores_index_o   (stores_index)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                            memory_ready_q <= 1'b0;
    else if (active && word.device == DeviceMemoryReady) memory_ready_q <= 1'b1;
  end
  assign ready = memory_ready_q;

  // ---- lists ----------------------------------------------------------------------------------------------------------

  // Numbers of objects of u_waits: {0, kind, number} tasks that wait for it; {1, 0, task} mutexes that it holds; {1, 1, queue} its messages.
  // Numbers of nodes: {0, task}, {1, mutex}, {2, message slot}: objects of a kind have nodes of one group.
  localparam int unsigned QueueW  = bits(Sizes.Queues);
  localparam int unsigned HolderW = larger(TaskW, QueueW);
  localparam int unsigned BesideW = larger(2 + ObjectW, 1 + HolderW);
  localparam int unsigned NodeW   = 2 + larger(larger(TaskW, bits(Sizes.Mutexes)), bits(Sizes.Messages));
  typedef logic [BesideW:0] wait_object_t;
  typedef logic [NodeW-1:0] wait_node_t;

  wait_object_t wait_object;
  wait_node_t   wait_node;
  logic [NodeW-3:0] waiter_node;
  struct packed { logic valid; prio_t prio; logic [NodeW-3:0] node; } walked_q;   // the waiter of the cycle before
  prio_t        list_level;
  logic [1:0]   idle_kind;      // kind of the object that a request is about
  affinity_t    list_affinity;

  always_comb begin
    unique case (word.waits_key)
      WaitsKeyHeld:     wait_object = {1'b1, BesideW'({1'b0, HolderW'(subject)})};
      WaitsKeyMessages: wait_object = {1'b1, BesideW'({1'b1, HolderW'(object)})};
      WaitsKeyMemory:   wait_object = {1'b0, BesideW'({memory[25:24], ObjectW'(memory[23:16])})};
      default:          wait_object = {1'b0, BesideW'({kind, ObjectW'(object)})};
    endcase
    // The idle word looks at the waits of the object that a request is about.
    if (idle) wait_object = {1'b0, BesideW'({idle_kind, ObjectW'(served.number)})};
    unique case (word.waits_node)
      WaitsNodeObject: wait_node = {2'd1, (NodeW-2)'(object)};
      WaitsNodeA:      wait_node = {2'd2, (NodeW-2)'(operand_a)};
      WaitsNodeTop:    wait_node = {2'd0, walked_q.node};   // a task
      default:         wait_node = {2'd0, (NodeW-2)'(subject)};
    endcase
    unique case (word.level)
      LevelMemory:  {list_affinity, list_level} = memory[10:0];
      LevelLoaded:  {list_affinity, list_level} = {level_affinity, level};
      LevelRunning: {list_affinity, list_level} = {worked.affinity, worked.prio};
      default:      {list_affinity, list_level} = {previous.affinity, previous.prio};
    endcase
  end

  assign idle_kind = (served.kind == mel_pkg::IdKindSemaphore)  ? WaitedSemaphore :
                     (served.kind == mel_pkg::IdKindEventFlags) ? WaitedFlags :
                     (served.kind == mel_pkg::IdKindQueue)      ? WaitedQueue : WaitedMutex;

  logic       waiter_valid, unused_waits_outcome;
  prio_t      waiter_prio, unused_ready_prio;
  logic [2:0] waits_op, ready_op;
  // On from the task that a walk found: at its own priority, and nowhere when it found nothing. It comes late out of a memory, and goes into
  // the addresses of others: a walk takes it from registers, because it stands there for a cycle before.
  logic       walks_on;
  assign walks_on = !idle && word.waits_node == WaitsNodeTop;
  assign waits_op = idle ? ListsLook : (active && (!walks_on || walked_q.valid)) ? word.waits : ListsNone;
  always_ff @(posedge clk) walked_q <= '{valid: waiter_valid, prio: waiter_prio, node: waiter_node};
  assign waiter   = '{valid: waiter_valid, prio: waiter_prio, task_id: id_t'(waiter_node)};

  // A unit without objects has neither waits nor held mutexes nor messages.
  if (Sizes.Semaphores + Sizes.EventFlags + Sizes.Queues + Sizes.Mutexes == 0) begin : gen_no_waits
    logic unused_all;
    assign unused_all           = ^{waits_op, wait_object, wait_node};
    assign waits_idle           = 1'b1;
    assign unused_waits_outcome = 1'b1;
    assign waiter_valid         = 1'b0;
    assign waiter_prio          = '0;
    assign waiter_node          = '0;
  end else begin : gen_waits
    mel_lists #(
      .Objects    (2 ** BesideW + 2 ** (1 + HolderW)),
      .Priorities (larger(Sizes.Priorities, mel_pkg::MessagePriorities)),
      .Nodes      (2 ** NodeW),
      .Tops       (0),
      .First      (2 ** (2 + ObjectW)),
      .Groups     (4),
      .FirstNodes (2 ** TaskW)
    ) u_waits (
      .clk_i (clk),
      .rst_ni,
      .clear_i       (clear),
      .clear_index_i (clear_index),
      .op_i          (waits_op),
      .object_i      (wait_object),
      .prio_i        (walks_on ? walked_q.prio : list_level),
      .node_i        (wait_node),
      .idle_o        (waits_idle),
      .outcome_o     (unused_waits_outcome),
      .top_valid_o   (waiter_valid),
      .top_prio_o    (waiter_prio),
      .top_node_o    (waiter_node),
      .tops_valid_o  (),
      .tops_prio_o   (),
      .tops_node_o   ()
    );
`ifndef SYNTHESIS
    a_walk_stands: assert property (@(posedge clk_i) disable iff (!rst_ni) !(walks_on && active) ||
      (walked_q.valid == waiter_valid && (!waiter_valid || (walked_q.prio == waiter_prio && walked_q.node == waiter_node))));
`endif
  end

  // ---- lanes for event flags ------------------------------------------------------------------------------------------

  localparam bit Lanes = Sizes.FlagLanes != 0;
  if (!Lanes) begin : gen_no_lanes
    logic unused_all;
    assign unused_all    = ^{stores, stores_page, stores_index};
    assign search_busy   = 1'b0;
    assign aging         = 1'b0;
    assign matched_valid = 1'b0;
    assign more_match    = 1'b0;
    assign matched       = '0;
  end else begin : gen_lanes
    logic             of_flags;
    logic [TaskW-1:0] matched_task;
    // A wait for flags has its group in `object`.
    assign of_flags = !wait_object[BesideW] && wait_object[ObjectW+1:ObjectW] == WaitedFlags;

    mel_flag_lanes #(
      .Tasks      (Sizes.Tasks),
      .Priorities (Sizes.Priorities),
      .GroupW     (ObjectW)
    ) u_flag_lanes (
      .clk_i (clk),
      .rst_ni,
      .clear_i       (clear),
      .clear_index_i (clear_index[TaskW-1:0]),
      .arrive_i      (of_flags && waits_idle && waits_op == ListsTail),
      .leave_i       (of_flags && waits_idle && waits_op == ListsRemove),
      .task_i        (wait_node[TaskW-1:0]),
      .group_i       (ObjectW'(object)),
      .prio_i        (list_level),
      .aging_o       (aging),
      .pattern_we_i  (stores && stores_page == PageWord),
      .all_we_i      (stores && stores_page == PageMode),
      .stored_i      (stores_index[TaskW-1:0]),
      .pattern_i     (last),
      .all_i         (last[25]),
      .scan_i        (active && word.device == DeviceFlagsScan),
      .flags_now_i   (word.device == DeviceFlagsScan),
      .flags_i       (memory | argument_q),
      .busy_o        (search_busy),
      .found_o       (matched_valid),
      .more_o        (more_match),
      .found_task_o  (matched_task)
    );
    assign matched = id_t'(matched_task);
`ifndef SYNTHESIS
    a_no_head: assert property (@(posedge clk_i) disable iff (!rst_ni) !(of_flags && waits_op == ListsHead));
`endif
  end

  // Objects of u_ready: affinities, then the due list.
  localparam int unsigned ReadyObjectW = $clog2(Affinities + 1);
  logic [ReadyObjectW-1:0]            ready_object;
  logic [Affinities:0]                tops_valid;
  logic [Affinities:0][7:0]           tops_prio;
  logic [Affinities:0][TaskW-1:0]     tops_node;
  // With lanes, `or due.remove`: a task that is due leaves the due list instead.
  logic       of_due;
  logic [2:0] asked_op;
  assign of_due       = word.due && !(Lanes && word.unless_held && !memory[30]);
  assign asked_op     = !(word.unless_held && |memory[30:29]) ? word.ready : (word.due && memory[30]) ? ListsRemove : ListsNone;
  assign ready_object = of_due ? ReadyObjectW'(Affinities) : (Cores > 1) ? ReadyObjectW'(list_affinity) : '0;
  assign ready_op     = Lanes ? (active ? asked_op : ListsNone) : (active && !(word.unless_held && |memory[30:29])) ? word.ready : ListsNone;

  mel_lists #(
    .Objects    (Affinities + 1),
    .Priorities (Sizes.Priorities),
    .Nodes      (2 ** TaskW),
    .Tops       (Affinities + 1)
  ) u_ready (
    .clk_i (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .op_i          (ready_op),
    .object_i      (ready_object),
    .prio_i        (list_level),
    .node_i        (TaskW'(subject)),
    .idle_o        (ready_idle),
    .outcome_o     (ready_outcome),
    .top_valid_o   (first_valid),
    .top_prio_o    (unused_ready_prio),
    .top_node_o    (first_node),
    .tops_valid_o  (tops_valid),
    .tops_prio_o   (tops_prio),
    .tops_node_o   (tops_node)
  );

  // A cycle later, because a dispatch takes the result of the task that is best then, which is read in the cycle before.
  logic ready_rests_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ready_rests_q <= 1'b0;
    else         ready_rests_q <= ready_idle;
  end
  assign lists_idle = waits_idle && ready_idle && ready_rests_q && settled && settled_long;
  for (genvar i = 0; i < Affinities; i++) begin : gen_tops
    assign tops[i] = '{valid: tops_valid[i], prio: tops_prio[i], task_id: id_t'(tops_node[i])};
  end
  assign due_valid = tops_valid[Affinities];
  assign due_task  = id_t'(tops_node[Affinities]);

  // Several cores: `best` is final when neither the lists nor a running task changed in the cycle before.
  if (Cores == 1) begin : gen_settled
    assign settled      = 1'b1;
    assign settled_long = 1'b1;
  end else begin : gen_settles
    logic [Cores-1:0] moves;
    for (genvar i = 0; i < Cores; i++) begin : gen_moves
      assign moves[i] = core_step[i].command || core_step[i].enable || core_step[i].disable_dispatch || core_step[i].dispatch ||
                        core_step[i].claim || core_step[i].reclaim;
    end
    always_ff @(posedge clk or negedge rst_ni) begin
      if (!rst_ni) {settled, settled_long} <= '0;
      else begin
        settled      <= ready_idle && !finish.valid && moves == '0;
        settled_long <= settled;
      end
    end
  end

  mel_best #(
    .Cores (Cores)
  ) u_best (
    .clk_i (clk),
    .rst_ni,
    .tops_i          (tops),
    .turn_i          (turn),
    .best_o          (best),
    .best_affinity_o (best_affinity),
    .peers_o         (peers)
  );

  // ---- results of the tasks that do not run ---------------------------------------------------------------------------

  // A copy per core: each reads that of the task which it would run. Written a cycle after a task stops running, or a note; what
  // is written while it is read is handed on.
  logic    result_write_q;
  id_t     result_task_q;
  status_t result_q;
  always_ff @(posedge clk or negedge rst_ni) begin
    if (!rst_ni) result_write_q <= 1'b0;
    else begin
      result_write_q <= (finish.valid && finish.change.sets_result) ||
                        (begins_dispatch && worked.due && worked.running_valid && !worked.ended);
    end
  end
  always_ff @(posedge clk) begin
    result_task_q <= idle ? worked.running : subject;
    result_q      <= idle ? worked.result : finish.change.result;
  end
  // verilator lint_off UNUSEDPARAM
  localparam ResultStyle = (TaskW > 4) ? "block" : "distributed";   // only an attribute uses it
  // verilator lint_on UNUSEDPARAM
  for (genvar i = 0; i < Cores; i++) begin : gen_results
    (* no_rw_check, ram_style = ResultStyle *) status_t result_mem [2**TaskW];
    status_t read_q, handed_q;
    logic    hands_q;
    always_ff @(posedge clk) begin
      if (result_write_q) result_mem[TaskW'(result_task_q)] <= result_q;
      read_q   <= result_mem[TaskW'(best[i].task_id)];
      hands_q  <= result_write_q && result_task_q == best[i].task_id;
      handed_q <= result_q;
    end
    assign saved_result[i] = hands_q ? handed_q : read_q;
  end

  // ---- interrupts -----------------------------------------------------------------------------------------------------

  logic [2:0] irq_op;         // as mel_interrupts has them; `claim` is not the program's
  logic       reports;        // a deadline or budget: the line behind those of timers
  logic [6:0] irq_number;
  logic [16:0] expired;
  always_comb begin
    irq_op     = (active && (word.device inside {DeviceIrqEnable, DeviceIrqDisable, DeviceIrqRaise, DeviceIrqTake, DeviceIrqHold} ||
                             (word.device == DeviceIrqOffer && memory[28]))) ? word.device[2:0] : 3'd0;
    irq_number = (word.device inside {DeviceIrqTake, DeviceIrqOffer}) ? 7'(line) : 7'(object);
    if (begins_claim && irq_handler[0]) begin
      irq_op     = 3'd6;
      irq_number = offered_first;
    end
  end

  mel_interrupts #(
    .Interrupts (Sizes.Interrupts),
    .Timers     (Sizes.Timers + 1),
    .Holds      (Sizes.EventFlags + Sizes.Mutexes > 0)
  ) u_interrupts (
    .clk_i,
    .rst_ni,
    .irq_i            (irq),
    .expired_i        (17'(expired) | (17'(reports) << Sizes.Timers)),
    .hold_i           (jobs_begun[4'(JobWalk)] || jobs_begun[4'(JobLink)]),
    .op_i             (irq_op),
    .number_i         (irq_number),
    .held_i           (result[27]),
    .pending_o        (irq_pending),
    .first_o          (irq_first),
    .offered_o        (offered),
    .offered_first_o  (offered_first),
    .first_offered_o  (first_offered),
    .lost_o           (lost)
  );

`ifndef SYNTHESIS
  a_held_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(active && word.device == DeviceIrqTake && memory[27] && (jobs_begun[4'(JobWalk)] || jobs_begun[4'(JobLink)])));
`endif

  // Handlers run on core 0. Without ticks, claims have no limit.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      claims_spent_q <= 1'b0;
    end else begin
      if (active && word.device == DeviceClaimsSpent)     claims_spent_q <= 1'b1;
      else if (active && word.device == DeviceClaimsFree) claims_spent_q <= 1'b0;
    end
  end
  assign irq_handler   = Cores'(offered && !(claims_spent_q && ticks_on));
  assign reports       = active && word.report == ReportMiss;

  logic [15:0] lost_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lost_q <= '0;
    else         lost_q <= lost_q + 16'(lost);
  end

  // ---- time -----------------------------------------------------------------------------------------------------------

  logic        may_publish, found_valid, found_deadline, found_timer, open_q, noted, publishes;
  logic [31:0] tick_cycles, unused_now;
  logic [15:0] lines_expired;
  assign ticks_on  = tick_cycles != '0;
  assign expired   = 17'(lines_expired);
  assign publishes = active && word.device == DevicePublish;

  // An entry of mel_time: expiries of tasks and timers, deadlines in the second half.
  logic       sets, of_deadline, of_timer;
  logic [8:0] found_index;
  assign of_deadline = word.device inside {DeviceDeadlineArm, DeviceDeadlineDrop};
  assign of_timer    = word.device inside {DeviceTimerArm, DeviceTimerDrop};
  assign sets        = active && word.device inside {DeviceExpiryArm, DeviceExpiryDrop, DeviceDeadlineArm, DeviceDeadlineDrop,
                                                     DeviceTimerArm, DeviceTimerDrop};

  mel_time #(
    .Tasks     (Sizes.Tasks),
    .Timers    (Sizes.Timers),
    .TimeReset (TimeReset[31:0])
  ) u_time (
    .clk_i,
    .rst_ni,
    .clear_i          (clear),
    .clear_index_i    (clear_index[9:0]),
    .advance_i        (core_edge),
    .tick_set_i       (active && word.device == DeviceTickSet),
    .tick_cycles_i    (result),
    .tick_cycles_o    (tick_cycles),
    .publish_i        (publishes),
    .may_publish_o    (may_publish),
    .open_i           (open_q),
    .now_low_o        (unused_now),
    .set_i            (sets),
    .set_index_i      ({of_deadline, of_timer ? 9'(Sizes.Tasks) + 9'(object) : 9'(subject)}),
    .set_armed_i      (word.device inside {DeviceExpiryArm, DeviceDeadlineArm, DeviceTimerArm}),
    .set_value_i      (result),
    .found_valid_o    (found_valid),
    .found_deadline_o (found_deadline),
    .found_index_o    (found_index),
    .found_take_i     (active && word.device == DeviceFoundTake),
    .note_i           (active && word.device == DeviceTimerNote),
    .unnote_i         (active && word.device == DeviceTimerUnnote),
    .timer_i          (object[3:0]),
    .noted_o          (noted),
    .expired_o        (lines_expired)
  );
  assign found_timer  = found_index >= 9'(Sizes.Tasks);
  assign found_number = found_timer ? id_t'(found_index - 9'(Sizes.Tasks)) : id_t'(found_index);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                open_q <= 1'b0;
    else if (publishes)                         open_q <= due_valid;
    else if (!due_valid && idle && ready_idle)  open_q <= 1'b0;   // in a step a task may change its place in the list
  end

  // ---- accounts of the cores ------------------------------------------------------------------------------------------

  mel_accounts #(
    .Cores (Cores)
  ) u_accounts (
    .clk_i,
    .rst_ni,
    .advance_i     (core_edge),
    .word_i        (word),
    .active_i      (active),
    .result_i      (result),
    .work_core_i   (work_core),
    .core_step_i   (core_step),
    .core_i        (core),
    .beginner_i    (worked),
    .lines_i       ((Sizes.Monitor != 0) ? irq_handler_o | irq_dispatch_o : '0),   // else none has waited
    .peers_i       (peers),
    .judges_i      (idle && active && !(open_q && due_valid)),
    .cycles_o      (cycles),
    .stamp_o       (stamp),
    .since_o       (since),
    .before_o      (previous),
    .limits_o      (limits),
    .budget_over_o (budget_over),
    .slice_over_o  (slice_over)
  );

  // ---- the background -------------------------------------------------------------------------------------------------

  logic [Cores-1:0] turns;
  assign turns = ((Cores > 1 || limits) && settled) ? reclaims : '0;
  assign jobs  = {3'b000, found_valid, open_q && due_valid, 2'b00, |slice_over, |turns, |budget_over, may_publish};
  always_ff @(posedge clk_i) begin
    job_core <= '0;
    for (int unsigned i = Cores; i > 0; i--) if (slice_over[i-1])  job_core <= 2'(i - 1);
    for (int unsigned i = Cores; i > 0; i--) if (turns[i-1])       job_core <= 2'(i - 1);
    for (int unsigned i = Cores; i > 0; i--) if (budget_over[i-1]) job_core <= 2'(i - 1);
  end

  // ---- what a word reads and tests of devices -------------------------------------------------------------------------

  logic [3:0] msb;
  logic       first_offered_q, claimed_valid_q, has_handler_q, idle_q;
  always_comb begin
    msb = '0;
    for (int unsigned i = 1; i < 16; i++) if (last[i]) msb = 4'(i);
    if (last[31:16] != '0) msb = '1;
  end

  // Operands of the next word, in registers that are 0 when it takes another: the choice comes late, out of the program store, and resets them.
  logic [31:0] cycles_q, stamp_q, since_q, swapped_q, refused_q;
  logic [15:0] edges_q;
  logic [9:0]  found_q;
  logic [8:0]  running_q;
  id_t         before_q;
  prio_t       urgency_q;
  status_t     refusal_q;
  logic [3:0]  msb_q;

  function automatic logic reads(word_t behind, logic [3:0] number);
    return behind.a_from == AFromDevice && behind.a == number;
  endfunction

  always_ff @(posedge clk) if (!stall) begin
    constant_q <= (next.b_from == BFromConstant) ? next.constant : '0;
    argument_q <= (next.a_from == AFromArgument) ? served.argument : '0;
    cycles_q   <= reads(next, DeviceReadCycles)  ? cycles_read : '0;
    stamp_q    <= reads(next, DeviceReadStamp)   ? stamp : '0;
    since_q    <= reads(next, DeviceReadSince)   ? since : '0;
    swapped_q  <= reads(next, DeviceReadSwapped) ? {last[15:0], last[31:16]} : '0;
    edges_q    <= reads(next, DeviceReadLost)    ? lost_q : '0;
    msb_q      <= reads(next, DeviceReadMsb)     ? msb : '0;
    found_q    <= reads(next, DeviceReadFound)   ? {found_deadline, found_timer, found_number} : '0;
    before_q   <= reads(next, DeviceReadBefore)  ? previous.task_id : '0;
    refusal_q  <= reads(next, DeviceReadRefusal) ? refusal : '0;
    refused_q  <= reads(next, DeviceReadRefused) ? status_word(refusal) : '0;
    urgency_q  <= reads(next, DeviceReadTop)     ? waiter.prio | {8{!waiter.valid}} : '0;
    running_q  <= !reads(next, DeviceReadRunning) ? '0 : worked.running_valid ? 9'(worked.running) : 9'(Sizes.Tasks);
  end
  assign given = argument_q | cycles_q | stamp_q | since_q | swapped_q | 32'(edges_q) | 32'(msb_q) | {found_q[9:8], 22'd0, found_q[7:0]} |
                 {refusal_q, 16'd0, before_q} | refused_q | 32'(urgency_q) | 32'(running_q);

  always_comb begin
    unique case (word.position)
      DeviceTestByIrq:       device_test = !by_core;
      DeviceTestInTask:      device_test = context_of(core[CoreW'(caller)]) == mel_pkg::ContextTask;
      DeviceTestFailed:      device_test = failed;
      DeviceTestOffered:     device_test = first_offered_q;
      DeviceTestTook:        device_test = previous.took;
      DeviceTestPreempted:   device_test = previous.preempted;
      DeviceTestChanged:     device_test = previous.changed;
      DeviceTestCounted:     device_test = previous.counted;
      DeviceTestNoted:       device_test = noted;
      DeviceTestOpen:        device_test = open_q;
      DeviceTestTicksOn:     device_test = ticks_on;
      DeviceTestLimits:      device_test = limits;
      DeviceTestDueList:     device_test = due_valid;
      DeviceTestWasValid:    device_test = previous.valid;
      DeviceTestClaimed:     device_test = claimed_valid_q;
      DeviceTestCommand:     device_test = served.write && !served.in_registers && served.legal;
      DeviceTestQuery:       device_test = !served.write && !served.in_registers && served.legal;
      DeviceTestMonitor:     device_test = Sizes.Monitor != 0;
      DeviceTestListed:      device_test = core[CoreW'(caller)].listed;
      DeviceTestDraining:    device_test = jobs_begun[4'(JobDrain)];
      DeviceTestOrphan:      device_test = jobs_begun[4'(JobOrphan)];
      DeviceTestPurging:     device_test = jobs_begun[4'(JobPurge)];
      DeviceTestInHandler:   device_test = core[CoreW'(work_core)].in_handler;
      DeviceTestGoesOn:      device_test = turn[CoreW'(work_core)].goes_on;
      DeviceTestHasTask:     device_test = core[CoreW'(work_core)].running_valid;
      DeviceTestCounts:      device_test = failed || (readied && Sizes.Monitor != 0);
      DeviceTestAsked:       device_test = previous.asked;
      DeviceTestLastCore:    device_test = work_core == 2'(Cores - 1);
      DeviceTestHandler:     device_test = has_handler_q;
      DeviceTestHasTurn:     device_test = context_of(core[CoreW'(caller)]) == mel_pkg::ContextTask &&
                                           core[CoreW'(caller)].runnable && !core[CoreW'(caller)].listed;
      DeviceTestMatched:     device_test = matched_valid;
      DeviceTestMoreMatch:   device_test = more_match;
      default:               device_test = 1'b0;
    endcase
  end

  // The line that is served was offered when its service began; the last claim took an interrupt, and counts.
  always_ff @(posedge clk_i) begin
    idle_q <= idle;
    if (idle_q) first_offered_q <= first_offered;   // it follows the choice of the line by a cycle
    if (active && word.device == DeviceIrqTake) has_handler_q <= memory[28];
    if (begins_claim) claimed_valid_q <= irq_handler[0] && ticks_on;
  end

  mel_engine_trace #(
    .Tasks (Sizes.Tasks),
    .Cores (Cores)
  ) u_trace (
    .clk_i (clk),
    .rst_ni,
    .word_i          (word),
    .active_i        (active),
    .result_i        (result),
    .last_i          (last),
    .access_i        (served),
    .caller_i        (caller),
    .by_core_i       (by_core),
    .work_core_i     (work_core),
    .core_i          (core),
    .finish_i        (finish),
    .memory_i        (memory),
    .line_i          (line),
    .subject_i       (subject),
    .object_i        (object),
    .begins_dispatch_i (begins_dispatch),
    .begins_claim_i  (begins_claim),
    .claim_valid_i   (irq_handler[0]),
    .claim_i         (offered_first),
    .answered_i      (answered),
    .answer_status_i (answer_status),
    .trace_tick_o    (trace_tick),
    .trace_o         (trace_step),
    .trace_answer_o  (trace_answer)
  );

endmodule
