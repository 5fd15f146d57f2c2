/* SPDX-License-Identifier: Apache-2.0 */
/* room.c: waiting rooms, and how long a call may wait.
 *
 * A task whose time is over has left the semaphore's list before it runs again, and before that it may be called: the call then counts in the semaphore.
 * When it runs it finds `waiting` 0 and takes that call away; else it counts itself out. So nobody who waits is forgotten; that somebody is called
 * for nothing happens only after vTaskDelete of a task in that state, and costs a look. */
#include "layer.h"

/* Atomic sequences know semaphores where these are the unit's, or all is C: asked once, of the first that is made. */
static void check_kernel(mel_id_t semaphore)
{
    static volatile BaseType_t known;
    if (known) {
        return;
    }
    known = pdTRUE;
    const freertos_step_t step = freertos_begin();
    const int32_t answer = mel_compound_ask(MEL_OP_SEMAPHORE_TAKE, semaphore, MEL_POLL, 0, NULL);
    (void)freertos_end(step, MEL_E_OK, NULL);
    if (answer == MEL_E_RSFN) {
        freertos_refuse("the kernel " MEL_KERNEL_NAME " has semaphores that this layer cannot wait for in a step; run the program on sw, hwrtos, port or "
                        "banked");
    }
}

/* Semaphores from here on were in use when one was made last: the search begins below. A program's own calls and other cores may have changed that, so a search in
 * vain begins again at the last one. */
static volatile mel_id_t used_from = MEL_SEMAPHORES;

BaseType_t freertos_room_open(freertos_room_t *room)
{
    room->waiting = 0;
    for (mel_id_t from = used_from;; from = MEL_SEMAPHORES) {
        for (mel_id_t id = from; id-- > 0;) {
            if (mel_sem_create(id, 0, MEL_SEMAPHORE_COUNT_LIMIT) == MEL_E_OK) {
                check_kernel(id);
                room->semaphore = id;
                used_from = id;
                return pdPASS;
            }
        }
        if (from == MEL_SEMAPHORES) {
            freertos_limit_met = FREERTOS_SEMAPHORES;
            return pdFAIL;
        }
    }
}

void freertos_room_close(freertos_room_t *room)
{
    (void)mel_sem_delete(room->semaphore);
    if (room->semaphore >= used_from) {
        used_from = room->semaphore + 1;
    }
}

/* Ticks left of a timeout that is running, 0 or portMAX_DELAY. */
static inline TickType_t limit_rest(const freertos_limit_t *limit)
{
    if (limit->ticks == 0 || limit->ticks == portMAX_DELAY) {
        return limit->ticks;
    }
    uint64_t now;
    (void)mel_time_get(&now);
    const TickType_t gone = (TickType_t)now - limit->begun;
    return __builtin_expect(gone < limit->ticks, 1) ? limit->ticks - gone : 0;
}

static inline TickType_t limit_left(freertos_limit_t *limit)
{
    if (limit->running || limit->ticks == 0 || limit->ticks == portMAX_DELAY) {
        return limit_rest(limit);
    }
    uint64_t now;
    (void)mel_time_get(&now);
    limit->running = pdTRUE;
    limit->begun = (TickType_t)now;
    return limit->ticks;
}

TickType_t freertos_limit_left(freertos_limit_t *limit)
{
    return limit_left(limit);
}

BaseType_t freertos_wait_goes_on(mel_status_t status, freertos_limit_t *limit)
{
    freertos_switches++;
    if (status == MEL_E_OK) {
        return pdTRUE;
    }
#if configNUMBER_OF_CORES > 1
    if (status == MEL_E_CTX && !freertos_suspends()) { /* another core suspended the caller just before it waited */
        return pdTRUE;
    }
#endif
    freertos_task_t *self = freertos_self();
    if (status == MEL_E_RLWAI && self->resumed) { /* vTaskSuspend ended the wait: it begins again with the time that is left */
        self->resumed = 0;
        return pdTRUE;
    }
    limit->ticks = 0;
    return pdFALSE;
}

/* Whoever it is, and when the time began, is found out before the step: interrupts are off for little more than the command. */
void freertos_room_wait(freertos_room_t *room, const volatile UBaseType_t *count, UBaseType_t without, freertos_limit_t *limit)
{
    freertos_task_t *self = freertos_self();
    if (self == NULL) {
        limit->ticks = 0;
        return;
    }
    (void)limit_left(limit);
    self->room = room;
    const freertos_step_t step = freertos_begin_waiting(limit->ticks);
    const TickType_t left = __builtin_expect(*count == without, 1) ? limit_rest(limit) : 0;
    if (__builtin_expect(left == 0, 0)) {
        limit->ticks = *count == without ? 0 : limit->ticks;
        (void)freertos_end(step, MEL_E_OK, NULL);
        self->room = NULL;
        return;
    }
    room->waiting++;
    const int32_t answer = mel_compound_ask(MEL_OP_SEMAPHORE_TAKE, room->semaphore, left, 0, NULL);
    const mel_status_t status = freertos_end(step, answer, NULL);
    (void)freertos_wait_goes_on(status, limit);
    if (status != MEL_E_OK) {
        const freertos_step_t after = freertos_begin();
        if (room->waiting > 0) {
            room->waiting--;
        } else {
            (void)mel_compound_ask(MEL_OP_SEMAPHORE_TAKE, room->semaphore, MEL_POLL, 0, NULL);
        }
        (void)freertos_end(after, MEL_E_OK, NULL);
    }
    self->room = NULL;
}

BaseType_t freertos_room_outranks(const freertos_room_t *room)
{
    if (room->waiting == 0) {
        return pdFALSE;
    }
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        const freertos_task_t *task = freertos_tasks[id];
        mel_task_info_t info;
        if (task != NULL && task->room == room && mel_task_query(id, &info) == MEL_E_OK && info.state == MEL_TASK_STATE_WAITING &&
            freertos_outranks(task)) {
            return pdTRUE;
        }
    }
    return pdFALSE;
}
