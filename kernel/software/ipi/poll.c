/* SPDX-License-Identifier: Apache-2.0 */
/* poll.c: the ticks of the cores other than 0: when they look. Each compare value is the one before plus the length of the
 * system's tick; of the configured one, while the system has none. */
#include "software/ipi/ipi.h"

#include "common/current/current.h"
#include "software/timeouts.h"

#define MIE_TIMER 0x80u

static uint64_t next[MEL_CORES];

static void set_compare(uint64_t value)
{
    const uint32_t core = (uint32_t)(mel_self - mel_cores);
    volatile uint32_t *timer = (volatile uint32_t *)(MEL_TIMER_BASE + 16u * core);
    next[core] = value;
    timer[2] = UINT32_MAX; /* no value between the old one and the new one lies before both */
    timer[3] = (uint32_t)(value >> 32);
    timer[2] = (uint32_t)value;
}

static uint32_t length(void)
{
    return mel_tick_cycles != 0 ? mel_tick_cycles : MEL_TICK_CYCLES;
}

/* Interrupts of the timer are still off. */
void mel_ipi_join(void)
{
    set_compare(mel_timer_now() + length());
    __asm__ volatile("csrs mie, %0" : : "r"(MIE_TIMER) : "memory");
}

void mel_ipi_tick(void)
{
    set_compare(next[mel_self - mel_cores] + length());
}
