/* SPDX-License-Identifier: Apache-2.0 */
/* message.c: a thread sends a message of 16 bytes to a queue and receives it again. An iteration is both. */
#include "test.h"

static void sending(void)
{
    unsigned long sent[4] = {0, 0x55555555, 0xAAAAAAAA, 0};
    unsigned long received[4];
    for (;;) {
        sent[3] = ~sent[0];
        CHECK(tm_queue_send(0, sent));
        CHECK(tm_queue_receive(0, received));
        if (received[0] != sent[0] || received[3] != sent[3]) {
            failed(__LINE__);
        }
        sent[0]++;
        COUNT(0);
    }
}

void message(void)
{
    CHECK(tm_queue_create(0));
    CHECK(tm_thread_create(0, 10, sending));
    CHECK(tm_thread_resume(0));
    report(1, 1);
}
