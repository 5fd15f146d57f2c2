/* SPDX-License-Identifier: Apache-2.0 */
/* tm_messages.h: the messages of Thread-Metric over queues of words; a part of tm_porting_layer.c.
 * A message travels as the address of a slot: 16 bytes are copied into it, and out of it. Each thread has slots of its own for each queue, in a ring, so that it
 * takes one without asking anybody: only it takes them, and whoever received a message gives its slot back with one store. There is always a free one while the queue has
 * room: MESSAGES stand in the queue at most, and no thread but the sender holds more than one that it has received and not copied yet. */
#ifndef TM_MESSAGES_H
#define TM_MESSAGES_H

typedef struct slot {
    struct slot *next; /* in the ring of the thread that sends with it */
    volatile unsigned long taken;
    unsigned long words[4];
} slot_t;

static slot_t slots[TM_OBJECTS][TM_THREADS][MESSAGES + TM_THREADS];
static slot_t *rings[TM_OBJECTS][TM_THREADS]; /* the slot that a thread tries first */

int tm_queue_create(int queue_id)
{
    if (!numbers(queue_id)) {
        return TM_ERROR;
    }
    for (uint32_t thread = 0; thread < TM_THREADS; thread++) {
        slot_t *ring = slots[queue_id][thread];
        for (uint32_t i = 0; i < MESSAGES + TM_THREADS; i++) {
            ring[i].next = &ring[(i + 1) % (MESSAGES + TM_THREADS)];
        }
        rings[queue_id][thread] = ring;
    }
    return result(mel_queue_create((mel_id_t)queue_id, MESSAGES));
}

/* All loads first: none is waited for. */
static inline void copy(unsigned long *to, const unsigned long *from)
{
    const unsigned long first = from[0], second = from[1], third = from[2], fourth = from[3];
    to[0] = first;
    to[1] = second;
    to[2] = third;
    to[3] = fourth;
}

int tm_queue_send(int queue_id, unsigned long *message_ptr)
{
    const mel_id_t self = mel_task_self();
    slot_t *slot = numbers(queue_id) && self < TM_THREADS ? rings[queue_id][self] : NULL;
    if (slot == NULL) {
        return TM_ERROR;
    }
    while (__builtin_expect(slot->taken, 0)) {
        slot = slot->next;
    }
    slot->taken = 1;
    rings[queue_id][self] = slot->next;
    copy(slot->words, message_ptr);
    const mel_status_t status = mel_queue_send((mel_id_t)queue_id, (uint32_t)(uintptr_t)slot, MEL_POLL);
    if (__builtin_expect(status != MEL_E_OK, 0)) {
        slot->taken = 0;
        return TM_ERROR;
    }
    return TM_SUCCESS;
}

int tm_queue_receive(int queue_id, unsigned long *message_ptr)
{
    uint32_t word;
    if (mel_queue_receive((mel_id_t)queue_id, MEL_POLL, &word) != MEL_E_OK) {
        return TM_ERROR;
    }
    slot_t *slot = (slot_t *)(uintptr_t)word;
    copy(message_ptr, slot->words);
    __asm__ volatile("" : : : "memory"); /* the sender may write it behind the next store */
    slot->taken = 0;
    return TM_SUCCESS;
}

#endif
