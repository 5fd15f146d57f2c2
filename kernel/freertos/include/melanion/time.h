/* SPDX-License-Identifier: Apache-2.0 */
/* time.h: on the kernel `freertos`: the interface of kernel/include/melanion/time.h, inline over FreeRTOS; mel_tick_set is in freertos/boot.c. The tick counter has 32
 * bits: the upper ones stay as they were at reset. */
#ifndef MELANION_FREERTOS_TIME_H
#define MELANION_FREERTOS_TIME_H

#include_next <melanion/time.h>

#include <mel_freertos.h>

MEL_FREERTOS_CALL mel_status_t mel_time_get(uint64_t *ticks)
{
    *ticks = (uint64_t)MEL_TIME_RESET_HIGH << 32 | xTaskGetTickCount();
    return MEL_E_OK;
}

MEL_FREERTOS_CALL mel_status_t mel_task_delay(mel_ticks_t ticks)
{
    if (mel_freertos_in_handler()) {
        return MEL_E_CTX;
    }
    vTaskDelay(ticks);
    return mel_freertos_releases == 0 || mel_freertos_failed(ticks) != MEL_E_RLWAI ? MEL_E_OK : MEL_E_RLWAI;
}

/* In the next 2^31 - 1 ticks from `time` minus as many: what vTaskDelayUntil calls the last wake-up. */
MEL_FREERTOS_CALL mel_status_t mel_task_delay_until(mel_ticks_t time)
{
    if (mel_freertos_in_handler()) {
        return MEL_E_CTX;
    }
    TickType_t before = time - INT32_MAX;
    if (__builtin_expect(xTaskDelayUntil(&before, INT32_MAX) == pdFALSE, 0)) {
        return MEL_E_TMOUT;
    }
    return mel_freertos_releases == 0 || mel_freertos_failed(1) != MEL_E_RLWAI ? MEL_E_OK : MEL_E_RLWAI;
}

#endif
