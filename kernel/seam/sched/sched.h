/* SPDX-License-Identifier: Apache-2.0 */
/* sched.h: the seam `sched`: the tasks that could run, first come first in each priority, and who does.
 * Verbs: mel_sched_init; mel_sched_insert (behind the others of its priority); mel_sched_insert_first (before them); mel_sched_remove; mel_sched_requeue (another
 * priority: before its equals, keeping its turn if it runs, or behind them); mel_sched_rotate (the first of a priority goes behind the others);
 * mel_sched_home (on which core it may run; 0: on any; core c: 1 + c);
 * mel_sched_first(hold) (who runs on this core from now on, idle when there is none; the caller sees to it. With `hold` nothing changes here. Other cores that must change
 * hear of it); mel_sched_stays (the last choice changed nothing); mel_sched_settle (only other cores hear of it);
 * mel_sched_runs (a core runs it); mel_sched_kept (and has dispatch disabled); mel_sched_left (no core runs it any more, of one that has ended).
 * The number of cores chooses the part: `bitmap` for one, `classes` for several. */
#ifndef MEL_SEAM_SCHED_H
#define MEL_SEAM_SCHED_H

#include "seam/seam.h"
#include MEL_PART(sched, MEL_SEAM_SCHED)

#endif
