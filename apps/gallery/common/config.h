/* SPDX-License-Identifier: Apache-2.0 */
/* config.h: the FreeRTOSConfig.h of all programs of the page (apps/gallery): a tick of 100 µs at 100 MHz, unless a run begins with another `tick_cycles` (gallery.h). */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

/* Kernels divide the clock by the rate when the scheduler starts, so the clock may depend on a variable. FreeRTOS's own port needs a constant; gallery.h changes it there. */
#define configTICK_RATE_HZ 10000
#if defined(FREERTOS_ORIGINAL_CONFIG_H) || defined(__ASSEMBLER__)
#define configCPU_CLOCK_HZ 100000000
#else
extern volatile __UINT32_TYPE__ tick_cycles;
#define configCPU_CLOCK_HZ (tick_cycles * configTICK_RATE_HZ)
#endif
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES 8
#define configMINIMAL_STACK_SIZE 128
#define configTOTAL_HEAP_SIZE 20480
#define configMAX_TASK_NAME_LEN 12
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configUSE_MUTEXES 1
#define configUSE_TIMERS 0

#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_vTaskSuspend 1

#endif
