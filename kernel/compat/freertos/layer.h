/* SPDX-License-Identifier: Apache-2.0 */
/* layer.h: what the files of the layer share (docs/decisions/0026-freertos-api.md). Its data is touched in steps only, where not said otherwise. */
#ifndef FREERTOS_LAYER_H
#define FREERTOS_LAYER_H

#include "FreeRTOS.h"
#include "task.h"
#include "trace.h"

#include <melanion/compound.h>
#include <melanion/melanion.h>

_Static_assert(configMAX_PRIORITIES >= 1 && configMAX_PRIORITIES <= MEL_PRIORITIES,
               "FreeRTOSConfig.h: configMAX_PRIORITIES is out of range, allowed is 1 to the priorities of the system " MEL_SYSTEM_NAME
               "; lower it, or raise parameters: priorities of the configuration");

#define FREERTOS_TEXT(number) #number
#define FREERTOS_TEXT_OF(number) FREERTOS_TEXT(number)
_Static_assert(configNUMBER_OF_CORES == 1 || configNUMBER_OF_CORES == MEL_CORES,
               "FreeRTOSConfig.h: configNUMBER_OF_CORES is " FREERTOS_TEXT_OF(configNUMBER_OF_CORES) ", allowed is 1 (all tasks then run on core 0) or "
               FREERTOS_TEXT_OF(MEL_CORES) ", the cores of the system " MEL_SYSTEM_NAME "; correct it, or name another system");

/* ---- steps: atomic sequences (melanion/compound.h) that may be inside a critical section of the program ------------------ */

typedef struct {
    mel_compound_t key;
    UBaseType_t nesting; /* the critical section goes on when the task runs again; other tasks that run meanwhile are in none */
} freertos_step_t;

#if configNUMBER_OF_CORES > 1 /* cores.c */

/* In a critical section a call that may let another task run does so when the section ends: until then dispatch is disabled. */
void freertos_postpone(void);

/* The caller's critical sections end, if there are any: it is going to wait; how many there were. */
UBaseType_t freertos_critical_leave(void);
void freertos_critical_again(UBaseType_t nesting);

/* The calling task has suspended the scheduler, and so keeps its core. */
BaseType_t freertos_suspends(void);

/* A task that ends gives up whatever it keeps the others out with. */
void freertos_give_up(void);

/* Whoever was about to enter a critical section without having seen that the caller has suspended the scheduler, has seen it, or is out again. */
void freertos_settle(void);

static inline freertos_step_t freertos_begin(void)
{
    freertos_postpone();
    return (freertos_step_t){.key = mel_compound_begin()};
}

/* A step in which the caller may wait, unless `ticks` is 0: others may enter critical sections meanwhile. */
static inline freertos_step_t freertos_begin_waiting(TickType_t ticks)
{
    const UBaseType_t nesting = ticks != 0 ? freertos_critical_leave() : 0;
    freertos_step_t step = freertos_begin();
    step.nesting = nesting;
    return step;
}

static inline mel_status_t freertos_end(freertos_step_t step, int32_t answer, uint32_t *value)
{
    const mel_status_t status = mel_compound_end(step.key, answer, value);
    const UBaseType_t nesting = step.nesting;
    if (nesting != 0) {
        freertos_critical_again(nesting);
    }
    return status;
}

/* A call of the kernel outside of steps, after which other tasks may have run; one in which the caller may wait, unless `ticks` is 0. */
#define FREERTOS_CALL(status, call)                         \
    do {                                                    \
        freertos_postpone();                                \
        (status) = (call);                                  \
    } while (0)
#define FREERTOS_WAIT(status, ticks, call)                                            \
    do {                                                                              \
        const UBaseType_t nesting_ = (ticks) != 0 ? freertos_critical_leave() : 0;    \
        freertos_postpone();                                                          \
        (status) = (call);                                                            \
        if (nesting_ != 0) {                                                          \
            freertos_critical_again(nesting_);                                        \
        }                                                                             \
    } while (0)

/* The caller is surely in no critical section. */
#define FREERTOS_OUTSIDE() pdFALSE

/* A short section keeps interrupts out, no other core: a step does what it could do. */
#define FREERTOS_HAS_SHORT 0

/* Around what only one task may do at a time: on one core nothing that is so leaves the kernel. */
#define FREERTOS_ALONE_BEGIN() vTaskSuspendAll()
#define FREERTOS_ALONE_END() ((void)xTaskResumeAll())

#else

