/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.h: numbers of tasks on FreeRTOS, which knows handles alone: for actions of interrupts and for the sentence of a panic. */
#ifndef FREERTOS_NUMBERS_H
#define FREERTOS_NUMBERS_H

#include <FreeRTOS.h>
#include <task.h>

#include <mel_system.h>

/* In the order in which freertos_task_number was first asked; NULL: no more of them. A task that has been deleted keeps its number. */
extern TaskHandle_t freertos_numbered[MEL_TASKS];

#endif
