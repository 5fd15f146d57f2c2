// SPDX-License-Identifier: Apache-2.0
// mel_engine_pkg: the types that the modules of the microprogrammed unit share (docs/decisions/0034). What is in a microword:
// mel_micro_pkg, made from hw/micro/word.yaml. What the dispatchers hear and say: mel_unit_pkg.
package mel_engine_pkg;
  import mel_unit_pkg::*;

  // A row of the check table: what is checked before the program of a request begins. Made from spec/ by melanion/micro.
  typedef struct packed {
    logic       answer;    // a load of the answer
    logic       exists;    // there is such a command, query or register
    logic [2:0] kind;      // of its number: mel_pkg::IdKind…
    logic [3:0] callers;   // contexts that may ask, by number
    logic [1:0] blocks;    // mel_pkg::Blocks…
  } check_t;

  // A request of a core. `number`: of the object, or of the register (its word in the register region).
  typedef struct packed {
    logic        write;
    logic        in_registers;
    logic        legal;        // 32 bits, aligned
    mel_pkg::op_t op;           // a command's or query's
    id_t         number;
    logic [2:0]  kind;         // the number's; registers: none
    logic        of_caller;    // a command without a number: about the running task
    logic        held_back;    // it waits while a set of flags or a chain of owners goes on
    logic        dispatches;   // a load of `dispatch`
    logic        claims;       // … of `claim`
    logic        plain;        // a load of a register whose word stands in the state store
    logic [31:0] argument;
  } core_request_t;

  // No single module uses every constant.
  // verilator lint_off UNUSEDPARAM

  // Operations of mel_lists.
  localparam logic [2:0] ListsNone = 3'd0, ListsTail = 3'd1, ListsHead = 3'd2, ListsRemove = 3'd3, ListsWalk = 3'd4,
                         ListsLook = 3'd5, ListsFirst = 3'd6;

  // The kinds of objects that tasks wait for, as two bits of a wait.
  localparam logic [1:0] WaitedSemaphore = 2'd0, WaitedFlags = 2'd1, WaitedQueue = 2'd2, WaitedMutex = 2'd3;

  // The running task and its core before a dispatch or claim, for the program that follows it.
  typedef struct packed {
    logic      valid;
    id_t       task_id;
    prio_t     prio;
    affinity_t affinity;
    logic      counted;      // it ran, no handler: its time counts
    logic      preempted;    // it goes to the head of its ready list
    logic      took;         // the one that runs now leaves its ready list
    logic      changed;      // another one runs now
    logic      asked;        // the core was asked for an interrupt
  } before_t;

endpackage
