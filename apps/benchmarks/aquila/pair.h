/* SPDX-License-Identifier: Apache-2.0 */
/* pair.h: what both programs share: two tasks of equal priority that take turns, a main task that makes them, checks. The numbers are also in the experiments'
 * definitions. A program measures nothing itself: it passes tracepoints (no cycle) and stores phase marks. Exit code 0: every status and every sum was right. */
#ifndef PAIR_H
#define PAIR_H

#include <melanion/melanion.h>

/* Markers. Their value is phase + 256 * parameter. */
enum { MARK_BEGIN = 1, MARK_END = 2 };
enum { PHASE_SWITCH = 1, PHASE_ALONE, PHASE_CRITICAL, PHASE_PETERSON, PHASE_AMOSWAP, PHASE_FILTER, PHASE_SEMAPHORE, PHASE_MUTEX };

enum { TASK_MAIN = 0, TASK_FIRST = 1, TASK_SECOND = 2, TASKS_OF_PAIR = 2 };
enum { PRIORITY_MAIN = 0, PRIORITY_PAIR = 5 };

/* End the run with a sentence unless a call returned E_OK. */
#define CHECK(call)                      \
    do {                                 \
        if ((call) != MEL_E_OK) {        \
            failed("a call", __LINE__);  \
        }                                \
    } while (0)
/* `where`: a line of the source, or the mark of a phase. */
_Noreturn void failed(const char *what, uint32_t where);

/* Run `work`, with 0 and 1 as arguments, in two tasks that take turns after one tick of `turn_cycles` (0: when they want), and return when both have
 * returned. When one has, ticks stop, so that every trap of a turn is a switch. Main task only; `begun` runs before the first of them does. */
void run_pair(void (*work)(uint32_t self), uint32_t turn_cycles, void (*begun)(void));

/* Remove them, so that there can be others. Main task only. */
void remove_pair(void);

/* The main task: the program defines it. It ends with mel_exit(0). */
void conduct(void);

#endif
