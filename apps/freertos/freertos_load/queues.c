/* SPDX-License-Identifier: Apache-2.0 */
/* queues.c: queues whose two ends wait, one that is polled, a mailbox, one that is peeked, a set. */
#include "load.h"

/* ---- two ends that wait: what arrives is what was sent, in that order ------------------------------------------------------- */

enum { PAIRS = 3, BURST = 12, LONG_WAIT = 2000 };

typedef struct {
    UBaseType_t length, sender, receiver; /* priorities */
    TickType_t pause;
    QueueHandle_t queue;
} pair_t;

static pair_t pairs[PAIRS] = {
    {.length = 1, .sender = 1, .receiver = 3, .pause = 9},
    {.length = 5, .sender = 3, .receiver = 1, .pause = 8},
    {.length = 4, .sender = 2, .receiver = 2, .pause = 10},
};

static void send_to_pair(void *parameters)
{
    const pair_t *pair = parameters;
    for (uint32_t value = 1;; value++) {
        check(&blocking_queues, xQueueSend(pair->queue, &value, LONG_WAIT), "no space in time");
        if (value % BURST == 0) {
            rest(pair->pause);
        }
    }
}

static void receive_of_pair(void *parameters)
{
    const pair_t *pair = parameters;
    for (uint32_t expected = 1;; expected++) {
        uint32_t value = 0;
        check(&blocking_queues, xQueueReceive(pair->queue, &value, LONG_WAIT), "no item in time");
        check(&blocking_queues, value == expected, "not the next item");
        blocking_queues.passes++;
    }
}

static void begin_pairs(void)
{
    for (uint32_t i = 0; i < PAIRS; i++) {
        pairs[i].queue = xQueueCreate(pairs[i].length, sizeof(uint32_t));
        (void)start(send_to_pair, "send", pairs[i].sender, &pairs[i]);
        (void)start(receive_of_pair, "receive", pairs[i].receiver, &pairs[i]);
    }
}

group_t blocking_queues = {.name = "blocking_queues", .begin = begin_pairs};

/* ---- nobody waits ---------------------------------------------------------------------------------------------------------- */

enum { POLLED_LENGTH = 10, POLLED_BURST = 3 };

static QueueHandle_t polled;

static void poll_send(void *parameters)
{
    uint16_t value = 0;
    (void)parameters;
    for (;;) {
        for (uint32_t i = 0; i < POLLED_BURST; i++) {
            if (xQueueSend(polled, &value, 0)) {
                value++;
            } else {
                check(&polled_queue, uxQueueMessagesWaiting(polled) > 0, "full and empty");
            }
        }
        rest(3);
    }
}

static void poll_receive(void *parameters)
{
    uint16_t value = 0, expected = 0;
    (void)parameters;
    for (;;) {
        while (uxQueueMessagesWaiting(polled) != 0) {
            check(&polled_queue, xQueueReceive(polled, &value, 0), "an item went away");
            check(&polled_queue, value == expected, "not the next item");
            expected++;
            polled_queue.passes++;
        }
        rest(2);
    }
}

static void begin_polled(void)
{
    polled = xQueueCreate(POLLED_LENGTH, sizeof(uint16_t));
    (void)start(poll_send, "poll_send", 2, NULL);
    (void)start(poll_receive, "poll_receive", 3, NULL);
}

group_t polled_queue = {.name = "polled_queue", .begin = begin_polled};

/* ---- a mailbox that is overwritten and peeked: its number only grows, and both halves are of one letter --------------------- */

typedef struct {
    uint32_t number, inverse;
} letter_t;

static QueueHandle_t box;

static void overwrite(void *parameters)
{
    letter_t letter = {0};
    (void)parameters;
    for (;;) {
        letter.number++;
        letter.inverse = ~letter.number;
        check(&mailbox, xQueueOverwrite(box, &letter), "not overwritten");
        check(&mailbox, uxQueueMessagesWaiting(box) == 1, "not one letter");
        rest(2);
    }
}

static void peek(void *parameters)
{
    const TickType_t pause = (TickType_t)(uintptr_t)parameters;
    uint32_t last = 0;
    for (;;) {
        letter_t letter;
        check(&mailbox, xQueuePeek(box, &letter, LONG_WAIT), "nothing in the box");
        check(&mailbox, letter.number == ~letter.inverse && letter.number >= last, "a torn or an old letter");
        last = letter.number;
        mailbox.passes++;
        rest(pause);
    }
}

static void begin_mailbox(void)
{
    box = xQueueCreate(1, sizeof(letter_t));
    (void)start(overwrite, "overwrite", 3, NULL);
    (void)start(peek, "peek", 2, (void *)3);
    (void)start(peek, "peek", 4, (void *)5);
}

