// Proof of mel_priority_list: after any legal sequence of operations the top of an object is the oldest task of its most
// urgent list that is not empty, and an operation takes at most 3 cycles. A ghost holds the lists as plain queues.
// Small instance, all sequences: 4 tasks; order, bitmap and link handling do not depend on the number of tasks.
// Needs: the list is used as the unit does (assumptions m_*). Elsewhere: full sizes in the random runs (tests/random).
module mel_priority_list_proof
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 4,
  parameter int unsigned Priorities = 2,
  parameter int unsigned Objects    = 1
) (
  input logic       clk_i,
  input logic [2:0] op_i,
  input logic [7:0] object_i,
  input logic [7:0] prio_i,
  input logic [7:0] task_id_i
);

  localparam int unsigned Lists = Objects * Priorities;

  // ---- reset for one cycle, then one cycle of clearing per object -----------------------------------------------------

  logic [7:0] age_q = '0;
  logic       rst_n, clearing;
  assign rst_n    = (age_q != '0);
  assign clearing = (age_q <= 8'(Objects));
  always_ff @(posedge clk_i) if (age_q != '1) age_q <= age_q + 8'd1;

  list_request_t request;
  logic          ready, settled, done;
  top_t          top, top_next;

  assign request = '{op: list_op_e'(op_i), object: object_i, prio: prio_i, task_id: task_id_i};

  mel_priority_list #(.Tasks(Tasks), .Priorities(Priorities), .Objects(Objects)) u_list (
    .clk_i, .rst_ni (rst_n),
    .clear_i (clearing), .clear_index_i (age_q - 8'd1),
    .request_i (request), .ready_o (ready), .settled_o (settled), .done_o (done),
    .top_o (top), .top_next_o (top_next)
  );

  // ---- ghost: every list as a queue, the oldest first -----------------------------------------------------------------

  logic [Lists-1:0][Tasks-1:0][7:0] queue_q = '0, queue_d;
  logic [Lists-1:0][7:0]            count_q = '0, count_d;
  logic [Tasks-1:0]                 member_q = '0, member_d;
  logic [Tasks-1:0][7:0]            home_q = '0, home_d;

  logic [7:0] list_index;
  logic       accept;
  assign list_index = 8'(object_i * Priorities) + prio_i;
  assign accept     = ready && request.op != ListNone;

  always_comb begin
    logic found;
    queue_d  = queue_q;
    count_d  = count_q;
    member_d = member_q;
    home_d   = home_q;
    found    = 1'b0;
    for (int unsigned l = 0; l < Lists; l++) begin
      if (accept && list_index == 8'(l)) begin
        unique case (request.op)
          ListInsertTail: begin
            for (int unsigned i = 0; i < Tasks; i++) if (count_q[l] == 8'(i)) queue_d[l][i] = task_id_i;
            count_d[l] = count_q[l] + 8'd1;
          end
          ListInsertHead: begin
            for (int unsigned i = 1; i < Tasks; i++) queue_d[l][i] = queue_q[l][i-1];
            queue_d[l][0] = task_id_i;
            count_d[l]    = count_q[l] + 8'd1;
          end
          ListRemove: begin
            for (int unsigned i = 0; i < Tasks; i++) begin
              if (queue_q[l][i] == task_id_i && 8'(i) < count_q[l]) found = 1'b1;
              if (found && i + 1 < Tasks) queue_d[l][i] = queue_q[l][(i + 1) % Tasks];
            end
            count_d[l] = count_q[l] - 8'd1;
          end
          default: begin   // ListRotate
            for (int unsigned i = 0; i < Tasks; i++) begin
              if (8'(i + 1) < count_q[l]) queue_d[l][i] = queue_q[l][(i + 1) % Tasks];
              if (8'(i + 1) == count_q[l]) queue_d[l][i] = queue_q[l][0];
            end
          end
        endcase
      end
    end
    for (int unsigned t = 0; t < Tasks; t++) begin
      if (accept && task_id_i == 8'(t)) begin
        if (request.op == ListRemove) member_d[t] = 1'b0;
        if (request.op == ListInsertTail || request.op == ListInsertHead) begin
          member_d[t] = 1'b1;
          home_d[t]   = list_index;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    queue_q  <= queue_d;
    count_q  <= count_d;
    member_q <= member_d;
    home_q   <= home_d;
  end

  logic       is_member;
  logic [7:0] home;
  always_comb begin
    is_member = 1'b0;
    home      = '0;
    for (int unsigned t = 0; t < Tasks; t++) begin
      if (task_id_i == 8'(t)) begin
        is_member = member_q[t];
        home      = home_q[t];
      end
    end
  end

  // ---- how the unit uses a list ---------------------------------------------------------------------------------------

  always_comb begin
    m_ready:   assume (ready || op_i == ListNone);                         // requests are made when ready
    m_clear:   assume (!clearing || op_i == ListNone);                     // the unit clears before it serves
    m_op:      assume (op_i <= ListRotate);
    m_numbers: assume (object_i < 8'(Objects) && prio_i < 8'(Priorities) && task_id_i < 8'(Tasks));
    m_insert:  assume (!(op_i inside {ListInsertTail, ListInsertHead}) || !is_member);   // at most one list
    m_remove:  assume (op_i != ListRemove || (is_member && home == list_index));
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  list_op_e   last_op_q = ListNone;      // the operation under way
  logic [7:0] last_object_q = '0;
  logic [7:0] last_prio_q = '0;
  logic [7:0] last_task_q = '0;
  logic [7:0] seen_object_q = '0;        // of the last request, ListNone included, while ready
  logic [1:0] busy_q = '0;               // cycles since the operation was accepted; 0: none

  always_ff @(posedge clk_i) begin
    if (ready) seen_object_q <= object_i;
    if (accept) begin
      last_op_q     <= request.op;
      last_object_q <= object_i;
      last_prio_q   <= prio_i;
      last_task_q   <= task_id_i;
    end
    if (accept)              busy_q <= 2'd1;
    else if (done)           busy_q <= 2'd0;
    else if (busy_q != 2'd0) busy_q <= busy_q + 2'd1;
  end

  // The top that the ghost says: valid, priority, task.
  function automatic logic [16:0] first_of(logic [7:0] object);
    for (int unsigned p = 0; p < Priorities; p++) begin
      for (int unsigned l = 0; l < Lists; l++) begin
        if (8'(l) == 8'(object * Priorities) + 8'(p) && count_q[l] != 8'd0) return {1'b1, 8'(p), queue_q[l][0]};
      end
    end
    return '0;
  endfunction

  function automatic logic same(top_t found, logic [16:0] expected);
    return found.valid == expected[16] &&
           (!found.valid || (found.prio == expected[15:8] && found.task_id == expected[7:0]));
  endfunction

  always_comb begin
    a_top_next: assert (!done || same(top_next, first_of(last_object_q)));
    a_top:      assert (clearing || !settled || age_q == 8'(Objects + 1) || same(top, first_of(seen_object_q)));
    a_bounded:  assert (busy_q < 2'd2 || done);        // insert 2, remove 2 or 3, rotate 3 cycles, acceptance included
    a_settled:  assert (settled == (busy_q == 2'd0));
    a_ready:    assert (!settled || ready);
  end

  // ---- what holds the induction: the memories are the ghost's lists ----------------------------------------------------
  // `queue_q` is ahead of the memories by the operation under way, until it has changed them.

  logic [Lists-1:0][Tasks-1:0][7:0] held_q = '0;
  logic [Lists-1:0][7:0]            held_count_q = '0;
  logic                             changing, rotates;
  assign rotates  = (last_op_q == ListRotate);
  assign changing = (busy_q == 2'd1 && !rotates) || (busy_q == 2'd2 && rotates) || (busy_q == 2'd1 && done);

  always_ff @(posedge clk_i) begin
    if (changing) begin
      held_q       <= queue_q;
      held_count_q <= count_q;
    end
  end

  always_comb begin
    a_held:   assert ((changing || (busy_q == 2'd1 && rotates)) || (held_q == queue_q && held_count_q == count_q));
    a_clear:  assert (!clearing || (member_q == '0 && busy_q == 2'd0 && held_count_q == '0));
    a_busy_0: assert (busy_q != 2'd3);
    a_busy_1: assert (busy_q == 2'd0 || last_op_q != ListNone);
    a_numbers: assert (last_object_q < 8'(Objects) && last_prio_q < 8'(Priorities) && last_task_q < 8'(Tasks) &&
                       seen_object_q < 8'(Objects));
    a_op_q:     assert (busy_q == 2'd0 || u_list.op_q == last_op_q);
    a_object_q: assert (busy_q == 2'd0 || u_list.object_q == last_object_q);
    a_prio_q:   assert (busy_q == 2'd0 || 8'(u_list.prio_q) == last_prio_q);
    a_task_q:   assert (busy_q == 2'd0 || 8'(u_list.task_id_q) == last_task_q);
    a_seen:     assert (busy_q == 2'd0 || seen_object_q == last_object_q);
  end

  for (genvar l = 0; l < Lists; l++) begin : gen_list
    localparam int unsigned Object = l / Priorities;
    localparam int unsigned Prio   = l % Priorities;
    localparam int unsigned Ends   = (Objects > 1) ? Object * 2**$clog2(Priorities) + Prio : Prio;
    logic occupied;
    if (Objects > 1) begin : gen_bit
      assign occupied = u_list.gen_objects.bitmap_mem[Object][Prio];
    end else begin : gen_bit
      assign occupied = u_list.bitmap[Prio];
    end
    always_comb begin
      a_count:    assert (count_q[l] <= 8'(Tasks) && held_count_q[l] <= 8'(Tasks));
      a_occupied: assert (clearing || occupied == (held_count_q[l] != 8'd0));
      a_head:     assert (held_count_q[l] == 8'd0 || 8'(u_list.ends_mem[Ends].head) == held_q[l][0]);
    end
    for (genvar i = 0; i < Tasks; i++) begin : gen_place
      logic [7:0] here;
      assign here = held_q[l][i];
      always_comb begin
        a_range: assert (queue_q[l][i] < 8'(Tasks) && here < 8'(Tasks));
        a_tail:  assert (held_count_q[l] != 8'(i + 1) || 8'(u_list.ends_mem[Ends].tail) == here);
        a_member: assert (8'(i) >= count_q[l] ||
                          (member_q[queue_q[l][i][1:0]] && home_q[queue_q[l][i][1:0]] == 8'(l)));
      end
      for (genvar j = i + 1; j < Tasks; j++) begin : gen_pair
        always_comb begin
          a_once:      assert (8'(j) >= count_q[l] || queue_q[l][i] != queue_q[l][j]);
          a_held_once: assert (8'(j) >= held_count_q[l] || here != held_q[l][j]);
        end
      end
      if (i + 1 < Tasks) begin : gen_link
        always_comb begin
          a_next: assert (8'(i + 1) >= held_count_q[l] ||
                          8'(u_list.next_mem[here[1:0]]) == held_q[l][i+1]);
          a_prev: assert (8'(i + 1) >= held_count_q[l] ||
                          8'(u_list.prev_mem[held_q[l][i+1][1:0]]) == here);
        end
      end
    end
  end

  always_comb begin
    c_full:    cover (member_q == '1 && settled);
    c_emptied: cover (age_q > 8'd12 && member_q == '0 && settled);
  end
endmodule
