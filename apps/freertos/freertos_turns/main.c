/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: one task runs a scenario after the other. */
#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

#include "../freertos_order/event.h"

enum { LOW = 1, MIDDLE = 3, HIGH = 5, RUNNER = 7 };

static SemaphoreHandle_t one, two;
static TaskHandle_t low, middle, high;

/* ---- slices: whoever computes has a tick, then its equals have theirs ------------------------------------------------------ */

static volatile const char *last;
static volatile uint32_t turns;

static void compute(void *name)
{
    for (;;) {
        taskENTER_CRITICAL();
        if (last != name && turns < 9) {
            last = name;
            turns++;
            event(name);
        }
        taskEXIT_CRITICAL();
    }
}

static void slices(void)
{
    TaskHandle_t tasks[3];
    (void)xTaskCreate(compute, "a", 256, "a", 2, &tasks[0]);
    (void)xTaskCreate(compute, "b", 256, "b", 2, &tasks[1]);
    (void)xTaskCreate(compute, "c", 256, "c", 2, &tasks[2]);
    const TickType_t begun = xTaskGetTickCount();
    while (turns < 9) {
        vTaskDelay(1);
    }
    event_number("in time ", xTaskGetTickCount() - begun <= 12);
    for (int i = 0; i < 3; i++) {
        vTaskDelete(tasks[i]);
    }
    report("slices");
}

/* ---- a task that has run alone for longer than a tick gives way to an equal at a tick, not where it wakes it --------------- */

static TaskHandle_t other;

static void busy(TickType_t ticks)
{
    const TickType_t begun = xTaskGetTickCount();
    while (xTaskGetTickCount() - begun < ticks) {
    }
}

static void woken(void *parameters)
{
    (void)parameters;
    vTaskSuspend(NULL);
    event("other");
    vTaskSuspend(NULL);
}

static void alone(void *parameters)
{
    (void)parameters;
    busy(3);
    vTaskResume(other);
    event("goes on");
    busy(2);
    event("one");
    vTaskSuspend(NULL);
}

static void one_alone(void)
{
    TaskHandle_t task;
    (void)xTaskCreate(woken, "other", 256, NULL, 2, &other);
    vTaskDelay(2);
    (void)xTaskCreate(alone, "one", 256, NULL, 2, &task);
    vTaskDelay(10);
    vTaskDelete(task);
    vTaskDelete(other);
    report("alone");
}

/* ---- inheritance ----------------------------------------------------------------------------------------------------------- */

static void priorities(const char *when)
{
    event(when);
    event_number("low", uxTaskPriorityGet(low));
    if (middle != NULL) {
        event_number("middle", uxTaskPriorityGet(middle));
    }
}

static void own_both(void *parameters)
{
    (void)parameters;
    (void)xSemaphoreTake(one, portMAX_DELAY);
    (void)xSemaphoreTake(two, portMAX_DELAY);
    vTaskSuspend(NULL);
    (void)xSemaphoreGive(two);
    vTaskSuspend(NULL);
    (void)xSemaphoreGive(one);
    vTaskSuspend(NULL);
}

static void wait_for_one(void *ticks)
{
    event_number("one", (uint32_t)xSemaphoreTake(one, (TickType_t)(uintptr_t)ticks));
    (void)xSemaphoreGive(one);
    vTaskSuspend(NULL);
}

static void wait_for_two(void *ticks)
{
    event_number("two", (uint32_t)xSemaphoreTake(two, (TickType_t)(uintptr_t)ticks));
    (void)xSemaphoreGive(two);
    vTaskSuspend(NULL);
}

static void own_two_and_wait(void *parameters)
{
    (void)parameters;
    (void)xSemaphoreTake(two, portMAX_DELAY);
    (void)xSemaphoreTake(one, portMAX_DELAY);
    event("middle has both");
    (void)xSemaphoreGive(one);
    (void)xSemaphoreGive(two);
    vTaskSuspend(NULL);
}

