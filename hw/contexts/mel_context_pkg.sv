// SPDX-License-Identifier: Apache-2.0
// mel_context_pkg: types between the store of contexts (mel_context_store), the coupling that switches them, and the stores of other cores.
package mel_context_pkg;
  // Context whose register the coupling writes: the one that the last dispatch left, the running one, the handlers, the task that was forgotten last.
  typedef enum logic [1:0] {PutLeft, PutRunning, PutHandlers, PutFrame} put_e;

  // A row of 8 registers of a task, which runs on the core that asks or is loaded in the background.
  typedef struct packed {
    logic       valid;
    logic       runs;
    logic [7:0] task_id;
    logic [1:0] row;
  } row_t;

  // A task whose registers are other ones from now on: it runs on another core, or it begins anew.
  typedef struct packed {
    logic       valid;
    logic       forgotten;
    logic [7:0] task_id;
  } drop_t;
endpackage
