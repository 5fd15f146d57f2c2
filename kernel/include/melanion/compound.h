/* SPDX-License-Identifier: Apache-2.0 */
/* compound.h: several commands and data of the caller's own as one step, which no interrupt, no dispatch and no other core comes between. For
 * interfaces of other kernels (kernel/compat), whose calls are more than one command; not part of melanion.h.
 *
 * Rules. Between begin and end: few instructions, queries (mel_…_query), and commands by ask; no other kernel call, and no second begin.
 * Only the last ask may let another task run: one that waits, or that releases a task. What must be true of the caller's data then is true before it:
 * a software kernel may run other tasks inside that ask. Interrupts are as they were after end, but on when other tasks ran.
 * Timing: interrupts are off from begin to end. Several cores take turns: each of the others goes first at most once. */
#ifndef MELANION_COMPOUND_H
#define MELANION_COMPOUND_H

#include <melanion/types.h>

typedef uint32_t mel_compound_t;

/* Callers: any. */
mel_compound_t mel_compound_begin(void);

/* Give command `op` (MEL_OP_TASK_START, _TASK_SLEEP, _TASK_WAKEUP, _SEMAPHORE_GIVE, _SEMAPHORE_TAKE, _QUEUE_SEND, _QUEUE_RECEIVE, or one of the
 * MEL_OP_NOTIFICATION_…) with the argument and operand of spec/commands.yaml; a task by its number, not MEL_SELF. `value` gets the word that it brings, with
 * E_OK only. Negative: refused with that status. Positive: the caller waits: give it to mel_compound_end. MEL_E_RSFN: no op of these, or of
 * semaphores where they are objects in C (docs/reference/kernels.md). */
int32_t mel_compound_ask(uint32_t op, mel_id_t id, uint32_t argument, uint32_t operand, uint32_t *value);

/* The end of the step. Returns `answer`, a status of an ask or of the caller's own, after other tasks have run that should; where it is positive, the result
 * of the wait, and `value`, unless it is NULL, then gets the word that it brought, with E_OK only. */
mel_status_t mel_compound_end(mel_compound_t key, int32_t answer, uint32_t *value);

/* A section of the caller's own, in which no other core is between these two: a lock beside that of steps and calls, which may be inside; never the other way round.
 * Interrupts are off before the first and until behind the second; they do not nest. Callers: any. Each of the other cores goes first at most once.
 * For several cores; on one they do nothing. */
void mel_compound_exclude(void);
void mel_compound_admit(void);

#endif
