/* SPDX-License-Identifier: Apache-2.0 */
/* handovers.c: what passes from a core to the next one, round the ring of workers: by queues, semaphores, notifications, event groups, streams, mutexes. */
#include "cores.h"

enum { ROUNDS = 12, BYTES = 23 };

static QueueHandle_t queues[CORES];
static SemaphoreHandle_t semaphores[CORES], mutex;
static StreamBufferHandle_t streams[CORES];
static EventGroupHandle_t group;
static volatile uint32_t held, rounds;

/* Send to the next core, receive from the one before, alike on each core; queues of one item, so that both wait. */
static void by_queue(BaseType_t core)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t item;
        CHECK(xQueueSend(queues[next(core)], &i, portMAX_DELAY) == pdTRUE);
        CHECK(xQueueReceive(queues[core], &item, portMAX_DELAY) == pdTRUE && item == i);
    }
}

/* One after the other: core 0 begins. */
static void by_semaphore(BaseType_t core)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        if (core == 0) {
            CHECK(xSemaphoreGive(semaphores[next(core)]) == pdTRUE);
        }
        CHECK(xSemaphoreTake(semaphores[core], portMAX_DELAY) == pdTRUE);
        rounds++; /* nobody else has the turn */
        if (core != 0) {
            CHECK(xSemaphoreGive(semaphores[next(core)]) == pdTRUE);
        }
    }
}

static void by_notification(BaseType_t core)
{
    for (UBaseType_t index = 0; index < 2; index++) {
        for (uint32_t i = 0; i < ROUNDS; i++) {
            uint32_t value = 0;
            if (core == 0) {
                CHECK(xTaskNotifyIndexed(workers[next(core)], index, i, eSetValueWithOverwrite) == pdPASS);
            }
            CHECK(xTaskNotifyWaitIndexed(index, 0, 0xFFFFFFFFu, &value, portMAX_DELAY) == pdTRUE && value == i);
            if (core != 0) {
                CHECK(xTaskNotifyIndexed(workers[next(core)], index, i, eSetValueWithoutOverwrite) == pdPASS);
            }
        }
    }
}

static void by_taking(BaseType_t core)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        CHECK(xTaskNotifyGive(workers[next(core)]) == pdPASS);
        CHECK(ulTaskNotifyTake(pdFALSE, portMAX_DELAY) != 0);
    }
}

static void by_group(BaseType_t core)
{
    const EventBits_t all = (1u << CORES) - 1;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        busy(37 * (uint32_t)core);
        CHECK((xEventGroupSync(group, 1u << core, all, portMAX_DELAY) & all) == all);
        CHECK((xEventGroupSetBits(group, 0x100u << core) & (0x100u << core)) != 0);
        CHECK((xEventGroupWaitBits(group, all << 8, pdFALSE, pdTRUE, portMAX_DELAY) & (all << 8)) == all << 8);
        CHECK((xEventGroupSync(group, 0x10u << core, all << 4, portMAX_DELAY) & (all << 4)) == all << 4);
        (void)xEventGroupClearBits(group, 0x100u << core);
    }
}

static void by_stream(BaseType_t core)
{
    uint8_t sent = 0, expected = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint8_t bytes[BYTES];
        for (uint32_t j = 0; j < BYTES; j++) {
            bytes[j] = sent++;
        }
        CHECK(xStreamBufferSend(streams[next(core)], bytes, BYTES, portMAX_DELAY) == BYTES);
        for (uint32_t got = 0; got < BYTES;) {
            const size_t count = xStreamBufferReceive(streams[core], bytes, BYTES - got, portMAX_DELAY);
            for (size_t j = 0; j < count; j++) {
                CHECK(bytes[j] == expected++);
            }
            got += count;
        }
    }
}

static void by_mutex(BaseType_t core)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        CHECK(xSemaphoreTake(mutex, portMAX_DELAY) == pdTRUE);
        CHECK(held++ == 0);
        busy(50);
        if (i % 4 == (uint32_t)core) {
            vTaskDelay(1);
        }
        CHECK(--held == 0);
        CHECK(xSemaphoreGive(mutex) == pdTRUE);
    }
}

void handovers(void)
{
    for (uint32_t i = 0; i < CORES; i++) {
        queues[i] = xQueueCreate(1, sizeof(uint32_t));
        semaphores[i] = xSemaphoreCreateBinary();
        streams[i] = xStreamBufferCreate(2 * BYTES, 5);
    }
    group = xEventGroupCreate();
    mutex = xSemaphoreCreateMutex();
    everywhere(by_queue);
    everywhere(by_semaphore);
    CHECK(rounds == ROUNDS * CORES);
    everywhere(by_notification);
    everywhere(by_taking);
    everywhere(by_group);
    CHECK(xEventGroupGetBits(group) == 0);
    everywhere(by_stream);
    everywhere(by_mutex);
    for (uint32_t i = 0; i < CORES; i++) {
        vQueueDelete(queues[i]);
        vSemaphoreDelete(semaphores[i]);
        vStreamBufferDelete(streams[i]);
    }
    vEventGroupDelete(group);
    vSemaphoreDelete(mutex);
}
