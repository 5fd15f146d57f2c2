/* SPDX-License-Identifier: Apache-2.0 */
/* times.c: scenarios of the tick count: it wraps; wakes are missed. */
#include "scenario.h"

static TickType_t begun;
static QueueHandle_t queue;
static uint32_t number;

static uint32_t since(void)
{
    return xTaskGetTickCount() - begun;
}

static void delays(void)
{
    vTaskDelay(61);
    event_number("delay", since());
}

static void periods(void)
{
    TickType_t wake = begun;
    for (int i = 0; i < 4; i++) {
        const BaseType_t waited = xTaskDelayUntil(&wake, 23);
        event_number(waited ? "until" : "late", since());
    }
}

static void receives(void)
{
    const BaseType_t got = xQueueReceive(queue, &number, 67);
    event_number(got ? "got" : "nothing", since());
}

static void ticks(TimerHandle_t timer)
{
    (void)timer;
    event_number("timer", since());
}

/* All of this begins before the count is 0 again and ends behind it. */
void wrap(void)
{
    queue = xQueueCreate(1, sizeof number);
    TimerHandle_t timer = xTimerCreate("t", 29, pdTRUE, NULL, ticks);
    begun = aligned();
    event(begun > 0xFFFFFF00u ? "before" : "behind");
    (void)xTimerStart(timer, 0);
    (void)spawn(delays, 4);
    (void)spawn(periods, 3);
    (void)spawn(receives, 2);
    vTaskDelay(100);
    event(xTaskGetTickCount() < 0x100 ? "behind" : "before");
    (void)xTimerDelete(timer, 0);
    vTaskDelay(1);
    vQueueDelete(queue);
    report("wrap");
}

/* Three wakes pass while the task computes: it makes up for them, and then is in time again. */
void missed(void)
{
    begun = aligned();
    TickType_t wake = begun;
    for (int i = 0; i < 6; i++) {
        const BaseType_t waited = xTaskDelayUntil(&wake, 4);
        event_number(waited ? "until" : "late", since());
        event_number("due", wake - begun);
        if (i == 0) {
            busy(13);
        }
    }
    report("missed wakes");
}
