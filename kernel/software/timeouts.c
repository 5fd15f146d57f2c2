/* SPDX-License-Identifier: Apache-2.0 */
/* timeouts.c: the tick interrupt and the list of timeouts (timeouts.h). Ticks come from the machine timer; each compare value is
 * the one before plus the tick length, so that late service of a tick never delays the next one. */
#include "software/timeouts.h"

#include "arch/riscv/processor/processor.h"
#include "software/call.h"
#include "software/interrupt.h"
#include "software/mutex.h"

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

/* The next tick is one length later. */
static inline void pass_tick(void)
{
    uint32_t *words = (uint32_t *)&next_tick;
    const uint32_t length = mel_tick_cycles;
    const uint32_t low = words[0] + length;
    words[0] = low;
    if (__builtin_expect(low < length, 0)) {
        MTIMECMP_HIGH = ++words[1]; /* interrupts are off, as above */
    }
    MTIMECMP_LOW = low;
    mel_processor_arrived(&MTIMECMP_LOW);
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

/* Inlined: with `held` and `result` constant, so is the word that is stored. */
MEL_INLINE void end_wait(mel_task_t *task, uint32_t held, mel_status_t result)
{
    MEL_TRACE_STORE(MEL_TRACE_TIMEOUT, task->context.number, 0, 0, result, task->context.result, result);
    task->state = held & ~MEL_HELD_WAITING;
    if ((held & ~MEL_HELD_WAITING) == 0) {
        mel_run_queue_insert(task);
    }
}

/* Waits have ended, and the list of timeouts is whole: slices, and who runs. */
static inline mel_context_pair_t leave(void)
{
    (void)mel_run_queue_slice();
    mel_run_queue_judged();
    return mel_interrupt_pending() ? mel_interrupt_external() : mel_interrupt_exit();
}

/* All waits that expire, also of timers, and of tasks that are suspended, too, or wait for a mutex. */
static __attribute__((noinline)) mel_context_pair_t expire_any(void)
{
    if (mel_hold & MEL_HOLD_SETTING) { /* a task that flags released has no timeout any more */
        mel_flags_settle();
    }
    mel_link_t *first;
    while ((first = mel_timeouts.next) != &mel_timeouts && MEL_TASK_OF(first, timer)->delta == 0) {
        mel_task_t *task = MEL_TASK_OF(first, timer);
        const uint32_t held = task->held;
        mel_timeout_cancel(task);
        if (held & MEL_HELD_TIMER) {
            mel_timer_expire(task);
            continue;
        }
        if (held & MEL_HELD_LISTED) {
            mel_wait_remove(task);
        }
        if (held & MEL_HELD_MUTEX) {
            mel_mutex_left(task);
        }
        end_wait(task, held, held & MEL_HELD_DELAY ? MEL_E_OK : MEL_E_TMOUT);
    }
    return leave();
}

/* The rarer ticks, in which waits expire: `first` is the timeout of the first. Without a call, so that nothing is saved. */
static __attribute__((noinline)) mel_context_pair_t expire(mel_link_t *first)
{
    if (mel_hold & MEL_HOLD_SETTING) {
        return expire_any();
    }
    do {
        mel_task_t *task = MEL_TASK_OF(first, timer);
        const uint32_t held = task->held;
        if (held != MEL_HELD_DELAY && held != MEL_HELD_LISTED) {
            return expire_any();
        }
        mel_link_t *after = first->next;
        first->next = NULL; /* it has no timeout any more */
        mel_timeouts.next = after;
        after->previous = &mel_timeouts;
        if (held == MEL_HELD_LISTED) {
            mel_wait_remove(task);
            end_wait(task, MEL_HELD_LISTED, MEL_E_TMOUT);
        } else {
            end_wait(task, MEL_HELD_DELAY, MEL_E_OK);
        }
        first = after;
    } while (first != &mel_timeouts && MEL_TASK_OF(first, timer)->delta == 0);
    return leave();
}

/* A quantum is used up, and nothing else happens in this tick. */
static __attribute__((noinline)) mel_context_pair_t end_slice(void)
{
    mel_context_t *running = mel_running;
    mel_task_t *next = mel_run_queue_slice();
    mel_run_queue_judged();
    if (mel_interrupt_pending()) {
        return mel_interrupt_external();
    }
    if (next == NULL) {
        return mel_interrupt_exit();
    }
    MEL_TRACE_STORE(MEL_TRACE_DISPATCH, next->context.number, running->number, 0, 0, mel_running, &next->context);
    return (mel_context_pair_t){&next->context, running};
}

/* The tick interrupt. */
mel_context_pair_t mel_interrupt_timer(void)
{
    pass_tick();
    uint32_t *words = (uint32_t *)&mel_time_now;
    const uint32_t low = words[0] + 1;
    uint32_t high = words[1];
    if (__builtin_expect(low == 0, 0)) {
        words[1] = ++high;
    }
    MEL_TRACE_STORE(MEL_TRACE_TICK, 0, low, high, 0, words[0], low);

    const bool over = mel_run_queue_tick();
    mel_link_t *first = mel_timeouts.next;
    if (first != &mel_timeouts && --MEL_TASK_OF(first, timer)->delta == 0) {
        if (__builtin_expect(over, 0)) { /* before a task that is more urgent comes, behind which the slice would go on */
            (void)mel_run_queue_slice();
        }
        return expire(first);
    }
    if (__builtin_expect(over, 0)) {
        return end_slice();
    }
    return (mel_context_pair_t){mel_running, mel_running};
}
