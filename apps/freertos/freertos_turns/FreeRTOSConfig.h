/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: little more than what must be said: time slices are on, as they are by default. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configTICK_RATE_HZ 10000
#define configMAX_PRIORITIES 8
#define configTOTAL_HEAP_SIZE 16384
#define configUSE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_EXACT_INHERITANCE EXACT

#endif
