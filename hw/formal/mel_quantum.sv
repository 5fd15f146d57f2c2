// SPDX-License-Identifier: Apache-2.0
// Proof of mel_quantum against melanion/model/quantum.py, for ticks, dispatches, changes of priorities and lists, and quanta in any order.
// One task is watched by the proof, which one is free; its ghost is the model's `used` and `used_up`, and the model's table of quanta.
// Promised:
//   the slice of a task is counted at ticks while it is a core's running task, on whichever core, through any number of preemptions,
//     up to 0xFFFF; it begins anew exactly where the task goes to the tail of a ready list
//   it is used up from the tick on at which the count has reached the quantum of the priority that the task has then, till it begins anew
//   `expired_o` says exactly that, of running tasks, while another could take their turn (`peers_i`), from the cycle after the tick on
//   nothing expires before a quantum was set, and `settled_o` is never low then
//   `settled_o` is low for at most 2 cycles per core, and 1 more, after the last change of a priority or of a quantum
// How: induction over one cycle. What holds it is that the core that runs the task, or else the memory, has the ghost's slice, and that
// a quantum that was read is that of the table. A tick comes before the dispatch of its cycle.
// Needs: cores as mel_dispatcher has them, of which each task runs on one (proved there), and what the module asserts in simulation (m_*).
module mel_quantum_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 4,
  parameter int unsigned Priorities = 4,
  parameter int unsigned Cores      = 1
) (
  input logic                                     clk_i,
  input logic                                     set_i,
  input logic [$clog2(Priorities)-1:0]            level_i,
  input logic [15:0]                              quantum_i,
  input logic                                     tick_i,
  input logic                                     tail_i,        // `task_id_i` goes to the tail of a ready list
  input logic [$clog2(Tasks)-1:0]                 task_id_i,
  input logic [2:0]                               op_i,          // another operation on the ready set
  input logic                                     dispatch_i,    // or its running task has its turn again
  input logic [Cores-1:0]                         core_i,        // … of this core, one-hot
  input logic                                     keeps_i,       // … which goes on as it does, whatever is ready
  input logic                                     best_valid_i,
  input logic [$clog2(Tasks)-1:0]                 best_i,
  input logic [Cores-1:0]                         stops_i,       // the running task waits, ends, or its turn is over
  input logic [Cores-1:0]                         changes_i,     // the priority of the running task changes
  input logic [Cores-1:0][$clog2(Priorities)-1:0] prio_i,
  input logic [Cores-1:0]                         peers_i,
  input logic [$clog2(Tasks)-1:0]                 subject_i
);

  localparam int unsigned TaskW = $clog2(Tasks);
  localparam int unsigned PrioW = $clog2(Priorities);
  localparam line_t       Last  = line_t'(((Tasks > Priorities) ? Tasks : Priorities) - 1);
  typedef logic [TaskW-1:0] task_id_t;
  typedef logic [PrioW-1:0] level_t;

  // ---- one cycle of reset, then one of clearing per entry --------------------------------------------------------------

  logic [9:0] cycle_q = '0;
  logic       rst_n, clearing;
  assign rst_n    = (cycle_q != '0);
  assign clearing = (cycle_q <= 10'(Last) + 10'd1);
  always_ff @(posedge clk_i) if (clearing) cycle_q <= cycle_q + 10'd1;

  task_id_t subject_q;   // watched task
  always_ff @(posedge clk_i) subject_q <= rst_n ? subject_q : subject_i;

  // ---- cores, as far as slices see them (mel_dispatcher) --------------------------------------------------------------

  logic     [Cores-1:0] valid_q = '0, goes_on_q = '0;
  task_id_t             running_q [Cores];
  level_t               prio_q    [Cores];
  turn_t                turn      [Cores];
  core_t                state;
  logic                 due, goes_on, take_best;
  logic     [Cores-1:0] runs, goes;   // the subject

  for (genvar i = 0; i < Cores; i++) begin : gen_core
    assign turn[i] = '{enabled: 1'b1, running_valid: valid_q[i], running: 8'(running_q[i]), prio: 8'(prio_q[i]),
                       goes_on: goes_on_q[i]};
    assign runs[i] = valid_q[i] && running_q[i] == subject_q;
    assign goes[i] = runs[i] && goes_on_q[i];
    always_ff @(posedge clk_i) begin
      if (stops_i[i])   goes_on_q[i] <= 1'b0;
      if (changes_i[i]) prio_q[i]    <= prio_i[i];
      if (dispatch_i && core_i[i] && !keeps_i) begin
        {valid_q[i], running_q[i], goes_on_q[i]} <= {best_valid_i, best_i, best_valid_i};
        prio_q[i] <= prio_i[i];
      end
    end
  end

  assign take_best = !keeps_i && best_valid_i;
  always_comb begin
    state   = '{result: '0, best: '{valid: best_valid_i, prio: '0, task_id: 8'(best_i)}, take_best: take_best, default: '0};
    goes_on = 1'b0;
    for (int unsigned i = 0; i < Cores; i++) begin
      if (core_i[i]) {state.running_valid, state.running, goes_on} |= {valid_q[i], 8'(running_q[i]), goes_on_q[i]};
    end
    due            = !keeps_i && (best_valid_i ? !(state.running_valid && state.running == 8'(best_i)) : state.running_valid);
    state.due      = due;
    state.runnable = goes_on;    // a running task that is listed is not preempted, whatever these say
  end

  list_request_t    ready;
  logic             in_use, settled;
  logic [Cores-1:0] expired;
  assign ready = '{op: tail_i ? ListInsertTail : list_op_e'(op_i), object: '0, prio: '0, task_id: 8'(task_id_i)};

  logic [1:0] core_number;
  always_comb begin
    core_number = '0;
    for (int unsigned i = 0; i < Cores; i++) if (core_i[i]) core_number |= 2'(i);
  end

  mel_quantum #(.Tasks(Tasks), .Priorities(Priorities), .Cores(Cores)) u_quantum (
    .clk_i, .rst_ni (rst_n), .clear_i (clearing), .clear_index_i (9'(cycle_q) - 9'd1),
    .set_i, .argument_i ({16'(level_i), quantum_i}), .tick_i, .ready_i (ready), .dispatch_i, .core_i (core_number), .state_i (state),
    .turn_i (turn), .peers_i, .in_use_o (in_use), .expired_o (expired), .settled_o (settled)
  );

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  logic [15:0]      quanta_q [2**PrioW];
  logic             any_q = '0;          // one was set
  logic             ranked_q = '0;       // the subject has a slice: it went to a tail, and has not stopped since
  logic [15:0]      used_q;
  logic             used_up_q;
  logic [Cores-1:0] behind_q = '0;       // the running task went to a tail: the dispatcher hears of it before the step ends
  logic             fresh;
  logic [15:0]      counted, allowed;

  assign fresh   = tail_i && task_id_i == subject_q;
  assign counted = (used_q != '1) ? used_q + 16'd1 : used_q;
  always_comb begin
    allowed = '0;
    for (int unsigned i = 0; i < Cores; i++) if (goes[i]) allowed |= quanta_q[prio_q[i]];
  end

  for (genvar p = 0; p < 2**PrioW; p++) begin : gen_quantum
    always_ff @(posedge clk_i) begin
      if (clearing)                          quanta_q[p] <= '0;
      else if (set_i && level_i == level_t'(p)) quanta_q[p] <= quantum_i;
    end
  end
  always_ff @(posedge clk_i) begin
    any_q <= any_q || set_i;
    if (tick_i && (|goes)) begin
      used_q <= counted;
      if (allowed != '0 && counted >= allowed) used_up_q <= 1'b1;
    end
    if (fresh)                                   {ranked_q, used_q, used_up_q} <= {1'b1, 16'd0, 1'b0};
    else if (|(goes & stops_i & ~behind_q))      ranked_q <= 1'b0;
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_behind
    always_ff @(posedge clk_i) begin
      behind_q[i] <= goes_on_q[i] && !stops_i[i] && (behind_q[i] || (tail_i && task_id_i == running_q[i]));
    end
  end

  // ---- how the module is used -----------------------------------------------------------------------------------------

  always_comb begin
    m_clear:  assume (!clearing || !(set_i || tick_i || tail_i || dispatch_i || (|changes_i)));   // the unit clears before it serves
    m_core:   assume ($onehot(core_i));
    m_tick:   assume (!tick_i || settled);                                // mel_unit: mel_timers' quiet_i
    m_op:     assume (op_i < 3'(ListInsertTail) || (op_i > 3'(ListInsertTail) && op_i <= 3'(ListRotate)));
    m_step:   assume (!dispatch_i || !(set_i || tail_i || (|stops_i) || (|changes_i)));   // a dispatch is a step of its own
    m_between: assume (!(set_i && tick_i));                               // a tick comes between steps
    m_behind: assume (behind_q == '0 || !(tick_i || dispatch_i));         // mel_sequencer: both come between steps
    m_ranked: assume (!dispatch_i || !take_best || best_i != subject_q || ranked_q);      // a task made ready goes to a tail
    m_best:   assume (!dispatch_i || !goes_on || keeps_i || best_valid_i);                // mel_dispatcher: it gives way to another
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_assume
    // A task runs on one core; while it goes on it is not in the ready set (mel_dispatcher).
    always_comb m_apart: assume (!dispatch_i || !take_best || !valid_q[i] || running_q[i] != best_i || (core_i[i] && !goes_on_q[i]));
  end
  if (2**PrioW != Priorities) begin : gen_range
    always_comb m_level: assume (!set_i || 9'(level_i) < 9'(Priorities));                 // E_PAR
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  logic [Cores-1:0]    changed;       // since the last cycle, of what a quantum is read for
  logic                set_q = '0;
  logic [Cores-1:0]    valid_before_q = '0;
  level_t              prio_before_q [Cores];
  logic [4:0]          age_q = '0;    // cycles since the last change, this one not included
  always_ff @(posedge clk_i) begin
    set_q          <= set_i;
    valid_before_q <= valid_q;
    prio_before_q  <= prio_q;
    age_q          <= (set_q || (|changed)) ? 5'd1 : age_q + 5'(age_q != '1);
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_changed
    assign changed[i] = valid_q[i] != valid_before_q[i] || (valid_q[i] && prio_q[i] != prio_before_q[i]);
    always_comb begin
      a_expired: assert (!runs[i] || behind_q[i] || expired[i] == (goes[i] && used_up_q && peers_i[i]));
      a_stopped: assert (!expired[i] || (valid_q[i] && goes_on_q[i]));
    end
  end
  logic fresh_change;
  assign fresh_change = set_q || (|changed);

  always_comb begin
    a_none:    assert (any_q || ((expired & runs & ~behind_q) == '0 && settled));
    a_in_use:  assert (in_use == any_q);
    a_settles: assert (settled || fresh_change || age_q <= 5'(2 * Cores));
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  logic [3:0] remaining;     // cycles until all quanta are read
  logic       useful;        // the quantum that was read is needed
  assign useful    = u_quantum.stale[u_quantum.reader_q] && u_quantum.level_q == prio_q[u_quantum.reader_q];
  assign remaining = 4'(2 * $countones(u_quantum.stale)) + (u_quantum.read_q ? (useful ? -4'd1 : 4'd1) : 4'd0);

  always_comb begin
    a_clean:   assert (!clearing || (valid_q == '0 && goes_on_q == '0 && !any_q && !ranked_q && behind_q == '0 && !set_q &&
                                     u_quantum.known_q == '0 && !u_quantum.read_q));
    a_one:     assert ($onehot0(runs));
    a_goes:    assert ((goes_on_q & ~valid_q) == '0);
    a_ranked:  assert (!(|goes) || ranked_q);
    a_memory:  assert (!ranked_q || (|(goes & ~behind_q)) || u_quantum.slice_mem[subject_q] == {used_up_q, used_q});
    a_zero:    assert (any_q || !ranked_q || !used_up_q);
    a_asked:   assert (any_q || (u_quantum.known_q == '0 && !u_quantum.read_q));
    a_read:    assert (!u_quantum.read_q || (u_quantum.quantum == u_quantum.quantum_mem[u_quantum.level_q] &&
                                             32'(u_quantum.reader_q) < Cores));
    a_useful:  assert (!u_quantum.read_q || useful || fresh_change);
    a_left:    assert (settled || fresh_change || age_q + 5'(remaining) <= 5'(2 * Cores + 1));
  end
  for (genvar i = 0; i < Cores; i++) begin : gen_held
    always_comb begin
      a_slice: assert (!goes[i] || behind_q[i] || u_quantum.slice_q[i] == {used_up_q, used_q});
      a_known: assert (!u_quantum.known_q[i] || u_quantum.quantum_q[i] == quanta_q[u_quantum.known_prio_q[i]]);
      a_back:  assert (!behind_q[i] || goes_on_q[i]);
      a_reset: assert (!behind_q[i] || !runs[i] || (used_q == '0 && !used_up_q));
    end
  end
  for (genvar p = 0; p < 2**PrioW; p++) begin : gen_table
    always_comb begin
      a_table: assert ((clearing && cycle_q <= 10'(p) + 10'd1) || u_quantum.quantum_mem[p] == quanta_q[p]);
      a_unset: assert (any_q || cycle_q <= 10'd1 || quanta_q[p] == '0);
    end
  end

  logic preempted_q = '0;    // in this slice
  logic alone_q = '0;        // the slice was over while nobody waited
  always_ff @(posedge clk_i) begin
    preempted_q <= !fresh && (preempted_q || (dispatch_i && due && |(goes & core_i)));
    alone_q     <= !fresh && (alone_q || (|goes && used_up_q && peers_i == '0));
  end
  always_comb begin
    c_expires: cover (|(expired & runs) && preempted_q && used_q == 16'd2);
    c_alone:   cover (|(expired & runs) && alone_q);
    c_again:   cover (|(goes & ~behind_q) && ranked_q && used_q == 16'd1 && !used_up_q && any_q && preempted_q);
    c_longest: cover (!settled && age_q == 5'(2 * Cores));
  end
endmodule
