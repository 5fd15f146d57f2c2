// SPDX-License-Identifier: Apache-2.0
// mel_queues: record and messages of every message queue. The messages of a queue are in lists, one per (queue, message
// priority), oldest first, over one pool of words; the capacity of a queue is reserved in that pool from its creation to the
// end of its deletion, so a queue that is not full always finds a free slot. Who waits for a queue is in the wait set.
//
// Timing: `read_i` in cycle 1 selects a queue (while `settled_o` is low it is ignored): from cycle 2 on `record_o` is its record.
// In cycle 2 or later `request_i.op` does one operation on it, not in a cycle with `read_i`; `settled_o` is low in the cycles
// after it:
//   create, delete  1
//   push            2          behind the messages that are as urgent or more
//   pop, purge      1 or 2     the oldest of the most urgent messages leaves; 2 when it was the last of its priority and others
//                              stay
//   pop and push    3 or 4     likewise; the new word takes the slot that the other left
// The same for any content. The word that a pop took is on `word_o` in the first cycle after the operation, with `word_valid_o`.
// Records, `room_o` and `purge_*_o` show the outcome when `settled_o` is high again, and change at no other time.
//
// Deletion of a queue with messages ends by a purge of each of them: `purge_valid_o` asks for it. Until its last purge a deleted
// queue cannot be created again, no other queue with messages be deleted, and its capacity stays reserved.
// Cleared one line per cycle by `clear_i`, in the larger number of queues and messages.
module mel_queues
  import mel_unit_pkg::*;
