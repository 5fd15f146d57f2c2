/* SPDX-License-Identifier: Apache-2.0 */
/* sensors.c: slow sensors, who looks at them, and the log. */
#include "motor.h"

volatile int32_t values[SENSOR_TASKS];
volatile uint32_t readings, records, lost_records, faults;

void sensor(void *number)
{
    const uint32_t which = (uint32_t)(uintptr_t)number;
    uint32_t noise = 12345 + which;
    TickType_t wake = xTaskGetTickCount();
    for (;;) {
        (void)xTaskDelayUntil(&wake, 10);
        noise = noise * 1664525u + 1013904223u;
        values[which] = (int32_t)(300 + which * 20 + (noise >> 28));
        (void)xTaskNotify(watcher, 1u << which, eSetBits);
    }
}

/* Means of eight readings; one that is no temperature is a fault. */
static void look(uint32_t which)
{
    static int32_t sums[SENSOR_TASKS];
    static uint32_t counts[SENSOR_TASKS];
    readings++;
    sums[which] += values[which];
    if (++counts[which] == 8) {
        MEL_OWN_BEGIN();
        const int32_t mean = sums[which] / (int32_t)counts[which];
        MEL_OWN_END();
        faults += mean < 250 || mean > 600;
        note('t', mean);
        sums[which] = 0;
        counts[which] = 0;
    }
}

void monitor(void *unused)
{
    uint32_t fresh;
    (void)unused;
    for (;;) {
        if (xTaskNotifyWait(0, UINT32_MAX, &fresh, 20) != pdPASS) {
            faults++; /* all sensors are silent */
            continue;
        }
        for (uint32_t i = 0; i < SENSOR_TASKS; i++) {
            if ((fresh >> i & 1) != 0) {
                look(i);
            }
        }
    }
}

/* Two tasks write to the buffer, which knows one writer only: a critical section makes them one. */
void note(char what, int32_t number)
{
    const record_t record = {.what = what, .number = number};
    MEL_OWN_BEGIN();
    taskENTER_CRITICAL();
    const size_t written = xMessageBufferSend(log_of, &record, sizeof record, 0);
    taskEXIT_CRITICAL();
    MEL_OWN_END();
    lost_records += written == 0;
}

/* Records become text. */
void logger(void *unused)
{
    static char line[16];
    record_t record;
    (void)unused;
    for (;;) {
        if (xMessageBufferReceive(log_of, &record, sizeof record, portMAX_DELAY) != sizeof record) {
            faults++;
            continue;
        }
        uint32_t rest = (uint32_t)(record.number < 0 ? -record.number : record.number);
        size_t at = sizeof line;
        do {
            MEL_OWN_BEGIN();
            line[--at] = (char)('0' + rest % 10);
            rest /= 10;
            MEL_OWN_END();
        } while (rest != 0);
        line[--at] = record.what;
        records += line[at] == record.what;
    }
}
