/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: makes the random traces, and gives each to both heaps (dmmu_trace.h). Each step chooses a place: an empty one asks for memory, another one gives its
 * own back. A place whose alloc failed counts as full, so that what is asked for does not depend on the heap. */
#include "dmmu_trace.h"

_Static_assert(MEL_DMMU_BLOCKS * MEL_DMMU_BLOCK_BYTES == HEAP_BYTES, "the benchmark `dmmu` needs a unit with 16 KiB");

enum { STEPS = 1500, SEED = 20010 };

/* As many places that half of them ask for three quarters of the heap. */
static const struct {
    uint32_t least, most, places;
} traces[TRACES] = {
    [TRACE_SMALL] = {.least = 8, .most = 64, .places = 682},
    [TRACE_MIXED] = {.least = 16, .most = 1023, .places = 100},
    [TRACE_LARGE] = {.least = 256, .most = 2047, .places = 21},
};

enum { PLACES = 682 };

typedef struct {
    uint32_t *memory; /* NULL: the place is empty, or its alloc failed */
    uint16_t words;
    bool full;
} place_t;

static place_t places[PLACES];
static uint32_t state;

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
    return least + below(traces[trace].most - least + 1);
}

static __attribute__((noinline)) void *by_unit(uint32_t bytes)
{
    MEL_TRACEPOINT(TRACEPOINT_ALLOC, 0);
    void *const memory = mel_dmmu_alloc(bytes);
    MEL_TRACEPOINT(TRACEPOINT_ALLOCATED, 0);
    return memory;
}

static __attribute__((noinline)) void *by_list(uint32_t bytes)
{
    MEL_TRACEPOINT(TRACEPOINT_ALLOC, 0);
    void *const memory = list_alloc(bytes);
    MEL_TRACEPOINT(TRACEPOINT_ALLOCATED, 0);
    return memory;
}

static __attribute__((noinline)) void to_unit(void *memory)
{
    MEL_TRACEPOINT(TRACEPOINT_FREE, 0);
    const mel_status_t status = mel_dmmu_free(memory);
    MEL_TRACEPOINT(TRACEPOINT_FREED, 0);
    CHECK(status);
}

static __attribute__((noinline)) void to_list(void *memory)
{
    MEL_TRACEPOINT(TRACEPOINT_FREE, 0);
    list_free(memory);
    MEL_TRACEPOINT(TRACEPOINT_FREED, 0);
}

/* Would the memory be enough if it were in one? */
static bool enough(uint32_t way, uint32_t bytes)
{
    if (way == WAY_LIST) {
        return list_left() >= bytes + LIST_HEADER;
    }
    mel_dmmu_info_t info;
    mel_dmmu_query(&info);
    return info.free * MEL_DMMU_BLOCK_BYTES >= bytes;
}

static void fill(place_t *place, uint32_t word)
{
    for (uint32_t i = 0; i < place->words; i += 16) {
        place->memory[i] = word;
    }
    place->memory[place->words - 1] = word;
}

static void look(const place_t *place, uint32_t word)
{
    for (uint32_t i = 0; i < place->words; i += 16) {
        must(place->memory[i] == word, __LINE__);
    }
    must(place->memory[place->words - 1] == word, __LINE__);
}

static void give_back(uint32_t way, uint32_t number)
{
    place_t *const place = &places[number];
    if (place->memory != NULL) {
        look(place, number);
        (way == WAY_UNIT ? to_unit : to_list)(place->memory);
    }
    *place = (place_t){0};
}

static uint32_t millionths(uint32_t count, uint32_t of)
{
    return (uint32_t)(UINT64_C(1000000) * count / of);
}

static void measure(uint32_t way, uint32_t trace)
{
    uint32_t asked = 0, failed = 0, scattered = 0;
    state = SEED;
    begin(PHASE_RUN, way | trace << 12);
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t number = below(traces[trace].places), bytes = draw(trace);
        place_t *const place = &places[number];
        if (place->full) {
            give_back(way, number);
            continue;
        }
        asked++;
        *place = (place_t){.memory = (way == WAY_UNIT ? by_unit : by_list)(bytes), .words = (uint16_t)(bytes / sizeof(uint32_t)), .full = true};
        if (place->memory != NULL) {
            fill(place, number);
        } else {
            failed++;
            scattered += enough(way, bytes);
        }
    }
    for (uint32_t number = 0; number < traces[trace].places; number++) {
        give_back(way, number);
    }
    const uint32_t share = millionths(failed, asked), share_scattered = millionths(scattered, asked);
    MEL_TRACEPOINT(TRACEPOINT_FAILED, share);
    MEL_TRACEPOINT(TRACEPOINT_SCATTERED, share_scattered);
    end(PHASE_RUN, way | trace << 12);
}

void conduct(void *unused)
{
    (void)unused;
    CHECK(mel_tick_set(0));
    mel_dmmu_boot();
    list_reset();
    for (uint32_t trace = 0; trace < TRACES; trace++) {
        for (uint32_t way = 0; way < WAYS; way++) {
            measure(way, trace);
        }
    }
    must(list_left() == HEAP_BYTES - LIST_HEADER, __LINE__);
    mel_dmmu_info_t info;
    mel_dmmu_query(&info);
    must(info.free == MEL_DMMU_BLOCKS, __LINE__);
    mel_exit(0);
}
