/* main.c: two tasks, a queue and an interrupt. Each edge of line 3 notifies the urgent task, which sends its number to
 * the other one. Exit code 0 when all came. What is of Melanion, and another thing on your board: line, console, end. */
#include <FreeRTOS.h>
#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>
#include <melanion/measure.h>
#include <queue.h>
#include <task.h>

enum { LINE = 3, URGENT = 5, USUAL = 2, SAMPLES = 5, LENGTH = 4, GAP = 5000 };

/* Region that `melanion compare` measures: from an edge of the line to MEL_REGION_SERVED. Neither costs a cycle. */
MEL_REGION_OF_LINE(0, "interrupt to task", 20, LINE);

static QueueHandle_t samples;

static void sampler(void *unused)
{
    uint32_t number = 0;
    (void)unused;
    for (;;) {
        const uint32_t edges = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(0, edges);
        number += edges;
        (void)xQueueSend(samples, &number, portMAX_DELAY);
    }
}

static void printer(void *unused)
{
    (void)unused;
    for (uint32_t number = 0; number < SAMPLES;) {
        mel_irqgen_pulse(LINE, GAP); /* the device: its line rises after so many cycles */
        if (xQueueReceive(samples, &number, portMAX_DELAY) == pdTRUE) {
            mel_print("sample ");
            mel_print_unsigned(number);
            mel_print("\n");
        }
    }
    mel_exit(0);
}

int main(void)
{
    TaskHandle_t task = NULL;
    samples = xQueueCreate(LENGTH, sizeof(uint32_t));
    configASSERT(samples != NULL);
    (void)xTaskCreate(sampler, "sampler", configMINIMAL_STACK_SIZE, NULL, URGENT, &task);
    (void)xTaskCreate(printer, "printer", configMINIMAL_STACK_SIZE, NULL, USUAL, NULL);
    /* An edge notifies the task; a kernel in hardware runs no code for it. */
    (void)mel_irq_map(LINE, MEL_IRQ_ACTION_NOTIFICATION_GIVE, freertos_task_number(task), 0, false);
    (void)mel_irq_enable(LINE);
    vTaskStartScheduler();
    return 1; /* too little memory */
}
