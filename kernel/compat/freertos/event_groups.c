/* SPDX-License-Identifier: Apache-2.0 */
/* event_groups.c: groups of 24 event bits. Bits are kept here, and which tasks wait for what, in the order in which they came; a waiting task sleeps in the
 * kernel (mel_task_sleep). Whoever sets bits judges all tasks by the same bits, and then clears what those that go on have asked to be cleared.
 * Groups are touched by tasks only (handlers ask the timer task), with dispatch disabled or in a step. Timing: grows with the tasks that wait. */
#include "event_groups.h"
#include "layer.h"

#define BITS UINT32_C(0x00FFFFFF)
#define CLEAR UINT32_C(0x01000000) /* in `wanted`: clear them on exit */
#define ALL UINT32_C(0x02000000)   /* all of them, not any */

typedef struct freertos_group {
    volatile EventBits_t bits;
    freertos_task_t *waiters;
    uint8_t on_heap;
} freertos_group_t;

_Static_assert(sizeof(freertos_group_t) <= sizeof(StaticEventGroup_t), "an event group fits its static buffer");

EventGroupHandle_t xEventGroupCreateStatic(StaticEventGroup_t *pxEventGroupBuffer)
{
    freertos_group_t *group = (freertos_group_t *)pxEventGroupBuffer;
    configASSERT(group != NULL);
    if (group != NULL) {
        *group = (freertos_group_t){0};
        traceEVENT_GROUP_CREATE(group);
    }
    return group;
}

EventGroupHandle_t xEventGroupCreate(void)
{
    freertos_group_t *group = pvPortMalloc(sizeof *group);
    if (group != NULL) {
        *group = (freertos_group_t){.on_heap = 1};
        traceEVENT_GROUP_CREATE(group);
    } else {
        traceEVENT_GROUP_CREATE_FAILED();
    }
    return group;
}

static BaseType_t holds(EventBits_t bits, uint32_t wanted)
{
    const EventBits_t found = bits & wanted & BITS;
    return (wanted & ALL) != 0 ? found == (wanted & BITS) : found != 0;
}

/* In a step: a waiting task goes on, with these bits. Dispatch is disabled: it does not run yet. */
static void call(freertos_task_t *task, EventBits_t bits)
{
    task->wanted = bits;
    task->called = 1;
    (void)mel_compound_ask(MEL_OP_TASK_WAKEUP, task->id, 0, 0, NULL);
}

/* In a step: a task in the list has slept there, and its time is over, though it has not run since: it is no longer called. */
static BaseType_t over(const freertos_task_t *task)
{
    mel_task_info_t info;
    return task->sleeps && mel_task_query(task->id, &info) == MEL_E_OK && info.state != MEL_TASK_STATE_WAITING;
}

/* Steps of a call that has disabled dispatch: on one core nothing comes between its PARTs; with
 * several cores the WHOLE is one step. */
#if configNUMBER_OF_CORES > 1
#define WHOLE_BEGIN() const freertos_step_t whole = freertos_begin()
#define WHOLE_END() ((void)freertos_end(whole, MEL_E_OK, NULL))
#define PART_BEGIN()
#define PART_END()
#else
#define WHOLE_BEGIN()
#define WHOLE_END()
#define PART_BEGIN() const freertos_step_t step = freertos_begin()
#define PART_END() ((void)freertos_end(step, MEL_E_OK, NULL))
#endif

/* Dispatch is disabled: set bits, call all that have waited for them, clear what they have asked for. */
static void set(freertos_group_t *group, EventBits_t bits)
{
    EventBits_t cleared = 0;
    PART_BEGIN();
    group->bits |= bits & BITS;
    for (freertos_task_t **link = &group->waiters; *link != NULL;) {
        freertos_task_t *task = *link;
        if (!holds(group->bits, task->wanted) || over(task)) {
            link = &task->next_waiter;
            continue;
        }
        *link = task->next_waiter;
        if ((task->wanted & CLEAR) != 0) {
            cleared |= task->wanted & BITS;
        }
        call(task, group->bits);
    }
    group->bits &= ~cleared;
    PART_END();
}

