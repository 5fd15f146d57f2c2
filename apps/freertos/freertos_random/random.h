/* SPDX-License-Identifier: Apache-2.0 */
/* random.h: what the two parts of the program share. Tasks 0 … TASKS - 1 have two priorities each that no other task has, and a random number generator
 * each: what a task does depends on nothing but the seed and its own number. */
#ifndef RANDOM_H
#define RANDOM_H

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

enum { TASKS = 5, DIRECTOR = 15 };

extern QueueHandle_t queues[2];
extern SemaphoreHandle_t semaphores[2], mutex;
extern EventGroupHandle_t group;
extern TimerHandle_t timers[2];
extern TaskHandle_t tasks[TASKS];
extern uint8_t owner[TASKS]; /* 1: this task owns the mutex, which only its owner may give */

/* The next random number of task `who`, 0 … below - 1. */
uint32_t draw(uint32_t who, uint32_t below);

/* Note that task `who` (TASKS + n: timer n; larger: a handler) did `what`, and what came of it. */
void note(uint32_t who, char what, uint32_t result);

/* One call, drawn by task `who`; true: it may have waited. */
BaseType_t act(uint32_t who);

#endif