static inline freertos_step_t freertos_begin(void)
{
    freertos_step_t step = {.key = mel_compound_begin()};
    step.nesting = freertos_nesting;
    freertos_nesting = 0;
    return step;
}

static inline void freertos_critical_again(UBaseType_t nesting)
{
    if (nesting != 0) {
        portDISABLE_INTERRUPTS();
        freertos_nesting = nesting;
    }
}

static inline mel_status_t freertos_end(freertos_step_t step, int32_t answer, uint32_t *value)
{
    const mel_status_t status = mel_compound_end(step.key, answer, value);
    freertos_critical_again(step.nesting);
    return status;
}

#define freertos_begin_waiting(ticks) freertos_begin()

/* A call of the kernel outside of steps, after which other tasks may have run. */
#define FREERTOS_CALL(status, call)                         \
    do {                                                    \
        const UBaseType_t nesting_ = freertos_nesting;      \
        freertos_nesting = 0;                               \
        (status) = (call);                                  \
        freertos_critical_again(nesting_);                  \
    } while (0)
#define FREERTOS_WAIT(status, ticks, call) FREERTOS_CALL(status, call)

#define FREERTOS_OUTSIDE() (freertos_nesting == 0)

/* A sequence without calls needs no step: interrupts are off from freertos_mask to freertos_unmask. */
#define FREERTOS_HAS_SHORT 1

#define FREERTOS_ALONE_BEGIN()
#define FREERTOS_ALONE_END()

#endif

/* ---- waiting rooms ------------------------------------------------------------------------------------------------------- */

/* Wait queue: a semaphore of the kernel, whose units are calls, nothing else. A called task checks
 * again what it waits for, as FreeRTOS does: another task may have taken it meanwhile.
 * `waiting`: tasks in the semaphore's list, and those that have timed out and have not run since,
 * less the calls for these. */
typedef struct {
    mel_id_t semaphore;
    UBaseType_t waiting;
} freertos_room_t;

/* Timeout of a call: portMAX_DELAY, or `ticks` from `begun` on, once it is `running`. 0: it waits
 * no longer. */
typedef struct {
    TickType_t ticks;
    TickType_t begun;
    BaseType_t running;
} freertos_limit_t;

BaseType_t freertos_room_open(freertos_room_t *room); /* pdFAIL: no semaphore is left */
void freertos_room_close(freertos_room_t *room);

/* The caller, outside of a step, waits while `count` is `without` (0, or the length of the queue) until it is called or its time is over; then it looks again. */
void freertos_room_wait(freertos_room_t *room, const volatile UBaseType_t *count, UBaseType_t without, freertos_limit_t *limit);

/* The last command of a step: call the most urgent waiting task, if there is one. To be given to freertos_end. */
static inline int32_t freertos_room_call(freertos_room_t *room)
{
    if (room->waiting == 0) {
        return MEL_E_OK;
    }
    room->waiting--;
    return mel_compound_ask(MEL_OP_SEMAPHORE_GIVE, room->semaphore, 0, 0, NULL);
}

/* In a step: the task that a call would release is more urgent than the one that the handler has interrupted. */
BaseType_t freertos_room_outranks(const freertos_room_t *room);

/* The time that is left; the clock starts with the first question. */
TickType_t freertos_limit_left(freertos_limit_t *limit);

/* After a wait that ended with `status`: whether the call goes on: it was called, or it was suspended meanwhile; else its time is over. */
BaseType_t freertos_wait_goes_on(mel_status_t status, freertos_limit_t *limit);

/* ---- tasks ---------------------------------------------------------------------------------------------------------------- */

typedef enum { FREERTOS_NOT_NOTIFIED, FREERTOS_WAITS, FREERTOS_NOTIFIED } freertos_notified_t;

/* State of a task in the layer, beside the kernel's: in the program's memory or on the heap.
 * FREERTOS_TASK_WORDS counts its words. */
