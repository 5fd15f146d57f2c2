/* SPDX-License-Identifier: Apache-2.0 */
/* notification.h: task notifications: every task has a notification value of 32 bits and a mark that a notification is pending.
 * Whoever notifies a task changes the value and releases the task when it waits for a notification; else one is pending from
 * then on. A value can hold bits, a count, or a message. task_start begins with 0 and nothing pending.
 * MEL_SELF is allowed wherever a task is named. Each call may also return MEL_E_CTX, MEL_E_ID and MEL_E_NOEXS as melanion.h
 * says; E_OBJ always means also that the task is dormant. */
#ifndef MELANION_NOTIFICATION_H
#define MELANION_NOTIFICATION_H

#include <melanion/types.h>

/* Notify a task and set `bits` of its value; 0 changes no bit and notifies all the same. Callers: task, handler, idle.
 * E_OK; E_OBJ. FreeRTOS: xTaskNotify, xTaskNotifyFromISR with eSetBits; with eNoAction: 0. */
mel_status_t mel_notification_set(mel_id_t task, uint32_t bits);

/* Notify a task and add one to its value, which begins again after UINT32_MAX. Callers: task, handler, idle.
 * E_OK; E_OBJ. FreeRTOS: xTaskNotifyGive, vTaskNotifyGiveFromISR, eIncrement. */
mel_status_t mel_notification_give(mel_id_t task);

/* Notify a task; its value becomes `value`. Callers: task, handler, idle.
 * E_OK; E_OBJ. FreeRTOS: eSetValueWithOverwrite. */
mel_status_t mel_notification_overwrite(mel_id_t task, uint32_t value);

/* As mel_notification_overwrite, unless a notification is pending. Callers: task, handler, idle.
 * E_OK; E_OBJ; E_QOVR: one is pending. FreeRTOS: eSetValueWithoutOverwrite. */
mel_status_t mel_notification_send(mel_id_t task, uint32_t value);

/* Clear `bits` of a task's value; `before` gets the value before, only with E_OK. 0 only reads. What is pending stays so.
 * Callers: task, handler, idle. E_OK; E_OBJ. FreeRTOS: ulTaskNotifyValueClear. */
mel_status_t mel_notification_clear(mel_id_t task, uint32_t bits, uint32_t *before);

/* Take the pending notification back; the value stays. Callers: task, handler, idle.
 * E_OK; E_OBJ: none is pending. FreeRTOS: xTaskNotifyStateClear. */
mel_status_t mel_notification_cancel(mel_id_t task);

/* Consume the pending notification, or wait for one at most `timeout` ticks (MEL_POLL: not at all, MEL_FOREVER: no limit).
 * `value` gets the caller's value, only with E_OK; then its bits `clear` are cleared. Callers: task.
 * E_OK; E_TMOUT; E_RLWAI when released. FreeRTOS: xTaskNotifyWait that clears no bits on entry. */
mel_status_t mel_notification_wait(uint32_t clear, mel_ticks_t timeout, uint32_t *value);

/* Subtract one from the caller's value; when it is 0, wait until the caller is notified, at most `timeout` ticks. `value` gets
 * the value before, only with E_OK: 0 when the notification left it 0, which then stays. No notification is pending
 * afterwards. Callers: task. E_OK; E_TMOUT; E_RLWAI when released. FreeRTOS: ulTaskNotifyTake(pdFALSE, …). */
mel_status_t mel_notification_take(mel_ticks_t timeout, uint32_t *value);

/* As mel_notification_take, but the value becomes 0. Callers and statuses likewise. FreeRTOS: ulTaskNotifyTake(pdTRUE, …). */
mel_status_t mel_notification_take_all(mel_ticks_t timeout, uint32_t *value);

#endif
