/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: each operation a few times; the least counts, which is without a tick. The counter of cycles is read before and behind it: that is in each
 * figure, on every kernel alike. */
#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#include <melanion/console.h>
#include <melanion/kernel.h>

enum { TIMES = 6 };

static inline uint32_t cycles(void)
{
    uint32_t count;
    __asm__ volatile("csrr %0, mcycle" : "=r"(count) : : "memory");
    return count;
}

static void show(const char *name, uint32_t least)
{
    mel_print(name);
    mel_print(" ");
    mel_print_unsigned(least);
    mel_print("\n");
}

/* Print the least time of `call`; `undo` is made behind it. */
#define COST(name, call, undo)                            \
    do {                                                  \
        uint32_t least = UINT32_MAX;                      \
        for (int i = 0; i < TIMES; i++) {                 \
            const uint32_t begun = cycles();              \
            call;                                         \
            const uint32_t took = cycles() - begun;       \
            least = took < least ? took : least;          \
            undo;                                         \
        }                                                 \
        show(name, least);                                \
    } while (0)

static SemaphoreHandle_t semaphore, mutex, recursive;
static QueueHandle_t queue;

static void semaphores(void)
{
    semaphore = xSemaphoreCreateCounting(10, 5);
    COST("xSemaphoreTake", (void)xSemaphoreTake(semaphore, portMAX_DELAY), (void)xSemaphoreGive(semaphore));
    COST("xSemaphoreGive", (void)xSemaphoreGive(semaphore), (void)xSemaphoreTake(semaphore, 0));
}

static void mutexes(void)
{
    mutex = xSemaphoreCreateMutex();
    recursive = xSemaphoreCreateRecursiveMutex();
    COST("lock", (void)xSemaphoreTake(mutex, portMAX_DELAY), (void)xSemaphoreGive(mutex));
    (void)xSemaphoreTake(mutex, 0);
    COST("unlock", (void)xSemaphoreGive(mutex), (void)xSemaphoreTake(mutex, 0));
    COST("recursive-lock", (void)xSemaphoreTakeRecursive(recursive, portMAX_DELAY), (void)xSemaphoreGiveRecursive(recursive));
    (void)xSemaphoreTakeRecursive(recursive, 0);
    COST("recursive-unlock", (void)xSemaphoreGiveRecursive(recursive), (void)xSemaphoreTakeRecursive(recursive, 0));
    COST("second-lock", (void)xSemaphoreTakeRecursive(recursive, portMAX_DELAY), (void)xSemaphoreGiveRecursive(recursive));
}

static void queues(void)
{
    uint32_t item = 5;
    queue = xQueueCreate(8, sizeof item);
    COST("xQueueSend", (void)xQueueSend(queue, &item, portMAX_DELAY), (void)xQueueReceive(queue, &item, 0));
    (void)xQueueSend(queue, &item, 0);
    COST("xQueueReceive", (void)xQueueReceive(queue, &item, portMAX_DELAY), (void)xQueueSend(queue, &item, 0));
}

static void notifications(void)
{
    const TaskHandle_t self = xTaskGetCurrentTaskHandle();
    COST("xTaskNotifyGive", (void)xTaskNotifyGive(self), (void)ulTaskNotifyTake(pdTRUE, 0));
    (void)xTaskNotifyGive(self);
    COST("ulTaskNotifyTake", (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY), (void)xTaskNotifyGive(self));
}

static void others(void)
{
    COST("xTaskGetTickCount", (void)xTaskGetTickCount(), );
    COST("xTaskGetCurrentTaskHandle", (void)xTaskGetCurrentTaskHandle(), );
    COST("critical-section", taskENTER_CRITICAL(); taskEXIT_CRITICAL(), );
    COST("scheduler-suspended", vTaskSuspendAll(); (void)xTaskResumeAll(), );
}

static void run(void *parameters)
{
    (void)parameters;
    semaphores();
    mutexes();
    queues();
    notifications();
    others();
    mel_exit(0);
}

int main(void)
{
    (void)xTaskCreate(run, "run", 256, NULL, 3, NULL);
    vTaskStartScheduler();
    return 1;
}
