// SPDX-License-Identifier: Apache-2.0
// Proof of mel_sequencer with mel_arbiter, mel_step, mel_execute, mel_inheritance and mel_backlog, for anything that tables, tops of
// lists, timers, dispatchers and interrupts may say, in every cycle anew: how long a step takes, and that every access is served.
// Data are free, so this holds at full size and in every reachable state; what the step does is not looked at.
//   a step ends in the cycle that the head of mel_sequencer promises for its kind
//   one that judges event flags: Rows + 2, and 2 more when a task is released
//   one that changes inherited priorities: each link of the chain, and the search for a cycle, within the cycles of mel_inheritance
//   the next may begin at most AfterCycles after that, AfterLonger after a dispatch, or when a suspended task gets what it waits for
//   an access is done within ServedCycles, whatever else asks for service; cycles in which inheritance works are not counted
// What meets something that is still being cleared away may wait for that; then time counts from when it is done. It waits only
// while something is. One core is watched, which one is free.
// The sets of lists, queues and flags are what their own proofs promise: an operation takes as long as it may (free).
// Needs: an access is kept until it is done, an edge until it is taken (m_*).
module mel_sequencer_proof
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks      = 64,
  parameter int unsigned Priorities = 32,
  parameter int unsigned Objects    = 16,   // semaphores, groups of flags, mutexes, queues, messages
  parameter int unsigned Timers     = 8,
  parameter int unsigned Interrupts = 32,
  parameter int unsigned Cores      = 1
) (
  input logic                              clk_i,
  input logic [Cores-1:0]                  access_valid_i,
  input logic [Cores-1:0][$bits(access_t)-1:0] access_i,
  input logic [Cores-1:0][$bits(core_t)-1:0]   core_i,
  input logic [Cores-1:0]                  reclaims_i,
  input logic [Cores-1:0]                  expired_i,
  input logic [1:0]                        watch_i,
  input logic [$bits(records_t)-1:0]       records_i,
  input logic [$bits(top_t)-1:0]           waiter_i,
  input logic [$bits(top_t)-1:0]           waiter_after_i,
  input logic [$bits(top_t)-1:0]           inherited_i,
  input logic [$bits(top_t)-1:0]           inherited_after_i,
  input logic [3:0]                        longer_i,          // operations of the sets of lists that take one cycle more
  input logic                              queues_settled_i,
  input logic                              purge_valid_i,
  input logic [7:0]                        purge_id_i,
  input logic [$bits(flag_released_t)-1:0] released_i,
  input logic [$bits(timers_t)-1:0]        timers_i,
  input logic [15:0]                       alarms_i,
  input logic [$bits(irq_request_t)-1:0]   irq_i,
  input logic [$bits(claim_t)-1:0]         claim_i
);

  localparam int unsigned CoreW         = (Cores > 1) ? $clog2(Cores) : 1;
  localparam int unsigned Rows          = (Tasks + 15) / 16;   // rows of mel_flag_waiters
  localparam int unsigned StepCycles    = 5;
  localparam int unsigned OrphanCycles  = 6;
  localparam int unsigned FlagCycles    = mel_bounds_pkg::flag_cycles(Tasks);
  localparam int unsigned AfterCycles   = mel_bounds_pkg::after_cycles(Cores);   // from the last cycle of a step till the next may begin
  localparam int unsigned AfterLonger   = 5;   // … after a dispatch, or when a suspended task gets what it waits for
  localparam int unsigned FirstCycles   = 10;  // a step that inheritance follows, or after the search for a cycle
  localparam int unsigned LevelCycles   = 7;   // … when the level of a mutex changes: till its owner's priority is looked at
  localparam int unsigned LockCycles    = 5;   // … likewise, of a lock, after its search
  localparam int unsigned LinkCycles    = 6;   // one link of a chain
  localparam int unsigned LastCycles    = 7;   // … its last, till the end of the step
  localparam int unsigned WalkCycles    = 2;
  localparam int unsigned Longest       = mel_bounds_pkg::longest(Tasks);
  localparam int unsigned Period        = mel_bounds_pkg::period(Tasks, Cores);
  localparam int unsigned AccessWait    = mel_bounds_pkg::access_wait(Cores);
  localparam int unsigned ServedCycles  = mel_bounds_pkg::served_cycles(Tasks, Cores);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  access_t        access [Cores];
  core_t          core [Cores];
  core_step_t     core_step [Cores];
  records_t       records;
  flag_released_t released;
  timers_t        timers;
  irq_request_t   irq;
  claim_t         claim;
  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign access[i] = access_i[i];
    assign core[i]   = core_i[i];
  end
  assign records   = records_i;
  assign released  = released_i;
  assign timers    = timers_i;
  assign irq       = irq_i;
  assign claim     = claim_i;

  logic             ready, clear, quiet, steady, busy, irq_take, operand_write, judged, flags_taken;
  logic [Cores-1:0] done, operand_done;
  line_t            clear_index, context_line;
  id_t              subject;
  logic [31:0]      access_data;
  finish_t          finish;
  reads_t           reads;
  lists_request_t   request;
  lists_t           lists;
  save_result_t     save_result;
  plan_t            plan;
  inherit_t         inherit;
  access_t          planned;
  mutex_write_t     mutex_write;
  step_event_t      step;

  localparam mel_pkg::sizes_t Sizes = '{
    Tasks: Tasks, Priorities: Priorities, Semaphores: Objects, EventFlags: Objects, Mutexes: Objects, Queues: Objects,
    Messages: Objects, Timers: Timers, Interrupts: Interrupts, Cores: Cores, default: 1
  };

  mel_sequencer #(.Sizes(Sizes)) u_sequencer (
    .clk_i, .rst_ni (rst_n),
    .ready_o (ready), .clear_o (clear), .clear_index_o (clear_index), .quiet_o (quiet), .steady_o (steady), .busy_o (busy),
    .access_valid_i, .access_i (access), .access_done_o (done), .operand_done_o (operand_done), .access_data_o (access_data),
    .core_i (core), .reclaims_i, .expired_i, .run_time_i ('0), .core_step_o (core_step), .finish_o (finish),
    .reads_o (reads), .records_i (records), .lists_o (request), .lists_i (lists),
    .queues_settled_i, .purge_valid_i, .purge_id_i, .save_result_o (save_result),
    .plan_o (plan), .inherit_o (inherit), .access_o (planned), .subject_o (subject), .context_o (context_line),
    .operand_write_o (operand_write), .mutex_write_o (mutex_write),
    .judged_i (judged), .flags_taken_o (flags_taken), .released_i (released),
    .timers_i (timers), .alarms_i, .irq_i (irq), .irq_take_o (irq_take), .claim_i (claim), .event_o (step)
  );

  logic unused_data;
  assign unused_data = ^{clear, clear_index, context_line, save_result, access_data, finish, steady, busy, core_step[0], planned,
                         operand_write, mutex_write, flags_taken, step};

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
    assign free[l]  = left_q == '0 || (l % 2 == 0 && second_q && removes_q);   // with one object
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
    waiter: waiter_i, waiter_after: waiter_after_i, inherited: inherited_i, inherited_after: inherited_after_i
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

  logic       starts, at_once, of_access, of_work, ends, reads_link, first_link;
  logic [5:0] age_q = '0;          // cycles since the step began, or, when a task is read for inheritance, since that; 0: no step
  logic       bounded_q = 1'b1;    // the step so far without inheritance
  logic       walks_q = 1'b0;      // it searches for a cycle
  logic       searched_q = 1'b0;   // … or has done so
  logic       links_q = 1'b0;      // a link of a chain was made
  logic       orphan_q = 1'b0, judges_q = 1'b0, serves_q = 1'b0, longer_q = 1'b0;
  logic [3:0] after_q = '0;        // cycles since the last step ended
  logic [5:0] current_q = '0;      // cycles since the last step began, until the next may
  logic       fixed_q = 1'b0;
  logic [1:0] watch_q;             // the core that is watched
  logic [9:0] waits_q = '0;        // cycles since its access was made
  logic [3:0] others_q = '0;       // … steps of others
  logic [1:0] works_q = '0;        // … of them background work
  logic       asks, stalls, inherits, own_starts, own_serves, counts;
  logic [Cores-1:0] held_q = '0;
  logic       edge_held_q = 1'b0;
  access_t    access_q [Cores];
  grant_t     grant, serving;

  assign grant      = u_sequencer.grant;
  assign serving    = u_sequencer.step_q;
  assign starts     = u_sequencer.start;
  assign stalls     = u_sequencer.stalled[CoreW'(watch_q)];
  assign inherits   = u_sequencer.chain_busy;
  assign of_access  = starts && grant.source inside {SourceCommand, SourceQuery, SourceDispatch, SourceClaim, SourceOperand, SourceValue};
  assign of_work    = starts && !of_access && !irq_take;
  assign at_once    = starts && grant.source inside {SourceDispatch, SourceClaim, SourceOperand, SourceReclaim};
  assign ends       = u_sequencer.finish || plan.retry || at_once;
  assign asks       = rst_n && ready && access_valid_i[CoreW'(watch_q)];
  assign own_starts = of_access && grant.core == watch_q;
  assign own_serves = serves_q && serving.core == watch_q;
  assign counts     = asks && !done[CoreW'(watch_q)] && !stalls && !(plan.retry && own_serves);
  assign reads_link = (age_q != '0) && (inherits || plan.walk) && reads.task_en;
  assign first_link = reads_link && !walks_q && !plan.walk && !links_q && u_sequencer.u_step.u_inheritance.state_q == 3'd3;

  always_ff @(posedge clk_i) begin
    fixed_q    <= 1'b1;
    watch_q    <= fixed_q ? watch_q : watch_i;
    age_q      <= (!rst_n || ends) ? '0 : starts ? 6'd2 : reads_link ? 6'd1 : age_q + 6'(age_q != '0 && age_q != '1);
    bounded_q  <= starts || (bounded_q && !inherits && plan.chain == ChainNone && !plan.walk);
    walks_q    <= plan.walk || (walks_q && !starts && !u_sequencer.walked);
    searched_q <= !starts && (searched_q || plan.walk);
    links_q    <= !starts && (links_q || (reads_link && !walks_q && !plan.walk));
    orphan_q   <= starts ? grant.source == SourceOrphan : orphan_q;
    judges_q   <= plan.judge || (judges_q && !starts);
    serves_q   <= rst_n && !ends && (of_access || serves_q);
    longer_q   <= starts ? grant.source == SourceDispatch : longer_q || plan.to_waiter;
    after_q    <= (!rst_n || !ready || starts && !at_once) ? '0 : ends ? 4'd1 : (quiet || after_q == '0) ? '0 : after_q + 4'd1;
    current_q  <= (!rst_n || !ready || quiet && !starts) ? '0 : starts ? 6'd1 : current_q + 6'(!inherits && current_q != '1);
    waits_q    <= !counts ? '0 : waits_q + 10'(!inherits && waits_q != '1);
    others_q   <= !counts ? '0 : others_q + 4'(starts && !own_starts && others_q != '1);
    works_q    <= !counts ? '0 : works_q + 2'(of_work && works_q != '1);
    edge_held_q <= irq.valid && !irq_take;
    held_q      <= access_valid_i & ~done;
    for (int unsigned i = 0; i < Cores; i++) access_q[i] <= access[i];
  end

  always_comb begin
    m_watch:  assume (32'(watch_q) < Cores);                                   // it is one of the cores
    m_edge:   assume (!edge_held_q || irq.valid);                              // mel_interrupt_map
    m_queues: assume (queues_settled_i || queue_left_q != '0);                 // mel_queues
    m_leaves: assume (!(u_sequencer.planning && u_sequencer.leave_q) || records.task_record.waits == WaitFlags);   // mel_execute
    m_judged: assume (!judged || released.first.valid == released.any);        // mel_flag_waiters
    a_queue_left: assert (queue_left_q <= 3'd4);
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_needs
    always_comb begin
      m_kind:     assume (access[i].kind <= AccessValue);                                      // mel_command has no other
      m_access:   assume (!held_q[i] || (access_valid_i[i] && access[i] == access_q[i]));      // mel_command
      a_done:     assert (!done[i] || access_valid_i[i]);                                      // mel_command needs both
      a_operand:  assert (operand_done[i] == (done[i] && access[i].kind == AccessOperand));
      a_stalled:  assert (!rst_n || !u_sequencer.stalled[i] || access_valid_i[i]);
    end
    for (genvar j = 0; j < i; j++) begin : gen_other
      always_comb m_apart: assume (!core[i].running_valid || !core[j].running_valid || core[i].running != core[j].running);   // mel_dispatcher
    end
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic       second, command, count_only, two_more, notifies, running;
  mel_pkg::op_t op_of;
  assign command    = serving.access.kind == AccessCommand;
  assign second     = serves_q && age_q == 6'd2;
  assign op_of      = serving.access.op;
  assign notifies   = op_of inside {mel_pkg::OpNotificationSet, mel_pkg::OpNotificationGive, mel_pkg::OpNotificationOverwrite,
                                    mel_pkg::OpNotificationSend};
  always_comb begin
    running = 1'b0;
    for (int unsigned i = 0; i < Cores; i++) running |= core[i].running_valid && core[i].running == subject && !core[i].listed;
  end
  assign count_only = !command || plan.status < 0 || (
    (op_of == mel_pkg::OpSemaphoreGive && !lists.waiter.valid) ||
    (op_of == mel_pkg::OpSemaphoreTake && !records.semaphore.empty) ||
    (op_of == mel_pkg::OpTaskWakeup && records.task_record.waits != WaitSleep) ||
    (notifies && records.task_record.waits != WaitNotification) ||
    (op_of inside {mel_pkg::OpNotificationWait, mel_pkg::OpNotificationTake, mel_pkg::OpNotificationTakeAll} && !plan.caller_waits) ||
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
      mel_pkg::OpMutexCreate, mel_pkg::OpNotificationClear, mel_pkg::OpNotificationCancel, mel_pkg::OpTimerStart,
      mel_pkg::OpTimerStop, mel_pkg::OpIrqMap, mel_pkg::OpIrqEnable,
      mel_pkg::OpIrqDisable, mel_pkg::OpIrqRaise, mel_pkg::OpClaimLimit, mel_pkg::OpTickSet, mel_pkg::OpDispatchDisable, mel_pkg::OpDispatchEnable,
      mel_pkg::OpQuantumSet, mel_pkg::OpDeadlineSet, mel_pkg::OpBudgetSet});
  assign two_more   = command && (notifies || op_of inside {
    mel_pkg::OpTaskStart, mel_pkg::OpTaskResume, mel_pkg::OpTaskWakeup, mel_pkg::OpTaskRelease});
  logic alone;
  assign alone = asks && !stalls && quiet && $onehot(access_valid_i & ~u_sequencer.stalled) && !irq.valid &&
                 !(|reclaims_i) && !(|expired_i) && !timers.timeout_valid && !timers.collect_valid && !released.first.valid &&
                 !u_sequencer.backlog.drain_valid && !u_sequencer.backlog.orphan_valid && !purge_valid_i;

  always_comb begin
    a_alone:   assert (!alone || own_starts);
    a_load:    assert (!starts || done == ((of_access && at_once) ? Cores'(1) << grant.core : '0));
    a_two:     assert (!second || !bounded_q || !count_only || ends);
    a_three:   assert (!serves_q || !bounded_q || !two_more || age_q <= 6'd3);
    a_four:    assert (!serves_q || !bounded_q || !longer_q || age_q <= 6'd4);   // to a waiter
    a_five:    assert (!bounded_q || judges_q || 32'(age_q) <= (orphan_q ? OrphanCycles : StepCycles));
    a_flags:   assert (!bounded_q || 32'(age_q) <= FlagCycles);
    a_unflags: assert (!bounded_q || !judges_q || !judged || released.any || u_sequencer.finish);
    a_first:   assert (bounded_q || walks_q || links_q || 32'(age_q) <= FirstCycles);
    a_level:   assert (!first_link || 32'(age_q) <= (searched_q ? LockCycles : LevelCycles));
    a_link:    assert (!links_q || !reads_link || 32'(age_q) inside {[4:LinkCycles]});
    a_last:    assert (!links_q || 32'(age_q) <= LastCycles);
    a_walk:    assert (!walks_q || !inherits || 32'(age_q) <= WalkCycles);
    a_after:   assert (32'(after_q) <= (longer_q ? AfterLonger : AfterCycles));
    a_turn:    assert (32'(others_q) <= AccessWait);
    a_retry:   assert (!stalls || u_sequencer.backlog.drain_valid || u_sequencer.backlog.orphan_valid || purge_valid_i ||
                       u_sequencer.u_step.u_backlog.purging_q);
    a_served:  assert (32'(waits_q) < ServedCycles);

    c_five:    cover (32'(age_q) == StepCycles && |done);
    c_flags:   cover (32'(age_q) == FlagCycles && judges_q && |done);
    c_dispatch: cover (32'(after_q) == AfterLonger);
    c_turn:    cover (32'(others_q) == AccessWait && works_q != '0 && done[CoreW'(watch_q)]);
    c_first:   cover (!bounded_q && !walks_q && !links_q && 32'(age_q) == FirstCycles);
    c_link:    cover (links_q && reads_link && 32'(age_q) == LinkCycles);
    c_last:    cover (links_q && 32'(age_q) == LastCycles && |done);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  // Steps before the watched core's: till its turn comes round, an edge before each, and background work in every Cores + 1.
  logic [3:0] last, foreground, ahead;
  assign last       = 4'(u_sequencer.u_arbiter.core_last_q);
  assign foreground = 4'(2 * ((32'(watch_q) + 2 * Cores - 32'(last) - 1) % Cores)) + 4'(!u_sequencer.u_arbiter.irq_last_q);
  assign ahead      = foreground + 4'((32'(foreground) + 32'(u_sequencer.u_arbiter.waited_q)) / (Cores + 1));

  logic        in_step, searches;
  step_state_e state_of;
  logic [2:0]  chain_of;   // mel_inheritance's state: 1, 2 search, 3 to 6 a chain, 7 adopts
  assign state_of = u_sequencer.state_q;
  assign chain_of = u_sequencer.u_step.u_inheritance.state_q;
  assign in_step  = state_of inside {StepCheck, StepWaiter, StepMove, StepFinish, StepChain, StepJudge};
  assign searches = chain_of inside {3'd1, 3'd2};

  always_comb begin
    a_in_step: assert (!rst_n || (age_q != '0) == in_step);
    a_serves:  assert (!rst_n || serves_q == (in_step && serving.source inside {SourceCommand, SourceQuery, SourceValue}));
    a_state:   assert (!rst_n || (state_of <= StepTell && (!in_step || serving.source inside {
                       SourceCommand, SourceQuery, SourceValue, SourceIrq, SourceFlags, SourceTimeout, SourceDrain, SourceOrphan,
                       SourcePurge, SourceCollect, SourceSlice})));
    a_core:    assert (!rst_n || ((!in_step || 32'(serving.core) < Cores) && 32'(last) < Cores &&
                                  32'(u_sequencer.u_arbiter.waited_q) <= Cores + 1));
    a_tell:    assert (!rst_n || state_of != StepTell || (Cores > 1 && after_q == 4'd1));
    a_chain:   assert (!rst_n || (state_of == StepChain) == (chain_of inside {[3'd1:3'd6]}));
    a_adopts:  assert (!rst_n || chain_of != 3'd7 || state_of inside {StepIdle, StepTell});
    a_chain_q: assert (!in_step || !u_sequencer.u_step.chain_q || !bounded_q || !(u_sequencer.u_step.u_inheritance.level_pending_q ||
                       u_sequencer.u_step.u_inheritance.effective_pending_q));
    a_irq_op:  assert (!in_step || serving.source != SourceIrq || serving.access.op inside {
                       6'd0, mel_pkg::OpSemaphoreGive, mel_pkg::OpTaskWakeup, mel_pkg::OpTaskRelease, mel_pkg::OpEventFlagsSet,
                       mel_pkg::OpQueuePost, mel_pkg::OpNotificationSet, mel_pkg::OpNotificationGive});
    a_walking: assert (!searches || (serves_q && serving.access.op == mel_pkg::OpMutexLock && !u_sequencer.u_step.chain_q));
    a_access:  assert (!serves_q || (access_valid_i[CoreW'(serving.core)] && serving.access == access[CoreW'(serving.core)] &&
                       !u_sequencer.stalled[CoreW'(serving.core)] &&
                       serving.access.kind == ((serving.source == SourceCommand) ? AccessCommand :
                                               (serving.source == SourceQuery) ? AccessQuery : AccessValue)));
    a_decoded: assert (!in_step || serving.decoded == decode(serving.access.op, serving.checked));
    a_before:  assert (!asks || stalls || own_serves || 32'(others_q) + 32'(ahead) <= AccessWait);
    a_judging: assert (!rst_n || ((judging_q != '0) == (state_of == StepJudge)) && $onehot0(judging_q));
    // A search or a chain takes long, and is not counted: what was counted before it.
    a_counted: assert (!in_step || !inherits || 32'(current_q) < (searches ? 3 : Longest));
    a_current: assert (32'(current_q) <= Period && (!in_step || 32'(current_q) < Longest));
    a_waits:   assert (32'(waits_q) <= Period * (32'(others_q) + 32'(own_serves)) + 32'(current_q));
  end
  for (genvar r = 0; r < Rows; r++) begin : gen_judging
    always_comb a_judging_age: assert (!judging_q[r] || (32'(age_q) == r + 3 && 32'(current_q) == r + 2 && bounded_q && judges_q &&
                                            !u_sequencer.u_step.chain_q));
  end
endmodule
