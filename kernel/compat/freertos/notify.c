/* SPDX-License-Identifier: Apache-2.0 */
/* notify.c: task notifications. Those of index 0 are the kernel's: value, mark and wait are in the hardware unit where there is one, and an interrupt can
 * give them without the CPU. Those of other indices are kept here; their task sleeps in the kernel (mel_task_sleep).
 * FreeRTOS takes a notification when the task runs, not when it is released: until then others add to it, or take it back. So the task waits in the kernel
 * for the release alone, and takes when it runs; `notified[0]` says what has happened meanwhile (an interrupt without the CPU leaves it at WAITS). */
#include "layer.h"

#if configTASK_NOTIFICATION_ARRAY_ENTRIES > 1
#define INDICES configTASK_NOTIFICATION_ARRAY_ENTRIES
#else
#define INDICES 1
#endif

/* ---- notify -------------------------------------------------------------------------------------------------------------- */

/* In a step, of index 0: the last command. */
static int32_t notify_kernel(freertos_task_t *task, uint32_t value, eNotifyAction action)
{
    const mel_id_t id = task->id;
    if (action == eSetValueWithoutOverwrite && task->notified[0] == FREERTOS_NOTIFIED) {
        return MEL_E_QOVR;
    }
    if (task->notified[0] == FREERTOS_WAITS) {
        task->notified[0] = FREERTOS_NOTIFIED;
    }
    switch (action) {
    case eSetBits: return mel_compound_ask(MEL_OP_NOTIFICATION_SET, id, value, 0, NULL);
    case eIncrement: return mel_compound_ask(MEL_OP_NOTIFICATION_GIVE, id, 0, 0, NULL);
    case eSetValueWithOverwrite: return mel_compound_ask(MEL_OP_NOTIFICATION_OVERWRITE, id, value, 0, NULL);
    case eSetValueWithoutOverwrite: return mel_compound_ask(MEL_OP_NOTIFICATION_SEND, id, value, 0, NULL);
    default: return mel_compound_ask(MEL_OP_NOTIFICATION_SET, id, 0, 0, NULL);
    }
}

/* In a step, of another index: the last command. */
static int32_t notify_here(freertos_task_t *task, UBaseType_t index, uint32_t value, eNotifyAction action)
{
    const uint8_t before = task->notified[index];
    uint32_t *held = &task->values[index];
    if (action == eSetValueWithoutOverwrite && before == FREERTOS_NOTIFIED) {
        return MEL_E_QOVR;
    }
    switch (action) {
    case eSetBits: *held |= value; break;
    case eIncrement: *held += 1; break;
    case eSetValueWithOverwrite:
    case eSetValueWithoutOverwrite: *held = value; break;
    default: break;
    }
    task->notified[index] = FREERTOS_NOTIFIED;
    return before == FREERTOS_WAITS ? mel_compound_ask(MEL_OP_TASK_WAKEUP, task->id, 0, 0, NULL) : MEL_E_OK;
}

/* For a program that asks who notifies (trace.h), the action says so, too; else nothing of it is there. */
#define BY_HANDLER 16
#define GIVEN_BY_HANDLER 32
#define TRACED                                                                                          \
    (FREERTOS_TRACED(traceTASK_NOTIFY(0)) || FREERTOS_TRACED(traceTASK_NOTIFY_FROM_ISR(0)) || \
     FREERTOS_TRACED(traceTASK_NOTIFY_GIVE_FROM_ISR(0)))
#define BY(who, action) (TRACED ? (eNotifyAction)((action) | (who)) : (action))

static inline eNotifyAction tell(UBaseType_t index, eNotifyAction action)
{
    (void)index;
    if ((action & GIVEN_BY_HANDLER) != 0) {
        FREERTOS_TRACE(traceTASK_NOTIFY_GIVE_FROM_ISR(index));
    } else if ((action & BY_HANDLER) != 0) {
        FREERTOS_TRACE(traceTASK_NOTIFY_FROM_ISR(index));
    } else {
        FREERTOS_TRACE(traceTASK_NOTIFY(index));
    }
    return (eNotifyAction)(action & ~(BY_HANDLER | GIVEN_BY_HANDLER));
}

