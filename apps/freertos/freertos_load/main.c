/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: all groups begin, and one task watches them: each must have passed since it looked last. */
#include "load.h"

#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>

enum { WATCH_PRIORITY = 9, WATCHED_TICKS = 500 };

#define ADDRESS(group) &group,
static group_t *const groups[] = {EACH_GROUP(ADDRESS)};
enum { GROUPS = sizeof groups / sizeof groups[0] };

static uint32_t before[GROUPS];
static UBaseType_t most_tasks;
static volatile uint32_t idle_turns, hooked_ticks;

static void print_number(uint32_t number, const char *text)
{
    mel_print_unsigned(number);
    mel_print(text);
}

void fail(const group_t *group, const char *what)
{
    taskDISABLE_INTERRUPTS();
    mel_print(group->name);
    mel_print(": ");
    mel_print(what);
    mel_print(", tick ");
    print_number(xTaskGetTickCount(), "\n");
    mel_exit(1);
}

TaskHandle_t start(TaskFunction_t code, const char *name, UBaseType_t priority, void *parameters)
{
    static const group_t all = {.name = "tasks"};
    TaskHandle_t task = NULL;
    check(&all, xTaskCreate(code, name, configMINIMAL_STACK_SIZE, parameters, priority, &task) == pdPASS, "one could not be made");
    return task;
}

uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (uint32_t)(((uint64_t)(*state >> 8) * below) >> 24);
}

/* ---- interrupts ------------------------------------------------------------------------------------------------------------ */

enum { LINES = 16 };

static struct {
    void (*handler)(void);
    uint32_t minimum, maximum;
} lines[LINES];

static void serve(mel_id_t line, void *argument)
{
    (void)argument;
    lines[line].handler();
}

void pulses(uint32_t line, void (*handler)(void), uint32_t minimum, uint32_t maximum)
{
    lines[line].handler = handler;
    lines[line].minimum = minimum;
    lines[line].maximum = maximum;
}

static void begin_pulses(void)
{
    for (uint32_t line = 0; line < LINES; line++) {
        if (lines[line].handler != NULL) {
            (void)mel_irq_attach(line, serve, 0);
            (void)mel_irq_map(line, MEL_IRQ_ACTION_NONE, 0, 0, true);
            (void)mel_irq_enable(line);
            mel_irqgen_pulses(line, lines[line].minimum, lines[line].maximum, UINT32_C(0x7FFFFFFF));
        }
    }
}

/* ---- watched --------------------------------------------------------------------------------------------------------------- */

void vApplicationIdleHook(void)
{
    idle_turns++;
}

void vApplicationTickHook(void)
{
    hooked_ticks++;
}

static void print_passes(void)
{
    for (uint32_t i = 0; i < GROUPS; i++) {
        mel_print(groups[i]->name);
        mel_print(": ");
        print_number(groups[i]->passes, "\n");
    }
}

static void watch(void *parameters)
{
    (void)parameters;
    begin_pulses();
    for (TickType_t ticks = 0; ticks < TICKS; ticks += WATCHED_TICKS) {
        vTaskDelay(WATCHED_TICKS);
        for (uint32_t i = 0; i < GROUPS; i++) {
            check(groups[i], groups[i]->passes != before[i], "it has stopped");
            before[i] = groups[i]->passes;
        }
        most_tasks = uxTaskGetNumberOfTasks() > most_tasks ? uxTaskGetNumberOfTasks() : most_tasks;
    }
    static const group_t hooks = {.name = "hooks"};
    check(&hooks, hooked_ticks >= TICKS - 1, "of the tick, one was left out");
    print_passes();
    print_number(GROUPS, " groups, ");
    print_number(most_tasks, " tasks, ");
    print_number(xTaskGetTickCount(), " ticks\n");
    mel_exit(0);
}

int main(void)
{
    for (uint32_t i = 0; i < GROUPS; i++) {
        groups[i]->begin();
    }
    (void)start(watch, "watch", WATCH_PRIORITY, NULL);
    vTaskStartScheduler();
    return 1;
}