typedef struct freertos_task {
    mel_id_t id;
    TaskFunction_t code;
    void *parameters;
    uint8_t *stack;
    size_t stack_bytes;
    UBaseType_t base;      /* priority, without what mutexes add */
    UBaseType_t number;    /* tasks are counted as they are made */
    freertos_room_t *room; /* in which it waits, or did last */
    TaskHookFunction_t tag;
    struct freertos_task *next_ended;  /* in the list of tasks whose memory is still to be freed */
    struct freertos_task *next_waiter; /* in the list of an event group; sleeps there */
    uint32_t wanted;                   /* event bits, and flags of event_groups.c; then those that it got */
    uint8_t on_heap, resumed, ended;
    uint8_t called, sleeps; /* called: by an event group; sleeps: in the kernel, not only in the list */
    uint8_t locks;          /* waits for a mutex: inheritance.c */
    uint8_t keeps, kept;    /* `kept` is the kernel's base priority instead of `base`, by its number in the kernel, if it `keeps` one */
    struct freertos_task **waits_in; /* the list of `next_waiter` */
    char name[(configMAX_TASK_NAME_LEN + 3) / 4 * 4];
    uint32_t values[configTASK_NOTIFICATION_ARRAY_ENTRIES]; /* notification values; index 0 is the kernel's */
    uint8_t notified[(configTASK_NOTIFICATION_ARRAY_ENTRIES + 3) / 4 * 4];
#if configNUMBER_OF_CORES > 1
    UBaseType_t affinity; /* as it was given */
#endif
#if configNUM_THREAD_LOCAL_STORAGE_POINTERS > 0
    void *locals[configNUM_THREAD_LOCAL_STORAGE_POINTERS];
#endif
} freertos_task_t;

extern freertos_task_t *volatile freertos_tasks[MEL_TASKS + 1]; /* by number in the kernel; the last one is nobody */
#if configNUMBER_OF_CORES > 1
extern volatile mel_id_t freertos_tasks_end;                    /* no task has ever had this number or a larger one */
#endif
extern volatile BaseType_t freertos_scheduler;                  /* taskSCHEDULER_… */
extern volatile UBaseType_t freertos_switches;                  /* grows whenever a task goes on after others have run */
extern uint32_t freertos_started;                               /* clock cycles, with configGENERATE_RUN_TIME_STATS; else 0 */
extern TickType_t freertos_offset;                              /* tick count minus the kernel's */

/* The running task; in a handler the interrupted one; NULL: none. */
static inline freertos_task_t *freertos_self(void)
{
    return freertos_tasks[mel_task_self()];
}

static inline freertos_task_t *freertos_of(TaskHandle_t task)
{
    return task != NULL ? task : freertos_self();
}

static inline mel_priority_t freertos_urgency(UBaseType_t priority)
{
    return configMAX_PRIORITIES - 1u - priority;
}

static inline UBaseType_t freertos_priority(mel_priority_t urgency)
{
    return urgency < configMAX_PRIORITIES ? configMAX_PRIORITIES - 1u - urgency : 0;
}

/* Base priority of a task in the kernel. */
static inline mel_priority_t freertos_kernel_urgency(const freertos_task_t *task)
{
    return task->keeps ? task->kept : freertos_urgency(task->base);
}

/* A task keeps no priority; nor, when it is deleted, does it wait for a mutex. */
#if configUSE_EXACT_INHERITANCE
#define freertos_keep_no_longer(task)
#define freertos_inherit_no_longer(task)
#else
void freertos_keep_no_longer(freertos_task_t *task);
void freertos_inherit_no_longer(freertos_task_t *task);
#endif

/* Current priority of a task in the kernel, 0 the most urgent. */
mel_priority_t freertos_urgency_of(const freertos_task_t *task);

/* In a handler: `task` is more urgent than the interrupted one. */
BaseType_t freertos_outranks(const freertos_task_t *task);

/* Free the memory of tasks that have ended themselves. */
void freertos_reap(void);

/* A task of the layer's own, made when the scheduler starts. */
TaskHandle_t freertos_own_task(TaskFunction_t code, const char *name, configSTACK_DEPTH_TYPE depth, UBaseType_t priority);
void freertos_timers_start(void);

/* Limits of the system. Whoever finds none left of a kind notes it; the creation fails as it does without memory, and the program's call, the first of its
 * kind, prints the limit, its own name, the address behind it (melanion/run/limits.py has its line) and which key raises the limit. */
typedef enum { FREERTOS_NO_LIMIT, FREERTOS_TASKS, FREERTOS_SEMAPHORES, FREERTOS_MUTEXES } freertos_limited_t;
extern volatile freertos_limited_t freertos_limit_met;
void freertos_tell_limit(const char *call, const void *from);

/* In a call of the program: result of a creation, NULL where it failed. In line, so that the address is that of the program. */
static inline __attribute__((always_inline)) void *freertos_created(void *object, const char *call)
{
    if (__builtin_expect(object == NULL, 0)) {
        freertos_tell_limit(call, __builtin_return_address(0));
    }
    return object;
}

/* End the run with a sentence: the program asks for what this system cannot give. */
_Noreturn void freertos_refuse(const char *text);

#endif
