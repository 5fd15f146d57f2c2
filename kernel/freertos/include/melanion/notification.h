/* SPDX-License-Identifier: Apache-2.0 */
/* notification.h: on the kernel `freertos`: the interface of kernel/include/melanion/notification.h, inline over notification 0 of a task. */
#ifndef MELANION_FREERTOS_NOTIFICATION_H
#define MELANION_FREERTOS_NOTIFICATION_H

#include_next <melanion/notification.h>

#include <mel_freertos.h>

static inline mel_status_t mel_freertos_notify(mel_id_t task, uint32_t value, eNotifyAction action)
{
    const BaseType_t done = mel_freertos_in_handler()
                                ? xTaskNotifyFromISR(mel_freertos_task(task), value, action, &mel_freertos_due)
                                : xTaskNotify(mel_freertos_task(task), value, action);
    return action != eSetValueWithoutOverwrite || done == pdPASS ? MEL_E_OK : MEL_E_QOVR;
}

MEL_FREERTOS_CALL mel_status_t mel_notification_set(mel_id_t task, uint32_t bits)
{
    return mel_freertos_notify(task, bits, eSetBits);
}

MEL_FREERTOS_CALL mel_status_t mel_notification_give(mel_id_t task)
{
    return mel_freertos_notify(task, 0, eIncrement);
}

MEL_FREERTOS_CALL mel_status_t mel_notification_overwrite(mel_id_t task, uint32_t value)
{
    return mel_freertos_notify(task, value, eSetValueWithOverwrite);
}

MEL_FREERTOS_CALL mel_status_t mel_notification_send(mel_id_t task, uint32_t value)
{
    return mel_freertos_notify(task, value, eSetValueWithoutOverwrite);
}

MEL_FREERTOS_CALL mel_status_t mel_notification_clear(mel_id_t task, uint32_t bits, uint32_t *before)
{
    *before = ulTaskNotifyValueClear(mel_freertos_task(task), bits);
    return MEL_E_OK;
}

MEL_FREERTOS_CALL mel_status_t mel_notification_cancel(mel_id_t task)
{
    return xTaskNotifyStateClear(mel_freertos_task(task)) == pdTRUE ? MEL_E_OK : MEL_E_OBJ;
}

MEL_FREERTOS_CALL mel_status_t mel_notification_wait(uint32_t clear, mel_ticks_t timeout, uint32_t *value)
{
    if (mel_freertos_in_handler()) {
        return MEL_E_CTX;
    }
    uint32_t found;
    if (__builtin_expect(xTaskNotifyWait(0, clear, &found, timeout) == pdTRUE, 1)) {
        *value = found;
        return MEL_E_OK;
    }
    return mel_freertos_end(timeout);
}

static inline mel_status_t mel_freertos_notification_take(BaseType_t all, mel_ticks_t timeout, uint32_t *value)
{
    if (mel_freertos_in_handler()) {
        return MEL_E_CTX;
    }
    const uint32_t before = ulTaskNotifyTake(all, timeout);
    if (__builtin_expect(before != 0, 1)) {
        *value = before;
        return MEL_E_OK;
    }
    return mel_freertos_end(timeout);
}

MEL_FREERTOS_CALL mel_status_t mel_notification_take(mel_ticks_t timeout, uint32_t *value)
{
    return mel_freertos_notification_take(pdFALSE, timeout, value);
}

MEL_FREERTOS_CALL mel_status_t mel_notification_take_all(mel_ticks_t timeout, uint32_t *value)
{
    return mel_freertos_notification_take(pdTRUE, timeout, value);
}

#endif