static __attribute__((noinline)) BaseType_t notify(freertos_task_t *task, UBaseType_t index, uint32_t value, eNotifyAction action,
                                                   uint32_t *previous, BaseType_t *woken)
{
    mel_task_info_t before = {.state = MEL_TASK_STATE_READY}, after = before;
    configASSERT(task != NULL && index < INDICES);
    const freertos_step_t step = freertos_begin();
    if (woken != NULL) {
        (void)mel_task_query(task->id, &before);
    }
    if (previous != NULL && index == 0) {
        (void)mel_compound_ask(MEL_OP_NOTIFICATION_CLEAR, task->id, 0, 0, previous);
    } else if (previous != NULL) {
        *previous = task->values[index];
    }
    action = TRACED ? tell(index, action) : action;
    const int32_t answer = index == 0 ? notify_kernel(task, value, action) : notify_here(task, index, value, action);
    if (woken != NULL && before.state == MEL_TASK_STATE_WAITING && mel_task_query(task->id, &after) == MEL_E_OK &&
        after.state != MEL_TASK_STATE_WAITING && freertos_outranks(task)) {
        *woken = pdTRUE;
    }
    return freertos_end(step, answer, NULL) == MEL_E_OK ? pdPASS : pdFAIL;
}

BaseType_t xTaskGenericNotify(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify, uint32_t ulValue, eNotifyAction eAction,
                              uint32_t *pulPreviousNotificationValue)
{
    if (uxIndexToNotify != 0 || pulPreviousNotificationValue != NULL || TRACED) {
        return notify(xTaskToNotify, uxIndexToNotify, ulValue, eAction, pulPreviousNotificationValue, NULL);
    }
    configASSERT(xTaskToNotify != NULL);
    const freertos_step_t step = freertos_begin();
    return freertos_end(step, notify_kernel(xTaskToNotify, ulValue, eAction), NULL) == MEL_E_OK ? pdPASS : pdFAIL;
}

BaseType_t xTaskGenericNotifyFromISR(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify, uint32_t ulValue, eNotifyAction eAction,
                                     uint32_t *pulPreviousNotificationValue, BaseType_t *pxHigherPriorityTaskWoken)
{
    return notify(xTaskToNotify, uxIndexToNotify, ulValue, BY(BY_HANDLER, eAction), pulPreviousNotificationValue, pxHigherPriorityTaskWoken);
}

#ifdef FREERTOS_GIVES_ARE_TRACED
void vTaskGenericNotifyGiveFromISR(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify, BaseType_t *pxHigherPriorityTaskWoken)
{
    (void)notify(xTaskToNotify, uxIndexToNotify, 0, BY(GIVEN_BY_HANDLER, eIncrement), NULL, pxHigherPriorityTaskWoken);
}
#endif

/* ---- wait ---------------------------------------------------------------------------------------------------------------- */

/* The caller's wait has ended with this status; a suspension ends it too, for good. */
static void waited(freertos_task_t *self)
{
    freertos_switches++;
    self->resumed = 0;
}

/* In a step, which this ends: the caller waits in the kernel for a notification of index 0, or finds one pending. */
static mel_status_t wait_kernel(freertos_step_t step, freertos_task_t *self, TickType_t ticks)
{
    uint32_t value;
    self->notified[0] = FREERTOS_WAITS;
    const int32_t answer = mel_compound_ask(MEL_OP_NOTIFICATION_WAIT, 0, 0, ticks, &value);
    const mel_status_t status = freertos_end(step, answer, &value);
    waited(self);
    return status;
}

/* In a step: the wait of index 0 is over; whether the caller has been notified, also when its time was over or after the release. */
static BaseType_t received(freertos_task_t *self, mel_status_t status)
{
    const BaseType_t pending = mel_compound_ask(MEL_OP_NOTIFICATION_CANCEL, self->id, 0, 0, NULL) == MEL_E_OK;
    const BaseType_t notified = pending || (status == MEL_E_OK && self->notified[0] != FREERTOS_NOT_NOTIFIED);
    self->notified[0] = FREERTOS_NOT_NOTIFIED;
    return notified;
}

