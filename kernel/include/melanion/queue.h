/* SPDX-License-Identifier: Apache-2.0 */
/* queue.h: message queues of 32-bit words (a number, or a pointer to more). Messages leave in order of their priority, equal
 * priorities in order of arrival. Tasks wait in order of their priority, equal priorities in order of arrival: receivers
 * while the queue is empty, senders while it is full. A message that comes while a task waits for one goes to that task.
 * Each call may also return MEL_E_CTX, MEL_E_ID and MEL_E_NOEXS as melanion.h says. */
#ifndef MELANION_QUEUE_H
#define MELANION_QUEUE_H

#include <melanion/types.h>

/* The least urgent message priority: that of mel_queue_send. */
#define MEL_MESSAGE_PRIORITY_LEAST (MEL_MESSAGE_PRIORITIES - 1)

/* Make queue `queue` for `capacity` messages, which are reserved for it. Callers: task, handler, idle.
 * E_OK; E_PAR: capacity is 0 or above MEL_MESSAGES; E_OBJ: it exists; E_NOMEM: other queues reserve too many messages.
 * µITRON: cre_dtq, cre_mbx. FreeRTOS: xQueueCreateStatic. */
mel_status_t mel_queue_create(mel_id_t queue, uint32_t capacity);

/* Remove a queue and its messages; the calls of its waiting tasks return E_DLT, the most urgent first. Callers: task,
 * idle. E_OK. µITRON: del_dtq, del_mbx. FreeRTOS: vQueueDelete. */
mel_status_t mel_queue_delete(mel_id_t queue);

/* Send `message` with the least urgent message priority, waiting for room at most `timeout` ticks (MEL_POLL: not at all,
 * MEL_FOREVER: no limit). Callers: task; with MEL_POLL also handler and idle.
 * E_OK; E_TMOUT; E_DLT when the queue is deleted meanwhile; E_RLWAI when released.
 * µITRON: snd_dtq, psnd_dtq, tsnd_dtq. FreeRTOS: xQueueSend. */
mel_status_t mel_queue_send(mel_id_t queue, uint32_t message, mel_ticks_t timeout);

/* Take the first of the most urgent messages into `message`, waiting for one at most `timeout` ticks; `message` is written
 * only with E_OK. The message of the first waiting sender, if any, then enters the queue. Callers: task; with MEL_POLL also
 * handler and idle. E_OK; E_TMOUT; E_DLT when the queue is deleted meanwhile; E_RLWAI when released.
 * µITRON: rcv_dtq, prcv_dtq, trcv_dtq, rcv_mbx. FreeRTOS: xQueueReceive. */
mel_status_t mel_queue_receive(mel_id_t queue, mel_ticks_t timeout, uint32_t *message);

/* Send `message` with a message `priority`, 0 (the most urgent) … MEL_MESSAGE_PRIORITY_LEAST, and never wait. Callers:
 * task, handler, idle. E_OK; E_PAR: no such priority; E_QOVR: the queue is full.
 * µITRON: snd_mbx with TA_MPRI, ipsnd_dtq. FreeRTOS: xQueueSendFromISR; priority 0 on a queue without other urgent
 * messages: like xQueueSendToFront, but in order of arrival. */
mel_status_t mel_queue_post(mel_id_t queue, uint32_t message, uint32_t priority);

/* Read the number of messages into `count`, which is written only with E_OK. Callers: any. E_OK.
 * µITRON: ref_dtq. FreeRTOS: uxQueueMessagesWaiting. */
mel_status_t mel_queue_query(mel_id_t queue, uint32_t *count);

#endif
