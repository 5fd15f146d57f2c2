/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore.h: what the interface `lock` asks a semaphore. */
#ifndef MEL_SOFTWARE_SEMAPHORE_H
#define MEL_SOFTWARE_SEMAPHORE_H

#include "software/state.h"

#include "software/wait_queue/wait_queue.h"

/* The tasks that wait for it; it was created once. */
mel_wait_list_t *mel_sem_waiting(mel_id_t sem);

#endif
