/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the control task, the workers, the hooks. */
#include "cores.h"

enum { ASKED = 2 }; /* index of the notification that asks a worker */

TaskHandle_t workers[CORES];
static SemaphoreHandle_t done;
static job_t *volatile current;
static volatile uint32_t idles, passives;

/* Idle tasks give their turn away again and again, which is a critical section of a software kernel each time: there is a pause for the others. */
enum { PAUSE = 500 };

void vApplicationIdleHook(void)
{
    idles++;
    busy(PAUSE);
}

void vApplicationPassiveIdleHook(void)
{
    passives++;
    busy(PAUSE);
}

static void worker(void *parameters)
{
    const BaseType_t core = (BaseType_t)(intptr_t)parameters;
    for (;;) {
        (void)ulTaskNotifyTakeIndexed(ASKED, pdTRUE, portMAX_DELAY);
        CHECK(portGET_CORE_ID() == core);
        current(core);
        (void)xSemaphoreGive(done);
    }
}

void everywhere(job_t *job)
{
    current = job;
    for (BaseType_t i = 0; i < CORES; i++) {
        CHECK(xTaskNotifyGiveIndexed(workers[i], ASKED) == pdPASS);
    }
    for (BaseType_t i = 0; i < CORES; i++) {
        CHECK(xSemaphoreTake(done, portMAX_DELAY) == pdTRUE);
    }
}

BaseType_t free_again(size_t bytes)
{
    for (uint32_t i = 0; i < 100 && xPortGetFreeHeapSize() != bytes; i++) {
        vTaskDelay(1);
    }
    return xPortGetFreeHeapSize() == bytes;
}

static void control(void *parameters)
{
    (void)parameters;
    places();
    sections();
    handovers();
    objects();
    others();
    vTaskDelay(2);
    CHECK(idles > 0 && passives > 0);
    shown("vApplicationPassiveIdleHook");
    finish();
}

int main(void)
{
    done = xSemaphoreCreateCounting(CORES, 0);
    for (BaseType_t i = 0; i < CORES; i++) { /* the last one is sent to its core afterwards */
        const UBaseType_t mask = i < CORES - 1 ? 1u << i : tskNO_AFFINITY;
        CHECK(xTaskCreateAffinitySet(worker, "worker", 384, (void *)(intptr_t)i, WORKER, mask, &workers[i]) == pdPASS);
        CHECK(vTaskCoreAffinityGet(workers[i]) == mask);
    }
    shown("xTaskCreateAffinitySet");
    shown("vTaskCoreAffinityGet");
    vTaskCoreAffinitySet(workers[CORES - 1], 1u << (CORES - 1));
    CHECK(vTaskCoreAffinityGet(workers[CORES - 1]) == 1u << (CORES - 1));
    CHECK(xTaskCreate(control, "control", 384, NULL, CONTROL, NULL) == pdPASS);
    vTaskStartScheduler();
    return 1;
}
