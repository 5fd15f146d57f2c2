/* SPDX-License-Identifier: Apache-2.0 */
/* timers.h: software timers: the FreeRTOS interface over Melanion. Commands go through a queue to the timer task, which calls the callbacks. */
#ifndef TIMERS_H
#define TIMERS_H

#include "FreeRTOS.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

struct freertos_timer;
typedef struct freertos_timer *TimerHandle_t;
typedef void (*TimerCallbackFunction_t)(TimerHandle_t xTimer);
typedef void (*PendedFunction_t)(void *, uint32_t);

/* Commands, in the order of FreeRTOS; those that a handler gives follow. */
#define tmrCOMMAND_EXECUTE_CALLBACK_FROM_ISR ((BaseType_t)-2)
#define tmrCOMMAND_EXECUTE_CALLBACK ((BaseType_t)-1)
#define tmrCOMMAND_START ((BaseType_t)1)
#define tmrCOMMAND_RESET ((BaseType_t)2)
#define tmrCOMMAND_STOP ((BaseType_t)3)
#define tmrCOMMAND_CHANGE_PERIOD ((BaseType_t)4)
#define tmrCOMMAND_DELETE ((BaseType_t)5)
#define tmrFIRST_FROM_ISR_COMMAND ((BaseType_t)6)
#define tmrCOMMAND_START_FROM_ISR ((BaseType_t)6)
#define tmrCOMMAND_RESET_FROM_ISR ((BaseType_t)7)
#define tmrCOMMAND_STOP_FROM_ISR ((BaseType_t)8)
#define tmrCOMMAND_CHANGE_PERIOD_FROM_ISR ((BaseType_t)9)

TimerHandle_t xTimerCreate(const char *const pcTimerName, const TickType_t xTimerPeriodInTicks, const BaseType_t xAutoReload, void *const pvTimerID,
                           TimerCallbackFunction_t pxCallbackFunction);
TimerHandle_t xTimerCreateStatic(const char *const pcTimerName, const TickType_t xTimerPeriodInTicks, const BaseType_t xAutoReload,
                                 void *const pvTimerID, TimerCallbackFunction_t pxCallbackFunction, StaticTimer_t *pxTimerBuffer);
BaseType_t xTimerGenericCommand(TimerHandle_t xTimer, const BaseType_t xCommandID, const TickType_t xOptionalValue,
                                BaseType_t *const pxHigherPriorityTaskWoken, const TickType_t xTicksToWait);
#define xTimerStart(timer, ticks) xTimerGenericCommand((timer), tmrCOMMAND_START, xTaskGetTickCount(), NULL, (ticks))
#define xTimerStop(timer, ticks) xTimerGenericCommand((timer), tmrCOMMAND_STOP, 0, NULL, (ticks))
#define xTimerReset(timer, ticks) xTimerGenericCommand((timer), tmrCOMMAND_RESET, xTaskGetTickCount(), NULL, (ticks))
#define xTimerChangePeriod(timer, period, ticks) xTimerGenericCommand((timer), tmrCOMMAND_CHANGE_PERIOD, (period), NULL, (ticks))
#define xTimerDelete(timer, ticks) xTimerGenericCommand((timer), tmrCOMMAND_DELETE, 0, NULL, (ticks))
#define xTimerStartFromISR(timer, woken) xTimerGenericCommand((timer), tmrCOMMAND_START_FROM_ISR, xTaskGetTickCountFromISR(), (woken), 0)
#define xTimerStopFromISR(timer, woken) xTimerGenericCommand((timer), tmrCOMMAND_STOP_FROM_ISR, 0, (woken), 0)
#define xTimerResetFromISR(timer, woken) xTimerGenericCommand((timer), tmrCOMMAND_RESET_FROM_ISR, xTaskGetTickCountFromISR(), (woken), 0)
#define xTimerChangePeriodFromISR(timer, period, woken) \
    xTimerGenericCommand((timer), tmrCOMMAND_CHANGE_PERIOD_FROM_ISR, (period), (woken), 0)

BaseType_t xTimerIsTimerActive(TimerHandle_t xTimer);
TickType_t xTimerGetPeriod(TimerHandle_t xTimer);
TickType_t xTimerGetExpiryTime(TimerHandle_t xTimer);
const char *pcTimerGetName(TimerHandle_t xTimer);
void *pvTimerGetTimerID(const TimerHandle_t xTimer);
void vTimerSetTimerID(TimerHandle_t xTimer, void *pvNewID);
void vTimerSetReloadMode(TimerHandle_t xTimer, const BaseType_t xAutoReload);
BaseType_t xTimerGetReloadMode(TimerHandle_t xTimer);
UBaseType_t uxTimerGetReloadMode(TimerHandle_t xTimer);
TaskHandle_t xTimerGetTimerDaemonTaskHandle(void);

/* The timer task calls a function. */
BaseType_t xTimerPendFunctionCall(PendedFunction_t xFunctionToPend, void *pvParameter1, uint32_t ulParameter2, TickType_t xTicksToWait);
BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t xFunctionToPend, void *pvParameter1, uint32_t ulParameter2,
                                         BaseType_t *pxHigherPriorityTaskWoken);

#ifdef __cplusplus
}
#endif

#endif
