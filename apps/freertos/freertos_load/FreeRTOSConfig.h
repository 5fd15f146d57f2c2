/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: ticks are so long (TICK_HZ, app.yaml) that each finds many tasks at work and leaves some time. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ 100000000
#define configTICK_RATE_HZ TICK_HZ
#define configMAX_PRIORITIES 10
#define configMINIMAL_STACK_SIZE 192
#define configTOTAL_HEAP_SIZE 122880
#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 1
#define configUSE_IDLE_HOOK 1
#define configUSE_TICK_HOOK 1
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_QUEUE_SETS 1
#define configUSE_STREAM_BUFFERS 1
#define configUSE_TASK_NOTIFICATIONS 1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 3
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 8
#define configTIMER_QUEUE_LENGTH 20
#define configTIMER_TASK_STACK_DEPTH 256
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS

#endif
