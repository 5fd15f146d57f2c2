// SPDX-License-Identifier: Apache-2.0
// mel_flag_lanes: finds the most urgent task that waits for event flags of a group and whose condition holds, whatever the number of waiters
// (docs/decisions/0050). Four lanes, one for the tasks of each remainder modulo 4, read a task each in every cycle: in LUT-RAM stand its condition, its
// group, its priority, and its age.
//
// Ages are the places of all tasks in the order in which they began to wait: the numbers 0 .. Ages-1, one each, the youngest last. A task that arrives takes the
// last age, and those that were younger than it become one older. So no age wraps, and a task that leaves changes none.
//
// Contract: it hears every insertion into a list of waits of event flags (at the tail) and every removal, whatever the reason: `arrive_i`, `leave_i`. A
// change of priority is a removal and an insertion. Conditions are heard when the program stores them: the flags that a task waits for, in
// `pattern_i`, and in `all_i` whether all of them are needed. `group_i` stays until a search ends.
// Result: among the tasks that wait for the group and match (any of the pattern in `flags_i`, or all), the one with the least {priority, age}; the
// order is that of the lists.
//
// Timing, with inputs in cycle 0. Rows = ceil(Tasks / 4).
// * `scan_i`, with `flags_i` and `flags_now_i`: a search reads in cycles 0 .. Rows-1, whatever row is next; `busy_o` is high in cycles 1 .. Rows; the result is there from Rows + 1 on
//   and stays until the next search. A search that begins before another one ends replaces it.
// * `arrive_i`, `leave_i`: a search that begins in cycle 2 or later sees them. Both with `task_i`; at most one of them, and none while a search whose result is
//   wanted is under way.
// * `arrive_i`: ages follow in cycles 2 .. Rows + 1; `aging_o` is high in cycles 1 .. Rows + 1, and the next task must not arrive then. A search may begin at any
//   time: what is not written yet, it takes from the logic that writes.
// * `pattern_we_i`, `all_we_i`: a search that begins in cycle 1 or later sees them.
// * `clear_i`: at least Tasks cycles with every number of a task in `clear_index_i`, before the first arrival.
module mel_flag_lanes #(
  parameter int unsigned Tasks      = 64,   // 4..64
  parameter int unsigned Priorities = 32,   // 2..256, 0 is the most urgent
  parameter int unsigned GroupW     = 6,
  parameter int unsigned Flags      = 32,   // flags of a group; fewer in a proof
  localparam int unsigned TaskW     = $clog2(Tasks)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              clear_i,
  input  logic [TaskW-1:0]  clear_index_i,

  input  logic              arrive_i,
  input  logic              leave_i,
  input  logic [TaskW-1:0]  task_i,
  input  logic [GroupW-1:0] group_i,
  input  logic [7:0]        prio_i,
  output logic              aging_o,

  input  logic              pattern_we_i,
  input  logic              all_we_i,
  input  logic [TaskW-1:0]  stored_i,      // the task whose condition is stored
  input  logic [Flags-1:0]  pattern_i,
  input  logic              all_i,

  input  logic              scan_i,
  input  logic              flags_now_i,   // at least with `scan_i`, and early in the cycle
  input  logic [Flags-1:0]  flags_i,
  output logic              busy_o,
  output logic              found_o,
  output logic              more_o,        // further tasks match
  output logic [TaskW-1:0]  found_task_o
);

  localparam int unsigned Lanes = 4;
  localparam int unsigned Rows  = (Tasks + Lanes - 1) / Lanes;
  localparam int unsigned RowW  = (Rows > 1) ? $clog2(Rows) : 1;
  localparam int unsigned AgeW  = $clog2(Rows * Lanes);
  localparam int unsigned PrioW = $clog2(Priorities);
  localparam int unsigned LeftW = $clog2(Rows + 2);

  typedef logic [RowW-1:0]  row_t;
  typedef logic [AgeW-1:0]  age_t;
  typedef logic [PrioW-1:0] level_t;
  typedef logic [LeftW-1:0] left_t;
  typedef struct packed { logic valid; logic [GroupW-1:0] group; level_t prio; } place_t;
  typedef struct packed { logic none; level_t prio; age_t age; } key_t;
  typedef struct packed { key_t key; logic [1:0] lane; } found_t;

  function automatic row_t row_of(logic [TaskW-1:0] number);
    return (Rows > 1) ? row_t'(number >> 2) : '0;
  endfunction

  // ---- rows -----------------------------------------------------------------------------------------------------------

  logic       arrives_q, leaves_q, ages_q, scans, read_q;
  logic [TaskW-1:0]  task_q;
  logic [GroupW-1:0] group_q;
  level_t     prio_q;
  row_t       row_q, scanned_row_q;
  left_t      scan_left_q, age_left_q;

  assign scans   = scan_i || scan_left_q != '0;
  assign busy_o  = read_q;
  assign aging_o = arrives_q || ages_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      arrives_q   <= 1'b0;
      leaves_q    <= 1'b0;
      scan_left_q <= '0;
      age_left_q  <= '0;
      ages_q      <= 1'b0;
      read_q      <= 1'b0;
      row_q       <= '0;
    end else begin
      arrives_q   <= arrive_i;
      leaves_q    <= leave_i || clear_i;
      read_q      <= scans;
      scan_left_q <= scan_i ? left_t'(Rows - 1) : scan_left_q - left_t'(scan_left_q != '0);
      age_left_q  <= arrives_q ? left_t'(Rows) : age_left_q - left_t'(ages_q);
      ages_q      <= arrives_q || age_left_q > left_t'(1);
      // From the row of a task that arrives, because its age is read first.
      if (arrive_i)                                       row_q <= row_of(task_i);
      else if (scans || ages_q || arrives_q || clear_i)     row_q <= (row_q == row_t'(Rows - 1)) ? '0 : row_q + row_t'(1);
    end
  end
  always_ff @(posedge clk_i) begin
    task_q        <= clear_i ? clear_index_i : task_i;
    group_q       <= group_i;
    prio_q        <= level_t'(prio_i);
    scanned_row_q <= row_q;
  end

  // ---- lanes ----------------------------------------------------------------------------------------------------------

  logic [Flags-1:0] flags, flags_q;
  age_t        age_q, ages_read [Lanes];   // age_q: of the task that arrives, before
  logic        writes_q;
  row_t        written_row_q;
  found_t      lane_q [Lanes];

  assign flags = flags_now_i ? flags_i : flags_q;
  always_ff @(posedge clk_i) begin
    flags_q       <= flags;
    age_q         <= arrives_q ? ages_read[task_q[1:0]] : age_q;
    written_row_q <= row_q;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) writes_q <= 1'b0;
    else         writes_q <= ages_q || clear_i;
  end

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    (* ram_style = "distributed" *) logic [Flags-1:0] pattern_mem [Rows];
    (* ram_style = "distributed" *) logic        all_mem [Rows];
    (* ram_style = "distributed" *) place_t      place_mem   [Rows];
    (* ram_style = "distributed" *) age_t        age_mem     [Rows];
    logic [Flags-1:0] pattern;
    logic        all, any, lacks, present, match;
    place_t      place;
    age_t        age, aged, aged_q;

    always_ff @(posedge clk_i) begin
      if (pattern_we_i && stored_i[1:0] == 2'(i))            pattern_mem[row_of(stored_i)] <= pattern_i;
      if (all_we_i && stored_i[1:0] == 2'(i))                all_mem[row_of(stored_i)] <= all_i;
      if ((arrives_q || leaves_q) && task_q[1:0] == 2'(i))   place_mem[row_of(task_q)] <= '{valid: arrives_q, group: group_q, prio: prio_q};
      if (writes_q)                                          age_mem[written_row_q] <= aged_q;
    end
    assign pattern = pattern_mem[row_q];
    assign all     = all_mem[row_q];
    assign place   = place_mem[row_q];
    assign age     = age_mem[row_q];

    assign ages_read[i] = age;
    always_comb begin
      aged = age;
      if (age > age_q)       aged = age - age_t'(1);
      else if (age == age_q) aged = age_t'(Rows * Lanes - 1);
    end
    always_ff @(posedge clk_i) aged_q <= clear_i ? age_t'({row_q, 2'(i)}) : aged;

    assign any   = |(pattern & flags);
    assign lacks = |(pattern & ~flags);
    assign present = 32'(row_q) * Lanes + i < Tasks;   // places behind the last task are never cleared
    assign match = present && place.valid && place.group == group_i && (all ? !lacks : any);
    always_ff @(posedge clk_i) lane_q[i] <= '{key: '{none: !match, prio: place.prio, age: ages_q ? aged : age}, lane: 2'(i)};
  end

  // ---- choice ---------------------------------------------------------------------------------------------------------

  function automatic found_t sooner(found_t one, found_t other);
    return (other.key < one.key) ? other : one;
  endfunction

  found_t     row_best, best_q;
  row_t       best_row_q;
  logic       first_q, several, earlier, more_q;

  assign row_best = sooner(sooner(lane_q[0], lane_q[1]), sooner(lane_q[2], lane_q[3]));
  assign earlier   = !first_q && !best_q.key.none;
  assign several  = (!lane_q[0].key.none && !lane_q[1].key.none) || (!lane_q[2].key.none && !lane_q[3].key.none) ||
                    ((!lane_q[0].key.none || !lane_q[1].key.none) && (!lane_q[2].key.none || !lane_q[3].key.none));

  always_ff @(posedge clk_i) begin
    first_q <= scan_i;
    if (read_q) begin
      if (!earlier || row_best.key < best_q.key) begin
        best_q     <= row_best;
        best_row_q <= scanned_row_q;
      end
      more_q <= (!first_q && more_q) || several || (earlier && !row_best.key.none);
    end
  end

  assign found_o      = !best_q.key.none;
  assign more_o       = more_q;
  assign found_task_o = TaskW'({best_row_q, best_q.lane});

`ifndef SYNTHESIS
  a_one:     assert property (@(posedge clk_i) disable iff (!rst_ni) !(arrive_i && leave_i));
  a_arrives: assert property (@(posedge clk_i) disable iff (!rst_ni) !arrive_i || !(aging_o || clear_i));
  a_range:   assert property (@(posedge clk_i) disable iff (!rst_ni) !(arrive_i || leave_i) || 32'(task_i) < Tasks);
`endif

endmodule
