// SPDX-License-Identifier: Apache-2.0
// Proof of mel_dispatcher, one per core, with mel_best: which task a core should run, for any order of steps that the program
// may take: tasks become ready, wait, are suspended, end, are started again, change priority, lose their turn; cores dispatch,
// disable dispatch, run handlers. docs/decisions/0009 is the claim; its consequences are asserted besides, each for itself:
//   a_chosen   what a core should run: the candidate, when the running task cannot go on or is less urgent; else the running task
//   a_own      no task of its own affinity is more urgent than what a core should run; a_oldest: nor as urgent and older in its list
//   a_first    the first task of affinity any is what some core should run, or a core has something as urgent to change to, or every one
//              runs something as urgent; not while the core that it is destined for is about to give its own task the turn back
//   a_rest     when no core has anything to change, no ready task is more urgent than what runs where it may run
//   a_once     no task is chosen by two cores; a_apart: none runs on two
//   a_rises, a_asks   a core is interrupted exactly when it must change, no handler runs, and no answer has said so
// Judged between steps (`quiet`). One core: the first two, with all tasks of one affinity.
// The lists are not the real ones, but say the same (mel_aged_list). The steps are those of hw/micro as its texts say: changes, each with its
// list operation, and then the end of the command; what the program then does, the proofs of programs and random runs say. `quiet`
// is when mel_unit lets a step begin: all that mel_best has in registers has followed.
module mel_dispatcher_proof
  import mel_unit_pkg::*;
  import mel_engine_pkg::*;
