/* SPDX-License-Identifier: Apache-2.0 */
/* queue.h: on the kernel `freertos`: the interface of kernel/include/melanion/queue.h, inline over queues of words. They know no message priority: a post with
 * another than the least is refused with E_RSFN. */
#ifndef MELANION_FREERTOS_QUEUE_H
#define MELANION_FREERTOS_QUEUE_H

#include_next <melanion/queue.h>

#include <mel_freertos.h>

static inline QueueHandle_t mel_freertos_queue(mel_id_t queue)
{
    return (QueueHandle_t)&mel_freertos_queues[queue];
}

MEL_FREERTOS_CALL mel_status_t mel_queue_send(mel_id_t queue, uint32_t message, mel_ticks_t timeout)
{
    if (mel_freertos_in_handler()) {
        if (timeout != MEL_POLL) {
            return MEL_E_CTX;
        }
        return xQueueSendFromISR(mel_freertos_queue(queue), &message, &mel_freertos_due) == pdTRUE ? MEL_E_OK : MEL_E_TMOUT;
    }
    if (__builtin_expect(xQueueSend(mel_freertos_queue(queue), &message, timeout) == pdTRUE, 1)) {
        return MEL_E_OK;
    }
    return mel_freertos_end(timeout);
}

MEL_FREERTOS_CALL mel_status_t mel_queue_receive(mel_id_t queue, mel_ticks_t timeout, uint32_t *message)
{
    if (mel_freertos_in_handler()) {
        if (timeout != MEL_POLL) {
            return MEL_E_CTX;
        }
        return xQueueReceiveFromISR(mel_freertos_queue(queue), message, &mel_freertos_due) == pdTRUE ? MEL_E_OK : MEL_E_TMOUT;
    }
    if (__builtin_expect(xQueueReceive(mel_freertos_queue(queue), message, timeout) == pdTRUE, 1)) {
        return MEL_E_OK;
    }
    return mel_freertos_end(timeout);
}

MEL_FREERTOS_CALL mel_status_t mel_queue_post(mel_id_t queue, uint32_t message, uint32_t priority)
{
    if (priority != MEL_MESSAGE_PRIORITY_LEAST) {
        return priority < MEL_MESSAGE_PRIORITY_LEAST ? MEL_E_RSFN : MEL_E_PAR;
    }
    return mel_queue_send(queue, message, MEL_POLL) == MEL_E_OK ? MEL_E_OK : MEL_E_QOVR;
}

MEL_FREERTOS_CALL mel_status_t mel_queue_query(mel_id_t queue, uint32_t *count)
{
    *count = mel_freertos_in_handler() ? uxQueueMessagesWaitingFromISR(mel_freertos_queue(queue))
                                       : uxQueueMessagesWaiting(mel_freertos_queue(queue));
    return MEL_E_OK;
}

#endif
