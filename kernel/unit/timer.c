/* SPDX-License-Identifier: Apache-2.0 */
/* timer.c: alarm and cyclic timers, by the hardware unit. */
#include "unit/unit.h"

mel_status_t mel_timer_start(mel_id_t timer, mel_ticks_t ticks, mel_ticks_t period)
{
    mel_unit_operand(period);
    return mel_unit_call(MEL_OP_TIMER_START, mel_unit_limit(timer), ticks);
}

mel_status_t mel_timer_stop(mel_id_t timer)
{
    return mel_unit_call(MEL_OP_TIMER_STOP, mel_unit_limit(timer), 0);
}
