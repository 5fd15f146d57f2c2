/* SPDX-License-Identifier: Apache-2.0 */
/* boot.c: what the kernel `freertos` adds to FreeRTOS on several cores: boot, the length of a tick, memory of the idle tasks, which sleep. Its calls are those of one core
 * (freertos/include/melanion).
 * Contract: main() is a task of core 0 that nobody numbers, with the scheduler suspended until mel_kernel_start: no task runs before, on any core. */
#include <melanion/melanion.h>

#include "arch/riscv/frame.h"
#include "common/boot.h"
#include "freertos/smp/ticks.h"

_Static_assert(MEL_INTERRUPT_STACK_BYTES == 2048, "mel_freertos.h says the size of the interrupt stack, too");
_Static_assert((sizeof(mel_freertos_task_t) & (sizeof(mel_freertos_task_t) - 1)) == 0, "a task's number is its block's address, shifted");

mel_freertos_task_t mel_freertos_tasks[MEL_FREERTOS_TASKS];
BaseType_t mel_freertos_due;
volatile uint32_t mel_freertos_releases;

static uint8_t main_stack[MEL_BOOT_STACK_BYTES] __attribute__((aligned(MEL_STACK_ALIGNMENT)));
MEL_STACK_RECORD(main_stack, MEL_STACK_BOOT, MEL_BOOT_STACK_BYTES);

static void run_main(void *unused)
{
    (void)unused;
    vTaskSuspendAll();
    mel_exit((uint32_t)main());
}

void mel_kernel_boot(void)
{
    (void)xTaskCreateStaticAffinitySet(run_main, "main", sizeof main_stack / sizeof(StackType_t), NULL, configMAX_PRIORITIES - 1,
                                       (StackType_t *)(void *)main_stack, &mel_freertos_tasks[MEL_TASKS + 1].block, 1u << 0);
    vTaskStartScheduler(); /* does not return: everything that it makes is static */
}

/* As urgent as the most urgent task, so that core 0 runs none before main() is gone. */
_Noreturn void mel_freertos_start(void)
{
    (void)xTaskResumeAll();
    for (;;) {
        vTaskSuspend(NULL);
    }
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

/* ---- time --------------------------------------------------------------------------------------------------------- */

static bool stopped;

mel_status_t mel_tick_set(uint32_t cycles)
{
    if (cycles != 0 && cycles < MEL_TICK_CYCLES_MINIMUM) {
        return MEL_E_PAR;
    }
    const UBaseType_t before = mel_freertos_enter();
    if (cycles == 0) {
        mel_freertos_ticks_end();
    } else {
        mel_freertos_tick_cycles = cycles;
        if (stopped) {
            mel_freertos_ticks_begin(cycles);
        }
    }
    stopped = cycles == 0;
    mel_freertos_leave(before);
    return MEL_E_OK;
}

/* ---- the idle tasks ----------------------------------------------------------------------------------------------- */

enum { IDLE_STACK_BYTES = configMINIMAL_STACK_SIZE * sizeof(StackType_t) };
static uint8_t idle_stacks[MEL_CORES][IDLE_STACK_BYTES] __attribute__((aligned(MEL_STACK_ALIGNMENT)));
MEL_STACK_RECORD(idle_stacks, MEL_STACK_BOOT, MEL_CORES * configMINIMAL_STACK_SIZE * 4);

void vApplicationGetIdleTaskMemory(StaticTask_t **block, StackType_t **stack, configSTACK_DEPTH_TYPE *words)
{
    *block = &mel_freertos_tasks[MEL_TASKS].block;
    *stack = (StackType_t *)(void *)idle_stacks[0];
    *words = configMINIMAL_STACK_SIZE;
}

/* `number`: of the core, less 1. */
void vApplicationGetPassiveIdleTaskMemory(StaticTask_t **block, StackType_t **stack, configSTACK_DEPTH_TYPE *words, BaseType_t number)
{
    static StaticTask_t blocks[MEL_CORES - 1];
    *block = &blocks[number];
    *stack = (StackType_t *)(void *)idle_stacks[1 + number];
    *words = configMINIMAL_STACK_SIZE;
}

/* An interrupt wakes the core, and takes it away when there is a task for it. */
void vApplicationIdleHook(void)
{
    __asm__ volatile("wfi");
}

void vApplicationPassiveIdleHook(void)
{
    __asm__ volatile("wfi");
}
