/* SPDX-License-Identifier: Apache-2.0 */
/* task.h: FreeRTOS's own, and what the layer (../task.h) has besides: how an interrupt finds a task. */
#ifndef FREERTOS_ORIGINAL_TASK_H
#define FREERTOS_ORIGINAL_TASK_H

#include_next <task.h>

/* What mel_irq_map calls a task whose notification (index 0) an interrupt gives. On this kernel, which has no interrupts without the CPU, a handler does. */
uint32_t freertos_task_number(TaskHandle_t task);

#endif
