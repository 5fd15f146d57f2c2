/* SPDX-License-Identifier: Apache-2.0 */
/* task.h: FreeRTOS's own, and what the layer (../task.h) has besides: how an interrupt finds a task. */
#ifndef FREERTOS_ORIGINAL_TASK_H
#define FREERTOS_ORIGINAL_TASK_H

#include_next <task.h>

/* Number of a task for mel_irq_map, when an interrupt gives its notification (index 0). This kernel
 * has no interrupts without the CPU: a handler gives it. */
uint32_t freertos_task_number(TaskHandle_t task);

#endif
