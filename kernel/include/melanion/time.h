/* SPDX-License-Identifier: Apache-2.0 */
/* time.h: the tick counter, and calls that let time pass. The counter has 64 bits and starts at the system's reset value;
 * a timeout of n ends when the counter has advanced by n, so it lasts between n - 1 and n tick lengths.
 * Boot code sets the tick length of the system (MEL_TICK_CYCLES) before main(). */
#ifndef MELANION_TIME_H
#define MELANION_TIME_H

#include <melanion/types.h>

/* Length of a tick in clock cycles, from the next tick on; 0 stops ticks. Callers: task, handler, idle.
 * E_OK; E_PAR: 1 … MEL_TICK_CYCLES_MINIMUM - 1. */
mel_status_t mel_tick_set(uint32_t cycles);

/* Read the tick counter into `ticks`. Callers: any. Not a kernel command. E_OK. µITRON: get_tim. FreeRTOS:
 * xTaskGetTickCount. */
mel_status_t mel_time_get(uint64_t *ticks);

/* Wait until the tick counter has advanced by `ticks`; 0 returns at once, MEL_FOREVER waits for mel_task_release.
 * Callers: task. E_OK; E_RLWAI when released. µITRON: dly_tsk. FreeRTOS: vTaskDelay. */
mel_status_t mel_task_delay(mel_ticks_t ticks);

/* Wait until the low word of the tick counter is `time`: add the period to the last `time` and there is no drift.
 * Callers: task. E_OK; E_TMOUT, at once, when `time` is not in the next 2^31 - 1 ticks (it is now or has passed);
 * E_RLWAI when released. FreeRTOS: xTaskDelayUntil. */
mel_status_t mel_task_delay_until(mel_ticks_t time);

#endif