/* In a step, which this ends: sleep until notified here (index not 0), and be no longer marked as waiting. */
static void sleep(freertos_step_t step, freertos_task_t *self, UBaseType_t index, TickType_t ticks)
{
    self->notified[index] = FREERTOS_WAITS;
    const mel_status_t status = freertos_end(step, mel_compound_ask(MEL_OP_TASK_SLEEP, 0, ticks, 0, NULL), NULL);
    waited(self);
    const freertos_step_t after = freertos_begin();
    if (self->notified[index] == FREERTOS_WAITS) {
        self->notified[index] = FREERTOS_NOT_NOTIFIED;
    } else if (status != MEL_E_OK) { /* notified when its time was over: the wake-up has been counted */
        (void)mel_compound_ask(MEL_OP_TASK_SLEEP, 0, MEL_POLL, 0, NULL);
    }
    (void)freertos_end(after, MEL_E_OK, NULL);
}

/* The bits `entry` are cleared by who begins to wait: not when one is pending, nor by a poll. */
static BaseType_t wait_here(freertos_task_t *self, UBaseType_t index, uint32_t entry, uint32_t exit, uint32_t *value, TickType_t ticks)
{
    freertos_step_t step = freertos_begin_waiting(ticks);
    if (self->notified[index] != FREERTOS_NOTIFIED && ticks != 0) {
        self->values[index] &= ~entry;
        FREERTOS_TRACE(traceTASK_NOTIFY_WAIT_BLOCK(index));
        sleep(step, self, index, ticks);
        step = freertos_begin();
    }
    const BaseType_t notified = self->notified[index] == FREERTOS_NOTIFIED;
    FREERTOS_TRACE(traceTASK_NOTIFY_WAIT(index));
    if (value != NULL) {
        *value = self->values[index];
    }
    if (notified) {
        self->values[index] &= ~exit;
    }
    self->notified[index] = FREERTOS_NOT_NOTIFIED;
    (void)freertos_end(step, MEL_E_OK, NULL);
    return notified;
}

BaseType_t xTaskGenericNotifyWait(UBaseType_t uxIndexToWaitOn, uint32_t ulBitsToClearOnEntry, uint32_t ulBitsToClearOnExit,
                                  uint32_t *pulNotificationValue, TickType_t xTicksToWait)
{
    freertos_task_t *self = freertos_self();
    configASSERT(uxIndexToWaitOn < INDICES);
    if (uxIndexToWaitOn != 0) {
        return wait_here(self, uxIndexToWaitOn, ulBitsToClearOnEntry, ulBitsToClearOnExit, pulNotificationValue, xTicksToWait);
    }
    uint32_t value;
    freertos_step_t step = freertos_begin_waiting(xTicksToWait);
    mel_task_info_t info;
    if (ulBitsToClearOnEntry != 0 && xTicksToWait != 0 && mel_task_query(self->id, &info) == MEL_E_OK && !info.notified) {
        (void)mel_compound_ask(MEL_OP_NOTIFICATION_CLEAR, self->id, ulBitsToClearOnEntry, 0, &value);
    }
    if (FREERTOS_TRACED(traceTASK_NOTIFY_WAIT_BLOCK(uxIndexToWaitOn)) && xTicksToWait != 0 && mel_task_query(self->id, &info) == MEL_E_OK &&
        !info.notified) {
        FREERTOS_TRACE(traceTASK_NOTIFY_WAIT_BLOCK(uxIndexToWaitOn));
    }
    const mel_status_t status = wait_kernel(step, self, xTicksToWait);
    step = freertos_begin();
    FREERTOS_TRACE(traceTASK_NOTIFY_WAIT(uxIndexToWaitOn));
    const BaseType_t notified = received(self, status);
    (void)mel_compound_ask(MEL_OP_NOTIFICATION_CLEAR, self->id, notified ? ulBitsToClearOnExit : 0, 0, &value);
    (void)freertos_end(step, MEL_E_OK, NULL);
    if (pulNotificationValue != NULL) {
        *pulNotificationValue = value;
    }
    return notified;
}

/* Not in line: what it needs would be saved and restored around a take of index 0, too, which is behind an interrupt's way to its task. */
static __attribute__((noinline)) uint32_t take_here(freertos_task_t *self, UBaseType_t index, BaseType_t clear, TickType_t ticks)
{
    freertos_step_t step = freertos_begin_waiting(ticks);
    if (self->values[index] == 0 && ticks != 0) {
        FREERTOS_TRACE(traceTASK_NOTIFY_TAKE_BLOCK(index));
        sleep(step, self, index, ticks);
        step = freertos_begin();
    }
    const uint32_t value = self->values[index];
    FREERTOS_TRACE(traceTASK_NOTIFY_TAKE(index));
    if (value != 0) {
        self->values[index] = clear ? 0 : value - 1;
    }
    self->notified[index] = FREERTOS_NOT_NOTIFIED;
    (void)freertos_end(step, MEL_E_OK, NULL);
    return value;
}

