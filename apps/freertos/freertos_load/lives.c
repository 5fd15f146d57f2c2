/* SPDX-License-Identifier: Apache-2.0 */
/* lives.c: tasks that end, are suspended, aborted, rescheduled; equals that take turns; registers that stay. */
#include "load.h"

enum { LONG_WAIT = 2000 };

/* ---- tasks are made, end themselves or are ended -------------------------------------------------------------------------------------- */

static volatile uint32_t lives, ends;

static void live_briefly(void *parameters)
{
    const TaskHandle_t *victim = parameters;
    lives++;
    vTaskDelay(1);
    if (victim != NULL) {
        vTaskDelete(*victim);
        ends++;
    }
    ends++;
    vTaskDelete(NULL);
}

static void wait_for_the_end(void *parameters)
{
    lives++;
    (void)xSemaphoreTake(parameters, portMAX_DELAY);
    check(&deletion, pdFALSE, "a task goes on behind its wait");
}

static void make_lives(void *parameters)
{
    static TaskHandle_t victim;
    const SemaphoreHandle_t never = xSemaphoreCreateBinary();
    (void)parameters;
    for (;;) {
        const uint32_t before = ends;
        victim = start(wait_for_the_end, "victim", 4, never);
        (void)start(live_briefly, "brief", 1, &victim);
        (void)start(live_briefly, "brief", 5, NULL);
        for (uint32_t i = 0; ends != before + 3; i++) {
            rest(2);
            check(&deletion, i < LONG_WAIT, "one has not ended");
        }
        check(&deletion, lives == ends, "one has not lived");
        check(&deletion, uxSemaphoreGetCount(never) == 0, "given by nobody");
        deletion.passes++;
        rest(19);
    }
}

static void begin_deletion(void)
{
    (void)start(make_lives, "lives", 3, NULL);
}

group_t deletion = {.name = "deletion", .begin = begin_deletion};

/* ---- a suspended task does not count ----------------------------------------------------------------------------------------------------- */

static TaskHandle_t counter;
static volatile uint32_t counted;

static void count(void *parameters)
{
    (void)parameters;
    for (;;) {
        counted++;
        rest(2);
    }
}

static void suspend(void *parameters)
{
    (void)parameters;
    for (;;) {
        vTaskSuspend(counter);
        const uint32_t before = counted;
        check(&suspension, eTaskGetState(counter) == eSuspended, "not suspended");
        vTaskDelay(3);
        check(&suspension, counted == before, "counted in suspension");
        vTaskResume(counter);
        rest(8);
        check(&suspension, counted > before, "not resumed");
        suspension.passes++;
    }
}

static void begin_suspension(void)
{
    counter = start(count, "count", 6, NULL);
    (void)start(suspend, "suspend", 2, NULL);
}

group_t suspension = {.name = "suspension", .begin = begin_suspension};

/* ---- waits of each kind are aborted -------------------------------------------------------------------------------------------------------- */

enum { KINDS = 6, ABORT_AFTER = 6 };

static TaskHandle_t waiter;
static volatile uint32_t aborted;

static BaseType_t wait_in_kind(uint32_t kind, QueueHandle_t queue, EventGroupHandle_t group, StreamBufferHandle_t buffer)
{
    uint8_t byte;
    switch (kind) {
    case 0: vTaskDelay(LONG_WAIT); return pdTRUE;
    case 1: return !xQueueReceive(queue, &byte, LONG_WAIT);
    case 2: return xEventGroupWaitBits(group, 1, pdTRUE, pdTRUE, LONG_WAIT) == 0;
    case 3: return xStreamBufferReceive(buffer, &byte, 1, LONG_WAIT) == 0;
    case 4: return ulTaskNotifyTake(pdTRUE, LONG_WAIT) == 0;
    default: return !xTaskNotifyWaitIndexed(1, 0, 0, NULL, LONG_WAIT);
    }
}

static void wait_for_abortion(void *parameters)
{
    const QueueHandle_t queue = xQueueCreate(1, 1);
    const EventGroupHandle_t group = xEventGroupCreate();
    const StreamBufferHandle_t buffer = xStreamBufferCreate(8, 1);
    (void)parameters;
    for (uint32_t kind = 0;; kind = (kind + 1) % KINDS) {
        const TickType_t begun = xTaskGetTickCount();
        check(&aborted_waits, wait_in_kind(kind, queue, group, buffer), "a wait had what nobody gave");
        check(&aborted_waits, xTaskGetTickCount() - begun < LONG_WAIT / 2, "not aborted");
        aborted++;
    }
}

static void abort_waits(void *parameters)
{
    (void)parameters;
    for (;;) {
        rest(ABORT_AFTER);
        const uint32_t before = aborted;
        check(&aborted_waits, xTaskAbortDelay(waiter), "nothing to abort");
        check(&aborted_waits, aborted == before + 1, "not gone on");
        aborted_waits.passes++;
    }
}

