/* SPDX-License-Identifier: Apache-2.0 */
/* time.h: the seam `time`: the tick counter and the time limits of waiting tasks.
 * Verbs: mel_time_init; mel_time_start (`task` waits at most `ticks`, not 0); mel_time_cancel (also without a limit);
 * mel_time_limited (it has one that runs); mel_time_length (length of a tick in cycles, 0 stops). An expired task is handed
 * to mel_task_timeout (src/state.h). mel_time_now is the counter, mel_tick_cycles the
 * length that mel_time_length was given last. */
#ifndef MEL_SEAM_TIME_H
#define MEL_SEAM_TIME_H

#include "seam/seam.h"
#include MEL_PART(time, MEL_SEAM_TIME)

#endif
