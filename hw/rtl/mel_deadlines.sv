// SPDX-License-Identifier: Apache-2.0
// mel_deadlines: the deadline of every task that is watched (deadline_set). After each tick one comparator looks at all of them, a task per
// cycle; one that equals the tick counter was missed: it is reported and no longer watched.
//
// Equality suffices: no tick comes before the look at all is done (`settled_o`), and a deadline is less than 2^32 ticks away.
// Timing: the look takes Tasks + 1 cycles, and at most 1 more for every change meanwhile. Changes are at least 2 cycles apart (a step),
// so it ends within 2 Tasks + 2 cycles, less than the shortest tick of 8 Tasks + 64. A change is written a cycle after its plan; in that
// cycle nothing is reported; while the clock rests it waits, as time does. No look is taken before a first deadline was set.
module mel_deadlines
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks = 64   // 4..256
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  line_t       clear_index_i,

  input  logic        set_i,           // deadline_set, or the task ends
  input  logic        watch_i,         // … the former, not 0 ticks
  input  id_t         task_id_i,
  input  logic [31:0] ticks_i,

  input  logic        tick_i,
  input  logic [31:0] time_low_i,
  output logic        missed_o,        // for one cycle each
  output id_t         missed_id_o,
  output logic        settled_o
);

  localparam int unsigned TaskW = $clog2(Tasks);
  localparam line_t       Last  = line_t'(Tasks - 1);
  typedef logic [TaskW-1:0] task_id_t;
  typedef struct packed { logic watched; logic [31:0] deadline; } entry_t;

  (* no_rw_check *) entry_t entry_mem [2**TaskW];
  entry_t      entry, entry_d;
  logic        set_q, watch_q, any_q, looks_q, read_valid_q, last, writes;
  logic        holds;                // read the same entry again: the one write port is taken
  logic        collided_q;           // the entry changed while it was read: it is not due
  task_id_t    task_id_q, waddr;
  logic [31:0] ticks_q;
  line_t       next_q, read, read_q; // first entry not read yet; read now; read in the last cycle

  assign missed_o    = read_valid_q && !set_q && !collided_q && entry.watched && entry.deadline == time_low_i;
  assign missed_id_o = id_t'(read_q);
  assign settled_o   = !looks_q;

  assign holds = set_q && read_valid_q;
  assign read  = holds ? read_q : next_q;
  assign last  = read_valid_q && !set_q && read_q == Last;

  assign writes = clear_i || set_q || missed_o;
  always_comb begin
    entry_d = '{watched: set_q && watch_q && !clear_i, deadline: time_low_i + ticks_q};
    waddr   = task_id_q;
    if (missed_o) waddr = task_id_t'(read_q);
    if (clear_i)  waddr = task_id_t'(clear_index_i);
  end

  always_ff @(posedge clk_i) begin
    if (writes) entry_mem[waddr] <= entry_d;
    entry      <= entry_mem[task_id_t'(read)];
    read_q     <= read;
    collided_q <= set_q && task_id_q == task_id_t'(read);
    task_id_q  <= task_id_t'(task_id_i);
    ticks_q    <= ticks_i;
    watch_q    <= watch_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      set_q        <= 1'b0;
      any_q        <= 1'b0;
      looks_q      <= 1'b0;
      read_valid_q <= 1'b0;
      next_q       <= '0;
    end else begin
      set_q <= set_i;
      if (set_i && watch_i) any_q <= 1'b1;
      if (tick_i) begin
        looks_q      <= any_q;
        read_valid_q <= 1'b0;
        next_q       <= '0;
      end else if (looks_q) begin
        read_valid_q <= !last;
        looks_q      <= !last;
        if (!holds && next_q != Last) next_q <= next_q + 9'd1;
      end
    end
  end

`ifndef SYNTHESIS
  a_settled: assert property (@(posedge clk_i) disable iff (!rst_ni) !tick_i || settled_o);
  a_no_tick: assert property (@(posedge clk_i) disable iff (!rst_ni) !(tick_i && set_i));   // a step is under way
  a_apart:   assert property (@(posedge clk_i) disable iff (!rst_ni) !(set_q && set_i));    // a step takes 2 cycles
`endif

endmodule