group_t mailbox = {.name = "mailbox", .begin = begin_mailbox};

/* ---- who peeks leaves the item to the next, the most urgent first ----------------------------------------------------------- */

enum { PEEKERS = 3 };

static QueueHandle_t shown;
static TaskHandle_t peekers[PEEKERS];
static volatile uint32_t seen, shown_value;

static void look(void *parameters)
{
    const uint32_t turn = (uint32_t)(uintptr_t)parameters;
    for (;;) {
        uint32_t value = 0;
        const BaseType_t last = turn + 1 == PEEKERS;
        check(&peeked_queue, last ? xQueueReceive(shown, &value, portMAX_DELAY) : xQueuePeek(shown, &value, portMAX_DELAY), "no item");
        check(&peeked_queue, seen == turn && value == shown_value, "out of turn");
        seen = turn + 1;
        vTaskSuspend(NULL);
    }
}

static void show(void *parameters)
{
    (void)parameters;
    for (;;) {
        seen = 0;
        shown_value++;
        const uint32_t value = shown_value;
        check(&peeked_queue, xQueueSend(shown, &value, 0), "no space");
        check(&peeked_queue, seen == PEEKERS && uxQueueMessagesWaiting(shown) == 0, "not all have looked");
        for (uint32_t i = 0; i < PEEKERS; i++) {
            check(&peeked_queue, eTaskGetState(peekers[i]) == eSuspended, "not suspended");
            vTaskResume(peekers[i]);
        }
        peeked_queue.passes++;
        rest(9);
    }
}

static void begin_peeked(void)
{
    shown = xQueueCreate(2, sizeof(uint32_t));
    for (uint32_t i = 0; i < PEEKERS; i++) {
        peekers[i] = start(look, "look", 5 - i, (void *)(uintptr_t)i);
    }
    (void)start(show, "show", 1, NULL);
}

group_t peeked_queue = {.name = "peeked_queue", .begin = begin_peeked};

/* ---- a set of two queues, one of which a handler fills, and a semaphore ------------------------------------------------------ */

enum { SET_FIRST = 2, SET_SECOND = 5 };

static QueueHandle_t first, second;
static SemaphoreHandle_t third;
static QueueSetHandle_t set;
static uint32_t handled_value;
static volatile uint32_t given;

static void send_in_handler(void)
{
    BaseType_t woken = pdFALSE;
    const uint32_t value = handled_value + 1;
    if (xQueueSendFromISR(second, &value, &woken)) {
        handled_value = value;
    }
    portYIELD_FROM_ISR(woken);
}

static void send_to_set(void *parameters)
{
    uint32_t state = 77, value = 1;
    (void)parameters;
    for (;;) {
        if (draw(&state, 3) != 0) {
            check(&queue_set, xQueueSend(first, &value, LONG_WAIT), "no space");
            value++;
        } else if (xSemaphoreGive(third)) {
            given++;
        }
        if (draw(&state, 4) == 0) {
            rest(1 + draw(&state, 9));
        }
    }
}

static void select_from_set(void *parameters)
{
    uint32_t expected[2] = {1, 1}, taken = 0;
    (void)parameters;
    for (;;) {
        uint32_t value = 0;
        const QueueSetMemberHandle_t member = xQueueSelectFromSet(set, LONG_WAIT);
        if (member == third) {
            check(&queue_set, xSemaphoreTake(third, 0), "the semaphore is not there");
            taken++;
            check(&queue_set, taken <= given + 1, "taken and not given");
        } else {
            check(&queue_set, member == first || member == second, "no member");
            check(&queue_set, xQueueReceive(member, &value, 0), "the item is not there");
            check(&queue_set, value == expected[member == second]++, "not the next item");
        }
        queue_set.passes++;
    }
}

static void begin_set(void)
{
    first = xQueueCreate(SET_FIRST, sizeof(uint32_t));
    second = xQueueCreate(SET_SECOND, sizeof(uint32_t));
    third = xSemaphoreCreateBinary();
    set = xQueueCreateSet(SET_FIRST + SET_SECOND + 1);
    const BaseType_t added = xQueueAddToSet(first, set) && xQueueAddToSet(second, set) && xQueueAddToSet(third, set);
    check(&queue_set, added, "not added");
    (void)start(send_to_set, "send_to_set", 2, NULL);
    (void)start(select_from_set, "select", 3, NULL);
    pulses(LINE_SET, send_in_handler, 20000, 150000);
}

group_t queue_set = {.name = "queue_set", .begin = begin_set};
