/* SPDX-License-Identifier: Apache-2.0 */
/* software.c: detection in C: the unit's reduction a resource at a time, each with all processes at once in a word; and a walk. Interrupts are off meanwhile,
 * as for a command of the unit. */
#include "deadlock.h"

#include <melanion/irq_lock.h>

/* Processes in a deadlock. */
static inline uint32_t reduce(const graph_t *graph)
{
    uint32_t processes = (1u << PROCESSES) - 1, resources = processes;
    for (;;) {
        uint32_t some_wait = 0, some_hold = 0, left = resources;
        for (uint32_t rest = resources; rest != 0; rest &= rest - 1) {
            const uint32_t r = (uint32_t)__builtin_ctz(rest);
            const uint32_t by = graph->waits[r] & processes, holder = graph->holder[r] & processes;
            if (by == 0 || holder == 0) {
                left &= ~(1u << r);
            }
            some_wait |= by;
            some_hold |= holder;
        }
        const uint32_t stay = processes & some_wait & some_hold;
        if (stay == 0 || left == 0) {
            return 0;
        }
        if (stay == processes && left == resources) {
            return stay;
        }
        processes = stay;
        resources = left;
    }
}

/* Does the process wait for itself? */
static inline bool walk(const graph_t *graph, uint32_t process)
{
    uint32_t reached = 0;
    for (uint32_t ahead = 1u << process; ahead != 0;) {
        const uint32_t at = (uint32_t)__builtin_ctz(ahead);
        ahead &= ahead - 1;
        for (uint32_t wanted = graph->wanted[at]; wanted != 0; wanted &= wanted - 1) {
            const uint32_t found = graph->holder[__builtin_ctz(wanted)] & ~reached;
            reached |= found;
            ahead |= found;
        }
        if (reached >> process & 1) {
            return true;
        }
    }
    return false;
}

/* Add the edge of a request; the answer as long as nobody has looked for a cycle. */
static inline uint32_t join(graph_t *graph, uint32_t process, uint32_t resource)
{
    const uint32_t mine = 1u << process;
    if (process >= PROCESSES || resource >= PROCESSES || graph->holder[resource] == mine || (graph->waits[resource] & mine) != 0) {
        return MEL_DEADLOCK_ANSWER_NONE;
    }
    if (graph->holder[resource] == 0 && graph->waits[resource] == 0) {
        graph->holder[resource] = mine;
        return MEL_DEADLOCK_ANSWER_DONE;
    }
    graph->waits[resource] |= mine;
    graph->wanted[process] |= 1u << resource;
    return MEL_DEADLOCK_ANSWER_WAITS;
}

uint32_t request_reduce(graph_t *graph, uint32_t process, uint32_t resource)
{
    const mel_irq_key_t key = mel_irq_lock();
    uint32_t answer = join(graph, process, resource);
    if (answer == MEL_DEADLOCK_ANSWER_WAITS && (reduce(graph) >> process & 1) != 0) {
        answer = MEL_DEADLOCK_ANSWER_DEADLOCK;
    }
    mel_irq_unlock(key);
    return answer;
}

uint32_t request_walk(graph_t *graph, uint32_t process, uint32_t resource)
{
    const mel_irq_key_t key = mel_irq_lock();
    uint32_t answer = join(graph, process, resource);
    if (answer == MEL_DEADLOCK_ANSWER_WAITS && walk(graph, process)) {
        answer = MEL_DEADLOCK_ANSWER_DEADLOCK;
    }
    mel_irq_unlock(key);
    return answer;
}
