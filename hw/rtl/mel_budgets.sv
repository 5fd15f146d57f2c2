// SPDX-License-Identifier: Apache-2.0
// mel_budgets: for how many cycles every task may still run (budget_set; 0: nobody asks). It counts down while the task is a core's
// running task and no handler runs there, that is from a `dispatch` to the next `claim` or `dispatch`. The counts of running tasks are in
// registers of their cores, the others in a RAM.
// Timing: a budget is used up in the cycle in which the last of its cycles is spent, and is offered from the next one on, until
// `take_i`, or until it is set again or its task ends. Meanwhile no other budget of that core is used up: its last cycle is spent
// when the offer is gone. `clk_i` has an edge in every cycle: tasks run while the unit sleeps.
module mel_budgets
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks = 64,   // 4..256
  parameter int unsigned Cores = 1     // 1..4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  line_t       clear_index_i,

  input  logic        set_i,               // budget_set, or the task ends
  input  id_t         task_id_i,
  input  logic [31:0] cycles_i,            // … 0 then

  input  core_step_t  core_step_i [Cores],
  input  core_t       core_i      [Cores],
  input  core_t       state_i,             // state of the core that dispatches

  output logic        spent_o,             // a budget is used up
  output id_t         spent_id_o,
  input  logic        take_i
);

  localparam int unsigned TaskW = $clog2(Tasks);
  typedef logic [TaskW-1:0] task_id_t;

  (* no_rw_check, ram_style = "distributed" *) logic [31:0] left_mem [2**TaskW];
  logic [31:0]      read, leaving, left_q [Cores], left_d [Cores];
  id_t              spent_id_q [Cores];
  logic [Cores-1:0] counts_q, spent_q, passes, spends, dispatches, here;
  logic             changes, leaves, stores;
  task_id_t         waddr;

  assign changes = (|dispatches) && state_i.due && !(state_i.best.valid && state_i.running_valid &&
                                                     state_i.best.task_id == state_i.running);
  assign leaves  = changes && state_i.running_valid;
  assign read    = left_mem[task_id_t'(state_i.best.task_id)];
  assign stores  = clear_i || leaves || (set_i && !(|here));
  always_comb begin
    waddr = task_id_t'(task_id_i);
    if (leaves)  waddr = task_id_t'(state_i.running);
    if (clear_i) waddr = task_id_t'(clear_index_i);
  end

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign dispatches[i] = core_step_i[i].dispatch;
    assign here[i]       = core_i[i].running_valid && core_i[i].running == task_id_i;
    assign passes[i]     = counts_q[i] && left_q[i] != '0 && !(left_q[i] == 32'd1 && spent_q[i]);
    assign spends[i]     = passes[i] && left_q[i] == 32'd1 && !(set_i && here[i]);
    assign left_d[i]     = (set_i && here[i]) ? cycles_i : left_q[i] - 32'(passes[i]);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        counts_q[i] <= 1'b0;
        spent_q[i]  <= 1'b0;
        left_q[i]   <= '0;
      end else begin
        if (core_step_i[i].dispatch)   counts_q[i] <= state_i.chosen_valid;
        else if (core_step_i[i].claim) counts_q[i] <= 1'b0;
        left_q[i] <= (core_step_i[i].dispatch && changes) ? read : left_d[i];
        if (spends[i]) spent_q[i] <= 1'b1;
        else if ((take_i && spent_id_o == spent_id_q[i]) || (set_i && spent_id_q[i] == task_id_i)) spent_q[i] <= 1'b0;
      end
    end
    always_ff @(posedge clk_i) begin
      if (spends[i]) spent_id_q[i] <= core_i[i].running;
    end
  end

  always_comb begin
    leaving    = '0;
    spent_o    = 1'b0;
    spent_id_o = '0;
    for (int unsigned i = Cores; i > 0; i--) begin
      if (dispatches[i-1]) leaving |= left_d[i-1];
      if (spent_q[i-1]) begin
        spent_o    = 1'b1;
        spent_id_o = spent_id_q[i-1];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (stores) left_mem[waddr] <= clear_i ? '0 : leaves ? leaving : cycles_i;
  end

`ifndef SYNTHESIS
  a_apart: assert property (@(posedge clk_i) disable iff (!rst_ni) !(set_i && (|dispatches)));   // a dispatch is a step of its own
  a_one:   assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(dispatches));
  for (genvar i = 0; i < Cores; i++) begin : gen_assert
    a_counts: assert property (@(posedge clk_i) disable iff (!rst_ni)
      counts_q[i] == (core_i[i].running_valid && !core_i[i].in_handler));
  end
`endif

endmodule
