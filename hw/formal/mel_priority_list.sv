// SPDX-License-Identifier: Apache-2.0
// Proof of mel_priority_list, for any sequence of operations and any number of them: the top of an object is the oldest task of
// its most urgent list that is not empty; insertion takes 2 cycles, removal 2 or 3, rotation 2 or 3; a request is accepted
// whenever nothing is under way; after an operation its object's top is at hand without a request. The ghost holds the lists as plain queues.
// How: induction over one step. What holds it is that the memories spell the ghost's queues, and are read right (a_mem_*).
// Small instance (4 tasks): links, bitmap and tops are handled alike for any number. Full sizes: random runs (tests/random).
// Needs: the lists are used as the unit does (assumptions m_*).
module mel_priority_list_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Priorities = 2,
  parameter int unsigned Objects    = 1
) (
  input logic       clk_i,
  input logic [2:0] op_i,
  input logic [8:0] object_i,
  input logic [7:0] prio_i,
  input logic [1:0] task_id_i
);

  localparam int unsigned Tasks = 4;
  localparam int unsigned Lists = Objects * Priorities;

  typedef logic [1:0] number_t;                                // number of a task
  typedef struct packed {
    logic [2:0]               count;
    logic [Tasks-1:0][1:0]    tasks;                           // [0] the oldest
  } queue_t;
  typedef queue_t [Lists-1:0] queues_t;

  // ---- one cycle of reset, then one cycle of clearing per object ------------------------------------------------------

  logic [3:0] age_q = '0;
  logic       rst_n, clearing;
  assign rst_n    = (age_q != '0);
  assign clearing = (age_q <= 4'(Objects));
  always_ff @(posedge clk_i) if (age_q != '1) age_q <= age_q + 4'd1;

  list_request_t request;
  list_state_t   state;
  top_t          top, top_after;
  logic          accept;

  assign request = '{op: list_op_e'(op_i), object: object_i, prio: prio_i, task_id: 8'(task_id_i)};
  assign accept  = state.ready && request.op != ListNone;

  mel_priority_list #(.Tasks(Tasks), .Priorities(Priorities), .Objects(Objects)) u_list (
    .clk_i, .rst_ni (rst_n),
    .clear_i (clearing), .clear_index_i (9'(age_q) - 9'd1),
    .request_i (request), .state_o (state), .top_o (top),
    .top_after_o (top_after)
  );

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  function automatic queue_t apply(queue_t old, list_op_e op, number_t number);
    logic found;
    found = 1'b0;
    apply = old;
    unique case (op)
      ListInsertTail: begin
        for (int unsigned i = 0; i < Tasks; i++) if (old.count == 3'(i)) apply.tasks[i] = number;
        apply.count = old.count + 3'd1;
      end
      ListInsertHead: begin
        for (int unsigned i = 1; i < Tasks; i++) apply.tasks[i] = old.tasks[i-1];
        apply.tasks[0] = number;
        apply.count    = old.count + 3'd1;
      end
      ListRemove: begin
        for (int unsigned i = 0; i < Tasks - 1; i++) begin
          found |= old.tasks[i] == number;
          if (found) apply.tasks[i] = old.tasks[i+1];
        end
        apply.count = old.count - 3'd1;
      end
      ListRotate: begin
        for (int unsigned i = 0; i < Tasks; i++) begin
          if (3'(i + 1) < old.count) apply.tasks[i] = old.tasks[(i+1) % Tasks];
          if (3'(i + 1) == old.count) apply.tasks[i] = old.tasks[0];
        end
      end
      default: ;
    endcase
  endfunction

  // Is the task in this queue?
  function automatic logic has(queue_t queue, number_t number);
    has = 1'b0;
    for (int unsigned i = 0; i < Tasks; i++) has |= 3'(i) < queue.count && queue.tasks[i] == number;
  endfunction

  queues_t    queue_q = '0;       // after the operations accepted so far
  queues_t    held_q  = '0;       // … of those that have changed the memories
  list_op_e   op_q    = ListNone; // the last operation
  logic [8:0] object_q = '0, seen_q = '0;
  logic [7:0] prio_q = '0, list_q = '0, list;
  logic       ended_q = 1'b0;     // an operation was accepted once
  number_t    number_q = '0;
  logic [1:0] since_q = '0;       // cycles since it was accepted; 0: it has ended before this cycle
  logic       changes;            // the memories change after this cycle

  assign list    = 8'(32'(object_i) * Priorities) + prio_i;
  assign changes = !state.settled && (since_q == ((op_q == ListRotate) ? 2'd2 : 2'd1));

  always_ff @(posedge clk_i) begin
    if (changes) held_q <= queue_q;
    if (state.ready) seen_q <= object_i;
    if (accept) begin
      for (int unsigned l = 0; l < Lists; l++) begin
        if (list == 8'(l)) queue_q[l] <= apply(queue_q[l], request.op, task_id_i);
      end
      op_q     <= request.op;
      object_q <= object_i;
      prio_q   <= prio_i;
      number_q <= task_id_i;
      list_q   <= list;
      since_q  <= 2'd1;
      ended_q  <= 1'b1;
    end else begin
      since_q <= state.settled ? 2'd0 : since_q + 2'd1;
    end
  end

  // ---- how the unit uses lists ----------------------------------------------------------------------------------------

  logic [Lists-1:0] holds;   // the requested task
  for (genvar l = 0; l < Lists; l++) begin : gen_holds
    assign holds[l] = has(queue_q[l], task_id_i);
  end

  always_comb begin
    m_ready:   assume (state.ready || op_i == ListNone);              // requests are made when accepted
    m_clear:   assume (!clearing || op_i == ListNone);                // the unit clears before it serves
    m_op:      assume (op_i <= ListRotate);
    m_numbers: assume (object_i < 9'(Objects) && prio_i < 8'(Priorities));
    m_insert:  assume (!(op_i inside {ListInsertTail, ListInsertHead}) || holds == '0);   // at most one list
    m_remove:  assume (op_i != ListRemove || |(holds & (Lists'(1) << list)));
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  function automatic logic [16:0] first_of(queues_t queues, logic [8:0] object);
    first_of = '0;
    for (int unsigned p = Priorities; p > 0; p--) begin
      for (int unsigned o = 0; o < Objects; o++) begin
        if (object == 9'(o) && queues[o*Priorities+p-1].count != '0) begin
          first_of = {1'b1, 8'(p - 1), 6'd0, queues[o*Priorities+p-1].tasks[0]};
        end
      end
    end
  endfunction

  function automatic logic same(top_t found, logic [16:0] expected);
    return found.valid == expected[16] &&
           (!found.valid || (found.prio == expected[15:8] && found.task_id == expected[7:0]));
  endfunction

  always_comb begin
    // With several objects, the top is that of the object requested in the cycle before, unless an operation began there.
    a_top:     assert (clearing || age_q == 4'(Objects + 1) || !state.settled || (Objects > 1 && since_q != 2'd0) ||
                       same(top, first_of(queue_q, seen_q)));
    // … and after an operation it is there without another request.
    a_after:   assert (!ended_q || !state.settled || same(top_after, first_of(queue_q, object_q)));
    a_bounded: assert (state.settled || since_q == 2'd1 ||
                       (since_q == 2'd2 && (op_q == ListRemove || op_q == ListRotate)));
    // With one object, the next request is accepted while the new top is read.
    a_ready:   assert (state.ready == (state.settled || (Objects == 1 && since_q == 2'd2 && op_q == ListRemove)));
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  logic ahead;   // an operation is accepted, the memories do not show it yet
  assign ahead  = !state.settled && (since_q == 2'd1 || (since_q == 2'd2 && op_q == ListRotate));

  always_comb begin
    a_age:     assert (!clearing || (!ended_q && queue_q == '0 && held_q == '0 && state.settled && since_q == 2'd0));
    a_since:   assert (state.settled || (since_q != 2'd0 && ended_q));
    a_numbers: assert (seen_q < 9'(Objects) && object_q < 9'(Objects) && prio_q < 8'(Priorities) &&
                       list_q == 8'(32'(object_q) * Priorities) + prio_q);
    a_op:      assert (state.settled || (op_q != ListNone && op_q <= ListRotate && u_list.op_q == op_q &&
                       u_list.object_q == object_q && 8'(u_list.prio_q) == prio_q && u_list.task_id_q == number_q));
    a_state:   assert (state.settled == (u_list.state_q == 2'd0) && (u_list.state_q != 2'd1 || since_q == 2'd1) &&
                       (u_list.state_q != 2'd2 || (since_q == 2'd2 && op_q == ListRotate)) &&
                       (u_list.state_q != 2'd3 || (since_q == 2'd2 && op_q == ListRemove)));
    a_seen:    assert (state.settled || Objects == 1 || seen_q == object_q);
  end

  for (genvar l = 0; l < Lists; l++) begin : gen_list
    localparam int unsigned Object = l / Priorities;
    localparam int unsigned Prio   = l % Priorities;
    localparam int unsigned Ends   = Object * 2**$clog2(Priorities) + Prio;
    queue_t held;
    logic   bit_set, here;
    assign held = held_q[l];
    assign here = (list_q == 8'(l));
    if (Objects > 1) begin : gen_bit
      assign bit_set = u_list.gen_objects.bitmap_mem[Object][Prio];
    end else begin : gen_bit
      assign bit_set = u_list.bitmap[Prio];
    end

    always_comb begin
      a_count:   assert (queue_q[l].count <= 3'(Tasks) && held.count <= 3'(Tasks));
      a_step:    assert (queue_q[l] == ((ahead && here) ? apply(held, op_q, number_q) : held));
      a_insert:  assert (!ahead || !(op_q inside {ListInsertTail, ListInsertHead}) || !has(held, number_q));
      a_remove:  assert (!ahead || op_q != ListRemove || !here || has(held, number_q));
      a_mem_bit: assert (clearing || bit_set == (held.count != '0));
      a_mem_head: assert (held.count == '0 || u_list.ends_mem[Ends].head == held.tasks[0]);
    end
    for (genvar i = 0; i < Tasks; i++) begin : gen_place
      always_comb begin
        a_mem_tail: assert (held.count != 3'(i + 1) || u_list.ends_mem[Ends].tail == held.tasks[i]);
      end
      for (genvar j = i + 1; j < Tasks; j++) begin : gen_pair
        always_comb a_once: assert (3'(j) >= held.count || held.tasks[i] != held.tasks[j]);
      end
      if (i + 1 < Tasks) begin : gen_link
        always_comb begin
          a_mem_next: assert (3'(i + 1) >= held.count || u_list.next_mem[held.tasks[i]] == held.tasks[i+1]);
          a_mem_prev: assert (3'(i + 1) >= held.count || u_list.prev_mem[held.tasks[i+1]] == held.tasks[i]);
        end
      end
      for (genvar m = l + 1; m < Lists; m++) begin : gen_other
        always_comb a_one_list: assert (3'(i) >= held.count || !has(held_q[m], held.tasks[i]));
      end
    end
  end

  // Registers read from the memories agree with them.
  logic [3:0] ends_now;   // head and tail
  assign ends_now = u_list.ends_mem[32'(object_q) * 2**$clog2(Priorities) + 32'(prio_q)];
  always_comb begin
    a_mem_ends:    assert (!ahead || u_list.ends == ends_now);
    a_mem_linked:  assert (state.settled || since_q != 2'd1 || (u_list.next == u_list.next_mem[number_q] &&
                           u_list.prev == u_list.prev_mem[number_q]));
    a_mem_second:  assert (state.settled || op_q != ListRotate || since_q != 2'd2 ||
                           u_list.next == u_list.next_mem[u_list.ends.head]);
    a_mem_refresh: assert (u_list.state_q != 2'd3 || u_list.ends ==
                           u_list.ends_mem[32'(object_q) * 2**$clog2(Priorities) + 32'(u_list.refresh_prio)]);
    a_rotates:     assert (u_list.state_q != 2'd2 || u_list.ends.head != u_list.ends.tail);
  end
  if (Objects > 1) begin : gen_read
    logic [Priorities-1:0] bitmap_now;
    assign bitmap_now = u_list.gen_objects.bitmap_mem[object_q];
    always_comb begin
      a_mem_bitmap: assert (!ahead || u_list.bitmap == bitmap_now);
      a_mem_top:    assert (!ahead || same(top, first_of(held_q, object_q)));
    end
    for (genvar o = 0; o < Objects; o++) begin : gen_tops
      top_t place;
      assign place = '{valid: u_list.gen_objects.valid_mem[o], prio: 8'(u_list.gen_objects.first_mem[o].prio),
                       task_id: 8'(u_list.gen_objects.first_mem[o].task_id)};
      always_comb a_mem_tops: assert (clearing || (u_list.state_q == 2'd3 && object_q == 9'(o)) ||
                                      same(place, first_of(held_q, 9'(o))));
    end
  end else begin : gen_top
    always_comb a_mem_top: assert (clearing || u_list.state_q == 2'd3 || same(top, first_of(held_q, 9'd0)));
  end

  always_comb begin
    c_full:   cover (queue_q[0].count == 3'(Tasks) && state.settled);
    c_rotate: cover (u_list.state_q == 2'd2);
    c_empty:  cover (age_q == '1 && queue_q == '0 && since_q == 2'd2);
  end
endmodule
