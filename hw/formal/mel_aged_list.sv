// SPDX-License-Identifier: Apache-2.0
// mel_aged_list: the lists of mel_lists (its proof: mel_lists.sv) in the order of age, for proofs to which it matters who came first. A few
// objects, whose tops are all at hand; everything begins empty. It has insertions and removals only.
// Timing: 3 cycles, 6 for a removal that empties the most urgent list of an object with others; tops are those of before until it is idle.
module mel_aged_list
  import mel_unit_pkg::*;
  import mel_engine_pkg::*;
#(
  parameter int unsigned Nodes      = 4,
  parameter int unsigned Priorities = 2,
  parameter int unsigned Objects    = 1
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [2:0] op_i,
  input  logic [1:0] object_i,
  input  logic [7:0] prio_i,
  input  logic [7:0] node_i,
  output logic       idle_o,
  output logic       outcome_o,
  output top_t       tops_o [Objects]
);
  typedef logic [$clog2(Nodes)-1:0]      number_t;
  typedef logic [$clog2(Priorities)-1:0] level_t;
  typedef logic [$clog2(Objects+1)-1:0]  object_t;

  logic    [Nodes-1:0]            in_q;
  object_t [Nodes-1:0]            object_q;
  level_t  [Nodes-1:0]            prio_q;
  logic    [Nodes-1:0][Nodes-1:0] older_q;    // [a][b]: a came before b
  logic    [Nodes-1:0][Nodes-1:0] before_it;  // [a][b]: a stands before b
  logic    [Nodes-1:0]            first, here, peers;
  logic    [2:0]                  left_q;     // cycles until it is idle
  top_t    [Objects-1:0]          tops, tops_q;
  number_t                        number;
  level_t                         level;
  object_t                        object;
  logic                           accept, inserts, longer;

  assign number    = number_t'(node_i);
  assign level     = level_t'(prio_i);
  assign object    = object_t'(object_i);
  assign idle_o    = left_q == '0;
  assign outcome_o = left_q <= 3'd1;
  assign accept    = idle_o && op_i != ListsNone;
  assign inserts   = op_i inside {ListsTail, ListsHead};

  always_comb begin
    tops = '0;
    for (int unsigned t = 0; t < Nodes; t++) begin
      here[t]  = in_q[t] && object_q[t] == object;
      peers[t] = here[t] && prio_q[t] == level;
      first[t] = in_q[t];
      for (int unsigned u = 0; u < Nodes; u++) begin
        before_it[u][t] = u != t && in_q[u] && in_q[t] && object_q[u] == object_q[t] &&
                          (prio_q[u] < prio_q[t] || (prio_q[u] == prio_q[t] && older_q[u][t]));
        if (before_it[u][t]) first[t] = 1'b0;
      end
      for (int unsigned o = 0; o < Objects; o++) begin
        if (first[t] && object_q[t] == object_t'(o)) tops[o] = '{valid: 1'b1, prio: prio_t'(prio_q[t]), task_id: id_t'(t)};
      end
    end
    longer = op_i == ListsRemove && peers == Nodes'(1) << number && first[number] && here != peers;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q   <= '0;
      left_q <= '0;
    end else if (accept) begin
      left_q       <= longer ? 3'd5 : 3'd2;
      in_q[number] <= inserts;
    end else if (left_q != '0) begin
      left_q <= left_q - 3'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (left_q == '0) tops_q <= tops;
    if (accept && inserts) begin
      object_q[number] <= object;
      prio_q[number]   <= level;
      for (int unsigned u = 0; u < Nodes; u++) begin
        older_q[u][number] <= op_i == ListsTail;
        older_q[number][u] <= op_i == ListsHead;
      end
    end
  end

  for (genvar o = 0; o < Objects; o++) begin : gen_tops
    assign tops_o[o] = (left_q == '0) ? tops[o] : tops_q[o];
  end

  always_comb begin
    a_ready:  assert (!rst_ni || op_i == ListsNone || idle_o);
    a_member: assert (!rst_ni || !accept || op_i != ListsRemove || peers[number]);
    a_new:    assert (!rst_ni || !accept || !inserts || !in_q[number]);
  end

  // Order of arrival is total and transitive.
  for (genvar t = 0; t < Nodes; t++) begin : gen_node
    for (genvar u = 0; u < Nodes; u++) begin : gen_before
      if (t != u) begin : gen_order
        logic both;
        assign both = rst_ni && in_q[t] && in_q[u] && object_q[t] == object_q[u] && prio_q[t] == prio_q[u];
        always_comb a_before: assert (!both || older_q[t][u] != older_q[u][t]);
        for (genvar v = 0; v < Nodes; v++) begin : gen_third
          if (v != t && v != u) begin : gen_chain
            always_comb a_chain: assert (!both || !in_q[v] || object_q[v] != object_q[t] || prio_q[v] != prio_q[t] ||
                                         !older_q[t][u] || !older_q[u][v] || older_q[t][v]);
          end
        end
      end
    end
  end
endmodule
