// SPDX-License-Identifier: Apache-2.0
// mel_unit_pkg: the types that the modules of the hardware unit share.
// Numbers of tasks, objects and interrupts, and priorities, are 8 bits wide between modules; memories keep only the bits
// that a parameter needs, so that synthesis removes the rest. `task` and `priority` are keywords of the language: the
// fields are called `task_id` and `prio`.
package mel_unit_pkg;

  typedef logic [7:0] id_t;
  typedef logic [7:0] prio_t;
  typedef logic [2:0] affinity_t;    // cores of a task: 0 any core, n: core n - 1
  typedef logic signed [7:0] status_t;

  // The first task of the most urgent list that is not empty.
  typedef struct packed {
    logic  valid;
    prio_t prio;
    id_t   task_id;
  } top_t;

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

  function automatic logic [1:0] context_of(core_t core);
    if (core.in_handler) return mel_pkg::ContextHandler;
    return core.running_valid ? mel_pkg::ContextTask : mel_pkg::ContextIdle;
  endfunction

  function automatic logic [31:0] status_word(status_t status);
    return {{24{status[7]}}, status};
  endfunction

endpackage
