/* lock.h: the seam `lock`: the critical sections of the software kernels.
 * Verbs: mel_lock() → key; mel_unlock(key). MEL_UNLOCK_TEXT is the instruction of mel_unlock, operand [key_], for trace.h.
 * Nothing else in the kernel turns interrupts off. */
#ifndef MEL_SEAM_LOCK_H
#define MEL_SEAM_LOCK_H

#include "seam/seam.h"
#include MEL_PART(lock, MEL_SEAM_LOCK)

#endif
