// SPDX-License-Identifier: Apache-2.0
// mel_lists: doubly linked lists of nodes, one list per (object, priority), with a priority bitmap and a cached top per object.
// Instances: u_waits (tasks that wait for an object, mutexes that a task holds, messages of a queue), u_ready (ready tasks of
// an affinity, due tasks).
//
// Operations: insert at the tail or the head of a list; remove; walk: find the node behind `node_i` in the order of the
// object's lists (the next of its list, else the first of the next less urgent list); look: read the object's top; first: find
// the first node of the list (object_i, prio_i).
// Tables: heads and tails of the first `First` objects stand in one memory, those of the objects with the top bit of a number in a second one,
// so that each is as deep as its objects need. Nodes are numbered {group, number}; all nodes of an object are of one group, so that lists hold
// numbers alone.
// Contract: a node is in at most one list; what is inserted is in none; what is removed, and where a walk begins, is in the
// list (object_i, prio_i). `clear_i` empties an object per cycle, before the first operation (looks are harmless).
// Timing: a request is accepted in cycle c when `idle_o`. Memories are read in c, their outputs enter registers in c+1, all
// changes are written in c+2, and the engine is idle in c+3; it is in c+6 after a removal that empties the most urgent of an
// object's lists, when others are left, and after a walk into another list. `look` leaves the engine idle. The same for any
// number of nodes.
// `top_valid_o` and its two neighbours: from c+1 until the next request, the object's top before the operation; of a walk only its result, once the engine
// is idle; of first its result, from c+2 on. `tops_valid_o` and its two neighbours: the tops of the first
// objects, from registers. `outcome_o`: in the next cycle tops and all else are final.
//
// Memories: block RAM, but links of few nodes. Its output comes late after the clock, so it enters registers behind one level of
// logic, and behind the multiplexers of deep memories. Heads, tails and links are never cleared, because the bitmap says which
// of them mean something. What is read in the cycle of a write to the same memory is not used.
module mel_lists #(
  parameter int unsigned Objects     = 2,    // 1..
  parameter int unsigned Priorities  = 32,   // 2..256, 0 is the most urgent
  parameter int unsigned Nodes       = 64,   // 2..
  parameter int unsigned Tops        = 0,    // 0..Objects: objects whose tops are in registers, too; Objects: there alone
  parameter int unsigned First       = Objects,          // a power of 2, at most half of the numbers, or all objects
  parameter int unsigned Groups      = 1,                // of nodes
  parameter int unsigned FirstNodes  = Nodes / Groups,   // numbers of nodes in lists of the first table
  localparam int unsigned ObjectW    = (Objects > 1) ? $clog2(Objects) : 1,
  localparam int unsigned NodeW      = $clog2(Nodes),
  localparam int unsigned NumberW    = NodeW - $clog2(Groups),
  localparam int unsigned TopsN      = (Tops > 0) ? Tops : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        clear_i,
  input  logic [15:0]                 clear_index_i,

  input  logic [2:0]                  op_i,     // 0 none, 1 insert tail, 2 insert head, 3 remove, 4 walk, 5 look, 6 first
  input  logic [ObjectW-1:0]          object_i,
  input  logic [7:0]                  prio_i,
  input  logic [NodeW-1:0]            node_i,
  output logic                        idle_o,
  output logic                        outcome_o,

  output logic                        top_valid_o,
  output logic [7:0]                  top_prio_o,
  output logic [NumberW-1:0]          top_node_o,    // without its group

  output logic [TopsN-1:0]            tops_valid_o,
  output logic [TopsN-1:0][7:0]       tops_prio_o,
  output logic [TopsN-1:0][NumberW-1:0] tops_node_o
);

  localparam logic [2:0] OpNone = 3'd0, OpTail = 3'd1, OpHead = 3'd2, OpRemove = 3'd3, OpWalk = 3'd4, OpLook = 3'd5,
                         OpFirst = 3'd6;

  localparam int unsigned PrioW = $clog2(Priorities);
  localparam int unsigned Lists = First << PrioW;   // in the first table

  typedef logic [NumberW-1:0] node_t;
  typedef logic [PrioW-1:0]   level_t;
  typedef logic [ObjectW-1:0] object_t;
  typedef struct packed { logic valid; level_t prio; node_t node; } top_t;
  typedef struct packed { node_t head; node_t tail; } ends_t;
  typedef enum logic [2:0] { StateIdle, StateRead, StateChange, StateFind, StateFetch, StateRefresh } state_e;

  state_e     state_q, state_d;
  logic [2:0] op_q;
  object_t    object_q;
  level_t     prio_q;   // the worked list's; from StateFind on that of the list whose head is looked for
  node_t      node_q;
  logic [NodeW-1:0] number_q;   // … with its group

  logic accept, capture, change, refresh;
  assign accept  = (state_q == StateIdle) && op_i != OpNone;
  assign capture = (state_q == StateRead) || (state_q == StateFetch);
  assign change  = (state_q == StateChange);
  assign refresh = (state_q == StateRefresh);
  assign idle_o  = (state_q == StateIdle);

  logic inserts, removes, walks, firsts, finds;
  assign inserts = (op_q == OpTail) || (op_q == OpHead);
  assign removes = (op_q == OpRemove);
  assign walks   = (op_q == OpWalk);
  assign firsts  = (op_q == OpFirst);
  assign finds   = walks || firsts;

  // ---- memories -------------------------------------------------------------------------------------------------------

  // verilator lint_off UNUSEDPARAM
  localparam LinksStyle = (Nodes > 16) ? "block" : "distributed";   // only attributes use it
  // verilator lint_on UNUSEDPARAM
  (* no_rw_check, ram_style = LinksStyle *) node_t              next_mem   [Nodes];
  (* no_rw_check, ram_style = LinksStyle *) node_t              prev_mem   [Nodes];
  (* no_rw_check, ram_style = "block" *) logic [Priorities-1:0] bitmap_mem [Objects];

  ends_t                 ends_m, ends_d;   // _m: the output of a memory
  node_t                 next_m, prev_m;
  logic [Priorities-1:0] bitmap_m, bitmap_d;
  top_t                  top_m, top_d;
  node_t                 former, latter;   // a link to write: `former` stands before `latter`
  logic                  ends_we, links_we, bitmap_we, top_we;
  logic [ObjectW+PrioW-1:0] ends_waddr, ends_raddr;
  object_t               waddr;

  assign ends_waddr = {object_q, prio_q};
  assign ends_raddr = (state_q == StateFind) ? ends_waddr : {object_i, level_t'(prio_i)};
  assign waddr      = clear_i ? object_t'(clear_index_i) : object_q;

  localparam int unsigned FirstW = $clog2(FirstNodes);
  localparam int unsigned ListW  = $clog2(Lists);
  typedef logic [ListW-1:0] list_t;
  (* no_rw_check, ram_style = "block" *) logic [2*FirstW-1:0] first_mem [Lists];
  logic [2*FirstW-1:0] first_m;
  logic                second;
  always_ff @(posedge clk_i) begin
    if (ends_we && !second) first_mem[list_t'(ends_waddr)] <= {FirstW'(ends_d.head), FirstW'(ends_d.tail)};
    first_m <= first_mem[list_t'(ends_raddr)];
  end

  if (First == Objects) begin : gen_one_table
    assign second = 1'b0;
    assign ends_m = '{head: node_t'(first_m[2*FirstW-1:FirstW]), tail: node_t'(first_m[FirstW-1:0])};
  end else begin : gen_two_tables
    localparam int unsigned SecondLists = (Objects - 2**(ObjectW-1)) << PrioW;
    localparam int unsigned SecondW     = $clog2(SecondLists);
    (* no_rw_check, ram_style = "block" *) ends_t second_mem [SecondLists];
    ends_t second_m;
    assign second = object_q[ObjectW-1];
    always_ff @(posedge clk_i) begin
      if (ends_we && second) second_mem[SecondW'(ends_waddr)] <= ends_d;
      second_m <= second_mem[SecondW'(ends_raddr)];
    end
    assign ends_m = second ? second_m :
                    '{head: node_t'(first_m[2*FirstW-1:FirstW]), tail: node_t'(first_m[FirstW-1:0])};
  end

  // Links of the group of the node that is worked on.
  logic [NodeW-1:0] former_address, latter_address;
  if (Groups == 1) begin : gen_one_group
    assign former_address = former;
    assign latter_address = latter;
  end else begin : gen_groups
    assign former_address = {number_q[NodeW-1:NumberW], former};
    assign latter_address = {number_q[NodeW-1:NumberW], latter};
  end

  always_ff @(posedge clk_i) begin
    if (links_we) begin
      next_mem[former_address] <= latter;
      prev_mem[latter_address] <= former;
    end
    next_m <= next_mem[node_i];
    prev_m <= prev_mem[node_i];
  end

  always_ff @(posedge clk_i) begin
    if (bitmap_we || clear_i) bitmap_mem[waddr] <= bitmap_d;
    bitmap_m <= bitmap_mem[object_i];
  end

  // ---- behind the memories --------------------------------------------------------------------------------------------

  localparam int unsigned Pairs = (Priorities + 1) / 2;

  ends_t                 ends_q;
  node_t                 next_q, prev_q;
  logic                  top_valid_q;
  level_t                top_prio_q;
  logic [Priorities-1:0] bitmap_q, later_q;     // later_q: the less urgent lists that are not empty
  logic [Pairs-1:0]      occupied_q;            // the list is in this pair and not empty
  logic                  moved_q;               // ends_q is that of the next list, in which the node is not
  logic [Priorities-1:0] here, less_urgent;
  logic [2*Pairs-1:0]    there;

  for (genvar i = 0; i < Priorities; i++) begin : gen_mask
    assign here[i]        = (prio_q == level_t'(i));
    assign less_urgent[i] = (i > 0) && prio_q <= level_t'(i - 1);
  end
  assign there = (2*Pairs)'(bitmap_m & here);

  always_ff @(posedge clk_i) begin
    if (capture) begin
      ends_q      <= ends_m;
      next_q      <= next_m;
      prev_q      <= prev_m;
      top_valid_q <= top_m.valid;
      top_prio_q  <= top_m.prio;
      later_q     <= bitmap_m & less_urgent;
      moved_q     <= (state_q == StateFetch);
      for (int unsigned i = 0; i < Pairs; i++) occupied_q[i] <= |there[2*i+:2];
    end
  end

  // Clearing writes bitmap_d without a multiplexer: until the first operation it is 0.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      bitmap_q <= '0;
    else if (capture) bitmap_q <= bitmap_m;
  end

  // ---- changes --------------------------------------------------------------------------------------------------------

  logic       later_valid;
  logic [7:0] later_prio;
  mel_first_set #(.Width(Priorities)) u_first_set (
    .vector_i (later_q),
    .valid_o  (later_valid),
    .index_o  (later_prio)
  );

  logic occupied, is_head, is_tail, is_top, leaves, inserts_top;
  assign occupied    = |occupied_q;
  assign is_head     = (ends_q.head == node_q);
  assign is_tail     = (ends_q.tail == node_q);
  assign is_top      = is_head && top_prio_q == prio_q;
  assign leaves      = is_tail && (walks || (removes && is_top));
  assign inserts_top = !top_valid_q || prio_q <= top_prio_q;   // behind the top it is written once more

  always_comb begin
    ends_d = ends_q;
    former = prev_q;
    latter = next_q;
    if ((removes && is_head) || (walks && !moved_q))       ends_d.head = next_q;
    if ((op_q == OpHead) || (op_q == OpTail && !occupied)) ends_d.head = node_q;
    if (removes && is_tail)                                ends_d.tail = prev_q;
    if ((op_q == OpTail) || (op_q == OpHead && !occupied)) ends_d.tail = node_q;
    if (op_q == OpTail) begin
      former = ends_q.tail;
      latter = node_q;
    end else if (op_q == OpHead) begin
      former = node_q;
      latter = ends_q.head;
    end
  end
  assign bitmap_d = inserts ? bitmap_q | here : bitmap_q & ~here;
  // Whatever becomes the top is the head of its list; what a walk or first finds is put there, too, and is not written.
  assign top_d    = '{valid: inserts || !is_tail, prio: prio_q, node: ends_d.head};

  assign ends_we   = change && (inserts || removes);
  assign links_we  = change && (inserts ? occupied : removes && !is_head && !is_tail);
  assign bitmap_we = change && (inserts || (removes && is_head && is_tail));
  assign top_we    = (change && (inserts ? inserts_top : removes && is_top && !(is_tail && later_valid))) ||
                     (refresh && removes);

  always_comb begin
    unique case (state_q)
      StateIdle:   state_d = (accept && op_i != OpLook) ? StateRead : StateIdle;
      StateRead:   state_d = StateChange;
      StateChange: state_d = (leaves && later_valid) ? StateFind : StateIdle;
      StateFind:   state_d = StateFetch;
      StateFetch:  state_d = StateRefresh;
      default:     state_d = StateIdle;   // StateRefresh
    endcase
  end
  assign outcome_o = idle_o || refresh || (change && inserts);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateIdle;
      op_q    <= OpNone;
    end else begin
      state_q <= state_d;
      if (accept) op_q <= op_i;
    end
  end

  assign node_q = node_t'(number_q);

  // They stay until the next request, because the result of a walk or first is made of them.
  always_ff @(posedge clk_i) begin
    if (accept) begin
      object_q <= object_i;
      prio_q   <= level_t'(prio_i);
      number_q <= node_i;
    end else if (change && leaves) begin
      prio_q <= level_t'(later_prio);
    end
  end

  // ---- tops -----------------------------------------------------------------------------------------------------------

  logic found;
  assign found       = firsts ? occupied : top_d.valid;
  assign top_valid_o = finds ? found : top_m.valid;
  assign top_prio_o  = 8'(finds ? top_d.prio : top_m.prio);
  assign top_node_o  = finds ? top_d.node : top_m.node;

  if (Tops == 0) begin : gen_no_tops
    assign tops_valid_o = '0;
    assign tops_prio_o  = '0;
    assign tops_node_o  = '0;
  end else begin : gen_tops
    for (genvar i = 0; i < Tops; i++) begin : gen_top
      top_t kept_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                                   kept_q <= '0;
        else if (top_we && (Objects == 1 || object_q == object_t'(i))) kept_q <= top_d;
      end
      assign tops_valid_o[i] = kept_q.valid;
      assign tops_prio_o[i]  = 8'(kept_q.prio);
      assign tops_node_o[i]  = kept_q.node;
    end
  end

  if (Tops == Objects) begin : gen_tops_alone
    localparam int unsigned TopW = (Tops > 1) ? $clog2(Tops) : 1;
    always_ff @(posedge clk_i) begin
      if (accept) top_m <= '{valid: tops_valid_o[TopW'(object_i)], prio: level_t'(tops_prio_o[TopW'(object_i)]),
                             node: tops_node_o[TopW'(object_i)]};
    end
  end else begin : gen_top_memory
    (* no_rw_check, ram_style = "block" *) top_t top_mem [Objects];
    always_ff @(posedge clk_i) begin
      if (top_we || clear_i) top_mem[waddr] <= '{valid: top_d.valid && !clear_i, prio: top_d.prio, node: top_d.node};
      if (accept) top_m <= top_mem[object_i];
    end
  end

`ifndef SYNTHESIS
  // The list in which a node is: with it, requests can be checked.
  logic  [Nodes-1:0] member_q;
  logic [ObjectW+PrioW-1:0] where_q [Nodes];
  logic [ObjectW+PrioW-1:0] list;
  logic              begun_q;
  logic              starts;
  assign list   = {object_i, level_t'(prio_i)};
  assign starts = accept && op_i != OpLook;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      member_q <= '0;
      begun_q  <= 1'b0;
    end else if (starts) begin
      begun_q <= 1'b1;
      if (op_i == OpTail || op_i == OpHead) member_q[node_i] <= 1'b1;
      if (op_i == OpRemove)                 member_q[node_i] <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) if (starts && (op_i == OpTail || op_i == OpHead)) where_q[node_i] <= list;

  a_op: assert property (@(posedge clk_i) disable iff (!rst_ni) op_i <= OpFirst);
  a_object: assert property (@(posedge clk_i) disable iff (!rst_ni) !accept || 32'(object_i) < Objects &&
    (First == Objects || object_i[ObjectW-1] || 32'(object_i) < First));
  a_prio: assert property (@(posedge clk_i) disable iff (!rst_ni) !starts || 32'(prio_i) < Priorities);
  a_node: assert property (@(posedge clk_i) disable iff (!rst_ni) 
    !starts || op_i == OpFirst || 32'(node_i) < Nodes);
  a_insert: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !starts || !(op_i == OpTail || op_i == OpHead) || !member_q[node_i]);
  a_remove: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !starts || op_i != OpRemove || (member_q[node_i] && where_q[node_i] == list));
  a_walk: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !starts || op_i != OpWalk || (member_q[node_i] && where_q[node_i] == list));
  a_clear: assert property (@(posedge clk_i) disable iff (!rst_ni) !clear_i || !(begun_q || starts));
  a_top_has_bit: assert property (@(posedge clk_i) disable iff (!rst_ni) !change || !top_m.valid || bitmap_q[top_m.prio]);
  a_top_valid: assert property (@(posedge clk_i) disable iff (!rst_ni) !change || top_m.valid == (|bitmap_q));
  a_top_is_head: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !change || !top_m.valid || top_m.prio != prio_q || top_m.node == ends_q.head);
`endif

endmodule
