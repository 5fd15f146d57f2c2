/* SPDX-License-Identifier: Apache-2.0 */
/* tm_messages.h: the messages of Thread-Metric on the kernel `freertos`, whose queues copy items of 16 bytes themselves; a part of tm_porting_layer.c. */
#ifndef TM_MESSAGES_H
#define TM_MESSAGES_H

#include <FreeRTOS.h>
#include <queue.h>

enum { MESSAGE_BYTES = 4 * sizeof(unsigned long) };

static StaticQueue_t queues[TM_OBJECTS];
static unsigned long words[TM_OBJECTS][MESSAGES][4];

int tm_queue_create(int queue_id)
{
    if (!numbers(queue_id)) {
        return TM_ERROR;
    }
    (void)xQueueCreateStatic(MESSAGES, MESSAGE_BYTES, (uint8_t *)words[queue_id], &queues[queue_id]);
    return TM_SUCCESS;
}

int tm_queue_send(int queue_id, unsigned long *message_ptr)
{
    return numbers(queue_id) && xQueueSend((QueueHandle_t)&queues[queue_id], message_ptr, 0) == pdPASS ? TM_SUCCESS : TM_ERROR;
}

int tm_queue_receive(int queue_id, unsigned long *message_ptr)
{
    return numbers(queue_id) && xQueueReceive((QueueHandle_t)&queues[queue_id], message_ptr, 0) == pdPASS ? TM_SUCCESS : TM_ERROR;
}

#endif
