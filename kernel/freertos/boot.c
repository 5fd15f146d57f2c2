/* SPDX-License-Identifier: Apache-2.0 */
/* boot.c: what the kernel `freertos` adds to FreeRTOS itself: boot, the length of a tick, the idle task's memory. Its calls are
 * inline (freertos/include/melanion); decision 0025 says how they are mapped.
 * Contract: main() is a task that nobody numbers, with the scheduler suspended until mel_kernel_start. So interrupts are on, and calls that let others run are
 * kept until then, which FreeRTOS's are not before its scheduler starts. */
#include <melanion/melanion.h>

#include "arch/riscv/frame.h"
#include "common/boot.h"

_Static_assert(MEL_INTERRUPT_STACK_BYTES == 2048, "mel_freertos.h says the size of the interrupt stack, too");
_Static_assert(sizeof(mel_freertos_task_t) == 128, "a task's number is its block's address, shifted");
_Static_assert(MEL_CORES == 1, "FreeRTOS is configured for one core");

/* The port's first switch loads sp with a block's address before it loads what stands there, so the simulation, which watches sp, is told that it may. */
mel_freertos_task_t mel_freertos_tasks[MEL_FREERTOS_TASKS];
MEL_STACK_RECORD(mel_freertos_tasks, MEL_STACK_BOOT, MEL_FREERTOS_TASKS * 128);
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
    (void)xTaskCreateStatic(run_main, "main", sizeof main_stack / sizeof(StackType_t), NULL, configMAX_PRIORITIES - 1,
                            (StackType_t *)(void *)main_stack, &mel_freertos_tasks[MEL_TASKS + 1].block);
    vTaskStartScheduler(); /* does not return: everything that it makes is static */
}

/* As urgent as the most urgent task, so that none runs before main() is gone. */
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

#define TIMER(offset) (*(volatile uint32_t *)(MEL_TIMER_BASE + (offset)))
#define TIME_LOW TIMER(0x0u)
#define TIME_HIGH TIMER(0x4u)
#define COMPARE_LOW TIMER(0x8u)
#define COMPARE_HIGH TIMER(0xCu)

/* The port's: the time of the tick after the next; and the cycles of a tick, which its handler loads at each tick. It calls them constant. */
extern uint64_t ullNextTime;
extern volatile size_t mel_freertos_increments __asm__("uxTimerIncrementsForOneTick");

#define STOPPED UINT32_MAX /* cycles of a tick that does not come */

static uint64_t compare(void)
{
    return (uint64_t)COMPARE_HIGH << 32 | COMPARE_LOW;
}

/* The next tick is at `time`. Never early in between. */
static void set_compare(uint64_t time)
{
    COMPARE_LOW = UINT32_MAX;
    COMPARE_HIGH = (uint32_t)(time >> 32);
    COMPARE_LOW = (uint32_t)time;
}

static void begin_ticks(uint32_t cycles)
{
    uint32_t high;
    uint32_t low;
    do {
        high = TIME_HIGH;
        low = TIME_LOW;
    } while (high != TIME_HIGH);
    set_compare(((uint64_t)high << 32 | low) + cycles);
}

mel_status_t mel_tick_set(uint32_t cycles)
{
    if (cycles != 0 && cycles < MEL_TICK_CYCLES_MINIMUM) {
        return MEL_E_PAR;
    }
    uint32_t mstatus;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(mstatus) : : "memory");
    const bool stopped = mel_freertos_increments == STOPPED;
    mel_freertos_increments = cycles != 0 ? cycles : STOPPED;
    if (cycles == 0) {
        set_compare(UINT64_MAX);
    } else if (stopped) {
        begin_ticks(cycles);
    }
    ullNextTime = compare() + cycles;
    __asm__ volatile("csrs mstatus, %0" : : "r"(mstatus & MSTATUS_MIE) : "memory");
    return MEL_E_OK;
}

/* ---- the idle task ------------------------------------------------------------------------------------------------ */

enum { IDLE_STACK_BYTES = configMINIMAL_STACK_SIZE * sizeof(StackType_t) };
static uint8_t idle_stack[IDLE_STACK_BYTES] __attribute__((aligned(MEL_STACK_ALIGNMENT)));
MEL_STACK_RECORD(idle_stack, MEL_STACK_BOOT, configMINIMAL_STACK_SIZE * 4);

void vApplicationGetIdleTaskMemory(StaticTask_t **block, StackType_t **stack, configSTACK_DEPTH_TYPE *words)
{
    *block = &mel_freertos_tasks[MEL_TASKS].block;
    *stack = (StackType_t *)(void *)idle_stack;
    *words = configMINIMAL_STACK_SIZE;
}
