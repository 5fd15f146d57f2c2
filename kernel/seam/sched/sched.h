/* sched.h: the seam `sched`: the tasks that could run, the running one included, first come first in each priority.
 * Verbs: mel_sched_init; mel_sched_insert (behind the others of its priority); mel_sched_insert_first (before them);
 * mel_sched_remove; mel_sched_rotate (the
 * first of a priority goes behind the others); mel_sched_first (the first of the most urgent; idle when there is none). */
#ifndef MEL_SEAM_SCHED_H
#define MEL_SEAM_SCHED_H

#include "seam/seam.h"
#include MEL_PART(sched, MEL_SEAM_SCHED)

#endif
