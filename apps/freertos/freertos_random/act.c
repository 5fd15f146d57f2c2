/* SPDX-License-Identifier: Apache-2.0 */
/* act.c: the calls that tasks draw. Who waits does so for a few ticks at most, or, seldom, until somebody does something about it. */
#include "random.h"

#include "../freertos_order/event.h"

uint8_t owner[TASKS];

static TickType_t limit(uint32_t who)
{
    const uint32_t ticks = draw(who, 8);
    return ticks == 7 ? portMAX_DELAY : ticks < 2 ? 0 : ticks;
}

static TaskHandle_t other(uint32_t who)
{
    return tasks[(who + 1 + draw(who, TASKS - 1)) % TASKS];
}

static BaseType_t on_queue(uint32_t who)
{
    const QueueHandle_t queue = queues[draw(who, 2)];
    const TickType_t ticks = limit(who);
    uint32_t item = who * 100 + draw(who, 100);
    BaseType_t result;
    switch (draw(who, 6)) {
    case 0:
    case 1:
        result = xQueueSend(queue, &item, ticks);
        note(who, 's', (uint32_t)result);
        return ticks != 0;
    case 2:
        note(who, 'f', (uint32_t)xQueueSendToFront(queue, &item, 0));
        return pdFALSE;
    case 3:
        result = xQueuePeek(queue, &item, ticks);
        note(who, 'p', result ? item : 999);
        return ticks != 0;
    default:
        result = xQueueReceive(queue, &item, ticks);
        note(who, 'r', result ? item : 999);
        return ticks != 0;
    }
}

static BaseType_t on_semaphore(uint32_t who)
{
    const SemaphoreHandle_t semaphore = semaphores[draw(who, 2)];
    if (draw(who, 2) != 0) {
        note(who, 'g', (uint32_t)xSemaphoreGive(semaphore));
        return pdFALSE;
    }
    const TickType_t ticks = limit(who);
    note(who, 't', (uint32_t)xSemaphoreTake(semaphore, ticks));
    return ticks != 0;
}

static BaseType_t on_group(uint32_t who)
{
    const EventBits_t bits = 1 + draw(who, 7);
    const TickType_t ticks = limit(who);
    switch (draw(who, 5)) {
    case 0:
    case 1: note(who, 'e', xEventGroupSetBits(group, bits)); return pdFALSE;
    case 2: note(who, 'c', xEventGroupClearBits(group, bits)); return pdFALSE;
    case 3: note(who, 'y', xEventGroupSync(group, bits, 7, ticks)); return ticks != 0;
    default: {
        const BaseType_t clear = (BaseType_t)draw(who, 2), all = (BaseType_t)draw(who, 2);
        note(who, 'w', xEventGroupWaitBits(group, bits, clear, all, ticks));
        return ticks != 0;
    }
    }
}

static BaseType_t on_notification(uint32_t who)
{
    const UBaseType_t index = draw(who, 2);
    uint32_t value = 0;
    switch (draw(who, 4)) {
    case 0: {
        const TaskHandle_t task = other(who);
        const uint32_t bits = draw(who, 16);
        note(who, 'n', (uint32_t)xTaskNotifyAndQueryIndexed(task, index, bits, (eNotifyAction)draw(who, 5), &value) * 100 + value % 100);
        return pdFALSE;
    }
    case 1: note(who, 'G', (uint32_t)xTaskNotifyGiveIndexed(other(who), index)); return pdFALSE;
    case 2: {
        const BaseType_t clear = (BaseType_t)draw(who, 2);
        note(who, 'N', ulTaskNotifyTakeIndexed(index, clear, limit(who)));
        return pdTRUE;
    }
    default: {
        const uint32_t entry = draw(who, 16), leave = draw(who, 16);
        const BaseType_t notified = xTaskNotifyWaitIndexed(index, entry, leave, &value, limit(who));
        note(who, 'W', (uint32_t)notified * 100 + value % 100);
        return pdTRUE;
    }
    }
}

