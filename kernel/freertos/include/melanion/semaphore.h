/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore.h: on the kernel `freertos`: the interface of kernel/include/melanion/semaphore.h, inline over FreeRTOS. */
#ifndef MELANION_FREERTOS_SEMAPHORE_H
#define MELANION_FREERTOS_SEMAPHORE_H

#include_next <melanion/semaphore.h>

#include <mel_freertos.h>

static inline SemaphoreHandle_t mel_freertos_semaphore(mel_id_t sem)
{
    return (SemaphoreHandle_t)&mel_freertos_semaphores[sem];
}

MEL_FREERTOS_CALL mel_status_t mel_sem_give(mel_id_t sem)
{
    const BaseType_t given = mel_freertos_in_handler()
                                 ? xSemaphoreGiveFromISR(mel_freertos_semaphore(sem), &mel_freertos_due)
                                 : xSemaphoreGive(mel_freertos_semaphore(sem));
    return given == pdTRUE ? MEL_E_OK : MEL_E_QOVR;
}

MEL_FREERTOS_CALL mel_status_t mel_sem_take(mel_id_t sem, mel_ticks_t timeout)
{
    if (mel_freertos_in_handler()) {
        if (timeout != MEL_POLL) {
            return MEL_E_CTX;
        }
        return xSemaphoreTakeFromISR(mel_freertos_semaphore(sem), &mel_freertos_due) == pdTRUE ? MEL_E_OK : MEL_E_TMOUT;
    }
    if (__builtin_expect(xSemaphoreTake(mel_freertos_semaphore(sem), timeout) == pdTRUE, 1)) {
        return MEL_E_OK;
    }
    return mel_freertos_end(timeout);
}

MEL_FREERTOS_CALL mel_status_t mel_sem_query(mel_id_t sem, uint32_t *count)
{
    *count = uxSemaphoreGetCount(mel_freertos_semaphore(sem));
    return MEL_E_OK;
}

#endif
