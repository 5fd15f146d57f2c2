/* SPDX-License-Identifier: Apache-2.0 */
/* ticks.h: the tick of FreeRTOS on several cores: the timer of core 0, whose registers all cores reach. */
#ifndef MEL_FREERTOS_SMP_TICKS_H
#define MEL_FREERTOS_SMP_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#include <mel_system.h>

#define TIMER(offset) (*(volatile uint32_t *)(MEL_TIMER_BASE + (offset)))
#define TIME_LOW TIMER(0x0u)
#define TIME_HIGH TIMER(0x4u)
#define COMPARE_LOW TIMER(0x8u)
#define COMPARE_HIGH TIMER(0xCu)

/* Length in clock cycles. It counts from the next tick on. Change it between mel_freertos_enter and mel_freertos_leave. */
extern uint32_t mel_freertos_tick_cycles;

/* The first tick comes in `cycles`; none comes any more. Same sections. */
void mel_freertos_ticks_begin(uint32_t cycles);
void mel_freertos_ticks_end(void);

#endif
