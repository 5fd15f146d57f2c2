/* SPDX-License-Identifier: Apache-2.0 */
/* sections.c: who is kept out: critical sections of tasks and of a handler, a suspended scheduler, calls and waits inside. What is counted is read, kept for a while, and written. */
#include "cores.h"

enum { ROUNDS = 60, PULSES = 40, APART = 400, ITEMS = 8, TURNS = 200 };

static volatile uint32_t counted, shared; /* by tasks and a handler; by tasks that have suspended the scheduler, too */
static volatile uint32_t handled; /* interrupts: edges that come while one waits are one */
static volatile uint32_t ran;
static TaskHandle_t urgent_task;
#ifndef FREERTOS_ITSELF
static QueueHandle_t items;
#endif

static void add(volatile uint32_t *count)
{
    const uint32_t before = *count;
    busy(12);
    *count = before + 1;
}

static void handler(void)
{
    const UBaseType_t before = taskENTER_CRITICAL_FROM_ISR();
    add(&counted);
    taskEXIT_CRITICAL_FROM_ISR(before);
    handled++;
}

/* Core 0 has the handler to itself, the others have their sections. */
static void strike(BaseType_t core)
{
    if (core == 0) {
        interrupts(handler, PULSES, APART);
        busy(PULSES * APART);
    } else {
        for (uint32_t i = 0; i < TURNS; i++) {
            taskENTER_CRITICAL();
            add(&counted);
            taskEXIT_CRITICAL();
        }
    }
}

static void count(BaseType_t core)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        if (core == 0 && i == 0) {
            interrupts(handler, PULSES, APART);
        }
        if ((i + (uint32_t)core) % 3 == 0) {
            vTaskSuspendAll();
            vTaskSuspendAll();
            CHECK(xTaskGetSchedulerState() == taskSCHEDULER_SUSPENDED);
            CHECK(xTaskResumeAll() == pdFALSE);
            add(&shared);
            (void)xTaskResumeAll();
        } else {
            taskENTER_CRITICAL();
            add(&counted);
            taskENTER_CRITICAL();
            add(&shared);
            taskEXIT_CRITICAL();
            add(&counted);
            taskEXIT_CRITICAL();
        }
    }
}

/* More urgent than a worker, on core 0. */
static void urgent(void *parameters)
{
    (void)parameters;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        ran++;
    }
}

/* A call in a section lets another task run when the section ends; the section stays one, also with the scheduler suspended in it. */
static void call(BaseType_t core)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        taskENTER_CRITICAL();
        add(&counted);
        if (core == 0) {
            const uint32_t before = ran;
            CHECK(xTaskNotifyGive(urgent_task) == pdPASS);
#ifndef FREERTOS_ITSELF /* it forbids this in a section, and calls that wait */
            vTaskSuspendAll();
            (void)xTaskResumeAll();
#endif
            CHECK(ran == before);
            add(&counted);
            taskEXIT_CRITICAL();
            CHECK(ran == before + 1);
        } else {
            CHECK(uxTaskPriorityGet(urgent_task) == URGENT);
            add(&counted);
            taskEXIT_CRITICAL();
        }
    }
}

#ifndef FREERTOS_ITSELF
/* A call that waits in a section lets the others in, and the section goes on behind it. */
static void wait(BaseType_t core)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t item = 0;
        taskENTER_CRITICAL();
        taskENTER_CRITICAL();
        if (core == 0) {
            CHECK(xQueueReceive(items, &item, portMAX_DELAY) == pdTRUE && item == i);
        }
        add(&counted);
        taskEXIT_CRITICAL();
        add(&counted);
        if (core == 1) {
            CHECK(xQueueSend(items, &i, 0) == pdTRUE);
        }
        add(&counted);
        taskEXIT_CRITICAL();
        busy(200);
    }
}
#endif

void sections(void)
{
    everywhere(count);
    vTaskDelay(PULSES * APART / 10000 + 1);
    uint32_t suspended = 0;
    for (uint32_t i = 0; i < ROUNDS * CORES; i++) {
        suspended += (i % ROUNDS + i / ROUNDS) % 3 == 0;
    }
    CHECK(shared == ROUNDS * CORES);
    CHECK(handled > PULSES / 4);
    CHECK(counted == handled + 2 * (ROUNDS * CORES - suspended));
    counted = handled = 0;
    everywhere(strike);
    vTaskDelay(PULSES * APART / 10000 + 1);
    CHECK(handled > PULSES / 4);
    CHECK(counted == handled + TURNS * (CORES - 1));
    CHECK(xTaskCreateAffinitySet(urgent, "urgent", 192, NULL, URGENT, 1, &urgent_task) == pdPASS);
    counted = 0;
    everywhere(call);
    CHECK(counted == 2 * ROUNDS * CORES && ran == ROUNDS);
#ifndef FREERTOS_ITSELF
    counted = 0;
    items = xQueueCreate(ITEMS, sizeof(uint32_t));
    everywhere(wait);
    CHECK(counted == 3 * ITEMS * CORES);
    vQueueDelete(items);
#endif
    vTaskDelete(urgent_task);
}
