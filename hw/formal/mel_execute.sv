// Proof of mel_execute with mel_check: one step, whatever it serves, from any consistent state of the tables leads to a
// consistent one; so every sequence of steps does. What is consistent: task_ok and semaphore_ok below. In words:
//   a task is in exactly one place: the ready set, or a core, or the wait list that its record names, or none when it sleeps, is
//     delayed, suspended or dormant; in the due set exactly when its record says so; with a deadline only while it waits
//   list operations find the task where they look, and put it in the list of its priority
//   a count is at most its maximum, and 0 while somebody waits: a give is counted or ends one wait, never both, never neither
//   a wait ends once: what ends it takes the task from the wait list and the due set and cancels its deadline, so that nothing
//     is left which could end it again, whatever came in the same cycle
//   a command that is answered with an error changes nothing
// The status of every command that mel_check refuses is compared with spec's order of checks.
// Combinational: one step from free inputs. That lists, tables and timers keep what is written: mel_priority_list, simulation.
module mel_execute_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 4,
  parameter int unsigned Priorities = 2,
  parameter int unsigned Semaphores = 1,
  parameter int unsigned Interrupts = 2
) (
  input logic [2:0]                      source_i,
  input logic                            waiter_i,
  input logic [7:0]                      waiter_result_i,
  input logic [5:0]                      op_i,
  input logic [7:0]                      id_i,
  input logic [31:0]                     argument_i,
  input logic [$bits(irq_request_t)-1:0] irq_i,
  input logic [$bits(found_t)-1:0]       found_i,
  input logic [$bits(core_t)-1:0]        core_i,
  input logic [$bits(timers_t)-1:0]      timers_i,
  input logic                            drain_valid_i,
  input logic [7:0]                      drain_id_i,
  input logic                            armed_i        // the subject's deadline
);

  irq_request_t irq;
  found_t       found;
  core_t        core;
  timers_t      timers;
  source_e      source;
  status_t      checked;
  plan_t        plan;
  logic [31:0]  query;
  assign irq    = irq_i;
  assign found  = found_i;
  assign core   = core_i;
  assign timers = timers_i;
  assign source = source_e'(source_i);

  mel_check #(.Tasks(Tasks), .Priorities(Priorities), .Semaphores(Semaphores), .Interrupts(Interrupts)) u_check (
    .query_i (source == SourceQuery), .op_i, .id_i, .argument_i, .context_i (context_of(core)), .core_i (core),
    .status_o (checked)
  );

  mel_execute u_execute (
    .source_i (source), .waiter_i, .waiter_result_i (status_t'(waiter_result_i)), .checked_i (checked), .op_i, .id_i, .argument_i, .irq_i (irq),
    .found_i (found), .timers_i (timers), .drain_valid_i, .drain_id_i, .plan_o (plan), .query_o (query)
  );

  // ---- where a task is ------------------------------------------------------------------------------------------------

  typedef struct packed {
    logic ready;   // in the ready set
    logic waits;   // in the wait list that its record names
    logic due;     // in the due set
    logic armed;   // has a deadline in memory
  } place_t;

  function automatic logic runs(task_t record);
    return record.exists && !record.dormant && !record.suspended && record.waits == WaitNone;
  endfunction

  function automatic logic task_ok(task_t record, place_t place, logic apart);
    return place.ready == (runs(record) && !apart) &&
           place.waits == (record.exists && record.waits == WaitSemaphore) &&
           place.due == record.due &&
           (!place.armed || (record.waits != WaitNone && !record.due)) &&
           (record.waits != WaitNone || !record.due) &&
           (!(record.dormant || !record.exists) || (record.waits == WaitNone && !record.suspended)) &&
           32'(record.prio) < Priorities && 32'(record.base_prio) < Priorities;
  endfunction

  function automatic logic semaphore_ok(semaphore_t record, logic waiters, logic drains);
    return (!record.exists || record.count <= record.maximum) &&
           (!waiters || (record.exists ? record.count == '0 : drains));
  endfunction

  // ---- before ---------------------------------------------------------------------------------------------------------

  logic   commands, drains, caller_runs;
  place_t was;
  assign was = '{ready: runs(found.record) && !found.apart, waits: found.record.exists && found.record.waits == WaitSemaphore,
                    due: found.record.due, armed: armed_i};
  assign commands    = source == SourceCommand && !waiter_i;
  assign drains      = drain_valid_i && drain_id_i == ((source == SourceIrq) ? irq.object : id_i);
  assign caller_runs = commands && !core.in_handler && core.running_valid;

  always_comb begin
    m_source:    assume (source inside {SourceCommand, SourceIrq, SourceTimeout, SourceRelease, SourceCollect});
    m_task:      assume (task_ok(found.record, was, found.apart));
    m_semaphore: assume (semaphore_ok(found.semaphore, found.waiter.valid, drains) &&
                         found.semaphore.empty == (found.semaphore.count == '0) &&
                         found.semaphore.full == (found.semaphore.count == found.semaphore.maximum));   // mel_semaphores
    // The arbiter: a command without a task is about the running task of its core.
    m_subject:   assume (!commands || found.subject == ((mel_pkg::id_kind(op_i) == mel_pkg::IdKindTask) ? id_i : core.running));
    // One core; mel_dispatcher keeps these.
    m_running:   assume (found.running == (core.running_valid && core.running == found.subject));
    m_apart:     assume (found.apart == (found.running && !core.listed) && found.held == (found.running && !core.enabled));
    m_runs:      assume (!found.running || core.runnable == runs(found.record));
    m_listed:    assume (!core.listed || (core.running_valid && core.runnable));
    m_exists:    assume (!found.running || found.record.exists || found.record.dormant);
    // What a task waits for has a number that exists; whom a step is about is where it was found.
    m_named:     assume (found.record.waits != WaitSemaphore || 32'(found.record.semaphore) < Semaphores);
    m_waiter:    assume (!waiter_i || was.waits);
    m_timeout:   assume (waiter_i || source != SourceTimeout || was.due);
    m_collect:   assume (waiter_i || source != SourceCollect || !timers.collect_valid || was.armed);
  end

  // ---- after: what lists, tables and dispatcher make of the plan ------------------------------------------------------

  task_t      record;
  semaphore_t semaphore;
  place_t     will;
  logic       listed, runnable, apart, drains_after, ends, waiters_after;

  function automatic logic put(logic member, list_op_e op, logic move);
    return (op inside {ListInsertTail, ListInsertHead}) || (member && (op != ListRemove || move));
  endfunction

  assign record    = plan.task_we ? plan.task_entry : found.record;
  assign semaphore = plan.semaphore_we ? plan.semaphore_entry : found.semaphore;
  assign will = '{
    ready: put(was.ready, plan.ready_op, plan.move),
    waits: put(was.waits, plan.wait_op, plan.move),
    due:   put(was.due, plan.due_op, plan.move),
    armed: plan.timer_op == TimerSet ? !(timers.scanning && plan.timeout == 32'd1) : plan.timer_op == TimerNone && was.armed
  };

  always_comb begin
    listed   = core.listed;
    runnable = core.runnable;
    if (plan.change.gets_ready || plan.change.requeues) listed = 1'b1;
    if (plan.change.gets_ready)   runnable = 1'b1;
    if (plan.change.gets_unready) {runnable, listed} = 2'b00;
    if (plan.caller_waits)        {runnable, listed} = 2'b00;
  end
  assign apart        = found.running && !listed;
  assign drains_after = (drains && !plan.drain_end) || plan.drain_start;
  assign ends         = found.record.waits != WaitNone && record.waits == WaitNone;
  assign waiters_after = found.waiter.valid || (plan.wait_op == ListInsertTail);

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic effect;   // the plan writes or starts anything
  assign effect = plan.caller_waits || plan.retry || plan.to_waiter || plan.task_we || plan.semaphore_we ||
                  plan.ready_op != ListNone || plan.wait_op != ListNone || plan.due_op != ListNone ||
                  plan.timer_op != TimerNone || plan.irq_op != IrqOpNone || plan.tick_set || plan.enable ||
                  plan.disable_dispatch || plan.drain_start || plan.drain_end || plan.collected || plan.irq_offer ||
                  plan.change.gets_ready || plan.change.gets_unready || plan.change.leaves_wait ||
                  plan.change.sets_result || plan.change.sets_prio || plan.change.requeues;

  logic gives;
  assign gives = (commands && op_i == mel_pkg::OpSemaphoreGive && plan.status == mel_pkg::StatusEOk && !plan.retry) ||
                 (source == SourceIrq && !waiter_i && irq.action == mel_pkg::IrqActionSemaphoreGive &&
                  plan.status == mel_pkg::StatusEOk);

  always_comb begin
    // One place.
    a_task:       assert (task_ok(record, will, apart));
    a_runs:       assert (!found.running || runnable == runs(record));
    a_listed:     assert (!found.running || !listed || runnable);
    a_exists:     assert (!found.running || record.exists || record.dormant);
    a_insert:     assert ((plan.ready_op != ListInsertTail || !was.ready) && (plan.wait_op != ListInsertTail || !was.waits) &&
                          (plan.due_op != ListInsertTail || !was.due));
    a_remove:     assert ((plan.ready_op != ListRemove || was.ready) && (plan.wait_op != ListRemove || was.waits) &&
                          (plan.due_op != ListRemove || was.due));
    a_from:       assert (!(plan.ready_op == ListRemove || plan.wait_op == ListRemove || plan.due_op == ListRemove) ||
                          plan.prio == found.record.prio);
    a_into:       assert (!(plan.ready_op == ListInsertTail || plan.wait_op == ListInsertTail || plan.due_op == ListInsertTail) ||
                          plan.prio == record.prio);
    a_again:      assert (!plan.move || plan.move_prio == record.prio);
    a_follows:    assert (record.prio == found.record.prio || ((!was.ready || !will.ready || plan.ready_op == ListRemove) &&
                          (!was.waits || !will.waits || plan.wait_op == ListRemove) &&
                          (!was.due || !will.due || plan.due_op == ListRemove)));
    a_wait_list:  assert (plan.wait_op != ListRemove || plan.wait_object == found.record.semaphore);
    a_wait_names: assert (plan.wait_op != ListInsertTail || (plan.wait_object == record.semaphore && record.semaphore == id_i &&
                          32'(record.semaphore) < Semaphores));

    // Counts.
    a_semaphore:  assert (plan.retry || semaphore_ok(semaphore, waiters_after, drains_after));
    a_give:       assert (!gives || plan.to_waiter != (plan.semaphore_we && semaphore.count == found.semaphore.count + 16'd1));
    a_give_ends:  assert (!gives || plan.to_waiter == found.waiter.valid);
    a_take:       assert (!commands || op_i != mel_pkg::OpSemaphoreTake || plan.status != mel_pkg::StatusEOk ||
                          plan.caller_waits != (plan.semaphore_we && found.semaphore.count != '0 &&
                                                semaphore.count == found.semaphore.count - 16'd1));
    a_count:      assert (semaphore.count == found.semaphore.count || gives || (commands &&
                          op_i inside {mel_pkg::OpSemaphoreTake, mel_pkg::OpSemaphoreCreate}));

    // A wait ends once, with one result.
    a_ends:       assert (!ends || (!will.waits && !will.due && !will.armed && plan.change.leaves_wait));
    a_result:     assert (!ends || record.dormant || (plan.change.sets_result && plan.change.task_id == found.subject));
    a_no_result:  assert (!plan.change.sets_result || ends || (commands && op_i == mel_pkg::OpTaskCreate));
    a_reason:     assert (!ends || record.dormant || plan.change.result == (
                          waiter_i ? status_t'(waiter_result_i) :
                          source == SourceTimeout ? (found.record.waits == WaitDelay ? mel_pkg::StatusEOk : mel_pkg::StatusETmout) :
                          (source == SourceIrq ? irq.action == mel_pkg::IrqActionTaskWakeup : op_i == mel_pkg::OpTaskWakeup) ?
                            mel_pkg::StatusEOk : mel_pkg::StatusERlwai));

    // Errors change nothing.
    a_error:      assert (!commands || plan.status >= 0 || !effect);
    a_refused:    assert (!commands || checked == mel_pkg::StatusEOk || (plan.status == checked && !effect));
    a_waits:      assert (!plan.caller_waits || (caller_runs && core.enabled && core.runnable && found.running));

    c_move:       cover (plan.move && was.waits && was.due);
    c_both:       cover (commands && gives && plan.to_waiter);
    c_timeout:    cover (source == SourceTimeout && was.waits && will.ready);
    c_retry:      cover (plan.retry);
    c_waits:      cover (plan.caller_waits && plan.due_op == ListInsertTail && plan.wait_op == ListInsertTail);
  end

  // ---- the order of checks, as spec/commands.yaml has it --------------------------------------------------------------

  logic       known, wrong_id, wrong_argument, own;
  logic [1:0] kind;
  assign known    = mel_pkg::op_exists(op_i);
  assign kind     = mel_pkg::id_kind(op_i);
  assign own      = argument_i == '1 && op_i == mel_pkg::OpTaskRotate;
  assign wrong_id = (kind == mel_pkg::IdKindTask && 32'(id_i) >= Tasks) || (kind == mel_pkg::IdKindSemaphore && 32'(id_i) >= Semaphores) ||
                    (kind == mel_pkg::IdKindInterrupt && 32'(id_i) >= Interrupts);
  assign wrong_argument =
    ((op_i inside {mel_pkg::OpTaskCreate, mel_pkg::OpTaskSetPriority, mel_pkg::OpTaskRotate}) && !own && argument_i >= Priorities) ||
    (op_i == mel_pkg::OpSemaphoreCreate && (argument_i[31:16] == '0 || argument_i[15:0] > argument_i[31:16])) ||
    (op_i == mel_pkg::OpIrqMap && argument_i[1:0] == mel_pkg::IrqActionSemaphoreGive && 32'(argument_i[15:8]) >= Semaphores) ||
    (op_i == mel_pkg::OpIrqMap && argument_i[1:0] inside {mel_pkg::IrqActionTaskWakeup, mel_pkg::IrqActionTaskRelease} &&
     32'(argument_i[15:8]) >= Tasks) ||
    (op_i == mel_pkg::OpTickSet && argument_i != '0 && argument_i < mel_pkg::tick_cycles_min(Tasks));

  always_comb begin
    a_unknown:   assert (!commands || known || plan.status == mel_pkg::StatusERsfn);
    a_known:     assert (!commands || !known || plan.status != mel_pkg::StatusERsfn);
    a_id:        assert (!commands || !known || !wrong_id || plan.status inside {mel_pkg::StatusECtx, mel_pkg::StatusEId});
    a_argument:  assert (!commands || !known || wrong_id || !wrong_argument ||
                         plan.status inside {mel_pkg::StatusECtx, mel_pkg::StatusEPar});
    a_no_excuse: assert (!commands || ((plan.status != mel_pkg::StatusEId || wrong_id) &&
                                       (plan.status != mel_pkg::StatusEPar || wrong_argument)));
    a_handler:   assert (!commands || !core.in_handler || !plan.caller_waits);
  end

  logic unused_query;
  assign unused_query = ^query;

endmodule
