/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the director, who makes objects and tasks of a seed, waits, removes all of them and prints what was noted. */
#include "random.h"

#include "../freertos_order/event.h"

#include <melanion/console.h>

enum { TICKS = 24, MOST = 600 };

QueueHandle_t queues[2];
SemaphoreHandle_t semaphores[2], mutex;
EventGroupHandle_t group;
TimerHandle_t timers[2];
TaskHandle_t tasks[TASKS];

static uint32_t states[TASKS], begun;
static struct {
    uint32_t result;
    uint8_t who, tick;
    char what;
} notes[MOST];
static volatile uint32_t count;

uint32_t draw(uint32_t who, uint32_t below)
{
    states[who] = states[who] * UINT32_C(1664525) + UINT32_C(1013904223);
    return (uint32_t)(((uint64_t)(states[who] >> 8) * below) >> 24);
}

void note(uint32_t who, char what, uint32_t result)
{
    const uint32_t place = count;
    count = place + 1;
    if (place < MOST) {
        notes[place].who = (uint8_t)who;
        notes[place].what = what;
        notes[place].result = result;
        notes[place].tick = (uint8_t)(xTaskGetTickCountFromISR() - begun);
    }
}

static void live(void *number)
{
    const uint32_t who = (uint32_t)(uintptr_t)number;
    uint32_t calls = 0;
    TickType_t wake = begun;
    (void)xTaskDelayUntil(&wake, 4); /* all begin together: making them takes more than a tick */
    for (;;) {
        if (act(who) || ++calls == 3) {
            calls = 0;
            vTaskDelay(1 + draw(who, 3));
        }
    }
}

static void timer_called(TimerHandle_t timer)
{
    const uint32_t number = timer == timers[1];
    note(TASKS + number, 'T', 0);
    if (number == 0) {
        (void)xSemaphoreGive(semaphores[0]);
    } else {
        (void)xEventGroupSetBits(group, 4);
    }
}

static void begin(uint32_t seed)
{
    queues[0] = xQueueCreate(1, sizeof(uint32_t));
    queues[1] = xQueueCreate(3, sizeof(uint32_t));
    semaphores[0] = xSemaphoreCreateBinary();
    semaphores[1] = xSemaphoreCreateCounting(2, 1);
    mutex = xSemaphoreCreateMutex();
    group = xEventGroupCreate();
    timers[0] = xTimerCreate("0", 3, pdFALSE, NULL, timer_called);
    timers[1] = xTimerCreate("1", 4, pdTRUE, NULL, timer_called);
    count = 0;
    vTaskDelay(1);
    begun = xTaskGetTickCount();
    for (uint32_t who = 0; who < TASKS; who++) {
        states[who] = seed * 2654435761u + who * 40503u;
        (void)draw(who, 2);
        owner[who] = 0;
        (void)xTaskCreate(live, "task", 256, (void *)(uintptr_t)who, 2 * who + 1, &tasks[who]);
    }
}

static void end(void)
{
    for (uint32_t who = 0; who < TASKS; who++) {
        vTaskDelete(tasks[who]);
    }
    (void)xTimerDelete(timers[0], portMAX_DELAY);
    (void)xTimerDelete(timers[1], portMAX_DELAY);
    vTaskDelay(2);
    for (int i = 0; i < 2; i++) {
        vQueueDelete(queues[i]);
        vSemaphoreDelete(semaphores[i]);
    }
    vSemaphoreDelete(mutex);
    vEventGroupDelete(group);
}

static void print(uint32_t seed, uint32_t noted)
{
    uint32_t tick = 0xFFFF;
    mel_print("seed ");
    mel_print_unsigned(seed);
    for (uint32_t i = 0; i < noted && i < MOST; i++) {
        const char what[] = {notes[i].what, '\0'};
        if (notes[i].tick != tick) {
            tick = notes[i].tick;
            mel_print(" @");
            mel_print_unsigned(tick);
        }
        mel_print(" ");
        mel_print_unsigned(notes[i].who);
        mel_print(what);
        mel_print_unsigned(notes[i].result);
    }
    mel_print("\n");
}

static void director(void *parameters)
{
    (void)parameters;
    for (uint32_t seed = FIRST; seed < FIRST + SEEDS; seed++) {
        const size_t before = xPortGetFreeHeapSize();
        begin(seed);
        vTaskDelay(TICKS);
        const uint32_t noted = count;
        end();
        print(seed, noted);
        if (xPortGetFreeHeapSize() != before) {
            mel_print("memory was lost\n");
        }
    }
    finish();
}

int main(void)
{
    (void)xTaskCreate(director, "director", 512, NULL, DIRECTOR, NULL);
    vTaskStartScheduler();
    return 1;
}
