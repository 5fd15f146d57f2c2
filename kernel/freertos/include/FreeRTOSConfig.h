/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: how FreeRTOS-Kernel is configured as the kernel `freertos` (docs/decisions/0025): static objects, one core, nothing that measures or checks.
 * Sizes and addresses are those of the system. Two notifications a task: 0 is that of Melanion, 1 counts wake-ups. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include <mel_system.h>

/* Time: the machine timer, which counts clock cycles. mel_tick_set changes the length of a tick later. */
#define configCPU_CLOCK_HZ MEL_CLOCK_HZ
#define configTICK_RATE_HZ (MEL_CLOCK_HZ / MEL_TICK_CYCLES)
#define configMTIME_BASE_ADDRESS MEL_TIMER_BASE
#define configMTIMECMP_BASE_ADDRESS (MEL_TIMER_BASE + 8)
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configINITIAL_TICK_COUNT MEL_TIME_RESET_LOW

/* Scheduling. A task keeps its turn until it waits, yields or ends, as on the other kernels, unless the application has MEL_FREERTOS_TIME_SLICING among its
 * `defines`. The least urgent priority is that of the idle task, too. */
#ifndef MEL_FREERTOS_TIME_SLICING
#define MEL_FREERTOS_TIME_SLICING 0
#endif
#define configMAX_PRIORITIES MEL_PRIORITIES
#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING MEL_FREERTOS_TIME_SLICING
#define configUSE_PORT_OPTIMISED_TASK_SELECTION (MEL_PRIORITIES <= 32)
#define configIDLE_SHOULD_YIELD 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configUSE_TICKLESS_IDLE 0
#define configNUMBER_OF_CORES 1
#define configENABLE_MPU 0

/* Objects. */
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_TASK_NOTIFICATIONS 1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 2
#define configUSE_EVENT_GROUPS 1
#define configUSE_STREAM_BUFFERS 0
#define configUSE_TIMERS 0
#define configUSE_QUEUE_SETS 0
#define configUSE_CO_ROUTINES 0
#define configQUEUE_REGISTRY_SIZE 0

/* Tasks. The idle task's stack is in freertos/boot.c; a task that returns exits. */
#define configMINIMAL_STACK_SIZE 128 /* words */
#define configMAX_TASK_NAME_LEN 8
#ifndef __ASSEMBLER__
void mel_freertos_returned(void);
#endif
#define configTASK_RETURN_ADDRESS mel_freertos_returned

/* Nothing is checked or traced while something is measured. */
#define configCHECK_FOR_STACK_OVERFLOW 0
#define configUSE_TRACE_FACILITY 0
#define configGENERATE_RUN_TIME_STATS 0
#define configUSE_MALLOC_FAILED_HOOK 0
#define configUSE_APPLICATION_TASK_TAG 0
#define configUSE_NEWLIB_REENTRANT 0

#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_uxTaskPriorityGet 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_xTaskAbortDelay 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_xTaskResumeFromISR 1
#define INCLUDE_eTaskGetState 1

#endif
