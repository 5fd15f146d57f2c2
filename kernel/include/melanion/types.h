/* SPDX-License-Identifier: Apache-2.0 */
/* types.h: the types and special values that all kernel calls share.
 * Object numbers are chosen by the program, from 0 up to the limit of the system (mel_system.h: MEL_TASKS …); a number
 * above the limit is refused with MEL_E_ID, never truncated. */
#ifndef MELANION_TYPES_H
#define MELANION_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mel_system.h>
#include <melanion/mel_spec.h>

/* The number of a task, of any other object, or of an interrupt. */
typedef uint32_t mel_id_t;

/* A number of ticks: a timeout, or the low word of the tick counter. */
typedef uint32_t mel_ticks_t;

/* A priority: 0 is the most urgent, MEL_PRIORITIES - 1 the least. */
typedef uint32_t mel_priority_t;

/* In place of a task number: the calling task. MEL_E_ID from a handler or the idle context.
 * µITRON: TSK_SELF. FreeRTOS: NULL handle. */
#define MEL_SELF UINT32_C(0xFFFFFFFF)

/* In place of a priority of mel_task_rotate: the caller's own. */
#define MEL_OWN_PRIORITY UINT32_C(0xFFFFFFFF)

/* Timeouts. µITRON: TMO_POL, TMO_FEVR. FreeRTOS: 0, portMAX_DELAY. */
#define MEL_POLL UINT32_C(0)
#define MEL_FOREVER UINT32_C(0xFFFFFFFF)

#endif
