/* SPDX-License-Identifier: Apache-2.0 */
/* gallery.h: what the programs of the page share. A variable that the page may change is volatile, and has its value before main() begins. */
#ifndef GALLERY_H
#define GALLERY_H

#include <FreeRTOS.h>
#include <event_groups.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/measure.h>
#include <semphr.h>
#include <task.h>

enum { STACK = 160 }; /* words */

/* Length of a tick in clock cycles, at most 429 496. */
volatile uint32_t tick_cycles = 10000;

#ifdef FREERTOS_ORIGINAL_CONFIG_H
/* FreeRTOS's port has this function weak, so that a program can start the ticks of its own timer. The port's handler adds to `ullNextTime` what it loads from a constant, which
 * stands in memory that can be written. */
extern const size_t uxTimerIncrementsForOneTick;
extern uint64_t ullNextTime;
extern volatile uint64_t *pullMachineTimerCompareRegister;

void vPortSetupTimerInterrupt(void)
{
    const volatile uint32_t *time = (const volatile uint32_t *)configMTIME_BASE_ADDRESS;
    uint32_t high;
    uint32_t low;
    do {
        high = time[1];
        low = time[0];
    } while (high != time[1]);
    *(volatile size_t *)(uintptr_t)&uxTimerIncrementsForOneTick = tick_cycles;
    pullMachineTimerCompareRegister = (volatile uint64_t *)configMTIMECMP_BASE_ADDRESS;
    ullNextTime = ((uint64_t)high << 32 | low) + tick_cycles;
    *pullMachineTimerCompareRegister = ullNextTime;
    ullNextTime += tick_cycles;
}
#endif

/* Tracepoints that tell the page which task has which name: its number, where its name stands, its handle. */
#define TASK_NUMBER 0x1F0
#define TASK_NAME 0x1F1
#define TASK_HANDLE 0x1F2

/* An interrupt line notifies a task: on kernels with the unit no code runs for it. */
static inline void notify_on(TaskHandle_t task, uint32_t line)
{
    (void)mel_irq_map(line, MEL_IRQ_ACTION_NOTIFICATION_GIVE, freertos_task_number(task), 0, false);
    (void)mel_irq_enable(line);
}

/* One copy of it: the name is in a register, where the tracepoint finds it. */
__attribute__((noipa)) static TaskHandle_t make(TaskFunction_t code, const char *name, uintptr_t argument, UBaseType_t priority)
{
    TaskHandle_t made = NULL;
    (void)xTaskCreate(code, name, STACK, (void *)argument, priority, &made);
    configASSERT(made != NULL);
    const uint32_t number = freertos_task_number(made);
    MEL_TRACEPOINT(TASK_NUMBER, number);
    MEL_TRACEPOINT(TASK_NAME, (uintptr_t)name);
    MEL_TRACEPOINT(TASK_HANDLE, (uintptr_t)made);
    return made;
}

/* Work: the processor counts and touches nothing else, the same on every kernel. */
static inline void work(uint32_t turns)
{
    while (turns-- != 0) {
        __asm__ volatile("");
    }
}

#endif
