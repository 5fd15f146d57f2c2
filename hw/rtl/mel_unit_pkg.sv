// mel_unit_pkg: the types that the modules of the hardware unit share.
// Numbers of tasks, semaphores and interrupts, and priorities, are 8 bits wide between modules; memories keep only the bits
// that a parameter needs, so that synthesis removes the rest. `task` and `priority` are keywords of the language: the
// fields are called `task_id` and `prio`.
package mel_unit_pkg;

  typedef logic [7:0] id_t;
  typedef logic [7:0] prio_t;
  typedef logic signed [7:0] status_t;

  // One operation on a set of priority lists (mel_priority_list).
  typedef enum logic [2:0] {
    ListNone,
    ListInsertTail,
    ListInsertHead,
    ListRemove,
    ListRotate      // the first task of the list goes behind the others; `task_id` is not used
  } list_op_e;

  typedef struct packed {
    list_op_e op;
    id_t      object;
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

  typedef enum logic [1:0] { WaitNone, WaitSleep, WaitDelay, WaitSemaphore } wait_e;

  // The task table's record of a task. `due`: it is in the due set, its deadline is no longer in the deadline memory.
  typedef struct packed {
    logic       exists;
    logic       dormant;
    logic       suspended;
    logic       due;
    wait_e      waits;
    prio_t      prio;
    prio_t      base_prio;
    logic [3:0] wakeups;
    id_t        semaphore;
  } task_t;

  // `empty` and `full` are kept beside the count, so that nothing is compared where time is short (mel_semaphores makes them).
  typedef struct packed {
    logic        exists;
    logic        empty;
    logic        full;
    logic [15:0] count;
    logic [15:0] maximum;
  } semaphore_t;

  // What a core asks of the sequencer.
  typedef enum logic [1:0] { AccessCommand, AccessQuery, AccessDispatch, AccessClaim } access_e;

  typedef struct packed {
    access_e     kind;
    logic [5:0]  op;
    id_t         id;
    logic [31:0] argument;
  } access_t;

  // What one step of the sequencer serves.
  typedef enum logic [2:0] {
    SourceCommand, SourceQuery, SourceDispatch, SourceClaim, SourceIrq, SourceTimeout, SourceRelease, SourceCollect
  } source_e;

  // An edge to be served.
  typedef struct packed {
    logic       valid;
    id_t        number;
    logic [1:0] action;
    id_t        object;
    logic       handler;   // it is also offered to a C handler
    logic       offered;   // the handler has not yet claimed an earlier edge
  } irq_request_t;

  // The interrupt that the next handler takes.
  typedef struct packed {
    logic valid;
    id_t  number;
  } claim_t;

  typedef enum logic [2:0] { IrqOpNone, IrqOpMap, IrqOpEnable, IrqOpDisable, IrqOpRaise } irq_op_e;

  // What the tables say about the object of a step.
  typedef struct packed {
    id_t        subject;         // the task whose record is in `record`
    task_t      record;
    logic       running;         // the subject is a core's running task
    logic       apart;           // … and not in the ready set
    logic       held;            // … and its core's dispatch is disabled
    semaphore_t semaphore;
    top_t       waiter;          // the semaphore's most urgent waiter
  } found_t;

  // State of one core. `listed`: the running task is runnable, lost its turn, and stands in the ready set like the others.
  typedef struct packed {
    logic    running_valid;   // 0: idle
    id_t     running;
    prio_t   prio;            // of the running task
    logic    runnable;
    logic    listed;
    status_t result;          // of the running task
    logic    in_handler;
    logic    enabled;         // dispatch enabled
    logic    due;             // chosen differs from running
    logic    take_best;       // chosen is the best of the ready set
    logic    chosen_valid;    // 0: idle
    id_t     chosen;
  } core_t;

  // What a step does to the core that asked for it.
  typedef struct packed {
    logic serving;            // its command is being executed
    logic command;            // … and ends
    logic enable;
    logic disable_dispatch;
    logic dispatch;
    logic claim;
  } core_step_t;

  // What a step changes in a task; a core whose running task it is takes note.
  typedef struct packed {
    id_t     task_id;
    logic    gets_ready;    // into the ready set, at the tail
    logic    gets_unready;  // dormant or suspended
    logic    leaves_wait;
    logic    sets_result;
    status_t result;
    logic    sets_prio;
    prio_t   prio;
    logic    requeues;      // the running task goes behind the others
  } change_t;

  // The end of a step, as dispatchers see it.
  typedef struct packed {
    logic    valid;
    change_t change;
    status_t status;
    logic    caller_waits;
  } finish_t;

  // What mel_timers offers to the sequencer.
  typedef struct packed {
    logic        scanning;       // a timeout of 1 is for the due set
    logic [31:0] time_low;
    logic        collect_valid;  // a task to be moved to the due set
    id_t         collect_id;
    logic        timeout_valid;  // a task whose time limit has passed
    id_t         timeout_id;
  } timers_t;

  // The end of a step, as mel_trace reports it.
  typedef struct packed {
    logic         valid;
    source_e      source;
    logic [1:0]   core;
    core_t        state;         // of the core, before
    access_t      access;
    irq_request_t irq;
    claim_t       claim;
    id_t          subject;
    status_t      status;
    logic         caller_waits;
  } step_event_t;

  typedef enum logic [1:0] { TimerNone, TimerSet, TimerCancel } timer_op_e;

  // What one step does (mel_execute): all of it takes effect, or nothing.
  typedef struct packed {
    status_t    status;
    logic       caller_waits;
    logic       retry;           // meets a semaphore that is still being deleted: try again when that is done
    logic       to_waiter;       // end the wait of the semaphore's most urgent waiter
    status_t    waiter_result;
    logic       task_we;
    task_t      task_entry;
    logic       semaphore_we;
    semaphore_t semaphore_entry;
    list_op_e   ready_op;
    list_op_e   wait_op;
    list_op_e   due_op;
    prio_t      prio;            // of the list that an operation works on
    id_t        wait_object;
    logic       move;            // the removed task is then inserted again, at `move_prio`
    prio_t      move_prio;
    timer_op_e  timer_op;
    logic [31:0] timeout;
    change_t    change;
    logic       collected;
    logic       drain_start;
    logic       drain_end;
    irq_op_e    irq_op;
    logic       irq_offer;
    logic       tick_set;
    logic       enable;
    logic       disable_dispatch;
    logic       silent;          // no event: the step found nothing to do
  } plan_t;

  // A plan that does nothing; what it would write is kept, because nobody looks.
  function automatic plan_t without_effect(plan_t plan);
    without_effect = plan;
    without_effect.caller_waits        = 1'b0;
    without_effect.retry               = 1'b0;
    without_effect.to_waiter           = 1'b0;
    without_effect.task_we             = 1'b0;
    without_effect.semaphore_we        = 1'b0;
    without_effect.ready_op            = ListNone;
    without_effect.wait_op             = ListNone;
    without_effect.due_op              = ListNone;
    without_effect.move                = 1'b0;
    without_effect.timer_op            = TimerNone;
    without_effect.change.gets_ready   = 1'b0;
    without_effect.change.gets_unready = 1'b0;
    without_effect.change.leaves_wait  = 1'b0;
    without_effect.change.sets_result  = 1'b0;
    without_effect.change.sets_prio    = 1'b0;
    without_effect.change.requeues     = 1'b0;
    without_effect.collected           = 1'b0;
    without_effect.drain_start         = 1'b0;
    without_effect.drain_end           = 1'b0;
    without_effect.irq_op              = IrqOpNone;
    without_effect.irq_offer           = 1'b0;
    without_effect.tick_set            = 1'b0;
    without_effect.enable              = 1'b0;
    without_effect.disable_dispatch    = 1'b0;
  endfunction

  function automatic logic [1:0] context_of(core_t core);
    if (core.in_handler) return mel_pkg::ContextHandler;
    return core.running_valid ? mel_pkg::ContextTask : mel_pkg::ContextIdle;
  endfunction

  function automatic logic [31:0] status_word(status_t status);
    return {{24{status[7]}}, status};
  endfunction

  // What is done to a message queue (mel_queues). `word`: the message; its capacity when it is created.
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
    prio_t       prio;   // of the message
  } queue_request_t;

  // The numbers mean something while it exists.
  typedef struct packed {
    logic        exists;
    logic        empty;
    logic        full;
    logic [15:0] capacity;
    logic [15:0] count;
  } queue_t;

endpackage
