/* SPDX-License-Identifier: Apache-2.0 */
/* boot.c: what a program for FreeRTOS needs of the machine when it runs on FreeRTOS itself, where the layer (..) is left out: main() is called with interrupts off, as FreeRTOS
 * expects; memory of static tasks that the program does not give; numbers of tasks. Vectors, exceptions and interrupts: freertos/exception.S, kernel/freertos/interrupt.c.
 * Any memory may be a stack, for the simulation: stacks are on the heap or variables of the program. */
#include "numbers.h"

#include <melanion/kernel.h>
#include <melanion/tracepoint.h>
#include <melanion/time.h>

#include "common/boot.h"

#define STACKS_ANYWHERE 0xFFFC
#define ALL_MEMORY 0x1000000 /* 16 MiB: more than there is */
extern uint8_t __bss_start[];
MEL_STACK_RECORD(__bss_start, STACKS_ANYWHERE, ALL_MEMORY);

void mel_kernel_boot(void)
{
    mel_exit((uint32_t)main());
}

/* Boot code calls it behind mel_kernel_boot, which here does not return. */
mel_status_t mel_tick_set(uint32_t cycles)
{
    (void)cycles;
    return MEL_E_RSFN;
}

MEL_LINKED_LAST const char *mel_kernel_bus_error(uint32_t address)
{
    (void)address;
    return NULL;
}

MEL_LINKED_LAST const char *mel_kernel_hardware_error(void)
{
    return NULL;
}

/* ---- numbers of tasks ----------------------------------------------------------------------------------------------- */

#if MEL_CORES == 1
extern void *volatile pxCurrentTCB; /* FreeRTOS's; NULL before the first task is made */
#define CURRENT ((TaskHandle_t)pxCurrentTCB)
#else
#define CURRENT xTaskGetCurrentTaskHandle() /* NULL before the scheduler starts */
#endif

TaskHandle_t freertos_numbered[MEL_TASKS];

uint32_t freertos_task_number(TaskHandle_t task)
{
    const TaskHandle_t wanted = task != NULL ? task : CURRENT;
    uint32_t number = 0;
    while (number < MEL_TASKS && freertos_numbered[number] != NULL && freertos_numbered[number] != wanted) {
        number++;
    }
    if (number < MEL_TASKS) {
        freertos_numbered[number] = wanted;
    }
    return number;
}

mel_id_t mel_task_self(void)
{
    return CURRENT != NULL ? freertos_task_number(NULL) : MEL_TASKS;
}

const char *mel_task_name(mel_id_t task)
{
    return pcTaskGetName(freertos_numbered[task]);
}

/* ---- memory of FreeRTOS's own tasks, unless the program gives it ------------------------------------------------------- */

#if configSUPPORT_STATIC_ALLOCATION && !configKERNEL_PROVIDED_STATIC_MEMORY

__attribute__((weak)) void vApplicationGetIdleTaskMemory(StaticTask_t **block, StackType_t **stack, configSTACK_DEPTH_TYPE *words)
{
    static StaticTask_t idle;
    static StackType_t idle_stack[configMINIMAL_STACK_SIZE];
    *block = &idle;
    *stack = idle_stack;
    *words = configMINIMAL_STACK_SIZE;
}

#if MEL_CORES > 1
__attribute__((weak)) void vApplicationGetPassiveIdleTaskMemory(StaticTask_t **block, StackType_t **stack, configSTACK_DEPTH_TYPE *words, BaseType_t number)
{
    static StaticTask_t idle[MEL_CORES - 1];
    static StackType_t idle_stacks[MEL_CORES - 1][configMINIMAL_STACK_SIZE];
    *block = &idle[number];
    *stack = idle_stacks[number];
    *words = configMINIMAL_STACK_SIZE;
}
#endif

#if configUSE_TIMERS
__attribute__((weak)) void vApplicationGetTimerTaskMemory(StaticTask_t **block, StackType_t **stack, configSTACK_DEPTH_TYPE *words)
{
    static StaticTask_t timer;
    static StackType_t timer_stack[configTIMER_TASK_STACK_DEPTH];
    *block = &timer;
    *stack = timer_stack;
    *words = configTIMER_TASK_STACK_DEPTH;
}
#endif

#endif
