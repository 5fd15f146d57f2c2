/* SPDX-License-Identifier: Apache-2.0 */
/* scenario.h: the binary form of a test scenario: written by melanion.scenario, executed by scenario.c on any kernel.
 *
 * The table lies at the symbol `scenario_table` (SCENARIO_WORDS 32-bit words, little endian; it is no .bss, so that a run
 * can load it with --data FILE@ADDRESS):
 *
 *   word 0            SCENARIO_MAGIC
 *   word 1            words of the table, this header included
 *   word 2            end: cycles from the start of main() to the end of the run (exit code 0)
 *   word 3            end line: an interrupt line that the scenario does not use; it is mapped to a handler that ends the run
 *   word 4            edge: cycles from an `edge` step to the rise of its line; further edges rise one `edge` after the other
 *   word 5            programs P, at most SCENARIO_PROGRAMS
 *   word 6 + 4·p      program p: kind (SCENARIO_MAIN, _TASK, _HANDLER); number of the task or interrupt (0 for main); index of
 *                     the word of its first step; number of its steps, at most 256
 *   steps             5 words each: op; object number; argument; operand; flags (SCENARIO_LOGGED; how often again,
 *                     from bit SCENARIO_AGAIN_LSB on: only the last time is logged)
 *
 * op: a command or query of spec/ (MEL_OP_…, MEL_QUERY_…) with the 32-bit argument and operand that the command has there; or
 * one of SCENARIO_SPIN, _EDGE, _BUSY. Numbers of objects may be illegal: the kernel is asked all the same.
 *   task_create  makes task `object` with its own stack; when it runs it executes its program from the first step and then
 *                exits. A task without a program exits at once.
 *   spin         keeps the core busy until the tick counter has advanced by `argument`
 *   edge         line `object` rises `edge` cycles later
 *   busy         keeps the core busy for `argument` cycles
 * There is one main program: it runs in the idle context before the kernel starts. A handler program is executed from its first
 * step each time that its interrupt is served by the handler (irq_map with the handler bit).
 *
 * Log: after a step with SCENARIO_LOGGED has returned, one store to a marker: SCENARIO_MARK_STATUS, or SCENARIO_MARK_VALUE when it
 * ended with E_OK and brought a word: a query what it found (of a task its state), a command its value. The store: program << 24 |
 * step << 16 | low 16 bits of the status or word. When the upper half of the word is not 0 it was stored before, likewise, to
 * SCENARIO_MARK_UPPER. A call that never returns (task_exit, or a wait without end) logs nothing. A table that is not one ends the run
 * with exit code 1 and a sentence. */
#ifndef SCENARIO_H
#define SCENARIO_H

#define SCENARIO_MAGIC 0x3243534Du /* "MSC2" */
#define SCENARIO_WORDS 8192
#define SCENARIO_PROGRAMS 128
#define SCENARIO_STACK 512 /* bytes, each task */

#define SCENARIO_MAIN 0
#define SCENARIO_TASK 1
#define SCENARIO_HANDLER 2

#define SCENARIO_SPIN 0xF0
#define SCENARIO_EDGE 0xF1
#define SCENARIO_BUSY 0xF2

#define SCENARIO_LOGGED 1u
#define SCENARIO_AGAIN_LSB 8

#define SCENARIO_MARK_STATUS 1
#define SCENARIO_MARK_VALUE 2
#define SCENARIO_MARK_UPPER 3

#endif
