/* SPDX-License-Identifier: Apache-2.0 */
/* objects.c: queues, sets, semaphores, mutexes. */
#include "notes.h"

static QueueHandle_t queue;
static SemaphoreHandle_t semaphore, mutex, recursive;
static QueueSetHandle_t set;
static StaticQueue_t queue_memory, semaphore_memory, binary_memory, mutex_memory, recursive_memory;
static uint32_t storage[2], item;

static void send_3(void)
{
    (void)xQueueSend(queue, &item, 3);
}

static void receive_3(void)
{
    (void)xQueueReceive(queue, &item, 3);
}

static void peek(void)
{
    (void)xQueuePeek(queue, &item, portMAX_DELAY);
}

static void queue_in_handler(void)
{
    (void)xQueuePeekFromISR(queue, &item);
    (void)xQueueReceiveFromISR(queue, &item, NULL);
    (void)xQueueSendFromISR(queue, &item, NULL);
    (void)xQueueSendToFrontFromISR(queue, &item, NULL);
    (void)xQueueSendFromISR(queue, &item, NULL);
    (void)xQueuePeekFromISR(queue, &item);
    (void)xQueueReceiveFromISR(queue, &item, NULL);
}

/* Whoever waits is called, and finds nothing when it runs, `ticks` later: it waits again, unless its time is over. */
static void take_back(TickType_t ticks)
{
    const TickType_t begun = xTaskGetTickCount();
    high(receive_3);
    vTaskPrioritySet(NULL, 6);
    (void)xQueueSend(queue, &item, 0);
    while (xTaskGetTickCount() - begun < ticks) {
    }
    (void)xQueueReceive(queue, &item, 0);
    vTaskPrioritySet(NULL, 3);
}

void queues(void)
{
    queue = (QueueHandle_t)&queue_memory;
    name_it(queue, "queue");
    (void)xQueueCreateStatic(2, sizeof item, (uint8_t *)storage, &queue_memory);
    vQueueAddToRegistry(queue, "registered");
    (void)xQueueReceive(queue, &item, 0);
    (void)xQueuePeek(queue, &item, 0);
    high(receive_3);
    (void)xQueueSend(queue, &item, 0); /* wakes it */
    high(receive_3);
    vTaskDelay(4);
    high(peek);
    (void)xQueueSendToFront(queue, &item, 0);
    (void)xQueueSend(queue, &item, 0);
    (void)xQueueSend(queue, &item, 0); /* full */
    high(send_3);
    vTaskDelay(4);
    high(send_3);
    (void)xQueueReceive(queue, &item, 0);
    (void)xQueueReset(queue);
    take_back(0);
    vTaskDelay(4);
    take_back(5);
    handler(queue_in_handler);
    vQueueDelete(queue);
    (void)xQueueCreate(10000, 10); /* too large */
    part("queues");
}

void sets(void)
{
    set = xQueueCreateSet(2);
    queue = (QueueHandle_t)&queue_memory;
    name_it(set, "set");
    name_it(queue, "queue");
    (void)xQueueCreateStatic(1, sizeof item, (uint8_t *)storage, &queue_memory);
    (void)xQueueAddToSet(queue, set);
    (void)xQueueSend(queue, &item, 0);
    (void)xQueueOverwrite(queue, &item);
    (void)xQueueSelectFromSet(set, 0);
    (void)xQueueReceive(queue, &item, 0);
    (void)xQueueSelectFromSet(set, 0);
    vQueueDelete(queue);
    vQueueDelete(set);
    part("sets");
}

static void take(void)
{
    (void)xSemaphoreTake(semaphore, portMAX_DELAY);
}

static void semaphore_in_handler(void)
{
    (void)xSemaphoreGiveFromISR(semaphore, NULL);
    (void)xSemaphoreGiveFromISR(semaphore, NULL);
    (void)xSemaphoreGiveFromISR(semaphore, NULL);
    (void)xSemaphoreTakeFromISR(semaphore, NULL);
}

void semaphores(void)
{
    semaphore = (SemaphoreHandle_t)&semaphore_memory;
    name_it(semaphore, "semaphore");
    name_it(&binary_memory, "binary");
    (void)xSemaphoreCreateBinaryStatic(&binary_memory);
    (void)xSemaphoreCreateCountingStatic(2, 0, &semaphore_memory);
    high(take);
    (void)xSemaphoreGive(semaphore);
    (void)xSemaphoreTake(semaphore, 0);
    (void)xSemaphoreTake(semaphore, 2);
    handler(semaphore_in_handler);
    (void)xSemaphoreGive((SemaphoreHandle_t)&binary_memory);
    (void)xSemaphoreGive((SemaphoreHandle_t)&binary_memory);
    vSemaphoreDelete(semaphore);
    vSemaphoreDelete((SemaphoreHandle_t)&binary_memory);
    part("semaphores");
}

static void lock(void)
{
    (void)xSemaphoreTake(mutex, portMAX_DELAY);
    (void)xSemaphoreGive(mutex);
}

static void lock_2(void)
{
    (void)xSemaphoreTake(mutex, 2);
}

static void lock_twice(void)
{
    (void)xSemaphoreTakeRecursive(recursive, 0);
    (void)xSemaphoreTakeRecursive(recursive, 0);
    (void)xSemaphoreGiveRecursive(recursive);
    (void)xSemaphoreGiveRecursive(recursive);
    (void)xSemaphoreGiveRecursive(recursive); /* not its own */
}

static void lock_others(void)
{
    (void)xSemaphoreTakeRecursive(recursive, 0);
}

void mutexes(void)
{
    mutex = (SemaphoreHandle_t)&mutex_memory;
    recursive = (SemaphoreHandle_t)&recursive_memory;
    name_it(mutex, "mutex");
    name_it(recursive, "recursive");
    (void)xSemaphoreCreateMutexStatic(&mutex_memory);
    (void)xSemaphoreCreateRecursiveMutexStatic(&recursive_memory);
    (void)xSemaphoreTake(mutex, 0);
    high(lock_2);
    vTaskDelay(3);
    high(lock);
    (void)xSemaphoreGive(mutex);
    lock_twice();
    (void)xSemaphoreTakeRecursive(recursive, 0);
    high(lock_others);
    (void)xSemaphoreGiveRecursive(recursive);
    vSemaphoreDelete(mutex);
    vSemaphoreDelete(recursive);
    part("mutexes");
}