#(
  parameter int unsigned Queues            = 16,   // 0..128; 0: none exists
  parameter int unsigned Messages          = 64,   // 0..256, shared by all queues; 0: no queue exists
  parameter int unsigned MessagePriorities = 8     // 2..256, 0 is the most urgent
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           clear_i,
  input  line_t          clear_index_i,

  input  logic           read_i,
  input  id_t            read_id_i,
  output queue_t         record_o,
  output logic [15:0]    room_o,          // messages that no queue has reserved

  input  queue_request_t request_i,
  output logic           settled_o,       // no operation is under way

  output logic           word_valid_o,
  output logic [31:0]    word_o,

  output logic           purge_valid_o,   // this queue is deleted and still has messages
  output id_t            purge_id_o
);

  if (Queues == 0 || Messages == 0) begin : gen_none
    logic unused_all;
    assign unused_all    = ^{clk_i, rst_ni, clear_i, clear_index_i, read_i, read_id_i, request_i};
    assign record_o      = '0;
    assign room_o        = '0;
    assign settled_o     = 1'b1;
    assign word_valid_o  = 1'b0;
    assign word_o        = '0;
    assign purge_valid_o = 1'b0;
    assign purge_id_o    = '0;
  end else begin : gen_queues
    localparam int unsigned IndexW = (Queues > 1) ? $clog2(Queues) : 1;
    localparam int unsigned Slots  = (Messages > 4) ? Messages : 4;   // mel_priority_list has at least 4
    localparam int unsigned SlotW  = $clog2(Slots);
    localparam int unsigned CountW = $clog2(Messages + 1);
    typedef logic [IndexW-1:0] index_t;
    typedef logic [SlotW-1:0]  slot_t;
    typedef logic [CountW-1:0] count_t;

    // Flags tested by a step are in LUT-RAM with a register: a block RAM's output comes 5 ns later.
    typedef struct packed { logic exists; logic empty; logic full; } flags_t;
    typedef struct packed { count_t capacity; count_t count; } numbers_t;

    typedef enum logic [1:0] {
      StateIdle,
      StateApply,    // the records change; a push enters its list
      StateInsert    // the word of a pop and push enters its list when the other has left
    } state_e;

    state_e        state_q, state_d;
    queue_op_e     op_q;
    index_t        id_q;             // the queue read last
    logic [31:0]   word_q;
    prio_t         prio_q;
    slot_t         popped_q;
    logic          read, start, apply, removes;
    logic          pushes_q, pops_q, purges_q, frees_q, swaps_q;

    flags_t        flags, flags_d;
    numbers_t      numbers, numbers_d;
    logic          record_we, last, fills;

    count_t        room_q, free_q;   // free_q: slots on the stack of free ones
    logic          purge_valid_q;
    index_t        purge_id_q;

    list_request_t list_request;
    list_state_t   list_state;
    top_t          top, unused_top_after;

    // ---- one operation ----------------------------------------------------------------------------------------------

    assign settled_o = (state_q == StateIdle) && list_state.settled;
    assign read      = read_i && settled_o;
    assign start     = (request_i.op != QueueNone);
    assign apply     = (state_q == StateApply);
    assign removes   = (state_q == StateIdle) && (request_i.op inside {QueuePop, QueuePopPush, QueuePurge});

    assign pushes_q  = apply && (op_q == QueuePush);
    assign pops_q    = apply && (op_q == QueuePop);
    assign purges_q  = apply && (op_q == QueuePurge);
    assign swaps_q   = apply && (op_q == QueuePopPush);
    assign frees_q   = pops_q || purges_q;

    always_comb begin
      unique case (state_q)
        StateIdle:  state_d = start ? StateApply : StateIdle;
        StateApply: state_d = swaps_q ? StateInsert : StateIdle;
        default:    state_d = list_state.ready ? StateIdle : StateInsert;
      endcase
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) state_q <= StateIdle;
      else         state_q <= state_d;
    end

    // Whether an operation comes is known late in its cycle: what it would work on is taken anyway.
    always_ff @(posedge clk_i) begin
      if (read) id_q <= index_t'(read_id_i);
      if (state_q == StateIdle) begin
        op_q     <= request_i.op;
        word_q   <= request_i.word;
        prio_q   <= request_i.prio;
        popped_q <= slot_t'(top.task_id);
      end
    end

    // ---- records ----------------------------------------------------------------------------------------------------

    (* no_rw_check, ram_style = "distributed" *) flags_t flags_mem [2**IndexW];
    (* no_rw_check *) numbers_t numbers_mem [2**IndexW];

    assign last      = (numbers.count == count_t'(1));
    assign fills     = (numbers.count + count_t'(1) == numbers.capacity);
    assign record_we = apply && !swaps_q;

    always_comb begin
      flags_d   = flags;
      numbers_d = numbers;
      unique case (op_q)
        QueueCreate: begin
          flags_d   = '{exists: 1'b1, empty: 1'b1, full: 1'b0};
          numbers_d = '{capacity: count_t'(word_q), count: '0};
        end
        QueueDelete: begin
          flags_d.exists = 1'b0;
        end
        QueuePush: begin
          flags_d.empty   = 1'b0;
          flags_d.full    = fills;
          numbers_d.count = numbers.count + count_t'(1);
        end
        default: begin   // QueuePop, QueuePurge
          flags_d.empty   = last;
          flags_d.full    = 1'b0;
          numbers_d.count = numbers.count - count_t'(1);
        end
      endcase
    end

    always_ff @(posedge clk_i) begin
      if (clear_i || record_we) flags_mem[clear_i ? index_t'(clear_index_i) : id_q] <= clear_i ? '0 : flags_d;
      if (read) flags <= flags_mem[index_t'(read_id_i)];
    end

    always_ff @(posedge clk_i) begin
      if (clear_i || record_we) numbers_mem[clear_i ? index_t'(clear_index_i) : id_q] <= clear_i ? '0 : numbers_d;
      if (read) numbers <= numbers_mem[index_t'(read_id_i)];
    end

    assign record_o = '{
      exists:   flags.exists,
      empty:    flags.empty,
      full:     flags.full,
      capacity: 16'(numbers.capacity),
      count:    16'(numbers.count)
    };

    // ---- reservation, deletion --------------------------------------------------------------------------------------

    logic deletes_q, vanishes;   // vanishes: nothing of a deleted queue is left
    assign deletes_q = apply && (op_q == QueueDelete);
    assign vanishes  = (deletes_q && flags.empty) || (purges_q && last);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        room_q        <= count_t'(Messages);
        purge_valid_q <= 1'b0;
        purge_id_q    <= '0;
      end else begin
        if (apply && op_q == QueueCreate) room_q <= room_q - count_t'(word_q);
        else if (vanishes)                room_q <= room_q + numbers.capacity;
        if (deletes_q && !flags.empty) begin
          purge_valid_q <= 1'b1;
          purge_id_q    <= id_q;
        end else if (vanishes && purges_q) begin
          purge_valid_q <= 1'b0;
        end
      end
    end

    assign room_o        = 16'(room_q);
    assign purge_valid_o = purge_valid_q;
    assign purge_id_o    = id_t'(purge_id_q);

    // ---- free slots -------------------------------------------------------------------------------------------------

    (* no_rw_check *) slot_t free_mem [2**SlotW];
    slot_t free_slot, free_top;   // the uppermost of the stack, one cycle after its height changed
    assign free_top = slot_t'(free_q - count_t'(1));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)       free_q <= count_t'(Messages);
      else if (pushes_q) free_q <= free_q - count_t'(1);
      else if (frees_q)  free_q <= free_q + count_t'(1);
    end

    always_ff @(posedge clk_i) begin
      if (clear_i || frees_q) begin
        free_mem[clear_i ? slot_t'(clear_index_i) : slot_t'(free_q)] <= clear_i ? slot_t'(clear_index_i) : popped_q;
      end
      if (!clear_i) free_slot <= free_mem[free_top];
    end

    // ---- words ------------------------------------------------------------------------------------------------------

    (* no_rw_check *) logic [31:0] word_mem [2**SlotW];
    slot_t entered;   // slot of the word that enters
    logic  word_we, word_read;
    assign entered   = pushes_q ? free_slot : popped_q;
    assign word_we   = pushes_q || swaps_q;
    assign word_read = settled_o;

    always_ff @(posedge clk_i) begin
      if (word_we)   word_mem[entered] <= word_q;
      if (word_read) word_o <= word_mem[slot_t'(top.task_id)];
    end
    assign word_valid_o = pops_q || swaps_q;

    // ---- order ------------------------------------------------------------------------------------------------------

    // While nothing is under way the list of the top is at hand, for a removal.
    always_comb begin
      list_request = '{
        op:      removes ? ListRemove : ListNone,
        object:  read_i ? line_t'(read_id_i) : line_t'(id_q),
        prio:    top.prio,
        task_id: top.task_id
      };
      if (state_q != StateIdle) begin
        list_request = '{
          op:      (pushes_q || (state_q == StateInsert && list_state.ready)) ? ListInsertTail : ListNone,
          object:  line_t'(id_q),
          prio:    prio_q,
          task_id: id_t'(entered)
        };
      end
    end

    mel_priority_list #(
      .Tasks      (Slots),
      .Priorities (MessagePriorities),
      .Objects    (Queues)
    ) u_list (
      .clk_i,
      .rst_ni,
      .clear_i,
      .clear_index_i,
      .request_i  (list_request),
      .state_o    (list_state),
      .top_o      (top),
      .top_after_o (unused_top_after)
    );

