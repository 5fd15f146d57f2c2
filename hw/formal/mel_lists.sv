// SPDX-License-Identifier: Apache-2.0
// Proof of mel_lists, for any sequence of operations and any number of them, and any clearing before the first: tops are the first node
// of an object's most urgent list that is not empty, a walk finds the next node, `first` that of a list; everything at the cycle that the
// module's head promises. The ghost has a place for each node, its list and its position there; an operation changes it
// behind c+2.
// How: induction over one step. The memories spell the ghost's lists, and are read right (a_mem_*).
// Small instance (4 nodes): links, bitmaps and tops are handled alike for any number. Full sizes: random runs (tests/rtl/test_lists.py).
// Needs: the lists are used as the unit does (assumptions m_*).
module mel_lists_proof #(
  parameter int unsigned Objects    = 2,   // ..4
  parameter int unsigned Priorities = 4,   // 2..4
  parameter int unsigned Tops       = 0,
  parameter int unsigned First      = Objects,
  parameter int unsigned Groups     = 1    // 1, 2
) (
  input logic       clk_i,
  input logic       clear_i,
  input logic [1:0] clear_index_i,
  input logic [2:0] op_i,
  input logic [1:0] object_i,
  input logic [1:0] prio_i,
  input logic [1:0] node_i
);

  localparam int unsigned Nodes   = 4;
  localparam int unsigned Numbers = Nodes / Groups;   // numbers of a group
  localparam int unsigned Lists   = Objects * Priorities;
  localparam int unsigned ObjectW = (Objects > 1) ? $clog2(Objects) : 1;
  localparam int unsigned PrioW   = $clog2(Priorities);
  localparam int unsigned TopsN   = (Tops > 0) ? Tops : 1;

  localparam logic [2:0] OpNone = 3'd0, OpTail = 3'd1, OpHead = 3'd2, OpRemove = 3'd3, OpWalk = 3'd4, OpLook = 3'd5, OpFirst = 3'd6;

  typedef logic [1:0] number_t;
  typedef struct packed { logic member; logic [1:0] object; logic [1:0] prio; logic [1:0] position; } place_t;   // position 0: the first
  typedef place_t [Nodes-1:0] places_t;
  typedef struct packed { logic valid; logic [1:0] prio; number_t node; } found_t;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic                  idle, outcome, top_valid;
  logic [7:0]            top_prio;
  logic [$clog2(Numbers)-1:0] top_node;
  logic [TopsN-1:0]      tops_valid;
  logic [TopsN-1:0][7:0] tops_prio;
  logic [TopsN-1:0][$clog2(Numbers)-1:0] tops_node;

  mel_lists #(.Objects(Objects), .Priorities(Priorities), .Nodes(Nodes), .Tops(Tops), .First(First), .Groups(Groups)) u_lists (
    .clk_i, .rst_ni (rst_n),
    .clear_i, .clear_index_i (16'(clear_index_i)),
    .op_i, .object_i (ObjectW'(object_i)), .prio_i (8'(prio_i)), .node_i,
    .idle_o (idle), .outcome_o (outcome),
    .top_valid_o (top_valid), .top_prio_o (top_prio), .top_node_o (top_node),
    .tops_valid_o (tops_valid), .tops_prio_o (tops_prio), .tops_node_o (tops_node)
  );

  // ---- meaning of operations -------------------------------------------------------------------------------------------

  function automatic logic stands(place_t place, logic [1:0] object, logic [1:0] prio);
    return place.member && place.object == object && place.prio == prio;
  endfunction

  function automatic places_t apply(places_t old, logic [2:0] op, logic [1:0] object, logic [1:0] prio, number_t node);
    logic [1:0] count;    // nodes of the list but this
    count = '0;
    apply = old;
    for (int unsigned n = 0; n < Nodes; n++) begin
      if (node != 2'(n) && stands(old[n], object, prio)) begin
        count++;
        if (op == OpHead)                                               apply[n].position = old[n].position + 2'd1;
        if (op == OpRemove && old[n].position > old[node].position) apply[n].position = old[n].position - 2'd1;
      end
    end
    if (op == OpTail)   apply[node] = '{member: 1'b1, object: object, prio: prio, position: count};
    if (op == OpHead)   apply[node] = '{member: 1'b1, object: object, prio: prio, position: 2'd0};
    if (op == OpRemove) apply[node].member = 1'b0;
  endfunction

  // Lists hold the numbers of nodes without their group.
  function automatic number_t number_of(int unsigned node);
    return number_t'(node % Numbers);
  endfunction

  // The first node of an object's lists from a priority and a position on.
  function automatic found_t first_of(places_t places, logic [1:0] object, logic [4:0] from);
    logic [4:0] best;
    first_of = '0;
    best     = '1;
    for (int unsigned n = 0; n < Nodes; n++) begin
      if (places[n].member && places[n].object == object && {1'b0, places[n].prio, places[n].position} >= from &&
          {1'b0, places[n].prio, places[n].position} < best) begin
        best     = {1'b0, places[n].prio, places[n].position};
        first_of = '{valid: 1'b1, prio: places[n].prio, node: number_of(n)};
      end
    end
  endfunction

  function automatic logic same(logic valid, logic [7:0] prio, number_t node, found_t expected);
    return valid == expected.valid && (!valid || (prio == 8'(expected.prio) && node == expected.node));
  endfunction

  // ---- ghost ----------------------------------------------------------------------------------------------------------

  places_t            places_q  = '0;
  logic [Objects-1:0] cleared_q = '0;
  logic               asked_q   = 1'b0;     // there was a request
  logic               begun_q   = 1'b0;     // there was an operation, not only looks
  logic [2:0]         op_q      = OpNone;   // the last request
  logic [1:0]         object_q  = '0, prio_q = '0;
  number_t            node_q    = '0;
  logic [2:0]         left_q    = '0;       // cycles until the engine is idle
  logic               long_q    = 1'b0;     // it is idle six cycles behind the request
  logic               final_q   = 1'b0;     // `outcome` was high in the cycle before
  logic               cleared_before_q = 1'b0;   // the object of the request was
  found_t             before_q  = '0;       // its top before the request
  found_t             result_q  = '0;       // of a walk or first

  logic [Nodes-1:0] members;
  for (genvar n = 0; n < Nodes; n++) begin : gen_member
    assign members[n] = places_q[n].member;
  end

  logic [2**ObjectW-1:0] group_q;   // free: the group of an object's nodes
  always_ff @(posedge clk_i) group_q <= group_q;

  logic   accept, starts, reads, changes, opens, grouped;
  logic   alone;               // in its list, the node of the request
  place_t own;                 // its place
  found_t top_now, less, behind, first;

  assign accept  = idle && op_i != OpNone;
  assign starts  = accept && op_i != OpLook;
  assign reads   = left_q == (long_q ? 3'd5 : 3'd2);   // the second cycle of a request
  assign changes = left_q == (long_q ? 3'd4 : 3'd1);   // the third
  assign opens   = long_q && left_q inside {[3'd1:3'd3]};   // the next list, in place of an emptied one or for a walk
  assign own     = places_q[node_i];
  assign grouped = Groups == 1 || group_q[ObjectW'(object_i)] == node_i[1];
  assign top_now = first_of(places_q, object_i, 5'd0);
  assign behind  = first_of(places_q, object_i, {1'b0, own.prio, own.position} + 5'd1);
  assign less    = first_of(places_q, object_i, {1'b0, prio_i, 2'b00} + 5'd4);

  always_comb begin
    alone = 1'b1;
    first = '0;
    for (int unsigned n = 0; n < Nodes; n++) begin
      if (stands(places_q[n], object_i, prio_i)) begin
        if (node_i != 2'(n)) alone = 1'b0;
        if (places_q[n].position == '0) first = '{valid: 1'b1, prio: prio_i, node: number_of(n)};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    final_q <= outcome;
    if (rst_n && clear_i) begin
      for (int unsigned o = 0; o < Objects; o++) if (clear_index_i == 2'(o)) cleared_q[o] <= 1'b1;
    end
    if (changes) places_q <= apply(places_q, op_q, object_q, prio_q, node_q);
    if (left_q != '0) left_q <= left_q - 3'd1;
    if (rst_n && accept) begin
      logic longer;
      longer = (op_i == OpRemove) ? alone && top_now.prio == prio_i && less.valid
                                  : op_i == OpWalk && behind.valid && behind.prio != prio_i;
      asked_q  <= 1'b1;
      begun_q  <= begun_q || starts;
      op_q     <= op_i;
      object_q <= object_i;
      prio_q   <= prio_i;
      node_q   <= node_i;
      before_q <= top_now;
      result_q <= (op_i == OpFirst) ? first : behind;
      long_q   <= longer;
      left_q   <= !starts ? 3'd0 : longer ? 3'd5 : 3'd2;
      cleared_before_q <= cleared_q[ObjectW'(object_i)];
    end
  end

  // ---- how the unit uses lists ----------------------------------------------------------------------------------------

  always_comb begin
    m_op:      assume (op_i <= OpFirst);
    m_object:  assume (32'(object_i) < Objects && 32'(clear_index_i) < Objects);
    m_prio:    assume (32'(prio_i) < Priorities);
    m_reset:   assume (rst_n || (op_i == OpNone && !clear_i));
    m_cleared: assume (!starts || (&cleared_q && !clear_i));
    m_clear:   assume (!clear_i || !begun_q);
    m_insert:  assume (!accept || !(op_i == OpTail || op_i == OpHead) || !own.member);
    m_group:   assume (!starts || op_i == OpFirst || grouped);
    m_member:  assume (!accept || !(op_i == OpRemove || op_i == OpWalk) || stands(own, object_i, prio_i));
  end

  // ---- promises -----------------------------------------------------------------------------------------------

  logic finds, inserts, removes, walks;
  assign finds   = op_q == OpWalk || op_q == OpFirst;
  assign inserts = op_q == OpTail || op_q == OpHead;
  assign removes = op_q == OpRemove;
  assign walks   = op_q == OpWalk;

  always_comb begin
    a_idle:    assert (!rst_n || idle == (left_q == '0));
    a_outcome: assert (!rst_n || outcome == (left_q == '0 || (left_q == 3'd1 && (inserts || long_q))));
    a_before:  assert (!asked_q || finds || !cleared_before_q || same(top_valid, top_prio, number_t'(top_node), before_q));
    a_walk:    assert (!walks || !idle || same(top_valid, top_prio, number_t'(top_node), result_q));
    a_first:   assert (op_q != OpFirst || reads || same(top_valid, top_prio, number_t'(top_node), result_q));
  end
  for (genvar i = 0; i < Tops; i++) begin : gen_tops
    found_t expected;
    assign expected = first_of(places_q, 2'(i), 5'd0);
    always_comb begin
      a_tops:   assert (!rst_n || !final_q || same(tops_valid[i], tops_prio[i], number_t'(tops_node[i]), expected));
      a_opening: assert (!(removes && opens && object_q == 2'(i)) ||   // never as if the object were empty
                         same(tops_valid[i], tops_prio[i], number_t'(tops_node[i]), before_q));
      a_steady: assert (!rst_n || (removes && opens && object_q == 2'(i)) ||
                        same(tops_valid[i], tops_prio[i], number_t'(tops_node[i]), expected));
    end
  end

  // ---- invariants, which hold the induction ---------------------------------------------------------------------------------------

  place_t now;        // place of the node of the request
  logic   now_alone;
  found_t now_top, now_behind, now_less, now_first;
  logic [Priorities-1:0] bits_now;
  assign now        = places_q[node_q];
  assign now_top    = first_of(places_q, object_q, 5'd0);
  assign now_behind = first_of(places_q, object_q, {1'b0, now.prio, now.position} + 5'd1);
  assign now_less   = first_of(places_q, object_q, {1'b0, prio_q, 2'b00} + 5'd4);
  assign bits_now   = u_lists.bitmap_mem[ObjectW'(object_q)];
  always_comb begin
    now_alone = 1'b1;
    now_first = '0;
    for (int unsigned n = 0; n < Nodes; n++) begin
      if (stands(places_q[n], object_q, prio_q)) begin
        if (node_q != 2'(n)) now_alone = 1'b0;
        if (places_q[n].position == '0) now_first = '{valid: 1'b1, prio: prio_q, node: number_of(n)};
      end
    end
  end

  // Head and tail of each list, from its table.
  logic [(Objects << PrioW)-1:0][3:0] ends;
  logic [ObjectW+PrioW-1:0]           at;
  logic [3:0]                         ends_now, ends_m, ends_q;
  logic [1:0]                         next_now, prev_now;
  for (genvar e = 0; e < (Objects << PrioW); e++) begin : gen_ends
    if (First == Objects || (e >> PrioW) < 2**(ObjectW-1)) begin : gen_first
      assign ends[e] = {2'(u_lists.first_mem[e][2*$clog2(Numbers)-1:$clog2(Numbers)]), 2'(u_lists.first_mem[e][$clog2(Numbers)-1:0])};
    end else begin : gen_second
      localparam int unsigned Place = e - (2**(ObjectW-1) << PrioW);
      assign ends[e] = {2'(u_lists.gen_two_tables.second_mem[Place][2*$clog2(Numbers)-1:$clog2(Numbers)]),
                        2'(u_lists.gen_two_tables.second_mem[Place][$clog2(Numbers)-1:0])};
    end
  end
  assign at       = {ObjectW'(object_q), u_lists.prio_q};
  assign ends_now = ends[at];
  assign ends_m   = {2'(u_lists.ends_m.head), 2'(u_lists.ends_m.tail)};
  assign ends_q   = {2'(u_lists.ends_q.head), 2'(u_lists.ends_q.tail)};
  assign next_now = 2'(u_lists.next_mem[node_q]);
  assign prev_now = 2'(u_lists.prev_mem[node_q]);

  always_comb begin
    a_state:  assert (u_lists.state_q == ((left_q == '0) ? 3'd0 : reads ? 3'd1 : changes ? 3'd2 : 3'(3'd6 - left_q)));
    a_left:   assert (left_q <= (long_q ? 3'd5 : 3'd2) && (left_q == '0 || (begun_q && op_q != OpLook)) && (!begun_q || asked_q) &&
                      (!long_q || removes || walks) && (rst_n || left_q == '0));
    a_final:  assert (!final_q || left_q == '0 || reads);
    a_op:     assert (u_lists.op_q == op_q);
    a_begun:  assert (!begun_q || (&cleared_q && (op_q == OpNone || op_q == OpLook || cleared_before_q)));
    a_reset:  assert (rst_n || (!asked_q && !begun_q && cleared_q == '0));
    a_asked:  assert (asked_q == (op_q != OpNone));
    a_looks:  assert (begun_q || (!(|members) && u_lists.bitmap_q == '0 && (op_q == OpNone || op_q == OpLook)));
    a_args:   assert (!asked_q || (u_lists.object_q == ObjectW'(object_q) && u_lists.number_q == node_q));
    a_prio:   assert (!(reads || changes) || u_lists.prio_q == PrioW'(prio_q));
    a_range:  assert (32'(object_q) < Objects && 32'(prio_q) < Priorities);
    a_new:    assert (!(reads || changes) || !inserts || !now.member);
    a_member: assert (!(reads || changes) || !(removes || walks) || stands(now, object_q, prio_q));
    a_grouped: assert (Groups == 1 || left_q == '0 || op_q == OpFirst || group_q[ObjectW'(object_q)] == node_q[1]);
    a_long:   assert (!(reads || changes) || long_q == (removes ? now_alone && now_top.prio == prio_q && now_less.valid
                                                                : walks && now_behind.valid && now_behind.prio != prio_q));
    a_result: assert (!(reads || changes) || (op_q != OpFirst || result_q == now_first) && (!walks || result_q == now_behind));
    a_top_q:  assert (!(reads || changes) || before_q == now_top);
    a_top_m:  assert (!asked_q || !cleared_before_q || same(u_lists.top_m.valid, 8'(u_lists.top_m.prio), number_t'(u_lists.top_m.node), before_q));
    a_later:  assert (!opens || (now_less.valid && u_lists.prio_q == PrioW'(now_less.prio)));
    a_gone:   assert (!(opens && removes) || (!now.member && !now_first.valid && now_less == now_top));
    a_stays:  assert (!(opens && walks) || (stands(now, object_q, prio_q) && result_q == now_behind && result_q == now_less));
    a_mem_m:  assert (!reads || (ends_now == ends_m && next_now == 2'(u_lists.next_m) && prev_now == 2'(u_lists.prev_m) &&
                                 bits_now == u_lists.bitmap_m));
    a_mem_q:  assert (!changes || (ends_now == ends_q && next_now == 2'(u_lists.next_q) && prev_now == 2'(u_lists.prev_q) &&
                                   bits_now == u_lists.bitmap_q && !u_lists.moved_q &&
                                   u_lists.top_valid_q == u_lists.top_m.valid && u_lists.top_prio_q == u_lists.top_m.prio));
    a_mem_fetch:   assert (!(opens && left_q == 3'd2) || ends_now == ends_m);
    a_mem_refresh: assert (!(opens && left_q == 3'd1) || (ends_now == ends_q && u_lists.moved_q));
    a_occupied:    assert (!changes || (|u_lists.occupied_q) == now_first.valid);
  end
  for (genvar p = 0; p < Priorities; p++) begin : gen_later
    always_comb a_less: assert (!changes || u_lists.later_q[p] == (bits_now[p] && 2'(p) > prio_q));
  end

  for (genvar o = 0; o < Objects; o++) begin : gen_object
    if (Tops != Objects) begin : gen_top
      localparam int unsigned NumberW = $clog2(Numbers);
      logic [PrioW+NumberW:0] top;
      assign top = u_lists.gen_top_memory.top_mem[o];
      always_comb a_mem_top: assert (!cleared_q[o] || (opens && removes && object_q == 2'(o)) ||
                                     same(top[PrioW+NumberW], 8'(top[PrioW+NumberW-1:NumberW]), 2'(top[NumberW-1:0]),
                                          first_of(places_q, 2'(o), 5'd0)));
    end
    for (genvar p = 0; p < Priorities; p++) begin : gen_list
      localparam int unsigned Ends = o * 2**PrioW + p;
      logic [Nodes-1:0] here, last;
      for (genvar n = 0; n < Nodes; n++) begin : gen_end
        assign here[n] = stands(places_q[n], 2'(o), 2'(p));
        always_comb begin
          last[n] = here[n];
          for (int unsigned m = 0; m < Nodes; m++) if (here[m] && places_q[m].position > places_q[n].position) last[n] = 1'b0;
          a_mem_head: assert (!here[n] || places_q[n].position != '0 || ends[Ends][3:2] == number_of(n));
          a_mem_tail: assert (!last[n] || ends[Ends][1:0] == number_of(n));
        end
      end
      always_comb a_mem_bit: assert (!cleared_q[o] || u_lists.bitmap_mem[o][p] == (|here));
    end
  end

  // Positions of a list count from 0, each once; links are those of neighbours.
  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    logic follows;
    always_comb begin
      follows = places_q[n].position == '0;
      for (int unsigned m = 0; m < Nodes; m++) begin
        if (stands(places_q[m], places_q[n].object, places_q[n].prio) && places_q[m].position + 2'd1 == places_q[n].position) follows = 1'b1;
      end
      a_place:   assert (!members[n] || (32'(places_q[n].object) < Objects && 32'(places_q[n].prio) < Priorities));
      a_group:   assert (!members[n] || Groups == 1 || group_q[ObjectW'(places_q[n].object)] == 1'(n >> 1));
      a_follows: assert (!members[n] || follows);
    end
    for (genvar m = 0; m < Nodes; m++) begin : gen_link
      if (m != n) begin : gen_pair
        logic together;
        assign together = members[n] && stands(places_q[m], places_q[n].object, places_q[n].prio);
        always_comb begin
          a_once:     assert (!together || places_q[m].position != places_q[n].position);
          a_mem_next: assert (!together || 3'(places_q[m].position) != 3'(places_q[n].position) + 3'd1 ||
                              (2'(u_lists.next_mem[n]) == number_of(m) && 2'(u_lists.prev_mem[m]) == number_of(n)));
        end
      end
    end
  end

  found_t top_of_first;
  assign top_of_first = first_of(places_q, 2'd0, 5'd0);
  always_comb begin
    c_full:   cover (&members && places_q[0].position == 2'd3 && top_of_first.node == 2'd2 && idle);
    c_walk:   cover (walks && long_q && idle);
    c_remove: cover (removes && long_q && idle && now_top.valid);
    c_end:    cover (walks && idle && !result_q.valid);
    c_first:  cover (op_q == OpFirst && idle && result_q.valid && result_q.node != before_q.node);
    c_empty:  cover (begun_q && removes && idle && !(|members));
  end
endmodule
