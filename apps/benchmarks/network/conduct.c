/* SPDX-License-Identifier: Apache-2.0 */
/* conduct.c: the phases of the benchmark. Each compares what generator, MAC, interface and lwIP have counted. */
#include "network.h"

enum { MILLION = 1000000 };
enum { SAMPLES = MEL_ETHERNET_SAMPLES, FEW = 8, MANY = 128 }; /* frames */
enum { LOAD_CYCLES = 1250000 };                               /* longest phase with a load */
enum { SLOWEST = 16000, GRAIN = 250 };                        /* cycles: periods of the search */
enum { OVERHEAD = 66, BYTE_CYCLES = 8 };                      /* bytes of a frame beside its payload; cycles of a byte */

static const uint32_t rates[] = {2000, 6000, 12000}; /* frames in a second of 100 million cycles */
static const uint32_t sizes[] = {32, 1024};          /* bytes of payload */

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* A tracepoint marks the next instruction: one of its own, so that it is no mark's. */
#define REPORT(id, value)          \
    do {                           \
        MEL_TRACEPOINT(id, value); \
        __asm__ volatile("nop");   \
    } while (0)

static uint32_t millionths(uint32_t count, uint32_t of)
{
    return (uint32_t)(UINT64_C(1) * MILLION * count / of);
}

/* All frames of a gentle load are answered: the stack works, and knows the generator's address. */
static void meet(void)
{
    static const uint32_t forms[] = {FORM_ARP, FORM_ICMP, FORM_UDP};
    for (uint32_t i = 0; i < COUNT(forms); i++) {
        traffic(forms[i], sizes[0], MEL_CLOCK_HZ / rates[0], WIRE_CLEAN);
        const outcome_t outcome = run(FEW);
        MUST(outcome.replies == FEW && outcome.lost == 0);
    }
}

static void load(uint32_t rate, uint32_t wire, uint32_t size)
{
    const uint32_t period = MEL_CLOCK_HZ / rates[rate], frames = LOAD_CYCLES / period;
    const uint32_t parameter = rate | wire << 8 | size << 16;
    traffic(FORM_UDP, sizes[size], period, wire);
    MEL_MARK(MARK_BEGIN, PHASE_LOAD | parameter << 8);
    const outcome_t outcome = run(frames);
    const uint32_t missing = outcome.expected - outcome.replies;
    MUST(missing + outcome.corrupted >= outcome.lost + outcome.wrong_sums);
    MUST(missing == 0 || outcome.idle < outcome.cycles / 4); /* nothing is lost while there is time */
    for (uint32_t frame = 0; frame < frames; frame++) {
        const uint32_t cycles = get(MEL_ETHERNET_REGION_ROUND_TRIP(frame));
        if (cycles != 0) {
            REPORT(TRACEPOINT_ROUND_TRIP, cycles);
        }
    }
    const uint32_t answered = millionths(outcome.replies, outcome.expected), idle_share = millionths(outcome.idle, outcome.cycles);
    REPORT(TRACEPOINT_ANSWERED, answered);
    REPORT(TRACEPOINT_IDLE, idle_share);
    MEL_MARK(MARK_END, PHASE_LOAD | parameter << 8);
}

static bool all_answered(uint32_t size, uint32_t period)
{
    traffic(FORM_UDP, sizes[size], period, WIRE_CLEAN);
    return run(MANY).replies == MANY;
}

/* The shortest period at which every one of MANY frames is answered, to a granularity of GRAIN cycles. */
static void limit(uint32_t size)
{
    uint32_t fails = (sizes[size] + OVERHEAD) * BYTE_CYCLES, holds = SLOWEST;
    MEL_MARK(MARK_BEGIN, PHASE_LIMIT | size << 8);
    MUST(all_answered(size, holds));
    while (holds - fails > GRAIN) {
        const uint32_t period = (fails + holds) / 2;
        if (all_answered(size, period)) {
            holds = period;
        } else {
            fails = period;
        }
    }
    REPORT(TRACEPOINT_PERIOD, holds);
    MEL_MARK(MARK_END, PHASE_LIMIT | size << 8);
}

/* Frames one behind the other, as fast as the wire carries them. */
static void flood(uint32_t size)
{
    traffic(FORM_UDP, sizes[size], 0, WIRE_CLEAN);
    MEL_MARK(MARK_BEGIN, PHASE_FLOOD | size << 8);
    const outcome_t outcome = run(SAMPLES);
    const uint32_t rate = millionths(outcome.early, outcome.cycles);
    REPORT(TRACEPOINT_RATE, rate);
    MEL_MARK(MARK_END, PHASE_FLOOD | size << 8);
}

void conduct(void *unused)
{
    (void)unused;
    CHECK(mel_sem_take(SEMAPHORE_READY, MEL_FOREVER));
    meet();
    for (uint32_t size = 0; size < COUNT(sizes); size++) {
        for (uint32_t wire = 0; wire < WIRES; wire++) {
            for (uint32_t rate = 0; rate < COUNT(rates); rate++) {
                load(rate, wire, size);
            }
        }
        limit(size);
        flood(size);
        meet();
    }
    mel_exit(0);
}
