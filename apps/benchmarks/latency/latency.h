/* latency.h: what the files of the benchmark share: its numbers, and how a phase gets its tasks.
 * The benchmark measures nothing itself: it passes points (no cycle) and stores phase marks outside every measured span.
 * The numbers below are also in experiments/latency.yaml (tests/test_latency.py compares them). */
#ifndef LATENCY_H
#define LATENCY_H

#include <melanion/melanion.h>

/* Markers. Their value is phase + 256 * parameter. */
enum { MARK_BEGIN = 1, MARK_END = 2 };

enum {
    PHASE_YIELD = 1,
    PHASE_SEM_GIVE_TAKE = 2,
    PHASE_SEM_GIVE_SWITCH = 3,
    PHASE_IRQ_TO_HANDLER = 4, /* parameter: LOAD_… */
    PHASE_IRQ_TO_TASK = 5,    /* parameter: LOAD_… */
    PHASE_TICK_IDLE = 6,
    PHASE_TICK_WAKE = 7, /* parameter: tasks that wake */
    PHASE_IRQ_OFF = 8    /* parameter: tasks that exist */
};

enum { LOAD_IDLE = 0, LOAD_CALLS = 1, LOAD_DIVIDE = 2 };

/* Points: a measured span starts, it ends, the C handler begins, a turn of the computing loop begins. */
enum { POINT_START = 1, POINT_END = 2, POINT_HANDLER = 3, POINT_LOOP = 4 };

/* Lines of the interrupt generator. */
enum { LINE_HANDLER = 1, LINE_TASK = 2 };

/* Tasks: 0 conducts, the others are made and removed by each phase. */
enum { TASK_MAIN = 0, TASK_FIRST = 1, WORKERS = 62 };

/* Priorities: the conductor is the most urgent; the background is below everything else. */
enum { PRIORITY_MAIN = 0, PRIORITY_HIGH = 4, PRIORITY_LOW = 24, PRIORITY_BACKGROUND = 30 };

/* Semaphores. Not 0: a compiler that knows that a status is 0 would pass it on as the number. */
enum { SEM_MEASURED = 1, SEM_LOAD, SEM_PARTNER, SEM_DOOMED };

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

/* The phases. Main task only. */
void measure_calls(void);
void measure_interrupts(void);
void measure_ticks(void);
void measure_interrupts_off(void);

/* A task that computes for ever: no kernel call, no division. */
void compute(void *unused);

#endif
