/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore.h: what the seam `lock` asks a semaphore. */
#ifndef MEL_SRC_SEMAPHORE_H
#define MEL_SRC_SEMAPHORE_H

#include "src/state.h"

#include "seam/sync/sync.h"

/* The tasks that wait for it; it was created once. */
mel_wait_list_t *mel_sem_waiting(mel_id_t sem);

#endif
