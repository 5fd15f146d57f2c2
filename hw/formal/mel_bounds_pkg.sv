// SPDX-License-Identifier: Apache-2.0
// mel_bounds_pkg: bounds that one proof shows and another counts on. Of steps: mel_arbiter; of cycles: mel_sequencer, for mel_command.
package mel_bounds_pkg;

  // Steps of others before an access is served: each other core once, an edge before each of these and before its own turn, one
  // step of background work in every Cores + 1 of the rest, and one more that may be due at once.
  function automatic int unsigned access_wait(int unsigned cores);
    return 2 * cores - 1 + (2 * cores - 1) / (cores + 1) + 1;
  endfunction

  // Cycles of a step that judges event flags: 16 tasks a cycle (mel_flag_waiters), 2 before, 2 for the task that leaves.
  function automatic int unsigned flag_cycles(int unsigned tasks);
    return (tasks + 15) / 16 + 4;
  endfunction

  // Cycles of any step, without those in which inheritance works; and from one step to the next.
  localparam int unsigned LongCycles = 8;   // a search for a cycle, or a change of inherited priorities

  function automatic int unsigned longest(int unsigned tasks);
    return (flag_cycles(tasks) > LongCycles) ? flag_cycles(tasks) : LongCycles;
  endfunction

  function automatic int unsigned after_cycles(int unsigned cores);
    return (cores > 1) ? 5 : 4;
  endfunction

  function automatic int unsigned period(int unsigned tasks, int unsigned cores);
    return longest(tasks) + after_cycles(cores);
  endfunction

  // From the first cycle of an access at the sequencer to its last: what was under way, those that go before, its own.
  function automatic int unsigned served_cycles(int unsigned tasks, int unsigned cores);
    return period(tasks, cores) * (1 + access_wait(cores)) + longest(tasks);
  endfunction

endpackage
