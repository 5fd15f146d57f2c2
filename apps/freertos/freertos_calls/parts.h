/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h: what the parts of the program share. */
#ifndef PARTS_H
#define PARTS_H

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#include "event.h"

extern TaskHandle_t main_task, high_task, low_task;
extern volatile uint32_t idles, ticks, failures, daemons; /* calls of hooks */

#endif
