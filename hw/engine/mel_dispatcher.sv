// SPDX-License-Identifier: Apache-2.0
// mel_dispatcher: one core's view of the kernel: which task runs, which should, whether a handler runs, whether dispatch is
// enabled, and the answers that the core's programs read.
//
// *Running* changes only with a `dispatch` step. *Chosen* is the running task, or the best of the ready set when that is more urgent or
// the running task is not runnable, or lost its turn (`listed`: then it stands in the ready set like the others).
// The dispatch interrupt is asked for when chosen differs from running, dispatch is enabled, no handler runs, and the answer
// to the running context's last command did not say so already (`told`), or that answer is unsettled: who was told so loads it again.
//
// Timing: events take effect in the next cycle. `answer_o` is what a load of the answer returns that was read in the last cycle: it
// sees that cycle's events. `irq_dispatch_o` follows a change of the ready set by one cycle.
module mel_dispatcher
  import mel_unit_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  top_t        best_i,          // top of the ready set, for this core
  input  affinity_t   best_affinity_i,
  input  logic        steady_i,        // no step is under way, and no operation on the ready set

  input  core_step_t  step_i,
  input  finish_t     finish_i,        // end of any core's step
  input  status_t     result_i,        // result of the chosen task
  input  logic        unsettled_i,     // a chain of owners goes on that the running task's command has begun

  output core_t       state_o,
  output turn_t       turn_o,
  output logic        reclaims_o,      // the running task lost its turn, and is first in turn

  output logic [31:0] answer_o,
  output status_t     answer_status_o, // without the two flags

  output logic        irq_dispatch_o
);

  typedef struct packed {
    logic      running_valid;
    id_t       running;
    prio_t     prio;
    affinity_t affinity;
    logic      runnable;
    logic      listed;
    logic      ended;
    logic      waits;
    logic      leaving;          // its wait has ended in a step that goes on: answers say so when the step has ended
    logic      told;
    logic      tells;            // a command ended in the last cycle: its answer says what is due now
    logic      in_handler;
    logic      enabled;
    status_t   task_result;
    status_t   idle_result;
    status_t   handler_result;
  } state_t;

  state_t state_q, state_d;

  // Chosen is the running context itself. `urgent`: the best of the ready set is more urgent than the running task.
  function automatic logic keeps(state_t state, logic urgent);
    logic candidate;
    candidate = state.running_valid && state.runnable && !state.listed;
    return !state.enabled || (candidate && !urgent);
  endfunction

  function automatic logic is_due(state_t state, top_t best, logic urgent);
    if (keeps(state, urgent)) return 1'b0;
    if (state.ended)          return 1'b1;
    if (!best.valid)          return state.running_valid;
    return !(state.running_valid && best.task_id == state.running);
  endfunction

  function automatic logic is_urgent(state_t state, top_t best);
    return best.valid && best.prio < state.prio;
  endfunction

  logic urgent, keep, due, told, hit;
  assign urgent = is_urgent(state_q, best_i);
  assign keep   = keeps(state_q, urgent);
  assign due    = is_due(state_q, best_i, urgent);
  assign told   = state_q.tells ? due : state_q.told;
  assign hit  = finish_i.valid && state_q.running_valid && finish_i.change.task_id == state_q.running;

  always_comb begin
    state_d       = state_q;
    state_d.told  = told;
    state_d.tells = 1'b0;

    if (hit) begin
      if (finish_i.change.leaves_wait) begin
        state_d.leaving = state_q.waits;   // … unless it ends now
        state_d.waits = 1'b0;
        if (state_q.waits) state_d.told = 1'b0;
      end
      if (finish_i.change.gets_ready || finish_i.change.requeues) state_d.listed = 1'b1;
      if (finish_i.change.gets_ready) state_d.runnable = 1'b1;
      if (finish_i.change.gets_unready) begin
        state_d.runnable = 1'b0;
        state_d.listed   = 1'b0;
        if (finish_i.change.ends) state_d.ended = 1'b1;
      end
      if (finish_i.change.sets_result && !state_q.ended) state_d.task_result = finish_i.change.result;
      if (finish_i.change.sets_prio)   state_d.prio = finish_i.change.prio;
    end

    if (step_i.ends)    state_d.leaving = 1'b0;
    if (step_i.enable)  state_d.enabled = 1'b1;
    if (step_i.disable_dispatch) state_d.enabled = 1'b0;

    if (step_i.command) begin
      if (finish_i.caller_waits) begin
        state_d.runnable = 1'b0;
        state_d.listed   = 1'b0;
        state_d.waits    = 1'b1;
      end else if (state_q.in_handler) begin
        state_d.handler_result = finish_i.status;
      end else if (state_q.running_valid) begin
        state_d.task_result = finish_i.status;
      end else begin
        state_d.idle_result = finish_i.status;
      end
    end
    // The ready set has the outcome in the next cycle: asked then, what is due is known from registers.
    if (step_i.command && !state_q.in_handler) begin
      state_d.told  = 1'b0;
      state_d.tells = finish_i.caller_waits || finish_i.status >= 0;
    end

    if (step_i.claim)   state_d.in_handler = 1'b1;
    if (step_i.reclaim) state_d.listed = 1'b0;

    if (step_i.dispatch) begin
      state_d.in_handler = 1'b0;
      state_d.told       = 1'b0;
      if (!keep) state_d.listed = 1'b0;
      if (due) begin
        state_d.running_valid = best_i.valid;
        state_d.running       = best_i.task_id;
        state_d.prio          = best_i.prio;
        state_d.affinity      = best_affinity_i;
        state_d.runnable      = best_i.valid;
        state_d.ended         = 1'b0;
        state_d.waits         = 1'b0;
        state_d.leaving       = 1'b0;
        state_d.task_result   = result_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= '0;
    else         state_q <= state_d;
  end

  // Within a step a task may be out of the lists for a cycle: the line rises only when the step has ended.
  logic asks, asked_q, waits, unsettled;
  assign waits          = state_q.running_valid && (state_q.waits || state_q.leaving);
  assign unsettled      = unsettled_i && !waits;
  assign asks           = due && !state_q.in_handler && (!told || unsettled) && !step_i.serving;
  assign irq_dispatch_o = asks && (steady_i || asked_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= 1'b0;
    else         asked_q <= irq_dispatch_o;
  end

  assign state_o = '{
    running_valid: state_q.running_valid,
    running:       state_q.running,
    prio:          state_q.prio,
    affinity:      state_q.affinity,
    runnable:      state_q.runnable,
    listed:        state_q.listed,
    waits:         state_q.waits,
    ended:         state_q.ended,
    result:        state_q.task_result,
    in_handler:    state_q.in_handler,
    enabled:       state_q.enabled,
    due:           due,
    best:          best_i,
    take_best:     !keep && best_i.valid,
    best_affinity: best_affinity_i,
    chosen_valid:  keep ? state_q.running_valid : best_i.valid,
    chosen:        keep ? state_q.running : best_i.task_id
  };

  assign turn_o = '{
    enabled:       state_q.enabled,
    running_valid: state_q.running_valid,
    running:       state_q.running,
    prio:          state_q.prio,
    goes_on:       state_q.runnable && !state_q.listed
  };

  assign reclaims_o = state_q.enabled && state_q.listed && !state_q.ended && best_i.valid &&
                      best_i.task_id == state_q.running;

  // No answer is read in the cycle of this core's own dispatch.
  always_comb begin
    answer_o = '0;
    if (state_q.in_handler) begin
      answer_status_o = state_q.handler_result;
      answer_o        = status_word(answer_status_o);
    end else begin
      answer_status_o = !state_q.running_valid ? state_q.idle_result :
                        waits                  ? mel_pkg::StatusEOk : state_q.task_result;
      answer_o        = status_word(answer_status_o);
      if (answer_status_o == mel_pkg::StatusEOk) begin
        if (waits) answer_o |= 32'(mel_pkg::AnswerWaiting | mel_pkg::AnswerDispatchDue);
        if (told) answer_o |= 32'(mel_pkg::AnswerDispatchDue);
        if (unsettled) answer_o |= 32'(mel_pkg::AnswerUnsettled);
      end
    end
  end

`ifndef SYNTHESIS
  a_listed_runnable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !state_q.listed || (state_q.runnable && state_q.running_valid));
  a_waits_not_runnable: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !state_q.waits || !state_q.runnable);
  a_idle_empty: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q.running_valid || (!state_q.runnable && !state_q.waits && !state_q.listed));
  a_running_not_best: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !steady_i || !best_i.valid || !state_q.running_valid || best_i.task_id != state_q.running || state_q.listed);
`endif

endmodule
