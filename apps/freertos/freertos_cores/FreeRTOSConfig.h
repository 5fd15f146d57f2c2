/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: all cores of the system. Ticks are short (but three cores and more wait for one memory), and equal priorities take turns. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#include <mel_system.h>

#define configNUMBER_OF_CORES MEL_CORES
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_CORE_AFFINITY 1
#define configCPU_CLOCK_HZ 100000000
#define configTICK_RATE_HZ (MEL_CORES > 2 ? 4000 : 10000)
#define configMAX_PRIORITIES 8
#define configMINIMAL_STACK_SIZE 192
#define configTOTAL_HEAP_SIZE 49152
#define configUSE_IDLE_HOOK 1
#define configUSE_PASSIVE_IDLE_HOOK 1
#define configSUPPORT_STATIC_ALLOCATION 1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 3
#define configGENERATE_RUN_TIME_STATS 1
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 6
#define configTIMER_QUEUE_LENGTH 8
#define configTIMER_SERVICE_TASK_CORE_AFFINITY (1 << (MEL_CORES - 1))

void failed(const char *file, unsigned line, const char *what);
#define configASSERT(condition) ((condition) ? (void)0 : failed(__FILE_NAME__, __LINE__, #condition))

#endif
