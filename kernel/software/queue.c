/* SPDX-License-Identifier: Apache-2.0 */
/* queue.c: message queues of the software kernel. Checks and effects as melanion/model/queue.py. Each call is one critical
 * section; deleting a queue releases all its waiting tasks in it. */
#include "common/messages.h"
#include "software/call.h"

typedef struct {
    mel_wait_list_t waiting; /* receivers while it is empty, senders while it is full */
    uint16_t count, capacity; /* capacity 0: does not exist */
    mel_messages_t messages;
} queue_t;

static queue_t queues[MEL_QUEUES + 1]; /* C has no empty array: the last ones are never used */
static mel_message_t messages[MEL_MESSAGES + 1];
static mel_message_t *unused; /* messages of no queue; never too few, because queues reserve theirs */
static uint32_t unreserved = MEL_MESSAGES;

void mel_queue_boot(void)
{
    for (uint32_t i = 0; i < MEL_MESSAGES; i++) {
        messages[i].next = unused;
        unused = &messages[i];
    }
}

/* The queue of a number that is in range. Its address is hidden from the compiler, which else makes it anew for each field. */
static inline queue_t *queue_of(mel_id_t queue)
{
    queue_t *subject = &queues[queue];
    __asm__("" : "+r"(subject));
    return subject;
}

static inline void append(queue_t *subject, uint32_t word, uint32_t priority)
{
    mel_message_t *message = unused;
    unused = message->next;
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

mel_status_t mel_queue_create(mel_id_t queue, uint32_t capacity)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_ID);
    MEL_REFUSE_WHEN(capacity == 0 || capacity > MEL_MESSAGES, MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_PAR);
    queue_t *subject = &queues[queue];
    MEL_REFUSE_WHEN(subject->capacity != 0, MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_OBJ);
    MEL_REFUSE_WHEN(capacity > unreserved, MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_NOMEM);
    unreserved -= capacity;
    mel_wait_init(&subject->waiting);
    subject->capacity = (uint16_t)capacity;
    return mel_leave(key, MEL_OP_QUEUE_CREATE, queue, capacity, MEL_E_OK);
}

static void empty(queue_t *subject)
{
    unused = mel_messages_empty(&subject->messages, unused);
    subject->count = 0;
}

mel_status_t mel_queue_delete(mel_id_t queue)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_hold & MEL_HOLD_HANDLER, MEL_OP_QUEUE_DELETE, queue, 0, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_DELETE, queue, 0, MEL_E_ID);
    queue_t *subject = &queues[queue];
    MEL_REFUSE_WHEN(subject->capacity == 0, MEL_OP_QUEUE_DELETE, queue, 0, MEL_E_NOEXS);
    unreserved += subject->capacity;
    empty(subject);
    subject->capacity = 0;
    MEL_TRACE_STORE(MEL_TRACE_COMMAND, MEL_TRACE_OP(MEL_OP_QUEUE_DELETE), queue, 0, MEL_E_OK, subject->messages.present, 0);
    mel_release_all(&subject->waiting);
    return mel_leave_reported(key);
}

/* The first waiting receiver of a queue that has no message; NULL: none. */
static inline mel_task_t *receiver_of(queue_t *subject)
{
    return subject->count == 0 ? mel_wait_first(&subject->waiting) : NULL;
}

static inline void hand_over(mel_task_t *receiver, uint32_t message)
{
    receiver->word = message;
    mel_end_wait(receiver, MEL_E_OK);
}

/* The blocking halves of calls; apart, so that the other halves are leaves. */
static __attribute__((noinline)) mel_status_t wait_to_send(queue_t *subject, mel_id_t queue, uint32_t message,
                                                           mel_ticks_t timeout)
{
    mel_task_t *running = mel_running_task();
    mel_run_queue_remove(running);
    mel_wait_insert(&subject->waiting, running);
    running->word = message;
    return mel_wait(MEL_OP_QUEUE_SEND, queue, message, MEL_HELD_LISTED, timeout);
}

static __attribute__((noinline)) mel_status_t wait_to_receive(queue_t *subject, mel_id_t queue, mel_ticks_t timeout,
                                                              uint32_t *message)
{
    mel_task_t *running = mel_running_task();
    mel_run_queue_remove(running);
    mel_wait_insert(&subject->waiting, running);
    const mel_status_t status = mel_wait(MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_HELD_LISTED, timeout);
    if (status == MEL_E_OK) {
        *message = running->word;
    }
    return status;
}

