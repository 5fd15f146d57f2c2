/* SPDX-License-Identifier: Apache-2.0 */
/* defaults.h: what holds where a program's FreeRTOSConfig.h says nothing, and what it cannot say here: for the layer, and for FreeRTOS itself (freertos/FreeRTOSConfig.h), whose
 * defaults these are, where it has one, but for the calls at the end. Settings that the layer does not read: unread_defaults.h. */
#ifndef FREERTOS_DEFAULTS_H
#define FREERTOS_DEFAULTS_H

#include <mel_system.h>

#ifndef configMAX_PRIORITIES
#error "FreeRTOSConfig.h: configMAX_PRIORITIES is missing, allowed is 1 to the priorities of the system; add it"
#endif
#ifndef configTICK_RATE_HZ
#error "FreeRTOSConfig.h: configTICK_RATE_HZ is missing, allowed is 1 to what the clock divided by the shortest tick gives; add it"
#endif
#ifndef configNUMBER_OF_CORES
#define configNUMBER_OF_CORES 1
#endif
#ifndef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE 128
#endif
#ifndef configUSE_PREEMPTION
#define configUSE_PREEMPTION 1
#endif
#ifndef configUSE_TIME_SLICING
#define configUSE_TIME_SLICING 1
#endif
#ifndef configMAX_TASK_NAME_LEN
#define configMAX_TASK_NAME_LEN 16
#endif
/* 1: the heap is that of the memory management unit (heap_unit.c), all of it. FreeRTOS itself does not read it. */
#ifndef configUSE_HEAP_UNIT
#define configUSE_HEAP_UNIT 0
#endif
#if configUSE_HEAP_UNIT && !defined(configTOTAL_HEAP_SIZE) && defined(MEL_DMMU_BLOCKS)
#define configTOTAL_HEAP_SIZE (MEL_DMMU_BLOCKS * MEL_DMMU_BLOCK_BYTES)
#endif
#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE 32768
#endif
#ifndef configAPPLICATION_ALLOCATED_HEAP
#define configAPPLICATION_ALLOCATED_HEAP 0
#endif
#ifndef configSUPPORT_DYNAMIC_ALLOCATION
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#endif
#ifndef configSUPPORT_STATIC_ALLOCATION
#define configSUPPORT_STATIC_ALLOCATION 0
#endif
#ifndef configUSE_TIMERS
#define configUSE_TIMERS 0
#endif
#ifndef configTIMER_TASK_PRIORITY
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#endif
#ifndef configTIMER_QUEUE_LENGTH
#define configTIMER_QUEUE_LENGTH 10
#endif
#ifndef configTIMER_TASK_STACK_DEPTH
#define configTIMER_TASK_STACK_DEPTH 256
#endif
/* As in FreeRTOS, a default of tasks for one core alone counts with configUSE_CORE_AFFINITY. */
#if defined(configUSE_CORE_AFFINITY) && configUSE_CORE_AFFINITY && configNUMBER_OF_CORES > 1
#ifndef configTASK_DEFAULT_CORE_AFFINITY
#define configTASK_DEFAULT_CORE_AFFINITY tskNO_AFFINITY
#endif
#define FREERTOS_DEFAULT_AFFINITY configTASK_DEFAULT_CORE_AFFINITY
#else
#define FREERTOS_DEFAULT_AFFINITY tskNO_AFFINITY
#endif
#ifndef configTIMER_SERVICE_TASK_CORE_AFFINITY
#define configTIMER_SERVICE_TASK_CORE_AFFINITY tskNO_AFFINITY
#endif
#ifndef configTASK_NOTIFICATION_ARRAY_ENTRIES
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 1
#endif
#ifndef configNUM_THREAD_LOCAL_STORAGE_POINTERS
#define configNUM_THREAD_LOCAL_STORAGE_POINTERS 0
#endif
#ifndef configQUEUE_REGISTRY_SIZE
#define configQUEUE_REGISTRY_SIZE 0
#endif
#ifndef configINITIAL_TICK_COUNT
#define configINITIAL_TICK_COUNT 0
#endif
#ifndef configENABLE_BACKWARD_COMPATIBILITY
#define configENABLE_BACKWARD_COMPATIBILITY 1
#endif
#ifndef configUSE_SB_COMPLETED_CALLBACK
#define configUSE_SB_COMPLETED_CALLBACK 0
#endif
/* Not FreeRTOS: 1 leaves an owner of several mutexes the kernel's own priority rule: that of its most urgent waiting task at any moment. */
#ifndef configUSE_EXACT_INHERITANCE
#define configUSE_EXACT_INHERITANCE 0
#endif
#ifndef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 0
#endif
#ifndef configUSE_TICK_HOOK
#define configUSE_TICK_HOOK 0
#endif
#ifndef configUSE_MALLOC_FAILED_HOOK
#define configUSE_MALLOC_FAILED_HOOK 0
#endif
#ifndef configUSE_DAEMON_TASK_STARTUP_HOOK
#define configUSE_DAEMON_TASK_STARTUP_HOOK 0
#endif
#ifndef configSTACK_DEPTH_TYPE
#define configSTACK_DEPTH_TYPE StackType_t
#endif
#ifndef configRUN_TIME_COUNTER_TYPE
#define configRUN_TIME_COUNTER_TYPE uint32_t
#endif
#ifndef configGENERATE_RUN_TIME_STATS
#define configGENERATE_RUN_TIME_STATS 0
#endif
#ifndef portCONFIGURE_TIMER_FOR_RUN_TIME_STATS
#define portCONFIGURE_TIMER_FOR_RUN_TIME_STATS()
#endif
#ifndef portGET_RUN_TIME_COUNTER_VALUE
#define portGET_RUN_TIME_COUNTER_VALUE() (*(const volatile uint32_t *)MEL_CYCLE_BASE) /* clock cycles */
#endif
#ifndef configSTATS_BUFFER_MAX_LENGTH
#define configSTATS_BUFFER_MAX_LENGTH 0xFFFF
#endif
#ifndef configMESSAGE_BUFFER_LENGTH_TYPE
#define configMESSAGE_BUFFER_LENGTH_TYPE size_t
#endif
#ifndef configCHECK_FOR_STACK_OVERFLOW
#define configCHECK_FOR_STACK_OVERFLOW 0
#endif
#ifndef configUSE_TRACE_FACILITY
#define configUSE_TRACE_FACILITY 0
#endif
#ifndef INCLUDE_uxTaskGetStackHighWaterMark
#define INCLUDE_uxTaskGetStackHighWaterMark 0
#endif
#ifndef INCLUDE_uxTaskGetStackHighWaterMark2
#define INCLUDE_uxTaskGetStackHighWaterMark2 0
#endif
/* A new stack is filled with a pattern, which takes a cycle or two for each word, only where a program can ask what is left of it. */
#define FREERTOS_FILLS_STACKS                                                                                                  \
    (configCHECK_FOR_STACK_OVERFLOW > 1 || configUSE_TRACE_FACILITY || INCLUDE_uxTaskGetStackHighWaterMark || INCLUDE_uxTaskGetStackHighWaterMark2)
