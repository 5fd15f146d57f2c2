/* SPDX-License-Identifier: Apache-2.0 */
/* criticals.c: critical sections: no handler runs in one, they nest, and a call that runs another task leaves the caller's section as it was. */
#include "parts.h"

#include <melanion/device.h>
#include <melanion/interrupt.h>

enum { LINE = 4 };

static volatile uint32_t served;
static SemaphoreHandle_t semaphore;

JOB(take, xSemaphoreTake(semaphore, portMAX_DELAY))
JOB(take_notification, ulTaskNotifyTake(pdTRUE, portMAX_DELAY))

static void serve(mel_id_t line, void *argument)
{
    (void)line;
    (void)argument;
    served++;
}

/* An interrupt comes and is not served. */
static void not_served(void)
{
    served = 0;
    mel_irqgen_pulse(LINE, 0);
    mel_busy(200);
    CHECK(0, served);
}

static void in_a_handler(void)
{
    UBaseType_t before;
    DONE(before = taskENTER_CRITICAL_FROM_ISR());
    DONE(taskEXIT_CRITICAL_FROM_ISR(before));
    DONE(before = portSET_INTERRUPT_MASK_FROM_ISR());
    DONE(portCLEAR_INTERRUPT_MASK_FROM_ISR(before));
}

void criticals(void)
{
    (void)mel_irq_attach(LINE, serve, NULL);
    (void)mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(LINE);
    DONE(taskENTER_CRITICAL());
    taskENTER_CRITICAL();
    not_served();
    DONE(taskEXIT_CRITICAL());
    mel_busy(200);
    CHECK(0, served);
    taskEXIT_CRITICAL();
    CHECK(1, served);
    DONE(taskDISABLE_INTERRUPTS());
    not_served();
    DONE(taskENABLE_INTERRUPTS());
    CHECK(1, served);
    DONE(portENTER_CRITICAL());
    not_served();
    DONE(portEXIT_CRITICAL());
    CHECK(1, served);
    in_handler(in_a_handler);
    semaphore = xSemaphoreCreateBinary();
    high(take);
    taskENTER_CRITICAL();
    CHECK(pdTRUE, xSemaphoreGive(semaphore));
    CHECK(pdTRUE, result);
    not_served();
    taskEXIT_CRITICAL();
    CHECK(1, served);
    high(take_notification);
    taskENTER_CRITICAL();
    CHECK(pdPASS, xTaskNotifyGive(high_task));
    CHECK(1, result);
    not_served();
    taskEXIT_CRITICAL();
    CHECK(1, served);
    vSemaphoreDelete(semaphore);
}
