/* SPDX-License-Identifier: Apache-2.0 */
/* mutex.h: on the kernel `freertos`: the interface of kernel/include/melanion/mutex.h, inline over FreeRTOS's recursive mutexes. Their owner inherits from one
 * waiter, and gives back when it holds no other (docs/explanation/priority-inheritance.md says what that leaves out). */
#ifndef MELANION_FREERTOS_MUTEX_H
#define MELANION_FREERTOS_MUTEX_H

#include_next <melanion/mutex.h>

#include <mel_freertos.h>

static inline SemaphoreHandle_t mel_freertos_mutex(mel_id_t mutex)
{
    return (SemaphoreHandle_t)&mel_freertos_mutexes[mutex];
}

MEL_FREERTOS_CALL mel_status_t mel_mutex_lock(mel_id_t mutex, mel_ticks_t timeout)
{
    if (__builtin_expect(xSemaphoreTakeRecursive(mel_freertos_mutex(mutex), timeout) == pdTRUE, 1)) {
        return MEL_E_OK;
    }
    return mel_freertos_end(timeout);
}

MEL_FREERTOS_CALL mel_status_t mel_mutex_unlock(mel_id_t mutex)
{
    return xSemaphoreGiveRecursive(mel_freertos_mutex(mutex)) == pdTRUE ? MEL_E_OK : MEL_E_ILUSE;
}

#endif
