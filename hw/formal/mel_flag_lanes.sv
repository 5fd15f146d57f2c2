// SPDX-License-Identifier: Apache-2.0
// Proof of mel_flag_lanes, for any tasks that arrive and leave, any conditions and any time of a search, also one that begins while ages still follow an arrival.
// A reference keeps what each task waits for, and of each two tasks which arrived first. The task that is found waits for the group, and its condition
// holds (a_holds); it is the one of the least priority, and of those the one that arrived first, of all that match (a_first), and one is found when any
// fits (a_found); `more_o` says whether others match (a_more). A search is busy in cycles 1 .. Rows and ages follow in as many and one more, whatever
// happens (a_busy, a_aging).
// By induction: the ages that tasks have, once a sweep that is under way has come to them, are a permutation in the order of the reference (h_order).
module mel_flag_lanes_proof #(
  parameter int unsigned Tasks      = 8,
  parameter int unsigned Priorities = 4,
  parameter int unsigned GroupW     = 1,
  parameter int unsigned Flags      = 2,      // flags of a group: they are independent
  parameter bit          Hints      = 1'b1,   // what holds the induction is asserted, too
  parameter bit          Cleared    = 1'b0,   // the proof begins behind the clear, in the state that it leaves
  localparam int unsigned TaskW     = $clog2(Tasks)
) (
  input logic              clk_i,
  input logic              arrive_i,
  input logic              leave_i,
  input logic [TaskW-1:0]  task_i,
  input logic [GroupW-1:0] group_i,
  input logic [7:0]        prio_i,
  input logic              pattern_we_i,
  input logic              all_we_i,
  input logic [TaskW-1:0]  stored_i,
  input logic [Flags-1:0]  pattern_i,
  input logic              all_i,
  input logic              scan_i,
  input logic              flags_now_i,
  input logic [Flags-1:0]  flags_i,
  input logic [TaskW-1:0]  one_i,        // two tasks, chosen freely: they stay
  input logic [TaskW-1:0]  other_i
);
  localparam int unsigned Rows  = (Tasks + 3) / 4;
  localparam int unsigned Ages  = 4 * Rows;
  localparam int unsigned Clear = Tasks + 4;    // cycles
  localparam int unsigned AgeW  = $clog2(Ages);
  localparam int unsigned PrioW = $clog2(Priorities);
  typedef logic [AgeW-1:0] age_t;

  logic       started_q = 1'b0;
  logic [7:0] cleared_q;
  logic       clear, cleared_before_q;   // in this cycle, in the one before
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    cleared_before_q <= clear;
    if (!started_q)  cleared_q <= Cleared ? 8'(Clear) : '0;
    else if (clear)  cleared_q <= cleared_q + 8'd1;
  end
  assign clear = started_q && 32'(cleared_q) < Clear;

  logic             aging, busy, found, more, arrive, leave, scan;
  logic [TaskW-1:0] found_task, clear_index;
  assign clear_index = (32'(cleared_q) < Tasks) ? TaskW'(cleared_q) : '0;
  assign arrive      = started_q && !clear && arrive_i;
  assign leave       = started_q && !clear && leave_i;
  assign scan        = started_q && !clear && scan_i;

  mel_flag_lanes #(
    .Tasks      (Tasks),
    .Priorities (Priorities),
    .GroupW     (GroupW),
    .Flags      (Flags)
  ) u_lanes (
    .clk_i,
    .rst_ni        (started_q),
    .clear_i       (clear),
    .clear_index_i (clear_index),
    .arrive_i      (arrive),
    .leave_i       (leave),
    .task_i,
    .group_i,
    .prio_i,
    .aging_o       (aging),
    .pattern_we_i,
    .all_we_i,
    .stored_i,
    .pattern_i,
    .all_i,
    .scan_i        (scan),
    .flags_now_i   (scan || flags_now_i),
    .flags_i,
    .busy_o        (busy),
    .found_o       (found),
    .more_o        (more),
    .found_task_o  (found_task)
  );

  // ---- what the unit promises -----------------------------------------------------------------------------------------

  logic [Tasks-1:0] waits_q;
  always_comb begin
    m_one:    assume (!(arrive && leave));
    m_range:  assume (32'(task_i) < Tasks && 32'(stored_i) < Tasks && 32'(prio_i) < Priorities);
    m_apart:  assume (!(arrive && aging));
    m_out:    assume (!arrive || !waits_q[task_i]);   // a task waits in one place
    m_chosen: assume (32'(one_i) < Tasks && 32'(other_i) < Tasks);
  end
  logic [TaskW-1:0] one_q, other_q;
  always_ff @(posedge clk_i) begin
    one_q   <= started_q ? one_q : one_i;
    other_q <= started_q ? other_q : other_i;
  end

  // ---- reference ------------------------------------------------------------------------------------------------------

  logic [Tasks-1:0][GroupW-1:0] group_q;
  logic [Tasks-1:0][PrioW-1:0]  prio_q;
  logic [Tasks-1:0][Flags-1:0]  pattern_q;
  logic [Tasks-1:0]             all_q;
  logic [Tasks-1:0][Tasks-1:0]  older_q;      // [i][j]: i arrived before j
  logic [Flags-1:0]             flags_q;
  logic [GroupW-1:0]            sought_q;
  logic                         wanted_q;     // a search whose result counts
  logic [7:0]                   since_q, arrived_q;   // cycles since the search began, since an arrival
  logic                         ran_q, came_q;

  always_ff @(posedge clk_i) begin
    if (clear || !started_q) begin
      for (int unsigned i = 0; i < Tasks; i++) for (int unsigned j = 0; j < Tasks; j++) older_q[i][j] <= i < j;
    end else if (arrive) begin
      for (int unsigned i = 0; i < Tasks; i++) begin
        if (TaskW'(i) != task_i) begin
          older_q[i][task_i] <= 1'b1;
          older_q[task_i][i] <= 1'b0;
        end
      end
    end
    if (!started_q) waits_q <= '0;
    else if (arrive) waits_q[task_i] <= 1'b1;
    else if (leave)  waits_q[task_i] <= 1'b0;
    if (arrive) begin
      group_q[task_i] <= group_i;
      prio_q[task_i]  <= PrioW'(prio_i);
    end
    if (pattern_we_i) pattern_q[stored_i] <= pattern_i;
    if (all_we_i)     all_q[stored_i]     <= all_i;

    if (scan) begin
      flags_q  <= flags_i;
      sought_q <= group_i;
    end
    // `flags_now_i` without a search ends one that is under way, too. A search sees what came at least a cycle before it, and nothing changes while it is wanted.
    if (!started_q || arrive || leave || pattern_we_i || all_we_i || (flags_now_i && !scan) || (wanted_q && !scan && group_i != sought_q)) wanted_q <= 1'b0;
    else if (scan) wanted_q <= !u_lanes.arrives_q && !u_lanes.leaves_q;
    if (!started_q) ran_q <= 1'b0;
    else if (scan)  ran_q <= 1'b1;
    since_q <= scan ? 8'd1 : since_q + 8'(since_q != '1);
    if (!started_q)  came_q <= 1'b0;
    else if (arrive) came_q <= 1'b1;
    arrived_q <= arrive ? 8'd1 : arrived_q + 8'(arrived_q != '1);
  end

  logic [Tasks-1:0] fits;
  for (genvar i = 0; i < Tasks; i++) begin : gen_fits
    assign fits[i] = waits_q[i] && group_q[i] == sought_q &&
                        (all_q[i] ? (pattern_q[i] & ~flags_q) == '0 : (pattern_q[i] & flags_q) != '0);
  end

  function automatic logic sooner(logic [TaskW-1:0] a, logic [TaskW-1:0] b);
    return prio_q[a] < prio_q[b] || (prio_q[a] == prio_q[b] && older_q[a][b]);
  endfunction

  // ---- what it knows --------------------------------------------------------------------------------------------------

  // Ages by row and lane, as far as they are known: what is written in this cycle counts, and what a sweep under way will still do.
  age_t             raw [Ages], age [Ages];
  age_t             arriving;
  logic [Ages-1:0]  pending, unread;     // the sweep, the search has not come there yet
  int unsigned      ahead [Rows];        // rows until it does
  for (genvar i = 0; i < Ages; i++) begin : gen_age
    assign raw[i] = (u_lanes.writes_q && 32'(u_lanes.written_row_q) == i / 4) ? u_lanes.gen_lane[i % 4].aged_q :
                                                                               u_lanes.gen_lane[i % 4].age_mem[i / 4];
    always_comb begin
      pending[i] = u_lanes.arrives_q || 32'(u_lanes.age_left_q) > ahead[i / 4];
      unread[i]  = 32'(u_lanes.scan_left_q) > ahead[i / 4];
      age[i]     = raw[i];
      if (pending[i] && raw[i] > arriving)       age[i] = raw[i] - age_t'(1);
      else if (pending[i] && raw[i] == arriving) age[i] = age_t'(Ages - 1);
    end
  end
  for (genvar i = 0; i < Rows; i++) begin : gen_ahead
    assign ahead[i] = (i + Rows - 32'(u_lanes.row_q)) % Rows;
  end
  assign arriving = u_lanes.arrives_q ? raw[AgeW'(u_lanes.task_q)] : u_lanes.age_q;

  logic [Tasks-1:0] staged, seen;    // read in the cycle before, or earlier
  for (genvar i = 0; i < Tasks; i++) begin : gen_seen
    assign staged[i] = u_lanes.read_q && 32'(u_lanes.scanned_row_q) == i / 4;
    assign seen[i]   = !unread[i] && !staged[i];
  end

  logic running, valid;
  assign running = wanted_q && ran_q;
  assign valid   = running && 32'(since_q) > Rows;

  // The reference begins with the conditions that memories hold at power-up.
  for (genvar i = 0; i < Tasks; i++) begin : gen_power
    always_comb begin
      m_power: assume (started_q || (u_lanes.gen_lane[i % 4].pattern_mem[i / 4] == pattern_q[i] &&
                                     u_lanes.gen_lane[i % 4].all_mem[i / 4] == all_q[i]));
    end
  end

  if (Cleared) begin : gen_cleared
    for (genvar i = 0; i < Ages; i++) begin : gen_ages
      always_comb m_age: assume (started_q || raw[i] == age_t'(i));
    end
    for (genvar i = 0; i < Tasks; i++) begin : gen_places
      logic [GroupW+PrioW:0] place;
      assign place = u_lanes.gen_lane[i % 4].place_mem[i / 4];
      always_comb m_place: assume (started_q || !place[GroupW+PrioW]);
    end
  end

  if (Hints) begin : gen_hints
    logic [PrioW+AgeW:0] best_key;
    assign best_key = u_lanes.best_q.key;
    always_comb begin
      h_row:     assert (!started_q || 32'(u_lanes.row_q) < Rows);
      h_counts:  assert (!started_q || (32'(u_lanes.scan_left_q) < Rows && 32'(u_lanes.age_left_q) <= Rows));
      h_clear:   assert (!started_q || !clear || (!u_lanes.arrives_q && u_lanes.age_left_q == '0 && u_lanes.scan_left_q == '0));
      h_cleared: assert (!started_q || 32'(cleared_q) <= Clear);
      h_sweep:   assert (!started_q || !clear || 32'(u_lanes.row_q) == 32'(cleared_q) % Rows);
      h_written: assert (!started_q || !clear || cleared_q == '0 || (u_lanes.writes_q && 32'(u_lanes.written_row_q) == (32'(cleared_q) - 1) % Rows));
      h_writes:  assert (!started_q || clear ||
                         u_lanes.writes_q == (cleared_before_q || (came_q && arrived_q > 8'd2 && 32'(arrived_q) <= Rows + 2)));
      h_last:    assert (!started_q || !u_lanes.writes_q || 32'(u_lanes.written_row_q) < Rows && 32'(u_lanes.row_q) == (32'(u_lanes.written_row_q) + 1) % Rows);
      h_scanned: assert (!started_q || !running || !u_lanes.read_q || 32'(u_lanes.scanned_row_q) < Rows && 32'(u_lanes.row_q) == (32'(u_lanes.scanned_row_q) + 1) % Rows);
      h_neither: assert (!started_q || !clear || (!came_q && !ran_q));
      h_before:  assert (!started_q || !cleared_before_q || (32'(cleared_q) <= Clear && cleared_q != '0 && !came_q && !ran_q));
      h_leaves:  assert (!started_q || !clear || cleared_q == '0 ||
                         (u_lanes.leaves_q && 32'(u_lanes.task_q) == ((32'(cleared_q) <= Tasks) ? 32'(cleared_q) - 1 : 0)));
      h_busy:    assert (!started_q || !ran_q || u_lanes.read_q == (32'(since_q) <= Rows));
      h_left:    assert (!started_q || !ran_q || 32'(u_lanes.scan_left_q) == ((32'(since_q) <= Rows) ? Rows - 32'(since_q) : 0));
      h_ran:     assert (!started_q || ran_q || (!u_lanes.read_q && u_lanes.scan_left_q == '0));
      h_since:   assert (!started_q || !ran_q || since_q != '0);
      h_came:    assert (!started_q || came_q || (!u_lanes.arrives_q && u_lanes.age_left_q == '0));
      h_ages:    assert (!started_q || u_lanes.ages_q == (u_lanes.age_left_q != '0));
      h_arrived: assert (!started_q || !came_q || (arrived_q != '0 && u_lanes.arrives_q == (arrived_q == 8'd1) &&
                         32'(u_lanes.age_left_q) == ((arrived_q > 8'd1 && 32'(arrived_q) <= Rows + 1) ? Rows + 2 - 32'(arrived_q) : 0)));
      h_pending: assert (!started_q || !u_lanes.arrives_q || u_lanes.row_q == u_lanes.row_of(u_lanes.task_q));
      h_task:    assert (!started_q || !u_lanes.arrives_q || 32'(u_lanes.task_q) < Tasks);
      h_flags:   assert (!started_q || !running || u_lanes.flags_q == flags_q);
      h_sought:  assert (!started_q || !running || !(u_lanes.arrives_q || u_lanes.leaves_q));
      h_first:   assert (!started_q || !running || u_lanes.first_q == (since_q == 8'd1));
      h_chosen:  assert (!started_q || (32'(one_q) < Tasks && 32'(other_q) < Tasks));
    end
    for (genvar i = 0; i < Ages; i++) begin : gen_ages
      always_comb begin
        // Lanes behind the last task count, too.
        h_numbers: assert (!started_q || !clear || 32'(cleared_q) <= i / 4 || raw[i] == age_t'(i));
        h_range:   assert (!started_q || clear || (32'(raw[i]) < Ages && 32'(age[i]) < Ages));
      end
      for (genvar j = 0; j < Ages; j++) begin : gen_pairs
        always_comb begin
          h_differ: assert (!started_q || clear || i == j || age[i] != age[j]);
        end
      end
    end
    for (genvar i = 0; i < Tasks; i++) begin : gen_tasks
      logic [GroupW+PrioW:0] place;
      assign place = u_lanes.gen_lane[i % 4].place_mem[i / 4];
      always_comb begin
        h_place:   assert (!started_q || clear || (u_lanes.arrives_q || u_lanes.leaves_q) && 32'(u_lanes.task_q) == i || place[GroupW+PrioW] == waits_q[i]);
        h_leaving: assert (!started_q || clear || !u_lanes.leaves_q || 32'(u_lanes.task_q) != i || !waits_q[i]);
        h_group:   assert (!started_q || clear || !waits_q[i] || (u_lanes.arrives_q && 32'(u_lanes.task_q) == i) || place[GroupW+PrioW-1:0] == {group_q[i], prio_q[i]});
        h_coming:  assert (!started_q || clear || !u_lanes.arrives_q || 32'(u_lanes.task_q) != i ||
                           (waits_q[i] && u_lanes.group_q == group_q[i] && u_lanes.prio_q == prio_q[i]));
        h_none:    assert (!started_q || !clear || 32'(cleared_q) <= i + 1 || !place[GroupW+PrioW]);
        h_empty:   assert (!started_q || !clear || !waits_q[i]);
        h_pattern: assert (!started_q || u_lanes.gen_lane[i % 4].pattern_mem[i / 4] == pattern_q[i]);
        h_all:     assert (!started_q || u_lanes.gen_lane[i % 4].all_mem[i / 4] == all_q[i]);
        h_staged:  assert (!started_q || !running || !staged[i] ||
                           (u_lanes.lane_q[i % 4].key.none == !fits[i] && u_lanes.lane_q[i % 4].key.prio == place[PrioW-1:0] &&
                            u_lanes.lane_q[i % 4].key.age == age[i] && u_lanes.lane_q[i % 4].lane == 2'(i)));
        h_missed:  assert (!started_q || !running || since_q == 8'd1 || !seen[i] || !fits[i] ||
                           (!u_lanes.best_q.key.none && best_key <= {1'b0, prio_q[i], age[i]}));
        h_best:    assert (!started_q || !running || since_q == 8'd1 || u_lanes.best_q.key.none || 32'(found_task) != i ||
                           (seen[i] && fits[i] && best_key == {1'b0, prio_q[i], age[i]}));
      end
      for (genvar j = 0; j < Tasks; j++) begin : gen_order
        always_comb h_order: assert (!started_q || i == j || (clear && cleared_q == '0) || older_q[i][j] == (clear ? i < j : age[i] < age[j]));
      end
    end
    // Lanes behind the last task have none, and tasks that match among those seen are counted.
    for (genvar i = Tasks; i < Ages; i++) begin : gen_behind
      always_comb begin
        h_empty: assert (!started_q || !(running && u_lanes.read_q && 32'(u_lanes.scanned_row_q) == i / 4) || u_lanes.lane_q[i % 4].key.none);
      end
    end
    always_comb begin
      h_inside: assert (!started_q || !running || since_q == 8'd1 || u_lanes.best_q.key.none || 32'(found_task) < Tasks);
      h_more:   assert (!started_q || !running || since_q == 8'd1 || u_lanes.more_q == ((seen & fits & ((seen & fits) - 1'b1)) != '0));
    end
  end

  always_comb begin
    a_busy:  assert (!started_q || busy == (ran_q && 32'(since_q) <= Rows));
    a_aging: assert (!started_q || aging == (came_q && 32'(arrived_q) <= Rows + 1));
    a_found: assert (!started_q || !valid || found == (fits != '0));
    a_holds: assert (!started_q || !valid || !found || (32'(found_task) < Tasks && fits[found_task]));
    a_first: assert (!started_q || !valid || !fits[one_q] || found_task == one_q || sooner(found_task, one_q));
    a_more:  assert (!started_q || !valid || more == ((fits & (fits - 1'b1)) != '0));

    c_equal: cover (started_q && valid && found && more && fits[one_q] && fits[other_q] && one_q < other_q && found_task == other_q &&
                    prio_q[one_q] == prio_q[other_q]);
    c_aging: cover (started_q && valid && found && 32'(since_q) == Rows + 1 && arrived_q < 8'(Rows + 4) && more);
    c_last:  cover (started_q && valid && found && 32'(found_task) == Tasks - 1 && !more);
  end
endmodule
