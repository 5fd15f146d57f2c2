/* lock.h: the seam `lock`: the critical sections of the software kernels.
 * Verbs: mel_lock() → key; mel_unlock(key). MEL_LOCK_TEXT and MEL_UNLOCK_TEXT are their instructions, operand [key_], for
 * trace.h.
 * Nothing else in the kernel turns interrupts off. */
#ifndef MEL_SEAM_LOCK_H
#define MEL_SEAM_LOCK_H

#include "seam/seam.h"
#include MEL_PART(lock, MEL_SEAM_LOCK)

#endif
