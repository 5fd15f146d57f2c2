/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: one task runs an edge after the other. */
#include "FreeRTOS.h"
#include "semphr.h"
#include "stream_buffer.h"
#include "task.h"

#include <melanion/console.h>
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

static void run(void *parameters)
{
    (void)parameters;
    looked_at();
    given_in_time();
    mel_exit(0);
}

int main(void)
{
    (void)xTaskCreate(run, "run", 256, NULL, RUNNER, NULL);
    vTaskStartScheduler();
    return 1;
}
