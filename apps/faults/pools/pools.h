/* SPDX-License-Identifier: Apache-2.0 */
/* pools.h: what the files of the program share. It checks every status and every block itself; the replay judges what the semaphore of
 * the pool sees. One part runs, by PART: 0 statuses.c, 1 sweep.c, 2 crowd.c. */
#ifndef POOLS_H
#define POOLS_H

#include <melanion/melanion.h>

#ifndef PART
#define PART 0
#endif
#ifndef DELAYS
#define DELAYS 100 /* rounds of the sweep */
#endif

enum { TASK_MAIN, TASK_FIRST, WORKERS = 7 };
enum { PRIORITY_URGENT = 1, PRIORITY_HIGH, PRIORITY_MAIN, PRIORITY_LOW };
enum { SEM_POOL = 3, SEM_OTHER = 5, SEM_DONE = 6 };
enum { LINE = 2 };
enum { BLOCKS = 3, BLOCK_BYTES = 24, STACK_SIZE = 512 };

/* Tracepoints of the sweep: a pulsed call begins, it ends; with its number. */
enum { CALL_BEGIN = 1, CALL_END = 2 };

extern mel_pool_t pool;
extern uint32_t memory[BLOCKS * BLOCK_BYTES / 4];
extern volatile uint32_t round_number;

/* End the run with a sentence unless `found` is `expected`. */
void check(uint32_t line, int32_t found, int32_t expected);
#define EXPECT(call, expected) check(__LINE__, (int32_t)(call), (int32_t)(expected))
#define CHECK(call) EXPECT(call, MEL_E_OK)

/* The pool is whole: BLOCKS blocks are free, and getting them all gives each of them once. */
void check_whole(void);

/* Make and start task `task` (TASK_FIRST …). */
void spawn(mel_id_t task, mel_task_entry_t entry, uint32_t argument, mel_priority_t priority);

/* The parts: bodies of the main task. */
void statuses(void *unused);
void sweep(void *unused);
void crowd(void *unused);

#endif
