/* SPDX-License-Identifier: Apache-2.0 */
/* port.c: what FreeRTOS asks of a port for several cores beyond portmacro.h: first contexts, start, the tick (core 0 alone has one), and who asks for a lock that is not free. */
#include <FreeRTOS.h>
#include <task.h>

#include "arch/riscv/frame.h"
#include "common/boot.h"
#include "common/cores/cores.h"
#include "freertos/smp/ticks.h"

_Static_assert(configNUMBER_OF_CORES == MEL_CORES, "FreeRTOS has other cores than the system");

#ifdef configTASK_RETURN_ADDRESS
#define RETURN_ADDRESS (uintptr_t)configTASK_RETURN_ADDRESS
#else
#define RETURN_ADDRESS 0u
#endif

/* Words of a call frame (arch/riscv/frame.h, port.S). */
enum { FRAME_RA = 0, FRAME_S0 = 1, FRAME_S1 = 2, FRAME_S2 = 3, FRAME_MIE = 13, FRAME_WORDS = CALL_FRAME_BYTES / 4 };

void mel_freertos_begin(void);
_Noreturn void mel_freertos_resume(void);

StackType_t *pxPortInitialiseStack(StackType_t *top, TaskFunction_t function, void *argument)
{
    StackType_t *frame = top - FRAME_WORDS;
    frame[FRAME_RA] = (uintptr_t)mel_freertos_begin;
    frame[FRAME_S0] = (uintptr_t)function;
    frame[FRAME_S1] = (uintptr_t)argument;
    frame[FRAME_S2] = RETURN_ADDRESS;
    frame[FRAME_MIE] = MSTATUS_MIE;
    return frame;
}

/* Called with interrupts off, on core 0, when every core has its idle task. */
BaseType_t xPortStartScheduler(void)
{
    mel_freertos_ticks_begin(mel_freertos_tick_cycles);
    __asm__ volatile("csrw mie, %0" : : "r"(0x888) : "memory");
    mel_core_start_others();
    mel_freertos_resume();
}

void vPortEndScheduler(void)
{
    mel_boot_refuse("freertos: vTaskEndScheduler was called; a scheduler of several cores does not end: remove the call");
}

void mel_freertos_wait_for_isr_lock(void)
{
    if (mel_freertos_self->nesting != 0) { /* it is this core's own */
        mel_boot_refuse("freertos: in a critical section a task yielded, waited, suspended the scheduler or asked for memory; leave the"
                        " section before such a call");
    }
    uint32_t taken;
    while ((taken = MEL_FREERTOS_ISR_LOCK) != 0) {
        __asm__ volatile("div %0, %0, sp" : "+r"(taken));
    }
}

/* ---- the tick ------------------------------------------------------------------------------------------------------- */

uint32_t mel_freertos_tick_cycles = configCPU_CLOCK_HZ / configTICK_RATE_HZ;
static uint64_t next; /* time of the tick that comes */

/* Never early in between. */
static void set_compare(uint64_t time)
{
    COMPARE_LOW = UINT32_MAX;
    COMPARE_HIGH = (uint32_t)(time >> 32);
    COMPARE_LOW = (uint32_t)time;
}

void mel_freertos_ticks_begin(uint32_t cycles)
{
    uint32_t high;
    uint32_t low;
    do {
        high = TIME_HIGH;
        low = TIME_LOW;
    } while (high != TIME_HIGH);
    next = ((uint64_t)high << 32 | low) + cycles;
    set_compare(next);
}

void mel_freertos_ticks_end(void)
{
    set_compare(UINT64_MAX);
}

static bool pending(void)
{
    uint32_t mip;
    __asm__ volatile("csrr %0, mip" : "=r"(mip));
    return (mip & 0x80) != 0;
}

/* The timer's interrupt (port.S). */
void mel_freertos_tick(void);
void mel_freertos_tick(void)
{
    BaseType_t due = pdFALSE;
    const UBaseType_t before = taskENTER_CRITICAL_FROM_ISR();
    if (pending()) { /* else another core has stopped ticks meanwhile */
        next += mel_freertos_tick_cycles;
        set_compare(next);
        due = xTaskIncrementTick();
    }
    taskEXIT_CRITICAL_FROM_ISR(before);
    portYIELD_FROM_ISR(due);
}
