/* SPDX-License-Identifier: Apache-2.0 */
/* messages.h: messages of a queue: a ring for each message priority, found by a bitmap, so that entering and leaving take the same
 * time whatever the queue holds. Messages of no queue are the caller's. */
#ifndef MEL_COMMON_MESSAGES_H
#define MEL_COMMON_MESSAGES_H

#include <melanion/types.h>

typedef struct mel_message {
    struct mel_message *next;
    uint32_t word;
} mel_message_t;

typedef struct {
    uint32_t present;                            /* bit p: there are messages of priority p */
    mel_message_t *last[MEL_MESSAGE_PRIORITIES]; /* last of each priority; its next is the first */
} mel_messages_t;

/* Behind the messages of its priority. */
static inline void mel_messages_append(mel_messages_t *messages, mel_message_t *message, uint32_t word, uint32_t priority)
{
    message->word = word;
    const uint32_t bit = UINT32_C(1) << priority;
    if (messages->present & bit) {
        mel_message_t *last = messages->last[priority];
        message->next = last->next;
        last->next = message;
    } else {
        message->next = message;
        messages->present |= bit;
    }
    messages->last[priority] = message;
}

/* The first of the most urgent messages, of which there is one; it leaves. */
static inline mel_message_t *mel_messages_take(mel_messages_t *messages)
{
    const uint32_t present = messages->present;
    mel_message_t *last = messages->last[__builtin_ctz(present)];
    mel_message_t *first = last->next;
    if (first == last) {
        messages->present = present & (present - 1);
    } else {
        last->next = first->next;
    }
    return first;
}

/* All messages leave, in front of the list `unused`, which is returned: whole rings, so that it does not matter how many. */
static inline mel_message_t *mel_messages_empty(mel_messages_t *messages, mel_message_t *unused)
{
    for (uint32_t present = messages->present; present != 0; present &= present - 1) {
        mel_message_t *last = messages->last[__builtin_ctz(present)];
        mel_message_t *first = last->next;
        last->next = unused;
        unused = first;
    }
    messages->present = 0;
    return unused;
}

#endif
