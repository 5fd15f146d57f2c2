/* SPDX-License-Identifier: Apache-2.0 */
/* motor.h: the parts of the motor control and what they share. */
#ifndef MOTOR_H
#define MOTOR_H

#include "FreeRTOS.h"
#include "message_buffer.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#include "board.h"

enum { CONTROL = 7, POSITION = 4, SENSORS = 3, MONITOR = 2, LOGGER = 1, SUPERVISOR = 1 }; /* priorities */
enum { SAMPLES = 1000, SENSOR_TASKS = 9 };                                                 /* samples of the current until the program ends */
enum { SAMPLE_REGION, LOOP_REGION, POSITION_REGION };

typedef struct {
    char what;
    int32_t number;
} record_t; /* entry of the log */

/* A milliampere is 1; a position of 4096 is one turn. */
extern volatile int32_t target_current, current, position;
extern volatile uint32_t samples, late_samples, late_positions, positions, readings, records, faults;
extern SemaphoreHandle_t gains;      /* mutex of the gains */
extern volatile int32_t values[SENSOR_TASKS]; /* by sensor; a sensor task with a new value sets its bit in the notification of: */
extern TaskHandle_t watcher;         /* monitor() */
extern MessageBufferHandle_t log_of; /* record_t */
extern TaskHandle_t supervisor;

void control(void *unused);
void position_loop(void *unused);
void sensor(void *number);
void monitor(void *unused);
void logger(void *unused);

/* The log; never waits: what does not fit is lost, and counted. */
void note(char what, int32_t number);
extern volatile uint32_t lost_records;

#endif
