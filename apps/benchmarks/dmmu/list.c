/* SPDX-License-Identifier: Apache-2.0 */
/* list.c: a heap in C (dmmu_trace.h), with the smallest header and alignment that heap_4 can be built with. Interrupts are off meanwhile, as for a command of the
 * unit: the shortest lock that there is. */
#include "dmmu_trace.h"

#include <melanion/irq_lock.h>

typedef struct block {
    struct block *next; /* free block, by address */
    size_t size;        /* bytes with the header */
} block_t;

_Static_assert(sizeof(block_t) == LIST_HEADER, "a header has two words");

static uint8_t memory[HEAP_BYTES] __attribute__((aligned(8)));
static block_t first; /* the list begins here */
static size_t left;

void list_reset(void)
{
    block_t *const whole = (block_t *)memory;
    *whole = (block_t){.next = NULL, .size = HEAP_BYTES - LIST_HEADER}; /* heap_4 has an end mark */
    first.next = whole;
    left = whole->size;
}

/* Put a block where it belongs by address, and make it one with its neighbours. */
static inline void insert(block_t *block)
{
    block_t *before = &first;
    while (before->next != NULL && before->next < block) {
        before = before->next;
    }
    if (before != &first && (uint8_t *)before + before->size == (uint8_t *)block) {
        before->size += block->size;
        block = before;
    } else {
        block->next = before->next;
        before->next = block;
    }
    block_t *const behind = block->next;
    if (behind != NULL && (uint8_t *)block + block->size == (uint8_t *)behind) {
        block->size += behind->size;
        block->next = behind->next;
    }
}

void *list_alloc(size_t bytes)
{
    const size_t size = (bytes + LIST_HEADER + 7) & ~(size_t)7;
    const mel_irq_key_t key = mel_irq_lock();
    block_t *before = &first, *block = first.next;
    while (block != NULL && block->size < size) {
        before = block;
        block = block->next;
    }
    if (block != NULL) {
        if (block->size - size > 2 * LIST_HEADER) {
            block_t *const rest = (block_t *)((uint8_t *)block + size);
            *rest = (block_t){.next = block->next, .size = block->size - size};
            block->size = size;
            before->next = rest;
        } else {
            before->next = block->next;
        }
        left -= block->size;
    }
    mel_irq_unlock(key);
    return block != NULL ? block + 1 : NULL;
}

void list_free(void *memory)
{
    block_t *const block = (block_t *)memory - 1;
    const mel_irq_key_t key = mel_irq_lock();
    left += block->size;
    insert(block);
    mel_irq_unlock(key);
}

size_t list_left(void)
{
    return left;
}