static void begin_aborted(void)
{
    waiter = start(wait_for_abortion, "wait", 4, NULL);
    (void)start(abort_waits, "abort", 2, NULL);
}

group_t aborted_waits = {.name = "aborted_waits", .begin = begin_aborted};

/* ---- equals take turns: none of them gives way by itself ------------------------------------------------------------------------------------ */

enum { EQUALS = 4, TERMS = 40 };

static volatile uint32_t turns[EQUALS];

static void compute(void *parameters)
{
    const uint32_t who = (uint32_t)(uintptr_t)parameters;
    uint32_t last[EQUALS] = {0};
    for (;;) {
        volatile uint32_t sum = 0;
        for (uint32_t i = 1; i <= TERMS; i++) {
            sum += i * (who + 1);
        }
        check(&slices, sum == TERMS * (TERMS + 1) / 2 * (who + 1), "another sum");
        turns[who]++;
        BaseType_t all = pdTRUE;
        for (uint32_t i = 0; i < EQUALS; i++) {
            all = all && turns[i] != last[i];
        }
        if (all) {
            for (uint32_t i = 0; i < EQUALS; i++) {
                last[i] = turns[i];
            }
            slices.passes++;
        }
    }
}

static void begin_slices(void)
{
    for (uint32_t i = 0; i < EQUALS; i++) {
        (void)start(compute, "compute", 0, (void *)(uintptr_t)i);
    }
}

group_t slices = {.name = "slices", .begin = begin_slices};

/* ---- a task raises and lowers another, and itself ---------------------------------------------------------------------------------------------- */

enum { BELOW = 1, OWN = 2, ABOVE = 3 };

static TaskHandle_t moved;
static volatile uint32_t moved_turns;

static void be_moved(void *parameters)
{
    (void)parameters;
    for (;;) {
        moved_turns++;
        vTaskSuspend(NULL);
    }
}

static void move(void *parameters)
{
    (void)parameters;
    for (;;) {
        const uint32_t before = moved_turns;
        vTaskPrioritySet(moved, BELOW);
        vTaskResume(moved);
        check(&priorities, moved_turns == before && uxTaskPriorityGet(moved) == BELOW, "run below");
        vTaskPrioritySet(moved, ABOVE);
        check(&priorities, moved_turns == before + 1 && eTaskGetState(moved) == eSuspended, "not run above");
        vTaskResume(moved);
        check(&priorities, moved_turns == before + 2, "not run again");
        vTaskPrioritySet(moved, BELOW);
        vTaskResume(moved);
        vTaskPrioritySet(NULL, BELOW - 1);
        check(&priorities, moved_turns == before + 3, "not run before a lower one");
        vTaskPrioritySet(NULL, OWN);
        check(&priorities, uxTaskPriorityGet(NULL) == OWN, "another priority");
        priorities.passes++;
        rest(9);
    }
}

static void begin_priorities(void)
{
    moved = start(be_moved, "moved", ABOVE, NULL);
    (void)start(move, "move", OWN, NULL);
}

group_t priorities = {.name = "priorities", .begin = begin_priorities};

/* ---- registers stay while others run -------------------------------------------------------------------------------------------------------------- */

/* Registers that hold `base` and the numbers behind it all the time; what is found other than that. */
static uint32_t turn_in_registers(uint32_t base)
{
    uint32_t wrong;
    __asm__ volatile("addi t3, %1, 1\n addi t4, %1, 2\n addi t5, %1, 3\n addi t6, %1, 4\n"
                     "addi s2, %1, 5\n addi s3, %1, 6\n addi s4, %1, 7\n addi s5, %1, 8\n"
                     "addi s6, %1, 9\n addi s7, %1, 10\n addi s8, %1, 11\n addi s9, %1, 12\n"
                     "li t0, 400\n"
                     "1: addi t0, t0, -1\n bnez t0, 1b\n"
                     "add %0, t3, t4\n add %0, %0, t5\n add %0, %0, t6\n"
                     "add %0, %0, s2\n add %0, %0, s3\n add %0, %0, s4\n add %0, %0, s5\n"
                     "add %0, %0, s6\n add %0, %0, s7\n add %0, %0, s8\n add %0, %0, s9\n"
                     : "=&r"(wrong)
                     : "r"(base)
                     : "t0", "t3", "t4", "t5", "t6", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9");
    return wrong - 12 * base - 78;
}

static void use_registers(void *parameters)
{
    const uint32_t base = (uint32_t)(uintptr_t)parameters;
    for (;;) {
        check(&registers, turn_in_registers(base) == 0, "another value");
        registers.passes++;
    }
}

static void begin_registers(void)
{
    (void)start(use_registers, "registers", 0, (void *)0x10000);
    (void)start(use_registers, "registers", 0, (void *)0xABCD000);
}

group_t registers = {.name = "registers", .begin = begin_registers};
