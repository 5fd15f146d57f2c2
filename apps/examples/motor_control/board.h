/* SPDX-License-Identifier: Apache-2.0 */
/* board.h: what the program has of its board: an interrupt, text, the end. On another board this file and board.c are others. */
#ifndef BOARD_H
#define BOARD_H

#include "FreeRTOS.h"
#include "task.h"

#if __has_include(<melanion/measure.h>)
#include <melanion/measure.h>
#else
#define MEL_REGION(number, name, limit_us) _Static_assert(1, "")
#define MEL_REGION_OF_LINE(number, name, limit_us, line) _Static_assert(1, "")
#define MEL_REGION_BEGIN(number)
#define MEL_REGION_END(number)
#define MEL_REGION_SERVED(number, count)
#define MEL_OWN_BEGIN()
#define MEL_OWN_END()
#endif

#define CURRENT_LINE 4 /* interrupt line of the current sensor */

/* From now on the current sensor's interrupt notifies `task` (index 0): `count` samples, 30 to 90 µs apart. */
void board_sample(TaskHandle_t task, uint32_t count);

/* Clock cycles since reset. */
uint32_t board_cycles(void);

/* A line of text with a number. */
void board_tell(const char *text, int32_t number);

/* The program is over: well, or not. */
void board_end(int well);

#endif
