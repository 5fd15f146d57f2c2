/* SPDX-License-Identifier: Apache-2.0 */
/* control.c: the two loops. The current loop runs at each sample of the sensor, whose interrupt notifies it; the position loop every millisecond. */
#include "motor.h"

MEL_REGION_OF_LINE(SAMPLE_REGION, "sample to task", 20, CURRENT_LINE);
MEL_REGION_OF_LINE(LOOP_REGION, "sample to voltage", 30, CURRENT_LINE);
MEL_REGION(POSITION_REGION, "position loop", 100);

enum { FULL = 24000, STEP = 64, PERIOD = 10 }; /* mV; turns are 4096; ticks */

volatile int32_t target_current, current, position;
volatile uint32_t samples, late_samples, late_positions, positions;
static int32_t speed, proportional = 96, integral_gain = 7;

static int32_t limited(int32_t value, int32_t most)
{
    return value > most ? most : value < -most ? -most : value;
}

/* The motor: what a voltage does in one sample. */
static void motor(int32_t voltage)
{
    current += (voltage - current * 2 - speed) >> 4;
    speed += current >> 5;
    speed -= speed >> 6;
    position += speed >> 7;
}

void control(void *unused)
{
    int32_t integral = 0;
    (void)unused;
    for (;;) {
        const uint32_t count = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(SAMPLE_REGION, count);
        const int32_t error = target_current - current;
        integral = limited(integral + error, FULL);
        motor(limited((proportional * error + integral_gain * integral) >> 5, FULL));
        MEL_REGION_SERVED(LOOP_REGION, count);
        late_samples += count - 1; /* their voltage came after the next sample */
        samples += count;
        if (samples >= SAMPLES) {
            (void)xTaskNotifyGive(supervisor);
        }
    }
}

void position_loop(void *unused)
{
    TickType_t wake = xTaskGetTickCount();
    const int32_t goal = 4096;
    (void)unused;
    for (;;) {
        const BaseType_t in_time = xTaskDelayUntil(&wake, PERIOD);
        MEL_REGION_BEGIN(POSITION_REGION);
        const int32_t distance = goal - position;
        (void)xSemaphoreTake(gains, portMAX_DELAY);
        MEL_OWN_BEGIN();
        const int32_t next = limited(distance * 3 - speed, 4000) * proportional / (proportional + STEP);
        MEL_OWN_END();
        (void)xSemaphoreGive(gains);
        target_current = next;
        note('p', position);
        MEL_REGION_END(POSITION_REGION);
        positions++;
        late_positions += !in_time || xTaskGetTickCount() - wake > 1;
    }
}
