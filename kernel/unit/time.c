/* SPDX-License-Identifier: Apache-2.0 */
/* time.c: time and dispatch, by the hardware unit. There is no tick interrupt. */
#include "unit/objects.h"

mel_status_t mel_task_delay(mel_ticks_t ticks)
{
    return mel_unit_call(MEL_OP_TASK_DELAY, 0, ticks);
}

mel_status_t mel_task_delay_until(mel_ticks_t time)
{
    return mel_unit_call(MEL_OP_TASK_DELAY_UNTIL, 0, time);
}

mel_status_t mel_tick_set(uint32_t cycles)
{
    return mel_unit_call(MEL_OP_TICK_SET, 0, cycles);
}

mel_status_t mel_time_get(uint64_t *ticks)
{
    uint32_t high;
    uint32_t low;
    do {
        high = MEL_UNIT_REGISTER(MEL_REG_TIME_HIGH);
        low = MEL_UNIT_REGISTER(MEL_REG_TIME_LOW);
    } while (high != MEL_UNIT_REGISTER(MEL_REG_TIME_HIGH));
    *ticks = (uint64_t)high << 32 | low;
    return MEL_E_OK;
}

mel_status_t mel_dispatch_disable(void)
{
    return mel_objects_call(MEL_OP_DISPATCH_DISABLE);
}

mel_status_t mel_dispatch_enable(void)
{
    return mel_objects_call(MEL_OP_DISPATCH_ENABLE);
}
