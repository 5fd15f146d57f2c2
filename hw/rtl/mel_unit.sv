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
#(
  parameter int unsigned Tasks         = 64,   // 4..256
  parameter int unsigned Priorities    = 32,   // 2..256, 0 is the most urgent
  parameter int unsigned Semaphores    = 64,   // 0..128
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
  if (Interrupts > mel_pkg::InterruptsMax) begin : gen_bad_interrupts
    $fatal(1, "mel_unit: parameter Interrupts = %0d is out of range 0..64", Interrupts);
  end
  if (Cores < mel_pkg::CoresMin || Cores > mel_pkg::CoresMax) begin : gen_bad_cores
    $fatal(1, "mel_unit: parameter Cores = %0d is out of range 1..4", Cores);
  end else if (Cores > 1) begin : gen_many_cores
    $fatal(1, "mel_unit: parameter Cores = %0d: the choice of a core does not exist yet, use 1", Cores);
  end

  logic             clk, awake;   // of all that sleeps while there is nothing to do
  logic             sequencer_busy, timers_busy, irqs_busy, trace_busy;
  logic             ready, clear, quiet;
  id_t              clear_index;
  logic [Cores-1:0] access_valid, access_done, answered, illegal;
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
  id_t              subject, semaphore_id;
  logic             read, save_result;
  id_t              read_task, read_semaphore, save_result_id;
  task_t            task_record;
  semaphore_t       semaphore_record;
  status_t          save_result_value, saved_result;
  list_request_t    ready_request, wait_request, due_request;
  list_state_t      ready_state, wait_state, due_state;
  top_t             best, best_next, waiter;
  timers_t          timers;
  irq_request_t     irq_request;
  claim_t           claim;
  logic             irq_take, tick;
  logic [63:0]      now, next_tick;
  logic [31:0]      tick_cycles, refused, lost_irqs;
  logic [6:0]       lost_edges;

  assign awake = sequencer_busy || timers_busy || irqs_busy || trace_busy || (|{req_valid_i, access_valid, rsp_valid_o});

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
      .best_i          (best),
      .best_next_i     (best_next),
      .steady_i        (ready_state.settled),
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
    .access_data_o       (access_data),
    .core_i              (core),
    .core_step_o         (core_step),
    .finish_o            (finish),
    .read_o              (read),
    .read_task_o         (read_task),
    .read_semaphore_o    (read_semaphore),
    .task_i              (task_record),
    .semaphore_i         (semaphore_record),
    .save_result_o       (save_result),
    .save_result_id_o    (save_result_id),
    .save_result_value_o (save_result_value),
    .plan_o              (plan),
    .access_o            (planned_access),
    .subject_o           (subject),
    .semaphore_o         (semaphore_id),
    .ready_request_o     (ready_request),
    .ready_state_i       (ready_state),
    .best_i              (best),
    .wait_request_o      (wait_request),
    .wait_state_i        (wait_state),
    .waiter_i            (waiter),
    .due_request_o       (due_request),
    .due_state_i         (due_state),
    .timers_i            (timers),
    .irq_i               (irq_request),
    .irq_take_o          (irq_take),
    .claim_i             (claim),
    .event_o             (step_event)
  );

  mel_task_table #(
    .Tasks      (Tasks),
    .Priorities (Priorities)
  ) u_task_table (
    .clk_i (clk),
    .clear_i           (clear),
    .clear_index_i     (clear_index),
    .read_i            (read),
    .read_id_i         (read_task),
    .record_o          (task_record),
    .write_i           (plan.task_we),
    .write_id_i        (subject),
    .record_i          (plan.task_entry),
    .result_read_id_i  (best.task_id),
    .result_o          (saved_result),
    .result_write_i    (save_result || plan.change.sets_result),
    .result_write_id_i (save_result ? save_result_id : subject),
    .result_i          (save_result ? save_result_value : plan.change.result)
  );

  mel_semaphores #(.Semaphores(Semaphores)) u_semaphores (
    .clk_i (clk),
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .read_i        (read),
    .read_id_i     (read_semaphore),
    .record_o      (semaphore_record),
    .write_i       (plan.semaphore_we),
    .write_id_i    (semaphore_id),
    .record_i      (plan.semaphore_entry)
  );
  mel_ready_set #(
    .Tasks      (Tasks),
    .Priorities (Priorities)
  ) u_ready_set (
    .clk_i (clk),
    .rst_ni,
    .request_i   (ready_request),
    .state_o     (ready_state),
    .best_o      (best),
    .best_next_o (best_next)
  );

  mel_wait_set #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Semaphores (Semaphores)
  ) u_wait_set (
    .clk_i (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .request_i     (wait_request),
    .state_o       (wait_state),
    .top_o         (waiter)
  );

  mel_timers #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
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
    .offer_o       (timers),
    .collected_i   (plan.collected),
    .due_request_i (due_request),
    .due_state_o   (due_state),
    .busy_o        (timers_busy)
  );

  mel_interrupt_map #(.Interrupts(Interrupts)) u_interrupt_map (
    .clk_i (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .irq_i,
    .op_i          (plan.irq_op),
    .number_i      (planned_access.id),
    .argument_i    (planned_access.argument),
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
