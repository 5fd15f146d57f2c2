// SPDX-License-Identifier: Apache-2.0
// mel_inheritance: priority inheritance: what a change of a mutex's waiters or owner does to the priorities of tasks.
//
// An owned mutex stands in the held set of its owner, at its `level`: the priority of its most urgent waiter, or its ceiling when
// that is more urgent. A task's priority is the more urgent of its base priority and the top of its held set. One link of a
// chain: the level of a mutex changes; it moves in its owner's held set; the owner's priority changes; the owner moves in the
// lists in which it stands; when it waits for a mutex itself, that is the next link. A chain has no cycle, because a lock
// that would close one is refused: `walk_i` follows owners and waiters and looks for the caller.
//
// Started in the cycle in which mel_sequencer plans a step, for what follows the plan:
//   level_i       the waiters of `mutex_id_i` change: its record is being read
//   effective_i   `owner_i` no longer owns the mutex (the held set's operation is being started): its record is being read
//   adopt_i       besides, after these: the mutex goes to the held set of `adopter_i`, who owns it now
// Once the sequencer says `go_i` (its own list operations have started) it takes over the table reads and list requests.
//
// Timing: a link takes 4 cycles, and one more for each of the two lists that must look up its next priority: at most 6, and 5 when
// the owner becomes more urgent, because the lookups then overlap; the last one at most 7, till `done_o` in the last cycle of the
// chain. Adopting takes 1 to 3 cycles after that (`busy_o`), which the caller does not wait for. A walk takes 2 cycles per link.
module mel_inheritance
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Priorities = 32   // 2..256
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           walk_i,
  input  id_t            caller_i,
  output logic           walked_o,          // the walk ends
  output logic           cycle_o,           // … at the caller

  input  logic           start_i,
  input  logic           level_i,
  input  logic           effective_i,
  input  logic           adopt_i,
  input  id_t            mutex_id_i,
  input  id_t            owner_i,
  input  id_t            adopter_i,
  input  logic           go_i,
  output logic           short_o,           // started before, and ends in the cycle of `go_i`: nothing but an adoption
  output logic           done_o,
  output logic           busy_o,

  input  task_t          task_i,            // the task read last
  input  logic           running_i,         // … is a core's running task
  input  logic           apart_i,           // … and is not in the ready set
  input  mutex_t         mutex_i,           // the mutex read last
  input  lists_t         lists_i,
  output reads_t         reads_o,
  output lists_request_t lists_o,
  output inherit_t       writes_o
);

  localparam prio_t Lowest = prio_t'(Priorities - 1);

  typedef enum logic [2:0] {
    StateIdle,
    StateWalk,        // the record of an owner is there
    StateWalkMutex,   // the record of the mutex that it waits for is there
    StateLevel,       // waits for the wait set; then the mutex's record and its top waiter are known
    StateEffective,   // waits for the held set; then the owner's record and what it inherits are known
    StateShift,       // waits for the lists; then the owner is inserted again
    StateSettle,      // waits for the ready set; dispatchers have heard of the change
    StateAdopt
  } state_e;

  state_e state_q, state_d;
  logic   level_pending_q, effective_pending_q, adopt_q, insert_q;
  id_t    mutex_q, owner_q, adopter_q, caller_q, held_owner_q, held_mutex_q;
  prio_t  level_q, prio_q;
  logic   shift_ready_q, shift_wait_q, shift_due_q, next_link_q, running_q;

  // ---- the level of a mutex -------------------------------------------------------------------------------------------

  logic  leveling, level_stays, adopting;
  prio_t top, new_level;

  // In StateShift the wait set has removed the owner, which is about to be inserted again.
  always_comb begin
    top = lists_i.waiter_after.valid ? lists_i.waiter_after.prio : Lowest;
    if (state_q == StateShift) top = more_urgent(top, prio_q);
    new_level = mutex_i.has_ceiling ? more_urgent(top, mutex_i.ceiling) : top;
  end
  assign level_stays = !mutex_i.exists || !mutex_i.owned || new_level == mutex_i.level;

  // ---- the priority of its owner --------------------------------------------------------------------------------------

  prio_t inherited, own_prio;
  logic  listed, moves, raised, changed, prio_we, flag_move;

  always_comb begin
    inherited = lists_i.inherited_after.valid ? lists_i.inherited_after.prio : Lowest;
    if (insert_q) inherited = more_urgent(inherited, level_q);
    own_prio = raised ? level_q : more_urgent(task_i.base_prio, inherited);
  end
  assign listed  = is_runnable(task_i) && !apart_i;
  assign moves   = listed || in_list(task_i.waits) || task_i.due;
  // More urgent than all that it had: what its other mutexes give makes no difference and need not be looked up.
  assign raised  = insert_q && !task_i.dormant && level_q < task_i.prio;
  assign changed = !task_i.dormant && own_prio != task_i.prio;

  // Started and told to go in the same cycle, when the plan has no list operation to wait for.
  logic level, effective, adopt, adopts;
  assign level     = start_i ? level_i : level_pending_q;
  assign effective = start_i ? effective_i : effective_pending_q;
  assign adopt     = start_i ? adopt_i : adopt_q;

  // ---- states ---------------------------------------------------------------------------------------------------------

  // The lists of an unlock's waiter may still change when those of its owner are to: one that yielded or waits, and runs on.
  logic task_lists_ready, lists_ready, effective_ready, rest_done;
  logic held_late_q;   // the mutex is still to be inserted in the owner's held set
  assign task_lists_ready = lists_i.ready.ready && lists_i.waits.ready && lists_i.due.ready;
  assign lists_ready      = task_lists_ready && lists_i.held.ready && !held_late_q;
  assign effective_ready  = (lists_i.held.settled || raised) && (task_lists_ready || !moves);

  always_comb begin
    state_d   = state_q;
    walked_o  = 1'b0;
    cycle_o   = 1'b0;
    rest_done = 1'b0;
    leveling  = 1'b0;
    adopting  = 1'b0;

    reads_o          = '0;
    reads_o.task_id  = mutex_i.owner;
    reads_o.mutex_id = task_i.object;
    if (adopts) begin
      reads_o.mutex_en = 1'b1;
      reads_o.mutex_id = mutex_q;
    end
    lists_o = '{
      ready: '{op: ListNone, object: line_t'(task_i.affinity), prio: task_i.prio, task_id: owner_q},
      waits: '{op: ListNone, kind: task_i.waits, object: task_i.object, prio: task_i.prio, task_id: owner_q},
      due:   '{op: ListNone, object: '0, prio: task_i.prio, task_id: owner_q},
      held:  '{op: ListNone, object: line_t'(mutex_i.owner), prio: mutex_i.level, task_id: mutex_q}
    };
    prio_we   = 1'b0;
    flag_move = 1'b0;

    unique case (state_q)
      StateIdle: begin
        if (walk_i) state_d = StateWalk;
        else if (go_i) begin
          if (effective)  state_d = StateEffective;
          else if (level) state_d = StateLevel;
          else            rest_done = 1'b1;
        end
      end

      StateWalk: begin
        if (task_i.waits == WaitMutex) begin
          reads_o.mutex_en = 1'b1;
          state_d          = StateWalkMutex;
        end else begin
          walked_o = 1'b1;
          state_d  = StateIdle;
        end
      end

      StateWalkMutex: begin
        if (!mutex_i.exists || !mutex_i.owned || mutex_i.owner == caller_q) begin
          walked_o = 1'b1;
          cycle_o  = mutex_i.exists && mutex_i.owned;
          state_d  = StateIdle;
        end else begin
          reads_o.task_en = 1'b1;
          state_d         = StateWalk;
        end
      end

      StateLevel: leveling = lists_i.waits.settled;

      StateEffective: begin
        if (effective_ready) begin
          lists_o.held = '{op: (insert_q && lists_i.held.ready) ? ListInsertTail : ListNone, object: line_t'(owner_q),
                           prio: level_q, task_id: mutex_q};
          if (changed) begin
            prio_we          = 1'b1;
            flag_move        = (task_i.waits == WaitFlags);
            lists_o.ready.op = listed ? ListRemove : ListNone;
            lists_o.waits.op = in_list(task_i.waits) ? ListRemove : ListNone;
            lists_o.due.op   = task_i.due ? ListRemove : ListNone;
            reads_o.mutex_en = (task_i.waits == WaitMutex);
            state_d = moves ? StateShift : StateSettle;
          end else begin
            rest_done = 1'b1;
          end
        end
      end

      StateShift: begin
        lists_o.ready.prio = prio_q;
        lists_o.due.prio   = prio_q;
        lists_o.waits.prio = prio_q;
        if (lists_ready) begin
          if (shift_ready_q) lists_o.ready.op = running_q ? ListInsertHead : ListInsertTail;
          if (shift_due_q)   lists_o.due.op   = ListInsertTail;
          if (shift_wait_q)  lists_o.waits.op = ListInsertTail;
          if (next_link_q)   leveling         = 1'b1;
          else               state_d          = StateSettle;
        end
      end

      StateSettle: rest_done = lists_i.ready.done && !held_late_q;

      default: begin   // StateAdopt: the level that the mutex has without its new owner
        if (lists_i.waits.settled && lists_i.held.settled) begin
          adopting     = 1'b1;
          lists_o.held = '{op: ListInsertTail, object: line_t'(adopter_q), prio: new_level, task_id: mutex_q};
          state_d      = StateIdle;
        end
      end
    endcase

    if (held_late_q && lists_i.held.ready) begin
      lists_o.held = '{op: ListInsertTail, object: line_t'(held_owner_q), prio: level_q, task_id: held_mutex_q};
    end
    if (leveling) begin
      if (level_stays) begin
        rest_done = 1'b1;
      end else begin
        lists_o.held.op = ListRemove;
        reads_o.task_en = 1'b1;
        state_d         = StateEffective;
      end
    end
    if (rest_done) begin
      state_d = adopt ? StateAdopt : StateIdle;
      if (adopt && state_q != StateIdle) begin
        reads_o.mutex_en = 1'b1;
        reads_o.mutex_id = mutex_q;
      end
    end
  end

  assign short_o = !level_pending_q && !effective_pending_q;
  assign adopts  = short_o && adopt_q && state_q == StateIdle;   // soon: its mutex is read until then
  assign done_o  = rest_done;   // an adoption is not waited for
  assign busy_o = state_q != StateIdle;

  always_comb begin
    writes_o = '{
      prio_we:      prio_we,
      prio:         own_prio,
      change:       '0,
      flag_wait_op: flag_move ? FlagWaitMove : FlagWaitNone,
      mutex_we:     (leveling && !level_stays) || adopting,
      mutex_id:     mutex_q,
      mutex_entry:  mutex_i
    };
    writes_o.change.task_id    = owner_q;
    writes_o.change.sets_prio  = 1'b1;
    writes_o.change.prio       = own_prio;
    writes_o.mutex_entry.level = new_level;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q             <= StateIdle;
      level_pending_q     <= 1'b0;
      effective_pending_q <= 1'b0;
      adopt_q             <= 1'b0;
      held_late_q         <= 1'b0;
    end else begin
      state_q <= state_d;
      if (state_q == StateEffective && effective_ready) held_late_q <= insert_q && !lists_i.held.ready;
      else if (lists_i.held.ready)                      held_late_q <= 1'b0;
      if (start_i) begin
        level_pending_q     <= level_i;
        effective_pending_q <= effective_i;
        adopt_q             <= adopt_i;
      end else if (adopting) begin
        adopt_q             <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (walk_i) caller_q <= caller_i;
    if (start_i) begin
      mutex_q   <= mutex_id_i;
      owner_q   <= owner_i;
      adopter_q <= adopter_i;
      insert_q  <= 1'b0;
    end
    if (leveling && !level_stays) begin
      owner_q  <= mutex_i.owner;
      level_q  <= new_level;
      insert_q <= 1'b1;
    end
    if (state_q == StateEffective) begin
      held_owner_q  <= owner_q;
      held_mutex_q  <= mutex_q;
      prio_q        <= own_prio;
      shift_ready_q <= listed;
      running_q     <= running_i;
      shift_wait_q  <= in_list(task_i.waits);
      shift_due_q   <= task_i.due;
      next_link_q   <= (task_i.waits == WaitMutex);
      if (effective_ready && changed && task_i.waits == WaitMutex) mutex_q <= task_i.object;
    end
  end

`ifndef SYNTHESIS
  a_started_idle: assert property (@(posedge clk_i) disable iff (!rst_ni) !(start_i || walk_i) || state_q == StateIdle);
  a_short: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(state_q == StateIdle && go_i) || rest_done == (!start_i && short_o));
  a_one_link_at_a_time: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(leveling && !level_stays) || lists_i.held.ready);
`endif

endmodule
