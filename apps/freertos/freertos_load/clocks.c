/* SPDX-License-Identifier: Apache-2.0 */
/* clocks.c: software timers, calls that the timer task makes, periods, waits that end. */
#include "load.h"

enum { LONG_WAIT = 2000 };

/* ---- software timers: one repeats, one fires once, one is put off and never fires -------------------------------------------------- */

enum { REPEATED = 5, ONCE = 7, PUT_OFF = 9, LOOKED_AT = 24 };

static TimerHandle_t repeated_timer, single_timer, late_timer;
static volatile uint32_t repeated_calls, single_calls, late_calls;

static void timer_called(TimerHandle_t timer)
{
    volatile uint32_t *calls = pvTimerGetTimerID(timer);
    *calls += 1;
}

static void check_timers(void *parameters)
{
    (void)parameters;
    check(&timers, xTimerStart(repeated_timer, LONG_WAIT), "not started");
    vTaskDelay(1);
    for (;;) {
        const uint32_t repeats = repeated_calls, singles = single_calls;
        check(&timers, xTimerStart(single_timer, LONG_WAIT) && xTimerStart(late_timer, LONG_WAIT), "not started");
        for (uint32_t i = 0; i < 4; i++) {
            vTaskDelay(LOOKED_AT / 4);
            check(&timers, xTimerReset(late_timer, LONG_WAIT), "not put off");
        }
        check(&timers, xTimerStop(late_timer, LONG_WAIT), "not stopped");
        check(&timers, repeated_calls - repeats - (LOOKED_AT / REPEATED - 1) <= 2, "not repeated as often");
        check(&timers, single_calls == singles + 1 && !xTimerIsTimerActive(single_timer), "not once");
        check(&timers, late_calls == 0, "not put off in time");
        timers.passes++;
    }
}

static void begin_timers(void)
{
    repeated_timer = xTimerCreate("repeated", REPEATED, pdTRUE, (void *)&repeated_calls, timer_called);
    single_timer = xTimerCreate("single", ONCE, pdFALSE, (void *)&single_calls, timer_called);
    late_timer = xTimerCreate("late", PUT_OFF, pdFALSE, (void *)&late_calls, timer_called);
    (void)start(check_timers, "timers", 7, NULL);
}

group_t timers = {.name = "timers", .begin = begin_timers};

/* ---- calls that the timer task makes, in the order in which they were asked for ---------------------------------------------------- */

static volatile uint32_t pended_last;

static void call_pended(void *parameter, uint32_t number)
{
    check(&pended_calls, parameter == &pended_last && number == pended_last + 1, "not the next call");
    pended_last = number;
}

static void pend(void *parameters)
{
    (void)parameters;
    for (uint32_t number = 1;; number++) {
        check(&pended_calls, xTimerPendFunctionCall(call_pended, (void *)&pended_last, number, LONG_WAIT), "not pended");
        check(&pended_calls, pended_last == number, "not called at once");
        pended_calls.passes++;
        rest(9);
    }
}

static void begin_pended(void)
{
    (void)start(pend, "pend", 2, NULL);
}

group_t pended_calls = {.name = "pended_calls", .begin = begin_pended};

/* ---- tasks of a period begin each turn in its tick ------------------------------------------------------------------------------------ */

static void keep_period(void *parameters)
{
    const TickType_t period = (TickType_t)(uintptr_t)parameters;
    TickType_t wake = xTaskGetTickCount();
    for (;;) {
        const TickType_t last = wake;
        (void)xTaskDelayUntil(&wake, period);
        check(&periods, wake == last + period && xTaskGetTickCount() - wake <= 1, "not in its tick");
        periods.passes++;
    }
}

static void begin_periods(void)
{
    (void)start(keep_period, "period", 7, (void *)9);
    (void)start(keep_period, "period", 7, (void *)17);
}

group_t periods = {.name = "periods", .begin = begin_periods};

/* ---- a wait that ends does so in the tick that was asked for -------------------------------------------------------------------------- */

static void wait_in_vain(void *parameters)
{
    const QueueHandle_t empty = xQueueCreate(1, 1), full = xQueueCreate(1, 1);
    uint32_t state = (uint32_t)(uintptr_t)parameters;
    uint8_t byte = 0;
    check(&time_limits, xQueueSend(full, &byte, 0), "no space");
    for (;;) {
        const TickType_t ticks = 5 + draw(&state, 9);
        const TickType_t begun = xTaskGetTickCount();
        const BaseType_t sends = draw(&state, 2) != 0;
        check(&time_limits, !(sends ? xQueueSend(full, &byte, ticks) : xQueueReceive(empty, &byte, ticks)), "not waited");
        const TickType_t waited = xTaskGetTickCount() - begun;
        check(&time_limits, waited >= ticks && waited <= ticks + 1, "not for so many ticks");
        time_limits.passes++;
    }
}

static void begin_limits(void)
{
    (void)start(wait_in_vain, "limit", 7, (void *)51);
    (void)start(wait_in_vain, "limit", 7, (void *)52);
}

group_t time_limits = {.name = "time_limits", .begin = begin_limits};
