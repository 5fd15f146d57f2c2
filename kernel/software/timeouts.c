/* SPDX-License-Identifier: Apache-2.0 */
/* timeouts.c: the tick interrupt and the list of timeouts (timeouts.h). Ticks come from the machine timer; each compare value is
 * the one before plus the tick length, so that late service of a tick never delays the next one. */
#include "software/timeouts.h"

#include "arch/riscv/processor/processor.h"
#include "software/call.h"
#include "software/interrupt.h"

#define MTIMECMP_LOW (*(volatile uint32_t *)(MEL_TIMER_BASE + 0x8u))
#define MTIMECMP_HIGH (*(volatile uint32_t *)(MEL_TIMER_BASE + 0xCu))

static const uint64_t NEVER = UINT64_MAX;

uint64_t mel_time_now;
mel_link_t mel_timeouts;

static uint64_t next_tick;      /* compare value of the timer */
uint32_t mel_tick_cycles;

static void set_compare(uint64_t value)
{
    next_tick = value;
    MTIMECMP_LOW = (uint32_t)value; /* interrupts are off: a compare value between the two stores interrupts nobody */
    MTIMECMP_HIGH = (uint32_t)(value >> 32);
    mel_processor_arrived(&MTIMECMP_HIGH); /* else a tick that is served, or stopped, would still interrupt */
}

void mel_timeout_init(void)
{
    mel_timeouts.next = mel_timeouts.previous = &mel_timeouts;
    mel_time_now = (uint64_t)MEL_TIME_RESET_HIGH << 32 | (uint32_t)MEL_TIME_RESET_LOW;
    set_compare(NEVER);
}

void mel_time_length(uint32_t cycles)
{
    const uint32_t before = mel_tick_cycles;
    mel_tick_cycles = cycles;
    if (cycles == 0) {
        set_compare(NEVER);
    } else if (before == 0) {
        set_compare(mel_timer_now() + cycles);
    }
}

void mel_timeout_start(mel_task_t *task, mel_ticks_t ticks)
{
    mel_link_t *at = mel_timeouts.next;
    while (at != &mel_timeouts) {
        mel_task_t *other = MEL_TASK_OF(at, timer);
        if (ticks < other->delta) {
            other->delta -= ticks;
            break;
        }
        ticks -= other->delta;
        at = at->next;
    }
    task->delta = ticks;
    task->timer.next = at;
    task->timer.previous = at->previous;
    at->previous->next = &task->timer;
    at->previous = &task->timer;
}

/* The tick interrupt. */
mel_context_pair_t mel_interrupt_timer(void)
{
    set_compare(next_tick + mel_tick_cycles);
    const uint64_t now = mel_time_now + 1;
    const uint32_t low = (uint32_t)now;
    const uint32_t high = (uint32_t)(now >> 32);
    uint32_t *words = (uint32_t *)&mel_time_now;
    words[1] = high;
    MEL_TRACE_STORE(MEL_TRACE_TICK, 0, low, high, 0, words[0], low);

    mel_link_t *first = mel_timeouts.next;
    if (first == &mel_timeouts || --MEL_TASK_OF(first, timer)->delta != 0) {
        return (mel_context_pair_t){mel_running, mel_running};
    }
    do {
        mel_link_t *after = first->next;
        first->next = NULL; /* it has no timeout any more */
        mel_timeouts.next = after;
        after->previous = &mel_timeouts;
        mel_task_timeout(MEL_TASK_OF(first, timer));
        first = after;
    } while (first != &mel_timeouts && MEL_TASK_OF(first, timer)->delta == 0);
    return mel_interrupt_pending() ? mel_interrupt_external() : mel_interrupt_exit();
}
