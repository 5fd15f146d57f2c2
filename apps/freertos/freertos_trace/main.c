/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: notes, and the tasks that the parts share. */
#include "notes.h"

#include "../freertos_order/event.h"

#include <melanion/console.h>

#include <string.h>

enum { MOST = 96, NAMES = 12, MAIN = 3, HIGH = 4 };

TaskHandle_t main_task, high_task;

static struct {
    const char *what;
    const void *object; /* &no_object: it is of none */
    uint32_t value;
    char who;
} notes[MOST];
static struct {
    const void *object;
    const char *name;
} names[NAMES];
static volatile uint32_t count, named, handling, printing, started, left_out = HELPER | SIZES;
static const char no_object;
static TickType_t begun;
static job_t *volatile high_job, *volatile handler_job;

/* Leave out notes that differ between kernels or tell nothing: calls of the helper, sizes of objects, and, of FreeRTOS, the notifications of its
 * buffers and waits of its timer task. */
static int is_left_out(const char *what, const void *object)
{
    return ((left_out & HELPER) != 0 && object == high_task && (strcmp(what, "TASK_SUSPEND") == 0 || strcmp(what, "TASK_RESUME") == 0)) ||
           ((left_out & SIZES) != 0 && (strcmp(what, "MALLOC") == 0 || strcmp(what, "FREE") == 0)) ||
           ((left_out & NOTIFICATIONS) != 0 && strncmp(what, "TASK_NOTIFY", 11) == 0) ||
           (strcmp(what, "TASK_DELAY_UNTIL") == 0 && xTaskGetCurrentTaskHandle() == xTimerGetTimerDaemonTaskHandle());
}

static void note(const char *what, const void *object, uint32_t value)
{
    if (printing || count >= MOST || is_left_out(what, object)) {
        return;
    }
    notes[count].what = what;
    notes[count].object = object;
    notes[count].value = value;
    notes[count].who = '-';
    if (handling) {
        notes[count].who = '!';
    } else if (started) {
        notes[count].who = pcTaskGetName(NULL)[0];
    }
    count++;
}

/* A critical section of its own: also where the kernel is in one, which must not end with it. */
void traced(const char *what, const void *object, uint32_t value)
{
    if (!handling) {
        taskENTER_CRITICAL();
    }
    note(what, object, value);
    if (!handling) {
        taskEXIT_CRITICAL();
    }
}

void traced_number(const char *what, uint32_t value)
{
    traced(what, &no_object, value);
}

void traced_time(const char *what, uint32_t time)
{
    traced(what, &no_object, time - begun);
}

void traced_alone(const char *what)
{
    traced(what, &no_object, NOTHING);
}

void name_it(const void *object, const char *name)
{
    names[named].object = object;
    names[named].name = name;
    named++;
}

static const char *name_of(const void *object)
{
    for (uint32_t i = 0; i < named; i++) {
        if (names[i].object == object) {
            return names[i].name;
        }
    }
    return object == main_task ? "main" : object == high_task ? "high" : NULL;
}

static void print(uint32_t i)
{
    const char who[] = {' ', notes[i].who, '\0'};
    const char *name = notes[i].object == &no_object ? "" : name_of(notes[i].object);
    if (name == NULL) {
        return;
    }
    mel_print(who);
    mel_print(":");
    mel_print(notes[i].what);
    mel_print("(");
    mel_print(name);
    if (notes[i].value != NOTHING) {
        mel_print(name[0] != '\0' ? "," : "");
        mel_print_unsigned(notes[i].value);
    }
    mel_print(")");
}

void part(const char *name)
{
    printing = 1;
    mel_print(name);
    mel_print(":");
    for (uint32_t i = 0; i < count; i++) {
        print(i);
    }
    mel_print(count >= MOST ? " ...\n" : "\n");
    count = named = printing = 0;
    left_out = HELPER | SIZES;
    begun = xTaskGetTickCount();
}

void leave_out(uint32_t kinds)
{
    left_out = kinds;
}

static void helper(void *parameters)
{
    (void)parameters;
    for (;;) {
        vTaskSuspend(NULL);
        high_job();
    }
}

void high(job_t *job)
{
    high_job = job;
    vTaskResume(high_task);
}

static void in_it(void)
{
    handling = 1;
    handler_job();
    handling = 0;
}

void handler(job_t *job)
{
    handler_job = job;
    in_handler(in_it);
}

static void all(void *parameters)
{
    static job_t *const parts[] = {tasks, notifications, queues, sets, semaphores, mutexes, groups, timers, buffers, memory, no_memory};
    (void)parameters;
    part("start");
    started = 1;
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        parts[i]();
    }
    finish();
}

int main(void)
{
    (void)xTaskCreate(helper, "high", 512, NULL, HIGH, &high_task);
    (void)xTaskCreate(all, "main", 1024, NULL, MAIN, &main_task);
    vTaskStartScheduler();
    return 1;
}
