// SPDX-License-Identifier: Apache-2.0
// mel_run_time: for how many cycles every task has run: those in which it is a core's running task and no handler runs there, that is
// from a `dispatch` to the next `claim` or `dispatch` of the core. Modulo 2^32; from task_create on.
//
// The sums of running tasks are in registers of their cores, as a sum and the time since when it grows; the others in a RAM.
// Timing: a step is counted in its own cycle. `run_time_o` is that of `query_id_i`, up to this cycle; combinational.
module mel_run_time
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks  = 64,   // 4..256
  parameter int unsigned Cores  = 1     // 1..4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] now_i,               // cycles; it counts while clk_i stands still too

  input  logic        create_i,            // task_create of the task asked for
  input  core_step_t  core_step_i [Cores],
  input  core_t       core_i      [Cores],
  input  core_t       state_i,             // state of the core that dispatches

  input  id_t         query_id_i,
  output logic [31:0] run_time_o
);

  localparam int unsigned TaskW = $clog2(Tasks);
  typedef logic [TaskW-1:0] task_id_t;

  (* no_rw_check, ram_style = "distributed" *) logic [31:0] sum_mem [2**TaskW];
  logic [31:0] read, leaving;
  logic [31:0] sum_q [Cores];    // at `since_q`
  logic [31:0] since_q [Cores];
  logic [31:0] total [Cores];
  logic [Cores-1:0] grows_q, dispatches;
  logic        changes, leaves;

  assign changes = (|dispatches) && state_i.due && !(state_i.best.valid && state_i.running_valid &&
                                                     state_i.best.task_id == state_i.running);
  assign leaves  = changes && state_i.running_valid;
  assign read    = sum_mem[task_id_t'((|dispatches) ? state_i.best.task_id : query_id_i)];

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign dispatches[i] = core_step_i[i].dispatch;
    assign total[i]      = sum_q[i] + (grows_q[i] ? now_i - since_q[i] : 32'd0);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        grows_q[i] <= 1'b0;
      end else if (core_step_i[i].dispatch) begin
        grows_q[i] <= state_i.chosen_valid;
      end else if (core_step_i[i].claim) begin
        grows_q[i] <= 1'b0;
      end
    end
    always_ff @(posedge clk_i) begin
      if (core_step_i[i].dispatch || core_step_i[i].claim) begin
        sum_q[i]   <= (core_step_i[i].dispatch && changes) ? read : total[i];
        since_q[i] <= now_i;
      end
    end
  end

  always_comb begin
    leaving    = '0;
    run_time_o = read;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (dispatches[i]) leaving |= total[i];
      if (core_i[i].running_valid && core_i[i].running == query_id_i) run_time_o = total[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (create_i || leaves) sum_mem[task_id_t'(leaves ? state_i.running : query_id_i)] <= leaves ? leaving : '0;
  end

`ifndef SYNTHESIS
  a_one_write: assert property (@(posedge clk_i) disable iff (!rst_ni) !(create_i && leaves));
`endif

endmodule