#ifndef configUSE_PASSIVE_IDLE_HOOK
#define configUSE_PASSIVE_IDLE_HOOK 0
#endif
#ifndef configRUN_MULTIPLE_PRIORITIES
#define configRUN_MULTIPLE_PRIORITIES 0
#endif
/* One of two names says how wide a tick count is, as FreeRTOS V11 has it, which refuses both together: no default of the second where the first is. */
#if defined(configUSE_16_BIT_TICKS) && defined(configTICK_TYPE_WIDTH_IN_BITS)
#error "FreeRTOSConfig.h: configUSE_16_BIT_TICKS and configTICK_TYPE_WIDTH_IN_BITS are both defined, allowed is one of them; leave the first out"
#endif
#if defined(configUSE_16_BIT_TICKS) && configUSE_16_BIT_TICKS
#error "FreeRTOSConfig.h: configUSE_16_BIT_TICKS is 1, allowed is 0: a tick count has 32 bits here"
#endif
#define TICK_TYPE_WIDTH_16_BITS 0
#define TICK_TYPE_WIDTH_32_BITS 1
#define TICK_TYPE_WIDTH_64_BITS 2
#if !defined(configUSE_16_BIT_TICKS) && !defined(configTICK_TYPE_WIDTH_IN_BITS)
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#endif
#if defined(configTICK_TYPE_WIDTH_IN_BITS) && configTICK_TYPE_WIDTH_IN_BITS != TICK_TYPE_WIDTH_32_BITS
#error "FreeRTOSConfig.h: configTICK_TYPE_WIDTH_IN_BITS is not TICK_TYPE_WIDTH_32_BITS, which alone is allowed: a tick count has 32 bits here"
#endif
#if defined(configUSE_CO_ROUTINES) && configUSE_CO_ROUTINES
#error "FreeRTOSConfig.h: configUSE_CO_ROUTINES is 1, allowed is 0: make each co-routine a task"
#endif
#if !configUSE_PREEMPTION
#error "FreeRTOSConfig.h: configUSE_PREEMPTION is 0, allowed is 1: the kernel always runs the most urgent task"
#endif

