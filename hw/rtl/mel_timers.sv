// SPDX-License-Identifier: Apache-2.0
// mel_timers: the 64-bit time base, the expiries of tasks and of alarm and cyclic timers, and the due set.
//
// One comparator scans all expiries ahead of the next tick; a match is handed to the sequencer (`offer_o.collect_*`), which moves
// the task into the due set, ordered by priority. The tick only publishes: it advances the time base and opens the due set,
// whose most urgent task is then offered for release (`offer_o.timeout_*`), one per step. When it is empty, the scan for the tick
// after that begins. So no expiry is searched for when time passes, and none when it is set or cancelled.
//
// Why equality suffices: the scan for a tick always ends before that tick is published, ticks that come meanwhile are counted
// (`pending`) and published one by one, and an expiry is less than 2^32 ticks away: its low 32 bits name one tick.
// An expiry set for the very next tick while its scan is under way goes to the due set at once (`offer_o.scanning`).
//
// The expiries of timers are scanned behind those of the tasks. One that matches is noted, and gets its next expiry at once when
// it has a period; with the tick the interrupt lines of those noted rise (`expired_o`).
//
// Timing: a tick is published in the first cycle in which no step is under way and the scan is done; the scan takes
// Tasks + Timers + 2 cycles, and 3 more per task that is collected at once, from the release of the last task of the tick
// before. The first task is released 3 cycles after the tick, whatever their number, the others 3 to 7 cycles apart. Collecting
// and releasing all tasks takes less than 8 cycles per task: therefore mel_pkg::tick_cycles_min. Set and cancel: two cycles.
// Only the count to the next tick runs on `clk_i`; the rest sleeps with the unit.
module mel_timers
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 4..256
  parameter int unsigned Priorities = 32,   // 2..256
  parameter int unsigned Timers     = 8,    // 0..16
  parameter logic [63:0] TimeReset  = '0
) (
  input  logic          clk_i,
  input  logic          clk_awake_i,   // without edges while nothing is busy
  input  logic          rst_ni,

  input  logic          clear_i,
  input  line_t         clear_index_i,

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
  input  alarm_op_e     alarm_op_i,    // start or stop of a timer, with `timeout_i` and `period_i`
  input  id_t           alarm_id_i,
  input  logic [31:0]   period_i,      // 0: once
  output logic [15:0]   alarms_o,      // timers that run
  output logic [15:0]   expired_o,     // with `tick_o`
  output timers_t       offer_o,
  input  logic          collected_i,   // the task offered is in the due set

  input  list_request_t due_request_i,
  output list_state_t   due_state_o,

  output logic          busy_o         // a tick is due, or a scan or an open due set is not yet at its end
);

  localparam int unsigned EntryW = $clog2(Tasks + Timers);
  localparam line_t       Last   = line_t'(Tasks + Timers - 1);

  typedef logic [EntryW-1:0] index_t;   // entry of an expiry: tasks, then timers

  // ---- what a plan asks, a cycle later --------------------------------------------------------------------------------

  // It is known late in its cycle, and the step that asks ends there at the earliest: nothing else happens before.
  timer_op_e   op_q;
  alarm_op_e   alarm_op_q;
  id_t         task_id_q, alarm_id_q;
  logic [31:0] timeout_q, period_q;
  logic        collects_q;
  logic        still;        // the time may advance

  always_ff @(posedge clk_awake_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q       <= TimerNone;
      alarm_op_q <= AlarmNone;
    end else begin
      op_q       <= op_i;
      alarm_op_q <= alarm_op_i;
    end
  end
  always_ff @(posedge clk_awake_i) begin
    task_id_q  <= task_id_i;
    alarm_id_q <= alarm_id_i;
    timeout_q  <= timeout_i;
    period_q   <= period_i;
    collects_q <= collected_i;
  end

  assign still = quiet_i && op_q == TimerNone && alarm_op_q == AlarmNone;

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

  typedef struct packed { logic armed; logic [31:0] expiry; } expiry_t;

  (* no_rw_check *) expiry_t    expiry_mem [2**EntryW];
  expiry_t    expiry, expiry_d;
  logic [31:0] period;             // period of the timer read
  logic       periodic, alarm_match;
  logic       open_q;              // the due set holds tasks of the current tick, else of the next
  logic       scan_done_q;
  line_t      scan_q;              // is being read
  logic       read_valid_q;
  line_t      read_q;              // was read in the last cycle
  logic       found_valid_q;
  id_t        found_q;             // matched, waits to be collected; nothing is read meanwhile
  logic       match, changes, restart;
  line_t      changed;             // the entry that is set or cancelled
  logic       of_timer;            // the entry read is a timer's
  top_t       due;
  logic       set_soon;

  assign publish  = (pending_q != '0) && still && !open_q && scan_done_q;
  assign set_soon = !open_q && timeout_q == 32'd1;

  // An expiry that is set or cancelled while it is on its way through the scan is read again.
  assign changes = (op_q != TimerNone || alarm_op_q != AlarmNone) && !collects_q;
  assign changed = (alarm_op_q != AlarmNone) ? line_t'(Tasks) + line_t'(alarm_id_q) : line_t'(task_id_q);
  assign match   = read_valid_q && expiry.armed && expiry.expiry == time_next_o[31:0] &&
                   !(changes && changed == read_q);
  assign restart = publish || (open_q && !due.valid && still);

  assign offer_o = '{
    scanning:      !open_q,
    time_low:      time_q[31:0],
    collect_valid: found_valid_q && !changes,
    collect_id:    id_t'(found_q),
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
      scan_done_q   <= (line_t'(found_q) == Last);
      scan_q        <= line_t'(found_q) + 9'd1;
    end else if (found_valid_q) begin
      if (changes && changed == line_t'(found_q)) begin
        found_valid_q <= 1'b0;
        scan_q        <= line_t'(found_q);
      end
    end else if (match && !of_timer) begin
      found_valid_q <= 1'b1;
      found_q       <= id_t'(read_q);
      read_valid_q  <= 1'b0;
    end else if (read_valid_q && changes && (changed == read_q || match)) begin
      read_valid_q  <= 1'b0;
      scan_q        <= read_q;
    end else begin
      scan_done_q   <= read_valid_q && read_q == Last;
      read_q        <= scan_q;
      read_valid_q  <= !(read_valid_q && read_q == Last) && !(changes && changed == scan_q);
      if (scan_q != Last && !(changes && changed == scan_q)) scan_q <= scan_q + 9'd1;
    end
  end

  always_ff @(posedge clk_awake_i) begin
    if (clear_i || op_q != TimerNone || alarm_op_q != AlarmNone || alarm_match) begin
      expiry_mem[index_t'(clear_i ? clear_index_i : alarm_match ? read_q : changed)] <= expiry_d;
    end
    expiry <= expiry_mem[index_t'(scan_q)];
  end

  // ---- alarm and cyclic timers ----------------------------------------------------------------------------------------

  // Expiry to be written: a task's or timer's, or the next one of a timer that matches (never in the same cycle).
  always_comb begin
    expiry_d = '{armed: 1'b0, expiry: time_q[31:0] + timeout_q};
    if (op_q == TimerSet) expiry_d.armed = !set_soon;
    if (alarm_op_q == AlarmStart) begin
      expiry_d.armed = !set_soon || period_q != '0;
      if (set_soon) expiry_d.expiry = time_next_o[31:0] + period_q;
    end
    if (alarm_match) expiry_d = '{armed: periodic, expiry: time_next_o[31:0] + period};
    if (clear_i) expiry_d.armed = 1'b0;
  end

  if (Timers == 0) begin : gen_no_timers
    logic unused_all;
    assign unused_all  = ^{alarm_id_q, period_q};
    assign of_timer    = 1'b0;
    assign alarm_match = 1'b0;
    assign period      = '0;
    assign periodic    = 1'b0;
    assign alarms_o    = '0;
    assign expired_o   = '0;
  end else begin : gen_timers
    localparam int unsigned TimerW = (Timers > 1) ? $clog2(Timers) : 1;
    typedef logic [TimerW-1:0] timer_t;

    (* no_rw_check *) logic [31:0] period_mem [2**TimerW];
    logic [Timers-1:0] running_q, periodic_q, noted_q, subject, matched;
    timer_t            read_timer;

    assign of_timer    = read_q >= line_t'(Tasks);
    assign alarm_match = match && of_timer && !changes;
    assign read_timer  = timer_t'(read_q - line_t'(Tasks));
    assign periodic    = periodic_q[read_timer];
    for (genvar i = 0; i < Timers; i++) begin : gen_timer
      assign subject[i] = (timer_t'(alarm_id_q) == timer_t'(i));
      assign matched[i] = alarm_match && (read_timer == timer_t'(i));
    end

    always_ff @(posedge clk_awake_i) begin
      if (alarm_op_q == AlarmStart) period_mem[timer_t'(alarm_id_q)] <= period_q;
      period <= period_mem[timer_t'(scan_q - line_t'(Tasks))];
    end

    always_ff @(posedge clk_awake_i or negedge rst_ni) begin
      if (!rst_ni) begin
        running_q  <= '0;
        periodic_q <= '0;
        noted_q    <= '0;
      end else begin
        if (publish) begin
          noted_q   <= '0;
          running_q <= running_q & (periodic_q | ~noted_q);
        end else begin
          noted_q <= noted_q | matched;
        end
        if (alarm_op_q == AlarmStart) begin
          running_q  <= running_q | subject;
          periodic_q <= (period_q != '0) ? periodic_q | subject : periodic_q & ~subject;
          noted_q    <= set_soon ? noted_q | subject : noted_q & ~subject;
        end
        if (alarm_op_q == AlarmStop) begin
          running_q <= running_q & ~subject;
          noted_q   <= noted_q & ~subject;
        end
      end
    end

    assign alarms_o  = 16'(running_q);
    assign expired_o = publish ? 16'(noted_q) : '0;
  end

  assign busy_o = op_q != TimerNone || alarm_op_q != AlarmNone || elapsed || (pending_q != '0) || open_q || !scan_done_q || read_valid_q;

  top_t unused_top_after;

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
    .top_after_o   (unused_top_after)
  );

  logic unused_prio;
  assign unused_prio = ^due.prio;

`ifndef SYNTHESIS
  a_ticks_counted: assert property (@(posedge clk_i) disable iff (!rst_ni) pending_q != '1);
  a_steady: assert property (@(posedge clk_i) disable iff (!rst_ni)
    $past(publish) || $past(!rst_ni) || $stable(time_q));
`endif

endmodule
