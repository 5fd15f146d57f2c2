// SPDX-License-Identifier: Apache-2.0
// mel_watch: deadlines and budgets of tasks, and the report of those that were missed or used up: an event of the trace, a count, the task
// in a register, and an edge of the report line. The task goes on: what follows is the program's decision.
// Timing: one report per cycle, none in the cycle of a tick, deadlines first; counts are visible in the next cycle.
module mel_watch
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks = 64,   // 4..256
  parameter int unsigned Cores = 1     // 1..4
) (
  input  logic        clk_i,
  input  logic        clk_awake_i,         // without edges while nothing is busy
  input  logic        rst_ni,
  input  logic        clear_i,
  input  line_t       clear_index_i,

  input  plan_t       plan_i,
  input  id_t         subject_i,           // subject of the plan
  input  logic [31:0] argument_i,
  input  core_step_t  core_step_i [Cores],
  input  core_t       core_i      [Cores],
  input  core_t       state_i,             // state of the core that dispatches
  input  logic        tick_i,
  input  logic [31:0] time_low_i,

  input  logic        forget_i,            // the counts
  output report_t     report_o,            // in this cycle
  output watch_t      watch_o,
  output logic        settled_o,           // a tick may come
  output logic        busy_o
);

  logic missed, spent;
  id_t  missed_id, spent_id;

  mel_deadlines #(.Tasks(Tasks)) u_deadlines (
    .clk_i         (clk_awake_i),
    .rst_ni,
    .clear_i,
    .clear_index_i,
    .set_i         (plan_i.deadline_set || plan_i.change.ends),
    .watch_i       (plan_i.deadline_set && argument_i != '0),
    .task_id_i     (subject_i),
    .ticks_i       (argument_i),
    .tick_i,
    .time_low_i,
    .missed_o      (missed),
    .missed_id_o   (missed_id),
    .settled_o
  );

  mel_budgets #(
    .Tasks (Tasks),
    .Cores (Cores)
  ) u_budgets (
    .clk_i,
    .rst_ni,
    .clear_i,
    .clear_index_i,
    .set_i         (plan_i.budget_set || plan_i.change.ends),
    .task_id_i     (subject_i),
    .cycles_i      (plan_i.budget_set ? argument_i : '0),
    .core_step_i,
    .core_i,
    .state_i,
    .spent_o       (spent),
    .spent_id_o    (spent_id),
    .take_i        (report_o.valid && report_o.budget)
  );

  assign report_o = '{
    valid:   !tick_i && (missed || spent),
    budget:  !missed,
    task_id: missed ? missed_id : spent_id
  };
  assign busy_o = !settled_o || spent;

  always_ff @(posedge clk_awake_i or negedge rst_ni) begin
    if (!rst_ni) begin
      watch_o <= '{missed: '0, overruns: '0, reported: 32'(Tasks)};
    end else begin
      if (report_o.valid) watch_o.reported <= {15'd0, report_o.budget, 16'(report_o.task_id)};
      if (forget_i) begin
        watch_o.missed   <= '0;
        watch_o.overruns <= '0;
      end else if (report_o.valid) begin
        if (report_o.budget) watch_o.overruns <= watch_o.overruns + 32'd1;
        else                 watch_o.missed   <= watch_o.missed + 32'd1;
      end
    end
  end

`ifndef SYNTHESIS
  a_no_look_at_a_tick: assert property (@(posedge clk_i) disable iff (!rst_ni) !(tick_i && missed));
  a_one_change: assert property (@(posedge clk_i) disable iff (!rst_ni)
    $onehot0({plan_i.deadline_set, plan_i.budget_set, plan_i.change.ends}));
`endif

endmodule
