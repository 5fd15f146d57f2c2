/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: one task runs an edge after the other. */
#include "FreeRTOS.h"
#include "semphr.h"
#include "stream_buffer.h"
#include "task.h"

#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>

enum { LOW = 1, WAITER = 3, OWNER = 5, RUNNER = 7 };

static void check(BaseType_t good, const char *text)
{
    if (!good) {
        mel_print(text);
        mel_print("\n");
        mel_exit(1);
    }
}

/* ---- a third task looks at a stream buffer, between whose loads bytes come and go ------------------------------------------ */

enum { SIZE = 48, PART = 7, LOOKS_TICKS = 300 };

static StreamBufferHandle_t stream;
static volatile uint32_t moves, looks;

static void move(void *parameters)
{
    uint8_t bytes[PART] = {0};
    (void)parameters;
    for (;;) {
        vTaskDelay(1);
        for (volatile uint32_t pause = moves % 13; pause > 0; pause--) { /* so that ticks meet the looking task in each of its instructions */
        }
        check(xStreamBufferSend(stream, bytes, PART, 0) == PART, "stream: no room");
        if (moves++ % 2 != 0) {
            check(xStreamBufferReceive(stream, bytes, PART, 0) == PART, "stream: no bytes");
            check(xStreamBufferReceive(stream, bytes, PART, 0) == PART, "stream: no more bytes");
        }
    }
}

static void look(void *parameters)
{
    (void)parameters;
    for (;;) {
        check(xStreamBufferSpacesAvailable(stream) >= SIZE - 2 * PART, "stream: less room than there ever was");
        looks++;
    }
}

static void looked_at(void)
{
    TaskHandle_t mover, looker;
    stream = xStreamBufferCreate(SIZE, 1);
    (void)xTaskCreate(move, "move", 256, NULL, WAITER, &mover);
    (void)xTaskCreate(look, "look", 256, NULL, LOW, &looker);
    vTaskDelay(LOOKS_TICKS);
    check(moves > LOOKS_TICKS / 2 && looks > LOOKS_TICKS, "stream: nobody moved or looked");
    vTaskDelete(mover);
    vTaskDelete(looker);
    vStreamBufferDelete(stream);
    mel_print("a stream buffer that is looked at\n");
}

/* ---- a mutex is given back in the tick in which the wait for it ends ------------------------------------------------------- */

enum { TICKS = 4 };

static SemaphoreHandle_t mutex;
static volatile BaseType_t taken;

static void own(void *parameters)
{
    (void)parameters;
    check(xSemaphoreTake(mutex, 0), "mutex: not free");
    vTaskDelay(TICKS);
    check(xSemaphoreGive(mutex), "mutex: not given");
    vTaskSuspend(NULL);
}

static void wait(void *parameters)
{
    (void)parameters;
    taken = xSemaphoreTake(mutex, TICKS) ? 1 : -1;
    vTaskSuspend(NULL);
}

static void given_in_time(void)
{
    TaskHandle_t owner, waiter;
    mutex = xSemaphoreCreateMutex();
    vTaskDelay(1); /* all that follows begins in one tick */
    (void)xTaskCreate(own, "own", 256, NULL, OWNER, &owner);
    (void)xTaskCreate(wait, "wait", 256, NULL, WAITER, &waiter);
    vTaskDelay(2 * TICKS);
    check(taken == 1, "mutex: free when the wait ended, and not taken");
    check(xSemaphoreGetMutexHolder(mutex) == waiter, "mutex: not the waiter's");
    vTaskDelete(owner);
    vTaskDelete(waiter);
    mel_print("a mutex that is free when the wait for it ends\n");
}

/* ---- a task is preempted while it begins to hold the scheduler, by one that does the same --------------------------------- */

enum { LINE = 3, DELAYS = 250 };

static TaskHandle_t holder, urgent;
static volatile uint32_t urgent_turns, holds;

static void notify_holder(mel_id_t line, void *argument)
{
    BaseType_t woken = pdFALSE;
    (void)line;
    (void)argument;
    vTaskNotifyGiveFromISR(holder, &woken);
    portYIELD_FROM_ISR(woken);
}

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
        (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        const uint32_t before = urgent_turns;
        check(xTaskGetSchedulerState() == taskSCHEDULER_RUNNING, "scheduler: held by a task that does not run");
        vTaskSuspendAll();
        (void)xTaskNotifyGive(urgent);
        check(urgent_turns == before, "scheduler: not held");
        (void)xTaskResumeAll();
        check(urgent_turns == before + 1, "scheduler: still held");
        holds++;
    }
}

static void hold_below(void *parameters)
{
    (void)parameters;
    for (uint32_t delay = 0; delay < DELAYS; delay++) {
        const uint32_t before = holds;
        mel_irqgen_pulse(LINE, delay);
        vTaskSuspendAll();
        (void)xTaskResumeAll();
        while (holds == before) {
        }
    }
    vTaskSuspend(NULL);
}

static void held_by_two(void)
{
    TaskHandle_t below;
    (void)mel_irq_attach(LINE, notify_holder, NULL);
    (void)mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(LINE);
    (void)xTaskCreate(be_urgent, "urgent", 256, NULL, OWNER, &urgent);
    (void)xTaskCreate(hold, "hold", 256, NULL, WAITER, &holder);
    (void)xTaskCreate(hold_below, "below", 256, NULL, LOW, &below);
    while (eTaskGetState(below) != eSuspended) {
        vTaskDelay(1);
    }
    check(holds == DELAYS, "scheduler: not held as often");
    mel_print("the scheduler is held by two\n");
}

static void run(void *parameters)
{
    (void)parameters;
    looked_at();
    given_in_time();
    held_by_two();
    mel_exit(0);
}

int main(void)
{
    (void)xTaskCreate(run, "run", 256, NULL, RUNNER, NULL);
    vTaskStartScheduler();
    return 1;
}
