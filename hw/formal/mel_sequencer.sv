// Proof of mel_sequencer with its three sets of lists, for anything that tables, memories, timers, dispatchers and
// interrupts may say, in every cycle anew: how long a step takes, and that every access is served. Data are free, so this
// holds at full size and in every reachable state; what the step does is not looked at.
//   a step ends at most StepCycles after it began (the cycles that the head of mel_sequencer promises, per kind)
//   the next may begin at most BusyCycles after that
//   a core's access is done at most ServedCycles after it was made, whatever else asks for service
// A semaphore_create or semaphore_delete may wait while a deleted semaphore still has waiters; for these time counts from
// when it has none any more.
// Needs: an access is kept until it is done, an edge until it is taken (m_*).
module mel_sequencer_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,
  parameter int unsigned Priorities = 32,
  parameter int unsigned Semaphores = 64,
  parameter int unsigned Interrupts = 32
) (
  input logic                            clk_i,
  input logic                            access_valid_i,
  input logic [$bits(access_t)-1:0]      access_i,
  input logic [$bits(core_t)-1:0]        core_i,
  input logic [$bits(task_t)-1:0]        task_i,
  input logic [$bits(semaphore_t)-1:0]   semaphore_i,
  input logic [$bits(timers_t)-1:0]      timers_i,
  input logic [$bits(irq_request_t)-1:0] irq_i,
  input logic [$bits(claim_t)-1:0]       claim_i
);

  localparam int unsigned StepCycles   = 5;
  localparam int unsigned BusyCycles   = 6;   // after the first cycle of a step, until the next may begin
  // What was under way, one edge, one step of background work, its own.
  localparam int unsigned ServedCycles = 2 * (1 + BusyCycles) + BusyCycles + StepCycles;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  access_t          access [1];
  core_t            core [1];
  core_step_t       core_step [1];
  task_t            record;
  semaphore_t       semaphore;
  timers_t          timers;
  irq_request_t     irq;
  claim_t           claim;
  assign access[0] = access_i;
  assign core[0]   = core_i;
  assign record    = task_i;
  assign semaphore = semaphore_i;
  assign timers    = timers_i;
  assign irq       = irq_i;
  assign claim     = claim_i;

  logic             ready, clear, quiet, read, save_result, irq_take, done;
  id_t              clear_index, read_task, read_semaphore, save_result_id, subject, semaphore_id;
  logic [31:0]      access_data;
  finish_t          finish;
  status_t          save_result_value;
  plan_t            plan;
  access_t          planned;
  list_request_t    ready_request, wait_request, due_request;
  list_state_t      ready_state, wait_state, due_state;
  top_t             best, best_next, waiter, due, due_next;
  step_event_t      step;

  mel_sequencer #(
    .Tasks(Tasks), .Priorities(Priorities), .Semaphores(Semaphores), .Interrupts(Interrupts), .Cores(1)
  ) u_sequencer (
    .clk_i, .rst_ni (rst_n),
    .ready_o (ready), .clear_o (clear), .clear_index_o (clear_index), .quiet_o (quiet),
    .access_valid_i, .access_i (access), .access_done_o (done), .access_data_o (access_data),
    .core_i (core), .core_step_o (core_step), .finish_o (finish),
    .read_o (read), .read_task_o (read_task), .read_semaphore_o (read_semaphore),
    .task_i (record), .semaphore_i (semaphore),
    .save_result_o (save_result), .save_result_id_o (save_result_id), .save_result_value_o (save_result_value),
    .plan_o (plan), .access_o (planned), .subject_o (subject), .semaphore_o (semaphore_id),
    .ready_request_o (ready_request), .ready_state_i (ready_state), .best_i (best),
    .wait_request_o (wait_request), .wait_state_i (wait_state), .waiter_i (waiter),
    .due_request_o (due_request), .due_state_i (due_state),
    .timers_i (timers), .irq_i (irq), .irq_take_o (irq_take), .claim_i (claim), .event_o (step)
  );

  mel_ready_set #(.Tasks(Tasks), .Priorities(Priorities)) u_ready_set (
    .clk_i, .rst_ni (rst_n), .request_i (ready_request), .state_o (ready_state), .best_o (best), .best_next_o (best_next)
  );
  mel_wait_set #(.Tasks(Tasks), .Priorities(Priorities), .Semaphores(Semaphores)) u_wait_set (
    .clk_i, .rst_ni (rst_n), .clear_i (clear), .clear_index_i (clear_index),
    .request_i (wait_request), .state_o (wait_state), .top_o (waiter)
  );
  mel_priority_list #(.Tasks(Tasks), .Priorities(Priorities), .Objects(1)) u_due_set (
    .clk_i, .rst_ni (rst_n), .clear_i (1'b0), .clear_index_i ('0),
    .request_i (due_request), .state_o (due_state), .top_o (due), .top_next_o (due_next)
  );

  logic unused_data;
  assign unused_data = ^{read, read_task, read_semaphore, save_result, save_result_id, save_result_value, access_data, finish,
                         planned, subject, semaphore_id, best_next, due, due_next};

  // ---- ghosts ---------------------------------------------------------------------------------------------------------

  logic       drains_q = 1'b0;   // a deleted semaphore has waiters
  logic [3:0] busy_q = '0;       // cycles since the last step began
  logic [2:0] serves_q = '0;     // cycles since the step of the access began
  logic [5:0] waits_q = '0;      // cycles since the access was made
  logic [1:0] edges_q = '0;      // … steps of edges
  logic [1:0] works_q = '0;      // … steps of background work
  logic       held_q = 1'b0, edge_held_q = 1'b0;
  access_t    access_q;
  logic       asks, may_stall, stalls, alone, starts, of_access, of_work;

  assign may_stall = access[0].kind == AccessCommand &&
                     access[0].op inside {mel_pkg::OpSemaphoreCreate, mel_pkg::OpSemaphoreDelete};
  assign asks      = rst_n && ready && access_valid_i;
  assign stalls    = may_stall && drains_q;
  assign alone     = asks && quiet && !irq.valid && !timers.timeout_valid && !timers.collect_valid && !drains_q;
  assign starts    = u_sequencer.start;
  assign of_work   = starts && u_sequencer.grant_source inside {SourceTimeout, SourceRelease, SourceCollect};
  assign of_access = starts && !irq_take && !of_work;

  always_ff @(posedge clk_i) begin
    drains_q    <= rst_n && (plan.drain_start || (drains_q && !plan.drain_end));
    busy_q      <= (!rst_n || !ready || (quiet && !starts)) ? '0 : starts ? 4'd1 : busy_q + 4'd1;
    serves_q    <= (!rst_n || done || plan.retry) ? '0 : of_access ? 3'd1 : quiet ? '0 : serves_q + 3'(serves_q != '0 && serves_q != '1);
    waits_q     <= (!asks || done || stalls) ? '0 : waits_q + 6'd1;
    edges_q     <= (!asks || done || stalls) ? '0 : edges_q + 2'(irq_take);
    works_q     <= (!asks || done || stalls) ? '0 : works_q + 2'(of_work);
    held_q      <= access_valid_i && !done;
    edge_held_q <= irq.valid && !irq_take;
    access_q    <= access[0];
  end

  always_comb begin
    m_access: assume (!held_q || (access_valid_i && access[0] == access_q));   // mel_command
    m_edge:   assume (!edge_held_q || irq.valid);                              // mel_interrupt_map
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic second, count_only, two_more, three_more;
  assign second     = serves_q == 3'd1;
  assign count_only = access[0].kind == AccessQuery || (step.valid && step.status < 0) || (access[0].kind == AccessCommand && (
                        (access[0].op == mel_pkg::OpSemaphoreGive && !waiter.valid) ||
                        (access[0].op == mel_pkg::OpSemaphoreTake && !semaphore.empty) ||
                        (access[0].op == mel_pkg::OpTaskWakeup && record.waits != WaitSleep) ||
                        access[0].op inside {mel_pkg::OpTaskCreate, mel_pkg::OpTaskDelete, mel_pkg::OpIrqMap, mel_pkg::OpIrqEnable,
                                             mel_pkg::OpIrqDisable, mel_pkg::OpIrqRaise, mel_pkg::OpTickSet,
                                             mel_pkg::OpDispatchDisable, mel_pkg::OpDispatchEnable}));
  assign two_more   = access[0].kind == AccessCommand && access[0].op inside {
                        mel_pkg::OpTaskStart, mel_pkg::OpTaskResume, mel_pkg::OpTaskWakeup, mel_pkg::OpTaskRelease};
  assign three_more = access[0].kind == AccessCommand && access[0].op == mel_pkg::OpSemaphoreGive;

  always_comb begin
    a_alone:  assert (!alone || of_access);
    a_load:   assert (!of_access || done == (access[0].kind inside {AccessDispatch, AccessClaim}));
    a_two:    assert (!second || !count_only || done || stalls);
    a_three:  assert (!two_more || serves_q <= 3'd2);
    a_four:   assert (!three_more || serves_q <= 3'd3);
    a_five:   assert (32'(serves_q) < StepCycles);
    a_busy:   assert (32'(busy_q) <= BusyCycles);
    a_turn:   assert (edges_q <= 2'd1 && works_q <= 2'd1);
    a_served: assert (32'(waits_q) < ServedCycles);

    c_five:   cover (32'(serves_q) == StepCycles - 1 && done);
    c_busy:   cover (32'(busy_q) == BusyCycles);
    c_turn:   cover (edges_q == 2'd1 && works_q == 2'd1 && done);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  logic in_step, of_core;   // the sequencer's state is not clear, idle or preempt; it serves the access
  assign in_step = u_sequencer.state_q inside {3'd2, 3'd3, 3'd4, 3'd5};
  assign of_core = in_step && u_sequencer.source_q inside {SourceCommand, SourceQuery};

  always_comb begin
    a_serves:  assert (!rst_n || (serves_q != '0) == of_core);
    a_second:  assert (!second || u_sequencer.state_q == 3'd2);
    a_access:  assert (!of_core || (access_valid_i && u_sequencer.access_q == access[0] &&
                       (u_sequencer.source_q == SourceQuery) == (access[0].kind == AccessQuery) &&
                       access[0].kind inside {AccessCommand, AccessQuery}));
    a_drains:  assert (!rst_n || drains_q == u_sequencer.drain_valid_q);
    a_stalled: assert (!rst_n || !u_sequencer.stalled_q || (access_valid_i && stalls));
    a_edges:   assert (edges_q == '0 || u_sequencer.u_arbiter.irq_last_q || serves_q != '0);
    a_works:   assert (works_q == '0 || u_sequencer.u_arbiter.waited_q <= 3'd1 || serves_q != '0);
    a_waits:   assert (32'(waits_q) <= (1 + BusyCycles) * (32'(edges_q) + 32'(works_q) + 32'(serves_q != '0)) + 32'(busy_q));
    a_time:    assert (waits_q == '0 || serves_q == '0 || 32'(waits_q) <= (1 + BusyCycles) * (32'(edges_q) + 32'(works_q)) +
                       BusyCycles + 32'(serves_q));
  end
endmodule
