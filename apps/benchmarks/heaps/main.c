/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: makes the random traces, and gives each to the three heaps (heaps.h). Each step chooses a place: an empty one asks for memory, another one gives its own
 * back. A place whose alloc failed counts as full, so that what is asked for does not depend on the heap. */
#include "heaps.h"

#include <melanion/dmmu.h>

_Static_assert(MEL_DMMU_BLOCKS * MEL_DMMU_BLOCK_BYTES == HEAP_BYTES, "the benchmark `heaps` needs a unit with 16 KiB");

enum { STEPS = 1500, SEED = 20010 };

/* As many places that half of them ask for three quarters of the heap. */
static const struct {
    uint32_t least, most, places;
} traces[TRACES] = {
    [TRACE_SMALL] = {.least = 8, .most = 64, .places = 682},
    [TRACE_MIXED] = {.least = 16, .most = 1023, .places = 100},
    [TRACE_LARGE] = {.least = 256, .most = 2047, .places = 21},
    [TRACE_FRAMES] = {.least = 40, .most = 1536, .places = 59},
};

enum { PLACES = 682 };

typedef struct {
    uint32_t *memory; /* NULL: the place is empty, or its alloc failed */
    uint16_t bytes;
    bool full;
} place_t;

static const heap_t *const heaps[WAYS] = {[WAY_HEAP_4] = &heap_4, [WAY_UNIT] = &heap_unit, [WAY_SOFTWARE] = &heap_software};
static place_t places[PLACES];
static uint32_t state;
static size_t asked_now, held_now; /* bytes of the allocations that are held: as asked for, and as taken */

static void must(bool holds, uint32_t line)
{
    if (!holds) {
        wrong_status(line, MEL_E_SYS);
    }
}

static uint32_t below(uint32_t limit)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
}

static uint32_t draw(uint32_t trace)
{
    const uint32_t least = traces[trace].least;
    if (trace == TRACE_MIXED) {
        const uint32_t low = least << below(6);
        return low + below(low);
    }
    if (trace == TRACE_FRAMES) {
        return below(4) != 0 ? 40 + below(25) : 1500 + below(37);
    }
    return least + below(traces[trace].most - least + 1);
}

static void fill(place_t *place, uint32_t word)
{
    const uint32_t words = place->bytes / sizeof(uint32_t);
    for (uint32_t i = 0; i < words; i += 16) {
        place->memory[i] = word;
    }
    place->memory[words - 1] = word;
}

static void look(const place_t *place, uint32_t word)
{
    const uint32_t words = place->bytes / sizeof(uint32_t);
    for (uint32_t i = 0; i < words; i += 16) {
        must(place->memory[i] == word, __LINE__);
    }
    must(place->memory[words - 1] == word, __LINE__);
}

static void give_back(const heap_t *heap, uint32_t number)
{
    place_t *const place = &places[number];
    if (place->memory != NULL) {
        look(place, number);
        heap->release(place->memory);
        asked_now -= place->bytes;
        held_now -= heap->taken(place->bytes);
    }
    *place = (place_t){0};
}

static uint32_t millionths(uint32_t count, uint32_t of)
{
    return of != 0 ? (uint32_t)(UINT64_C(1000000) * count / of) : 0;
}

static void sample(const heap_t *heap)
{
    const uint32_t largest = heap->largest(), waste = millionths(held_now - asked_now, held_now);
    MEL_TRACEPOINT(TRACEPOINT_LARGEST, largest);
    MEL_TRACEPOINT(TRACEPOINT_WASTE, waste);
}

static void measure(uint32_t way, uint32_t trace)
{
    const heap_t *const heap = heaps[way];
    uint32_t asked = 0, failed = 0, scattered = 0;
    heap->reset();
    const size_t whole = heap->left();
    state = SEED;
    asked_now = held_now = 0;
    begin(PHASE_RUN, way | trace << 12);
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t number = below(traces[trace].places), bytes = draw(trace);
        place_t *const place = &places[number];
        if (step % SAMPLED == SAMPLED - 1) {
            sample(heap);
        }
        if (place->full) {
            give_back(heap, number);
            continue;
        }
        asked++;
        *place = (place_t){.memory = heap->alloc(bytes), .bytes = (uint16_t)bytes, .full = true};
        if (place->memory != NULL) {
            asked_now += bytes;
            held_now += heap->taken(bytes);
            fill(place, number);
        } else {
            failed++;
            scattered += heap->left() >= heap->taken(bytes);
        }
    }
    for (uint32_t number = 0; number < traces[trace].places; number++) {
        give_back(heap, number);
    }
    const uint32_t share = millionths(failed, asked), share_scattered = millionths(scattered, asked);
    MEL_TRACEPOINT(TRACEPOINT_FAILED, share);
    MEL_TRACEPOINT(TRACEPOINT_SCATTERED, share_scattered);
    end(PHASE_RUN, way | trace << 12);
    must(heap->left() == whole, __LINE__);
}

void conduct(void *unused)
{
    (void)unused;
    CHECK(mel_tick_set(0));
    for (uint32_t trace = 0; trace < TRACES; trace++) {
        for (uint32_t way = 0; way < WAYS; way++) {
            measure(way, trace);
        }
    }
    mel_exit(0);
}
