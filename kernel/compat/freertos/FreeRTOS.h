/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS.h: what all of the FreeRTOS interface (V11) shares over Melanion: the program's FreeRTOSConfig.h and what holds where it says nothing,
 * types, constants, memory, critical sections, what a program passes for static objects. Calls: task.h, queue.h, semphr.h, event_groups.h, timers.h,
 * stream_buffer.h, message_buffer.h. Names, and which part of the system does what they say: docs/reference/freertos.md. */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

#include <FreeRTOSConfig.h> /* the program's, not the one beside this file */

#include "defaults.h"
#include "unread_defaults.h"
#include "error_numbers.h"

#if configNUMBER_OF_CORES > 1 && !configRUN_MULTIPLE_PRIORITIES
#error "FreeRTOSConfig.h: configRUN_MULTIPLE_PRIORITIES is 0, as it is where it is left out, allowed is 1 with several cores: the kernel runs tasks of several priorities at a time; set it to 1"
#endif

#ifdef configASSERT
#define configASSERT_DEFINED 1
#else
#define configASSERT(x)
#define configASSERT_DEFINED 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types and constants ---------------------------------------------------------------------------------------------- */

typedef int32_t BaseType_t;
typedef uint32_t UBaseType_t;
typedef uint32_t TickType_t;
typedef uint32_t StackType_t;
typedef void (*TaskFunction_t)(void *);

#define portBASE_TYPE int32_t
#define portSTACK_TYPE uint32_t
#define portPOINTER_SIZE_TYPE uintptr_t
#define portMAX_DELAY ((TickType_t)0xFFFFFFFFu)
#define portTICK_TYPE_IS_ATOMIC 1
#define portSTACK_GROWTH (-1)
#define portBYTE_ALIGNMENT 16
#define portBYTE_ALIGNMENT_MASK 0x000Fu
#define portTICK_PERIOD_MS ((TickType_t)1000 / configTICK_RATE_HZ)
#define portTICK_RATE_MS portTICK_PERIOD_MS
#define portTASK_FUNCTION_PROTO(function, parameters) void function(void *parameters)
#define portTASK_FUNCTION(function, parameters) void function(void *parameters)
#define portINLINE __inline
#define portFORCE_INLINE inline __attribute__((always_inline))
#define portNORETURN __attribute__((noreturn))
#define portNOP() __asm__ volatile("nop")
#define portMEMORY_BARRIER() __asm__ volatile("" ::: "memory")
#define portDONT_DISCARD __attribute__((used))

#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define pdPASS pdTRUE
#define pdFAIL pdFALSE
#define errQUEUE_EMPTY ((BaseType_t)0)
#define errQUEUE_FULL ((BaseType_t)0)
#define errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY (-1)
#define errQUEUE_BLOCKED (-4)
#define errQUEUE_YIELD (-5)

/* Hooks of ports and coverage tools in FreeRTOS' own code: without effect. */
#ifndef mtCOVERAGE_TEST_MARKER
#define mtCOVERAGE_TEST_MARKER()
#endif
#ifndef portALLOCATE_SECURE_CONTEXT
#define portALLOCATE_SECURE_CONTEXT(ulSecureStackSize)
#endif
#ifndef portTASK_USES_FLOATING_POINT
#define portTASK_USES_FLOATING_POINT()
#endif

/* Milliseconds to ticks, and back; both round down. */
#ifndef pdMS_TO_TICKS
#define pdMS_TO_TICKS(milliseconds) ((TickType_t)(((uint64_t)(milliseconds) * (uint64_t)configTICK_RATE_HZ) / 1000u))
#endif
#ifndef pdTICKS_TO_MS
#define pdTICKS_TO_MS(ticks) ((TickType_t)(((uint64_t)(ticks) * 1000u) / (uint64_t)configTICK_RATE_HZ))
#endif

/* ---- interrupts ------------------------------------------------------------------------------------------------------- */

#define portDISABLE_INTERRUPTS() __asm__ volatile("csrci mstatus, 8" ::: "memory")
#define portENABLE_INTERRUPTS() __asm__ volatile("csrsi mstatus, 8" ::: "memory")

