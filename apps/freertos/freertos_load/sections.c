/* SPDX-License-Identifier: Apache-2.0 */
/* sections.c: what nobody may come between; objects and memory that come and go; interrupts of three lines. */
#include "load.h"

enum { LONG_WAIT = 2000 };

/* ---- while the scheduler is held, a more urgent task that has been called does not run --------------------------------------------------- */

static TaskHandle_t urgent;
static volatile uint32_t urgent_turns;

static void be_urgent(void *parameters)
{
    (void)parameters;
    for (;;) {
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        urgent_turns++;
    }
}

static void hold(void *parameters)
{
    (void)parameters;
    for (;;) {
        const uint32_t before = urgent_turns;
        vTaskSuspendAll();
        (void)xTaskNotifyGive(urgent);
        vTaskSuspendAll();
        check(&held_scheduler, xTaskGetSchedulerState() == taskSCHEDULER_SUSPENDED, "not held");
        check(&held_scheduler, !xTaskResumeAll() && urgent_turns == before, "run while it was held");
        check(&held_scheduler, xTaskResumeAll() && urgent_turns == before + 1, "not run behind");
        held_scheduler.passes++;
        rest(5);
    }
}

static void begin_held(void)
{
    urgent = start(be_urgent, "urgent", 5, NULL);
    (void)start(hold, "hold", 2, NULL);
}

group_t held_scheduler = {.name = "held_scheduler", .begin = begin_held};

/* ---- objects come and go, and what they held comes back ---------------------------------------------------------------------------------- */

static void make_objects(void *parameters)
{
    (void)parameters;
    for (;;) {
        const QueueHandle_t queue = xQueueCreate(3, 8);
        const SemaphoreHandle_t semaphore = xSemaphoreCreateCounting(3, 2), mutex = xSemaphoreCreateMutex();
        const EventGroupHandle_t group = xEventGroupCreate();
        const StreamBufferHandle_t buffer = xStreamBufferCreate(16, 1);
        const BaseType_t made = queue != NULL && semaphore != NULL && mutex != NULL && group != NULL && buffer != NULL;
        check(&objects, made, "one could not be made");
        const uint64_t item = 99;
        check(&objects, xQueueSend(queue, &item, 0) && uxQueueSpacesAvailable(queue) == 2, "another number of items");
        check(&objects, xQueueReset(queue) && uxQueueMessagesWaiting(queue) == 0, "items behind a reset");
        check(&objects, xSemaphoreTake(semaphore, 0) && xSemaphoreTake(mutex, 0), "not taken");
        check(&objects, xSemaphoreGetMutexHolder(mutex) == xTaskGetCurrentTaskHandle() && xSemaphoreGive(mutex), "not given");
        check(&objects, xEventGroupSetBits(group, 3) == 3, "other bits");
        check(&objects, xStreamBufferSend(buffer, &item, 8, 0) == 8 && xStreamBufferReset(buffer), "not sent");
        rest(2);
        vQueueDelete(queue);
        vSemaphoreDelete(semaphore);
        vSemaphoreDelete(mutex);
        vEventGroupDelete(group);
        vStreamBufferDelete(buffer);
        objects.passes++;
        rest(18);
    }
}

static void begin_objects(void)
{
    (void)start(make_objects, "objects", 2, NULL);
    (void)start(make_objects, "objects", 3, NULL);
}

group_t objects = {.name = "objects", .begin = begin_objects};

/* ---- memory belongs to one task at a time --------------------------------------------------------------------------------------------------- */

enum { BLOCKS = 4, MOST_BYTES = 40 };

static void use_memory(void *parameters)
{
    uint32_t state = (uint32_t)(uintptr_t)parameters;
    uint8_t *blocks[BLOCKS] = {0};
    size_t sizes[BLOCKS] = {0};
    for (;;) {
        const uint32_t which = draw(&state, BLOCKS);
        for (size_t i = 0; i < sizes[which]; i++) {
            check(&memory, blocks[which][i] == (uint8_t)(sizes[which] + i), "another task was in it");
        }
        vPortFree(blocks[which]);
        sizes[which] = 1 + draw(&state, MOST_BYTES);
        blocks[which] = pvPortMalloc(sizes[which]);
        check(&memory, blocks[which] != NULL, "none is left");
        for (size_t i = 0; i < sizes[which]; i++) {
            blocks[which][i] = (uint8_t)(sizes[which] + i);
        }
        memory.passes++;
        rest(2 + draw(&state, 6));
    }
}

static void begin_memory(void)
{
    (void)start(use_memory, "memory", 1, (void *)61);
    (void)start(use_memory, "memory", 3, (void *)62);
}

group_t memory = {.name = "memory", .begin = begin_memory};

/* ---- three lines, each with a semaphore for a task of its own priority ------------------------------------------------------------------------ */

enum { LINES = 3 };

static SemaphoreHandle_t edges[LINES];
static volatile uint32_t given[LINES];

static void give_of(uint32_t which)
{
    BaseType_t woken = pdFALSE;
    if (xSemaphoreGiveFromISR(edges[which], &woken)) {
        given[which]++;
    }
    portYIELD_FROM_ISR(woken);
}

static void give_first(void)
{
    give_of(0);
}

static void give_second(void)
{
    give_of(1);
}

static void give_third(void)
{
    give_of(2);
}

static void take_edges(void *parameters)
{
    const uint32_t which = (uint32_t)(uintptr_t)parameters;
    for (uint32_t taken = 1;; taken++) {
        check(&interrupts_of_three_lines, xSemaphoreTake(edges[which], LONG_WAIT), "no edge in time");
        taskENTER_CRITICAL();
        const uint32_t left = uxSemaphoreGetCount(edges[which]);
        check(&interrupts_of_three_lines, taken + left == given[which], "not as many as were given");
        taskEXIT_CRITICAL();
        interrupts_of_three_lines.passes++;
    }
}

static void begin_lines(void)
{
    static void (*const handlers[LINES])(void) = {give_first, give_second, give_third};
    for (uint32_t i = 0; i < LINES; i++) {
        edges[i] = xSemaphoreCreateCounting(100, 0);
        (void)start(take_edges, "edges", 2 + 2 * i, (void *)(uintptr_t)i);
        pulses(LINE_FIRST + i, handlers[i], 10000 + 10000 * i, 90000);
    }
}

group_t interrupts_of_three_lines = {.name = "interrupts_of_three_lines", .begin = begin_lines};

/* ---- critical sections keep out a handler and the other tasks ---------------------------------------------------------------------------------- */

static volatile uint32_t one, other;

static void change(void)
{
    check(&critical_sections, one == other, "another was inside");
    one++;
    for (volatile uint32_t i = 0; i < 3; i++) {
    }
    other++;
}

static void enter(void *parameters)
{
    const TickType_t pause = (TickType_t)(uintptr_t)parameters;
    for (;;) {
        taskENTER_CRITICAL();
        taskENTER_CRITICAL();
        change();
        taskEXIT_CRITICAL();
        change();
        taskEXIT_CRITICAL();
        critical_sections.passes++;
        rest(pause);
    }
}

static void begin_critical(void)
{
    for (uint32_t i = 0; i < 3; i++) {
        (void)start(enter, "enter", 1 + 2 * i, (void *)(uintptr_t)(2 + i));
    }
    pulses(LINE_CRITICAL, change, 5000, 80000);
}

group_t critical_sections = {.name = "critical_sections", .begin = begin_critical};
