/* SPDX-License-Identifier: Apache-2.0 */
/* mutex.h: on the coupling `port`: the interface of kernel/include/melanion/mutex.h, with lock and unlock inline. */
#ifndef MELANION_PORT_MUTEX_H
#define MELANION_PORT_MUTEX_H

#include_next <melanion/mutex.h>

#include <mel_port.h>

MEL_PORT_CALL mel_status_t mel_mutex_lock(mel_id_t mutex, mel_ticks_t timeout)
{
    mel_port_command(MEL_OP_MUTEX_LOCK, mel_port_limit(mutex), timeout);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_mutex_unlock(mel_id_t mutex)
{
    mel_port_command(MEL_OP_MUTEX_UNLOCK, mel_port_limit(mutex), 0);
    return mel_port_answer();
}

#endif
