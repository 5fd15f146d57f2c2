// mel_timers: the 64-bit time base, the deadlines, and the due set.
//
// One comparator scans all deadlines ahead of the next tick; a match is handed to the sequencer (`offer_o.collect_*`), which moves
// the task into the due set, ordered by priority. The tick only publishes: it advances the time base and opens the due set,
// whose most urgent task is then offered for release (`offer_o.timeout_*`), one per step. When it is empty, the scan for the tick
// after that begins. So no deadline is searched for when time passes, and none when it is set or cancelled.
//
// Why equality suffices: the scan for a tick always ends before that tick is published, ticks that come meanwhile are counted
// (`pending`) and published one by one, and a deadline is less than 2^32 ticks away: its low 32 bits name one tick.
// A deadline set for the very next tick while its scan is under way goes to the due set at once (`offer_o.scanning`).
//
// Timing: a tick is published in the first cycle in which no step is under way and the scan is done; the scan takes
// Tasks + 2 cycles, and 4 more per task collected, from the release of the last task of the tick before. The first task is
// released 3 cycles after the tick, whatever their number, the others 3 to 7 cycles apart. Collecting and releasing all
// tasks takes less than 8 cycles per task: therefore mel_pkg::tick_cycles_min. Set and cancel: one cycle.
// Only the count to the next tick runs on `clk_i`; the rest sleeps with the unit.
module mel_timers
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32,   // 2..256
  parameter logic [63:0] TimeReset  = '0
) (
  input  logic          clk_i,
  input  logic          clk_awake_i,   // without edges while nothing is busy
  input  logic          rst_ni,

  input  logic          clear_i,
  input  id_t           clear_index_i,

  // No step is under way and no list changes: the time may advance.
  input  logic          quiet_i,

  input  logic          tick_set_i,
  input  logic [31:0]   tick_cycles_i,
  output logic [31:0]   tick_cycles_o,
  output logic [63:0]   time_o,
  output logic          tick_o,        // time_o becomes time_next_o after this cycle
  output logic [63:0]   time_next_o,

  input  timer_op_e     op_i,
  input  id_t           task_id_i,
  input  logic [31:0]   timeout_i,     // ticks, not 0
  output timers_t       offer_o,
  input  logic          collected_i,   // the task offered is in the due set

  input  list_request_t due_request_i,
  output list_state_t   due_state_o,

  output logic          busy_o         // a tick is due, or a scan or an open due set is not yet at its end
);

  localparam int unsigned TaskW = $clog2(Tasks);
  localparam id_t         Last  = id_t'(Tasks - 1);

  typedef logic [TaskW-1:0] index_t;

  // ---- ticks ----------------------------------------------------------------------------------------------------------

  logic [31:0] tick_cycles_q, count_q;
  logic [63:0] time_q;
  logic [15:0] pending_q;
  logic        elapsed, publish;

  assign elapsed = (count_q == 32'd1) && (tick_cycles_q != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tick_cycles_q <= '0;
      count_q       <= '0;
    end else begin
      if (tick_set_i) tick_cycles_q <= tick_cycles_i;

      if (tick_set_i && tick_cycles_i == '0)              count_q <= '0;
      else if (tick_set_i && (count_q == '0 || elapsed))  count_q <= tick_cycles_i;
      else if (elapsed)                                   count_q <= tick_cycles_q;
      else if (count_q != '0)                             count_q <= count_q - 32'd1;
    end
  end

  always_ff @(posedge clk_awake_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q    <= TimeReset;
      pending_q <= '0;
    end else begin
      if (publish) time_q <= time_next_o;
      if (elapsed && !publish && pending_q != '1) pending_q <= pending_q + 16'd1;
      if (publish && !elapsed)                    pending_q <= pending_q - 16'd1;
    end
  end

  assign tick_cycles_o = tick_cycles_q;
  assign time_o        = time_q;
  assign time_next_o   = time_q + 64'd1;
  assign tick_o        = publish;

  // ---- scan, due set --------------------------------------------------------------------------------------------------

  typedef struct packed { logic armed; logic [31:0] deadline; } deadline_t;

  (* no_rw_check *) deadline_t  deadline_mem [2**TaskW];
  deadline_t  deadline;
  logic       open_q;              // the due set holds tasks of the current tick, else of the next
  logic       scan_done_q;
  id_t        scan_q;              // is being read
  logic       read_valid_q;
  id_t        read_q;              // was read in the last cycle
  logic       found_valid_q;
  id_t        found_q;             // matched, waits to be collected; nothing is read meanwhile
  logic       match, changes, restart;
  top_t       due;
  logic       set_soon;

  assign publish  = (pending_q != '0) && quiet_i && !open_q && scan_done_q;
  assign set_soon = !open_q && timeout_i == 32'd1;

  // A deadline that is set or cancelled while it is on its way through the scan is read again.
  assign changes = (op_i != TimerNone) && !collected_i;
  assign match   = read_valid_q && deadline.armed && deadline.deadline == time_next_o[31:0] &&
                   !(changes && task_id_i == read_q);
  assign restart = publish || (open_q && !due.valid && quiet_i);

  assign offer_o = '{
    scanning:      !open_q,
    time_low:      time_q[31:0],
    collect_valid: found_valid_q,
    collect_id:    found_q,
    timeout_valid: open_q && due.valid,
    timeout_id:    due.task_id
  };

  always_ff @(posedge clk_awake_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q        <= 1'b0;
      scan_done_q   <= 1'b0;
      scan_q        <= '0;
      read_valid_q  <= 1'b0;
      read_q        <= '0;
      found_valid_q <= 1'b0;
      found_q       <= '0;
    end else if (restart) begin
      open_q        <= publish && due.valid;
      scan_done_q   <= 1'b0;
      scan_q        <= '0;
      read_valid_q  <= 1'b0;
      found_valid_q <= 1'b0;
    end else if (clear_i || open_q || scan_done_q) begin
      read_valid_q  <= 1'b0;
    end else if (collected_i) begin
      found_valid_q <= 1'b0;
      scan_done_q   <= (found_q == Last);
      scan_q        <= found_q + 8'd1;
    end else if (found_valid_q) begin
      if (changes && task_id_i == found_q) begin
        found_valid_q <= 1'b0;
        scan_q        <= found_q;
      end
    end else if (match) begin
      found_valid_q <= 1'b1;
      found_q       <= read_q;
      read_valid_q  <= 1'b0;
    end else if (read_valid_q && changes && task_id_i == read_q) begin
      read_valid_q  <= 1'b0;
      scan_q        <= read_q;
    end else begin
      scan_done_q   <= read_valid_q && read_q == Last;
      read_q        <= scan_q;
      read_valid_q  <= !(read_valid_q && read_q == Last) && !(changes && task_id_i == scan_q);
      if (scan_q != Last && !(changes && task_id_i == scan_q)) scan_q <= scan_q + 8'd1;
    end
  end

  always_ff @(posedge clk_awake_i) begin
    if (clear_i || op_i != TimerNone) begin
      deadline_mem[index_t'(clear_i ? clear_index_i : task_id_i)] <= '{
        armed:    !clear_i && op_i == TimerSet && !set_soon,
        deadline: time_q[31:0] + timeout_i
      };
    end
    deadline <= deadline_mem[index_t'(scan_q)];
  end

  assign busy_o = elapsed || (pending_q != '0) || open_q || !scan_done_q || read_valid_q;

  top_t unused_top_next;

  mel_priority_list #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .Objects    (1)
  ) u_due_set (
    .clk_i         (clk_awake_i),
    .rst_ni,
    .clear_i       (1'b0),
    .clear_index_i ('0),
    .request_i     (due_request_i),
    .state_o       (due_state_o),
    .top_o         (due),
    .top_next_o    (unused_top_next)
  );

  logic unused_prio;
  assign unused_prio = ^due.prio;

`ifndef SYNTHESIS
  a_ticks_counted: assert property (@(posedge clk_i) disable iff (!rst_ni) pending_q != '1);
  a_steady: assert property (@(posedge clk_i) disable iff (!rst_ni)
    $past(publish) || $past(!rst_ni) || $stable(time_q));
`endif

endmodule
