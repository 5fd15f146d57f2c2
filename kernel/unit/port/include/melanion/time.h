/* SPDX-License-Identifier: Apache-2.0 */
/* time.h: on the coupling `port`: the interface of kernel/include/melanion/time.h, with delays inline. */
#ifndef MELANION_PORT_TIME_H
#define MELANION_PORT_TIME_H

#include_next <melanion/time.h>

#include <mel_port.h>

MEL_PORT_CALL mel_status_t mel_task_delay(mel_ticks_t ticks)
{
    mel_port_plain(MEL_OP_TASK_DELAY, ticks);
    return mel_port_left();
}

MEL_PORT_CALL mel_status_t mel_task_delay_until(mel_ticks_t time)
{
    mel_port_plain(MEL_OP_TASK_DELAY_UNTIL, time);
    return mel_port_left();
}

#endif
