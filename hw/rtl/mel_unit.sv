// SPDX-License-Identifier: Apache-2.0
// mel_unit: the hardware RTOS: scheduler, wait queues, timers and interrupt dispatch beside a core. Wiring only.
//
// Contract: docs/decisions/0001, spec/, melanion/model. One access port per core: a request is taken when valid and ready, and gets
// one response, at least one cycle later, in order. Rising edges of `irq_i` count; it is synchronous to `clk_i`.
// `irq_handler_o`: an interrupt waits for a C handler (claim). `irq_dispatch_o`: another task should run (dispatch).
//
// Timing: a store of a command is taken in its request cycle; the load of its answer in the next cycle is answered U + 1
// cycles after the store was taken (U: mel_sequencer, 2 when a count changes, 4 when a task is released). Edge of `irq_i` to
// `irq_dispatch_o`: 5 cycles for a wake-up or a notification, 6 for a give, when nothing else is under way.
module mel_unit
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter mel_pkg::sizes_t Sizes     = mel_pkg::SizesDefault,  // ranges: mel_sizes_check
  parameter logic [63:0] TimeReset     = '0,                     // ticks, at reset
  parameter logic [31:0] ParameterHash = '0,                     // compared by boot code
  parameter bit          ClockGate     = 1'b0,                   // mel_clock_gate
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
  // (Tasks: idle); what a load of the answer returns, from registers.
  output logic [Cores-1:0]            dispatch_o,
  output logic [Cores-1:0][8:0]       running_o,
  output logic [Cores-1:0][31:0]      answer_o,

  output mel_pkg::trace_t             trace_tick_o,
  output mel_pkg::trace_t             trace_o,
  output mel_pkg::trace_t [Cores-1:0] trace_answer_o
);

  mel_sizes_check #(
    .Sizes (Sizes)
  ) u_sizes_check ();

  logic             clk, awake;   // clock of the modules that sleep while idle; its enable
  logic             sequencer_busy, timers_busy, irqs_busy, trace_busy, flags_busy;
  logic             ready, clear, quiet, steady;
  line_t            clear_index;
  logic [Cores-1:0] access_valid, access_done, operand_done, answered, illegal, reclaims;
  access_t          access        [Cores];
  logic [31:0]      access_data;
  logic [Cores-1:0] peers, expired_slices;
  logic             slices_settled, slices;
  core_t            core          [Cores];
  turn_t            turn          [Cores];
  core_step_t       core_step     [Cores];
  logic [31:0]      answer        [Cores];
  status_t          answer_status [Cores];
  finish_t          finish;
  step_event_t      step_event;
  plan_t            plan;
  access_t          planned_access;
  inherit_t         inherit;
  id_t              subject, purge_id;
  line_t            context_line;
  logic             operand_write;
  reads_t           reads;
  records_t         records;
  lists_request_t   lists_request;
  lists_t           lists;
  logic             judged, flags_taken;
  flag_released_t   released;
  logic             queues_settled, purge_valid;
  mutex_write_t     mutex_write;
  save_result_t     save_result;
  status_t          saved_result;
  top_t             best          [Cores];
  affinity_t        best_affinity [Cores];
  timers_t          timers;
  logic [15:0]      alarms, expired;
  irq_request_t     irq_request;
  claim_t           claim;
  logic             irq_take, tick, handler_waits;
  logic [63:0]      now, next_tick;
  logic [31:0]      tick_cycles, refused, lost_irqs;
  logic [6:0]       lost_edges;
  monitor_t         monitor       [Cores];
  report_t          report;
  watch_t           watch;
  logic             watch_settled, watch_busy;
  logic [Cores-1:0] monitor_clear;
  logic [31:0]      run_time;

  assign awake = sequencer_busy || timers_busy || irqs_busy || trace_busy || flags_busy || watch_busy ||
                 (|{req_valid_i, ~req_ready_o, access_valid, rsp_valid_o});

  mel_clock_gate #(.Gated(ClockGate)) u_clock_gate (
    .clk_i,
    .awake_i (awake),
    .clk_o   (clk)
  );

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    mel_command #(
      .Tasks         (Sizes.Tasks),
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
      .monitor_i      (monitor[i]),
      .watch_i        (watch),
      .monitor_clear_o (monitor_clear[i]),
      .answered_o     (answered[i]),
      .illegal_o      (illegal[i])
    );

    mel_dispatcher u_dispatcher (
      .clk_i (clk),
      .rst_ni,
      .best_i          (best[i]),
      .best_affinity_i (best_affinity[i]),
      .steady_i        (steady),
      .step_i          (core_step[i]),
      .finish_i        (finish),
      .result_i        (saved_result),
      .state_o         (core[i]),
      .turn_o          (turn[i]),
      .reclaims_o      (reclaims[i]),
      .answer_o        (answer[i]),
      .answer_status_o (answer_status[i]),
      .irq_dispatch_o  (irq_dispatch_o[i])
    );

    assign dispatch_o[i] = core_step[i].dispatch;
    assign running_o[i]  = core[i].chosen_valid ? 9'(core[i].chosen) : 9'(Sizes.Tasks);
    assign answer_o[i]   = answer[i];
  end

  mel_sequencer #(
    .Sizes (Sizes)
  ) u_sequencer (
    .clk_i (clk),
    .rst_ni,
    .ready_o             (ready),
    .clear_o             (clear),
    .clear_index_o       (clear_index),
    .quiet_o             (quiet),
    .steady_o            (steady),
    .busy_o              (sequencer_busy),
    .access_valid_i      (access_valid),
    .access_i            (access),
    .access_done_o       (access_done),
    .operand_done_o      (operand_done),
    .access_data_o       (access_data),
    .core_i              (core),
    .reclaims_i          ((Cores > 1 || slices) ? reclaims : '0),
    .expired_i           (expired_slices),
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
    .plan_o              (plan),
    .inherit_o           (inherit),
    .access_o            (planned_access),
    .subject_o           (subject),
    .context_o           (context_line),
    .operand_write_o     (operand_write),
    .mutex_write_o       (mutex_write),
    .judged_i            (judged),
    .flags_taken_o       (flags_taken),
    .released_i          (released),
    .timers_i            (timers),
    .alarms_i            (alarms),
    .irq_i               (irq_request),
    .irq_take_o          (irq_take),
    .claim_i             (claim),
    .run_time_i          (run_time),
    .event_o             (step_event)
  );

  mel_tables #(
    .Sizes (Sizes)
  ) u_tables (
    .clk_i (clk),
    .rst_ni,
    .clear_i             (clear),
    .clear_index_i       (clear_index),
    .reads_i             (reads),
    .records_o           (records),
    .plan_i              (plan),
    .inherit_i           (inherit),
    .access_i            (planned_access),
    .subject_i           (subject),
    .context_i           (context_line),
    .mutex_write_i       (mutex_write),
    .operand_write_i     (operand_write),
    .operand_i           (step_event.access.argument),
    .save_result_i       (save_result),
    .result_id_i         (step_event.state.best.task_id),
    .result_o            (saved_result),
    .judged_o            (judged),
    .flags_taken_i       (flags_taken),
    .released_o          (released),
    .flags_busy_o        (flags_busy),
    .queues_settled_o    (queues_settled),
    .purge_valid_o       (purge_valid),
    .purge_id_o          (purge_id),
    .held_request_i      (lists_request.held),
    .held_state_o        (lists.held),
    .held_o              (lists.inherited),
    .held_after_o        (lists.inherited_after)
  );

  mel_ready_set #(
    .Tasks      (Sizes.Tasks),
    .Priorities (Sizes.Priorities),
    .Cores      (Cores)
  ) u_ready_set (
    .clk_i (clk),
    .rst_ni,
    .request_i    (lists_request.ready),
    .state_o      (lists.ready),
    .turn_i       (turn),
    .best_o       (best),
    .best_affinity_o (best_affinity),
    .peers_o      (peers)
  );

  mel_quantum #(
    .Tasks      (Sizes.Tasks),
    .Priorities (Sizes.Priorities),
    .Cores      (Cores)
  ) u_quantum (
    .clk_i (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .set_i         (plan.quantum_set),
    .argument_i    (planned_access.argument),
    .tick_i        (tick),
    .ready_i       (lists_request.ready),
    .dispatch_i    (step_event.valid && step_event.source inside {SourceDispatch, SourceReclaim}),
    .core_i        (step_event.core),
    .state_i       (step_event.state),
    .turn_i        (turn),
    .peers_i       (peers),
    .in_use_o      (slices),
    .expired_o     (expired_slices),
    .settled_o     (slices_settled)
  );

  mel_wait_set #(
    .Sizes (Sizes)
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
    .Tasks      (Sizes.Tasks),
    .Priorities (Sizes.Priorities),
    .Timers     (Sizes.Timers),
    .TimeReset  (TimeReset)
  ) u_timers (
    .clk_i,
    .clk_awake_i   (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .quiet_i       (quiet && slices_settled && watch_settled),
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

  mel_watch #(
    .Tasks (Sizes.Tasks),
    .Cores (Cores)
  ) u_watch (
    .clk_i,
    .clk_awake_i   (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .plan_i        (plan),
    .subject_i     (subject),
    .argument_i    (planned_access.argument),
    .core_step_i   (core_step),
    .core_i        (core),
    .state_i       (step_event.state),
    .tick_i        (tick),
    .time_low_i    (now[31:0]),
    .forget_i      (|monitor_clear),
    .report_o      (report),
    .watch_o       (watch),
    .settled_o     (watch_settled),
    .busy_o        (watch_busy)
  );

  // The report line stands behind those of timers.
  mel_interrupt_map #(
    .Interrupts (Sizes.Interrupts),
    .Timers     (Sizes.Timers + 1)
  ) u_interrupt_map (
    .clk_i (clk),
    .rst_ni,
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .irq_i,
    .expired_i     (17'(expired) | (17'(report.valid) << Sizes.Timers)),
    .op_i          (plan.irq_op),
    .number_i      (planned_access.id),
    .argument_i    (planned_access.argument),
    .operand_i     (records.operand.word),
    .request_o     (irq_request),
    .take_i        (irq_take),
    .offer_i       (plan.irq_offer),
    .claim_o       (claim),
    .claim_i       (core_step[0].claim),
    .waits_o       (handler_waits),
    .limit_set_i   (plan.claim_limit),
    .ticks_i       (tick_cycles != '0),
    .tick_i        (tick),
    .lost_o        (lost_edges),
    .busy_o        (irqs_busy)
  );

  // Handlers run on core 0. The line stays high in a handler while further interrupts
  // wait: handlers run with interrupts disabled, and the next one is then taken at the return from this one.
  assign irq_handler_o = Cores'(handler_waits);

  mel_monitor #(
    .Tasks   (Sizes.Tasks),
    .Cores   (Cores),
    .Monitor (Sizes.Monitor)
  ) u_monitor (
    .clk_i,
    .clk_awake_i  (clk),
    .rst_ni,
    .event_i      (step_event),
    .illegal_i    (illegal),
    .lost_edges_i (lost_edges),
    .refused_o    (refused),
    .lost_irqs_o  (lost_irqs),
    .clear_i      (|monitor_clear),
    .lines_i      (irq_handler_o | irq_dispatch_o),
    .core_step_i  (core_step),
    .core_i       (core),
    .finish_i     (finish),
    .creates_i    (plan.task_we && planned_access.op == mel_pkg::OpTaskCreate),
    .subject_i    (subject),
    .run_time_o   (run_time),
    .monitor_o    (monitor)
  );

  mel_trace #(
    .Tasks (Sizes.Tasks),
    .Cores (Cores)
  ) u_trace (
    .clk_i (clk),
    .rst_ni,
    .tick_i          (tick),
    .time_next_i     (next_tick),
    .report_i        (report),
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
