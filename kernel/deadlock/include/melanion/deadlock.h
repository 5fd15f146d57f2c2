/* SPDX-License-Identifier: Apache-2.0 */
/* deadlock.h: resources that one task holds at a time, whose deadlocks the deadlock detection unit finds (docs/explanation/deadlock.md): a take that would
 * close a cycle of tasks that wait for each other returns MEL_E_ILUSE at once. On any kernel, on systems with `components.deadlock`.
 *
 * A resource is a semaphore of the kernel with the same number, and a resource of the unit; the process is the task. So their numbers are below
 * MEL_DEADLOCK_RESOURCES, those of tasks that take below MEL_DEADLOCK_PROCESSES. No call here from user mode. */
#ifndef MELANION_DEADLOCK_H
#define MELANION_DEADLOCK_H

#include <melanion/mel_deadlock.h>
#include <melanion/types.h>

/* Check that the unit is there and of this build, and forget all that it knows. Prints what is wrong and ends the run if it is not. Once, before all other
 * calls: main(), on core 0. */
void mel_deadlock_boot(void);

/* Make a resource, which nobody holds. Callers: task, idle; main() too. E_OK; E_ID; E_OBJ: the semaphore exists. */
mel_status_t mel_resource_create(mel_id_t resource);

/* Hold the resource, waiting at most `timeout` ticks (MEL_POLL: not at all, MEL_FOREVER: no limit). Callers: task.
 * E_OK; E_ID; E_ILUSE: the caller holds it, or the wait would close a cycle (deadlock): it holds what it held before, and should give some of that back;
 * E_TMOUT; E_RLWAI when released. */
mel_status_t mel_resource_take(mel_id_t resource, mel_ticks_t timeout);

/* Hold the resource no more; the most urgent task that waits for it holds it next. Callers: task. E_OK; E_ID; E_ILUSE: the caller does not hold it. */
mel_status_t mel_resource_give(mel_id_t resource);

/* Tasks and resources in a deadlock (mel_deadlock_query): bit n is number n. */
typedef struct {
    uint64_t tasks;
    uint64_t resources;
} mel_deadlock_info_t;

/* Read what is in a deadlock now; the handler of interrupt MEL_DEADLOCK_LINE may, which comes before the take that closed the cycle has returned. Callers: any. */
void mel_deadlock_query(mel_deadlock_info_t *info);

/* Let the next deadlock raise the interrupt line again; its handler calls this. Callers: any. */
void mel_deadlock_acknowledge(void);

/* A command of the unit (MEL_DEADLOCK_COMMAND_…) and its answer (MEL_DEADLOCK_ANSWER_…), for those that keep the graph themselves; process and resource are
 * below 256. Callers: any. */
uint32_t mel_deadlock_command(uint32_t command, uint32_t process, uint32_t resource);

#endif
