/* SPDX-License-Identifier: Apache-2.0 */
/* notify.h: the seam `notify`: how a core of several hears that it must choose a task anew (its mark `due`, seam/core/smp.h, is set by then).
 * Verbs: mel_notify_ring(core); mel_notify_silence(core), by that core itself; mel_notify_join (each core but 0, when it begins); mel_notify_tick (the timer
 * interrupt of another core than 0). MEL_NOTIFY_LOOKS: a core looks at its mark at ticks, too. With the kernel's lock, but for join. */
#ifndef MEL_SEAM_NOTIFY_H
#define MEL_SEAM_NOTIFY_H

#include "seam/seam.h"
#include MEL_PART(notify, MEL_SEAM_NOTIFY)

#endif
