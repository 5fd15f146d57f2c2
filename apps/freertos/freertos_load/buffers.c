/* SPDX-License-Identifier: Apache-2.0 */
/* buffers.c: stream and message buffers, with third tasks that look at them. */
#include "load.h"

enum { LONG_WAIT = 2000 };

/* ---- bytes in the order in which they were sent ---------------------------------------------------------------------------------- */

enum { STREAM_BYTES = 40, TRIGGER = 6, MOST_SENT = 17, MOST_READ = 11 };

static StreamBufferHandle_t bytes;

static void send_bytes(void *parameters)
{
    uint8_t next = 0, part[MOST_SENT];
    uint32_t state = 21;
    (void)parameters;
    for (;;) {
        const size_t count = 1 + draw(&state, MOST_SENT);
        for (size_t i = 0; i < count; i++) {
            part[i] = (uint8_t)(next + i);
        }
        const size_t sent = xStreamBufferSend(bytes, part, count, draw(&state, 3));
        check(&stream, sent <= count, "more than there were");
        next = (uint8_t)(next + sent);
        rest(draw(&state, 6));
    }
}

static void receive_bytes(void *parameters)
{
    uint8_t expected = 0, part[MOST_READ];
    uint32_t state = 22;
    (void)parameters;
    for (;;) {
        const size_t got = xStreamBufferReceive(bytes, part, 1 + draw(&state, MOST_READ), 1 + draw(&state, 4));
        for (size_t i = 0; i < got; i++) {
            check(&stream, part[i] == expected, "not the next byte");
            expected++;
        }
        stream.passes += got;
    }
}

static void look_at_bytes(void *parameters)
{
    const TickType_t pause = (TickType_t)(uintptr_t)parameters;
    for (;;) {
        check(&stream, xStreamBufferBytesAvailable(bytes) <= STREAM_BYTES, "more bytes than it holds");
        check(&stream, xStreamBufferSpacesAvailable(bytes) <= STREAM_BYTES, "more room than it has");
        if (pause != 0) {
            rest(pause);
        }
    }
}

static void begin_stream(void)
{
    bytes = xStreamBufferCreate(STREAM_BYTES, TRIGGER);
    (void)start(send_bytes, "send_bytes", 2, NULL);
    (void)start(receive_bytes, "receive_bytes", 3, NULL);
    (void)start(look_at_bytes, "look", 0, NULL);
    (void)start(look_at_bytes, "look", 5, (void *)2);
}

group_t stream = {.name = "stream", .begin = begin_stream};

/* ---- messages, whole or not at all ------------------------------------------------------------------------------------------------- */

enum { MESSAGES_BYTES = 60, LONGEST = 23 };

static MessageBufferHandle_t letters;

static void send_letters(void *parameters)
{
    uint8_t number = 0, letter[LONGEST];
    uint32_t state = 31;
    (void)parameters;
    for (;; number++) {
        const size_t length = 1 + draw(&state, LONGEST);
        for (size_t i = 0; i < length; i++) {
            letter[i] = (uint8_t)(number + i);
        }
        check(&messages, xMessageBufferSend(letters, letter, length, LONG_WAIT) == length, "not sent in time");
        if (draw(&state, 3) == 0) {
            rest(1 + draw(&state, 9));
        }
    }
}

static void receive_letters(void *parameters)
{
    uint8_t number = 0, letter[LONGEST];
    uint32_t state = 31;
    (void)parameters;
    for (;; number++) {
        const size_t length = 1 + draw(&state, LONGEST);
        check(&messages, xMessageBufferReceive(letters, letter, LONGEST, portMAX_DELAY) == length, "another length");
        for (size_t i = 0; i < length; i++) {
            check(&messages, letter[i] == (uint8_t)(number + i), "another byte");
        }
        if (draw(&state, 3) == 0) {
            (void)draw(&state, 9);
        }
        messages.passes++;
    }
}

static void look_at_letters(void *parameters)
{
    (void)parameters;
    for (;;) {
        check(&messages, xMessageBufferSpacesAvailable(letters) <= MESSAGES_BYTES, "more room than it has");
        rest(2);
    }
}

static void begin_messages(void)
{
    letters = xMessageBufferCreate(MESSAGES_BYTES);
    (void)start(send_letters, "send_letters", 3, NULL);
    (void)start(receive_letters, "receive_letters", 2, NULL);
    (void)start(look_at_letters, "look", 6, NULL);
}

group_t messages = {.name = "messages", .begin = begin_messages};

/* ---- a client and a server, each of which waits for the other for ever ------------------------------------------------------------- */

static MessageBufferHandle_t questions, answers;

static void ask(void *parameters)
{
    uint32_t state = 41;
    (void)parameters;
    for (uint32_t number = 1;; number++) {
        uint32_t answer[2] = {0};
        check(&echo, xMessageBufferSend(questions, &number, sizeof number, portMAX_DELAY) == sizeof number, "not asked");
        check(&echo, xMessageBufferReceive(answers, answer, sizeof answer, portMAX_DELAY) == sizeof answer, "no answer");
        check(&echo, answer[0] == number && answer[1] == ~number, "another answer");
        echo.passes++;
        if (draw(&state, 3) == 0) {
            rest(1 + draw(&state, 7));
        }
    }
}

static void answer(void *parameters)
{
    (void)parameters;
    for (;;) {
        uint32_t number = 0;
        check(&echo, xMessageBufferReceive(questions, &number, sizeof number, portMAX_DELAY) == sizeof number, "no question");
        const uint32_t reply[2] = {number, ~number};
        check(&echo, xMessageBufferSend(answers, reply, sizeof reply, portMAX_DELAY) == sizeof reply, "not answered");
    }
}

static void begin_echo(void)
{
    questions = xMessageBufferCreate(20);
    answers = xMessageBufferCreate(20);
    (void)start(ask, "ask", 1, NULL);
    (void)start(answer, "answer", 2, NULL);
}

group_t echo = {.name = "echo", .begin = begin_echo};

/* ---- a handler sends -------------------------------------------------------------------------------------------------------------- */

static StreamBufferHandle_t samples;

static void sample_in_handler(void)
{
    static uint8_t next;
    const uint8_t pair[2] = {next, (uint8_t)(next + 1)};
    BaseType_t woken = pdFALSE;
    next = (uint8_t)(next + xStreamBufferSendFromISR(samples, pair, sizeof pair, &woken));
    portYIELD_FROM_ISR(woken);
}

static void receive_samples(void *parameters)
{
    uint8_t expected = 0, part[8];
    (void)parameters;
    for (;;) {
        const size_t got = xStreamBufferReceive(samples, part, sizeof part, portMAX_DELAY);
        check(&stream_of_handlers, got != 0, "nothing came");
        for (size_t i = 0; i < got; i++) {
            check(&stream_of_handlers, part[i] == expected, "not the next byte");
            expected++;
        }
        stream_of_handlers.passes++;
    }
}

static void begin_samples(void)
{
    samples = xStreamBufferCreate(16, 4);
    (void)start(receive_samples, "samples", 5, NULL);
    pulses(LINE_STREAM, sample_in_handler, 10000, 90000);
}

group_t stream_of_handlers = {.name = "stream_of_handlers", .begin = begin_samples};
