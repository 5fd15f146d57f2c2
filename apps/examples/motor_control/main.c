/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: a motor control: a current loop at each sample of a sensor (30 to 90 µs apart), a position loop every millisecond, slow sensors, a monitor, a log, and a timer that looks
 * whether the current loop lives. The program ends after SAMPLES samples, when the motor must be where it should, and tells what came too late. */
#include "motor.h"

SemaphoreHandle_t gains;
MessageBufferHandle_t log_of;
TaskHandle_t supervisor, watcher;
static uint32_t beats;

/* Every two milliseconds: in between there were samples. */
static void beat(TimerHandle_t timer)
{
    static uint32_t before;
    (void)timer;
    faults += samples == before;
    before = samples;
    beats++;
}

static void supervise(void *controller)
{
    TimerHandle_t heart = xTimerCreate("heart", 20, pdTRUE, NULL, beat);
    board_sample(controller, SAMPLES);
    (void)xTimerStart(heart, portMAX_DELAY);
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    vTaskDelay(5); /* the log gets empty */
    board_tell("samples ", (int32_t)samples);
    board_tell("late samples ", (int32_t)late_samples);
    board_tell("position ", position);
    board_tell("position loops ", (int32_t)positions);
    board_tell("late position loops ", (int32_t)late_positions);
    board_tell("records ", (int32_t)records);
    board_tell("lost records ", (int32_t)lost_records);
    board_tell("faults ", (int32_t)faults);
    const uint32_t wanted = positions + readings / 8;
    board_end(samples == SAMPLES && faults == 0 && beats > 5 && position > 3500 && position < 4700 && records + lost_records + SENSOR_TASKS >= wanted);
}

int main(void)
{
    TaskHandle_t controller = NULL;
    gains = xSemaphoreCreateMutex();
    log_of = xMessageBufferCreate(256);
    (void)xTaskCreate(control, "control", 256, NULL, CONTROL, &controller);
    (void)xTaskCreate(position_loop, "position", 256, NULL, POSITION, NULL);
    for (uintptr_t i = 0; i < SENSOR_TASKS; i++) {
        (void)xTaskCreate(sensor, "sensor", 256, (void *)i, SENSORS, NULL);
    }
    (void)xTaskCreate(monitor, "monitor", 256, NULL, MONITOR, &watcher);
    (void)xTaskCreate(logger, "logger", 256, NULL, LOGGER, NULL);
    (void)xTaskCreate(supervise, "supervisor", 256, controller, SUPERVISOR, &supervisor);
    vTaskStartScheduler();
    return 1;
}
