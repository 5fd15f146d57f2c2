/* SPDX-License-Identifier: Apache-2.0 */
/* system.c: the calls of interrupts, timers and dispatch. */
#include "calls.h"

static void handler(mel_id_t irq, void *unused)
{
    (void)irq;
    (void)unused;
}

SHOT(attach, mel_irq_attach(OBJECT, handler, NULL))
SHOT(attach_bad, mel_irq_attach(BAD, handler, NULL))
SHOT(map, mel_irq_map(OBJECT, MEL_IRQ_ACTION_SEMAPHORE_GIVE, OBJECT, 0, false))
SHOT(map_bad, mel_irq_map(BAD, MEL_IRQ_ACTION_SEMAPHORE_GIVE, OBJECT, 0, false))
SHOT(map_handler, mel_irq_map(OBJECT, MEL_IRQ_ACTION_NONE, 0, 0, true))
SHOT(map_flags, mel_irq_map(OBJECT, MEL_IRQ_ACTION_EVENT_FLAGS_SET, OBJECT, 1, true))
SHOT(map_wrong, mel_irq_map(OBJECT, MEL_IRQ_ACTION_SEMAPHORE_GIVE, BAD, 0, false))
SHOT(enable, mel_irq_enable(OBJECT))
SHOT(enable_bad, mel_irq_enable(BAD))
SHOT(disable, mel_irq_disable(OBJECT))
SHOT(disable_bad, mel_irq_disable(BAD))
SHOT(raise, mel_irq_raise(OBJECT))
SHOT(raise_bad, mel_irq_raise(BAD))
SHOT(start, mel_timer_start(OBJECT, LONG, LONG))
SHOT(start_bad, mel_timer_start(BAD, LONG, LONG))
SHOT(start_wrong, mel_timer_start(OBJECT, 0, 0))
SHOT(stop, mel_timer_stop(OBJECT))
SHOT(stop_bad, mel_timer_stop(BAD))
SHOT(hold, mel_dispatch_disable())
SHOT(let_go, mel_dispatch_enable())
SHOT(core, (mel_status_t)mel_core_self())

/* The line gives a semaphore for which n tasks wait: less urgent than the caller; more urgent. */
static void line(uint32_t n)
{
    CHECK(mel_sem_create(OBJECT, 0, UNITS));
    CHECK(mel_irq_map(OBJECT, MEL_IRQ_ACTION_SEMAPHORE_GIVE, OBJECT, 0, false));
    CHECK(mel_irq_enable(OBJECT));
    send_low(n, take_semaphore);
}

static void line_urgent(uint32_t n)
{
    line(0);
    send_urgent(n, take_semaphore);
}

static void running(uint32_t n)
{
    (void)n;
    CHECK(mel_timer_start(OBJECT, LONG / 2, 0));
}

/* Dispatch is disabled, and n more urgent tasks are ready. */
static void held(uint32_t n)
{
    CHECK(mel_sem_create(OBJECT, 0, CREW));
    send_urgent(n, take_semaphore);
    CHECK(mel_dispatch_disable());
    for (uint32_t i = 0; i < n; i++) {
        CHECK(mel_sem_give(OBJECT));
    }
}

static const row_t rows[] = {
    STAYS(CALL_IRQ_ATTACH, "any", nothing, 0, attach, MEL_E_OK),
    STAYS(CALL_IRQ_ATTACH, "number out of range", nothing, 0, attach_bad, MEL_E_ID),
    STAYS(CALL_IRQ_MAP, "gives a semaphore", nothing, 0, map, MEL_E_OK),
    STAYS(CALL_IRQ_MAP, "a handler", nothing, 0, map_handler, MEL_E_OK),
    STAYS(CALL_IRQ_MAP, "sets flags, and a handler", nothing, 0, map_flags, MEL_E_OK),
    STAYS(CALL_IRQ_MAP, "no such object", nothing, 0, map_wrong, MEL_E_PAR),
    STAYS(CALL_IRQ_MAP, "number out of range", nothing, 0, map_bad, MEL_E_ID),
    STAYS(CALL_IRQ_ENABLE, "disabled", nothing, 0, enable, MEL_E_OK),
    STAYS(CALL_IRQ_ENABLE, "enabled", line, 0, enable, MEL_E_OK),
    STAYS(CALL_IRQ_ENABLE, "number out of range", nothing, 0, enable_bad, MEL_E_ID),
    STAYS(CALL_IRQ_DISABLE, "disabled", nothing, 0, disable, MEL_E_OK),
    STAYS(CALL_IRQ_DISABLE, "enabled", line, 0, disable, MEL_E_OK),
    STAYS(CALL_IRQ_DISABLE, "number out of range", nothing, 0, disable_bad, MEL_E_ID),
    STAYS(CALL_IRQ_RAISE, "disabled", nothing, 0, raise, MEL_E_OK),
    STAYS(CALL_IRQ_RAISE, "counts", line, 0, raise, MEL_E_OK),
    STAYS(CALL_IRQ_RAISE, "24 waiters, less urgent", line, CREW, raise, MEL_E_OK),
    WAKES(CALL_IRQ_RAISE, "1 waiter, more urgent", line_urgent, 1, raise, MEL_E_OK),
    WAKES(CALL_IRQ_RAISE, "24 waiters, more urgent", line_urgent, CREW, raise, MEL_E_OK),
    STAYS(CALL_IRQ_RAISE, "number out of range", nothing, 0, raise_bad, MEL_E_ID),
    STAYS(CALL_TIMER_START, "stopped", nothing, 0, start, MEL_E_OK),
    STAYS(CALL_TIMER_START, "running", running, 0, start, MEL_E_OK),
    STAYS(CALL_TIMER_START, "0 ticks", nothing, 0, start_wrong, MEL_E_PAR),
    STAYS(CALL_TIMER_START, "number out of range", nothing, 0, start_bad, MEL_E_ID),
    STAYS(CALL_TIMER_STOP, "running", running, 0, stop, MEL_E_OK),
    STAYS(CALL_TIMER_STOP, "stopped", nothing, 0, stop, MEL_E_OBJ),
    STAYS(CALL_TIMER_STOP, "number out of range", nothing, 0, stop_bad, MEL_E_ID),
    STAYS(CALL_DISPATCH_DISABLE, "enabled", nothing, 0, hold, MEL_E_OK),
    STAYS(CALL_DISPATCH_DISABLE, "disabled", held, 0, hold, MEL_E_OK),
    STAYS(CALL_DISPATCH_ENABLE, "enabled", nothing, 0, let_go, MEL_E_OK),
    STAYS(CALL_DISPATCH_ENABLE, "nothing to do", held, 0, let_go, MEL_E_OK),
    WAKES(CALL_DISPATCH_ENABLE, "1 more urgent task ready", held, 1, let_go, MEL_E_OK),
    WAKES(CALL_DISPATCH_ENABLE, "24 more urgent tasks ready", held, CREW, let_go, MEL_E_OK),
    STAYS(CALL_CORE_SELF, "any", nothing, 0, core, MEL_E_OK),
};

const table_t system_table = TABLE(rows);
