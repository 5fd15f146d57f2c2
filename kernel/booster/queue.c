/* SPDX-License-Identifier: Apache-2.0 */
/* queue.c: message queues in C; their tasks wait in the unit. Checks and effects as melanion/model/queue.py. */
#include "common/messages.h"
#include "unit/objects.h"

typedef struct {
    mel_wait_list_t waiting; /* receivers while it is empty, senders while it is full */
    union {
        struct {
            uint16_t count, capacity; /* capacity 0: does not exist */
        };
        uint32_t both; /* for who reads them outside a section */
    };
    mel_messages_t messages;
} queue_t;

static queue_t queues[MEL_QUEUES + 1]; /* C has no empty array: the last ones are never used */
static mel_message_t messages[MEL_MESSAGES + 1];
static mel_message_t *unused; /* messages that a queue has given back */
static mel_message_t *fresh = messages; /* from here on none was ever used. Never too few, because queues reserve theirs */
static uint32_t unreserved = MEL_MESSAGES;

static inline void append(queue_t *subject, uint32_t word, uint32_t priority)
{
    mel_message_t *message = unused;
    if (message != NULL) {
        unused = message->next;
    } else {
        message = fresh++;
    }
    mel_messages_append(&subject->messages, message, word, priority);
    subject->count++;
}

static inline uint32_t take(queue_t *subject)
{
    mel_message_t *first = mel_messages_take(&subject->messages);
    first->next = unused;
    unused = first;
    subject->count--;
    return first->word;
}

static int32_t create(mel_id_t queue, uint32_t capacity)
{
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_ID);
    MEL_REFUSE_WHEN(capacity == 0 || capacity > MEL_MESSAGES, MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_PAR);
    queue_t *subject = &queues[queue];
    MEL_REFUSE_WHEN(subject->capacity != 0, MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_OBJ);
    MEL_REFUSE_WHEN(capacity > unreserved, MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_NOMEM);
    unreserved -= capacity;
    mel_wait_init(&subject->waiting);
    subject->capacity = (uint16_t)capacity;
    return MEL_REPORT(MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_OK);
}

static void empty(queue_t *subject)
{
    unused = mel_messages_empty(&subject->messages, unused);
    subject->count = 0;
}

static int32_t delete(mel_id_t queue)
{
    MEL_REFUSE_WHEN(mel_unit_in_handler(), MEL_OP_QUEUE_DELETE, queue, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_DELETE, queue, 0, MEL_E_ID);
    queue_t *subject = &queues[queue];
    MEL_REFUSE_WHEN(subject->capacity == 0, MEL_OP_QUEUE_DELETE, queue, 0, MEL_E_NOEXS);
    unreserved += subject->capacity;
    empty(subject);
    subject->capacity = 0;
    const int32_t due = mel_objects_release_all(&subject->waiting);
    return due | MEL_REPORT(MEL_OP_QUEUE_DELETE, queue, 0, MEL_E_OK);
}

