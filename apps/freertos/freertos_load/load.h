/* SPDX-License-Identifier: Apache-2.0 */
/* load.h: what the groups of the program share. A group is a few tasks that check each other; it counts its passes, and main.c ends the run when one stops. */
#ifndef LOAD_H
#define LOAD_H

#include "FreeRTOS.h"
#include "event_groups.h"
#include "message_buffer.h"
#include "queue.h"
#include "semphr.h"
#include "stream_buffer.h"
#include "task.h"
#include "timers.h"

typedef struct {
    const char *name;
    void (*begin)(void); /* makes objects and tasks, before the scheduler starts */
    volatile uint32_t passes;
} group_t;

/* The groups, each in the file that has its name or its kind. */
#define EACH_GROUP(of)                                                                                                            \
    of(blocking_queues) of(polled_queue) of(mailbox) of(peeked_queue) of(queue_set)                                                \
    of(guarded) of(counting) of(recursive) of(inheritance) of(two_mutexes)                                                         \
    of(event_bits) of(rendezvous) of(event_bits_of_handlers)                                                                       \
    of(notified) of(notified_by_value) of(notified_by_handlers)                                                                    \
    of(stream) of(messages) of(echo) of(stream_of_handlers)                                                                        \
    of(timers) of(pended_calls)                                                                                                    \
    of(deletion) of(suspension) of(aborted_waits) of(slices) of(priorities) of(registers)                                          \
    of(periods) of(time_limits) of(held_scheduler) of(objects) of(memory)                                                          \
    of(interrupts_of_three_lines) of(critical_sections)
#define DECLARED(group) extern group_t group;
EACH_GROUP(DECLARED)

/* End the run with the group's name and `what`. */
_Noreturn void fail(const group_t *group, const char *what);

static inline void check(const group_t *group, BaseType_t good, const char *what)
{
    if (!good) {
        fail(group, what);
    }
}

/* A task of a group, which never returns. */
TaskHandle_t start(TaskFunction_t code, const char *name, UBaseType_t priority, void *parameters);

/* Let others run, so long that all groups together leave the core some time. */
enum { PACE = 3 };

static inline void rest(TickType_t turns)
{
    vTaskDelay(PACE * turns);
}

/* The next number of a sequence, 0 … below - 1. */
uint32_t draw(uint32_t *state, uint32_t below);

/* Let a handler run at random times, `minimum` to `maximum` cycles apart, for as long as the program runs. */
void pulses(uint32_t line, void (*handler)(void), uint32_t minimum, uint32_t maximum);

/* Lines of the groups. */
enum { LINE_FIRST = 3, LINE_SECOND, LINE_THIRD, LINE_SET, LINE_BITS, LINE_NOTIFY, LINE_STREAM, LINE_CRITICAL };

#endif
