/* SPDX-License-Identifier: Apache-2.0 */
/* deadlock.h: the benchmark `deadlock`: one request in graphs of several shapes and sizes, by the deadlock detection unit, by its own algorithm in C
 * (`reduce`), and by a walk from the process that requests (`walk`). All three answer alike, or the run ends with exit code 1.
 * Its numbers are also in experiments/deadlock.yaml (tests/lab/test_deadlock_experiment.py compares them). */
#ifndef DEADLOCK_H
#define DEADLOCK_H

#include <melanion/deadlock.h>

#include "../stage/stage.h"

enum { PHASE_UNIT = 1, PHASE_REDUCE = 2, PHASE_WALK = 3 }; /* parameter: SHAPE_…, processes */

/* A chain of processes, of which each waits for the next and the last for nobody; the same closed to a cycle; a chain that leads into a cycle of two. The
 * measured request is the first link of the first, the closing one of the second, the one at the far end of the third. */
enum { SHAPE_OPEN = 0, SHAPE_CLOSED = 1, SHAPE_TAIL = 2, SHAPES = 3 };

enum { TRACEPOINT_START = 1, TRACEPOINT_END = 2 };

enum { PROCESSES = 16 }; /* as many resources */

/* The graph in C, as bit masks. */
typedef struct {
    uint32_t waits[PROCESSES];  /* by resource: the processes that wait for it */
    uint32_t wanted[PROCESSES]; /* by process: the resources that it waits for */
    uint32_t holder[PROCESSES]; /* by resource: the bit of the process that holds it; 0: nobody */
} graph_t;

/* As the command `request` of the unit, with its answers (MEL_DEADLOCK_ANSWER_…). */
uint32_t request_reduce(graph_t *graph, uint32_t process, uint32_t resource);
uint32_t request_walk(graph_t *graph, uint32_t process, uint32_t resource);

#endif