#if configNUMBER_OF_CORES > 1 /* the other cores are kept out, too: cores.c */
void vPortEnterCritical(void);
void vPortExitCritical(void);
UBaseType_t freertos_enter_from_isr(void);
void freertos_exit_from_isr(UBaseType_t before);
#define portENTER_CRITICAL_FROM_ISR() freertos_enter_from_isr()
#define portEXIT_CRITICAL_FROM_ISR(before) freertos_exit_from_isr(before)

static inline BaseType_t freertos_core(void)
{
    BaseType_t core;
    __asm__ volatile("csrr %0, mhartid" : "=r"(core));
    return core;
}
#define portGET_CORE_ID() freertos_core()
#else
extern volatile UBaseType_t freertos_nesting; /* critical sections around the running task */

static inline void vPortEnterCritical(void)
{
    portDISABLE_INTERRUPTS();
    freertos_nesting++;
}

static inline void vPortExitCritical(void)
{
    if (--freertos_nesting == 0) {
        portENABLE_INTERRUPTS();
    }
}

#define portENTER_CRITICAL_FROM_ISR() freertos_mask()
#define portEXIT_CRITICAL_FROM_ISR(before) freertos_unmask(before)
#define portGET_CORE_ID() ((BaseType_t)0)
#endif

static inline UBaseType_t freertos_mask(void)
{
    UBaseType_t before;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before) : : "memory");
    return before & 8u;
}

static inline void freertos_unmask(UBaseType_t before)
{
    __asm__ volatile("csrs mstatus, %0" : : "r"(before) : "memory");
}

#define portENTER_CRITICAL() vPortEnterCritical()
#define portEXIT_CRITICAL() vPortExitCritical()
#define portSET_INTERRUPT_MASK_FROM_ISR() freertos_mask()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(before) freertos_unmask(before)

/* Ignore the handler's request: the kernel itself decides which task runs after a handler. */
#define portEND_SWITCHING_ISR(switch_required) ((void)(switch_required))
#define portYIELD_FROM_ISR(switch_required) portEND_SWITCHING_ISR(switch_required)
#define portYIELD() freertos_yield()
void freertos_yield(void);

/* ---- memory: first fit by address, neighbours that are free become one (heap_4.c) ------------------------------------- */

typedef struct {
    size_t xAvailableHeapSpaceInBytes;
    size_t xSizeOfLargestFreeBlockInBytes;
    size_t xSizeOfSmallestFreeBlockInBytes;
    size_t xNumberOfFreeBlocks;
    size_t xMinimumEverFreeBytesRemaining;
    size_t xNumberOfSuccessfulAllocations;
    size_t xNumberOfSuccessfulFrees;
} HeapStats_t;

void *pvPortMalloc(size_t xWantedSize);
void *pvPortCalloc(size_t xNum, size_t xSize);
void vPortFree(void *pv);
size_t xPortGetFreeHeapSize(void);
size_t xPortGetMinimumEverFreeHeapSize(void);
void xPortResetHeapMinimumEverFreeHeapSize(void);
void vPortGetHeapStats(HeapStats_t *pxHeapStats);

/* ---- memory of static objects: the layer knows what is in it ----------------------------------------------------------- */

#define FREERTOS_TASK_WORDS                                                                                            \
    (17 + (configMAX_TASK_NAME_LEN + 3) / 4 + 2 * (configTASK_NOTIFICATION_ARRAY_ENTRIES) +                              \
     (configNUM_THREAD_LOCAL_STORAGE_POINTERS) + (configNUMBER_OF_CORES > 1))
typedef struct {
    uint32_t words[FREERTOS_TASK_WORDS];
} StaticTask_t;
typedef struct {
    uint32_t words[16];
} StaticQueue_t;
typedef StaticQueue_t StaticSemaphore_t;
typedef struct {
    uint32_t words[6];
} StaticEventGroup_t;
typedef struct {
    uint32_t words[10];
} StaticTimer_t;
typedef struct {
    uint32_t words[14];
} StaticStreamBuffer_t;
typedef StaticStreamBuffer_t StaticMessageBuffer_t;

/* ---- hooks of the program ---------------------------------------------------------------------------------------------- */

void vApplicationIdleHook(void);
void vApplicationPassiveIdleHook(void);
void vApplicationTickHook(void);
void vApplicationMallocFailedHook(void);
void vApplicationDaemonTaskStartupHook(void);

#ifdef __cplusplus
}
#endif

#if configENABLE_BACKWARD_COMPATIBILITY
#include "old_names.h"
#endif

#endif