#(
  parameter int unsigned Tasks = 4,
  parameter int unsigned Cores = 2,
  localparam int unsigned Priorities = 2,
  localparam int unsigned Affinities = (Cores > 1) ? Cores + 1 : 1,
  localparam int unsigned TaskW = $clog2(Tasks)
) (
  input logic             clk_i,
  input logic [3:0]       what_i,      // next event
  input logic             command_i,   // … is the command of a core
  input logic [1:0]       core_i,
  input logic [TaskW-1:0] task_i,
  input logic             prio_i,
  input logic [1:0]       affinity_i,
  input logic             head_i,      // a task that moves goes before the others
  input logic             early_i,     // a change that moves nobody is heard before the end of the step as well
  input logic             more_i,      // the step has a further change
  input logic             wait_i,      // the step takes a cycle more
  input status_t          status_i,
  input status_t          result_i,
  input logic [Cores-1:0] unsettled_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // ---- what a step may be -----------------------------------------------------------------------------------------------

  typedef enum logic [3:0] {
    None,          // it changes no running task and no list: a count, a refusal
    Dispatch,
    Claim,
    Reclaim,
    Readies,       // a task is started, resumed, or its wait ends; a waiter of a mutex may get another priority
    LeavesWait,    // the wait of a suspended task ends
    Waits,         // the caller
    Suspends,
    Ends,
    Requeues,      // a running task goes behind the others, of another priority perhaps; its quantum is used, or by command
    SetsPrio,      // any task, by inheritance or by a command
    Rotates,       // a ready task goes behind the others of its list
    Enables,
    Disables
  } what_e;

  typedef enum logic [2:0] { Idle, Plan, Move, Finish, Tell, Preempt } state_e;

  typedef logic [TaskW-1:0] number_t;

  state_e           state_q;
  what_e            what;
  logic [1:0]       step_core_q, affinity_d;
  logic             command_q, waits_q, head_q, tell_waits_q;
  status_t          tell_status_q;
  change_t          change, change_q, early;
  logic [1:0]       move_affinity_q;
  logic             move_prio_q;
  number_t          move_task_q;

  // The tasks, as the tables would say.
  logic [Tasks-1:0]      runnable_q, waiting_q, prio_q;
  logic [Tasks-1:0][1:0] affinity_q;

  core_t            core [Cores];
  turn_t            turn [Cores];
  core_step_t       step [Cores];
  finish_t          finish;
  top_t             best [Cores];
  affinity_t        best_affinity [Cores];
  logic [Cores-1:0] reclaims, irq;
  logic [31:0]      answer [Cores];
  status_t          answer_status [Cores];
  top_t             tops [Affinities];
  struct packed { logic [2:0] op; logic [1:0] affinity; logic prio; logic [TaskW-1:0] task_id; } request;
  logic             lists_idle, outcome, rests, rests_q, settled, settled_long, quiet, steady;
  logic [Cores-1:0] moves, peers;

  mel_aged_list #(.Nodes(Tasks), .Priorities(Priorities), .Objects(Affinities)) u_lists (
    .clk_i, .rst_ni (rst_n), .op_i (request.op), .object_i (2'(request.affinity)), .prio_i (8'(request.prio)),
    .node_i (8'(request.task_id)), .idle_o (lists_idle), .outcome_o (outcome), .tops_o (tops)
  );
  mel_best #(.Cores(Cores)) u_best (
    .clk_i, .rst_ni (rst_n), .tops_i (tops), .turn_i (turn), .best_o (best), .best_affinity_o (best_affinity), .peers_o (peers)
  );

  // When a step may begin, and the dispatchers look (mel_unit: lists_idle, settled, settled_long).
  for (genvar i = 0; i < Cores; i++) begin : gen_moves
    assign moves[i] = step[i].command || step[i].enable || step[i].disable_dispatch || step[i].dispatch || step[i].claim || step[i].reclaim;
  end
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) {rests_q, settled, settled_long} <= '0;
    else begin
      rests_q      <= lists_idle;
      settled      <= Cores == 1 || (lists_idle && !finish.valid && moves == '0);
      settled_long <= settled;
    end
  end
  assign rests = lists_idle && rests_q && (Cores == 1 || (settled && settled_long));

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    mel_dispatcher u_dispatcher (
      .clk_i, .rst_ni (rst_n), .best_i (best[i]), .best_affinity_i (best_affinity[i]), .steady_i (steady),
      .step_i (step[i]), .finish_i (finish), .result_i, .unsettled_i (unsettled_i[i]),
      .state_o (core[i]), .turn_o (turn[i]), .reclaims_o (reclaims[i]),
      .answer_o (answer[i]), .answer_status_o (answer_status[i]), .irq_dispatch_o (irq[i])
    );
  end

  assign quiet  = rst_n && state_q == Idle && rests;
  assign steady = state_q == Idle && lists_idle && (Cores == 1 || settled);

  // ---- the step ------------------------------------------------------------------------------------------------------

  core_t            caller, chooser;      // core of the command; core that dispatches
  number_t          subject;
  logic [Tasks-1:0] apart, runs, locked;  // runs and stands in no list; runs; its core has dispatch disabled
  logic             in_list, legal, readies_anew, done, ends_step, acts;
  logic [2:0]       op;
  logic [1:0]       op_affinity;
  logic             op_prio;

  always_comb begin
    {apart, runs, locked} = '0;
    caller  = core[0];
    chooser = core[0];
    for (int unsigned i = 0; i < Cores; i++) begin
      if (core[i].running_valid) begin
        runs[number_t'(core[i].running)]   = 1'b1;
        apart[number_t'(core[i].running)]  = !core[i].listed;
        locked[number_t'(core[i].running)] = !core[i].enabled;
      end
      if (step_core_q == 2'(i)) caller = core[i];
      if (core_i == 2'(i))      chooser = core[i];
    end
  end

  assign what         = what_e'(what_i);
  assign subject      = (what == Waits) ? number_t'(caller.running) : task_i;
  assign in_list      = runnable_q[subject] && !apart[subject];
  // A task that no core runs may have been deleted and created again, for other cores.
  assign readies_anew = what == Readies && !waiting_q[subject] && !runs[subject];
  assign affinity_d   = readies_anew ? affinity_i : affinity_q[subject];

  logic of_task, by_task;
  assign by_task = command_q && !caller.in_handler && caller.running_valid;
  assign of_task = by_task && caller.running == id_t'(subject);

  // Steps that mel_engine and the program let pass.
  always_comb begin
    unique case (what)
      None:       legal = 1'b1;
      Readies:    legal = !runnable_q[subject] && 32'(affinity_d) < Affinities;
      LeavesWait: legal = waiting_q[subject];
      Waits:      legal = by_task && caller.enabled && caller.runnable && !waits_q;
      Suspends:   legal = command_q && runnable_q[subject] && !locked[subject];
      Ends:       legal = command_q && !caller.in_handler && (of_task || !locked[subject]);
      Requeues:   legal = runnable_q[subject] && apart[subject];
      SetsPrio:   legal = 1'b1;
      Rotates:    legal = command_q && in_list;
      Enables:    legal = command_q && !caller.in_handler;
      Disables:   legal = by_task;
      default:    legal = 1'b0;
    endcase
    // A task that has ended may do nothing more; one that waits now does not go on with its step as another's subject.
    if (by_task && caller.ended && what != None)              legal = 1'b0;
    if (waits_q && (what != SetsPrio && what != None))        legal = 1'b0;
    if (waits_q && caller.running == id_t'(subject))          legal = what == None;
  end

  always_comb begin
    op       = ListsNone;
    op_affinity = affinity_d;
    op_prio  = prio_q[subject];
    change   = '0;
    change.task_id     = id_t'(subject);
    change.result      = status_i;
    change.prio        = prio_t'(prio_i);
    unique case (what)
      Readies: begin
        op                  = ListsTail;
        op_prio             = prio_i;
        change.gets_ready   = 1'b1;
        change.leaves_wait  = waiting_q[subject];
        change.sets_result  = waiting_q[subject];
        change.sets_prio    = 1'b1;
      end
      LeavesWait: begin
        change.leaves_wait  = 1'b1;
        change.sets_result  = 1'b1;
      end
      Waits: if (in_list) op = ListsRemove;
      Suspends: begin
        if (in_list) op     = ListsRemove;
        change.gets_unready = 1'b1;
      end
      Ends: begin
        if (in_list) op     = ListsRemove;
        change.leaves_wait  = 1'b1;
        change.gets_unready = 1'b1;
        change.ends         = 1'b1;
        change.sets_prio    = 1'b1;
      end
      Requeues: begin
        op                  = ListsTail;
        op_prio             = prio_i;
        change.requeues     = 1'b1;
        change.sets_prio    = 1'b1;
      end
      SetsPrio: begin
        if (in_list) op     = ListsRemove;
        change.sets_prio    = 1'b1;
      end
      Rotates: op           = ListsRemove;
      default: ;
    endcase
  end

  logic begins, plans;
  assign begins = quiet && acts;
  assign plans  = state_q == Plan && !wait_i;
  assign acts   = 32'(core_i) < Cores && (what == Dispatch || what == Claim ||
                                          (what == Reclaim && Cores > 1 && reclaims[core_i[$clog2(Cores+1)-1:0]]));

  always_comb begin
    request = '{op: ListsNone, affinity: '0, prio: '0, task_id: '0};
    done    = 1'b0;
    if (begins && what != Claim && chooser.take_best) begin
      request = '{op: ListsRemove, affinity: 2'(chooser.best_affinity), prio: chooser.best.prio[0], task_id: number_t'(chooser.best.task_id)};
    end
    if (plans) begin
      request = '{op: op, affinity: op_affinity, prio: op_prio, task_id: subject};
      done    = op == ListsNone;
    end
    if (state_q == Move && lists_idle) begin
      request = '{op: head_q ? ListsHead : ListsTail, affinity: move_affinity_q, prio: move_prio_q, task_id: move_task_q};
    end
    if (state_q == Preempt && lists_idle) begin
      request = '{op: ListsHead, affinity: move_affinity_q, prio: move_prio_q, task_id: move_task_q};
    end
    if (state_q == Finish && outcome) done = 1'b1;
  end
  assign ends_step = done && !more_i;

  always_comb begin
    early        = change;
    finish       = '{valid: done, change: (state_q == Plan) ? change : change_q, status: status_i,
                     caller_waits: waits_q || (plans && what == Waits)};
    if (plans && !done && early_i && what == SetsPrio) begin
      finish.valid  = 1'b1;
      finish.change = early;
    end
    if (state_q == Tell) {finish.caller_waits, finish.status} = {tell_waits_q, tell_status_q};
    for (int unsigned i = 0; i < Cores; i++) begin
      step[i] = '{ends: ends_step, default: '0};
      if (begins && core_i == 2'(i)) begin
        step[i].dispatch = what == Dispatch;
        step[i].claim    = what == Claim;
        step[i].reclaim  = what == Reclaim;
      end
      if (command_q && step_core_q == 2'(i)) begin
        step[i].serving = !(state_q inside {Idle, Preempt});
        step[i].command = ends_step || state_q == Tell;   // the dispatcher hears it twice, if there are several cores
        step[i].enable  = plans && (what == Enables || (what == Ends && of_task));
        step[i].disable_dispatch = plans && what == Disables;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      state_q    <= Idle;
      waits_q    <= 1'b0;
      runnable_q <= '0;
      waiting_q  <= '0;
      command_q  <= 1'b0;
      step_core_q <= '0;
    end else begin
      unique case (state_q)
        Idle: if (quiet) begin
          if (begins) begin
            if (what == Dispatch && chooser.due && chooser.running_valid && chooser.runnable && !chooser.listed) state_q <= Preempt;
          end else if (!wait_i) begin
            state_q     <= Plan;
            command_q   <= command_i;
            step_core_q <= (32'(core_i) < Cores) ? core_i : '0;
          end
        end
        Plan: if (plans && !done) state_q <= (what inside {SetsPrio, Rotates}) ? Move : Finish;
        Move: if (lists_idle) state_q <= Finish;
        Preempt: if (lists_idle) state_q <= Idle;
        Tell: state_q <= Idle;
        default: ;
      endcase
      if (done) state_q <= more_i ? Plan : (Cores > 1 && command_q) ? Tell : Idle;
      if (plans) waits_q <= waits_q || what == Waits;
      if (ends_step) waits_q <= 1'b0;

      // The tables are written when the plan is made.
      if (plans) begin
        if (what == Readies)                 runnable_q[subject] <= 1'b1;
        if (what inside {Suspends, Ends, Waits})  runnable_q[subject] <= 1'b0;
        if (what inside {Readies, LeavesWait, Ends}) waiting_q[subject] <= 1'b0;
        if (what == Waits)                   waiting_q[subject] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (done) {tell_waits_q, tell_status_q} <= {finish.caller_waits, finish.status};
    if (plans) begin
      change_q <= change;
      head_q   <= head_i && what != Rotates;
      if (change.sets_prio) prio_q[subject] <= prio_i;
      affinity_q[subject] <= affinity_d;
      {move_affinity_q, move_prio_q, move_task_q} <= {affinity_d, (what == Rotates) ? prio_q[subject] : prio_i, subject};
    end
    if (begins) {move_affinity_q, move_prio_q, move_task_q} <= {2'(chooser.affinity), chooser.prio[0], number_t'(chooser.running)};
  end

  always_comb begin
    m_what:   assume (what_i <= 4'(Disables));
    m_legal:  assume (!plans || legal);                                // mel_engine, hw/micro
    m_status: assume (status_i <= 0 && (!(plans && by_task && caller.ended) || status_i < 0));   // no answer is positive
    m_waits:  assume (!(waits_q || (plans && what == Waits)) || status_i == 0);
  end

  // ---- what decision 0009 says ------------------------------------------------------------------------------------------

  // The lists: who is in them, who is before whom.
  logic [Affinities-1:0][Tasks-1:0]         in_affinity, first;
  logic [Affinities-1:0][Tasks-1:0][Tasks-1:0] ahead;   // [a][b]: a is before b
  for (genvar c = 0; c < Affinities; c++) begin : gen_affinity
    for (genvar a = 0; a < Tasks; a++) begin : gen_task
      assign in_affinity[c][a] = u_lists.in_q[a] && 32'(u_lists.object_q[a]) == c;
      for (genvar b = 0; b < Tasks; b++) begin : gen_other
        assign ahead[c][a][b] = a != b && in_affinity[c][a] && in_affinity[c][b] &&
                                (prio_q[a] < prio_q[b] || (prio_q[a] == prio_q[b] && u_lists.older_q[a][b]));
      end
    end
    always_comb begin
      for (int unsigned t = 0; t < Tasks; t++) begin
        first[c][t] = in_affinity[c][t];
        for (int unsigned u = 0; u < Tasks; u++) if (ahead[c][u][t]) first[c][t] = 1'b0;
      end
    end
  end

  // Sets of tasks, of at most one member each.
  logic [Cores-1:0][Tasks-1:0] runs_on, goes_on, own, candidate, should, chosen;
  logic [Cores-1:0]            enabled, hosts, least, destined, changes, due, handles;

  function automatic logic urgency(logic [Tasks-1:0] one);   // 1: the less urgent of two
    return |(one & prio_q);
  endfunction

  always_comb begin
    for (int unsigned i = 0; i < Cores; i++) begin
      for (int unsigned t = 0; t < Tasks; t++) begin
        runs_on[i][t] = core[i].running_valid && core[i].running == id_t'(t);
        chosen[i][t]  = core[i].chosen_valid && core[i].chosen == id_t'(t);
      end
      goes_on[i] = runs_on[i] & runnable_q & {Tasks{!core[i].listed && !core[i].ended}};
      enabled[i] = core[i].enabled;
      due[i]     = core[i].due;
      handles[i] = core[i].in_handler;
      own[i]     = first[(Cores > 1) ? i + 1 : 0];
    end
    // The core of the first task of affinity any: where it still runs, else the least urgent one, the lowest number among equals.
    for (int unsigned i = 0; i < Cores; i++) begin
      hosts[i] = |(runs_on[i] & first[0]);
      least[i] = enabled[i];
      for (int unsigned j = 0; j < Cores; j++) begin
        logic before_it;   // core j is less urgent, or as urgent and of a lower number
        before_it = (goes_on[j] == '0) ? goes_on[i] != '0 || j < i :
                    goes_on[i] != '0 && (urgency(goes_on[j]) > urgency(goes_on[i]) || (urgency(goes_on[j]) == urgency(goes_on[i]) && j < i));
        if (i != j && enabled[j] && before_it) least[i] = 1'b0;
      end
    end
    destined = (hosts != '0) ? hosts : least;
    for (int unsigned i = 0; i < Cores; i++) begin
      candidate[i] = own[i];
      if (Cores > 1 && destined[i] && first[0] != '0 && (own[i] == '0 || urgency(first[0]) < urgency(own[i]))) candidate[i] = first[0];
      if (!enabled[i])                                                                      should[i] = runs_on[i];
      else if (goes_on[i] != '0 && (candidate[i] == '0 || urgency(candidate[i]) >= urgency(goes_on[i]))) should[i] = runs_on[i];
      else                                                                                  should[i] = candidate[i];
      changes[i] = enabled[i] && (should[i] != runs_on[i] || core[i].ended);
    end
  end

  logic             stays_away;   // a core with dispatch disabled keeps a task that lost its turn
  logic [Cores-1:0] irq_q;
  logic             dispatches_q;
  logic [1:0]       dispatcher_q;
  logic [Tasks-1:0] dispatched_q;
  always_comb begin
    stays_away = 1'b0;
    for (int unsigned i = 0; i < Cores; i++) stays_away |= !enabled[i] && core[i].listed;
  end
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      irq_q        <= '0;
      dispatches_q <= 1'b0;
    end else begin
      irq_q        <= irq;
      dispatches_q <= begins && what == Dispatch;
    end
  end
  always_ff @(posedge clk_i) begin
    dispatcher_q <= core_i;
    for (int unsigned i = 0; i < Cores; i++) if (core_i == 2'(i)) dispatched_q <= should[i];
  end

  for (genvar i = 0; i < Cores; i++) begin : gen_promise
    localparam int unsigned Own = (Cores > 1) ? i + 1 : 0;
    always_comb begin
      a_chosen: assert (!quiet || chosen[i] == should[i]);
      a_due:    assert (!quiet || due[i] == changes[i]);
      a_rises:  assert (!irq[i] || irq_q[i] || steady);
      a_must:   assert (!rst_n || !steady || !irq[i] || (changes[i] && !handles[i]));
      a_asks:   assert (!quiet || !changes[i] || handles[i] || irq[i] || (!answer[i][31] && answer[i][1:0] != '0 && !answer[i][2]));
      a_runs:   assert (!dispatches_q || dispatcher_q != 2'(i) || (runs_on[i] == dispatched_q && !core[i].ended));
      c_irq:    cover (quiet && irq[i] && goes_on[i] != '0);
      c_keeps:  cover (quiet && core[i].listed && !due[i] && enabled[i]);
    end
    for (genvar t = 0; t < Tasks; t++) begin : gen_task
      always_comb begin
        a_own:    assert (!quiet || !enabled[i] || !in_affinity[Own][t] || (chosen[i] != '0 && prio_q[t] >= urgency(chosen[i])));
        a_oldest: assert (!quiet || !chosen[i][t] || runs_on[i][t] || first[affinity_q[t]][t]);
        a_rest:   assert (!quiet || due != '0 || (Cores > 1 && reclaims != '0) || stays_away || !enabled[i] ||
                          !(in_affinity[Own][t] || in_affinity[0][t]) ||
                          ((runs_on[i] & runnable_q) != '0 && prio_q[t] >= urgency(runs_on[i])));
      end
    end
    for (genvar j = 0; j < i; j++) begin : gen_other
      always_comb begin
        a_apart: assert (!rst_n || (runs_on[i] & runs_on[j]) == '0);
        a_once:  assert (!quiet || (chosen[i] & chosen[j]) == '0);
      end
    end
  end

  if (Cores > 1) begin : gen_any
    logic chosen_by, as_urgent_changes, all_as_urgent, kept;
    always_comb begin
      {chosen_by, as_urgent_changes, kept} = '0;
      all_as_urgent = 1'b1;
      for (int unsigned i = 0; i < Cores; i++) begin
        chosen_by         |= (chosen[i] & first[0]) != '0;
        as_urgent_changes |= changes[i] && chosen[i] != '0 && urgency(chosen[i]) <= urgency(first[0]);
        all_as_urgent     &= !enabled[i] || (goes_on[i] != '0 && urgency(goes_on[i]) <= urgency(first[0]));
        kept              |= hosts[i] && !enabled[i];
      end
      a_first: assert (!quiet || first[0] == '0 || chosen_by || as_urgent_changes || all_as_urgent || kept || (reclaims & destined) != '0);
    end
  end

  for (genvar t = 0; t < Tasks; t++) begin : gen_lists
    logic [Affinities-1:0] where;
    for (genvar c = 0; c < Affinities; c++) begin : gen_in
      assign where[c] = in_affinity[c][t];
    end
    always_comb begin
      // A task is in the list of its affinity exactly when it could run and no core runs it in its turn.
      a_listed:  assert (!quiet || where == ((runnable_q[t] && !apart[t]) ? Affinities'(1) << affinity_q[t] : '0));
      a_waiting: assert (!rst_n || !waiting_q[t] || !runnable_q[t]);
    end
  end
  // ---- what holds the induction -----------------------------------------------------------------------------------------

  logic between;   // dispatchers have heard of all changes but that a caller waits
  assign between = rst_n && state_q inside {Idle, Plan, Tell};
  for (genvar i = 0; i < Cores; i++) begin : gen_core_holds
    number_t runs_task;
    assign runs_task = number_t'(core[i].running);
    always_comb begin
      a_numbers:  assert (!rst_n || !core[i].running_valid || (32'(core[i].running) < Tasks && 32'(core[i].prio) < Priorities &&
                          32'(core[i].affinity) < Affinities));
      a_runs_affine: assert (!rst_n || !core[i].running_valid || 2'(core[i].affinity) == affinity_q[runs_task]);
      a_prio:     assert (!between || !core[i].running_valid || core[i].prio == prio_t'(prio_q[runs_task]));
      a_runnable: assert (!between || !core[i].running_valid || (waits_q && step_core_q == 2'(i)) ||
                          (core[i].runnable == runnable_q[runs_task] && core[i].waits == waiting_q[runs_task]));
      a_idle:     assert (!rst_n || core[i].running_valid || !(core[i].runnable || core[i].listed || core[i].waits || core[i].ended));
      a_flags:    assert (!rst_n || !core[i].listed || core[i].runnable);
      a_ended:    assert (!rst_n || !core[i].ended || (core[i].enabled && !core[i].waits && (core[i].listed || !core[i].runnable)));
    end
  end
  for (genvar t = 0; t < Tasks; t++) begin : gen_task_holds
    always_comb begin
      a_affinity: assert (!rst_n || !runnable_q[t] || 32'(affinity_q[t]) < Affinities);
      a_place:  assert (!rst_n || !u_lists.in_q[t] || (32'(u_lists.object_q[t]) == 32'(affinity_q[t]) &&
                        u_lists.prio_q[t] == prio_q[t]));
      a_stands: assert (!rst_n || (state_q inside {Move, Preempt, Finish} && number_t'(t) == move_task_q) ||
                        u_lists.in_q[t] == (runnable_q[t] && !apart[t]));
    end
  end
  always_comb begin
    a_state: assert (!rst_n || state_q <= Preempt);
    a_core:  assert (!rst_n || 32'(step_core_q) < Cores);
    c_two: cover (quiet && due == '1 && (Cores == 1 || chosen[0] != '0 && chosen[Cores-1] != '0));
  end
endmodule
