// SPDX-License-Identifier: Apache-2.0
// mel_priority_list: tasks in doubly linked lists, one list per (object, priority), with a priority bitmap and a cached top
// per object. A task is in at most one list. Instances: ready set (one object per affinity of tasks), due set (one object), wait set (one
// per object that is waited for), held set (one per task; what stands in it are the mutexes that the task owns), messages.
//
// Timing: a request is accepted (A) when `ready`; every operation changes the lists in the next cycle (B), rotate in the
// one after (B2). Removing the last task of the most urgent list reads the new top in one more cycle (C). So: insert 2,
// remove 2 or 3, rotate 3 cycles. `done`: the tops are known in the next cycle: in cycle B of an insertion, in the cycle
// after other operations. With `Registers` the next request may be accepted in cycle C. The same for any content and any number of tasks.
// `top_o`: with `Registers` the current top of every object; else the top of the object requested (also with ListNone) in the
// last cycle in which `ready` was high.
//
// Memories: heads and tails, links: synchronous read, block RAM (as LUT-RAM, five lists would take 600 cells more); never cleared, because the bitmap says which
// of their words mean something. Bitmaps and tops: registers, for few objects; else memories, synchronous read, cleared by `clear_i`,
// one object per cycle. Whatever is used of a location was not read in the cycle in which it was written.
module mel_priority_list
  import mel_unit_pkg::*;
