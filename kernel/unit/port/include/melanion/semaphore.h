/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore.h: on the coupling `port`: the interface of kernel/include/melanion/semaphore.h, with give and take inline. */
#ifndef MELANION_PORT_SEMAPHORE_H
#define MELANION_PORT_SEMAPHORE_H

#include_next <melanion/semaphore.h>

#include <mel_port.h>

MEL_PORT_CALL mel_status_t mel_sem_give(mel_id_t sem)
{
    mel_port_command(MEL_OP_SEMAPHORE_GIVE, mel_port_limit(sem), 0);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_sem_take(mel_id_t sem, mel_ticks_t timeout)
{
    mel_port_command(MEL_OP_SEMAPHORE_TAKE, mel_port_limit(sem), timeout);
    return mel_port_answer();
}

#endif
