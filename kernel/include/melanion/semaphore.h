/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore.h: counting semaphores. Tasks wait in order of priority, equal priorities in order of arrival; a unit that
 * is given while a task waits goes to that task, so no later caller can take it away.
 * Each call may also return MEL_E_CTX, MEL_E_ID and MEL_E_NOEXS as melanion.h says. */
#ifndef MELANION_SEMAPHORE_H
#define MELANION_SEMAPHORE_H

#include <melanion/types.h>

/* Make semaphore `sem` with `initial` units and at most `maximum` (1 … MEL_SEMAPHORE_COUNT_LIMIT). Callers: task,
 * handler, idle. E_OK; E_PAR: maximum is 0 or above its limit, or initial above maximum; E_OBJ: it exists.
 * µITRON: cre_sem. FreeRTOS: xSemaphoreCreateCountingStatic. */
mel_status_t mel_sem_create(mel_id_t sem, uint32_t initial, uint32_t maximum);

/* Remove a semaphore; the takes of its waiting tasks return E_DLT, the most urgent first. Callers: task, idle.
 * E_OK. µITRON: del_sem. FreeRTOS: vSemaphoreDelete. */
mel_status_t mel_sem_delete(mel_id_t sem);

/* Hand one unit to the first of the most urgent waiting tasks, or count it. Callers: task, handler, idle.
 * E_OK; E_QOVR: the count is at its maximum. µITRON: sig_sem, isig_sem. FreeRTOS: xSemaphoreGive, xSemaphoreGiveFromISR. */
mel_status_t mel_sem_give(mel_id_t sem);

/* Take one unit, waiting at most `timeout` ticks (MEL_POLL: not at all, MEL_FOREVER: no limit). Callers: task; with
 * MEL_POLL also handler and idle. E_OK; E_TMOUT; E_DLT when it is deleted meanwhile; E_RLWAI when released.
 * µITRON: wai_sem, pol_sem, twai_sem. FreeRTOS: xSemaphoreTake. */
mel_status_t mel_sem_take(mel_id_t sem, mel_ticks_t timeout);

/* Read the number of units into `count`, which is written only with E_OK. Callers: any. E_OK.
 * µITRON: ref_sem. FreeRTOS: uxSemaphoreGetCount. */
mel_status_t mel_sem_query(mel_id_t sem, uint32_t *count);

#endif
