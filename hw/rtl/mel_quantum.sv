// SPDX-License-Identifier: Apache-2.0
// mel_quantum: round robin: the quantum of every priority, the slice of every task (melanion/model/quantum.py), and which cores'
// running tasks have used theirs while another could take their turn (`expired_o`).
//
// A slice begins whenever a task goes to the tail of a ready list, and is counted by ticks while it is a core's running task. The
// counts of running tasks are in registers, those of preempted tasks in a RAM. A tick compares the count with the
// quantum of the running task's priority, which was read before: `settled_o` is low for the 2 cycles per core that this takes
// after a priority or a quantum changed (1 more when it changes while it is read), and no tick may come then. It is never low before
// a first quantum was set.
// Timing: `expired_o` follows a tick, a dispatch or a change of the ready set by one cycle. `clear_i` clears one quantum per cycle.
module mel_quantum
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32,   // 2..256
  parameter int unsigned Cores      = 1     // 1..4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  line_t            clear_index_i,

  input  logic             set_i,
  input  logic [31:0]      argument_i,            // argument of quantum_set

  input  logic             tick_i,
  input  list_request_t    ready_i,               // request to the ready set
  input  logic             dispatch_i,            // a core dispatches, or its running task has its turn again:
  input  logic [1:0]       core_i,                // … this one
  input  core_t            state_i,               // … as it was
  input  turn_t            turn_i [Cores],
  input  logic [Cores-1:0] peers_i,               // another ready task could take the running task's turn

  output logic             in_use_o,              // a quantum was set since reset
  output logic [Cores-1:0] expired_o,
  output logic             settled_o
);

  localparam int unsigned TaskW = $clog2(Tasks);
  localparam int unsigned PrioW = $clog2(Priorities);
  localparam int unsigned CoreW = (Cores > 1) ? $clog2(Cores) : 1;

  typedef logic [15:0]      ticks_t;
  typedef logic [TaskW-1:0] task_id_t;
  typedef logic [PrioW-1:0] level_t;
  typedef struct packed { logic used_up; ticks_t used; } slice_t;

  // ---- the quanta of the running tasks --------------------------------------------------------------------------------

  (* no_rw_check *) ticks_t quantum_mem [2**PrioW];
  ticks_t             quantum;
  logic               any_q;                      // a quantum was set
  logic               read_q;                     // `quantum` is that of core `reader_q` at priority `level_q`
  logic [CoreW-1:0]   reader, reader_q;
  level_t             level_q;
  logic [Cores-1:0]   known_q, stale;
  level_t [Cores-1:0] known_prio_q;
  ticks_t [Cores-1:0] quantum_q;

  always_comb begin
    reader = '0;
    for (int unsigned i = Cores; i > 0; i--) begin
      stale[i-1] = any_q && turn_i[i-1].running_valid && !(known_q[i-1] && known_prio_q[i-1] == level_t'(turn_i[i-1].prio));
      if (stale[i-1]) reader = CoreW'(i - 1);
    end
  end
  assign settled_o = (stale == '0);
  assign in_use_o  = any_q;

  always_ff @(posedge clk_i) begin
    if (clear_i || set_i) begin
      quantum_mem[level_t'(clear_i ? clear_index_i : line_t'(argument_i[23:16]))] <= clear_i ? '0 : argument_i[15:0];
    end
    quantum  <= quantum_mem[level_t'(turn_i[reader].prio)];
    reader_q <= reader;
    level_q  <= level_t'(turn_i[reader].prio);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      any_q   <= 1'b0;
      read_q  <= 1'b0;
      known_q <= '0;
    end else begin
      any_q  <= any_q || set_i;
      read_q <= stale[reader] && !read_q && !set_i;
      if (set_i)       known_q           <= '0;
      else if (read_q) known_q[reader_q] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (read_q) begin
      quantum_q[reader_q]    <= quantum;
      known_prio_q[reader_q] <= level_q;
    end
  end

  // ---- slices ---------------------------------------------------------------------------------------------------------

  slice_t             slice_mem [2**TaskW];
  slice_t [Cores-1:0] slice_q, slice_d;
  slice_t             resumed;
  logic               fresh, preempts;

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    ticks_t counted;
    logic   counts, over;
    assign counts     = tick_i && turn_i[i].goes_on;
    assign counted    = (counts && slice_q[i].used != '1) ? slice_q[i].used + 16'd1 : slice_q[i].used;
    assign over       = counts && known_q[i] && quantum_q[i] != '0 && counted >= quantum_q[i];
    assign slice_d[i] = '{used_up: slice_q[i].used_up || over, used: counted};
    assign expired_o[i] = slice_q[i].used_up && turn_i[i].goes_on && peers_i[i];
  end

  assign fresh    = (ready_i.op == ListInsertTail);
  assign preempts = dispatch_i && state_i.due && state_i.running_valid && state_i.runnable && !state_i.listed;
  assign resumed  = slice_mem[task_id_t'(state_i.best.task_id)];

  always_ff @(posedge clk_i) begin
    if (fresh || preempts) begin
      slice_mem[task_id_t'(fresh ? ready_i.task_id : state_i.running)] <= fresh ? '0 : slice_d[CoreW'(core_i)];
    end
    slice_q <= slice_d;
    if (dispatch_i && state_i.take_best) slice_q[CoreW'(core_i)] <= resumed;
  end

`ifndef SYNTHESIS
  // Properties of the unit that the proof assumes, besides those proved of mel_dispatcher.
  logic [2**TaskW-1:0] ranked_q;    // tasks that went to a tail, and have not stopped since
  logic [Cores-1:0]    goes_on, goes_on_q, behind_q, takes_q;
  for (genvar i = 0; i < Cores; i++) begin : gen_goes_on
    assign goes_on[i] = turn_i[i].goes_on;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {ranked_q, goes_on_q, behind_q, takes_q} <= '0;
    end else begin
      goes_on_q <= goes_on;
      for (int unsigned i = 0; i < Cores; i++) begin
        behind_q[i] <= goes_on[i] && (behind_q[i] || (fresh && ready_i.task_id == turn_i[i].running));
        takes_q[i]  <= dispatch_i && core_i == 2'(i) && state_i.take_best;
        if (goes_on_q[i] && !goes_on[i] && !behind_q[i]) ranked_q[task_id_t'(turn_i[i].running)] <= 1'b0;
      end
      if (fresh) ranked_q[task_id_t'(ready_i.task_id)] <= 1'b1;
    end
  end
  a_step:    assert property (@(posedge clk_i) disable iff (!rst_ni) !(dispatch_i && (fresh || set_i)));
  a_between: assert property (@(posedge clk_i) disable iff (!rst_ni) !(tick_i && set_i));
  a_known:   assert property (@(posedge clk_i) disable iff (!rst_ni) !tick_i || settled_o);
  a_behind:  assert property (@(posedge clk_i) disable iff (!rst_ni) (behind_q & goes_on) == '0 || !(tick_i || dispatch_i));
  a_ranked:  assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(dispatch_i && state_i.take_best) || ranked_q[task_id_t'(state_i.best.task_id)]);
  a_takes:   assert property (@(posedge clk_i) disable iff (!rst_ni) (goes_on & ~goes_on_q & ~takes_q) == '0);
`endif

endmodule
