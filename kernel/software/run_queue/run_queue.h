/* SPDX-License-Identifier: Apache-2.0 */
/* run_queue.h: the interface `run_queue`: the tasks that could run, first come first in each priority, and who does.
 * Verbs: mel_run_queue_init; mel_run_queue_insert (behind the others of its priority), or its two halves: mel_run_queue_place reads,
 * mel_run_queue_insert_at writes; mel_run_queue_insert_first (before them); mel_run_queue_remove; mel_run_queue_requeue (another
 * priority: before its equals, keeping its turn if it runs, or behind them); mel_run_queue_rotate (the first of a priority goes behind the others);
 * mel_run_queue_affine (on which core it may run; 0: on any; core c: 1 + c);
 * mel_run_queue_first(hold) (who runs on this core from now on, idle when there is none; the caller sees to it. With `hold` nothing changes here. Other cores that must change
 * hear of it); mel_run_queue_stays (the last choice changed nothing); mel_run_queue_settle (only other cores hear of it);
 * mel_run_queue_tick (a tick counts for the tasks that run; true: one of them has used its quantum); mel_run_queue_slice (the running task of this core goes behind the
 * others of its priority if it has used its quantum and one of them is ready, with a `slice` event → who runs then, or NULL: as mel_run_queue_first says; other cores with such
 * a task hear of it); mel_run_queue_judged (behind all of a tick: slices that are over and do not end go on);
 * mel_run_queue_runs (a core runs it); mel_run_queue_kept (and has dispatch disabled); mel_run_queue_left (no core runs it any more, of one that has ended).
 * The number of cores chooses the implementation: `bitmap` for one, `affinity` for several. */
#ifndef MEL_SOFTWARE_RUN_QUEUE_RUN_QUEUE_H
#define MEL_SOFTWARE_RUN_QUEUE_RUN_QUEUE_H

#include "common/interface.h"
#include MEL_TEXT(MEL_INTERFACE_RUN_QUEUE)

#endif
