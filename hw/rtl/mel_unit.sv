// mel_unit: the hardware RTOS: scheduler, wait queues, timers and interrupt dispatch beside a core. Wiring only.
//
// Contract: docs/decisions/0001, spec/, melanion/model. One access port per core: a request is taken when valid and ready, and gets
// one response, at least one cycle later, in order. Rising edges of `irq_i` count; it is synchronous to `clk_i`.
// `irq_handler_o`: an interrupt waits for a C handler (claim). `irq_dispatch_o`: another task should run (dispatch).
//
// Timing: a store of a command is taken in its request cycle; the load of its answer in the next cycle is answered U + 1
// cycles after the store was taken (U: mel_sequencer, 2 when a count changes, 4 when a task is released). Edge of `irq_i` to
// `irq_dispatch_o`: 5 cycles for a wake-up, 6 for a give, when nothing else is under way.
module mel_unit
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks         = 64,   // 4..256
  parameter int unsigned Priorities    = 32,   // 2..256, 0 is the most urgent
  parameter int unsigned Semaphores    = 64,   // 0..128
  parameter int unsigned EventFlags    = 16,   // 0..128 groups of 32
  parameter int unsigned Mutexes       = 16,   // 0..128
  parameter int unsigned Queues        = 16,   // 0..128
  parameter int unsigned Messages      = 64,   // 0..256 words, of all queues
  parameter int unsigned Timers        = 8,    // 0..16
  parameter int unsigned Interrupts    = 32,   // 0..64
  parameter int unsigned Cores         = 1,    // 1..4
  parameter logic [63:0] TimeReset     = '0,   // ticks, at reset
  parameter logic [31:0] ParameterHash = '0,   // what boot code compares
  parameter bit          ClockGate     = 1'b0, // mel_clock_gate
  localparam int unsigned IrqWidth     = (Interrupts > 0) ? Interrupts : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [Cores-1:0]            req_valid_i,
  output logic [Cores-1:0]            req_ready_o,
  input  logic [Cores-1:0]            req_write_i,
  input  logic [Cores-1:0][15:0]      req_addr_i,    // byte offset in the core's window
  input  logic [Cores-1:0][3:0]       req_be_i,
  input  logic [Cores-1:0][31:0]      req_wdata_i,
  output logic [Cores-1:0]            rsp_valid_o,
  output logic [Cores-1:0][31:0]      rsp_rdata_o,

  input  logic [IrqWidth-1:0]         irq_i,
  output logic [Cores-1:0]            irq_handler_o,
  output logic [Cores-1:0]            irq_dispatch_o,

  output mel_pkg::trace_t             trace_tick_o,
  output mel_pkg::trace_t             trace_o,
  output mel_pkg::trace_t [Cores-1:0] trace_answer_o
);

  if (Tasks < mel_pkg::TasksMin || Tasks > mel_pkg::TasksMax) begin : gen_bad_tasks
    $fatal(1, "mel_unit: parameter Tasks = %0d is out of range 4..256", Tasks);
  end
  if (Priorities < mel_pkg::PrioritiesMin || Priorities > mel_pkg::PrioritiesMax) begin : gen_bad_priorities
    $fatal(1, "mel_unit: parameter Priorities = %0d is out of range 2..256", Priorities);
  end
  if (Semaphores > mel_pkg::SemaphoresMax) begin : gen_bad_semaphores
    $fatal(1, "mel_unit: parameter Semaphores = %0d is out of range 0..128", Semaphores);
  end
  if (EventFlags > mel_pkg::EventFlagsMax) begin : gen_bad_event_flags
    $fatal(1, "mel_unit: parameter EventFlags = %0d is out of range 0..128", EventFlags);
  end
  if (Mutexes > mel_pkg::MutexesMax) begin : gen_bad_mutexes
    $fatal(1, "mel_unit: parameter Mutexes = %0d is out of range 0..128", Mutexes);
  end
  if (Queues > mel_pkg::QueuesMax) begin : gen_bad_queues
    $fatal(1, "mel_unit: parameter Queues = %0d is out of range 0..128", Queues);
  end
  if (Messages > mel_pkg::MessagesMax) begin : gen_bad_messages
    $fatal(1, "mel_unit: parameter Messages = %0d is out of range 0..256", Messages);
  end
  if (Timers > mel_pkg::TimersMax) begin : gen_bad_timers
    $fatal(1, "mel_unit: parameter Timers = %0d is out of range 0..16", Timers);
  end
  if (Interrupts > mel_pkg::InterruptsMax) begin : gen_bad_interrupts
    $fatal(1, "mel_unit: parameter Interrupts = %0d is out of range 0..64", Interrupts);
  end
  if (Cores < mel_pkg::CoresMin || Cores > mel_pkg::CoresMax) begin : gen_bad_cores
    $fatal(1, "mel_unit: parameter Cores = %0d is out of range 1..4", Cores);
  end else if (Cores > 1) begin : gen_many_cores
    $fatal(1, "mel_unit: parameter Cores = %0d: the choice of a core does not exist yet, use 1", Cores);
  end

  logic             clk, awake;   // of all that sleeps while there is nothing to do
  logic             sequencer_busy, timers_busy, irqs_busy, trace_busy, flags_busy;
  logic             ready, clear, quiet;
  line_t            clear_index;
  logic [Cores-1:0] access_valid, access_done, operand_done, answered, illegal;
  access_t          access        [Cores];
  logic [31:0]      access_data;
  core_t            core          [Cores];
  core_step_t       core_step     [Cores];
  logic [31:0]      answer        [Cores];
  status_t          answer_status [Cores];
  finish_t          finish;
  step_event_t      step_event;
  plan_t            plan;
  access_t          planned_access;
  inherit_t         inherit;
  id_t              subject, save_result_id, purge_id, mutex_write_id;
  line_t            context_line;
  logic             save_result, operand_write, mutex_write;
  reads_t           reads;
  records_t         records;
  lists_request_t   lists_request;
  lists_t           lists;
  task_t            task_entry;
  event_flags_t     flags_entry;
  logic             judged, flags_taken;
  logic [31:0]      flags_clear;
  flag_released_t   released;
  flag_wait_t       flag_wait;
  logic             queues_settled, message_valid, purge_valid;
  logic [31:0]      message;
  mutex_t           mutex_entry;
  status_t          save_result_value, saved_result;
  top_t             unused_best_next;
  timers_t          timers;
  logic [15:0]      alarms, expired;
  irq_request_t     irq_request;
  claim_t           claim;
  logic             irq_take, tick;
  logic [63:0]      now, next_tick;
  logic [31:0]      tick_cycles, refused, lost_irqs;
  logic [6:0]       lost_edges;

  assign awake = sequencer_busy || timers_busy || irqs_busy || trace_busy || flags_busy ||
                 (|{req_valid_i, ~req_ready_o, access_valid, rsp_valid_o});

  mel_clock_gate #(.Gated(ClockGate)) u_clock_gate (
    .clk_i,
    .awake_i (awake),
    .clk_o   (clk)
  );

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    mel_command #(
      .Tasks         (Tasks),
      .ParameterHash (ParameterHash)
    ) u_command (
      .clk_i (clk),
      .rst_ni,
      .req_valid_i    (req_valid_i[i]),
      .req_ready_o    (req_ready_o[i]),
      .req_write_i    (req_write_i[i]),
      .req_addr_i     (req_addr_i[i]),
      .req_be_i       (req_be_i[i]),
      .req_wdata_i    (req_wdata_i[i]),
      .rsp_valid_o    (rsp_valid_o[i]),
      .rsp_rdata_o    (rsp_rdata_o[i]),
      .access_valid_o (access_valid[i]),
      .access_o       (access[i]),
      .access_done_i  (access_done[i]),
      .operand_done_i (operand_done[i]),
      .access_data_i  (access_data),
      .ready_i        (ready),
      .core_i         (core[i]),
      .answer_i       (answer[i]),
      .time_i         (now),
      .tick_cycles_i  (tick_cycles),
      .refused_i      (refused),
      .lost_irqs_i    (lost_irqs),
      .answered_o     (answered[i]),
      .illegal_o      (illegal[i])
    );

    mel_dispatcher u_dispatcher (
      .clk_i (clk),
      .rst_ni,
      .best_i          (lists.best),
      .steady_i        (lists.ready.settled),
      .step_i          (core_step[i]),
      .finish_i        (finish),
      .result_i        (saved_result),
      .state_o         (core[i]),
      .answer_o        (answer[i]),
      .answer_status_o (answer_status[i]),
      .irq_dispatch_o  (irq_dispatch_o[i])
    );
  end

  mel_sequencer #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Semaphores (Semaphores),
    .EventFlags (EventFlags),
    .Mutexes    (Mutexes),
    .Queues     (Queues),
    .Messages   (Messages),
    .Timers     (Timers),
    .Interrupts (Interrupts),
    .Cores      (Cores)
  ) u_sequencer (
    .clk_i (clk),
    .rst_ni,
    .ready_o             (ready),
    .clear_o             (clear),
    .clear_index_o       (clear_index),
    .quiet_o             (quiet),
    .busy_o              (sequencer_busy),
    .access_valid_i      (access_valid),
    .access_i            (access),
    .access_done_o       (access_done),
    .operand_done_o      (operand_done),
    .access_data_o       (access_data),
    .core_i              (core),
    .core_step_o         (core_step),
    .finish_o            (finish),
    .reads_o             (reads),
    .records_i           (records),
    .lists_o             (lists_request),
    .lists_i             (lists),
    .queues_settled_i    (queues_settled),
    .purge_valid_i       (purge_valid),
    .purge_id_i          (purge_id),
    .save_result_o       (save_result),
    .save_result_id_o    (save_result_id),
    .save_result_value_o (save_result_value),
    .plan_o              (plan),
    .inherit_o           (inherit),
    .access_o            (planned_access),
    .subject_o           (subject),
    .context_o           (context_line),
    .operand_write_o     (operand_write),
    .mutex_write_o       (mutex_write),
    .mutex_write_id_o    (mutex_write_id),
    .mutex_o             (mutex_entry),
    .judged_i            (judged),
    .flags_taken_o       (flags_taken),
    .released_i          (released),
    .timers_i            (timers),
    .alarms_i            (alarms),
    .irq_i               (irq_request),
    .irq_take_o          (irq_take),
    .claim_i             (claim),
    .event_o             (step_event)
  );

  // ---- tables ---------------------------------------------------------------------------------------------------------

  always_comb begin
    task_entry = plan.task_entry;
    if (inherit.prio_we) task_entry.prio = inherit.prio;
  end

  mel_task_table #(
    .Tasks      (Tasks),
    .Priorities (Priorities)
  ) u_task_table (
    .clk_i (clk),
    .clear_i           (clear),
    .clear_index_i     (clear_index),
    .read_i            (reads.task_en),
    .read_id_i         (reads.task_id),
    .record_o          (records.task_record),
    .write_i           (plan.task_we),
    .write_id_i        (subject),
    .record_i          (task_entry),
    .prio_write_i      (inherit.prio_we),
    .result_read_id_i  (lists.best.task_id),
    .result_o          (saved_result),
    .result_write_i    (save_result || plan.change.sets_result),
    .result_write_id_i (save_result ? save_result_id : subject),
    .result_i          (save_result ? save_result_value : plan.change.result)
  );

  // What flags bring comes one cycle after the plan, as what a queue brings.
  logic        flags_value_q;
  line_t       late_context_q;
  logic        value_write;
  line_t       value_context;
  logic [31:0] value_entry;

  always_ff @(posedge clk or negedge rst_ni) begin
    if (!rst_ni) flags_value_q <= 1'b0;
    else         flags_value_q <= plan.flags_value;
  end
  always_ff @(posedge clk) begin
    late_context_q <= plan.flags_value ? line_t'(subject) : context_line;
  end

  assign value_write   = plan.value_we || flags_value_q || message_valid;
  assign value_context = (flags_value_q || message_valid) ? late_context_q :
                         plan.value_to_waiter             ? line_t'(subject) : context_line;
  assign value_entry   = flags_value_q ? released.value : message_valid ? message : plan.value;

  mel_words #(
    .Tasks (Tasks),
    .Cores (Cores)
  ) u_words (
    .clk_i (clk),
    .clear_i         (clear),
    .clear_index_i   (clear_index),
    .read_i          (reads.object_en),
    .read_index_i    (reads.context_line),
    .operand_o       (records.operand),
    .value_o         (records.value),
    .operand_write_i (operand_write),
    .operand_index_i (reads.context_line),
    .operand_i       (step_event.access.argument),
    .value_write_i   (value_write),
    .value_index_i   (value_context),
    .value_i         (value_entry),
    .word_read_i     (reads.word_en),
    .word_read_id_i  (reads.task_id),
    .word_o          (records.word),
    .word_write_i    (plan.word_we),
    .word_write_id_i (subject),
    .word_i          (planned_access.argument)
  );

  mel_semaphores #(.Semaphores(Semaphores)) u_semaphores (
    .clk_i (clk),
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .read_i        (reads.object_en),
    .read_id_i     (reads.object_id),
    .record_o      (records.semaphore),
    .write_i       (plan.semaphore_we),
    .write_id_i    (planned_access.id),
    .record_i      (plan.semaphore_entry)
  );

  always_comb begin
    flags_entry = plan.flags_entry;
    if (flags_taken) flags_entry.flags &= ~flags_clear;
    flag_wait = '{
      op:      inherit.prio_we ? inherit.flag_wait_op : plan.flag_wait_op,
      task_id: subject,
      group:   plan.wait_id,
      pattern: planned_access.argument,
      all:     planned_access.op inside {mel_pkg::OpEventFlagsWaitAll, mel_pkg::OpEventFlagsTakeAll},
      take:    planned_access.op inside {mel_pkg::OpEventFlagsTakeAny, mel_pkg::OpEventFlagsTakeAll},
      prio:    inherit.prio_we ? inherit.prio : (plan.flag_wait_op == FlagWaitMove) ? plan.move_prio : plan.prio
    };
  end

  mel_event_flags #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .EventFlags (EventFlags)
  ) u_event_flags (
    .clk_i (clk),
    .rst_ni,
    .clear_i           (clear),
    .clear_index_i     (clear_index),
    .read_i            (reads.object_en),
    .read_id_i         (reads.object_id),
    .read_subject_i    (reads.task_id),
    .record_o          (records.flags),
    .waited_o          (records.waited),
    .subject_matched_o (records.released),
    .write_i           (plan.flags_we || flags_taken),
    .write_id_i        (planned_access.id),
    .record_i          (flags_entry),
    .wait_i            (flag_wait),
    .judge_i           ('{valid: plan.judge, group: planned_access.id, flags: records.flags.flags | planned_access.argument,
                          remove: planned_access.op == mel_pkg::OpEventFlagsDelete}),
    .judged_o          (judged),
    .judge_clear_o     (flags_clear),
    .released_o        (released),
    .busy_o            (flags_busy)
  );

  mel_queues #(
    .Queues            (Queues),
    .Messages          (Messages),
    .MessagePriorities (mel_pkg::MessagePriorities)
  ) u_queues (
    .clk_i (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .read_i        (reads.object_en),
    .read_id_i     (reads.object_id),
    .record_o      (records.messages),
    .room_o        (records.room),
    .request_i     ('{op: plan.queue_op, word: plan.message, prio: plan.message_prio}),
    .settled_o     (queues_settled),
    .word_valid_o  (message_valid),
    .word_o        (message),
    .purge_valid_o (purge_valid),
    .purge_id_o    (purge_id)
  );

  mel_mutexes #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Mutexes    (Mutexes)
  ) u_mutexes (
    .clk_i (clk),
    .rst_ni,
    .clear_i        (clear),
    .clear_index_i  (clear_index),
    .read_i         (reads.mutex_en),
    .read_id_i      (reads.mutex_id),
    .record_o       (records.mutex),
    .write_i        (mutex_write),
    .write_id_i     (mutex_write_id),
    .record_i       (mutex_entry),
    .held_request_i (lists_request.held),
    .held_state_o   (lists.held),
    .held_o         (lists.inherited),
    .held_after_o   (lists.inherited_after)
  );

  // ---- sets, timers, interrupts ---------------------------------------------------------------------------------------

  mel_ready_set #(
    .Tasks      (Tasks),
    .Priorities (Priorities)
  ) u_ready_set (
    .clk_i (clk),
    .rst_ni,
    .request_i   (lists_request.ready),
    .state_o     (lists.ready),
    .best_o      (lists.best),
    .best_next_o (unused_best_next)
  );

  mel_wait_set #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Semaphores (Semaphores),
    .Mutexes    (Mutexes),
    .Queues     (Queues)
  ) u_wait_set (
    .clk_i (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .request_i     (lists_request.waits),
    .state_o       (lists.waits),
    .top_o         (lists.waiter),
    .after_o       (lists.waiter_after)
  );

  mel_timers #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Timers     (Timers),
    .TimeReset  (TimeReset)
  ) u_timers (
    .clk_i,
    .clk_awake_i   (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .quiet_i       (quiet),
    .tick_set_i    (plan.tick_set),
    .tick_cycles_i (planned_access.argument),
    .tick_cycles_o (tick_cycles),
    .time_o        (now),
    .tick_o        (tick),
    .time_next_o   (next_tick),
    .op_i          (plan.timer_op),
    .task_id_i     (subject),
    .timeout_i     (plan.timeout),
    .alarm_op_i    (plan.alarm_op),
    .alarm_id_i    (planned_access.id),
    .period_i      (records.operand.word),
    .alarms_o      (alarms),
    .expired_o     (expired),
    .offer_o       (timers),
    .collected_i   (plan.collected),
    .due_request_i (lists_request.due),
    .due_state_o   (lists.due),
    .busy_o        (timers_busy)
  );

  mel_interrupt_map #(
    .Interrupts (Interrupts),
    .Timers     (Timers)
  ) u_interrupt_map (
    .clk_i (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .irq_i,
    .expired_i     (expired),
    .op_i          (plan.irq_op),
    .number_i      (planned_access.id),
    .argument_i    (planned_access.argument),
    .operand_i     (records.operand.word),
    .request_o     (irq_request),
    .take_i        (irq_take),
    .offer_i       (plan.irq_offer),
    .claim_o       (claim),
    .claim_i       (core_step[0].claim),
    .lost_o        (lost_edges),
    .busy_o        (irqs_busy)
  );

  // Handlers run on core 0 until the choice of a core exists. The line stays high in a handler while further interrupts
  // wait: handlers run with interrupts disabled, and the next one is then taken at the return from this one.
  assign irq_handler_o = Cores'(claim.valid);

  mel_monitor #(.Cores(Cores)) u_monitor (
    .clk_i (clk),
    .rst_ni,
    .event_i      (step_event),
    .illegal_i    (illegal),
    .lost_edges_i (lost_edges),
    .refused_o    (refused),
    .lost_irqs_o  (lost_irqs)
  );

  mel_trace #(
    .Tasks (Tasks),
    .Cores (Cores)
  ) u_trace (
    .clk_i (clk),
    .rst_ni,
    .tick_i          (tick),
    .time_next_i     (next_tick),
    .event_i         (step_event),
    .answered_i      (answered),
    .core_i          (core),
    .answer_status_i (answer_status),
    .trace_tick_o,
    .trace_o,
    .trace_answer_o,
    .busy_o          (trace_busy)
  );

endmodule