static TaskHandle_t made(TaskFunction_t code, TickType_t ticks, UBaseType_t priority)
{
    TaskHandle_t task;
    (void)xTaskCreate(code, "task", 256, (void *)(uintptr_t)ticks, priority, &task);
    vTaskDelay(2);
    return task;
}

static void begin(void)
{
    one = xSemaphoreCreateMutex();
    two = xSemaphoreCreateMutex();
    low = middle = high = NULL;
}

static void end(const char *name)
{
    TaskHandle_t *const tasks[] = {&low, &middle, &high};
    for (int i = 0; i < 3; i++) {
        if (*tasks[i] != NULL) {
            vTaskDelete(*tasks[i]);
        }
    }
    vSemaphoreDelete(one);
    vSemaphoreDelete(two);
    report(name);
}

/* An owner of two mutexes after a task has waited for one and given up. */
static void time_out(void)
{
    begin();
    low = made(own_both, 0, LOW);
    high = made(wait_for_one, 6, HIGH);
    priorities("waits:");
    vTaskDelay(6);
    priorities("over:");
    end("time-out with two mutexes");
}

/* Given one by one, in another order than taken. */
static void one_by_one(void)
{
    begin();
    low = made(own_both, 0, LOW);
    middle = made(wait_for_one, portMAX_DELAY, MIDDLE);
    high = made(wait_for_two, portMAX_DELAY, HIGH);
    priorities("both wait:");
    vTaskResume(low);
    vTaskDelay(2);
    priorities("two given:");
    vTaskResume(low);
    vTaskDelay(2);
    priorities("one given:");
    end("given one by one");
}

static void chain(void)
{
    begin();
    low = made(own_both, 0, LOW);
    vTaskResume(low);
    vTaskDelay(2);
    middle = made(own_two_and_wait, 0, MIDDLE);
    priorities("middle waits:");
    high = made(wait_for_two, portMAX_DELAY, HIGH);
    priorities("high waits:");
    vTaskPrioritySet(high, 4);
    priorities("high is 4:");
    vTaskResume(low);
    vTaskDelay(2);
    priorities("given:");
    end("chain");
}

/* A mutex goes to the task that waits, also when the one that gives it is more urgent and wants it again. */
static void handed_over(void)
{
    begin();
    (void)xSemaphoreTake(one, 0);
    low = made(wait_for_one, portMAX_DELAY, LOW);
    (void)xSemaphoreGive(one);
    event_number("again", (uint32_t)xSemaphoreTake(one, 0));
    event_number("later", (uint32_t)xSemaphoreTake(one, 5));
    (void)xSemaphoreGive(one);
    end("handed over");
}

static void take_and_tell(void *name)
{
    (void)xSemaphoreTake(one, portMAX_DELAY);
    event(name);
    vTaskSuspend(NULL);
}

/* A task that waits gets another priority: it changes its place among those who wait. */
static void moved(void)
{
    one = xSemaphoreCreateCounting(2, 0);
    two = xSemaphoreCreateMutex();
    middle = NULL;
    (void)xTaskCreate(take_and_tell, "low", 256, "first low", LOW, &low);
    (void)xTaskCreate(take_and_tell, "high", 256, "then high", HIGH, &high);
    vTaskDelay(2);
    vTaskPrioritySet(low, 6);
    (void)xSemaphoreGive(one);
    vTaskDelay(2);
    (void)xSemaphoreGive(one);
    vTaskDelay(2);
    end("moved while waiting");
}

static void runner(void *parameters)
{
    (void)parameters;
    slices();
    one_alone();
    time_out();
    one_by_one();
    chain();
    handed_over();
    moved();
    finish();
}

int main(void)
{
    (void)xTaskCreate(runner, "runner", 512, NULL, RUNNER, NULL);
    vTaskStartScheduler();
    return 1;
}
