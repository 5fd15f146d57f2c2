/* SPDX-License-Identifier: Apache-2.0 */
/* notification.c: task notifications, by the hardware unit. */
#include "unit/unit.h"

mel_status_t mel_notification_set(mel_id_t task, uint32_t bits)
{
    return mel_unit_call_task(MEL_OP_NOTIFICATION_SET, mel_unit_resolve(task), bits);
}

mel_status_t mel_notification_give(mel_id_t task)
{
    return mel_unit_call_task(MEL_OP_NOTIFICATION_GIVE, mel_unit_resolve(task), 0);
}

mel_status_t mel_notification_overwrite(mel_id_t task, uint32_t value)
{
    return mel_unit_call_task(MEL_OP_NOTIFICATION_OVERWRITE, mel_unit_resolve(task), value);
}

mel_status_t mel_notification_send(mel_id_t task, uint32_t value)
{
    return mel_unit_call_task(MEL_OP_NOTIFICATION_SEND, mel_unit_resolve(task), value);
}

mel_status_t mel_notification_clear(mel_id_t task, uint32_t bits, uint32_t *before)
{
    const mel_id_t number = mel_unit_resolve(task);
    if (MEL_TASKS > 255 && number > 255) {
        return MEL_E_ID;
    }
    return mel_unit_call_value(MEL_OP_NOTIFICATION_CLEAR, MEL_TASKS > 255 ? number : mel_unit_limit(number), bits, before);
}

mel_status_t mel_notification_cancel(mel_id_t task)
{
    return mel_unit_call_task(MEL_OP_NOTIFICATION_CANCEL, mel_unit_resolve(task), 0);
}

mel_status_t mel_notification_wait(uint32_t clear, mel_ticks_t timeout, uint32_t *value)
{
    mel_unit_operand(timeout);
    return mel_unit_call_value(MEL_OP_NOTIFICATION_WAIT, 0, clear, value);
}

mel_status_t mel_notification_take(mel_ticks_t timeout, uint32_t *value)
{
    return mel_unit_call_value(MEL_OP_NOTIFICATION_TAKE, 0, timeout, value);
}

mel_status_t mel_notification_take_all(mel_ticks_t timeout, uint32_t *value)
{
    return mel_unit_call_value(MEL_OP_NOTIFICATION_TAKE_ALL, 0, timeout, value);
}
