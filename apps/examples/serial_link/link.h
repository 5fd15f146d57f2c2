/* SPDX-License-Identifier: Apache-2.0 */
/* link.h: the parts of the link and what they share. Client and server are one program, the cable between them loses frames. */
#ifndef LINK_H
#define LINK_H

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"

#include "board.h"

enum { RECEIVERS = 6, SENDER = 4, CLIENT = 3, SERVER = 2, REPORT = 1 }; /* priorities; the timer task has 5 */
enum { MESSAGES = 80, PAYLOAD = 24, TIME_OUT = 6, DEADLINE = 40 };      /* messages in all; bytes; ticks */
enum { DATA_REGION, ACK_REGION };

typedef struct {
    uint16_t number; /* message number; an acknowledgement repeats it */
    uint16_t length;
    TickType_t made; /* by the client */
    uint8_t payload[PAYLOAD];
    uint16_t check; /* checksum of all fields before */
} frame_t;

typedef struct {
    uint32_t sent, repeated, lost, damaged, twice, delivered, wrong, late;
    TickType_t slowest;
} counts_t;
extern counts_t counts;

extern QueueHandle_t outbox, inbox; /* frame_t: from the client; to the server */
extern TaskHandle_t sender_task, report_task;

uint16_t check_of(const frame_t *frame);

/* The cable: takes a frame in one direction, 0 to the server, and brings it, changes it or loses it; reads what has come. */
void cable_put(uint32_t direction, const frame_t *frame);
void cable_get(uint32_t direction, frame_t *frame);

void sender(void *unused);
void data_receiver(void *unused);
void ack_receiver(void *unused);
void client(void *unused);
void server(void *unused);

/* Bits of the sender's notification. */
#define ACKNOWLEDGED 1u
#define TIMED_OUT 2u
extern volatile uint16_t acknowledged; /* number of the last message that was */

#endif
