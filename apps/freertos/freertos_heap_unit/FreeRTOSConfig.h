/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: the heap is that of the memory management unit. Asserts that fail and allocations that fail are counted. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configUSE_HEAP_UNIT 1

#define configCPU_CLOCK_HZ 100000000
#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 8
#define configMINIMAL_STACK_SIZE 256
#define configUSE_PREEMPTION 1
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configUSE_MALLOC_FAILED_HOOK 1
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskSuspend 1
#ifndef configNUMBER_OF_CORES
#define configNUMBER_OF_CORES 1
#endif

extern volatile unsigned asserts; /* that have failed */
#define configASSERT(condition) ((condition) ? (void)0 : (void)asserts++)

extern volatile unsigned long traced, untraced; /* bytes */
#define traceMALLOC(address, bytes) (traced += (bytes))
#define traceFREE(address, bytes) (untraced += (bytes))

#endif
