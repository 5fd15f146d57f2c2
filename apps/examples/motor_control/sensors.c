/* sensors.c: slow sensors, who looks at them, and the log. */
#include "motor.h"

volatile uint32_t readings, records, lost_records, faults;

void sensor(void *number)
{
    const uint32_t which = (uint32_t)(uintptr_t)number;
    uint32_t noise = 12345 + which;
    TickType_t wake = xTaskGetTickCount();
    for (;;) {
        (void)xTaskDelayUntil(&wake, 7);
        noise = noise * 1664525u + 1013904223u;
        const reading_t reading = {.sensor = (uint8_t)which, .value = (int32_t)(300 + which * 100 + (noise >> 28))};
        faults += xQueueSend(measurements, &reading, 5) != pdPASS;
    }
}

/* Means of eight readings; one that is no temperature is a fault. */
void monitor(void *unused)
{
    int32_t sums[3] = {0};
    uint32_t counts[3] = {0};
    reading_t reading;
    (void)unused;
    for (;;) {
        if (xQueueReceive(measurements, &reading, 20) != pdPASS) {
            faults++; /* all sensors are silent */
            continue;
        }
        readings++;
        sums[reading.sensor] += reading.value;
        if (++counts[reading.sensor] == 8) {
            MEL_OWN_BEGIN();
            const int32_t mean = sums[reading.sensor] / (int32_t)counts[reading.sensor];
            MEL_OWN_END();
            faults += mean < 250 || mean > 600;
            note('t', mean);
            sums[reading.sensor] = 0;
            counts[reading.sensor] = 0;
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
