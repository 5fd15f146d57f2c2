/* SPDX-License-Identifier: Apache-2.0 */
/* timing.c: scenarios of software timers. */
#include "scenario.h"

static TimerHandle_t one, two;
static TickType_t begun;

static void call(TimerHandle_t timer)
{
    event_number(pcTimerGetName(timer), xTaskGetTickCount() - begun);
}

static void call_and_stop(TimerHandle_t timer)
{
    call(timer);
    (void)xTimerStop(two, 0);
}

static void clean_up(void)
{
    (void)xTimerDelete(one, 0);
    (void)xTimerDelete(two, 0);
    vTaskDelay(2);
}

/* The timer task is kept from running: times count from the commands, and no period is lost. */
void timer_time(void)
{
    one = xTimerCreate("one", 5, pdFALSE, NULL, call);
    two = xTimerCreate("two", 3, pdTRUE, NULL, call);
    begun = aligned();
    (void)xTimerStart(one, 0);
    (void)xTimerStart(two, 0);
    busy(2);
    vTaskDelay(2);
    event("busy");
    busy(7);
    event("over");
    vTaskDelay(5);
    clean_up();
    report("times of timers");
}

static void command(void)
{
    BaseType_t woken = pdFALSE;
    (void)xTimerStartFromISR(one, &woken);
    event_number("woken", (uint32_t)woken);
    (void)xTimerChangePeriodFromISR(two, 4, NULL);
    event_number("active", (uint32_t)xTimerIsTimerActive(one));
    portYIELD_FROM_ISR(woken);
}

static void command_again(void)
{
    BaseType_t woken = pdFALSE;
    (void)xTimerResetFromISR(one, &woken);
    (void)xTimerStopFromISR(two, &woken);
    portYIELD_FROM_ISR(woken);
}

static void pended(void *text, uint32_t number)
{
    event_number(text, number);
}

static void pend(void)
{
    BaseType_t woken = pdFALSE;
    (void)xTimerPendFunctionCallFromISR(pended, "pended", 1, &woken);
    (void)xTimerPendFunctionCallFromISR(pended, "pended", 2, &woken);
    portYIELD_FROM_ISR(woken);
}

static void interrupt(void)
{
    in_handler(command);
    vTaskDelay(4);
    in_handler(command_again);
    in_handler(pend);
}

/* Commands of handlers, which interrupt a task below the timer task. */
void timer_handlers(void)
{
    one = xTimerCreate("one", 6, pdFALSE, NULL, call);
    two = xTimerCreate("two", 9, pdTRUE, NULL, call);
    begun = aligned();
    (void)spawn(interrupt, 2);
    vTaskDelay(15);
    clean_up();
    report("timers by handlers");
}

/* Both are due in the same tick: the first stops the second, which is not called. */
void timer_stops(void)
{
    one = xTimerCreate("one", 3, pdFALSE, NULL, call_and_stop);
    two = xTimerCreate("two", 3, pdFALSE, NULL, call);
    begun = aligned();
    (void)xTimerStart(one, 0);
    (void)xTimerStart(two, 0);
    vTaskDelay(5);
    event_number("active", (uint32_t)xTimerIsTimerActive(two));
    clean_up();
    report("stopped timers");
}
