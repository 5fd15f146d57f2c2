/* SPDX-License-Identifier: Apache-2.0 */
/* stage.h: what benchmarks share that make their own tasks phase by phase: a conductor, up to 62 workers with stacks, marks, checks.
 * A benchmark measures nothing itself: it passes tracepoints (no cycle) and stores phase marks outside every measured span.
 * It names these files in its app.yaml and defines `conduct`, the main task. Exit code 0: every status
 * was right and every phase was whole; 1: a wrong status. */
#ifndef STAGE_H
#define STAGE_H

#include <melanion/melanion.h>

/* Markers. Their value is phase + 256 * parameter. */
enum { MARK_BEGIN = 1, MARK_END = 2 };

/* Tasks: 0 conducts, the others are made and removed by each phase. */
enum { TASK_MAIN = 0, TASK_FIRST = 1, WORKERS = 62 };

/* The conductor is the most urgent. */
enum { PRIORITY_MAIN = 0 };

static inline void begin(uint32_t phase, uint32_t parameter)
{
    MEL_MARK(MARK_BEGIN, phase | parameter << 8);
}

static inline void end(uint32_t phase, uint32_t parameter)
{
    MEL_MARK(MARK_END, phase | parameter << 8);
}

/* End the run: a call returned another status than it had to. Prints the line of the source and the status. */
_Noreturn void wrong_status(uint32_t line, mel_status_t status);

/* The status must be MEL_E_OK. Two instructions when it is. */
#define CHECK(call) EXPECT(call, MEL_E_OK)

#define EXPECT(call, expected)                            \
    do {                                                  \
        const mel_status_t status_ = (call);              \
        if (__builtin_expect(status_ != (expected), 0)) { \
            wrong_status(__LINE__, status_);              \
        }                                                 \
    } while (0)

/* Make and start task `task` (TASK_FIRST …). */
void spawn(mel_id_t task, mel_task_entry_t entry, uint32_t argument, mel_priority_t priority);

/* Let the phase run until one of its tasks calls `finish`, then remove its tasks (`remove_tasks`). Main task only. */
void run_phase(uint32_t tasks);

/* Terminate and delete the tasks TASK_FIRST … TASK_FIRST + tasks - 1. Main task only. */
void remove_tasks(uint32_t tasks);

/* The phase is over. Any task but the main one; does not return. */
_Noreturn void finish(void);

/* The tick counter's low word. */
mel_ticks_t now(void);

/* Change the tick length (0: no ticks); returns when it holds. Main task only. */
void set_tick(uint32_t cycles);

/* A task that computes for ever: no kernel call, no division. */
void compute(void *unused);

/* A short loop of constant length. */
static inline void spin(void)
{
    for (uint32_t i = 0; i < 32; i++) {
        __asm__ volatile("");
    }
}

/* The main task: the benchmark defines it. It ends with mel_exit(0). */
void conduct(void *unused);

#endif
