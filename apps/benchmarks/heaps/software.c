/* SPDX-License-Identifier: Apache-2.0 */
/* software.c: the unit's algorithm in C (heaps.h; docs/explanation/dmmu.md): a bit for each block says whether it is free, two such bits whether a run of two begins
 * there, and so on; the binary digits of a length choose which runs are put together. As many steps as the length has digits, each over all words of the
 * bits. As for a command of the unit, interrupts are off, and memory is its owner's. */
#include "heaps.h"

#include <melanion/dmmu.h>
#include <melanion/irq_lock.h>

enum { WORDS = MEL_DMMU_BLOCKS / 32 };

typedef struct {
    uint32_t words[WORDS];
} bits_t;

static uint8_t memory[HEAP_BYTES] __attribute__((aligned(MEL_DMMU_BLOCK_BYTES)));
static bits_t unheld;
static uint16_t lengths[MEL_DMMU_BLOCKS]; /* blocks of the allocation that begins there; 0: none does */
static uint8_t owners[MEL_DMMU_BLOCKS];

/* into &= from, `by` positions on. */
static inline void meet(bits_t *into, const bits_t *from, uint32_t by)
{
    const uint32_t words = by / 32, shift = by % 32;
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint32_t low = i + words < WORDS ? from->words[i + words] : 0;
        const uint32_t high = i + words + 1 < WORDS ? from->words[i + words + 1] : 0;
        into->words[i] &= shift != 0 ? low >> shift | high << (32 - shift) : low;
    }
}

/* The first of the lowest `blocks` free blocks one behind the other; MEL_DMMU_BLOCKS: there are not so many. */
static uint32_t find(uint32_t blocks)
{
    bits_t run = unheld, fit;
    for (uint32_t i = 0; i < WORDS; i++) {
        fit.words[i] = UINT32_MAX;
    }
    uint32_t done = 0;
    for (uint32_t digit = 0; blocks >> digit != 0; digit++) {
        if (blocks >> digit & 1) {
            meet(&fit, &run, done);
            done += 1u << digit;
        }
        if (blocks >> digit != 1) {
            const bits_t half = run;
            meet(&run, &half, 1u << digit);
        }
    }
    for (uint32_t i = 0; i < WORDS; i++) {
        if (fit.words[i] != 0) {
            return i * 32 + (uint32_t)__builtin_ctz(fit.words[i]);
        }
    }
    return MEL_DMMU_BLOCKS;
}

/* Blocks become held, or free. */
static void change(uint32_t first, uint32_t blocks, bool held)
{
    while (blocks != 0) {
        const uint32_t at = first % 32, here = blocks < 32 - at ? blocks : 32 - at;
        const uint32_t mask = (here == 32 ? UINT32_MAX : (1u << here) - 1) << at;
        if (held) {
            unheld.words[first / 32] &= ~mask;
        } else {
            unheld.words[first / 32] |= mask;
        }
        first += here;
        blocks -= here;
    }
}

static void *alloc(size_t bytes)
{
    const mel_id_t task = mel_task_self();
    const uint32_t blocks = (bytes - 1) / MEL_DMMU_BLOCK_BYTES + 1;
    if (blocks > MEL_DMMU_BLOCKS) {
        return NULL;
    }
    const mel_irq_key_t key = mel_irq_lock();
    const uint32_t first = find(blocks);
    if (first != MEL_DMMU_BLOCKS) {
        change(first, blocks, true);
        lengths[first] = (uint16_t)blocks;
        owners[first] = (uint8_t)task;
    }
    mel_irq_unlock(key);
    return first != MEL_DMMU_BLOCKS ? memory + first * MEL_DMMU_BLOCK_BYTES : NULL;
}

static mel_status_t release(void *address)
{
    const mel_id_t task = mel_task_self();
    const uint32_t offset = (uint32_t)((uintptr_t)address - (uintptr_t)memory), first = offset / MEL_DMMU_BLOCK_BYTES;
    if (offset >= sizeof memory || offset % MEL_DMMU_BLOCK_BYTES != 0) {
        return MEL_E_PAR;
    }
    mel_status_t status = MEL_E_ILUSE;
    const mel_irq_key_t key = mel_irq_lock();
    if (lengths[first] != 0 && owners[first] == task) {
        change(first, lengths[first], false);
        lengths[first] = 0;
        status = MEL_E_OK;
    }
    mel_irq_unlock(key);
    return status;
}

EDGES(measured, alloc, (void)release)

static void reset(void)
{
    for (uint32_t i = 0; i < WORDS; i++) {
        unheld.words[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < MEL_DMMU_BLOCKS; i++) {
        lengths[i] = 0;
    }
}

static size_t left(void)
{
    size_t blocks = 0;
    for (uint32_t i = 0; i < MEL_DMMU_BLOCKS; i++) {
        blocks += unheld.words[i / 32] >> i % 32 & 1;
    }
    return blocks * MEL_DMMU_BLOCK_BYTES;
}

static size_t largest(void)
{
    size_t most = 0, run = 0;
    for (uint32_t i = 0; i < MEL_DMMU_BLOCKS; i++) {
        run = unheld.words[i / 32] >> i % 32 & 1 ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most * MEL_DMMU_BLOCK_BYTES;
}

static size_t taken(size_t bytes)
{
    return (bytes + MEL_DMMU_BLOCK_BYTES - 1) / MEL_DMMU_BLOCK_BYTES * MEL_DMMU_BLOCK_BYTES;
}

const heap_t heap_software = {reset, measured_alloc, measured_free, left, largest, taken};
