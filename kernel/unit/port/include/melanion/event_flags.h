/* SPDX-License-Identifier: Apache-2.0 */
/* event_flags.h: on the coupling `port`: the interface of kernel/include/melanion/event_flags.h, with set, clear, wait and take inline. */
#ifndef MELANION_PORT_EVENT_FLAGS_H
#define MELANION_PORT_EVENT_FLAGS_H

#include_next <melanion/event_flags.h>

#include <mel_port.h>

MEL_PORT_CALL mel_status_t mel_flags_set(mel_id_t flags, uint32_t pattern)
{
    mel_port_command(MEL_OP_EVENT_FLAGS_SET, mel_port_limit(flags), pattern);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_flags_clear(mel_id_t flags, uint32_t pattern)
{
    mel_port_command(MEL_OP_EVENT_FLAGS_CLEAR, mel_port_limit(flags), pattern);
    return mel_port_answer();
}

/* The calls that wait: they differ in the command. */
MEL_PORT_CALL mel_status_t mel_port_await_flags(uint32_t op, mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    mel_port_operand(timeout);
    mel_port_command(op, mel_port_limit(flags), pattern);
    return mel_port_answer_value(value);
}

MEL_PORT_CALL mel_status_t mel_flags_wait_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return mel_port_await_flags(MEL_OP_EVENT_FLAGS_WAIT_ANY, flags, pattern, timeout, value);
}

MEL_PORT_CALL mel_status_t mel_flags_wait_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return mel_port_await_flags(MEL_OP_EVENT_FLAGS_WAIT_ALL, flags, pattern, timeout, value);
}

MEL_PORT_CALL mel_status_t mel_flags_take_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return mel_port_await_flags(MEL_OP_EVENT_FLAGS_TAKE_ANY, flags, pattern, timeout, value);
}

MEL_PORT_CALL mel_status_t mel_flags_take_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return mel_port_await_flags(MEL_OP_EVENT_FLAGS_TAKE_ALL, flags, pattern, timeout, value);
}

#endif
