// SPDX-License-Identifier: Apache-2.0
// mel_chain: what a chain of owners that goes on (job `link`) means for the cores. Tasks whose priority it still changes are at or below
// its level, before and after; so who runs above that runs anyway. A task whose own command began the chain is told that it goes on.
//
// Timing: `above` and `of_caller` are registers: they follow cores, and the word that begins the chain, by a cycle.
module mel_chain
  import mel_unit_pkg::*;
  import mel_engine_pkg::core_request_t;
  import mel_micro_pkg::*;
#(
  parameter int unsigned Cores = 1   // 1..4
) (
  input  logic             clk_i,

  input  logic             goes_on_i,
  input  core_t            core_i     [Cores],
  input  core_request_t    access_i   [Cores],
  input  logic             start_i,         // a step begins, …
  input  logic             by_task_i,       // … of a command of the running task …
  input  core_t            caller_i,        // … of this core
  input  word_t            word_i,
  input  logic             active_i,        // it has its effects
  input  prio_t            before_i,        // priorities of the first owner: before
  input  prio_t            behind_i,        // … and behind the change

  output logic [Cores-1:0] may_dispatch_o,  // whoever should run now should run behind the chain, too
  output logic [Cores-1:0] unsettled_o,     // the running task's command has begun the chain
  output logic [Cores-1:0] held_back_o,     // requests that wait while a set or a chain goes on
  output logic [Cores-1:0] not_above_o      // a dispatch that the chain holds back
);

  prio_t            level_q;                // the more urgent of both priorities
  id_t              task_q;                 // whose command began it
  logic             by_task_q, of_task_q;
  logic [Cores-1:0] above_q, of_caller_q;

  always_ff @(posedge clk_i) begin
    if (start_i) by_task_q <= by_task_i;
    if (active_i && word_i.device == DeviceLinkLevel && !goes_on_i) level_q <= (before_i < behind_i) ? before_i : behind_i;
    if (active_i && word_i.device == DeviceJobStart && word_i.immediate[3:0] == 4'(JobLink)) begin
      of_task_q <= by_task_q;
      task_q    <= caller_i.running;
    end
  end

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    always_ff @(posedge clk_i) begin
      above_q[i]     <= core_i[i].chosen_valid && (core_i[i].take_best ? core_i[i].best.prio : core_i[i].prio) < level_q;
      of_caller_q[i] <= of_task_q && context_of(core_i[i]) == mel_pkg::ContextTask && core_i[i].running == task_q;
    end
    assign may_dispatch_o[i] = !goes_on_i || above_q[i];
    assign unsettled_o[i]    = goes_on_i && of_caller_q[i];
    assign held_back_o[i]    = access_i[i].held_back;
    assign not_above_o[i]    = access_i[i].dispatches && !may_dispatch_o[i];
  end

endmodule