`ifndef SYNTHESIS
    logic             fresh_q;   // cycle 2 of a queue that there is
    logic             chosen_q;  // no operation since the last read
    logic [Slots-1:0] used_q;    // slots that hold a message
    logic             gives_back;
    assign gives_back = apply && (op_q inside {QueuePop, QueuePurge});
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        fresh_q  <= 1'b0;
        chosen_q <= 1'b0;
        used_q   <= '0;
      end else begin
        fresh_q  <= read && 32'(read_id_i) < Queues;
        chosen_q <= read || (chosen_q && !start);
        if (pushes_q)   used_q[free_slot] <= 1'b1;
        if (gives_back) used_q[popped_q]  <= 1'b0;
      end
    end

    // Nothing is read while an operation is under way: so none is lost.
    a_read_first: assert property (@(posedge clk_i) disable iff (!rst_ni) !start || chosen_q);
    a_read_or_operation: assert property (@(posedge clk_i) disable iff (!rst_ni) !start || !read_i);
    a_create: assert property (@(posedge clk_i) disable iff (!rst_ni)
      request_i.op != QueueCreate || (!flags.exists && request_i.word != '0 &&
                                      request_i.word <= 32'(room_q) && !(purge_valid_q && purge_id_q == id_q)));
    a_delete: assert property (@(posedge clk_i) disable iff (!rst_ni)
      request_i.op != QueueDelete || (flags.exists && (flags.empty || !purge_valid_q)));
    a_push: assert property (@(posedge clk_i) disable iff (!rst_ni)
      request_i.op != QueuePush || (flags.exists && !flags.full));
    a_pop: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(request_i.op inside {QueuePop, QueuePopPush}) || (flags.exists && !flags.empty));
    a_purge: assert property (@(posedge clk_i) disable iff (!rst_ni)
      request_i.op != QueuePurge || (purge_valid_q && purge_id_q == id_q));
    a_priority: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(request_i.op inside {QueuePush, QueuePopPush}) || 32'(request_i.prio) < MessagePriorities);

    a_slots_conserve: assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(free_q) + 32'($countones(used_q)) == Messages);
    a_slot_was_free: assert property (@(posedge clk_i) disable iff (!rst_ni) !pushes_q || !used_q[free_slot]);
    a_slot_was_used: assert property (@(posedge clk_i) disable iff (!rst_ni) !(gives_back || swaps_q) || used_q[popped_q]);
    a_count_conserves: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !fresh_q || top.valid == (numbers.count != '0));
    a_flags: assert property (@(posedge clk_i) disable iff (!rst_ni) !fresh_q || !flags.exists ||
      (flags.empty == (numbers.count == '0) && flags.full == (numbers.count == numbers.capacity)));
    a_reserved: assert property (@(posedge clk_i) disable iff (!rst_ni)
      room_q <= free_q && (!fresh_q || numbers.count <= numbers.capacity));
    a_record_collision: assert property (@(posedge clk_i) disable iff (!rst_ni) !read || !(clear_i || record_we));
    a_stack_collision: assert property (@(posedge clk_i) disable iff (!rst_ni) !frees_q || free_top != slot_t'(free_q));
    a_word_collision: assert property (@(posedge clk_i) disable iff (!rst_ni) !word_read || !word_we);
`endif
  end

endmodule
