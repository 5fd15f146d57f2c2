/* SPDX-License-Identifier: Apache-2.0 */
/* portmacro.h: FreeRTOS's port layer for several cores of this SoC (docs/decisions/0046): types, locks, critical sections, calls between cores. It stands for the header of
 * FreeRTOS's own RISC-V port, which serves one core, and is written from FreeRTOS's description of what a port for several cores provides.
 *
 * Locks are registers of the test-and-set device, since Ibex has no atomic instruction: 0 for tasks, 1 for handlers; a load takes one, a store frees it, and cores that wait get it
 * in turn. The lock for tasks is recursive, by a count for each core. The lock for handlers needs no count: FreeRTOS takes it at depth 0 of a critical section alone; who asks for it
 * inside one has broken FreeRTOS's rules, and the run ends with a sentence (port.c).
 * A core that finds a lock taken pauses with a division (37 cycles) between two looks, which keeps it away from the memory that the holder fetches from.
 * Timing (instructions): a free lock for handlers takes 3, its release 2; those of the lock for tasks 6 and 6. */
#ifndef PORTMACRO_H
#define PORTMACRO_H

#include <stdint.h>

#include <mel_system.h>

#include "mel_freertos_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types ---------------------------------------------------------------------------------------------------------- */

#define portSTACK_TYPE uint32_t
#define portBASE_TYPE int32_t
#define portUBASE_TYPE uint32_t
#define portPOINTER_SIZE_TYPE uint32_t

typedef portSTACK_TYPE StackType_t;
typedef portBASE_TYPE BaseType_t;
typedef portUBASE_TYPE UBaseType_t;
typedef portUBASE_TYPE TickType_t;

#define portMAX_DELAY ((TickType_t)0xFFFFFFFFu)
#define portTICK_TYPE_IS_ATOMIC 1
#define portTICK_PERIOD_MS ((TickType_t)1000 / configTICK_RATE_HZ)
#define portSTACK_GROWTH (-1)
#define portBYTE_ALIGNMENT 16
#define portTASK_FUNCTION_PROTO(function, parameters) void function(void *parameters)
#define portTASK_FUNCTION(function, parameters) void function(void *parameters)
#define portINLINE __inline
#define portFORCE_INLINE inline __attribute__((always_inline))
#define portNOP() __asm__ volatile("nop")
#define portMEMORY_BARRIER() __asm__ volatile("" : : : "memory")

/* ---- interrupts of the core that executes --------------------------------------------------------------------------- */

#define portDISABLE_INTERRUPTS() __asm__ volatile("csrci mstatus, 8" : : : "memory")
#define portENABLE_INTERRUPTS() __asm__ volatile("csrsi mstatus, 8" : : : "memory")

static inline UBaseType_t mel_freertos_mask(void)
{
    UBaseType_t before;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before) : : "memory");
    return before & 8;
}

static inline void mel_freertos_unmask(UBaseType_t before)
{
    __asm__ volatile("csrs mstatus, %0" : : "r"(before) : "memory");
}

#define portSET_INTERRUPT_MASK() mel_freertos_mask()
#define portCLEAR_INTERRUPT_MASK(before) mel_freertos_unmask(before)
#define portSET_INTERRUPT_MASK_FROM_ISR() mel_freertos_mask()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(before) mel_freertos_unmask(before)

/* ---- cores ---------------------------------------------------------------------------------------------------------- */

/* Volatile: a task may be on another core each time. */
static inline BaseType_t mel_freertos_core_id(void)
{
    BaseType_t number;
    __asm__ volatile("csrr %0, mhartid" : "=r"(number));
    return number;
}

#define portGET_CORE_ID() mel_freertos_core_id()
#define portYIELD_CORE(core) (*(volatile uint32_t *)(MEL_LOCKS_BASE + 0x100u + 4u * (uint32_t)(core)) = 1)

/* Save what a call keeps, choose a task, and go on with it (port.S). */
void mel_freertos_yield(void);
#define portYIELD() mel_freertos_yield()

/* The switch happens when the handler returns. */
#define portEND_SWITCHING_ISR(due)                                                                                \
    do {                                                                                                          \
        if ((due) != 0) {                                                                                         \
            traceISR_EXIT_TO_SCHEDULER();                                                                         \
            __asm__ volatile("sw %0, %1(tp)" : : "r"(1), "i"(CORE_BLOCK_DUE) : "memory");                         \
        } else {                                                                                                  \
            traceISR_EXIT();                                                                                      \
        }                                                                                                         \
    } while (0)
