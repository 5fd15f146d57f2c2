/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: a client sends messages to a server over a cable that loses and damages frames: a small protocol stack of queues, a timer and interrupts. Each message must come once, in
 * order, whole, and within DEADLINE ticks; those that came later are told. */
#include "link.h"

counts_t counts;
QueueHandle_t outbox, inbox;
TaskHandle_t sender_task, report_task;

void client(void *unused)
{
    TickType_t wake = xTaskGetTickCount();
    (void)unused;
    for (uint16_t number = 1; number <= MESSAGES; number++) {
        frame_t frame = {.number = number, .length = PAYLOAD, .made = xTaskGetTickCount()};
        for (uint32_t i = 0; i < PAYLOAD; i++) {
            frame.payload[i] = (uint8_t)(number * 7 + i);
        }
        (void)xQueueSend(outbox, &frame, portMAX_DELAY);
        (void)xTaskDelayUntil(&wake, 6);
    }
    vTaskDelete(NULL);
}

void server(void *unused)
{
    frame_t frame;
    (void)unused;
    while (counts.delivered < MESSAGES) {
        if (xQueueReceive(inbox, &frame, 1000) != pdPASS) {
            counts.wrong++; /* nothing for 100 ms */
            break;
        }
        counts.delivered++;
        counts.wrong += frame.number != counts.delivered;
        for (uint32_t i = 0; i < frame.length; i++) {
            counts.wrong += frame.payload[i] != (uint8_t)(frame.number * 7 + i);
        }
        const TickType_t took = xTaskGetTickCount() - frame.made;
        counts.late += took > DEADLINE;
        counts.slowest = took > counts.slowest ? took : counts.slowest;
    }
    (void)xTaskNotifyGive(report_task);
    vTaskDelete(NULL);
}

static void report(void *unused)
{
    (void)unused;
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    vTaskDelay(2 * TIME_OUT);
    board_tell("delivered ", (int32_t)counts.delivered);
    board_tell("late ", (int32_t)counts.late);
    board_tell("slowest, ticks ", (int32_t)counts.slowest);
    board_tell("sent ", (int32_t)counts.sent);
    board_tell("repeated ", (int32_t)counts.repeated);
    board_tell("lost ", (int32_t)counts.lost);
    board_tell("damaged ", (int32_t)counts.damaged);
    board_tell("twice ", (int32_t)counts.twice);
    board_tell("wrong ", (int32_t)counts.wrong);
    const uint32_t failed = counts.lost + counts.damaged; /* each of them costs a repetition */
    board_end(counts.delivered == MESSAGES && counts.wrong == 0 && counts.repeated > 0 && counts.repeated <= failed);
}

int main(void)
{
    TaskHandle_t data = NULL, ack = NULL;
    outbox = xQueueCreate(4, sizeof(frame_t));
    inbox = xQueueCreate(4, sizeof(frame_t));
    (void)xTaskCreate(data_receiver, "data", 256, NULL, RECEIVERS, &data);
    (void)xTaskCreate(ack_receiver, "ack", 256, NULL, RECEIVERS, &ack);
    (void)xTaskCreate(sender, "sender", 256, NULL, SENDER, &sender_task);
    (void)xTaskCreate(client, "client", 256, NULL, CLIENT, NULL);
    (void)xTaskCreate(server, "server", 256, NULL, SERVER, NULL);
    (void)xTaskCreate(report, "report", 256, NULL, REPORT, &report_task);
    board_connect(DATA_LINE, data);
    board_connect(ACK_LINE, ack);
    vTaskStartScheduler();
    return 1;
}
