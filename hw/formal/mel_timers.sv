// SPDX-License-Identifier: Apache-2.0
// Proof of mel_timers, for ticks of any length, any sequence of sets, cancellations, moves, starts and stops, and whatever the
// sequencer lets wait. The ghost holds for every task and timer the time at which its timeout
// ends or it expires: the low word, which is that of one tick only, less than 2^32 ticks away. Promised:
//   a tick is published exactly when one has elapsed, in the first cycle in which no step is under way and the scan is done; none
//     is lost, however many wait; they elapse as far apart as the length says that was set when the one before did
//   with the tick, the due set holds exactly the tasks whose time has come: no expiry is lost, early or twice, also when a
//     task is set or cancelled while it is being scanned, or with the tick; the first of them is offered in the next cycle
//   a task is offered for release exactly while its time is now; the time goes on when there is none left
//   a timer expires exactly at its ticks; with a period, again and again
//   a scan takes Tasks + Timers + 2 cycles, and 3 more per task found, when it is collected at once and nothing is set meanwhile
//   while the module says that it is not busy, nothing of it changes: its clock may rest
// How: induction over one step. What holds it is that an expiry in memory is that of the ghost, and that of the entries which the
// scan has passed none is left whose time comes with the next tick.
// Small instance: tasks and timers are handled alike for any number. The due set is not the real one, but what is proved of it
// (mel_proved_list.sv). Needs: the module is used as the plans of mel_execute do (assumptions m_*; what these are is proved there).
module mel_timers_proof
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Timers = 2   // 0..2
) (
  input logic        clk_i,
  input logic [2:0]  act_i,
  input logic        quiet_i,
  input logic [1:0]  task_id_i,
  input logic        alarm_id_i,
  input logic        prio_i,
  input logic [31:0] timeout_i,
  input logic [31:0] period_i,
  input logic        tick_set_i,
  input logic [5:0]  tick_cycles_i       // short ticks
);

  localparam int unsigned Tasks   = 4;
  localparam int unsigned Alarms  = (Timers > 0) ? Timers : 1;   // timers of the ghost
  localparam int unsigned Entries = Tasks + Timers;
  typedef logic [31:0] ticks_t;

  // Requests of a step.
  typedef enum logic [2:0] {
    ActNone,
    ActSet,       // a timeout begins
    ActCancel,    // a wait ends: by a release, when the task is due
    ActCollect,   // the task that is offered goes to the due set
    ActLeave,     // the priority of a due task changes: it leaves its list
    ActEnter,     // … and enters another
    ActStart,     // a timer starts
    ActStop
  } act_e;

  // ---- one cycle of reset, then one of clearing per entry --------------------------------------------------------------

  logic [3:0] age_q = '0;
  logic       rst_n, clearing;
  assign rst_n    = (age_q != '0);
  assign clearing = (age_q <= 4'(Entries));
  always_ff @(posedge clk_i) if (age_q != '1) age_q <= age_q + 4'd1;

  act_e          act;
  timer_op_e     op;
  alarm_op_e     alarm_op;
  list_request_t request;
  list_state_t   list_state;
  timers_t       offer;
  logic [31:0]   tick_cycles;
  logic [63:0]   now, next;
  logic          tick, busy, quiet, settled;
  logic [15:0]   alarms, expired;

  assign act      = act_e'(act_i);
  assign op       = (act == ActSet) ? TimerSet : (act inside {ActCancel, ActCollect}) ? TimerCancel : TimerNone;
  assign alarm_op = (act == ActStart) ? AlarmStart : (act == ActStop) ? AlarmStop : AlarmNone;
  assign quiet    = quiet_i && settled && act == ActNone && !clearing;

  mel_timers #(.Tasks(Tasks), .Priorities(2), .Timers(Timers)) u_timers (
    .clk_i, .clk_awake_i (clk_i), .rst_ni (rst_n),
    .clear_i (clearing), .clear_index_i (9'(age_q) - 9'd1), .quiet_i (quiet),
    .tick_set_i, .tick_cycles_i (32'(tick_cycles_i)), .tick_cycles_o (tick_cycles),
    .time_o (now), .tick_o (tick), .time_next_o (next),
    .op_i (op), .task_id_i (8'(task_id_i)), .timeout_i, .alarm_op_i (alarm_op), .alarm_id_i (8'(alarm_id_i)), .period_i,
    .alarms_o (alarms), .expired_o (expired), .offer_o (offer), .collected_i (act == ActCollect),
    .due_request_i (request), .due_state_o (list_state), .busy_o (busy)
  );

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  logic  [Tasks-1:0]  waits_q = '0;       // has a timeout
  logic  [Tasks-1:0]  due_q = '0;         // its record says that it is in the due set
  ticks_t             until_q [Tasks];    // … the time at which it ends
  logic               moves_q = '0;       // a task is on its way between two lists of the due set
  logic  [1:0]        moved_q = '0;
  logic  [Tasks-1:0]  prio_q = '0;        // priorities of the due tasks
  logic  [Alarms-1:0] runs_q = '0;
  ticks_t             alarm_q [Alarms];   // the time at which it expires next
  ticks_t             period_q [Alarms];
  logic  [15:0]       waiting_q = '0;     // ticks that are still to be published
  logic  [5:0]        length_q = '0;      // length of the tick under way; 0: none is
  logic  [5:0]        spent_q = '0;       // … its cycles so far
  logic               soon, elapses;

  assign soon    = offer.scanning && timeout_i == 32'd1;
  assign elapses = length_q != '0 && spent_q == length_q - 6'd1 && tick_cycles != '0;

  always_comb begin
    request = '{op: ListNone, object: '0, prio: 8'(prio_i), task_id: 8'(task_id_i)};
    unique case (act)
      ActSet:     if (soon) request.op = ListInsertTail;
      ActCollect: request.op = ListInsertTail;
      ActCancel:  if (due_q[task_id_i]) request.op = ListRemove;
      ActLeave:   request.op = ListRemove;
      ActEnter:   request.op = ListInsertTail;
      default: ;
    endcase
    if (request.op == ListRemove) request.prio = 8'(prio_q[task_id_i]);
  end
  assign settled = list_state.settled && !moves_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned t = 0; t < Tasks; t++) begin
      if (task_id_i == 2'(t)) begin
        unique case (act)
          ActSet: begin
            waits_q[t] <= 1'b1;
            due_q[t]   <= soon;
            until_q[t] <= now[31:0] + timeout_i;
          end
          ActCancel:  {waits_q[t], due_q[t]} <= '0;
          ActCollect: due_q[t] <= 1'b1;
          default: ;
        endcase
        if (request.op == ListInsertTail) prio_q[t] <= prio_i;
      end
    end
    if (act == ActLeave) {moves_q, moved_q} <= {1'b1, task_id_i};
    if (act == ActEnter) moves_q <= 1'b0;
  end

  for (genvar i = 0; i < Alarms; i++) begin : gen_alarm_ghost
    always_ff @(posedge clk_i) begin
      if (tick && runs_q[i] && alarm_q[i] == next[31:0]) begin
        runs_q[i]  <= period_q[i] != '0;
        alarm_q[i] <= next[31:0] + period_q[i];
      end
      if (act == ActStart && 32'(alarm_id_i) == i) begin
        runs_q[i]   <= 1'b1;
        alarm_q[i]  <= now[31:0] + timeout_i;
        period_q[i] <= period_i;
      end
      if (act == ActStop && 32'(alarm_id_i) == i) runs_q[i] <= 1'b0;
    end
  end

  // A length that is set counts from the next tick on, or at once when there is none; 0 ends them at once.
  always_ff @(posedge clk_i) begin
    if (rst_n) begin
      waiting_q <= waiting_q + 16'(elapses) - 16'(tick);
      spent_q   <= elapses ? '0 : spent_q + 6'(length_q != '0);
      if (tick_set_i && (tick_cycles_i == '0 || length_q == '0 || elapses)) begin
        length_q <= tick_cycles_i;
        spent_q  <= '0;
      end else if (elapses) begin
        length_q <= tick_cycles[5:0];
      end
    end
  end

  // ---- how the module is used -----------------------------------------------------------------------------------------

  always_comb begin
    m_clear:   assume (!clearing || (act == ActNone && !tick_set_i));            // the unit clears before it serves
    m_empty:   assume (rst_n || (u_timers.u_due_set.places_q == '0 && u_timers.u_due_set.busy_q == '0));
    m_ready:   assume (request.op == ListNone || list_state.ready);              // mel_step: a plan finds the lists settled
    // Only who runs begins to wait.
    m_set:     assume (act != ActSet || (!waits_q[task_id_i] && timeout_i != '0 && timeout_i != '1));
    m_collect: assume (act != ActCollect || (offer.collect_valid && offer.collect_id == 8'(task_id_i)));
    m_leave:   assume (act != ActLeave || due_q[task_id_i]);
    m_moves:   assume (moves_q ? (act == ActNone || (act == ActEnter && task_id_i == moved_q)) : act != ActEnter);   // one step
    m_start:   assume (act != ActStart || (timeout_i != '0 && !timeout_i[31] && !period_i[31]));        // E_PAR
    m_timer:   assume (!(act inside {ActStart, ActStop}) || 32'(alarm_id_i) < Timers);                  // E_ID
    m_pending: assume (waiting_q < 16'hFFFE);
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic [Tasks-1:0]  ends;       // with the next tick
  logic [Alarms-1:0] expires;
  logic [Tasks-1:0]  now_ends;   // now
  for (genvar t = 0; t < Tasks; t++) begin : gen_ends
    assign ends[t]     = waits_q[t] && until_q[t] == next[31:0];
    assign now_ends[t] = waits_q[t] && until_q[t] == now[31:0];
  end
  for (genvar i = 0; i < Alarms; i++) begin : gen_expires
    assign expires[i] = runs_q[i] && alarm_q[i] == next[31:0];
  end
  logic ticked_q = '0, any_q = '0;   // in the last cycle; somebody's time came
  logic asked_q = '0;                // a timer was started or stopped in the last cycle
  always_ff @(posedge clk_i) begin
    ticked_q <= tick;
    any_q    <= |ends;
    asked_q  <= act inside {ActStart, ActStop};
  end

  logic idle_op;   // no request is on its way inside
  assign idle_op = u_timers.op_q == TimerNone && u_timers.alarm_op_q == AlarmNone;

  always_comb begin
    a_tick:      assert (tick == (waiting_q != '0 && quiet && idle_op && now_ends == '0 && u_timers.scan_done_q &&
                                  !u_timers.open_q));
    a_next:      assert (next == now + 64'd1);
    a_collected: assert (!tick || due_q == ends);
    a_first:     assert (!ticked_q || offer.timeout_valid == any_q);
    a_now:       assert (!offer.timeout_valid || (now_ends[offer.timeout_id[1:0]] && due_q[offer.timeout_id[1:0]] &&
                                                  offer.timeout_id < 8'(Tasks)));
    a_offered:   assert (!settled || clearing || offer.timeout_valid == (now_ends != '0));
    a_waits:     assert (!tick || now_ends == '0);
    a_right:     assert (!offer.collect_valid || (ends[offer.collect_id[1:0]] && !due_q[offer.collect_id[1:0]] &&
                                                  offer.collect_id < 8'(Tasks)));
    a_expired:   assert (expired == ((tick && Timers > 0) ? 16'(expires) : '0));
    a_alarms:    assert (Timers == 0 || !rst_n || asked_q || alarms == 16'(runs_q));
    a_elapsed:   assert (!rst_n || u_timers.elapsed == elapses);
    a_rests:     assert (busy || (!tick && idle_op && u_timers.scan_done_q && !u_timers.open_q && !u_timers.found_valid_q));
  end

  // An entry that is written when it is read is not looked at (a block RAM returns anything then).
  logic collided_q = '0;
  always_ff @(posedge clk_i) begin
    collided_q <= (!idle_op || u_timers.alarm_match) &&
                  (u_timers.alarm_match ? u_timers.read_q : u_timers.changed) == u_timers.scan_q;
  end
  always_comb a_collides: assert (!collided_q || !u_timers.read_valid_q);

  // ---- how long a scan takes ------------------------------------------------------------------------------------------

  logic [5:0] scan_age_q = '0;     // cycles since the scan began
  logic [2:0] found_q = '0;        // tasks collected in it
  logic       calm_q = '0;         // nothing was set or cancelled, and every task found was collected in its second cycle
  logic       second_q = '0;
  logic [5:0] slack;
  always_ff @(posedge clk_i) begin
    second_q <= u_timers.found_valid_q && !second_q;
    if (u_timers.restart) begin
      scan_age_q <= 6'd1;
      found_q    <= '0;
      calm_q     <= 1'b1;
    end else begin
      scan_age_q <= scan_age_q + 6'(scan_age_q != '1);
      found_q    <= found_q + 3'(act == ActCollect);
      if (!(act inside {ActNone, ActCollect}) || (act == ActCollect) != second_q || u_timers.open_q) calm_q <= 1'b0;
    end
  end
  assign slack = 6'(3 * 4'(found_q));

  always_comb begin
    a_scan: assert (!calm_q || u_timers.open_q || u_timers.found_valid_q || u_timers.scan_done_q ||
                    scan_age_q < 6'(Entries + 2) + slack);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  line_t front;      // entries below it have been scanned
  logic  wiping;
  assign front  = u_timers.open_q ? '0 : u_timers.scan_done_q ? line_t'(Entries) : u_timers.found_valid_q ? 9'(u_timers.found_q) :
                  u_timers.read_valid_q ? u_timers.read_q : u_timers.scan_q;
  assign wiping = clearing || !rst_n;

  always_comb begin
    a_clean:  assert (!wiping || (idle_op && !u_timers.open_q && !u_timers.scan_done_q && u_timers.scan_q == '0 && waits_q == '0 &&
                                  due_q == '0 && runs_q == '0 && !u_timers.found_valid_q && !u_timers.read_valid_q &&
                                  !moves_q && waiting_q == '0 && length_q == '0 && spent_q == '0 && !calm_q &&
                                  u_timers.u_due_set.busy_q == '0));
    a_front:  assert (u_timers.scan_q < 9'(Entries) || u_timers.scan_done_q);
    a_read:   assert (!u_timers.read_valid_q || (u_timers.read_q < 9'(Entries) && !u_timers.scan_done_q && !u_timers.open_q &&
                      !u_timers.found_valid_q && u_timers.scan_q == u_timers.read_q + 9'(u_timers.read_q != u_timers.Last)));
    a_found:  assert (!u_timers.found_valid_q || (u_timers.found_q < 8'(Tasks) && !u_timers.scan_done_q && !u_timers.open_q));
    a_open:   assert (!u_timers.open_q || (!u_timers.scan_done_q && u_timers.scan_q == '0));
    a_asks:   assert (u_timers.op_q == TimerNone || (u_timers.op_q inside {TimerSet, TimerCancel} &&
                                                    u_timers.task_id_q < 8'(Tasks) && u_timers.alarm_op_q == AlarmNone));
    a_alarm_id: assert (u_timers.alarm_op_q == AlarmNone || (u_timers.alarm_op_q inside {AlarmStart, AlarmStop} &&
                                                            32'(u_timers.alarm_id_q) < Timers));
    a_collects: assert (!rst_n || !u_timers.collects_q || (u_timers.op_q == TimerCancel && !u_timers.read_valid_q &&
                        !u_timers.found_valid_q && !u_timers.open_q && front == 9'(u_timers.task_id_q) + 9'd1));
    a_count:  assert (u_timers.pending_q == waiting_q);
    a_length: assert (!rst_n || ((length_q == '0) == (u_timers.count_q == '0) && u_timers.count_q == 32'(length_q - spent_q) &&
                                 (length_q == '0 || (spent_q < length_q && tick_cycles != '0)) && tick_cycles[31:6] == '0));
    a_moving: assert (!moves_q || due_q[moved_q]);
    // The cycles of a scan, by where it is.
    a_calm:   assert (!calm_q || u_timers.open_q || u_timers.scan_done_q || scan_age_q == slack +
                      (u_timers.found_valid_q ? 6'(u_timers.found_q) + 6'd3 + 6'(second_q) :
                       u_timers.read_valid_q ? 6'(u_timers.read_q) + 6'd2 : 6'(u_timers.scan_q) + 6'd1));
    a_second: assert (!calm_q || !second_q || u_timers.found_valid_q);
    a_few:    assert (!calm_q || 9'(found_q) <= front);
    a_still:  assert (!calm_q || idle_op || u_timers.collects_q);
  end

  for (genvar t = 0; t < Tasks; t++) begin : gen_task
    logic        asked, wiped;
    logic        armed;
    logic [31:0] expiry;
    assign asked    = u_timers.op_q != TimerNone && u_timers.task_id_q == 8'(t);
    assign wiped    = age_q > 4'(t + 1);
    assign armed    = u_timers.expiry_mem[t].armed;
    assign expiry   = u_timers.expiry_mem[t].expiry;
    always_comb begin
      a_left:   assert (!now_ends[t] || (u_timers.open_q && due_q[t]));
      a_due:    assert (!due_q[t] || (waits_q[t] && until_q[t] == (u_timers.open_q ? now[31:0] : next[31:0])));
      a_member: assert (u_timers.u_due_set.places_q[t].member == (due_q[t] && !(moves_q && moved_q == 2'(t))));
      a_place:  assert (!u_timers.u_due_set.places_q[t].member || (u_timers.u_due_set.places_q[t].prio == 2'(prio_q[t]) &&
                                                                   u_timers.u_due_set.places_q[t].object == '0));
      a_armed:  assert (!wiped || asked || (armed == (waits_q[t] && !due_q[t]) &&
                                            (!armed || expiry == until_q[t])));
      a_set:    assert (!asked || (u_timers.op_q == TimerSet ? waits_q[t] && until_q[t] == now[31:0] + u_timers.timeout_q &&
                                   due_q[t] == (!u_timers.open_q && u_timers.timeout_q == 32'd1) : waits_q[t] == due_q[t]));
      a_passed: assert (9'(t) >= front || !ends[t] || due_q[t]);
      a_entry:  assert (!u_timers.read_valid_q || u_timers.read_q != 9'(t) || u_timers.expiry == u_timers.expiry_mem[t]);
      a_offers: assert (!u_timers.found_valid_q || u_timers.found_q != 8'(t) || asked ||
                        (ends[t] && !due_q[t]));
    end
  end

  for (genvar i = 0; i < Timers; i++) begin : gen_timer
    localparam int unsigned Entry = Tasks + i;
    logic        asked, wiped, noted, armed;
    logic [31:0] expiry;
    assign asked    = u_timers.alarm_op_q != AlarmNone && u_timers.alarm_id_q == 8'(i);
    assign wiped    = age_q > 4'(Entry + 1);
    assign noted    = u_timers.gen_timers.noted_q[i];
    assign armed    = u_timers.expiry_mem[Entry].armed;
    assign expiry   = u_timers.expiry_mem[Entry].expiry;
    always_comb begin
      a_alarm:  assert (!runs_q[i] || (alarm_q[i] != now[31:0] && !period_q[i][31]));
      a_runs:   assert (!rst_n || asked || (u_timers.gen_timers.running_q[i] == runs_q[i] && (!runs_q[i] ||
                        (u_timers.gen_timers.periodic_q[i] == (period_q[i] != '0) &&
                         u_timers.gen_timers.period_mem[i] == period_q[i]))));
      a_noted:  assert (asked || !noted || (expires[i] && !u_timers.open_q));
      a_next_expiry: assert (!wiped || asked || (noted ? armed == (period_q[i] != '0) && expiry == next[31:0] + period_q[i] :
                        armed == runs_q[i] && (!armed || expiry == alarm_q[i])));
      a_start:  assert (!asked || (u_timers.alarm_op_q == AlarmStart ? runs_q[i] && u_timers.period_q == period_q[i] &&
                                   u_timers.timeout_q != '0 && alarm_q[i] == now[31:0] + u_timers.timeout_q : !runs_q[i]));
      a_seen:   assert (9'(Entry) >= front || asked || !expires[i] || noted);
      a_entry:  assert (!u_timers.read_valid_q || u_timers.read_q != 9'(Entry) ||
                        (u_timers.expiry == u_timers.expiry_mem[Entry] &&
                         u_timers.period == u_timers.gen_timers.period_mem[i]));
    end
  end

  always_comb begin
    c_two:    cover (tick && ends == 4'b0101);
    c_late:   cover (act == ActSet && soon && u_timers.read_valid_q && u_timers.read_q == 9'(task_id_i));
    c_again:  cover (tick && waiting_q == 16'd2 && |ends);
    c_gone:   cover (act == ActCancel && u_timers.found_valid_q && u_timers.found_q == 8'(task_id_i));
    c_move:   cover (act == ActEnter && u_timers.open_q);
  end
  if (Timers > 0) begin : gen_cover
    always_comb begin
      c_cyclic: cover (tick && expired != '0 && period_q[0] == 32'd1 && |ends);
    end
  end
endmodule