#(
  parameter int unsigned Tasks      = 64,   // 1..256
  parameter int unsigned Priorities = 32,   // 2..256, 0 is the most urgent
  parameter int unsigned Objects    = 1,    // 1..384
  parameter bit          Registers  = (Objects == 1),
  localparam int unsigned Tops      = Registers ? Objects : 1
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          clear_i,
  input  line_t         clear_index_i,

  input  list_request_t request_i,
  output list_state_t   state_o,

  output top_t [Tops-1:0] top_o,
  output top_t          top_after_o    // top of the last operation's object, once it is `settled`
);

  localparam int unsigned TaskW   = (Tasks > 1) ? $clog2(Tasks) : 1;
  localparam int unsigned PrioW   = $clog2(Priorities);
  localparam int unsigned ObjectW = (Objects > 1) ? $clog2(Objects) : 0;
  localparam int unsigned EndsW   = ObjectW + PrioW;

  typedef logic [TaskW-1:0] task_id_t;
  typedef logic [PrioW-1:0] level_t;
  typedef logic [EndsW-1:0] ends_index_t;
  typedef struct packed { task_id_t head; task_id_t tail; } ends_t;
  typedef struct packed { logic valid; level_t prio; task_id_t task_id; } place_t;   // top_t, narrow

  typedef enum logic [1:0] { StateIdle, StateChange, StateRotate, StateRefresh } state_e;

  function automatic ends_index_t ends_index(line_t object, level_t prio);
    return ends_index_t'({object, prio});
  endfunction

  function automatic top_t widen(place_t place);
    return '{valid: place.valid, prio: prio_t'(place.prio), task_id: id_t'(place.task_id)};
  endfunction

  state_e   state_q, state_d;
  list_op_e op_q;
  line_t    object_q;
  level_t   prio_q;
  task_id_t task_id_q;

  logic ready, accept, inserts;
  assign inserts = (state_q == StateChange) && (op_q == ListInsertTail || op_q == ListInsertHead);
  assign ready   = (state_q == StateIdle) || (Registers && state_q == StateRefresh);
  assign accept  = ready && (request_i.op != ListNone);
  assign state_o = '{
    ready:   ready,
    settled: state_q == StateIdle,
    done:    state_q == StateIdle || inserts
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateIdle;
      op_q    <= ListNone;
    end else begin
      state_q <= accept ? StateChange : state_d;
      if (accept) op_q <= request_i.op;
    end
  end

  // Whether a request comes is known late in its cycle: whatever it would work on is taken, and read, anyway.
  always_ff @(posedge clk_i) begin
    if (ready) begin
      object_q  <= request_i.object;
      prio_q    <= level_t'(request_i.prio);
      task_id_q <= task_id_t'(request_i.task_id);
    end
  end

  // ---- heads and tails, links -----------------------------------------------------------------------------------------

  (* no_rw_check, ram_style = "block" *) ends_t    ends_mem [2**EndsW];
  ends_t       ends, ends_wdata;
  ends_index_t ends_raddr;
  logic        ends_we, refresh;
  level_t      refresh_prio;
  (* no_rw_check, ram_style = "block" *) task_id_t next_mem [2**TaskW];
  (* no_rw_check, ram_style = "block" *) task_id_t prev_mem [2**TaskW];
  task_id_t    next, prev, next_waddr, prev_waddr, next_wdata, prev_wdata;
  logic        next_we, prev_we;

  always_ff @(posedge clk_i) begin
    if (ends_we) ends_mem[ends_index(object_q, prio_q)] <= ends_wdata;
    if (ready || refresh) ends <= ends_mem[ends_raddr];
  end
  assign ends_raddr = refresh ? ends_index(object_q, refresh_prio) :
                                ends_index(request_i.object, level_t'(request_i.prio));

  always_ff @(posedge clk_i) begin
    if (next_we) next_mem[next_waddr] <= next_wdata;
    next <= next_mem[(state_q == StateChange) ? ends.head : task_id_t'(request_i.task_id)];
  end

  always_ff @(posedge clk_i) begin
    if (prev_we) prev_mem[prev_waddr] <= prev_wdata;
    if (ready) prev <= prev_mem[task_id_t'(request_i.task_id)];
  end

  // ---- bitmap and top of the object -----------------------------------------------------------------------------------

  logic [Priorities-1:0] bitmap, bitmap_d;
  place_t                top, top_d;
  logic                  bitmap_we, top_we;

  if (Registers) begin : gen_registers
    logic [Objects-1:0][Priorities-1:0] bitmaps_q;
    place_t [Objects-1:0]               tops_q;
    logic [Objects-1:0]                 worked_on;   // by the operation
    for (genvar i = 0; i < Objects; i++) begin : gen_object
      assign worked_on[i] = (Objects == 1) || object_q == line_t'(i);
      assign top_o[i]     = widen(tops_q[i]);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          bitmaps_q[i] <= '0;
          tops_q[i]    <= '0;
        end else begin
          if (bitmap_we && worked_on[i]) bitmaps_q[i] <= bitmap_d;
          if (top_we && worked_on[i])    tops_q[i]    <= top_d;
        end
      end
    end
    always_comb begin
      bitmap = '0;
      top    = '0;
      for (int unsigned i = 0; i < Objects; i++) begin
        if (worked_on[i]) begin
          bitmap |= bitmaps_q[i];
          top    |= tops_q[i];
        end
      end
    end
    logic unused_clear;
    assign unused_clear = ^{clear_i, clear_index_i};
  end else begin : gen_objects
    typedef logic [ObjectW-1:0] object_t;
    // Whether there is a top decides about the plan of a step: LUT-RAM with a register, because a block RAM's output comes
    // 5 ns later.
    typedef struct packed { level_t prio; task_id_t task_id; } first_t;
    (* no_rw_check, ram_style = "block" *)       logic [Priorities-1:0] bitmap_mem [2**ObjectW];
    (* no_rw_check, ram_style = "block" *)       first_t                first_mem  [2**ObjectW];
    (* no_rw_check, ram_style = "distributed" *) logic                  valid_mem  [2**ObjectW];
    object_t waddr;
    first_t  first;
    logic    valid;

    assign waddr = object_t'(clear_i ? clear_index_i : object_q);

    always_ff @(posedge clk_i) begin
      if (bitmap_we || clear_i) bitmap_mem[waddr] <= clear_i ? '0 : bitmap_d;
      if (ready) bitmap <= bitmap_mem[object_t'(request_i.object)];
    end
    always_ff @(posedge clk_i) begin
      if (top_we) first_mem[waddr] <= '{prio: top_d.prio, task_id: top_d.task_id};
      if (ready) first <= first_mem[object_t'(request_i.object)];
    end
    always_ff @(posedge clk_i) begin
      if (top_we || clear_i) valid_mem[waddr] <= top_d.valid && !clear_i;
      if (ready) valid <= valid_mem[object_t'(request_i.object)];
    end
    assign top   = '{valid: valid, prio: first.prio, task_id: first.task_id};
    assign top_o = widen(top);
  end

  // ---- what an operation does -----------------------------------------------------------------------------------------

  logic                  occupied, is_head, is_tail, is_top;
  logic [Priorities-1:0] here;
  logic                  other_valid;
  logic [7:0]            other_prio;

  // A decoder; a shift would be built as a barrel shifter.
  for (genvar i = 0; i < Priorities; i++) begin : gen_here
    assign here[i] = (prio_q == level_t'(i));
  end

  assign occupied = bitmap[prio_q];
  assign is_head  = (ends.head == task_id_q);
  assign is_tail  = (ends.tail == task_id_q);
  assign is_top   = (top.task_id == task_id_q);

  mel_first_set #(.Width(Priorities)) u_first_set (
    .vector_i (bitmap & ~here),
    .valid_o  (other_valid),
    .index_o  (other_prio)
  );
  assign refresh_prio = level_t'(other_prio);

  always_comb begin
    state_d    = StateIdle;
    ends_we    = 1'b0;
    ends_wdata = ends;
    next_we    = 1'b0;
    next_waddr = ends.tail;
    next_wdata = task_id_q;
    prev_we    = 1'b0;
    prev_waddr = ends.head;
    prev_wdata = task_id_q;
    bitmap_we  = 1'b0;
    bitmap_d   = bitmap | here;
    top_we     = 1'b0;
    top_d      = '{valid: 1'b1, prio: prio_q, task_id: task_id_q};
    refresh    = 1'b0;

    unique case (state_q)
      StateChange: begin
        unique case (op_q)
          ListInsertTail: begin
            ends_we    = 1'b1;
            ends_wdata = '{head: occupied ? ends.head : task_id_q, tail: task_id_q};
            next_we    = occupied;
            prev_we    = 1'b1;
            prev_waddr = task_id_q;
            prev_wdata = ends.tail;
            bitmap_we  = 1'b1;
            top_we     = !top.valid || prio_q < top.prio;
          end
          ListInsertHead: begin
            ends_we    = 1'b1;
            ends_wdata = '{head: task_id_q, tail: occupied ? ends.tail : task_id_q};
            next_we    = 1'b1;
            next_waddr = task_id_q;
            next_wdata = ends.head;
            prev_we    = occupied;
            bitmap_we  = 1'b1;
            top_we     = !top.valid || prio_q <= top.prio;
          end
          ListRemove: begin
            ends_we    = is_head != is_tail;
            ends_wdata = is_head ? '{head: next, tail: ends.tail} : '{head: ends.head, tail: prev};
            next_we    = !is_head && !is_tail;
            next_waddr = prev;
            next_wdata = next;
            prev_we    = !is_head && !is_tail;
            prev_waddr = next;
            prev_wdata = prev;
            bitmap_we  = is_head && is_tail;
            bitmap_d   = bitmap & ~here;
            top_we     = is_top && (!is_tail || !other_valid);
            top_d      = '{valid: !is_tail, prio: prio_q, task_id: next};
            refresh    = is_top && is_tail && other_valid;
            if (refresh) state_d = StateRefresh;
          end
          default: begin   // ListRotate: the second task's number is being read
            if (occupied && ends.head != ends.tail) state_d = StateRotate;
          end
        endcase
      end

      StateRotate: begin
        ends_we    = 1'b1;
        ends_wdata = '{head: next, tail: ends.head};
        next_we    = 1'b1;
        next_wdata = ends.head;
        prev_we    = 1'b1;
        prev_wdata = ends.tail;
        top_we     = (top.prio == prio_q);
        top_d      = '{valid: 1'b1, prio: prio_q, task_id: next};
      end

      StateRefresh: begin
        // refresh_prio still is the first of the others: the task's own bit is masked or already cleared.
        top_we = 1'b1;
        top_d  = '{valid: 1'b1, prio: refresh_prio, task_id: ends.head};
      end

      default: ;   // StateIdle
    endcase
  end

  place_t after_q;
  always_ff @(posedge clk_i) begin
    if (state_q != StateIdle) after_q <= top_we ? top_d : top;
  end
  assign top_after_o = widen(after_q);

`ifndef SYNTHESIS
  a_lost_request: assert property (@(posedge clk_i) disable iff (!rst_ni)
    request_i.op == ListNone || ready);
  a_remove_member: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateChange || op_q != ListRemove || (occupied && top.valid && prio_q >= top.prio));
  a_top_has_bit: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateChange || !top.valid || bitmap[top.prio]);
  a_top_valid: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateChange || top.valid == (|bitmap));
  a_top_is_head: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateChange || !top.valid || top.prio != prio_q || top.task_id == ends.head);
  a_inserted_once: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StateChange || !(op_q inside {ListInsertTail, ListInsertHead}) || !occupied || !(is_head || is_tail));
`endif

endmodule
