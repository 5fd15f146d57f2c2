/* SPDX-License-Identifier: Apache-2.0 */
/* link.c: the link: each message is sent until it is acknowledged; a timer says when to send it again. What came twice is acknowledged and dropped. */
#include "link.h"

#include <string.h>

MEL_REGION_OF_LINE(DATA_REGION, "data frame to task", 20, DATA_LINE);
MEL_REGION_OF_LINE(ACK_REGION, "acknowledgement to task", 20, ACK_LINE);

volatile uint16_t acknowledged;
static TimerHandle_t patience;

static void out_of_patience(TimerHandle_t timer)
{
    (void)timer;
    (void)xTaskNotify(sender_task, TIMED_OUT, eSetBits);
}

static void send_until_acknowledged(const frame_t *frame)
{
    for (;;) {
        uint32_t happened = 0;
        cable_put(0, frame);
        counts.sent++;
        (void)xTimerReset(patience, portMAX_DELAY);
        while ((happened & TIMED_OUT) == 0) {
            (void)xTaskNotifyWait(0, UINT32_MAX, &happened, portMAX_DELAY);
            if (acknowledged == frame->number) {
                (void)xTimerStop(patience, portMAX_DELAY);
                (void)xTaskNotifyStateClear(NULL);
                (void)ulTaskNotifyValueClear(NULL, UINT32_MAX);
                return;
            }
        }
        counts.repeated++;
    }
}

void sender(void *unused)
{
    frame_t frame;
    (void)unused;
    patience = xTimerCreate("patience", TIME_OUT, pdFALSE, NULL, out_of_patience);
    for (;;) {
        if (xQueueReceive(outbox, &frame, portMAX_DELAY) == pdPASS) {
            frame.check = check_of(&frame);
            send_until_acknowledged(&frame);
        }
    }
}

/* At the server's end. */
void data_receiver(void *unused)
{
    uint16_t last = 0;
    frame_t frame;
    (void)unused;
    for (;;) {
        const uint32_t count = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(DATA_REGION, count);
        cable_get(0, &frame);
        if (frame.check != check_of(&frame)) {
            counts.damaged++;
            continue;
        }
        if (frame.number == last) {
            counts.twice++;
        } else if (xQueueSend(inbox, &frame, 0) != pdPASS) {
            continue; /* the server is behind: not acknowledged, so it comes again */
        }
        last = frame.number;
        memset(frame.payload, 0, sizeof frame.payload);
        frame.check = check_of(&frame);
        cable_put(1, &frame);
    }
}

/* At the client's end. */
void ack_receiver(void *unused)
{
    frame_t frame;
    (void)unused;
    for (;;) {
        const uint32_t count = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(ACK_REGION, count);
        cable_get(1, &frame);
        if (frame.check != check_of(&frame)) {
            counts.damaged++;
            continue;
        }
        acknowledged = frame.number;
        (void)xTaskNotify(sender_task, ACKNOWLEDGED, eSetBits);
    }
}