static BaseType_t on_task(uint32_t who)
{
    const TaskHandle_t task = other(who);
    switch (draw(who, 6)) {
    case 0: vTaskSuspend(task); note(who, 'u', 0); break;
    case 1:
    case 2: vTaskResume(task); note(who, 'o', 0); break;
    case 3: note(who, 'a', (uint32_t)xTaskAbortDelay(task)); break;
    case 4: note(who, 'z', (uint32_t)eTaskGetState(task)); break;
    default:
        vTaskPrioritySet(NULL, 2 * who + 1 + draw(who, 2));
        note(who, 'P', uxTaskBasePriorityGet(NULL));
        break;
    }
    return pdFALSE;
}

static BaseType_t on_timer(uint32_t who)
{
    const TimerHandle_t timer = timers[draw(who, 2)];
    const TickType_t period = 2 + draw(who, 4);
    switch (draw(who, 3)) {
    case 0: note(who, 'b', (uint32_t)xTimerStart(timer, 0)); break;
    case 1: note(who, 'x', (uint32_t)xTimerStop(timer, 0)); break;
    default: note(who, 'h', (uint32_t)xTimerChangePeriod(timer, period, 0)); break;
    }
    return pdFALSE;
}

static uint32_t interrupter;

static void in_handler_give(void)
{
    BaseType_t woken = pdFALSE;
    const BaseType_t result = xSemaphoreGiveFromISR(semaphores[1], &woken);
    note(TASKS + 2, 'i', (uint32_t)(result * 10 + woken));
    portYIELD_FROM_ISR(woken);
}

static void in_handler_send(void)
{
    BaseType_t woken = pdFALSE;
    const uint32_t item = 900 + interrupter;
    const BaseType_t result = xQueueSendFromISR(queues[1], &item, &woken);
    note(TASKS + 2, 'j', (uint32_t)(result * 10 + woken));
    portYIELD_FROM_ISR(woken);
}

static void in_handler_notify(void)
{
    BaseType_t woken = pdFALSE;
    vTaskNotifyGiveFromISR(tasks[interrupter], &woken);
    note(TASKS + 2, 'k', (uint32_t)woken);
    portYIELD_FROM_ISR(woken);
}

static BaseType_t by_handler(uint32_t who)
{
    static void (*const jobs[])(void) = {in_handler_give, in_handler_send, in_handler_notify};
    interrupter = draw(who, TASKS);
    in_handler(jobs[draw(who, 3)]);
    note(who, 'H', 0);
    return pdFALSE;
}

static BaseType_t held(uint32_t who)
{
    const uint32_t item = who;
    vTaskSuspendAll();
    (void)xSemaphoreGive(semaphores[0]);
    (void)xQueueSend(queues[0], &item, 0);
    note(who, 'A', 0);
    note(who, 'R', (uint32_t)xTaskResumeAll());
    return pdFALSE;
}

static BaseType_t on_mutex(uint32_t who)
{
    if (owner[who]) {
        owner[who] = 0;
        note(who, 'v', (uint32_t)xSemaphoreGive(mutex));
        return pdFALSE;
    }
    const BaseType_t got = xSemaphoreTake(mutex, draw(who, 2) ? portMAX_DELAY : 0);
    owner[who] = (uint8_t)got;
    note(who, 'm', (uint32_t)got * 100 + uxTaskPriorityGet(NULL));
    return pdTRUE;
}

BaseType_t act(uint32_t who)
{
    static BaseType_t (*const kinds[])(uint32_t) = {
        on_queue, on_queue, on_semaphore, on_group, on_notification, on_notification, on_task, on_timer, by_handler, held, on_mutex, on_mutex,
    };
    return kinds[draw(who, sizeof kinds / sizeof kinds[0] - (MUTEXES ? 0 : 2))](who);
}