/* ---- calls are there unless the program's header says no, where FreeRTOS has 0: they cost a program nothing that does not make them -------------------- */

#ifndef configUSE_MUTEXES
#define configUSE_MUTEXES 1
#endif
#if !defined(configUSE_RECURSIVE_MUTEXES) && configUSE_MUTEXES
#define configUSE_RECURSIVE_MUTEXES 1
#endif
#ifndef configUSE_COUNTING_SEMAPHORES
#define configUSE_COUNTING_SEMAPHORES 1
#endif
#ifndef INCLUDE_vTaskPrioritySet
#define INCLUDE_vTaskPrioritySet 1
#endif
#ifndef INCLUDE_uxTaskPriorityGet
#define INCLUDE_uxTaskPriorityGet 1
#endif
#ifndef INCLUDE_vTaskDelete
#define INCLUDE_vTaskDelete 1
#endif
#ifndef INCLUDE_vTaskSuspend
#define INCLUDE_vTaskSuspend 1
#endif
#ifndef INCLUDE_xTaskResumeFromISR
#define INCLUDE_xTaskResumeFromISR 1
#endif
#ifndef INCLUDE_vTaskDelay
#define INCLUDE_vTaskDelay 1
#endif
#if !defined(INCLUDE_xTaskDelayUntil) && !defined(INCLUDE_vTaskDelayUntil)
#define INCLUDE_xTaskDelayUntil 1
#endif
#ifndef INCLUDE_xTaskAbortDelay
#define INCLUDE_xTaskAbortDelay 1
#endif
#ifndef INCLUDE_eTaskGetState
#define INCLUDE_eTaskGetState 1
#endif
#ifndef INCLUDE_xTaskGetCurrentTaskHandle
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#endif
#ifndef INCLUDE_xTaskGetSchedulerState
#define INCLUDE_xTaskGetSchedulerState 1
#endif
#ifndef INCLUDE_xTaskGetIdleTaskHandle
#define INCLUDE_xTaskGetIdleTaskHandle 1
#endif
#ifndef INCLUDE_xTaskGetHandle
#define INCLUDE_xTaskGetHandle 1
#endif
#if !defined(INCLUDE_xTimerPendFunctionCall) && configUSE_TIMERS
#define INCLUDE_xTimerPendFunctionCall 1
#endif
#ifndef INCLUDE_xSemaphoreGetMutexHolder
#define INCLUDE_xSemaphoreGetMutexHolder 1
#endif

#endif
