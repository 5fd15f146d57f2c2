// SPDX-License-Identifier: Apache-2.0
// mel_step: the data path of a step: what the tables and lists are asked for, what they say, the plan that follows from it
// (mel_execute), what inheritance adds (mel_inheritance), and what stays to be cleared away (mel_backlog). mel_sequencer says where
// the step stands (`state_i`).
// Timing: combinational but for what is kept from a plan to the later cycles of its step.
module mel_step
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks      = 64,
  parameter int unsigned Priorities = 32,
  parameter int unsigned Cores      = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  step_state_e      state_i,
  input  logic             quiet_i,        // a step may begin: what it would need is read
  input  logic             start_i,        // … and does
  input  grant_t           grant_i,        // … this one
  input  grant_t           step_i,         // that is under way
  input  logic             dispatch_i,
  input  logic             operand_i,
  input  logic             leave_i,        // the step goes on with the task that flags released
  input  logic             left_i,         // … does so
  input  logic             move_i,         // tasks that were removed are inserted again
  input  logic             chain_go_i,     // inheritance begins
  input  core_t            core_i    [Cores],

  input  records_t         records_i,
  input  lists_t           lists_i,
  input  flag_released_t   released_i,
  input  timers_t          timers_i,
  input  logic [15:0]      alarms_i,
  input  logic             purge_valid_i,
  input  id_t              purge_id_i,
  input  logic [31:0]      run_time_i,     // run time of the subject

  output plan_t            plan_o,
  output logic [31:0]      query_o,
  output reads_t           reads_o,
  output lists_request_t   lists_o,
  output inherit_t         inherit_o,
  output mutex_write_t     mutex_write_o,
  output id_t              subject_o,      // task whose record was read last
  output id_t              mutex_id_o,     // mutex that the step is about
  output logic             moves_o,        // tasks are removed to be inserted again
  output logic             moves_ready_o,  // … in the ready set
  output logic             walked_o,
  output logic             effective_o,    // inheritance follows an unlock
  output logic             chain_o,        // inheritance follows
  output logic             chain_short_o,  // … and takes no cycle
  output logic             chain_done_o,
  output logic             chain_busy_o,
  output backlog_t         backlog_o,
  output logic [Cores-1:0] stalled_o
);

  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1;

  id_t       subject_q, mutex_q, owner_q;
  logic      planning, chain_start, owner_again, walked_q, cycle_q, cycle;
  status_t   waiter_result_q;
  list_op_e  move_ready_q, move_wait_q, move_due_q;
  prio_t     move_prio_q;
  affinity_t move_affinity_q;
  wait_e     move_kind_q;
  id_t       move_object_q;
  plan_t     plan;           // plan of this cycle, or one without effect
  task_t     task_record;
  mutex_t    mutex;
  core_t     granted, caller;
  reads_t    chain_reads;

  assign task_record = records_i.task_record;
  assign mutex       = records_i.mutex;
  assign granted     = core_i[CoreW'(grant_i.core)];
  assign caller      = core_i[CoreW'(step_i.core)];
  assign planning    = (state_i == StepCheck) || (state_i == StepWaiter);
  assign plan_o      = plan;
  assign subject_o   = subject_q;
  assign mutex_id_o  = mutex_q;

  // ---- the tables -----------------------------------------------------------------------------------------------------

  always_comb begin
    reads_o = '{
      task_en:      quiet_i || plan.to_waiter || plan.walk || walked_o || owner_again || leave_i || chain_reads.task_en,
      task_id:      lists_i.waiter.task_id,
      object_en:    quiet_i && !operand_i,
      object_id:    grant_i.object,
      context_line: grant_i.context_line,
      mutex_en:     quiet_i || chain_reads.mutex_en || plan.again || plan.chain == ChainLevel || walked_o,
      mutex_id:     plan.chain_mutex,
      word_en:      quiet_i || plan.to_waiter
    };
    if (state_i == StepIdle)      reads_o.task_id = grant_i.subject;
    else if (chain_reads.task_en)  reads_o.task_id = chain_reads.task_id;
    else if (walked_o)             reads_o.task_id = caller.running;
    else if (leave_i)              reads_o.task_id = released_i.first.task_id;
    else if (plan.walk)            reads_o.task_id = mutex.owner;
    else if (owner_again)          reads_o.task_id = (state_i == StepWaiter) ? owner_q : plan.held_owner;

    if (quiet_i)                   reads_o.mutex_id = grant_i.object;
    else if (chain_reads.mutex_en) reads_o.mutex_id = chain_reads.mutex_id;
    else if (walked_o)             reads_o.mutex_id = mutex_q;
  end

  // ---- the plan -------------------------------------------------------------------------------------------------------

  found_t found;
  plan_t  planned;

  always_comb begin
    found = '{subject: subject_q, record: task_record, running: 1'b0, caller: 1'b0, apart: 1'b0, keeps_core: 1'b0,
              released: records_i.released, held: lists_i.inherited, semaphore: records_i.semaphore, flags: records_i.flags,
              waited: records_i.waited, messages: records_i.messages, mutex: mutex, notification: records_i.notification,
              waiter: lists_i.waiter, operand: records_i.operand};
    for (int unsigned i = 0; i < Cores; i++) begin
      if (core_i[i].running_valid && core_i[i].running == subject_q) begin
        found.running    = 1'b1;
        found.caller     = (CoreW'(i) == CoreW'(step_i.core));
        found.apart      = !core_i[i].listed;
        found.keeps_core = !core_i[i].enabled;
      end
    end
  end

  mel_execute #(
    .Tasks      (Tasks),
    .Priorities (Priorities)
  ) u_execute (
    .source_i        (left_i ? SourceFlags : step_i.source),
    .waiter_i        (state_i == StepWaiter),
    .waiter_result_i (waiter_result_q),
    .walked_i        (walked_q),
    .cycle_i         (cycle_q),
    .checked_i       (step_i.checked),
    .decoded_i       (step_i.decoded),
    .may_wait_i      (step_i.may_wait),
    .op_i            (step_i.access.op),
    .id_i            ((step_i.source == SourceOrphan) ? mutex_q : step_i.access.id),
    .argument_i      (step_i.access.argument),
    .irq_i           (step_i.irq),
    .found_i         (found),
    .timers_i        (timers_i),
    .deleted_i       (released_i.deleted),
    .alarms_i        (alarms_i),
    .backlog_i       (backlog_o),
    .room_i          (records_i.room),
    .word_i          (records_i.word),
    .value_i         (records_i.value),
    .run_time_i,
    .plan_o          (planned),
    .query_o         (query_o)
  );

  assign plan    = planning ? planned : without_effect(planned);
  assign moves_o = plan.move;
  assign moves_ready_o = (move_ready_q != ListNone);

  function automatic list_op_e insert_after(logic move, logic first, list_op_e op);
    if (!move || op != ListRemove) return ListNone;
    return first ? ListInsertHead : ListInsertTail;
  endfunction

  always_ff @(posedge clk_i) begin
    if (dispatch_i)           subject_q <= granted.running;
    else if (reads_o.task_en) subject_q <= reads_o.task_id;
    if (planning) begin
      waiter_result_q <= plan.waiter_result;
      move_ready_q    <= insert_after(plan.move, plan.move_first, plan.ready_op);
      move_wait_q     <= insert_after(plan.move, 1'b0, plan.wait_op);
      move_due_q      <= insert_after(plan.move, 1'b0, plan.due_op);
      move_prio_q     <= plan.move_prio;
      move_affinity_q <= plan.ready_affinity;
      move_kind_q     <= plan.wait_kind;
      move_object_q   <= plan.wait_id;
    end else if (dispatch_i) begin
      move_prio_q     <= granted.prio;
      move_affinity_q <= granted.affinity;
    end
    if (start_i)         mutex_q <= grant_i.object;
    else if (plan.again) mutex_q <= plan.chain_mutex;
    if (start_i)                     walked_q <= 1'b0;
    else if (walked_o || plan.again) walked_q <= 1'b1;
    if (walked_o) cycle_q <= cycle;
  end

  // ---- inheritance ----------------------------------------------------------------------------------------------------

  logic           chain_q, effective_q, at_once;
  lists_request_t chain_lists;

  // Requested by the first plan of the step, or by that of a waiter that leaves a mutex by force.
  assign chain_start = plan.chain != ChainNone || plan.adopt;
  assign chain_o     = chain_start || chain_q;
  assign effective_o = effective_q;
  assign chain_short_o = !chain_start && at_once;
  // An unlock has looked at its waiter meanwhile.
  assign owner_again = (state_i == StepWaiter && effective_q) || (plan.chain == ChainEffective && !plan.to_waiter);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chain_q     <= 1'b0;
      effective_q <= 1'b0;
    end else if (start_i || chain_go_i) begin
      chain_q     <= 1'b0;
      effective_q <= 1'b0;
    end else if (chain_start) begin
      chain_q     <= 1'b1;
      effective_q <= (plan.chain == ChainEffective);
    end
  end
  always_ff @(posedge clk_i) begin
    if (chain_start) owner_q <= plan.held_owner;
  end

  mel_inheritance #(.Priorities(Priorities)) u_inheritance (
    .clk_i,
    .rst_ni,
    .walk_i          (plan.walk),
    .caller_i        (subject_q),
    .walked_o        (walked_o),
    .cycle_o         (cycle),
    .start_i         (chain_start),
    .level_i         (plan.chain == ChainLevel),
    .effective_i     (plan.chain == ChainEffective),
    .adopt_i         (plan.adopt),
    .mutex_id_i      (plan.chain_mutex),
    .owner_i         (plan.held_owner),
    .adopter_i       (lists_i.waiter.task_id),
    .go_i            (chain_go_i),
    .short_o         (at_once),
    .done_o          (chain_done_o),
    .busy_o          (chain_busy_o),
    .task_i          (task_record),
    .running_i       (found.running),
    .apart_i         (found.apart),
    .mutex_i         (mutex),
    .lists_i         (lists_i),
    .reads_o         (chain_reads),
    .lists_o         (chain_lists),
    .writes_o        (inherit_o)
  );

  assign mutex_write_o = '{
    en:    plan.mutex_we || inherit_o.mutex_we,
    id:    inherit_o.mutex_we ? inherit_o.mutex_id : mutex_q,
    entry: inherit_o.mutex_we ? inherit_o.mutex_entry : plan.mutex_entry
  };

  mel_backlog #(.Cores(Cores)) u_backlog (
    .clk_i,
    .rst_ni,
    .plan_i    (plan),
    .object_i  (step_i.access.id),
    .subject_i (subject_q),
    .core_i    (CoreW'(step_i.core)),
    .purge_valid_i,
    .purge_id_i,
    .backlog_o (backlog_o),
    .stalled_o (stalled_o)
  );

  // ---- list operations ------------------------------------------------------------------------------------------------

  always_comb begin
    lists_o = '{
      ready: '{op: plan.ready_op, object: line_t'(plan.ready_affinity), prio: plan.ready_prio, task_id: subject_q},
      waits: '{op: plan.wait_op, kind: plan.wait_kind, object: plan.wait_id, prio: plan.prio, task_id: subject_q},
      due:   '{op: plan.due_op, object: '0, prio: plan.prio, task_id: subject_q},
      held:  '{op: plan.held_op, object: line_t'(plan.held_owner), prio: plan.held_prio, task_id: mutex_q}
    };
    unique case (state_i)
      StepIdle: begin
        lists_o.waits.kind   = grant_i.wait_kind;
        lists_o.waits.object = grant_i.object;
        lists_o.held.object  = line_t'(grant_i.subject);
        if (dispatch_i && granted.take_best) begin
          lists_o.ready = '{op: ListRemove, object: line_t'(granted.best_affinity), prio: granted.best.prio,
                            task_id: granted.best.task_id};
        end
      end
      StepMove: begin
        lists_o.ready = '{op: move_i ? move_ready_q : ListNone, object: line_t'(move_affinity_q), prio: move_prio_q,
                          task_id: subject_q};
        lists_o.due   = '{op: move_i ? move_due_q : ListNone, object: '0, prio: move_prio_q, task_id: subject_q};
        lists_o.waits = '{op: move_i ? move_wait_q : ListNone, kind: move_kind_q, object: move_object_q, prio: move_prio_q,
                          task_id: subject_q};
      end
      StepPreempt: begin
        lists_o.ready = '{op: lists_i.ready.ready ? ListInsertHead : ListNone, object: line_t'(move_affinity_q), prio: move_prio_q,
                          task_id: subject_q};
      end
      StepChain: begin
        lists_o = chain_lists;
        if (walked_o) begin
          lists_o.waits.kind   = WaitMutex;
          lists_o.waits.object = mutex_q;
        end
      end
      default: ;
    endcase
    if (chain_busy_o) lists_o.held = chain_lists.held;
  end

`ifndef SYNTHESIS
  logic checking;
  assign checking = (state_i == StepCheck);

  a_lists_free: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !checking || (lists_i.ready.settled && lists_i.waits.settled && lists_i.due.settled && lists_i.held.settled));
  a_timeout_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !checking || step_i.source != SourceTimeout ||
    (task_record.waits != WaitNone && task_record.due && !records_i.released));
  a_collect_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !checking || !plan.collected || (task_record.waits != WaitNone && !task_record.due));
  a_waiter_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_i != StepWaiter || in_list(task_record.waits));
  a_released_waits: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !checking || !(left_i || step_i.source == SourceFlags) || task_record.waits == WaitFlags);
  a_runnable_agrees: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !checking || left_i || step_i.source != SourceCommand || !caller.running_valid || subject_q != caller.running ||
    caller.runnable == (task_record.exists && is_runnable(task_record)));
`endif

endmodule
