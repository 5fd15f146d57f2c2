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
// Timing: a link takes 4 cycles, and one more for each of the two lists that must look up its next priority: at most 6; the ready
// set ends its operation 2 later. `done_o` in the last cycle of the chain. Adopting takes 1 to 3 cycles after that (`busy_o`),
// which the caller does not wait for. A walk takes 2 cycles per link.
module mel_inheritance
  import mel_unit_pkg::*;
  import mel_plan_pkg::*;
#(
  parameter int unsigned Priorities = 32   // 2..256
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          walk_i,
  input  id_t           caller_i,
  output logic          walked_o,          // the walk ends
  output logic          cycle_o,           // … at the caller

  input  logic          start_i,
  input  logic          level_i,
  input  logic          effective_i,
  input  logic          adopt_i,
  input  id_t           mutex_id_i,
  input  id_t           owner_i,
  input  id_t           adopter_i,
  input  logic          go_i,
  output logic          done_o,
  output logic          busy_o,

  input  task_t         task_i,            // the task read last
  input  logic          apart_i,           // … runs, and is not in the ready set
  input  mutex_t        mutex_i,           // the mutex read last
  output logic          read_task_o,
  output id_t           read_task_id_o,
  output logic          read_mutex_o,
  output id_t           read_mutex_id_o,

  output logic          prio_we_o,         // of the task read last
  output prio_t         prio_o,
  output change_t       change_o,
  output flag_wait_op_e flag_wait_op_o,

  output logic          mutex_we_o,
  output id_t           mutex_write_id_o,
  output mutex_t        mutex_o,

  // `object` is the mutex of wait requests, the owner of held requests; `task_id` of held requests is the mutex.
  output list_request_t ready_request_o,
  input  list_state_t   ready_state_i,
  output list_op_e      wait_op_o,
  output wait_e         wait_kind_o,
  output id_t           wait_id_o,
  output prio_t         wait_prio_o,
  output id_t           wait_task_o,
  input  list_state_t   wait_state_i,
  input  top_t          wait_after_i,
  output list_request_t due_request_o,
  input  list_state_t   due_state_i,
  output list_request_t held_request_o,
  input  list_state_t   held_state_i,
  input  top_t          held_after_i
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
  id_t    mutex_q, owner_q, adopter_q, caller_q;
  prio_t  level_q, prio_q;
  logic   shift_ready_q, shift_wait_q, shift_due_q, next_link_q;

  // ---- the level of a mutex -------------------------------------------------------------------------------------------

  logic  leveling, level_stays, adopting;
  prio_t top, new_level;

  // In StateShift the wait set has removed the owner, which is about to be inserted again.
  always_comb begin
    top = wait_after_i.valid ? wait_after_i.prio : Lowest;
    if (state_q == StateShift) top = more_urgent(top, prio_q);
    new_level = mutex_i.has_ceiling ? more_urgent(top, mutex_i.ceiling) : top;
  end
  assign level_stays = !mutex_i.exists || !mutex_i.owned || new_level == mutex_i.level;

  // ---- the priority of its owner --------------------------------------------------------------------------------------

  prio_t inherited, own_prio;
  logic  listed, changed;

  always_comb begin
    inherited = held_after_i.valid ? held_after_i.prio : Lowest;
    if (insert_q) inherited = more_urgent(inherited, level_q);
    own_prio = more_urgent(task_i.base_prio, inherited);
  end
  assign listed  = is_runnable(task_i) && !apart_i;
  assign changed = !task_i.dormant && own_prio != task_i.prio;

  // Started and told to go in the same cycle, when the plan has no list operation to wait for.
  logic level, effective, adopt;
  assign level     = start_i ? level_i : level_pending_q;
  assign effective = start_i ? effective_i : effective_pending_q;
  assign adopt     = start_i ? adopt_i : adopt_q;

  // ---- states ---------------------------------------------------------------------------------------------------------

  logic lists_ready, rest_done;
  assign lists_ready = ready_state_i.ready && wait_state_i.ready && due_state_i.ready && held_state_i.ready;

  always_comb begin
    state_d         = state_q;
    walked_o        = 1'b0;
    cycle_o         = 1'b0;
    rest_done       = 1'b0;
    leveling        = 1'b0;
    adopting        = 1'b0;
    read_task_o     = 1'b0;
    read_task_id_o  = mutex_i.owner;
    read_mutex_o    = 1'b0;
    read_mutex_id_o = task_i.object;
    prio_we_o       = 1'b0;
    flag_wait_op_o  = FlagWaitNone;
    ready_request_o = '{op: ListNone, object: '0, prio: task_i.prio, task_id: owner_q};
    due_request_o   = '{op: ListNone, object: '0, prio: task_i.prio, task_id: owner_q};
    wait_op_o       = ListNone;
    wait_kind_o     = task_i.waits;
    wait_id_o       = task_i.object;
    wait_prio_o     = task_i.prio;
    held_request_o  = '{op: ListNone, object: line_t'(mutex_i.owner), prio: mutex_i.level, task_id: mutex_q};

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
          read_mutex_o = 1'b1;
          state_d      = StateWalkMutex;
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
          read_task_o = 1'b1;
          state_d     = StateWalk;
        end
      end

      StateLevel: leveling = wait_state_i.settled;

      StateEffective: begin
        if (held_state_i.settled) begin
          held_request_o = '{op: insert_q ? ListInsertTail : ListNone, object: line_t'(owner_q), prio: level_q,
                             task_id: mutex_q};
          if (changed) begin
            prio_we_o          = 1'b1;
            ready_request_o.op = listed ? ListRemove : ListNone;
            wait_op_o          = in_list(task_i.waits) ? ListRemove : ListNone;
            due_request_o.op   = task_i.due ? ListRemove : ListNone;
            if (task_i.waits == WaitFlags) flag_wait_op_o = FlagWaitMove;
            read_mutex_o       = (task_i.waits == WaitMutex);
            state_d = (listed || in_list(task_i.waits) || task_i.due) ? StateShift : StateSettle;
          end else begin
            rest_done = 1'b1;
          end
        end
      end

      StateShift: begin
        ready_request_o.prio = prio_q;
        due_request_o.prio   = prio_q;
        wait_prio_o          = prio_q;
        if (lists_ready) begin
          if (shift_ready_q) ready_request_o.op = ListInsertHead;
          if (shift_due_q)   due_request_o.op   = ListInsertTail;
          if (shift_wait_q)  wait_op_o          = ListInsertTail;
          if (next_link_q) leveling = 1'b1;
          else             state_d  = StateSettle;
        end
      end

      StateSettle: rest_done = ready_state_i.done;

      default: begin   // StateAdopt: the level that the mutex has without its new owner
        if (wait_state_i.settled && held_state_i.settled) begin
          adopting       = 1'b1;
          held_request_o = '{op: ListInsertTail, object: line_t'(adopter_q), prio: new_level, task_id: mutex_q};
          state_d        = StateIdle;
        end
      end
    endcase

    if (leveling) begin
      if (level_stays) begin
        rest_done = 1'b1;
      end else begin
        held_request_o.op = ListRemove;
        read_task_o       = 1'b1;
        state_d           = StateEffective;
      end
    end
    if (rest_done) begin
      state_d = adopt ? StateAdopt : StateIdle;
      if (adopt) begin
        read_mutex_o    = 1'b1;
        read_mutex_id_o = (state_q == StateIdle && start_i) ? mutex_id_i : mutex_q;
      end
    end
  end

  assign done_o = rest_done;   // an adoption is not waited for
  assign busy_o = state_q != StateIdle;

  assign prio_o      = own_prio;
  assign wait_task_o = owner_q;
  always_comb begin
    change_o           = '0;
    change_o.task_id   = owner_q;
    change_o.sets_prio = 1'b1;
    change_o.prio      = own_prio;
  end

  assign mutex_we_o       = (leveling && !level_stays) || adopting;
  assign mutex_write_id_o = mutex_q;
  always_comb begin
    mutex_o       = mutex_i;
    mutex_o.level = new_level;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q             <= StateIdle;
      level_pending_q     <= 1'b0;
      effective_pending_q <= 1'b0;
      adopt_q             <= 1'b0;
    end else begin
      state_q <= state_d;
      if (start_i) begin
        level_pending_q     <= level_i;
        effective_pending_q <= effective_i;
        adopt_q             <= adopt_i;
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
      prio_q        <= own_prio;
      shift_ready_q <= listed;
      shift_wait_q  <= in_list(task_i.waits);
      shift_due_q   <= task_i.due;
      next_link_q   <= (task_i.waits == WaitMutex);
      if (held_state_i.settled && changed && task_i.waits == WaitMutex) mutex_q <= task_i.object;
    end
  end

`ifndef SYNTHESIS
  a_started_idle: assert property (@(posedge clk_i) disable iff (!rst_ni) !(start_i || walk_i) || state_q == StateIdle);
  a_one_link_at_a_time: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(leveling && !level_stays) || held_state_i.ready);
`endif

endmodule
