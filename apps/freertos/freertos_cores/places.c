/* SPDX-License-Identifier: Apache-2.0 */
/* places.c: where tasks run. */
#include "cores.h"

enum { LOOKS = 20, WORDS = 192 };

static volatile uint32_t seen, ended;

/* Check its core LOOKS times, between delays and yields. */
static void look(void *parameters)
{
    const UBaseType_t mask = vTaskCoreAffinityGet(NULL);
    (void)parameters;
    for (uint32_t i = 0; i < LOOKS; i++) {
        const BaseType_t core = portGET_CORE_ID();
        CHECK((mask & (1u << core)) != 0);
        taskENTER_CRITICAL();
        seen |= 1u << core;
        taskEXIT_CRITICAL();
        busy(100);
        if (i % 4 == 0) {
            vTaskDelay(1);
        } else {
            taskYIELD();
        }
    }
    taskENTER_CRITICAL();
    ended++;
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

static void wait_for(uint32_t count)
{
    while (ended < count) {
        vTaskDelay(1);
    }
    ended = 0;
}

static void stay(BaseType_t core)
{
    for (uint32_t i = 0; i < LOOKS; i++) {
        CHECK(portGET_CORE_ID() == core);
        taskYIELD();
    }
}

void places(void)
{
    static StackType_t stack[WORDS] __attribute__((aligned(16)));
    static StaticTask_t memory;
    everywhere(stay);
    shown("vTaskCoreAffinitySet");
    for (BaseType_t core = 0; core < CORES; core++) { /* one on each core, all less urgent than the next */
        CHECK(xTaskCreateAffinitySet(look, "look", WORDS, NULL, 1, 1u << core, NULL) == pdPASS);
    }
    wait_for(CORES);
    CHECK(seen == (1u << CORES) - 1);
    seen = 0;
    CHECK(xTaskCreateStaticAffinitySet(look, "look", WORDS, NULL, 1, stack, &memory, 1u << (CORES - 1)) != NULL);
    wait_for(1);
    CHECK(seen == 1u << (CORES - 1));
    shown("xTaskCreateStaticAffinitySet");
    shown("portGET_CORE_ID");
    seen = 0;
    for (BaseType_t i = 0; i <= CORES; i++) { /* they go where there is a core */
        CHECK(xTaskCreate(look, "any", WORDS, NULL, 1, NULL) == pdPASS);
    }
    wait_for(CORES + 1);
    CHECK(seen == (1u << CORES) - 1);
#ifndef FREERTOS_ITSELF /* FreeRTOS itself has this call on one core alone */
    CHECK(xTaskGetIdleTaskHandleForCore(0) == xTaskGetIdleTaskHandle());
#endif
    for (BaseType_t core = 1; core < CORES; core++) {
        CHECK(xTaskGetIdleTaskHandleForCore(core) != NULL && xTaskGetIdleTaskHandleForCore(core) != xTaskGetIdleTaskHandleForCore(core - 1));
    }
    shown("xTaskGetIdleTaskHandleForCore");
}
