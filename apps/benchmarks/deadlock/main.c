/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: builds each graph, in the unit and in C, and gives the measured request to each of the three (deadlock.h). */
#include "deadlock.h"

_Static_assert(MEL_DEADLOCK_PROCESSES == PROCESSES && MEL_DEADLOCK_RESOURCES == PROCESSES, "the benchmark `deadlock` needs a unit of 16 and 16");

enum { ROUNDS = 4 };

static graph_t graph;

static __attribute__((noinline)) uint32_t by_unit(uint32_t process, uint32_t resource)
{
    MEL_TRACEPOINT(TRACEPOINT_START, 0);
    const uint32_t answer = mel_deadlock_command(MEL_DEADLOCK_COMMAND_REQUEST, process, resource);
    MEL_TRACEPOINT(TRACEPOINT_END, 0);
    return answer;
}

static __attribute__((noinline)) uint32_t by_reduction(uint32_t process, uint32_t resource)
{
    MEL_TRACEPOINT(TRACEPOINT_START, 0);
    const uint32_t answer = request_reduce(&graph, process, resource);
    MEL_TRACEPOINT(TRACEPOINT_END, 0);
    return answer;
}

static __attribute__((noinline)) uint32_t by_walk(uint32_t process, uint32_t resource)
{
    MEL_TRACEPOINT(TRACEPOINT_START, 0);
    const uint32_t answer = request_walk(&graph, process, resource);
    MEL_TRACEPOINT(TRACEPOINT_END, 0);
    return answer;
}

static void must(bool holds, uint32_t line)
{
    if (!holds) {
        wrong_status(line, MEL_E_SYS);
    }
}

static void wait(uint32_t process, uint32_t resource, uint32_t expected)
{
    must(request_walk(&graph, process, resource) == expected, __LINE__);
    must(mel_deadlock_command(MEL_DEADLOCK_COMMAND_REQUEST, process, resource) == expected, __LINE__);
}

/* Each process holds the resource of its number. Returns the measured request in `process`, `resource`, and its answer. */
static uint32_t build(uint32_t shape, uint32_t processes, uint32_t *process, uint32_t *resource)
{
    graph = (graph_t){0};
    (void)mel_deadlock_command(MEL_DEADLOCK_COMMAND_CLEAR, 0, 0);
    for (uint32_t i = 0; i < processes; i++) {
        wait(i, i, MEL_DEADLOCK_ANSWER_DONE);
    }
    const bool tail = shape == SHAPE_TAIL && processes > 2;
    if (tail) { /* 0 and 1 wait for each other, 2 for 1, 3 for 2, … */
        wait(0, 1, MEL_DEADLOCK_ANSWER_WAITS);
        wait(1, 0, MEL_DEADLOCK_ANSWER_DEADLOCK);
        for (uint32_t i = 2; i < processes - 1; i++) {
            wait(i, i - 1, MEL_DEADLOCK_ANSWER_WAITS);
        }
        *process = processes - 1;
        *resource = processes - 2;
        return MEL_DEADLOCK_ANSWER_WAITS;
    }
    for (uint32_t i = 1; i < processes - 1; i++) {
        wait(i, i + 1, MEL_DEADLOCK_ANSWER_WAITS);
    }
    if (shape == SHAPE_OPEN) {
        *process = 0;
        *resource = 1;
        return MEL_DEADLOCK_ANSWER_WAITS;
    }
    wait(0, 1, MEL_DEADLOCK_ANSWER_WAITS);
    *process = processes - 1;
    *resource = 0;
    return MEL_DEADLOCK_ANSWER_DEADLOCK;
}

static void measure(uint32_t phase, uint32_t (*request)(uint32_t process, uint32_t resource))
{
    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        for (uint32_t processes = 2; processes <= PROCESSES; processes *= 2) {
            begin(phase, shape | processes << 12);
            for (uint32_t i = 0; i < ROUNDS; i++) {
                uint32_t process = 0, resource = 0;
                const uint32_t expected = build(shape, processes, &process, &resource);
                must(request(process, resource) == expected, __LINE__);
            }
            end(phase, shape | processes << 12);
        }
    }
}

void conduct(void *unused)
{
    (void)unused;
    CHECK(mel_tick_set(0));
    mel_deadlock_boot();
    measure(PHASE_UNIT, by_unit);
    measure(PHASE_REDUCE, by_reduction);
    measure(PHASE_WALK, by_walk);
    mel_exit(0);
}
