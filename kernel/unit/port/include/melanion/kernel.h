/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h: on the coupling `port`: the interface of kernel/include/melanion/kernel.h, with the switch of dispatching inline. */
#ifndef MELANION_PORT_KERNEL_H
#define MELANION_PORT_KERNEL_H

#include_next <melanion/kernel.h>

#include <mel_port.h>

MEL_PORT_CALL mel_status_t mel_dispatch_disable(void)
{
    mel_port_plain(MEL_OP_DISPATCH_DISABLE, 0);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_dispatch_enable(void)
{
    mel_port_plain(MEL_OP_DISPATCH_ENABLE, 0);
    return mel_port_answer();
}

#endif