int32_t mel_objects_queue_send(mel_id_t queue, uint32_t message, mel_ticks_t timeout)
{
    MEL_REFUSE_WHEN(timeout != MEL_POLL && !mel_objects_may_block(), MEL_OP_QUEUE_SEND, queue, message, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_SEND, queue, message, MEL_E_ID);
    queue_t *subject = &queues[queue];
    if (subject->count < subject->capacity) { /* then it exists */
        mel_task_t *receiver = NULL;
        int32_t answer;
        if (subject->count == 0) {
            MEL_HAND_OVER(&subject->waiting, MEL_TRACE_COMMAND, MEL_REPORTED_OP(MEL_OP_QUEUE_SEND), queue, message, receiver, answer)
        }
        if (receiver != NULL) {
            receiver->word = message;
            return answer;
        }
        append(subject, message, MEL_MESSAGE_PRIORITY_LEAST);
        return MEL_REPORT(MEL_OP_QUEUE_SEND, queue, message, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(subject->capacity == 0, MEL_OP_QUEUE_SEND, queue, message, MEL_E_NOEXS);
    MEL_REFUSE_WHEN(timeout == MEL_POLL, MEL_OP_QUEUE_SEND, queue, message, MEL_E_TMOUT);
    mel_objects_self()->word = message;
    return MEL_WAIT_IN(&subject->waiting, MEL_OP_QUEUE_SEND, queue, message, timeout);
}

int32_t mel_objects_queue_receive(mel_id_t queue, mel_ticks_t timeout, uint32_t *message)
{
    MEL_REFUSE_WHEN(timeout != MEL_POLL && !mel_objects_may_block(), MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_ID);
    queue_t *subject = &queues[queue];
    if (subject->count != 0) { /* then it exists */
        mel_task_t *sender = NULL;
        int32_t answer;
        *message = take(subject);
        if (subject->count == subject->capacity - 1) {
            MEL_HAND_OVER(&subject->waiting, MEL_TRACE_COMMAND, MEL_REPORTED_OP(MEL_OP_QUEUE_RECEIVE), queue, timeout, sender, answer)
        }
        if (sender != NULL) {
            append(subject, sender->word, MEL_MESSAGE_PRIORITY_LEAST);
            return answer;
        }
        return MEL_REPORT(MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(subject->capacity == 0, MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_NOEXS);
    MEL_REFUSE_WHEN(timeout == MEL_POLL, MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_TMOUT);
    return MEL_WAIT_IN(&subject->waiting, MEL_OP_QUEUE_RECEIVE, queue, timeout, timeout);
}

/* By a call, or by an interrupt: reported as `kind`, a, b, c. */
static inline __attribute__((always_inline)) int32_t enter(mel_id_t queue, uint32_t message, uint32_t priority, uint32_t kind,
                                                           uint32_t a, uint32_t b, uint32_t c)
{
    queue_t *subject = &queues[queue];
    if (subject->capacity == 0) {
        return MEL_REPORT_AS(kind, a, b, c, MEL_E_NOEXS);
    }
    mel_task_t *receiver = NULL;
    int32_t answer;
    if (subject->count == 0) {
        MEL_HAND_OVER(&subject->waiting, kind, a, b, c, receiver, answer)
    }
    if (receiver != NULL) {
        receiver->word = message;
        return answer;
    }
    if (subject->count == subject->capacity) {
        return MEL_REPORT_AS(kind, a, b, c, MEL_E_QOVR);
    }
    append(subject, message, priority);
    return MEL_REPORT_AS(kind, a, b, c, MEL_E_OK);
}

static int32_t post(mel_id_t queue, uint32_t message, uint32_t priority)
{
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_POST, queue, message, MEL_E_ID);
    MEL_REFUSE_WHEN(priority > MEL_MESSAGE_PRIORITY_LEAST, MEL_OP_QUEUE_POST, queue, message, MEL_E_PAR);
    return enter(queue, message, priority, MEL_TRACE_COMMAND, MEL_REPORTED_OP(MEL_OP_QUEUE_POST), queue, message);
}

void mel_objects_queue_irq(mel_id_t irq, mel_id_t queue, uint32_t message)
{
    (void)enter(queue, message, MEL_MESSAGE_PRIORITY_LEAST, MEL_TRACE_IRQ, irq | MEL_IRQ_OF_C, MEL_IRQ_ACTION_QUEUE_POST, queue);
}

mel_status_t mel_queue_create(mel_id_t queue, uint32_t capacity)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, create(queue, capacity));
}

mel_status_t mel_queue_delete(mel_id_t queue)
{
    const uint32_t key = mel_unit_lock();
    return mel_objects_end(key, delete(queue));
}

mel_status_t mel_queue_send(mel_id_t queue, uint32_t message, mel_ticks_t timeout)
{
    const uint32_t key = mel_objects_lock_operand(timeout);
    return mel_objects_end(key, mel_objects_queue_send(queue, message, timeout));
}

mel_status_t mel_queue_receive(mel_id_t queue, mel_ticks_t timeout, uint32_t *message)
{
    const uint32_t key = mel_unit_lock();
    const int32_t answer = mel_objects_queue_receive(queue, timeout, message);
    const mel_status_t status = mel_objects_end(key, answer);
    if (answer > 0 && (answer & MEL_ANSWER_WAITING) != 0 && status == MEL_E_OK) {
        *message = mel_objects_self()->word;
    }
    return status;
}

mel_status_t mel_queue_post(mel_id_t queue, uint32_t message, uint32_t priority)
{
    const uint32_t key = mel_objects_lock_operand(priority);
    return mel_objects_end(key, post(queue, message, priority));
}

mel_status_t mel_queue_query(mel_id_t queue, uint32_t *count)
{
    if (mel_beyond(queue, MEL_QUEUES)) {
        return MEL_E_ID;
    }
    const queue_t now = {.both = *(volatile uint32_t *)&queues[queue].both};
    if (now.capacity == 0) {
        return MEL_E_NOEXS;
    }
    *count = now.count;
    return MEL_E_OK;
}
