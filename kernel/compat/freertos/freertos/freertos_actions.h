/* SPDX-License-Identifier: Apache-2.0 */
/* freertos_actions.h: what an edge does by itself on FreeRTOS (part of freertos/interrupt.c) in a program that is written for it: a notification of
 * index 0, to a task by the number that freertos_task_number gave it. All else a handler of the program does. */
#ifndef FREERTOS_ACTIONS_H
#define FREERTOS_ACTIONS_H

#include "numbers.h"

static BaseType_t mel_freertos_due; /* a handler of the program asks for a switch itself (portYIELD_FROM_ISR) */

static inline void give(void *object, BaseType_t *due)
{
    (void)object;
    (void)due;
}

static void act(uint32_t action, void *object, uint32_t word, BaseType_t *due)
{
    if (action == MEL_IRQ_ACTION_NOTIFICATION_SET) {
        (void)xTaskNotifyFromISR(object, word, eSetBits, due);
    } else {
        vTaskNotifyGiveFromISR(object, due);
    }
}

static inline bool lacked(uint32_t action)
{
    return action != MEL_IRQ_ACTION_NONE && action != MEL_IRQ_ACTION_NOTIFICATION_SET && action != MEL_IRQ_ACTION_NOTIFICATION_GIVE;
}

/* The handle of a task; NULL: nobody has that number. */
static void *object_of(uint32_t action, mel_id_t object)
{
    if (action == MEL_IRQ_ACTION_NONE) {
        return &mel_freertos_due; /* nobody looks at it */
    }
    return mel_beyond(object, MEL_TASKS) ? NULL : freertos_numbered[object];
}

#endif
