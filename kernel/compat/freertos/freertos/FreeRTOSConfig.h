/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: a program for FreeRTOS on FreeRTOS itself: the program's own header, which comes behind this one on the include path; what the machine gives, whatever
 * that header says; and the layer's defaults where it says nothing. */
#ifndef FREERTOS_ORIGINAL_CONFIG_H
#define FREERTOS_ORIGINAL_CONFIG_H

#if !__has_include_next(<FreeRTOSConfig.h>)
#include "../FreeRTOSConfig.h" /* the sentence */
#endif
#include_next <FreeRTOSConfig.h>

#include <mel_system.h>

#include "../defaults.h"

/* ---- the machine: its timer, which counts clock cycles; its cores; one stack for handlers ------------------------------- */

#ifndef __ASSEMBLER__
#define FREERTOS_TEXT(value) #value
#define FREERTOS_TEXT_OF(value) FREERTOS_TEXT(value)
_Static_assert(configNUMBER_OF_CORES == MEL_CORES,
               "FreeRTOSConfig.h: configNUMBER_OF_CORES is " FREERTOS_TEXT_OF(configNUMBER_OF_CORES) ", allowed is " FREERTOS_TEXT_OF(MEL_CORES) ", the cores of the "
               "system " MEL_SYSTEM_NAME " (1 where it is left out); correct it, or name another system");
#endif
#undef configCLINT_BASE_ADDRESS
#undef configMTIME_BASE_ADDRESS
#undef configMTIMECMP_BASE_ADDRESS
#define configMTIME_BASE_ADDRESS MEL_TIMER_BASE
#define configMTIMECMP_BASE_ADDRESS (MEL_TIMER_BASE + 8)
#undef configISR_STACK_SIZE_WORDS
#undef configNUMBER_OF_CORES
#define configNUMBER_OF_CORES MEL_CORES
#if MEL_CORES == 1
#undef configUSE_CORE_AFFINITY
#undef configUSE_PASSIVE_IDLE_HOOK
#undef configRUN_MULTIPLE_PRIORITIES
#else /* FreeRTOS chooses among lists alone on several cores */
#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#endif
#undef configENABLE_MPU
#define configENABLE_MPU 0
#ifndef configCPU_CLOCK_HZ
#define configCPU_CLOCK_HZ MEL_CLOCK_HZ
#endif
#if configMAX_PRIORITIES > 32 /* more than the port finds in a word */
#undef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#endif

#endif
