// SPDX-License-Identifier: Apache-2.0
// Proof of mel_deadlines, for ticks, changes and deadlines in any order, from any time on, so also across the wrap of the tick counter. One
// task is watched by the proof, which one is free; its ghost holds whether it has a deadline, and which. Promised:
//   a deadline is reported in a cycle in which it is set and equals the time: never early, never when it was cleared or set again, once
//   it is reported before the next tick: whenever a tick may come, none is left whose time has come, also when others were set,
//     cleared or set again in any cycle of the look
//   the look takes Tasks + 1 cycles and at most 1 for each change meanwhile, so at most 2 Tasks + 2
//   nothing is looked at before a first deadline was set
// How: induction over one cycle. What holds it is that the memory has the ghost's deadline, and that the entries which the look has
// passed are not due. Needs: what the module asserts in simulation (m_*).
module mel_deadlines_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks = 4
) (
  input logic                     clk_i,
  input logic                     set_i,
  input logic                     watch_i,
  input logic [$clog2(Tasks)-1:0] task_id_i,
  input logic [31:0]              ticks_i,
  input logic                     tick_i,
  input logic [31:0]              begin_i,     // the time at reset
  input logic [$clog2(Tasks)-1:0] subject_i
);

  localparam int unsigned TaskW = $clog2(Tasks);
  localparam int unsigned AgeW  = TaskW + 3;
  localparam line_t       Last  = line_t'(Tasks - 1);
  typedef logic [AgeW-1:0] age_t;

  // ---- one cycle of reset, then one of clearing per entry --------------------------------------------------------------

  logic [9:0] cycle_q = '0;
  logic       rst_n, clearing;
  assign rst_n    = (cycle_q != '0);
  assign clearing = (cycle_q <= 10'(Tasks));
  always_ff @(posedge clk_i) if (cycle_q <= 10'(Tasks)) cycle_q <= cycle_q + 10'd1;

  logic        missed, settled;
  id_t         missed_id;
  logic [31:0] now_q;

  mel_deadlines #(.Tasks(Tasks)) u_deadlines (
    .clk_i, .rst_ni (rst_n), .clear_i (clearing), .clear_index_i (9'(cycle_q) - 9'd1),
    .set_i, .watch_i, .task_id_i (8'(task_id_i)), .ticks_i,
    .tick_i, .time_low_i (now_q), .missed_o (missed), .missed_id_o (missed_id), .settled_o (settled)
  );

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  logic [TaskW-1:0] subject_q;
  logic             armed_q = '0;        // the subject has a deadline:
  logic [31:0]      until_q;             // … this one
  logic             set_q = '0;          // a change in the last cycle
  age_t             age_q = '0;          // cycles since the tick that is looked at
  age_t             changes_q = '0;      // … and changes written since

  always_ff @(posedge clk_i) begin
    now_q     <= rst_n ? now_q + 32'(tick_i) : begin_i;
    subject_q <= rst_n ? subject_q : subject_i;
    set_q     <= set_i;
    if (missed && missed_id == 8'(subject_q)) armed_q <= 1'b0;
    if (set_i && task_id_i == subject_q)      {armed_q, until_q} <= {watch_i, now_q + ticks_i};
    if (tick_i) {age_q, changes_q} <= {age_t'(1), age_t'(0)};
    else        {age_q, changes_q} <= {age_q + age_t'(!settled), changes_q + age_t'(!settled && set_q)};
  end

  always_comb begin
    m_clear:   assume (!clearing || !(set_i || tick_i));            // the unit clears before it serves
    m_watch:   assume (!watch_i || (set_i && ticks_i != '0));       // mel_watch: 0 ticks, or the task ends: no deadline
    m_settled: assume (!tick_i || settled);                         // mel_unit: mel_timers' quiet_i
    m_no_tick: assume (!(tick_i && set_i));                         // a tick comes between steps
    m_apart:   assume (!(set_q && set_i));                          // a step takes 2 cycles at least
  end
  if (2**TaskW != Tasks) begin : gen_range
    always_comb m_id: assume (!set_i || 9'(task_id_i) <= Last);     // E_ID
    always_comb m_subject: assume (rst_n || 9'(subject_i) <= Last);
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic reported;
  assign reported = missed && missed_id == 8'(subject_q);

  always_comb begin
    a_right:  assert (!reported || (armed_q && until_q == now_q));
    a_left:   assert (!settled || !armed_q || until_q != now_q);
    a_known:  assert (!missed || 9'(missed_id) <= Last);
    a_look:   assert (settled || age_q <= age_t'(Tasks + 1) + changes_q);
    a_soon:   assert (settled || age_q <= age_t'(2 * Tasks + 2));
    a_unused: assert (settled || u_deadlines.any_q);
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  logic  pending;     // the subject's change is on its way to the memory
  line_t front;       // entries below it are passed
  age_t  position;    // cycles that the look has taken at least
  assign pending  = u_deadlines.set_q && u_deadlines.task_id_q == subject_q;
  assign front    = u_deadlines.read_valid_q ? u_deadlines.read_q : u_deadlines.next_q;
  assign position = age_t'(front) + age_t'(1) + age_t'(u_deadlines.read_valid_q);

  always_comb begin
    a_clean:    assert (!clearing || (!armed_q && settled && !u_deadlines.set_q && !u_deadlines.any_q && !u_deadlines.read_valid_q));
    a_subject:  assert (!rst_n || 9'(subject_q) <= Last);
    a_set:      assert (u_deadlines.set_q == (rst_n && set_q));
    a_pending:  assert (!pending || (armed_q == u_deadlines.watch_q && (!armed_q || until_q == now_q + u_deadlines.ticks_q)));
    a_ticks:    assert (!u_deadlines.set_q || !u_deadlines.watch_q || u_deadlines.ticks_q != '0);
    a_changed:  assert (!u_deadlines.set_q || 9'(u_deadlines.task_id_q) <= Last);
    a_any:      assert (!armed_q || u_deadlines.any_q);
    a_memory:   assert (pending || (clearing && cycle_q <= 10'(subject_q) + 10'd1) ||
                        (u_deadlines.entry_mem[subject_q].watched == armed_q &&
                         (!armed_q || u_deadlines.entry_mem[subject_q].deadline == until_q)));
    a_read:     assert (!u_deadlines.read_valid_q || u_deadlines.collided_q || u_deadlines.read_q != 9'(subject_q) ||
                        pending || u_deadlines.entry == u_deadlines.entry_mem[subject_q]);
    a_collided: assert (!u_deadlines.read_valid_q || !u_deadlines.collided_q || u_deadlines.read_q != 9'(subject_q) ||
                        !armed_q || until_q != now_q);
    a_order:    assert (u_deadlines.next_q <= Last &&
                        (!u_deadlines.read_valid_q || (!settled && u_deadlines.read_q <= Last && (u_deadlines.next_q == u_deadlines.read_q ?
                         u_deadlines.read_q == Last : u_deadlines.next_q == u_deadlines.read_q + 9'd1))));
    a_begun:    assert (settled || u_deadlines.read_valid_q || u_deadlines.next_q == '0);
    a_passed:   assert (settled || 9'(subject_q) >= front || !armed_q || until_q != now_q);
    a_age:      assert (settled || (age_q <= position + changes_q && age_q + age_t'(set_q) <= position + position &&
                                    changes_q <= age_q));
  end

  always_comb begin
    c_two:  cover (reported && changes_q == age_t'(2));
    c_again: cover (set_i && task_id_i == subject_q && reported);
    c_wrap: cover (reported && now_q == '0);
  end
endmodule
