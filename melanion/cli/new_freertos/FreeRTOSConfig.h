/* FreeRTOSConfig.h: a tick of 100 µs at 100 MHz. Tasks run on every core of the system. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#if __has_include(<mel_system.h>)
#include <mel_system.h>
#define configNUMBER_OF_CORES MEL_CORES
#else
#define configNUMBER_OF_CORES 1
#endif
#if configNUMBER_OF_CORES > 1
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_CORE_AFFINITY 1
#define configUSE_PASSIVE_IDLE_HOOK 0
#endif

#define configCPU_CLOCK_HZ 100000000
#define configTICK_RATE_HZ 10000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES 8
#define configMINIMAL_STACK_SIZE 160
#define configTOTAL_HEAP_SIZE 20480
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0

#define INCLUDE_vTaskDelay 1

#endif
