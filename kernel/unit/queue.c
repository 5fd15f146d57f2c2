/* SPDX-License-Identifier: Apache-2.0 */
/* queue.c: message queues, by the hardware unit. */
#include "unit/unit.h"

mel_status_t mel_queue_create(mel_id_t queue, uint32_t capacity)
{
    return mel_unit_call_again(MEL_OP_QUEUE_CREATE, mel_unit_limit(queue), capacity);
}

mel_status_t mel_queue_delete(mel_id_t queue)
{
    return mel_unit_call_again(MEL_OP_QUEUE_DELETE, mel_unit_limit(queue), 0);
}

mel_status_t mel_queue_send(mel_id_t queue, uint32_t message, mel_ticks_t timeout)
{
    mel_unit_operand(timeout);
    return mel_unit_call(MEL_OP_QUEUE_SEND, mel_unit_limit(queue), message);
}

mel_status_t mel_queue_receive(mel_id_t queue, mel_ticks_t timeout, uint32_t *message)
{
    return mel_unit_call_value(MEL_OP_QUEUE_RECEIVE, mel_unit_limit(queue), timeout, message);
}

mel_status_t mel_queue_post(mel_id_t queue, uint32_t message, uint32_t priority)
{
    mel_unit_operand(priority);
    return mel_unit_call(MEL_OP_QUEUE_POST, mel_unit_limit(queue), message);
}

mel_status_t mel_queue_query(mel_id_t queue, uint32_t *count)
{
    const uint32_t word = *mel_unit_word(MEL_QUERY_QUEUE_COUNT, mel_unit_limit(queue));
    if ((int32_t)word < 0) {
        return (mel_status_t)word;
    }
    *count = word;
    return MEL_E_OK;
}
