/* main.c: two tasks and an interrupt. Line 3 notifies the urgent task; the other one is busy. */
#include <FreeRTOS.h>
#include <melanion/interrupt.h>
#include <melanion/measure.h>
#include <task.h>

enum { LINE = 3, URGENT = 5, USUAL = 2 };

/* The latency of the timeline: from an edge of the line to MEL_REGION_SERVED. */
MEL_REGION_OF_LINE(0, "interrupt to task", 0, LINE);

volatile unsigned busy_turns = 200; /* another value without a build: Variables, or --set busy_turns=500 */

static void turn(unsigned count)
{
    while (count-- != 0) {
        __asm__ volatile("");
    }
}

static void urgent(void *unused)
{
    (void)unused;
    for (;;) {
        const uint32_t edges = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(0, edges);
        turn(100);
    }
}

static void usual(void *unused)
{
    (void)unused;
    for (;;) {
        turn(busy_turns);
        vTaskDelay(1);
    }
}

int main(void)
{
    TaskHandle_t task = NULL;
    (void)xTaskCreate(urgent, "urgent", configMINIMAL_STACK_SIZE, NULL, URGENT, &task);
    (void)xTaskCreate(usual, "usual", configMINIMAL_STACK_SIZE, NULL, USUAL, NULL);
    /* An edge notifies the task; a kernel in hardware runs no code for it. */
    (void)mel_irq_map(LINE, MEL_IRQ_ACTION_NOTIFICATION_GIVE, freertos_task_number(task), 0, false);
    (void)mel_irq_enable(LINE);
    vTaskStartScheduler();
    return 1;
}
