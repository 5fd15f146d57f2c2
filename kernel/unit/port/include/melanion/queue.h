/* SPDX-License-Identifier: Apache-2.0 */
/* queue.h: on the coupling `port`: the interface of kernel/include/melanion/queue.h, with send, receive and post inline. */
#ifndef MELANION_PORT_QUEUE_H
#define MELANION_PORT_QUEUE_H

#include_next <melanion/queue.h>

#include <mel_port.h>

MEL_PORT_CALL mel_status_t mel_queue_send(mel_id_t queue, uint32_t message, mel_ticks_t timeout)
{
    mel_port_operand(timeout);
    mel_port_command(MEL_OP_QUEUE_SEND, mel_port_limit(queue), message);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_queue_post(mel_id_t queue, uint32_t message, uint32_t priority)
{
    mel_port_operand(priority);
    mel_port_command(MEL_OP_QUEUE_POST, mel_port_limit(queue), message);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_queue_receive(mel_id_t queue, mel_ticks_t timeout, uint32_t *message)
{
    mel_port_command(MEL_OP_QUEUE_RECEIVE, mel_port_limit(queue), timeout);
    return mel_port_answer_value(message);
}

#endif
