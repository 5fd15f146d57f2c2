/* SPDX-License-Identifier: Apache-2.0 */
/* event_flags.c: event flags, by the hardware unit. */
#include "unit/unit.h"

mel_status_t mel_flags_create(mel_id_t flags, uint32_t initial)
{
    return mel_unit_call_again(MEL_OP_EVENT_FLAGS_CREATE, mel_unit_limit(flags), initial);
}

mel_status_t mel_flags_delete(mel_id_t flags)
{
    return mel_unit_call_again(MEL_OP_EVENT_FLAGS_DELETE, mel_unit_limit(flags), 0);
}

mel_status_t mel_flags_set(mel_id_t flags, uint32_t pattern)
{
    return mel_unit_call(MEL_OP_EVENT_FLAGS_SET, mel_unit_limit(flags), pattern);
}

mel_status_t mel_flags_clear(mel_id_t flags, uint32_t pattern)
{
    return mel_unit_call(MEL_OP_EVENT_FLAGS_CLEAR, mel_unit_limit(flags), pattern);
}

static inline mel_status_t wait(uint32_t op, mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    mel_unit_operand(timeout);
    return mel_unit_call_value(op, mel_unit_limit(flags), pattern, value);
}

mel_status_t mel_flags_wait_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return wait(MEL_OP_EVENT_FLAGS_WAIT_ANY, flags, pattern, timeout, value);
}

mel_status_t mel_flags_wait_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return wait(MEL_OP_EVENT_FLAGS_WAIT_ALL, flags, pattern, timeout, value);
}

mel_status_t mel_flags_take_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return wait(MEL_OP_EVENT_FLAGS_TAKE_ANY, flags, pattern, timeout, value);
}

mel_status_t mel_flags_take_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return wait(MEL_OP_EVENT_FLAGS_TAKE_ALL, flags, pattern, timeout, value);
}
