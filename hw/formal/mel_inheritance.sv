// SPDX-License-Identifier: Apache-2.0
// Proof of mel_inheritance with mel_sequencer, mel_arbiter, mel_step, mel_execute, mel_backlog, mel_mutexes, mel_wait_set,
// mel_ready_set, mel_task_table and mel_dispatcher of one core: one step of a command (the tasks of the .sby file) from any
// consistent state of mutexes and tasks ends, and leads to a consistent one; so every sequence of these steps does. Op 0, what is
// done in the background, has no task. What is consistent, whenever the unit is quiet (a_…):
//   the priority of every task is the most urgent of its base priority and the levels of the mutexes that it owns; the level of a
//     mutex is the priority of its most urgent waiter, or its ceiling when that is more urgent
//   a task stands in exactly the lists that its record names, at its priority; an owned mutex in its owner's held set, at its level
//   a mutex for which somebody waits is owned; its owner has not ended, but for one whose mutexes are being unlocked
//   nobody waits for himself: following owners and the mutexes for which they wait ends
// and of a step: a mutex changes its owner only when that one unlocks it, has ended, or it is deleted, and only to a task that
// waited for it; a lock that would close a cycle is refused with E_ILUSE, and none else for that reason.
// How: the state at the beginning is free, but consistent; `Cycles` cover the longest step. The lists are not the real ones, but
// what is proved of these (mel_proved_list.sv).
// Small instance: tasks and mutexes are handled alike for any number. Full sizes: tests/random.
// Needs: what a command is about exists as the other modules promise (m_*).