/* Take index 0 in one command, its pending mark with the value. 0: there was none. */
static inline uint32_t take_kernel(BaseType_t clear)
{
    uint32_t value;
    const mel_status_t status = clear ? mel_notification_take_all(MEL_POLL, &value) : mel_notification_take(MEL_POLL, &value);
    return status == MEL_E_OK ? value : 0;
}

static __attribute__((noinline)) void wait_in_critical(TickType_t ticks)
{
    uint32_t value;
    mel_status_t status;
    FREERTOS_WAIT(status, ticks, mel_notification_wait(0, ticks, &value));
    (void)status;
}

/* Until somebody notifies, the time is over or the task is suspended; the value stays. */
static inline void wait_for_value(freertos_task_t *self, TickType_t ticks)
{
    uint32_t value;
    self->notified[0] = FREERTOS_WAITS;
    if (__builtin_expect(FREERTOS_OUTSIDE(), 1)) {
        (void)mel_notification_wait(0, ticks, &value);
    } else {
        wait_in_critical(ticks);
    }
    waited(self);
}

/* Index 0 needs no step: each command is atomic, and in this order none can lose a notification
 * that comes between two of them. */
uint32_t ulTaskGenericNotifyTake(UBaseType_t uxIndexToWaitOn, BaseType_t xClearCountOnExit, TickType_t xTicksToWait)
{
    freertos_task_t *self = freertos_self();
    configASSERT(uxIndexToWaitOn < INDICES);
    if (uxIndexToWaitOn != 0) {
        return take_here(self, uxIndexToWaitOn, xClearCountOnExit, xTicksToWait);
    }
    uint32_t value = take_kernel(xClearCountOnExit);
    if (value == 0 && xTicksToWait != 0) {
        if (mel_notification_cancel(self->id) == MEL_E_OK) { /* one that left the value 0 does not count; has one come meanwhile? */
            value = take_kernel(xClearCountOnExit);
        }
        if (value == 0) {
            traceTASK_NOTIFY_TAKE_BLOCK(uxIndexToWaitOn);
            wait_for_value(self, xTicksToWait);
            value = take_kernel(xClearCountOnExit);
        }
    }
    traceTASK_NOTIFY_TAKE(uxIndexToWaitOn);
    self->notified[0] = FREERTOS_NOT_NOTIFIED;
    return value;
}

/* ---- look and clear ------------------------------------------------------------------------------------------------------ */

BaseType_t xTaskGenericNotifyStateClear(TaskHandle_t xTask, UBaseType_t uxIndexToClear)
{
    freertos_task_t *task = freertos_of(xTask);
    configASSERT(uxIndexToClear < INDICES);
    const freertos_step_t step = freertos_begin();
    BaseType_t notified = pdFALSE;
    if (uxIndexToClear == 0) {
        notified = mel_compound_ask(MEL_OP_NOTIFICATION_CANCEL, task->id, 0, 0, NULL) == MEL_E_OK || task->notified[0] == FREERTOS_NOTIFIED;
        if (task->notified[0] == FREERTOS_NOTIFIED) {
            task->notified[0] = FREERTOS_NOT_NOTIFIED;
        }
    } else if (task->notified[uxIndexToClear] == FREERTOS_NOTIFIED) {
        notified = pdTRUE;
        task->notified[uxIndexToClear] = FREERTOS_NOT_NOTIFIED;
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    return notified ? pdPASS : pdFAIL;
}

uint32_t ulTaskGenericNotifyValueClear(TaskHandle_t xTask, UBaseType_t uxIndexToClear, uint32_t ulBitsToClear)
{
    freertos_task_t *task = freertos_of(xTask);
    configASSERT(uxIndexToClear < INDICES);
    uint32_t value = 0;
    const freertos_step_t step = freertos_begin();
    if (uxIndexToClear == 0) {
        (void)mel_compound_ask(MEL_OP_NOTIFICATION_CLEAR, task->id, ulBitsToClear, 0, &value);
    } else {
        value = task->values[uxIndexToClear];
        task->values[uxIndexToClear] = value & ~ulBitsToClear;
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    return value;
}
