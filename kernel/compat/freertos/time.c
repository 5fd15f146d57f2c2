/* SPDX-License-Identifier: Apache-2.0 */
/* time.c: the tick count and delays. The tick count is the kernel's counter, moved so that it is configINITIAL_TICK_COUNT when the scheduler starts; it
 * has 32 bits and wraps. */
#include "layer.h"

TickType_t freertos_offset;

TickType_t xTaskGetTickCount(void)
{
    uint64_t now;
    if (freertos_scheduler == taskSCHEDULER_NOT_STARTED) {
        return configINITIAL_TICK_COUNT;
    }
    (void)mel_time_get(&now);
    return (TickType_t)now + freertos_offset;
}

TickType_t xTaskGetTickCountFromISR(void)
{
    return xTaskGetTickCount();
}

/* A delay of the calling task has ended. */
static void delayed(void)
{
    freertos_switches++;
    freertos_self()->resumed = 0;
}

void vTaskDelay(const TickType_t xTicksToDelay)
{
    mel_status_t status;
    configASSERT(freertos_scheduler == taskSCHEDULER_RUNNING);
    FREERTOS_TRACE_IF(xTicksToDelay != 0, traceTASK_DELAY());
    FREERTOS_WAIT(status, 1, xTicksToDelay == 0 ? mel_task_yield() : mel_task_delay(xTicksToDelay));
    (void)status;
    delayed();
}

/* The next time is `increment` after the last one. It has passed already when it is not between now and the last one's next coming round. */
BaseType_t xTaskDelayUntil(TickType_t *const pxPreviousWakeTime, const TickType_t xTimeIncrement)
{
    configASSERT(pxPreviousWakeTime != NULL && xTimeIncrement > 0 && freertos_scheduler == taskSCHEDULER_RUNNING);
    const TickType_t now = xTaskGetTickCount();
    const TickType_t wake = *pxPreviousWakeTime + xTimeIncrement;
    const BaseType_t late = now - *pxPreviousWakeTime >= xTimeIncrement;
    *pxPreviousWakeTime = wake;
    mel_status_t status;
    FREERTOS_TRACE_IF(!late, traceTASK_DELAY_UNTIL(wake));
    if (late) {
        FREERTOS_CALL(status, mel_task_yield());
    } else if (wake - now < UINT32_C(0x7FFFFFFF)) {
        FREERTOS_WAIT(status, 1, mel_task_delay_until(wake - freertos_offset));
    } else {
        FREERTOS_WAIT(status, 1, mel_task_delay(wake - now));
    }
    (void)status;
    delayed();
    return late ? pdFALSE : pdTRUE;
}

void vTaskSetTimeOutState(TimeOut_t *const pxTimeOut)
{
    pxTimeOut->xOverflowCount = 0;
    pxTimeOut->xTimeOnEntering = xTaskGetTickCount();
}

/* An aborted wait is over, too; the waits of this layer see to that themselves. */
BaseType_t xTaskCheckForTimeOut(TimeOut_t *const pxTimeOut, TickType_t *const pxTicksToWait)
{
    if (*pxTicksToWait == portMAX_DELAY) {
        return pdFALSE;
    }
    const TickType_t now = xTaskGetTickCount();
    const TickType_t gone = now - pxTimeOut->xTimeOnEntering;
    if (gone < *pxTicksToWait) {
        *pxTicksToWait -= gone;
        pxTimeOut->xTimeOnEntering = now;
        return pdFALSE;
    }
    *pxTicksToWait = 0;
    return pdTRUE;
}
