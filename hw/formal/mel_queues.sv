// SPDX-License-Identifier: Apache-2.0
// Proof of mel_queues, for any sequence of operations and any number of them: a pop takes the oldest of the most urgent words of its
// queue, no word is lost, doubled or changed; records, room and purge are those of the ghost; a queue that is not full finds a
// free slot; every operation ends within its cycles. The ghost holds the words as plain queues.
// How: induction over one step. What holds it is that every slot is in exactly one place: a list, the stack of free ones, or on
// its way; and that the slots of the lists hold the ghost's words.
// Small instance (2 queues, 3 messages, 2 priorities): slots, counts and words are handled alike for any number. Full sizes, and
// one queue: random runs (tests/rtl/queues). The lists are not the real ones, but what is proved of these (mel_priority_list.sv).
// Needs: operations are asked for as the unit does (assumptions m_*).

// Plain queues that keep the promises of mel_priority_list's proof for several objects: same ports, same cycles.
module mel_priority_list
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 4,
  parameter int unsigned Priorities = 2,
  parameter int unsigned Objects    = 2
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          clear_i,
  input  line_t         clear_index_i,
  input  list_request_t request_i,
  output list_state_t   state_o,
  output top_t          top_o,
  output top_t          top_next_o,
  output top_t          top_after_o
);
  localparam int unsigned Lists = Objects * Priorities;
  typedef struct packed {
    logic [2:0]            count;
    logic [Tasks-1:0][1:0] tasks;   // [0] the oldest
  } list_t;

  list_t [Lists-1:0] lists_q;
  logic  [1:0]       busy_q;        // cycles until it settles
  logic              accept, others, alone;
  top_t              first;         // top of the object requested

  assign state_o = '{ready: busy_q == '0, settled: busy_q == '0, done: busy_q == '0};
  assign accept  = busy_q == '0 && request_i.op != ListNone;

  always_comb begin
    first  = '0;
    others = 1'b0;
    alone  = 1'b0;
    for (int unsigned l = Lists; l > 0; l--) begin
      if (request_i.object == 8'((l - 1) / Priorities) && lists_q[l-1].count != '0) begin
        first = '{valid: 1'b1, prio: 8'((l - 1) % Priorities), task_id: 8'(lists_q[l-1].tasks[0])};
        if (request_i.prio == 8'((l - 1) % Priorities)) alone  = lists_q[l-1].count == 3'd1;
        else                                            others = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (busy_q == '0) top_o <= first;
    busy_q <= (busy_q != '0) ? busy_q - 2'd1 : 2'(accept) + 2'(accept && request_i.op == ListRemove && alone && others &&
                                                               first.prio == request_i.prio);
    for (int unsigned l = 0; l < Lists; l++) begin
      if (accept && request_i.object == 8'(l / Priorities) && request_i.prio == 8'(l % Priorities)) begin
        if (request_i.op == ListRemove) begin
          lists_q[l].count <= lists_q[l].count - 3'd1;   // only tops are removed (a_removes_top)
          for (int unsigned i = 0; i < Tasks - 1; i++) lists_q[l].tasks[i] <= lists_q[l].tasks[i+1];
        end else begin
          lists_q[l].count <= lists_q[l].count + 3'd1;
          for (int unsigned i = 0; i < Tasks; i++) begin
            if (lists_q[l].count == 3'(i)) lists_q[l].tasks[i] <= request_i.task_id[1:0];
          end
        end
      end
      if (clear_i && clear_index_i == 9'(l / Priorities)) lists_q[l].count <= '0;
    end
    if (!rst_ni) busy_q <= '0;
  end
  assign top_next_o  = top_o;
  assign top_after_o = top_o;

  always_comb begin
    a_ready:       assert (!rst_ni || request_i.op == ListNone || busy_q == '0);
    a_ops:         assert (!rst_ni || request_i.op inside {ListNone, ListRemove, ListInsertTail});
    a_removes_top: assert (!rst_ni || !accept || request_i.op != ListRemove ||
                           (first.valid && first.prio == request_i.prio && first.task_id == request_i.task_id));
  end
endmodule

module mel_queues_proof
  import mel_unit_pkg::*;
(
  input logic        clk_i,
  input logic        read_i,
  input logic        read_id_i,
  input logic [2:0]  op_i,
  input logic [31:0] word_i,
  input logic        prio_i
);

  localparam int unsigned Queues     = 2;
  localparam int unsigned Messages   = 3;
  localparam int unsigned Priorities = 2;
  localparam int unsigned Lists      = Queues * Priorities;

  typedef struct packed {
    logic [2:0]                count;
    logic [Messages-1:0][31:0] words;   // [0] the oldest
  } words_t;
  typedef struct packed {
    logic                    exists;
    logic                    purged;
    logic [1:0]              capacity;
    words_t [Priorities-1:0] words;
  } ghost_t;

  // ---- one cycle of reset, then one cycle of clearing per message -----------------------------------------------------

  logic [2:0] age_q = '0;
  logic       rst_n, clearing;
  assign rst_n    = (age_q != '0);
  assign clearing = (age_q <= 3'(Messages));
  always_ff @(posedge clk_i) if (age_q != '1) age_q <= age_q + 3'd1;

  queue_t         record;
  logic [15:0]    room;
  queue_request_t request;
  logic           settled, word_valid, purge_valid;
  logic [31:0]    word;
  id_t            purge_id;

  assign request = '{op: queue_op_e'(op_i), word: word_i, prio: 8'(prio_i)};

  mel_queues #(.Queues(Queues), .Messages(Messages), .MessagePriorities(Priorities)) u_queues (
    .clk_i, .rst_ni (rst_n),
    .clear_i (clearing), .clear_index_i (9'(age_q) - 9'd1),
    .read_i (read_i), .read_id_i (8'(read_id_i)), .record_o (record), .room_o (room),
    .request_i (request), .settled_o (settled), .word_valid_o (word_valid), .word_o (word),
    .purge_valid_o (purge_valid), .purge_id_o (purge_id)
  );

  // ---- ghost: changes in the cycle after an operation -----------------------------------------------------------------

  function automatic logic [2:0] total(ghost_t queue);
    return queue.words[0].count + queue.words[1].count;
  endfunction

  function automatic words_t without_first(words_t old);
    without_first = old;
    for (int unsigned i = 0; i < Messages - 1; i++) without_first.words[i] = old.words[i+1];
    without_first.count = old.count - 3'd1;
  endfunction

  function automatic words_t with_word(words_t old, logic [31:0] last);
    with_word = old;
    for (int unsigned i = 0; i < Messages; i++) if (old.count == 3'(i)) with_word.words[i] = last;
    with_word.count = old.count + 3'd1;
  endfunction

  function automatic ghost_t apply(ghost_t old, queue_op_e op, logic [31:0] argument, logic prio);
    logic first;   // the priority of the first word
    apply = old;
    first = (old.words[0].count == '0);
    unique case (op)
      QueueCreate: begin
        apply.exists   = 1'b1;
        apply.capacity = argument[1:0];
      end
      QueueDelete: begin
        apply.exists = 1'b0;
        apply.purged = (total(old) != '0);
      end
      QueuePush: apply.words[prio] = with_word(old.words[prio], argument);
      QueuePop, QueuePopPush, QueuePurge: begin
        apply.words[first] = without_first(old.words[first]);
        if (op == QueuePopPush) apply.words[prio] = with_word(apply.words[prio], argument);
        if (total(apply) == '0) apply.purged = 1'b0;
      end
      default: ;
    endcase
  endfunction

  ghost_t [Queues-1:0] ghost_q = '0;
  logic                id_q = 1'b0, chosen_q = 1'b0;   // queue that is read; no operation since
  queue_op_e           op_q = QueueNone;
  logic [31:0]         word_q = '0;
  logic                prio_q = 1'b0;
  logic [2:0]          since_q = '0;                   // cycles since the operation; 0: it has ended
  logic                start;
  ghost_t              chosen;
  logic [31:0]         first_word;

  assign start      = (op_i != QueueNone);
  assign chosen     = ghost_q[id_q];
  assign first_word = (chosen.words[0].count != '0) ? chosen.words[0].words[0] : chosen.words[1].words[0];

  always_ff @(posedge clk_i) begin
    if (read_i && settled) id_q <= read_id_i;
    chosen_q <= (read_i && settled) || (chosen_q && !start);
    if (start) begin
      op_q   <= request.op;
      word_q <= word_i;
      prio_q <= prio_i;
    end
    since_q <= start ? 3'd1 : (settled || since_q == '0) ? 3'd0 : since_q + 3'd1;
    if (since_q == 3'd1) ghost_q[id_q] <= apply(chosen, op_q, word_q, prio_q);
  end

  // ---- how the unit uses queues ---------------------------------------------------------------------------------------

  logic any_purged;
  assign any_purged = ghost_q[0].purged || ghost_q[1].purged;
  always_comb begin
    m_clear:    assume (!clearing || (!read_i && !start));           // the unit clears before it serves
    m_read:     assume (!start || (settled && chosen_q && !read_i)); // cycle 2, or later
    m_op:       assume (op_i <= QueuePurge);
    m_create:   assume (op_i != QueueCreate || (!chosen.exists && !chosen.purged && word_i != '0 && word_i <= 32'(room)));
    m_delete:   assume (op_i != QueueDelete || (chosen.exists && (total(chosen) == '0 || !any_purged)));
    m_push:     assume (op_i != QueuePush || (chosen.exists && total(chosen) < 3'(chosen.capacity)));
    m_pop:      assume (!(op_i inside {QueuePop, QueuePopPush}) || (chosen.exists && total(chosen) != '0));
    m_purge:    assume (op_i != QueuePurge || chosen.purged);
  end

  // ---- what is promised -----------------------------------------------------------------------------------------------

  function automatic logic [2:0] longest(queue_op_e op);
    unique case (op)
      QueueCreate, QueueDelete:       return 3'd1;
      QueuePush, QueuePop, QueuePurge: return 3'd2;
      default:                        return 3'd4;
    endcase
  endfunction

  logic [2:0] reserved;
  assign reserved = ((ghost_q[0].exists || ghost_q[0].purged) ? 3'(ghost_q[0].capacity) : 3'd0) +
                    ((ghost_q[1].exists || ghost_q[1].purged) ? 3'(ghost_q[1].capacity) : 3'd0);

  always_comb begin
    a_exists:  assert (!chosen_q || record.exists == chosen.exists);
    a_numbers: assert (!chosen_q || !chosen.exists ||
                       (record.count == 16'(total(chosen)) && record.capacity == 16'(chosen.capacity) &&
                        record.empty == (total(chosen) == '0) && record.full == (total(chosen) == 3'(chosen.capacity))));
    a_room:    assert (!rst_n || (3'(room) + reserved == 3'(Messages) && room <= 16'(Messages)));
    a_purge:   assert (!rst_n || (purge_valid == any_purged && (!purge_valid || ghost_q[purge_id[0]].purged)));
    a_word:    assert (!rst_n || word_valid == (since_q == 3'd1 && op_q inside {QueuePop, QueuePopPush}));
    a_order:   assert (!rst_n || !word_valid || word == first_word);
    a_bounded: assert (!rst_n || (settled ? since_q != 3'd1 : (since_q != '0 && since_q <= longest(op_q))));
  end

  // ---- what holds the induction ---------------------------------------------------------------------------------------

  logic inserting, leaves, moving;   // `popped_q` is neither in a list nor free
  logic [1:0] busy;
  assign inserting = (u_queues.gen_queues.state_q == 2'd2);
  assign leaves    = (since_q == 3'd1 && op_q inside {QueuePop, QueuePopPush, QueuePurge});
  assign moving    = leaves || inserting;
  assign busy      = u_queues.gen_queues.u_list.busy_q;

  always_comb begin
    a_age:    assert (!clearing || (ghost_q == '0 && since_q == '0 && !chosen_q && op_q == QueueNone &&
                                    u_queues.gen_queues.state_q == 2'd0));
    a_apply:  assert ((u_queues.gen_queues.state_q == 2'd1) == (since_q == 3'd1) && u_queues.gen_queues.state_q != 2'd3);
    a_insert: assert (!inserting || (op_q == QueuePopPush && ((since_q == 3'd2 && busy <= 2'd1) ||
                                                              (since_q == 3'd3 && busy == 2'd0))));
    a_busy:   assert (!rst_n || ((since_q == 3'd1) ? (leaves ? busy inside {2'd1, 2'd2} : busy == '0) :
                                 (inserting || busy == '0 || (busy == 2'd1 && (
                                   (since_q == 3'd2 && op_q inside {QueuePush, QueuePop, QueuePurge}) ||
                                   (since_q inside {3'd3, 3'd4} && op_q == QueuePopPush))))));
    a_since:  assert (since_q <= 3'd5 && (since_q == '0 || !chosen_q || settled) && op_q <= QueuePurge &&
                      (since_q == '0 || op_q != QueueNone));
    a_held:   assert ((since_q == '0 && !chosen_q) || u_queues.gen_queues.id_q == id_q);
    a_asked:  assert (!(since_q == 3'd1 || inserting) || (u_queues.gen_queues.op_q == op_q &&
                      u_queues.gen_queues.word_q == word_q && u_queues.gen_queues.prio_q == 8'(prio_q)));
    a_legal:  assert (since_q != 3'd1 || (op_q == QueueCreate && !chosen.exists && !chosen.purged && total(chosen) == '0 &&
                                          word_q[31:2] == '0 && word_q[1:0] != '0 && word_q <= 32'(room)) ||
                      (op_q == QueueDelete && chosen.exists && (total(chosen) == '0 || !any_purged)) ||
                      (op_q == QueuePush && chosen.exists && total(chosen) < 3'(chosen.capacity)) ||
                      (op_q inside {QueuePop, QueuePopPush} && chosen.exists && total(chosen) != '0) ||
                      (op_q == QueuePurge && chosen.purged));
    a_purges: assert (!(ghost_q[0].purged && ghost_q[1].purged));
    a_read:   assert (!(chosen_q || since_q == 3'd1) ||
                      (u_queues.gen_queues.flags == u_queues.gen_queues.flags_mem[id_q] &&
                       u_queues.gen_queues.numbers == u_queues.gen_queues.numbers_mem[id_q]));
    a_free:   assert (!(chosen_q || since_q == 3'd1) || u_queues.gen_queues.free_q == '0 || u_queues.gen_queues.free_slot ==
                      u_queues.gen_queues.free_mem[u_queues.gen_queues.free_q - 2'd1]);
    a_taken:  assert (!leaves || word == u_queues.gen_queues.word_mem[u_queues.gen_queues.popped_q]);
    a_left:   assert (!leaves || u_queues.gen_queues.word_mem[u_queues.gen_queues.popped_q] == first_word);
    a_enters: assert (!inserting || u_queues.gen_queues.word_mem[u_queues.gen_queues.popped_q] == word_q);
  end

  // The list of the queue that is worked on lacks the word that leaves (in the ghost: one cycle later) or is to enter.
  words_t [Lists-1:0] listed;   // expected content of the lists
  for (genvar q = 0; q < Queues; q++) begin : gen_queue
    logic here, uncleared;
    assign here      = (id_q == 1'(q));
    assign uncleared = (age_q <= 3'(q + 1));
    always_comb begin
      listed[q*Priorities+0] = ghost_q[q].words[0];
      listed[q*Priorities+1] = ghost_q[q].words[1];
      if (here && leaves) begin
        if (ghost_q[q].words[0].count != '0) listed[q*Priorities+0] = without_first(ghost_q[q].words[0]);
        else                                 listed[q*Priorities+1] = without_first(ghost_q[q].words[1]);
      end
      if (here && inserting) begin
        if (prio_q) listed[q*Priorities+1].count = ghost_q[q].words[1].count - 3'd1;
        else        listed[q*Priorities+0].count = ghost_q[q].words[0].count - 3'd1;
      end
    end

    always_comb begin
      a_total:     assert (ghost_q[q].words[0].count <= 3'(Messages) && ghost_q[q].words[1].count <= 3'(Messages) &&
                           (total(ghost_q[q]) == '0 || (total(ghost_q[q]) <= 3'(ghost_q[q].capacity) &&
                                                        (ghost_q[q].exists || ghost_q[q].purged))));
      a_purged:    assert (!ghost_q[q].purged || (!ghost_q[q].exists && total(ghost_q[q]) != '0));
      a_created:   assert (!ghost_q[q].exists || ghost_q[q].capacity != '0);
      a_entering:  assert (!inserting || !here || (ghost_q[q].exists &&
                           ghost_q[q].words[prio_q].count inside {[3'd1:3'(Messages)]} &&
                           ghost_q[q].words[prio_q].words[2'(ghost_q[q].words[prio_q].count - 3'd1)] == word_q));
      a_mem_flags: assert (uncleared || u_queues.gen_queues.flags_mem[q].exists == ghost_q[q].exists);
      a_mem_state: assert (uncleared || !(ghost_q[q].exists || ghost_q[q].purged) ||
                           (u_queues.gen_queues.flags_mem[q].empty == (total(ghost_q[q]) == '0) &&
                            3'(u_queues.gen_queues.numbers_mem[q].count) == total(ghost_q[q]) &&
                            u_queues.gen_queues.numbers_mem[q].capacity == ghost_q[q].capacity));
      a_mem_full:  assert (uncleared || !ghost_q[q].exists || u_queues.gen_queues.flags_mem[q].full ==
                           (total(ghost_q[q]) == 3'(ghost_q[q].capacity)));
      a_top:       assert (!chosen_q || !here || (u_queues.gen_queues.top.valid == (total(ghost_q[q]) != '0) &&
                           (!u_queues.gen_queues.top.valid ||
                            (u_queues.gen_queues.top.prio == 8'(ghost_q[q].words[0].count == '0) &&
                             u_queues.gen_queues.top.task_id == 8'((ghost_q[q].words[0].count != '0) ?
                               u_queues.gen_queues.u_list.lists_q[q*Priorities].tasks[0] :
                               u_queues.gen_queues.u_list.lists_q[q*Priorities+1].tasks[0])))));
    end
  end

  for (genvar l = 0; l < Lists; l++) begin : gen_list
    always_comb begin
      a_length: assert (age_q <= 3'(l / Priorities + 1) || u_queues.gen_queues.u_list.lists_q[l].count == listed[l].count);
    end
    for (genvar i = 0; i < Messages; i++) begin : gen_word
      always_comb begin
        a_mem_word: assert (age_q <= 3'(l / Priorities + 1) || 3'(i) >= listed[l].count || u_queues.gen_queues.word_mem[
                            u_queues.gen_queues.u_list.lists_q[l].tasks[i]] == listed[l].words[i]);
        a_slot:     assert (age_q <= 3'(l / Priorities + 1) || 3'(i) >= listed[l].count ||
                            u_queues.gen_queues.u_list.lists_q[l].tasks[i] < 2'(Messages));
      end
    end
  end

  // Every slot is in exactly one place.
  for (genvar s = 0; s < Messages; s++) begin : gen_slot
    logic [Messages-1:0]            free;
    logic [Lists-1:0][Messages-1:0] in;
    for (genvar i = 0; i < Messages; i++) begin : gen_place
      assign free[i] = (2'(i) < u_queues.gen_queues.free_q) && u_queues.gen_queues.free_mem[i] == 2'(s);
      for (genvar l = 0; l < Lists; l++) begin : gen_in
        assign in[l][i] = (3'(i) < listed[l].count) && u_queues.gen_queues.u_list.lists_q[l].tasks[i] == 2'(s);
      end
    end
    always_comb begin
      a_one_place: assert (clearing || $onehot({free, in, moving && u_queues.gen_queues.popped_q == 2'(s)}));
      a_filled:    assert (age_q <= 3'(s + 1) || !clearing || u_queues.gen_queues.free_mem[s] == 2'(s));
    end
  end
  always_comb begin
    a_moving: assert (clearing || !moving || u_queues.gen_queues.popped_q < 2'(Messages));
    a_height: assert (!rst_n || (3'(u_queues.gen_queues.free_q) + listed[0].count + listed[1].count + listed[2].count +
                                 listed[3].count + 3'(moving) == 3'(Messages)));
  end

  always_comb begin
    c_full:   cover (age_q == '1 && settled && ghost_q[0].words[1].count == 3'(Messages));
    c_both:   cover (settled && total(ghost_q[0]) == 3'd2 && total(ghost_q[1]) == 3'd1);
    c_longest: cover (since_q == 3'd4 && !settled);
    c_purged: cover (since_q == 3'd1 && op_q == QueuePurge && total(chosen) == 3'd2);
  end
endmodule
