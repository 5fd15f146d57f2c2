/* SPDX-License-Identifier: Apache-2.0 */
/* freertos_actions.h: what an edge does to an object of Melanion on FreeRTOS (part of interrupt.c); objects are numbers of the arrays of mel_freertos.h.
 * Programs that are written for FreeRTOS itself have another one (kernel/compat/freertos/freertos). */
#ifndef MEL_FREERTOS_ACTIONS_H
#define MEL_FREERTOS_ACTIONS_H

#include <mel_freertos.h>

static inline void give(void *object, BaseType_t *due)
{
    (void)xSemaphoreGiveFromISR((SemaphoreHandle_t)object, due);
}

static void act(uint32_t action, void *object, uint32_t word, BaseType_t *due)
{
    switch (action) {
    case MEL_IRQ_ACTION_NONE: break;
    case MEL_IRQ_ACTION_TASK_WAKEUP: vTaskNotifyGiveIndexedFromISR(object, MEL_FREERTOS_WAKEUPS, due); break;
    case MEL_IRQ_ACTION_QUEUE_POST: (void)xQueueSendFromISR(object, &word, due); break;
    case MEL_IRQ_ACTION_NOTIFICATION_SET: (void)xTaskNotifyFromISR(object, word, eSetBits, due); break;
    default: vTaskNotifyGiveFromISR(object, due);
    }
}

/* There is no …FromISR call for it. */
static inline bool lacked(uint32_t action)
{
    return action == MEL_IRQ_ACTION_TASK_RELEASE || action == MEL_IRQ_ACTION_EVENT_FLAGS_SET;
}

/* The handle of an action's object; NULL: its number is out of range. */
static void *object_of(uint32_t action, mel_id_t object)
{
    switch (action) {
    case MEL_IRQ_ACTION_SEMAPHORE_GIVE: return mel_beyond(object, MEL_SEMAPHORES) ? NULL : &mel_freertos_semaphores[object];
    case MEL_IRQ_ACTION_QUEUE_POST: return mel_beyond(object, MEL_QUEUES) ? NULL : &mel_freertos_queues[object];
    case MEL_IRQ_ACTION_NONE: return &mel_freertos_due; /* nobody looks at it */
    default: return mel_beyond(object, MEL_TASKS) ? NULL : &mel_freertos_tasks[object];
    }
}

#endif
