// SPDX-License-Identifier: Apache-2.0
// mel_unit_pkg: the types that the modules of the hardware unit share.
// Numbers of tasks, objects and interrupts, and priorities, are 8 bits wide between modules; memories keep only the bits
// that a parameter needs, so that synthesis removes the rest. `task` and `priority` are keywords of the language: the
// fields are called `task_id` and `prio`.
package mel_unit_pkg;

  typedef logic [7:0] id_t;
  typedef logic [7:0] prio_t;
  typedef logic [8:0] line_t;        // an object of a set of lists; a line of a table that is being cleared
  typedef logic [2:0] affinity_t;    // cores of a task: 0 any core, n: core n - 1
  typedef logic signed [7:0] status_t;

  // One operation on a set of priority lists.
  typedef enum logic [2:0] {
    ListNone,
    ListInsertTail,
    ListInsertHead,
    ListRemove,
    ListRotate      // the first task of the list goes behind the others; `task_id` is not used
  } list_op_e;

  typedef struct packed {
    list_op_e op;
    line_t    object;
    prio_t    prio;
    id_t      task_id;
  } list_request_t;

  typedef struct packed {
    logic ready;     // a request is accepted
    logic settled;   // no operation is under way
    logic done;      // the outcome of an operation is known
  } list_state_t;

  // The first task of the most urgent list that is not empty.
  typedef struct packed {
    logic  valid;
    prio_t prio;
    id_t   task_id;
  } top_t;

  // The last three stand in the wait set.
  typedef enum logic [2:0] {
    WaitNone, WaitSleep, WaitDelay, WaitFlags, WaitNotification, WaitSemaphore, WaitMutex, WaitQueue
  } wait_e;

  function automatic logic in_list(wait_e waits);
    return waits inside {WaitSemaphore, WaitMutex, WaitQueue};
  endfunction

  // The task table's record of a task. `due`: it is in the due set, its deadline is no longer in the deadline memory.
  // `initial_prio` is what it starts with, `base_prio` what task_set_priority made of it, `prio` that or what it inherits.
  typedef struct packed {
    logic       exists;
    logic       dormant;
    logic       suspended;
    logic       due;
    wait_e      waits;
    prio_t      prio;
    prio_t      base_prio;
    prio_t      initial_prio;
    logic [3:0] wakeups;
    affinity_t  affinity;
    id_t        object;       // that it waits for; for a notification: keep_e
  } task_t;

  // `empty` and `full` are kept beside the count, so that nothing is compared where time is short.
  typedef struct packed {
    logic        exists;
    logic        empty;
    logic        full;
    logic [15:0] count;
    logic [15:0] maximum;
  } semaphore_t;

  // A group of event flags.
  typedef struct packed {
    logic        exists;
    logic [31:0] flags;
  } event_flags_t;

  typedef enum logic [1:0] { FlagWaitNone, FlagWaitAdd, FlagWaitRemove, FlagWaitMove } flag_wait_op_e;

  // A change among the tasks that wait for event flags. Remove uses `task_id` and `group`, Move `task_id` and `prio`.
  typedef struct packed {
    flag_wait_op_e op;
    id_t           task_id;
    id_t           group;
    logic [31:0]   pattern;
    logic          all;      // waits for all flags of the pattern; else any
    logic          take;     // clears the pattern's flags when it is released
    prio_t         prio;
  } flag_wait_t;

  // The waiting tasks of a group are judged.
  typedef struct packed {
    logic        valid;
    id_t         group;
    logic [31:0] flags;      // after setting
    logic        remove;     // the group is deleted: every condition counts as fulfilled
  } flag_judge_t;

  // Tasks that event flags release.
  typedef struct packed {
    logic        any;        // there is a released task
    top_t        first;      // the most urgent of them, equal priorities by number; valid: it is known
    logic        deleted;    // … because its group was deleted
    logic [31:0] value;      // … the flags that released it, two cycles after `first.valid` rose, and later
  } flag_released_t;

  // Operation on a message queue. `word`: the message; its capacity when it is created.
  typedef enum logic [2:0] {
    QueueNone,
    QueueCreate,
    QueueDelete,
    QueuePush,
    QueuePop,
    QueuePopPush,   // a message leaves, another enters: a waiting sender's
    QueuePurge      // a message of the deleted queue leaves
  } queue_op_e;

  typedef struct packed {
    queue_op_e   op;
    logic [31:0] word;
    prio_t       prio;   // priority of the message
  } queue_request_t;

  // The numbers mean something while it exists.
  typedef struct packed {
    logic        exists;
    logic        empty;
    logic        full;
    logic [15:0] capacity;
    logic [15:0] count;
  } queue_t;

  // `level`: of the held set, in which a mutex stands while it is owned: what its owner inherits from it.
  typedef struct packed {
    logic       exists;
    logic       owned;
    id_t        owner;
    prio_t      level;
    logic       has_ceiling;
    prio_t      ceiling;
    logic       abandoned;
    logic [7:0] locks;
  } mutex_t;

  // `zero`: the value is 0; it is kept beside it, so that nothing is compared where time is short.
  typedef struct packed {
    logic        pending;
    logic        zero;
    logic [31:0] value;
  } notification_t;

  // Rest of the value when a task gets its notification: the bits that it did not ask to be cleared, one less, nothing.
  typedef enum logic [1:0] { KeepOthers, KeepRest, KeepNone } keep_e;

  // Request of a core to the sequencer.
  typedef enum logic [2:0] {
    AccessCommand, AccessQuery, AccessDispatch, AccessClaim, AccessOperand, AccessValue
  } access_e;

  typedef struct packed {
    access_e     kind;
    mel_pkg::op_t  op;
    id_t         id;
    logic [31:0] argument;
  } access_t;

  // Source of one step of the sequencer.
  typedef enum logic [3:0] {
    SourceReclaim,   // a running task that lost its turn has it again
    SourceSlice,     // a running task has used its quantum
    SourceCommand, SourceQuery, SourceDispatch, SourceClaim, SourceOperand, SourceValue, SourceIrq,
    SourceFlags,     // a task that event flags released leaves
    SourceTimeout,
    SourceDrain,     // a waiter of a deleted object leaves
    SourceOrphan,    // a mutex of a task that ended is unlocked
    SourcePurge,     // a message of a deleted queue goes
    SourceCollect
  } source_e;

  // An edge to be served.
  typedef struct packed {
    logic       valid;
    id_t        number;
    logic [2:0] action;
    id_t        object;
    logic [31:0] word;     // the flags or the message of the action
    logic       handler;   // it is also offered to a C handler
    logic       offered;   // the handler has not yet claimed an earlier edge
  } irq_request_t;

  // The interrupt that the next handler takes.
  typedef struct packed {
    logic valid;
    id_t  number;
  } claim_t;

  typedef enum logic [2:0] { IrqOpNone, IrqOpMap, IrqOpEnable, IrqOpDisable, IrqOpRaise } irq_op_e;

  // The operand of a context; what is decided by early is kept beside it.
  typedef struct packed {
    logic        zero;
    logic        one;
    logic        endless;    // as a timeout
    logic        negative;
    logic        is_prio;    // a message priority
    logic [31:0] word;
  } operand_t;

  // Records of the tables about the object of a step.
  typedef struct packed {
    id_t        subject;         // the task whose record is in `record`
    task_t      record;
    logic       running;         // the subject is a core's running task
    logic       caller;          // … of the caller's core
    logic       apart;           // … and not in the ready set
    logic       keeps_core;      // … and its core's dispatch is disabled
    logic       released;        // by event flags; it has not left yet
    top_t       held;            // the most urgent mutex that it owns, at its level
    semaphore_t semaphore;
    event_flags_t flags;
    logic       waited;          // somebody waits for the flags
    queue_t     messages;
    mutex_t     mutex;
    notification_t notification;   // the subject's
    top_t       waiter;          // the object's most urgent waiter
    operand_t   operand;         // the caller's
  } found_t;

  // Inputs to the choice of a core (mel_best), from registers.
  typedef struct packed {
    logic  enabled;           // dispatch
    logic  running_valid;
    id_t   running;
    prio_t prio;
    logic  goes_on;           // runnable, and has not lost its turn
  } turn_t;

  // State of one core. `listed`: the running task is runnable, lost its turn, and stands in the ready set like the others.
  // `ended`: it has ended, whatever became of it since.
  typedef struct packed {
    logic    running_valid;   // 0: idle
    id_t     running;
    prio_t   prio;            // priority of the running task
    affinity_t affinity;      // affinity of the running task
    logic    runnable;
    logic    listed;
    logic    waits;
    logic    ended;
    status_t result;          // result of the running task
    logic    in_handler;
    logic    enabled;         // dispatch enabled
    logic    due;             // chosen differs from running
    top_t    best;            // top of the ready set for this core
    logic    take_best;       // chosen is the best of the ready set for this core, of this affinity:
    affinity_t best_affinity;
    logic    chosen_valid;    // 0: idle
    id_t     chosen;
  } core_t;

  // Effects of a step on the core that asked for it.
  typedef struct packed {
    logic serving;            // its command is being executed
    logic command;            // … and ends
    logic ends;               // a step ends, whoever asked for it
    logic enable;
    logic disable_dispatch;
    logic dispatch;
    logic claim;
    logic reclaim;
  } core_step_t;

  // Changes of a task by a step; a core whose running task it is takes note.
  typedef struct packed {
    id_t     task_id;
    logic    gets_ready;    // into the ready set, at the tail
    logic    gets_unready;  // dormant or suspended
    logic    ends;          // dormant
    logic    leaves_wait;
    logic    sets_result;
    status_t result;
    logic    sets_prio;
    prio_t   prio;
    logic    requeues;      // the running task goes behind the others
  } change_t;

  // Report of a step to dispatchers: changes one at a time (`valid`), and the outcome of a command (core_step_t.command).
  typedef struct packed {
    logic    valid;
    change_t change;
    status_t status;
    logic    caller_waits;
  } finish_t;

  // Outputs of timers.
  typedef struct packed {
    logic        scanning;       // a timeout of 1 is for the due set
    logic [31:0] time_low;
    logic        collect_valid;  // a task to be moved to the due set
    id_t         collect_id;
    logic        timeout_valid;  // a task whose timeout has expired
    id_t         timeout_id;
  } timers_t;

  // Contents of the monitor's registers, for one core.
  typedef struct packed {
    logic              there;
    logic [31:0]       longest_wait;
    logic [15:0][31:0] histogram;
  } monitor_t;

  // A deadline that was missed, or a budget that is used up.
  typedef struct packed {
    logic valid;
    logic budget;
    id_t  task_id;
  } report_t;

  typedef struct packed {
    logic [31:0] missed;
    logic [31:0] overruns;
    logic [31:0] reported;
  } watch_t;

  // The end of a step, as it is reported.
  typedef struct packed {
    logic         valid;
    source_e      source;
    logic [1:0]   core;
    core_t        state;         // state of the core before the step
    access_t      access;
    irq_request_t irq;
    claim_t       claim;
    id_t          subject;
    id_t          mutex_id;
    logic         owned;          // … by the subject now
    id_t          ended;
    logic [31:0]  value;
    status_t      status;
    logic         caller_waits;
  } step_event_t;

  // a < b, as a tree over their bits: where many small numbers are compared, the ends of carry chains cost more than that.
  function automatic logic is_less(logic [15:0] a, logic [15:0] b);
    logic [15:0] less, same;
    less = ~a & b;
    same = ~(a ^ b);
    for (int unsigned width = 8; width > 0; width /= 2) begin
      for (int unsigned n = 0; n < width; n++) begin
        less[n] = less[2*n+1] | (same[2*n+1] & less[2*n]);
        same[n] = same[2*n+1] & same[2*n];
      end
    end
    return less[0];
  endfunction

  function automatic logic [1:0] context_of(core_t core);
    if (core.in_handler) return mel_pkg::ContextHandler;
    return core.running_valid ? mel_pkg::ContextTask : mel_pkg::ContextIdle;
  endfunction

  function automatic logic [31:0] status_word(status_t status);
    return {{24{status[7]}}, status};
  endfunction

endpackage
