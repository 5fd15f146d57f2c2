/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: a program for FreeRTOS on FreeRTOS itself: the program's own header, which comes behind this one on the include path; what the machine gives, whatever
 * that header says; and what FreeRTOS asks for where it says nothing. */
#ifndef FREERTOS_ORIGINAL_CONFIG_H
#define FREERTOS_ORIGINAL_CONFIG_H

#if !__has_include_next(<FreeRTOSConfig.h>)
#include "../FreeRTOSConfig.h" /* the sentence */
#endif
#include_next <FreeRTOSConfig.h>

#include <mel_system.h>

#include "../defaults.h"

/* ---- the machine: its timer, which counts clock cycles; one core; one stack for handlers -------------------------------- */

#undef configCLINT_BASE_ADDRESS
#undef configMTIME_BASE_ADDRESS
#undef configMTIMECMP_BASE_ADDRESS
#define configMTIME_BASE_ADDRESS MEL_TIMER_BASE
#define configMTIMECMP_BASE_ADDRESS (MEL_TIMER_BASE + 8)
#undef configISR_STACK_SIZE_WORDS
#undef configNUMBER_OF_CORES
#define configNUMBER_OF_CORES 1
#undef configUSE_CORE_AFFINITY
#undef configUSE_PASSIVE_IDLE_HOOK
#undef configRUN_MULTIPLE_PRIORITIES
#undef configENABLE_MPU
#define configENABLE_MPU 0
#ifndef configCPU_CLOCK_HZ
#define configCPU_CLOCK_HZ MEL_CLOCK_HZ
#endif
#if configMAX_PRIORITIES > 32 /* more than the port finds in a word */
#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#endif

/* ---- what FreeRTOS asks for ------------------------------------------------------------------------------------------- */

#if !defined(configUSE_16_BIT_TICKS) && !defined(configTICK_TYPE_WIDTH_IN_BITS)
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#endif
#ifndef configCHECK_FOR_STACK_OVERFLOW
#define configCHECK_FOR_STACK_OVERFLOW 0
#endif
#ifndef configKERNEL_PROVIDED_STATIC_MEMORY
#define configKERNEL_PROVIDED_STATIC_MEMORY 0
#endif

/* ---- calls are there unless the program's header says no, as in the layer: where that costs a program nothing that does not make them ------------ */

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