#define portYIELD_FROM_ISR(due) portEND_SWITCHING_ISR(due)

/* ---- locks ---------------------------------------------------------------------------------------------------------- */

#define MEL_FREERTOS_TASK_LOCK (*(volatile uint32_t *)MEL_LOCKS_BASE)
#define MEL_FREERTOS_ISR_LOCK (*(volatile uint32_t *)(MEL_LOCKS_BASE + 4u))

/* The lock for handlers was taken: try again until it is this core's. */
void mel_freertos_wait_for_isr_lock(void);

#ifndef __cplusplus

/* Only with interrupts off, for its task could be moved. */
register mel_freertos_core_t *mel_freertos_self __asm__("tp");

static inline void mel_freertos_get_task_lock(void)
{
    const uint32_t depth = mel_freertos_self->depth;
    mel_freertos_self->depth = depth + 1;
    if (depth == 0) {
        uint32_t taken;
        while (__builtin_expect((taken = MEL_FREERTOS_TASK_LOCK) != 0, 0)) {
            __asm__ volatile("div %0, %0, sp" : "+r"(taken));
        }
    }
    portMEMORY_BARRIER();
}

static inline void mel_freertos_release_task_lock(void)
{
    portMEMORY_BARRIER();
    const uint32_t depth = mel_freertos_self->depth - 1;
    mel_freertos_self->depth = depth;
    if (depth == 0) {
        MEL_FREERTOS_TASK_LOCK = 0;
    }
}

static inline void mel_freertos_get_isr_lock(void)
{
    if (__builtin_expect(MEL_FREERTOS_ISR_LOCK != 0, 0)) {
        mel_freertos_wait_for_isr_lock();
    }
    portMEMORY_BARRIER();
}

static inline void mel_freertos_release_isr_lock(void)
{
    portMEMORY_BARRIER();
    MEL_FREERTOS_ISR_LOCK = 0;
}

#define portGET_TASK_LOCK(core) ((void)(core), mel_freertos_get_task_lock())
#define portRELEASE_TASK_LOCK(core) ((void)(core), mel_freertos_release_task_lock())
#define portGET_ISR_LOCK(core) ((void)(core), mel_freertos_get_isr_lock())
#define portRELEASE_ISR_LOCK(core) ((void)(core), mel_freertos_release_isr_lock())

/* A count of the core, not of the task: inside a critical section no task leaves its core. */
#define portCRITICAL_NESTING_IN_TCB 0
#define portGET_CRITICAL_NESTING_COUNT(core) ((void)(core), mel_freertos_self->nesting)
#define portSET_CRITICAL_NESTING_COUNT(core, count) ((void)(core), mel_freertos_self->nesting = (count))
#define portINCREMENT_CRITICAL_NESTING_COUNT(core) ((void)(core), mel_freertos_self->nesting++)
#define portDECREMENT_CRITICAL_NESTING_COUNT(core) ((void)(core), mel_freertos_self->nesting--)

#else /* FreeRTOS asks for the names; only tasks.c, which is C, uses them */

#define portGET_TASK_LOCK(core) ((void)(core))
#define portRELEASE_TASK_LOCK(core) ((void)(core))
#define portGET_ISR_LOCK(core) ((void)(core))
#define portRELEASE_ISR_LOCK(core) ((void)(core))

#endif

/* ---- critical sections (FreeRTOS's tasks.c) --------------------------------------------------------------------------- */

void vTaskEnterCritical(void);
void vTaskExitCritical(void);
UBaseType_t vTaskEnterCriticalFromISR(void);
void vTaskExitCriticalFromISR(UBaseType_t before);
#define portENTER_CRITICAL() vTaskEnterCritical()
#define portEXIT_CRITICAL() vTaskExitCritical()
#define portENTER_CRITICAL_FROM_ISR() vTaskEnterCriticalFromISR()
#define portEXIT_CRITICAL_FROM_ISR(before) vTaskExitCriticalFromISR(before)

/* A section for a few stores, of a task or a handler, in which no call is made: interrupts off, then the lock for handlers. */
static inline UBaseType_t mel_freertos_enter(void)
{
    const UBaseType_t before = mel_freertos_mask();
    (void)vTaskEnterCriticalFromISR();
    return before;
}

static inline void mel_freertos_leave(UBaseType_t before)
{
    vTaskExitCriticalFromISR(0);
    mel_freertos_unmask(before);
}

#ifdef __cplusplus
}
#endif

#endif
