/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: the kernel `freertos` on several cores: its configuration (freertos/include/FreeRTOSConfig.h), and what differs there (docs/decisions/0046). The idle hooks let a
 * core without a task sleep: an idle task that ran would take half of the fetches of a core that works. */
#ifndef FREERTOS_SMP_CONFIG_H
#define FREERTOS_SMP_CONFIG_H

#include_next <FreeRTOSConfig.h>

#undef configNUMBER_OF_CORES
#define configNUMBER_OF_CORES MEL_CORES
#define configRUN_MULTIPLE_PRIORITIES 1
#define configUSE_CORE_AFFINITY 1
#define configUSE_TASK_PREEMPTION_DISABLE 0
#undef configUSE_PORT_OPTIMISED_TASK_SELECTION /* FreeRTOS has none for several cores */
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
#ifndef MEL_FREERTOS_IDLE_SLEEPS
#define MEL_FREERTOS_IDLE_SLEEPS 1
#endif
#undef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK MEL_FREERTOS_IDLE_SLEEPS
#define configUSE_PASSIVE_IDLE_HOOK MEL_FREERTOS_IDLE_SLEEPS

#endif