mel_status_t mel_queue_send(mel_id_t queue, uint32_t message, mel_ticks_t timeout)
{
    const mel_key_t key = mel_lock_operand(timeout);
    MEL_REFUSE_WHEN(timeout != MEL_POLL && !mel_caller_may_block(), MEL_OP_QUEUE_SEND, queue, message, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_SEND, queue, message, MEL_E_ID);
    queue_t *subject = queue_of(queue);
    if (subject->count < subject->capacity) { /* then it exists */
        mel_task_t *receiver = receiver_of(subject);
        if (receiver != NULL) {
            hand_over(receiver, message);
            return mel_leave_dispatch(key, MEL_OP_QUEUE_SEND, queue, message);
        }
        append(subject, message, MEL_MESSAGE_PRIORITY_LEAST);
        return mel_leave(key, MEL_OP_QUEUE_SEND, queue, message, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(subject->capacity == 0, MEL_OP_QUEUE_SEND, queue, message, MEL_E_NOEXS);
    MEL_REFUSE_WHEN(timeout == MEL_POLL, MEL_OP_QUEUE_SEND, queue, message, MEL_E_TMOUT);
    return wait_to_send(subject, queue, message, timeout);
}

mel_status_t mel_queue_receive(mel_id_t queue, mel_ticks_t timeout, uint32_t *message)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(timeout != MEL_POLL && !mel_caller_may_block(), MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_CTX);
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_ID);
    queue_t *subject = queue_of(queue);
    if (subject->count != 0) { /* then it exists */
        *message = take(subject);
        mel_task_t *sender = mel_wait_first(&subject->waiting);
        if (__builtin_expect(sender == NULL, 1)) {
            return mel_leave(key, MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_OK);
        }
        append(subject, sender->word, MEL_MESSAGE_PRIORITY_LEAST);
        mel_end_wait(sender, MEL_E_OK);
        return mel_leave_dispatch(key, MEL_OP_QUEUE_RECEIVE, queue, timeout);
    }
    MEL_REFUSE_WHEN(subject->capacity == 0, MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_NOEXS);
    MEL_REFUSE_WHEN(timeout == MEL_POLL, MEL_OP_QUEUE_RECEIVE, queue, timeout, MEL_E_TMOUT);
    return wait_to_receive(subject, queue, timeout, message);
}

mel_status_t mel_queue_post(mel_id_t queue, uint32_t message, uint32_t priority)
{
    const mel_key_t key = mel_lock_operand(priority);
    MEL_REFUSE_WHEN(mel_beyond(queue, MEL_QUEUES), MEL_OP_QUEUE_POST, queue, message, MEL_E_ID);
    MEL_REFUSE_WHEN(priority > MEL_MESSAGE_PRIORITY_LEAST, MEL_OP_QUEUE_POST, queue, message, MEL_E_PAR);
    queue_t *subject = queue_of(queue);
    MEL_REFUSE_WHEN(subject->capacity == 0, MEL_OP_QUEUE_POST, queue, message, MEL_E_NOEXS);
    mel_task_t *receiver = receiver_of(subject);
    if (receiver != NULL) {
        hand_over(receiver, message);
        return mel_leave_dispatch(key, MEL_OP_QUEUE_POST, queue, message);
    }
    MEL_REFUSE_WHEN(subject->count == subject->capacity, MEL_OP_QUEUE_POST, queue, message, MEL_E_QOVR);
    append(subject, message, priority);
    return mel_leave(key, MEL_OP_QUEUE_POST, queue, message, MEL_E_OK);
}

mel_status_t mel_queue_do_post(mel_id_t number, uint32_t message)
{
    queue_t *subject = &queues[number];
    if (subject->capacity == 0) {
        return MEL_E_NOEXS;
    }
    mel_task_t *receiver = receiver_of(subject);
    if (receiver != NULL) {
        hand_over(receiver, message);
    } else if (subject->count == subject->capacity) {
        return MEL_E_QOVR;
    } else {
        append(subject, message, MEL_MESSAGE_PRIORITY_LEAST);
    }
    return MEL_E_OK;
}

mel_status_t mel_queue_query(mel_id_t queue, uint32_t *count)
{
    if (mel_beyond(queue, MEL_QUEUES)) {
        return MEL_E_ID;
    }
    const mel_key_t key = mel_lock();
    const queue_t *subject = &queues[queue];
    const mel_status_t status = subject->capacity != 0 ? MEL_E_OK : MEL_E_NOEXS;
    if (status == MEL_E_OK) {
        *count = subject->count;
    }
    mel_unlock(key);
    return status;
}
