// Proof of mel_sequencer with mel_arbiter, mel_execute, mel_inheritance and mel_backlog, for anything that tables, tops of lists,
// timers, dispatchers and interrupts may say, in every cycle anew: how long a step takes, and that every access is served. Data
// are free, so this holds at full size and in every reachable state; what the step does is not looked at.
//   a step ends in the cycle that the head of mel_sequencer promises for its kind
//   one that judges event flags: Rows + 2, and 2 more when a task is released
//   one that changes inherited priorities: each link of the chain, and the search for a cycle, within the cycles of mel_inheritance
//   the next may begin at most AfterCycles after that, AfterLonger after a dispatch, or when a suspended task gets what it waits for
//   an access is done at most ServedCycles after it was made, whatever else asks for service; cycles in which inheritance
//     works are not counted
// What meets something that is still being cleared away may wait for that; then time counts from when it is done. It waits only
// while something is.
// The sets of lists, queues and flags are what their own proofs promise: an operation takes as long as it may (free).
// Needs: an access is kept until it is done, an edge until it is taken (m_*).
module mel_sequencer_proof
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks      = 64,
  parameter int unsigned Priorities = 32,
  parameter int unsigned Objects    = 16,   // semaphores, groups of flags, mutexes, queues
  parameter int unsigned Timers     = 8,
  parameter int unsigned Interrupts = 32
) (
  input logic                              clk_i,
  input logic                              access_valid_i,
  input logic [$bits(access_t)-1:0]        access_i,
  input logic [$bits(core_t)-1:0]          core_i,
  input logic [$bits(records_t)-1:0]       records_i,
  input logic [$bits(top_t)-1:0]           best_i,
  input logic [$bits(top_t)-1:0]           waiter_i,
  input logic [$bits(top_t)-1:0]           waiter_after_i,
  input logic [$bits(top_t)-1:0]           inherited_i,
  input logic [$bits(top_t)-1:0]           inherited_after_i,
  input logic [3:0]                        longer_i,          // what the sets of lists are asked for takes one cycle more
  input logic                              queues_settled_i,
  input logic                              purge_valid_i,
  input logic [7:0]                        purge_id_i,
  input logic [$bits(flag_released_t)-1:0] released_i,
  input logic [$bits(timers_t)-1:0]        timers_i,
  input logic [15:0]                       alarms_i,
  input logic [$bits(irq_request_t)-1:0]   irq_i,
  input logic [$bits(claim_t)-1:0]         claim_i
);

  localparam int unsigned Rows          = (Tasks + 15) / 16;   // of mel_flag_waiters
  localparam int unsigned StepCycles    = 5;
  localparam int unsigned OrphanCycles  = 6;
  localparam int unsigned FlagCycles    = Rows + 4;
  localparam int unsigned AfterCycles   = 4;   // from the last cycle of a step to the first in which the next may begin
  localparam int unsigned AfterLonger   = 5;   // … after a dispatch, or when a suspended task gets what it waits for
  localparam int unsigned FirstCycles   = 10;  // of a step that inheritance follows, or after the search for a cycle
  localparam int unsigned LinkCycles    = 6;   // of a chain
  localparam int unsigned LastCycles    = 7;   // … its last, till the end of the step
  localparam int unsigned WalkCycles    = 2;
  localparam int unsigned LongCycles    = 8;   // of a step that searches, or changes what is inherited, without these cycles
  localparam int unsigned Longest       = (FlagCycles > LongCycles) ? FlagCycles : LongCycles;
  localparam int unsigned Period        = Longest + AfterCycles;   // from one step to the next
  // What was under way, one edge, one step of background work, its own.
  localparam int unsigned ServedCycles  = 3 * Period + Longest;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  access_t        access [1];
  core_t          core [1];
  core_step_t     core_step [1];
  records_t       records;
  flag_released_t released;
  timers_t        timers;
  irq_request_t   irq;
  claim_t         claim;
  assign access[0] = access_i;
  assign core[0]   = core_i;
  assign records   = records_i;
  assign released  = released_i;
  assign timers    = timers_i;
  assign irq       = irq_i;
  assign claim     = claim_i;

  logic           ready, clear, quiet, busy, save_result, irq_take, done, operand_write, mutex_write, judged, flags_taken;
  line_t          clear_index, context_line;
  id_t            save_result_id, subject, mutex_write_id;
  logic [31:0]    access_data;
  finish_t        finish;
  status_t        save_result_value;
  reads_t         reads;
  lists_request_t request;
  lists_t         lists;
  plan_t          plan;
  inherit_t       inherit;
  access_t        planned;
  mutex_t         mutex;
  step_event_t    step;

  mel_sequencer #(
    .Tasks(Tasks), .Priorities(Priorities), .Semaphores(Objects), .EventFlags(Objects), .Mutexes(Objects), .Queues(Objects),
    .Messages(16), .Timers(Timers), .Interrupts(Interrupts), .Cores(1)
  ) u_sequencer (
    .clk_i, .rst_ni (rst_n),
    .ready_o (ready), .clear_o (clear), .clear_index_o (clear_index), .quiet_o (quiet), .busy_o (busy),
    .access_valid_i, .access_i (access), .access_done_o (done), .access_data_o (access_data),
    .core_i (core), .core_step_o (core_step), .finish_o (finish),
    .reads_o (reads), .records_i (records), .lists_o (request), .lists_i (lists),
    .queues_settled_i, .purge_valid_i, .purge_id_i,
    .save_result_o (save_result), .save_result_id_o (save_result_id), .save_result_value_o (save_result_value),
    .plan_o (plan), .inherit_o (inherit), .access_o (planned), .subject_o (subject), .context_o (context_line),
    .operand_write_o (operand_write), .mutex_write_o (mutex_write), .mutex_write_id_o (mutex_write_id), .mutex_o (mutex),
    .judged_i (judged), .flags_taken_o (flags_taken), .released_i (released),
    .timers_i (timers), .alarms_i, .irq_i (irq), .irq_take_o (irq_take), .claim_i (claim), .event_o (step)
  );

  logic unused_data;
  assign unused_data = ^{clear, clear_index, context_line, save_result, save_result_id, save_result_value, access_data, finish, busy,
                         core_step[0], planned, subject, operand_write, mutex_write, mutex_write_id, mutex, flags_taken, step};

  // ---- lists: what mel_priority_list proves of them; 0 ready, 1 waits, 2 due, 3 held ---------------------------------------

  list_op_e    op [4];
  logic [3:0]  asked, free;
  list_state_t state [4];
  assign op[0] = request.ready.op;
  assign op[1] = request.waits.op;
  assign op[2] = request.due.op;
  assign op[3] = request.held.op;

  for (genvar l = 0; l < 4; l++) begin : gen_list
    logic [1:0] left_q = '0;          // cycles until it is settled
    logic       inserts_q = 1'b0;
    logic       removes_q = 1'b0;
    logic       second_q = 1'b0;      // the second cycle of a longer operation
    assign asked[l] = op[l] != ListNone;
    assign free[l]  = left_q == '0 || (l % 2 == 0 && second_q && removes_q);   // of one object
    always_ff @(posedge clk_i) begin
      second_q <= left_q == 2'd2;
      if (asked[l] && free[l]) begin
        left_q    <= 2'd1 + 2'(longer_i[l] && op[l] inside {ListRemove, ListRotate});
        inserts_q <= op[l] inside {ListInsertTail, ListInsertHead};
        removes_q <= op[l] == ListRemove;
      end else if (left_q != '0) begin
        left_q <= left_q - 2'd1;
      end
    end
    assign state[l] = '{ready: free[l], settled: left_q == '0, done: left_q == '0 || inserts_q};
    always_comb begin
      a_lost_request: assert (!asked[l] || free[l]);
      a_left:         assert (left_q <= 2'd2 && (left_q != 2'd2 || !second_q) && (!second_q || left_q == 2'd1) &&
                              (left_q != 2'd2 || !inserts_q) && !(second_q && inserts_q));
    end
  end

  assign lists = '{
    ready: state[0], waits: state[1], due: state[2], held: state[3],
    best: best_i, waiter: waiter_i, waiter_after: waiter_after_i, inherited: inherited_i, inherited_after: inherited_after_i
  };

  // ---- flags, queues --------------------------------------------------------------------------------------------------

  logic [Rows-1:0] judging_q = '0;
  assign judged = judging_q[Rows-1];
  always_ff @(posedge clk_i) judging_q <= Rows'({judging_q, plan.judge});

  logic [2:0] queue_left_q = '0;   // cycles at most until queues are settled
  always_ff @(posedge clk_i) begin
    unique case (plan.queue_op)
      QueueNone:                       queue_left_q <= (queue_left_q == '0) ? '0 : queue_left_q - 3'd1;
      QueueCreate, QueueDelete:        queue_left_q <= 3'd1;
      QueuePush, QueuePop, QueuePurge: queue_left_q <= 3'd2;
      default:                         queue_left_q <= 3'd4;
    endcase
  end

  // ---- ghosts ---------------------------------------------------------------------------------------------------------

  logic       starts, at_once, of_work, of_access, ends, reads_link;
  logic [5:0] age_q = '0;          // cycles since the step began, or, when a task is read for inheritance, since that; 0: no step
  logic       bounded_q = 1'b1;    // the step so far without inheritance
  logic       walks_q = 1'b0;      // it searches for a cycle
  logic       links_q = 1'b0;      // a link of a chain was made
  logic       orphan_q = 1'b0, judges_q = 1'b0, serves_q = 1'b0, longer_q = 1'b0;
  logic [3:0] after_q = '0;        // cycles since the last step ended
  logic       working_q = 1'b0;
  logic [5:0] current_q = '0;      // cycles since the last step began, until the next may
  logic [7:0] waits_q = '0;        // cycles since the access was made
  logic [1:0] edges_q = '0;        // … steps of edges
  logic [1:0] works_q = '0;        // … steps of background work
  logic       held_q = 1'b0, edge_held_q = 1'b0, flags_q = 1'b0;
  access_t    access_q;
  logic       asks, stalls, inherits;

  assign starts     = u_sequencer.start;
  assign stalls     = u_sequencer.stalled[0];
  assign inherits   = u_sequencer.chain_busy;
  assign of_access  = starts && !irq_take && !of_work;
  assign of_work    = starts && u_sequencer.grant_source inside {SourceFlags, SourceTimeout, SourceDrain, SourceOrphan,
                                                                  SourcePurge, SourceCollect};
  assign at_once    = of_access && access[0].kind inside {AccessDispatch, AccessClaim, AccessOperand};
  assign ends       = u_sequencer.finish || plan.retry || at_once;
  assign asks       = rst_n && ready && access_valid_i;
  assign reads_link = (age_q != '0) && (inherits || plan.walk) && reads.task_en;

  always_ff @(posedge clk_i) begin
    age_q      <= (!rst_n || ends) ? '0 : starts ? 6'd2 : reads_link ? 6'd1 : age_q + 6'(age_q != '0 && age_q != '1);
    bounded_q  <= starts || (bounded_q && !inherits && plan.chain == ChainNone && !plan.walk);
    walks_q    <= plan.walk || (walks_q && !starts && !u_sequencer.walked);
    links_q    <= !starts && (links_q || (reads_link && !walks_q && !plan.walk));
    orphan_q   <= starts ? u_sequencer.grant_source == SourceOrphan : orphan_q;
    judges_q   <= plan.judge || (judges_q && !starts);
    serves_q   <= rst_n && !ends && (of_access || serves_q);
    longer_q   <= starts ? at_once && access[0].kind == AccessDispatch : longer_q || plan.to_waiter;
    after_q    <= (!rst_n || !ready || starts && !at_once) ? '0 : ends ? 4'd1 : (quiet || after_q == '0) ? '0 : after_q + 4'd1;
    waits_q    <= (!asks || done || stalls || plan.retry) ? '0 : waits_q + 8'(!inherits && waits_q != '1);
    current_q  <= (!rst_n || !ready || quiet && !starts) ? '0 : starts ? 6'd1 : current_q + 6'(!inherits && current_q != '1);
    edges_q    <= (!asks || done || stalls || plan.retry) ? '0 : edges_q + 2'(irq_take);
    works_q    <= (!asks || done || stalls || plan.retry) ? '0 : works_q + 2'(of_work);
    held_q      <= access_valid_i && !done;
    edge_held_q <= irq.valid && !irq_take;
    access_q    <= access[0];
  end

  always_comb begin
    a_queue_left: assert (queue_left_q <= 3'd4);
    m_kind:   assume (access[0].kind <= AccessValue);                          // mel_command has no other
    m_access: assume (!held_q || (access_valid_i && access[0] == access_q));   // mel_command
    m_edge:   assume (!edge_held_q || irq.valid);                              // mel_interrupt_map
    m_queues: assume (queues_settled_i || queue_left_q != '0);                 // mel_queues
    m_leaves: assume (!(u_sequencer.planning && u_sequencer.leave_q) || records.task_record.waits == WaitFlags);   // mel_execute
    m_judged: assume (!judged || released.first.valid == released.any);        // mel_flag_waiters
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic second, command, count_only, two_more, running;
  logic [5:0] op_of;
  assign command    = access[0].kind == AccessCommand;
  assign second     = serves_q && age_q == 6'd2;
  assign op_of      = access[0].op;
  assign running    = core[0].running_valid && core[0].running == subject && !core[0].listed;
  assign count_only = !command || plan.status < 0 || (
    (op_of == mel_pkg::OpSemaphoreGive && !lists.waiter.valid) ||
    (op_of == mel_pkg::OpSemaphoreTake && !records.semaphore.empty) ||
    (op_of == mel_pkg::OpTaskWakeup && records.task_record.waits != WaitSleep) ||
    (op_of inside {mel_pkg::OpEventFlagsSet, mel_pkg::OpEventFlagsDelete} && !records.waited) ||
    (op_of inside {mel_pkg::OpQueueSend, mel_pkg::OpQueuePost, mel_pkg::OpQueueReceive} && !lists.waiter.valid && !plan.caller_waits) ||
    (op_of == mel_pkg::OpMutexLock && records.mutex.owned && records.mutex.owner == subject) ||
    (op_of == mel_pkg::OpMutexLock && !records.mutex.owned && !records.mutex.has_ceiling && 32'(records.task_record.prio) < Priorities) ||
    (op_of == mel_pkg::OpMutexUnlock && !lists.waiter.valid && records.mutex.level >= records.task_record.base_prio) ||
    (op_of == mel_pkg::OpTaskExit && running && records.task_record.waits != WaitMutex) ||
    (plan.caller_waits && op_of != mel_pkg::OpMutexLock && running) ||
    op_of inside {
      mel_pkg::OpTaskCreate, mel_pkg::OpTaskDelete, mel_pkg::OpSemaphoreCreate, mel_pkg::OpSemaphoreDelete,
      mel_pkg::OpEventFlagsCreate, mel_pkg::OpEventFlagsClear, mel_pkg::OpQueueCreate, mel_pkg::OpQueueDelete,
      mel_pkg::OpMutexCreate, mel_pkg::OpTimerStart, mel_pkg::OpTimerStop, mel_pkg::OpIrqMap, mel_pkg::OpIrqEnable,
      mel_pkg::OpIrqDisable, mel_pkg::OpIrqRaise, mel_pkg::OpTickSet, mel_pkg::OpDispatchDisable, mel_pkg::OpDispatchEnable});
  assign two_more   = command && op_of inside {mel_pkg::OpTaskStart, mel_pkg::OpTaskResume, mel_pkg::OpTaskWakeup, mel_pkg::OpTaskRelease};
  logic alone;
  assign alone = asks && !stalls && quiet && !irq.valid && !timers.timeout_valid && !timers.collect_valid &&
                 !released.first.valid && !u_sequencer.backlog.drain_valid && !u_sequencer.backlog.orphan_valid && !purge_valid_i;

  always_comb begin
    a_alone:   assert (!alone || of_access);
    a_load:    assert (!of_access || done == at_once);
    a_two:     assert (!second || !bounded_q || !count_only || done || plan.retry);
    a_three:   assert (!serves_q || !bounded_q || !two_more || age_q <= 6'd3);
    a_four:    assert (!serves_q || !bounded_q || !longer_q || age_q <= 6'd4);   // to a waiter
    a_five:    assert (!bounded_q || judges_q || 32'(age_q) <= (orphan_q ? OrphanCycles : StepCycles));
    a_flags:   assert (!bounded_q || 32'(age_q) <= FlagCycles);
    a_unflags: assert (!bounded_q || !judges_q || !judged || released.any || u_sequencer.finish);
    a_first:   assert (bounded_q || walks_q || links_q || 32'(age_q) <= FirstCycles);
    a_link:    assert (!links_q || !reads_link || 32'(age_q) inside {[4:LinkCycles]});
    a_last:    assert (!links_q || 32'(age_q) <= LastCycles);
    a_walk:    assert (!walks_q || !inherits || 32'(age_q) <= WalkCycles);
    a_after:   assert (32'(after_q) <= (longer_q ? AfterLonger : AfterCycles));
    a_turn:    assert (edges_q <= 2'd1 && works_q <= 2'd1);
    a_retry:   assert (!stalls || u_sequencer.backlog.drain_valid || u_sequencer.backlog.orphan_valid || purge_valid_i ||
                       u_sequencer.u_backlog.purging_q);
    a_served:  assert (32'(waits_q) <= ServedCycles);

    c_five:    cover (32'(age_q) == StepCycles && done);
    c_flags:   cover (32'(age_q) == FlagCycles && done);
    c_dispatch: cover (32'(after_q) == AfterLonger);
    c_turn:    cover (edges_q == 2'd1 && works_q == 2'd1 && done);
    c_first:   cover (!bounded_q && !walks_q && !links_q && 32'(age_q) == FirstCycles);
    c_link:    cover (links_q && reads_link && 32'(age_q) == LinkCycles);
    c_last:    cover (links_q && 32'(age_q) == LastCycles && done);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  logic in_step;
  assign in_step = u_sequencer.state_q inside {[4'd2:4'd8]};   // neither clear, nor idle, nor preempt
  always_comb begin
    a_in_step: assert (!rst_n || (age_q != '0) == in_step);
    a_serves:  assert (!rst_n || serves_q == (in_step && u_sequencer.source_q inside {SourceCommand, SourceQuery, SourceValue}));
    a_state:   assert (!rst_n || (u_sequencer.state_q <= 4'd9 && (!in_step || u_sequencer.source_q <= SourceCollect)));
    a_core:    assert (!rst_n || ((!in_step || u_sequencer.core_q == '0) && u_sequencer.u_arbiter.core_last_q == '0));
    a_chain:   assert (!rst_n || (u_sequencer.state_q == 4'd6) == (u_sequencer.u_inheritance.state_q inside {[3'd1:3'd6]}));
    a_adopts:  assert (!rst_n || u_sequencer.u_inheritance.state_q != 3'd7 || u_sequencer.state_q == 4'd1);
    a_leave:   assert (u_sequencer.state_q != 4'd8);   // who leaves first is known when the judgement ends
    a_chain_q: assert (!in_step || !u_sequencer.chain_q || !bounded_q || !(u_sequencer.u_inheritance.level_pending_q ||
                       u_sequencer.u_inheritance.effective_pending_q));
    a_irq_op:  assert (!in_step || u_sequencer.source_q != SourceIrq || u_sequencer.access_q.op inside {
                       6'd0, mel_pkg::OpSemaphoreGive, mel_pkg::OpTaskWakeup, mel_pkg::OpTaskRelease, mel_pkg::OpEventFlagsSet,
                       mel_pkg::OpQueuePost});
    a_walking: assert (!(u_sequencer.u_inheritance.state_q inside {3'd1, 3'd2}) ||
                       (serves_q && access[0].op == mel_pkg::OpMutexLock && !u_sequencer.chain_q));
    a_access:  assert (!serves_q || (access_valid_i && u_sequencer.access_q == access[0] && !stalls));
    a_stalled: assert (!rst_n || !stalls || access_valid_i);
    a_edges:   assert (edges_q == '0 || u_sequencer.u_arbiter.irq_last_q || serves_q);
    a_judging: assert (!rst_n || ((judging_q != '0) == (u_sequencer.state_q == 4'd7)) && $onehot0(judging_q));
    // A search or a chain takes long, and is not counted: what was counted before it.
    a_before:  assert (!in_step || !inherits || 32'(current_q) < ((u_sequencer.u_inheritance.state_q inside {3'd1, 3'd2}) ? 3 : Longest));
    a_current: assert (32'(current_q) <= Period && (!in_step || 32'(current_q) < Longest));
    a_waits:   assert (32'(waits_q) <= Period * (32'(edges_q) + 32'(works_q) + 32'(serves_q)) + 32'(current_q));
    a_works:   assert (works_q == '0 || u_sequencer.u_arbiter.waited_q <= 3'(edges_q) || serves_q);
  end
  for (genvar r = 0; r < Rows; r++) begin : gen_judging
    always_comb a_judging_age: assert (!judging_q[r] || (32'(age_q) == r + 3 && 32'(current_q) == r + 2 && bounded_q && judges_q &&
                                            !u_sequencer.chain_q));
  end
endmodule
