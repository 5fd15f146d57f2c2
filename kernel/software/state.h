/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: the data of the software kernel, and what its files share.
 * Everything here is touched inside critical sections only (interface lock). The order of checks and the effects are those of the golden model
 * (melanion/model), which judges every run. */
#ifndef MEL_SOFTWARE_STATE_H
#define MEL_SOFTWARE_STATE_H

#include <melanion/melanion.h>

#include "common/link.h"
#include "common/number.h"
#include "common/context.h"
#include "common/current/current.h"
#include "software/lock/lock.h"
#include "software/trace.h"

/* Why a task is not runnable: bits of mel_task_t.held. None: ready or running. Bits that the calls test most are the lowest:
 * compressed instructions have constants of 6 bits. */
#define MEL_HELD_SLEEP 1u
#define MEL_HELD_DELAY 2u
#define MEL_HELD_LISTED 4u /* waits for an object, in its wait list */
#define MEL_HELD_MUTEX 8u  /* with MEL_HELD_LISTED: the object is a mutex, whose owner inherits */
#define MEL_HELD_NOTIFICATION 16u
#define MEL_HELD_WAITING (MEL_HELD_SLEEP | MEL_HELD_DELAY | MEL_HELD_LISTED | MEL_HELD_MUTEX | MEL_HELD_NOTIFICATION)
#define MEL_HELD_DORMANT 32u
#define MEL_HELD_SUSPENDED 64u
#define MEL_HELD_ABSENT 128u /* does not exist */
#define MEL_HELD_TIMER MEL_HELD_DORMANT /* with MEL_HELD_LISTED: is no task, but the timeout of a timer (timer.c) */

/* The slice of a task (quantum.c): used up, or its turn was lost while dispatch is disabled, so that no tick counts. */
#define MEL_SLICE_OVER 1u
#define MEL_SLICE_LOST 2u

typedef struct {
    _Alignas(32) mel_context_t context; /* first: a task's context is the task. 96 bytes are indexed by a shift and an addition */
    mel_link_t queue;      /* in a ready list, or among the waiting tasks of equal priority */
    mel_link_t group;      /* wait list: the first task of a priority stands for it; next NULL: this is not the first */
    mel_link_t *list;      /* the wait list in which it is */
    mel_link_t timer;      /* in the list of timeouts; next NULL: no timeout */
    mel_ticks_t delta;     /* ticks after the timeout before it in that list */
    union {
        uint32_t state;    /* all of these: the store that makes a task ready begins its slice, too */
        struct {
            uint8_t held;  /* MEL_HELD_… */
            uint8_t slice; /* MEL_SLICE_… */
            uint16_t used; /* ticks of its slice */
        };
    };
    mel_link_t owned;      /* the list of the mutexes that it owns */
    uint8_t priority;      /* the base priority, or what it inherits */
    uint8_t base_priority; /* the initial one, or of mel_task_set_priority */
    uint8_t initial_priority;
    uint8_t wakeups;
    uint8_t mode;          /* waits for event flags: MEL_FLAGS_…; for a notification: KEEP_… (notification.c) */
    bool notified;         /* a notification is pending */
    uint8_t affinity, runs_on; /* several cores (software/run_queue/affinity.h): on which it may run, 0: any; which one runs it, 0: none. Both counted from 1 */
    uint32_t pattern;      /* the flags it waits for; or the bits of its notification value that its wait clears */
    uint32_t word;         /* the message that it waits to send; or what its wait brought */
    uint32_t notification; /* value */
} mel_task_t;

/* The last one is idle (of core 0): always ready, below every priority. */
extern mel_task_t mel_tasks[MEL_TASKS + 1];
#define MEL_NOBODY (&mel_tasks[MEL_TASKS])
#define MEL_IDLE ((mel_task_t *)(void *)MEL_CORE_IDLE)

static inline mel_task_t *mel_running_task(void)
{
    return (mel_task_t *)mel_running;
}

/* The caller is neither a handler nor boot code. */
static inline bool mel_caller_is_task(void)
{
    return (mel_hold & MEL_HOLD_HANDLER) == 0 && mel_running_task() != MEL_IDLE;
}

/* The caller may wait. Idle never calls once dispatch is enabled. */
static inline bool mel_caller_may_block(void)
{
    return mel_hold == 0;
}

/* MEL_SELF becomes the caller's number, in a task. */
static inline mel_id_t mel_resolve(mel_id_t task)
{
    return task == MEL_SELF && (mel_hold & MEL_HOLD_HANDLER) == 0 ? mel_running->number : task;
}

/* Task `number` in *task, or why not. */
static inline mel_status_t mel_task_find(mel_id_t number, mel_task_t **task)
{
    if (mel_beyond(number, MEL_TASKS)) {
        return MEL_E_ID;
    }
    *task = &mel_tasks[number];
    return (*task)->held & MEL_HELD_ABSENT ? MEL_E_NOEXS : MEL_E_OK;
}

/* The timeout of a timer has expired. */
void mel_timer_expire(mel_task_t *limit);

/* Actions of an interrupt without a handler: calls without a caller. mel_flags_do_set reports edge
 * `irq` itself, because the releases come after it; with E_NOEXS it has not. */
mel_status_t mel_task_do_wakeup(mel_id_t number);
mel_status_t mel_task_do_release(mel_id_t number);
mel_status_t mel_sem_do_give(mel_id_t number);
mel_status_t mel_notification_do_set(mel_id_t number, uint32_t bits);
mel_status_t mel_notification_do_give(mel_id_t number);
mel_status_t mel_queue_do_post(mel_id_t number, uint32_t message);
mel_status_t mel_flags_do_set(mel_id_t number, uint32_t pattern, mel_id_t irq);

/* MEL_HOLD_SETTING: the tasks that the flags release leave at once, and the set is complete. */
void mel_flags_settle(void);

/* A line rises (interrupt.c). */
void mel_irq_edge(mel_id_t irq);

void mel_queue_boot(void);

#endif