void vEventGroupDelete(EventGroupHandle_t xEventGroup)
{
    configASSERT(xEventGroup != NULL);
    vTaskSuspendAll();
    traceEVENT_GROUP_DELETE(xEventGroup);
    const freertos_step_t step = freertos_begin();
    while (xEventGroup->waiters != NULL) {
        freertos_task_t *task = xEventGroup->waiters;
        xEventGroup->waiters = task->next_waiter;
        call(task, 0);
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    if (xEventGroup->on_heap) {
        vPortFree(xEventGroup);
    }
    (void)xTaskResumeAll();
}

/* In a step: the caller is the last one in the list. It may be called from then on. */
static void enlist(freertos_group_t *group, uint32_t wanted)
{
    freertos_task_t *self = freertos_self();
    freertos_task_t **link = &group->waiters;
    while (*link != NULL) {
        link = &(*link)->next_waiter;
    }
    *link = self;
    self->next_waiter = NULL;
    self->waits_in = &group->waiters;
    self->wanted = wanted;
    self->called = 0;
    self->sleeps = 0;
}

static void delist(freertos_group_t *group, freertos_task_t *self)
{
    for (freertos_task_t **link = &group->waiters; *link != NULL; link = &(*link)->next_waiter) {
        if (*link == self) {
            *link = self->next_waiter;
            return;
        }
    }
}

/* The caller, who is in the list, in a step, which this ends, sleeps until it is called, which may be so already. The bits when it goes on: those that it
 * was called with, or those that there are when its time is over, which may be the right ones nevertheless. */
static EventBits_t sleep(freertos_step_t step, freertos_group_t *group, uint32_t wanted, TickType_t ticks)
{
    freertos_task_t *self = freertos_self();
    self->sleeps = 1;
    const mel_status_t status = freertos_end(step, mel_compound_ask(MEL_OP_TASK_SLEEP, 0, ticks, 0, NULL), NULL);
    freertos_switches++;
    self->resumed = 0;
    const freertos_step_t after = freertos_begin();
    self->waits_in = NULL;
    EventBits_t bits = self->wanted;
    if (!self->called) {
        delist(group, self);
        bits = group->bits;
        if (holds(bits, wanted) && (wanted & CLEAR) != 0) {
            group->bits = bits & ~(wanted & BITS);
        }
    } else if (status != MEL_E_OK) { /* called when its time was over: the wake-up has been counted */
        (void)mel_compound_ask(MEL_OP_TASK_SLEEP, 0, MEL_POLL, 0, NULL);
    }
    (void)freertos_end(after, MEL_E_OK, NULL);
    return bits;
}

EventBits_t xEventGroupWaitBits(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToWaitFor, const BaseType_t xClearOnExit,
                                const BaseType_t xWaitForAllBits, TickType_t xTicksToWait)
{
    configASSERT(xEventGroup != NULL && (uxBitsToWaitFor & ~BITS) == 0 && uxBitsToWaitFor != 0);
    const uint32_t wanted = (uxBitsToWaitFor & BITS) | (xClearOnExit ? CLEAR : 0) | (xWaitForAllBits ? ALL : 0);
    const freertos_step_t step = freertos_begin_waiting(xTicksToWait);
    const EventBits_t bits = xEventGroup->bits;
    const BaseType_t met = holds(bits, wanted);
    if (!met && xTicksToWait != 0) {
        FREERTOS_TRACE(traceEVENT_GROUP_WAIT_BITS_BLOCK(xEventGroup, uxBitsToWaitFor));
        enlist(xEventGroup, wanted);
        const EventBits_t found = sleep(step, xEventGroup, wanted, xTicksToWait);
        traceEVENT_GROUP_WAIT_BITS_END(xEventGroup, uxBitsToWaitFor, holds(found, wanted) ? pdFALSE : pdTRUE);
        return found;
    }
    if (met && xClearOnExit) {
        xEventGroup->bits &= ~(uxBitsToWaitFor & BITS);
    }
    FREERTOS_TRACE(traceEVENT_GROUP_WAIT_BITS_END(xEventGroup, uxBitsToWaitFor, met ? pdFALSE : pdTRUE));
    (void)freertos_end(step, MEL_E_OK, NULL);
    return bits;
}

EventBits_t xEventGroupSetBits(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToSet)
{
    configASSERT(xEventGroup != NULL && (uxBitsToSet & ~BITS) == 0);
    vTaskSuspendAll();
    traceEVENT_GROUP_SET_BITS(xEventGroup, uxBitsToSet);
    WHOLE_BEGIN();
    set(xEventGroup, uxBitsToSet);
    const EventBits_t bits = xEventGroup->bits;
    WHOLE_END();
    (void)xTaskResumeAll();
    return bits;
}

EventBits_t xEventGroupClearBits(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToClear)
{
    configASSERT(xEventGroup != NULL && (uxBitsToClear & ~BITS) == 0);
    const freertos_step_t step = freertos_begin();
    FREERTOS_TRACE(traceEVENT_GROUP_CLEAR_BITS(xEventGroup, uxBitsToClear));
    const EventBits_t bits = xEventGroup->bits;
    xEventGroup->bits = bits & ~(uxBitsToClear & BITS);
    (void)freertos_end(step, MEL_E_OK, NULL);
    return bits;
}

/* Set, then wait for all and clear them: nobody comes between. When all bits are there with the caller's own, its partners go on by the same set. Else
 * the caller is in the list before it sets: what others do before it sleeps is not missed. */
EventBits_t xEventGroupSync(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToSet, const EventBits_t uxBitsToWaitFor,
                            TickType_t xTicksToWait)
{
    configASSERT(xEventGroup != NULL && (uxBitsToWaitFor & ~BITS) == 0 && uxBitsToWaitFor != 0);
    const uint32_t wanted = (uxBitsToWaitFor & BITS) | CLEAR | ALL;
    vTaskSuspendAll();
    traceEVENT_GROUP_SET_BITS(xEventGroup, uxBitsToSet);
    WHOLE_BEGIN();
    const EventBits_t bits = xEventGroup->bits | (uxBitsToSet & BITS);
    const BaseType_t met = holds(bits, wanted);
    if (met || xTicksToWait == 0) {
        set(xEventGroup, uxBitsToSet);
        const EventBits_t found = met ? bits : xEventGroup->bits;
        if (met) {
            xEventGroup->bits &= ~(uxBitsToWaitFor & BITS);
        }
        WHOLE_END();
        (void)xTaskResumeAll();
        traceEVENT_GROUP_SYNC_END(xEventGroup, uxBitsToSet, uxBitsToWaitFor, met ? pdFALSE : pdTRUE);
        return found;
    }
    PART_BEGIN();
    enlist(xEventGroup, wanted);
    PART_END();
    set(xEventGroup, uxBitsToSet);
    WHOLE_END();
    traceEVENT_GROUP_SYNC_BLOCK(xEventGroup, uxBitsToSet, uxBitsToWaitFor);
    (void)xTaskResumeAll();
    const EventBits_t found = sleep(freertos_begin_waiting(xTicksToWait), xEventGroup, wanted, xTicksToWait);
    traceEVENT_GROUP_SYNC_END(xEventGroup, uxBitsToSet, uxBitsToWaitFor, holds(found, wanted) ? pdFALSE : pdTRUE);
    return found;
}

EventBits_t xEventGroupGetBitsFromISR(EventGroupHandle_t xEventGroup)
{
    return xEventGroup->bits;
}

/* ---- for handlers -------------------------------------------------------------------------------------------------------- */

#if configUSE_TIMERS
static void set_later(void *group, uint32_t bits)
{
    (void)xEventGroupSetBits(group, bits);
}

static void clear_later(void *group, uint32_t bits)
{
    (void)xEventGroupClearBits(group, bits);
}

BaseType_t xEventGroupSetBitsFromISR(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToSet, BaseType_t *pxHigherPriorityTaskWoken)
{
    traceEVENT_GROUP_SET_BITS_FROM_ISR(xEventGroup, uxBitsToSet);
    return xTimerPendFunctionCallFromISR(set_later, xEventGroup, uxBitsToSet, pxHigherPriorityTaskWoken);
}

BaseType_t xEventGroupClearBitsFromISR(EventGroupHandle_t xEventGroup, const EventBits_t uxBitsToClear)
{
    traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(xEventGroup, uxBitsToClear);
    return xTimerPendFunctionCallFromISR(clear_later, xEventGroup, uxBitsToClear, NULL);
}
#endif
