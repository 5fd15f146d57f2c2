// SPDX-License-Identifier: Apache-2.0
// mel_priority_list as its proof shows it (mel_priority_list.sv): what a list of tasks promises its users, for the proofs of these.
// Of equals the first is the one with the lowest number in an order that is free: any of the most urgent.
// Timing: insert 2, remove 2 or 3 cycles, `ready` and `done` as promised; what changes is to be seen one cycle earlier.
// Free at the beginning: who stands where (`places_q`), and whether an operation is under way. Rotate is not part of it.
// Small: at most 4 tasks, 4 priorities, 8 objects.
module mel_priority_list
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 4,
  parameter int unsigned Priorities = 2,
  parameter int unsigned Objects    = 1,
  parameter bit          Registers  = (Objects == 1)   // without meaning here: one object
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          clear_i,
  input  line_t         clear_index_i,
  input  list_request_t request_i,
  output list_state_t   state_o,
  output top_t          top_o,
  output top_t          top_after_o
);
  typedef struct packed { logic member; logic [2:0] object; logic [1:0] prio; } place_t;

  place_t [Tasks-1:0]      places_q;
  logic   [Tasks-1:0][1:0] order_q;      // free, and stays
  logic   [1:0]            busy_q;       // cycles until it settles
  logic                    removes_q, inserts_q;
  logic   [2:0]            object_q;     // object of the last operation
  top_t                    top_q;

  function automatic top_t top_of(place_t [Tasks-1:0] places, logic [Tasks-1:0][1:0] order, logic [2:0] object);
    logic [1:0] first;
    top_of = '0;
    first  = '0;
    for (int unsigned t = 0; t < Tasks; t++) begin
      if (places[t].member && places[t].object == object && (!top_of.valid || 8'(places[t].prio) < top_of.prio ||
          (8'(places[t].prio) == top_of.prio && order[t] < first))) begin
        top_of = '{valid: 1'b1, prio: 8'(places[t].prio), task_id: 8'(t)};
        first  = order[t];
      end
    end
  endfunction

  logic [2:0] object;   // with one object, the number has no meaning
  assign object = (Objects == 1) ? '0 : request_i.object[2:0];

  logic accept, ready, alone, others, here;
  assign ready   = busy_q == '0 || (Objects == 1 && busy_q == 2'd1 && removes_q);
  assign accept  = ready && request_i.op != ListNone;
  assign state_o = '{ready: ready, settled: busy_q == '0, done: busy_q == '0 || inserts_q};

  // The list that a removal empties, and a less urgent one of the object.
  top_t before_top;
  always_comb begin
    alone  = 1'b1;
    others = 1'b0;
    here   = 1'b0;
    for (int unsigned t = 0; t < Tasks; t++) begin
      if (places_q[t].member && places_q[t].object == object) begin
        if (request_i.task_id == 8'(t))                   here   = request_i.prio == 8'(places_q[t].prio);
        else if (8'(places_q[t].prio) == request_i.prio)  alone  = 1'b0;
        else                                              others = 1'b1;
      end
    end
    before_top = top_of(places_q, order_q, object);
  end

  always_ff @(posedge clk_i) begin
    if (ready) top_q <= before_top;
    if (busy_q != '0) busy_q <= busy_q - 2'd1;
    removes_q <= 1'b0;
    if (accept) begin
      busy_q    <= 2'd1 + 2'(request_i.op == ListRemove && alone && others && before_top.prio == request_i.prio);
      removes_q <= 1'b0;
      inserts_q <= request_i.op inside {ListInsertTail, ListInsertHead};
      object_q  <= object;
      for (int unsigned t = 0; t < Tasks; t++) begin
        if (request_i.task_id == 8'(t) && request_i.op != ListRotate) begin
          places_q[t] <= '{member: request_i.op != ListRemove, object: object, prio: request_i.prio[1:0]};
        end
      end
    end else if (busy_q == 2'd2) begin
      removes_q <= !inserts_q;
    end
  end

  assign top_o       = (Objects == 1) ? top_of(places_q, order_q, '0) : top_q;
  assign top_after_o = top_of(places_q, order_q, object_q);

  logic stands;   // the task that is to be inserted stands somewhere already
  always_comb begin
    stands = 1'b0;
    for (int unsigned t = 0; t < Tasks; t++) stands |= places_q[t].member && request_i.task_id == 8'(t);
    a_lost_request: assert (request_i.op == ListNone || ready);
    a_removes:      assert (!accept || request_i.op != ListRemove || here);
    a_inserts:      assert (!accept || !(request_i.op inside {ListInsertTail, ListInsertHead}) || !stands);
  end

  logic unused_all;
  assign unused_all = ^{rst_ni, clear_i, clear_index_i};
endmodule