module mel_inheritance_proof
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Priorities = 2,
  parameter int unsigned Mutexes    = 2,
  parameter int unsigned Cycles     = 30,  // the longest step ends within them
  parameter mel_pkg::op_t Op         = '0   // the command; 0: background work
) (
  input logic                         clk_i,
  input logic [7:0]                   id_i,
  input logic                         long_i,          // the argument is all ones, else the next
  input logic [1:0]                   argument_i,
  input logic                         timeout_valid_i,
  input logic [1:0]                   timeout_id_i,
  input logic                         scanning_i
);

  localparam int unsigned Tasks  = 4;
  localparam prio_t       Lowest = prio_t'(Priorities - 1);

  logic [5:0] cycle_q = '0;
  logic       first;
  assign first = cycle_q == '0;
  always_ff @(posedge clk_i) if (cycle_q != '1) cycle_q <= cycle_q + 6'd1;

  // ---- the part of mel_unit -------------------------------------------------------------------------------------------

  access_t        access [1];
  core_t          core [1];
  turn_t          turn [1];
  top_t           best [1];
  affinity_t      best_affinity [1];
  core_step_t     core_step [1];
  records_t       records;
  timers_t        timers;
  logic           ready, clear, quiet, steady, busy, irq_take, done, operand_done, operand_write, flags_taken, reclaims, peers;
  line_t          clear_index, context_line;
  id_t            subject;
  logic [31:0]    access_data, answer;
  finish_t        finish;
  save_result_t   save_result;
  status_t        answer_status, saved_result;
  reads_t         reads;
  lists_request_t request;
  lists_t         lists;
  plan_t          plan;
  inherit_t       inherit;
  access_t        planned;
  mutex_write_t   mutex_write;
  task_t          task_entry;
  step_event_t    step;
  logic           irq_dispatch;

  assign access[0] = '{kind: AccessCommand, op: Op, id: id_i, argument: {{30{long_i}}, argument_i | {2{long_i}}}};
  always_comb begin
    timers               = '0;
    timers.scanning      = scanning_i;
    timers.timeout_valid = timeout_valid_i;
    timers.timeout_id    = 8'(timeout_id_i);
  end

  localparam mel_pkg::sizes_t Sizes = '{Tasks: Tasks, Priorities: Priorities, Semaphores: 1, Mutexes: Mutexes, Cores: 1, default: 0};

  mel_sequencer #(.Sizes(Sizes)) u_sequencer (
    .clk_i, .rst_ni (1'b1),
    .ready_o (ready), .clear_o (clear), .clear_index_o (clear_index), .quiet_o (quiet), .steady_o (steady), .busy_o (busy),
    .access_valid_i (Op != '0 && first), .access_i (access), .access_done_o (done), .operand_done_o (operand_done),
    .access_data_o (access_data), .core_i (core), .reclaims_i (1'b0), .expired_i (1'b0), .run_time_i ('0),
    .core_step_o (core_step), .finish_o (finish),
    .reads_o (reads), .records_i (records), .lists_o (request), .lists_i (lists),
    .queues_settled_i (1'b1), .purge_valid_i (1'b0), .purge_id_i ('0), .save_result_o (save_result),
    .plan_o (plan), .inherit_o (inherit), .access_o (planned), .subject_o (subject), .context_o (context_line),
    .operand_write_o (operand_write), .mutex_write_o (mutex_write),
    .judged_i (1'b0), .flags_taken_o (flags_taken), .released_i ('0),
    .timers_i (timers), .alarms_i ('0), .irq_i ('0), .irq_take_o (irq_take), .claim_i ('0), .event_o (step)
  );

  mel_dispatcher u_dispatcher (
    .clk_i, .rst_ni (1'b1), .best_i (best[0]), .best_affinity_i (best_affinity[0]), .steady_i (steady),
    .step_i (core_step[0]), .finish_i (finish), .result_i (saved_result), .state_o (core[0]), .turn_o (turn[0]),
    .reclaims_o (reclaims), .answer_o (answer), .answer_status_o (answer_status), .irq_dispatch_o (irq_dispatch)
  );

  always_comb begin
    task_entry = plan.task_entry;
    if (inherit.prio_we) task_entry.prio = inherit.prio;
  end

  task_t  task_record;
  mutex_t mutex_record;
  always_comb begin
    records             = '0;
    records.task_record = task_record;
    records.mutex       = mutex_record;
    records.operand     = '{zero: 1'b1, one: 1'b0, endless: 1'b0, negative: 1'b0, is_prio: 1'b1, word: '0};
  end

  mel_task_table #(.Tasks(Tasks), .Priorities(Priorities)) u_task_table (
    .clk_i, .clear_i (clear), .clear_index_i (clear_index),
    .read_i (reads.task_en), .read_id_i (reads.task_id), .record_o (task_record),
    .write_i (plan.task_we), .write_id_i (subject), .record_i (task_entry), .prio_write_i (inherit.prio_we),
    .result_read_id_i (core[0].best.task_id), .result_o (saved_result),
    .result_write_i (1'b0), .result_write_id_i ('0), .result_i ('0)
  );

  mel_mutexes #(.Tasks(Tasks), .Priorities(Priorities), .Mutexes(Mutexes)) u_mutexes (
    .clk_i, .rst_ni (1'b1), .clear_i (clear), .clear_index_i (clear_index),
    .read_i (reads.mutex_en), .read_id_i (reads.mutex_id), .record_o (mutex_record),
    .write_i (mutex_write.en), .write_id_i (mutex_write.id), .record_i (mutex_write.entry),
    .held_request_i (request.held), .held_state_o (lists.held), .held_o (lists.inherited), .held_after_o (lists.inherited_after)
  );

  mel_ready_set #(.Tasks(Tasks), .Priorities(Priorities)) u_ready_set (
    .clk_i, .rst_ni (1'b1), .request_i (request.ready), .state_o (lists.ready), .turn_i (turn),
    .best_o (best), .best_affinity_o (best_affinity), .peers_o (peers)
  );

  mel_wait_set #(.Sizes(Sizes)) u_wait_set (
    .clk_i, .rst_ni (1'b1), .clear_i (clear), .clear_index_i (clear_index),
    .request_i (request.waits), .state_o (lists.waits), .top_o (lists.waiter), .after_o (lists.waiter_after)
  );

  top_t due_top, due_after;
  mel_priority_list #(.Tasks(Tasks), .Priorities(Priorities), .Objects(1)) u_due_set (
    .clk_i, .rst_ni (1'b1), .clear_i (1'b0), .clear_index_i ('0), .request_i (request.due), .state_o (lists.due),
    .top_o (due_top), .top_after_o (due_after)
  );

  logic unused_data;
  assign unused_data = ^{busy, done, operand_done, reclaims, peers, save_result, access_data, answer, answer_status, planned,
                         operand_write, flags_taken, irq_take, irq_dispatch, context_line, due_top, due_after, step};

  // ---- the state, as plain records ------------------------------------------------------------------------------------

  task_t  tasks   [Tasks];
  mutex_t mutexes [Mutexes];

  for (genvar t = 0; t < Tasks; t++) begin : gen_task
    assign tasks[t] = '{
      exists: u_task_table.state_mem[t].exists, dormant: u_task_table.state_mem[t].dormant,
      suspended: u_task_table.state_mem[t].suspended, due: u_task_table.state_mem[t].due,
      waits: u_task_table.state_mem[t].waits, prio: 8'(u_task_table.prio_mem[t]),
      base_prio: 8'(u_task_table.state_mem[t].base_prio), initial_prio: 8'(u_task_table.record_mem[t].initial_prio),
      wakeups: u_task_table.state_mem[t].wakeups, affinity: u_task_table.record_mem[t].affinity,
      object: 8'(u_task_table.record_mem[t].object)
    };
  end
  for (genvar m = 0; m < Mutexes; m++) begin : gen_mutex
    assign mutexes[m] = '{
      exists: u_mutexes.gen_mutexes.record_mem[m].exists, owned: u_mutexes.gen_mutexes.record_mem[m].owned,
      owner: 8'(u_mutexes.gen_mutexes.record_mem[m].owner), level: 8'(u_mutexes.gen_mutexes.record_mem[m].level),
      has_ceiling: u_mutexes.gen_mutexes.record_mem[m].has_ceiling, ceiling: 8'(u_mutexes.gen_mutexes.record_mem[m].ceiling),
      abandoned: u_mutexes.gen_mutexes.record_mem[m].abandoned, locks: u_mutexes.gen_mutexes.record_mem[m].locks
    };
  end

  // ---- what is consistent ---------------------------------------------------------------------------------------------

  backlog_t backlog;
  assign backlog = u_sequencer.backlog;

  // Places of the tasks in the lists.
  typedef struct packed { logic member; logic [2:0] object; logic [1:0] prio; } place_t;
  place_t [Tasks-1:0] in_ready, waiting;
  assign in_ready = u_ready_set.u_list.places_q;
  assign waiting  = u_wait_set.gen_lists.u_list.places_q;

  logic [Tasks-1:0]   runs, prio_ok, fields_ok, place_ok;
  logic [Mutexes-1:0] level_ok, owner_ok, held_ok;
  logic               acyclic, core_ok;

  // Task for which a task waits; Tasks: none.
  function automatic logic [2:0] awaits(task_t record, mutex_t all [Mutexes]);
    awaits = 3'(Tasks);
    for (int unsigned m = 0; m < Mutexes; m++) begin
      if (record.waits == WaitMutex && record.object == 8'(m) && all[m].exists && all[m].owned) awaits = all[m].owner[2:0];
    end
  endfunction

  always_comb begin
    acyclic = 1'b1;
    for (int unsigned t = 0; t < Tasks; t++) begin
      logic [2:0] other;
      prio_t      inherited;
      runs[t]   = tasks[t].exists && !tasks[t].dormant && !tasks[t].suspended && tasks[t].waits == WaitNone;
      inherited = tasks[t].base_prio;
      for (int unsigned m = 0; m < Mutexes; m++) begin
        if (mutexes[m].owned && mutexes[m].owner == 8'(t)) inherited = more_urgent(inherited, mutexes[m].level);
      end
      prio_ok[t]   = tasks[t].prio == ((tasks[t].dormant || !tasks[t].exists) ? tasks[t].initial_prio : inherited);
      fields_ok[t] = tasks[t].prio <= Lowest && tasks[t].base_prio <= Lowest && tasks[t].initial_prio <= Lowest &&
                     (tasks[t].waits inside {WaitNone, WaitSleep, WaitDelay, WaitNotification, WaitSemaphore, WaitMutex}) &&
                     (tasks[t].waits != WaitMutex || tasks[t].object < 8'(Mutexes)) &&
                     (tasks[t].waits != WaitSemaphore || tasks[t].object == '0) &&
                     (!tasks[t].due || tasks[t].waits != WaitNone) &&
                     (!(tasks[t].dormant || !tasks[t].exists) || (tasks[t].waits == WaitNone && !tasks[t].suspended &&
                                                                  tasks[t].base_prio == tasks[t].initial_prio));
      other = awaits(tasks[t], mutexes);
      for (int unsigned i = 0; i < Tasks; i++) begin
        acyclic &= other != 3'(t);
        if (other < 3'(Tasks)) other = awaits(tasks[other[1:0]], mutexes);
      end
    end
    for (int unsigned m = 0; m < Mutexes; m++) begin
      prio_t level;
      logic  waited;
      level  = mutexes[m].has_ceiling ? mutexes[m].ceiling : Lowest;
      waited = 1'b0;
      for (int unsigned t = 0; t < Tasks; t++) begin
        if (tasks[t].waits == WaitMutex && tasks[t].object == 8'(m)) begin
          waited = 1'b1;
          level  = more_urgent(level, tasks[t].prio);
        end
      end
      level_ok[m] = !mutexes[m].owned || mutexes[m].level == level;
      owner_ok[m] = (!mutexes[m].has_ceiling || mutexes[m].ceiling <= Lowest) &&
                    (!mutexes[m].owned || (mutexes[m].exists && mutexes[m].owner < 8'(Tasks) && mutexes[m].locks != '0 &&
                      tasks[mutexes[m].owner[1:0]].exists && (!tasks[mutexes[m].owner[1:0]].dormant ||
                      (backlog.orphan_valid && backlog.orphan_id == mutexes[m].owner)))) &&
                    (!waited || (mutexes[m].exists ? mutexes[m].owned :
                      backlog.drain_valid && backlog.drain_kind == WaitMutex && backlog.drain_id == 8'(m)));
      held_ok[m]  = u_mutexes.gen_mutexes.u_held_set.places_q[m].member == mutexes[m].owned &&
                    (!mutexes[m].owned || (8'(u_mutexes.gen_mutexes.u_held_set.places_q[m].object) == mutexes[m].owner &&
                      8'(u_mutexes.gen_mutexes.u_held_set.places_q[m].prio) == mutexes[m].level));
    end
    // Cleanups under way, and the core.
    core_ok = (!backlog.orphan_valid || (backlog.orphan_id < 8'(Tasks) && tasks[backlog.orphan_id[1:0]].exists &&
                                         tasks[backlog.orphan_id[1:0]].dormant)) &&
              (!backlog.drain_valid || (backlog.drain_kind == WaitMutex && backlog.drain_id < 8'(Mutexes))) &&
              (!core[0].running_valid || core[0].running < 8'(Tasks)) &&
              (core[0].running_valid || !(core[0].runnable || core[0].listed || core[0].waits || core[0].ended)) &&
              (!core[0].listed || core[0].runnable);
    for (int unsigned m = 0; m < Mutexes; m++) begin
      core_ok &= !backlog.drain_valid || backlog.drain_id != 8'(m) || !mutexes[m].exists;
    end
    for (int unsigned t = 0; t < Tasks; t++) begin
      if (core[0].running_valid && core[0].running == 8'(t)) begin
        core_ok &= core[0].runnable == runs[t] && core[0].prio == tasks[t].prio && tasks[t].exists &&
                   core[0].waits == (tasks[t].waits != WaitNone) && (core[0].ended || !tasks[t].dormant);
      end
      place_ok[t] = in_ready[t].member ==
                      (runs[t] && !(core[0].running_valid && core[0].running == 8'(t) && !core[0].listed)) &&
                    (!in_ready[t].member || (8'(in_ready[t].prio) == tasks[t].prio && in_ready[t].object == '0)) &&
                    u_due_set.places_q[t].member == tasks[t].due &&
                    (!tasks[t].due || (8'(u_due_set.places_q[t].prio) == tasks[t].prio && u_due_set.places_q[t].object == '0)) &&
                    waiting[t].member == (tasks[t].waits inside {WaitSemaphore, WaitMutex}) &&
                    (!waiting[t].member || (8'(waiting[t].prio) == tasks[t].prio &&
                     waiting[t].object == ((tasks[t].waits == WaitMutex) ? tasks[t].object[2:0] + 3'd1 : '0)));
    end
  end

  // ---- one step -------------------------------------------------------------------------------------------------------

  // Nothing is left of the step before.
  logic at_rest;
  assign at_rest = u_sequencer.state_q == StepIdle && !u_sequencer.u_step.chain_q && !u_sequencer.u_step.effective_q &&
                   !u_sequencer.u_step.u_inheritance.adopt_q && !u_sequencer.u_step.u_inheritance.held_late_q;

  logic    begun_q = 1'b0, ended_q = 1'b0;   // the step; everything has settled again
  access_t access_q;

  // Follow the chain of owners for which the caller of a lock would wait. It closes when it reaches
  // the caller.
  logic       closes;
  logic [2:0] chain;
  always_comb begin
    closes = 1'b0;
    chain  = 3'(Tasks);
    for (int unsigned m = 0; m < Mutexes; m++) begin
      if (access[0].id == 8'(m) && mutexes[m].exists && mutexes[m].owned) chain = mutexes[m].owner[2:0];
    end
    for (int unsigned i = 0; i < Tasks; i++) begin
      closes |= i > 0 && chain < 3'(Tasks) && 8'(chain) == core[0].running;
      if (chain < 3'(Tasks)) chain = awaits(tasks[chain[1:0]], mutexes);
    end
  end

  logic       closes_q, above_q;
  mutex_t     was [Mutexes];          // at the beginning
  logic [Tasks-1:0][2:0] waited_for;  // … the mutex for which a task waited, Mutexes: none
  always_ff @(posedge clk_i) begin
    begun_q <= begun_q || u_sequencer.start;
    ended_q <= ended_q || (begun_q && quiet);
    if (first) begin
      closes_q <= closes;
      above_q  <= mutexes[0].has_ceiling && tasks[0].base_prio < mutexes[0].ceiling;
      access_q <= access[0];
      for (int unsigned m = 0; m < Mutexes; m++) was[m] <= mutexes[m];
      for (int unsigned t = 0; t < Tasks; t++) waited_for[t] <= (tasks[t].waits == WaitMutex) ? tasks[t].object[2:0] : 3'(Mutexes);
    end
  end

  always_comb begin
    // Everything rests; one step.
    m_rests:     assume (!first || (quiet && at_rest && u_sequencer.stalled == '0 && u_sequencer.step_q.core == '0 &&
                                    u_sequencer.u_arbiter.core_last_q == '0 && u_sequencer.u_arbiter.waited_q <= 3'd2));
    m_consistent: assume (!first || ((&prio_ok) && (&fields_ok) && (&place_ok) && (&level_ok) && (&owner_ok) && (&held_ok) &&
                                     acyclic && core_ok));
    m_access:    assume (first || access[0] == access_q);
    m_begins:    assume (!first || (u_sequencer.start && (Op == '0) != (u_sequencer.grant.source == SourceCommand)));
    m_once:      assume (!ended_q);
    // Numbers have no meaning: the running task is task 0, a mutex command's mutex is mutex 0.
    m_numbers:   assume (!first || (core[0].running == '0 &&
                                    (mel_pkg::id_kind(Op) != mel_pkg::IdKindMutex || id_i == '0)));
    m_timeout:   assume (!timeout_valid_i || (Op == '0 && tasks[timeout_id_i].due));   // mel_timers: of the due set
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic after;   // the step has ended, and everything rests again
  assign after = begun_q && quiet;

  for (genvar t = 0; t < Tasks; t++) begin : gen_task_promise
    always_comb begin
      a_priority: assert (!after || prio_ok[t]);
      a_fields:   assert (!after || fields_ok[t]);
      a_place:    assert (!after || place_ok[t]);
    end
  end
  for (genvar m = 0; m < Mutexes; m++) begin : gen_mutex_promise
    logic waited;   // the owner has waited for it
    always_comb begin
      waited = 1'b0;
      for (int unsigned t = 0; t < Tasks; t++) waited |= mutexes[m].owner == 8'(t) && waited_for[t] == 3'(m);
    end
    always_comb begin
      a_level:    assert (!after || level_ok[m]);
      a_owner:    assert (!after || owner_ok[m]);
      a_held:     assert (!after || held_ok[m]);
      a_excludes: assert (!after || !was[m].owned || !mutexes[m].owned || mutexes[m].owner == was[m].owner || waited);
    end
  end
  always_comb begin
    a_ends:    assert (32'(cycle_q) < Cycles);
    a_acyclic: assert (!after || acyclic);
    a_core:    assert (!after || core_ok);
    a_rests:   assert (!after || at_rest);
    a_cycle:   assert (first || Op != mel_pkg::OpMutexLock || !closes_q || !plan.caller_waits);
    a_no_cycle: assert (first || Op != mel_pkg::OpMutexLock || closes_q || above_q || step.status != mel_pkg::StatusEIluse ||
                        !(step.valid && step.source == SourceCommand));
  end
endmodule
