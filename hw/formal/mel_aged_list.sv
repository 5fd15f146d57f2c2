// SPDX-License-Identifier: Apache-2.0
// mel_priority_list as its proof shows it (mel_priority_list.sv), in the order of age: for proofs to which it matters who came first
// (mel_proved_list leaves that open). A few objects whose tops are all at hand (`Registers`); everything begins empty.
// Timing: insert 2, remove 2 or 3, rotate 2 or 3 cycles, `ready` and `done` as promised; tops are those of before until it is settled.
module mel_priority_list
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 4,
  parameter int unsigned Priorities = 2,
  parameter int unsigned Objects    = 1,
  parameter bit          Registers  = 1'b1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               clear_i,
  input  line_t              clear_index_i,
  input  list_request_t      request_i,
  output list_state_t        state_o,
  output top_t [Objects-1:0] top_o,
  output top_t               top_after_o
);
  typedef logic [$clog2(Tasks)-1:0]      number_t;
  typedef logic [$clog2(Priorities)-1:0] level_t;
  typedef logic [$clog2(Objects+1)-1:0]  object_t;

  logic    [Tasks-1:0]            in_q;
  object_t [Tasks-1:0]            object_q;
  level_t  [Tasks-1:0]            prio_q;
  logic    [Tasks-1:0][Tasks-1:0] older_q;    // [a][b]: a came before b
  logic    [Tasks-1:0][Tasks-1:0] before_it;  // [a][b]: a stands before b
  logic    [Tasks-1:0]            first, here, peers, leads;
  logic    [1:0]                  left_q;     // cycles until it is settled
  logic                           removes_q, inserts_q;
  top_t    [Objects-1:0]          tops, tops_q;
  number_t                        number;
  level_t                         level;
  object_t                        object;
  logic                           accept, longer;

  assign number  = number_t'(request_i.task_id);
  assign level   = level_t'(request_i.prio);
  assign object  = object_t'(request_i.object);
  assign state_o = '{
    ready:   left_q == 2'd0 || (left_q == 2'd1 && removes_q),
    settled: left_q == 2'd0,
    done:    left_q == 2'd0 || inserts_q
  };
  assign accept  = state_o.ready && request_i.op != ListNone;

  always_comb begin
    tops = '0;
    for (int unsigned t = 0; t < Tasks; t++) begin
      here[t]  = in_q[t] && object_q[t] == object;
      peers[t] = here[t] && prio_q[t] == level;
      leads[t] = peers[t];
      first[t] = in_q[t];
      for (int unsigned u = 0; u < Tasks; u++) begin
        before_it[u][t] = u != t && in_q[u] && in_q[t] && object_q[u] == object_q[t] &&
                          (prio_q[u] < prio_q[t] || (prio_q[u] == prio_q[t] && older_q[u][t]));
        if (before_it[u][t]) first[t] = 1'b0;
        if (before_it[u][t] && prio_q[u] == prio_q[t]) leads[t] = 1'b0;
      end
      for (int unsigned o = 0; o < Objects; o++) begin
        if (first[t] && object_q[t] == object_t'(o)) tops[o] = '{valid: 1'b1, prio: prio_t'(prio_q[t]), task_id: id_t'(t)};
      end
    end
    // A removal takes longer when it empties the most urgent list of several; a rotation when the list has two tasks.
    longer = (request_i.op == ListRemove) ? peers == Tasks'(1) << number && first[number] && here != peers
                                          : request_i.op == ListRotate && (peers & (peers - Tasks'(1))) != '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q      <= '0;
      left_q    <= '0;
      removes_q <= 1'b0;
      inserts_q <= 1'b0;
    end else if (accept) begin
      left_q    <= 2'd1 + 2'(longer);
      inserts_q <= request_i.op inside {ListInsertTail, ListInsertHead};
      removes_q <= request_i.op == ListRemove && longer;
      if (request_i.op == ListRemove)      in_q[number] <= 1'b0;
      else if (request_i.op != ListRotate) in_q[number] <= 1'b1;
    end else if (left_q != '0) begin
      left_q <= left_q - 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (left_q == '0) tops_q <= tops;
    if (accept && request_i.op inside {ListInsertTail, ListInsertHead}) begin
      object_q[number] <= object;
      prio_q[number]   <= level;
      for (int unsigned u = 0; u < Tasks; u++) begin
        older_q[u][number] <= request_i.op == ListInsertTail;
        older_q[number][u] <= request_i.op == ListInsertHead;
      end
    end
    if (accept && request_i.op == ListRotate) begin
      for (int unsigned t = 0; t < Tasks; t++) begin
        for (int unsigned u = 0; u < Tasks; u++) begin
          if (leads[t] && peers[u]) begin
            older_q[t][u] <= 1'b0;
            older_q[u][t] <= 1'b1;
          end
        end
      end
    end
  end

  // Not known before it is settled: those of before, here.
  assign top_o       = (left_q == '0) ? tops : tops_q;
  assign top_after_o = '0;

  always_comb begin
    a_ready:  assert (!rst_ni || request_i.op == ListNone || state_o.ready);
    a_member: assert (!rst_ni || !accept || request_i.op != ListRemove || (peers[number]));
    a_new:    assert (!rst_ni || !accept || !(request_i.op inside {ListInsertTail, ListInsertHead}) || !in_q[number]);
  end

  // Order of arrival is total and transitive.
  for (genvar t = 0; t < Tasks; t++) begin : gen_task
    for (genvar u = 0; u < Tasks; u++) begin : gen_before
      if (t != u) begin : gen_order
        logic both;
        assign both = rst_ni && in_q[t] && in_q[u] && object_q[t] == object_q[u] && prio_q[t] == prio_q[u];
        always_comb a_before: assert (!both || older_q[t][u] != older_q[u][t]);
        for (genvar v = 0; v < Tasks; v++) begin : gen_third
          if (v != t && v != u) begin : gen_chain
            always_comb a_chain: assert (!both || !in_q[v] || object_q[v] != object_q[t] || prio_q[v] != prio_q[t] ||
                                         !older_q[t][u] || !older_q[u][v] || older_q[t][v]);
          end
        end
      end
    end
  end

  logic unused_inputs;
  assign unused_inputs = ^{Registers, clear_i, clear_index_i, request_i};
endmodule
