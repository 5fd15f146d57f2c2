/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.h: on the coupling `port`: the interface of kernel/include/melanion/interrupt.h, with raising a line inline. */
#ifndef MELANION_PORT_INTERRUPT_H
#define MELANION_PORT_INTERRUPT_H

#include_next <melanion/interrupt.h>

#include <mel_port.h>

MEL_PORT_CALL mel_status_t mel_irq_raise(mel_id_t irq)
{
    mel_port_command(MEL_OP_IRQ_RAISE, mel_port_limit(irq), 0);
    return mel_port_answer();
}

#endif
