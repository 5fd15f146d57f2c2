/* SPDX-License-Identifier: Apache-2.0 */
/* task.h: tasks. Made, started, stopped, held and rescheduled here; the calls that only let time pass are in time.h.
 * Callers are named as in spec/commands.yaml: task, handler (a C interrupt handler), idle (main() before
 * mel_kernel_start). Each call may also return MEL_E_CTX, MEL_E_ID and MEL_E_NOEXS as melanion.h says. */
#ifndef MELANION_TASK_H
#define MELANION_TASK_H

#include <melanion/tracepoint.h>
#include <melanion/types.h>

typedef void (*mel_task_entry_t)(void *argument);

/* Attributes of a new task. The kernel copies them: they need not outlive the call. */
typedef struct {
    mel_task_entry_t entry;  /* first function; returning from it is mel_task_exit() */
    void *argument;          /* handed to `entry` */
    void *stack;             /* lowest address, a multiple of MEL_STACK_ALIGNMENT; see MEL_TASK_STACK */
    size_t stack_size;       /* bytes, a multiple of MEL_STACK_ALIGNMENT, at least MEL_STACK_MINIMUM */
    mel_priority_t priority; /* base priority, 0 … MEL_PRIORITIES - 1 */
    const char *name;        /* for messages and timelines, may be NULL; the string must stay */
} mel_task_attributes_t;

#define MEL_STACK_ALIGNMENT 16

/* Bytes: the full register frame of a preempted task (128), the frame of a blocking call (64), 16 that are never used, and
 * little for the task itself. */
#define MEL_STACK_MINIMUM 256

/* Define the static stack `name` of `size` bytes for task number `task`; both must be constants. The simulation then
 * stops the run, and names the task, in the cycle in which the stack pointer leaves the stacks of the program. */
#define MEL_TASK_STACK(name, task, size)                                                \
    static uint8_t name[(size)] __attribute__((aligned(MEL_STACK_ALIGNMENT)));          \
    MEL_STACK_RECORD(name, task, size)

/* Make task `task`, dormant; it may run on every core. Callers: task, handler, idle.
 * E_OK; E_PAR: priority out of range, no entry, stack missing, misaligned or too small; E_OBJ: it exists.
 * µITRON: cre_tsk. FreeRTOS: xTaskCreateStatic (which also starts it). */
mel_status_t mel_task_create(mel_id_t task, const mel_task_attributes_t *attributes);

/* Make a task as mel_task_create does, for core `core` (0 … MEL_CORES - 1) alone. Callers: task,
 * handler, idle. E_OK; E_PAR: also core out of range; E_OBJ: it exists.
 * µITRON: cre_tsk with a class (FMP). FreeRTOS: xTaskCreateStaticAffinitySet. */
mel_status_t mel_task_create_on(mel_id_t task, const mel_task_attributes_t *attributes, uint32_t core);

/* Remove a dormant task; its number and stack are free again. Callers: task, idle.
 * E_OK; E_OBJ: it is not dormant. µITRON: del_tsk. FreeRTOS: vTaskDelete of another task. */
mel_status_t mel_task_delete(mel_id_t task);

/* Dormant to ready, at its base priority, with no counted wake-up and no notification. Callers: task, handler, idle.
 * E_OK; E_OBJ: it is not dormant. µITRON: act_tsk without queueing. FreeRTOS: part of xTaskCreate. */
mel_status_t mel_task_start(mel_id_t task);

/* The calling task becomes dormant; dispatch is enabled. Callers: task. Does not return, except with E_CTX when it is
 * called from a handler or the idle context. µITRON: ext_tsk. FreeRTOS: vTaskDelete(NULL). */
mel_status_t mel_task_exit(void);

/* Another task becomes dormant, whatever it does or waits for. Callers: task, idle.
 * E_OK; E_ILUSE: it is the caller; E_OBJ: it is dormant. µITRON: ter_tsk. FreeRTOS: vTaskDelete. */
mel_status_t mel_task_terminate(mel_id_t task);

/* Hold a task until mel_task_resume; its wait, if any, goes on meanwhile. Suspensions do not nest. Callers: task,
 * handler, idle. MEL_SELF is allowed.
 * E_OK; E_CTX: it runs with dispatch disabled; E_OBJ: dormant; E_QOVR: suspended already.
 * µITRON: sus_tsk. FreeRTOS: vTaskSuspend. */
mel_status_t mel_task_suspend(mel_id_t task);

/* End a suspension; a task that becomes ready goes behind the others of its priority. Callers: task, handler, idle.
 * E_OK; E_OBJ: it is not suspended. µITRON: rsm_tsk. FreeRTOS: vTaskResume, xTaskResumeFromISR. */
mel_status_t mel_task_resume(mel_id_t task);

/* Change the current priority until the task exits; it goes behind the others of that priority, also in the list in
 * which it waits. Callers: task, handler, idle. MEL_SELF is allowed.
 * E_OK; E_PAR: priority out of range; E_OBJ: dormant. µITRON: chg_pri. FreeRTOS: vTaskPrioritySet. */
mel_status_t mel_task_set_priority(mel_id_t task, mel_priority_t priority);

/* The first task of a priority goes behind the others of it. Callers: task, handler, idle; MEL_OWN_PRIORITY: task.
 * E_OK; E_PAR: priority out of range. µITRON: rot_rdq. */
mel_status_t mel_task_rotate(mel_priority_t priority);

/* Let the other tasks of the caller's priority run first. Callers: task. E_OK.
 * µITRON: rot_rdq(TPRI_RUN). FreeRTOS: taskYIELD. POSIX: sched_yield. */
mel_status_t mel_task_yield(void);

/* End a task's wait, which then returns E_RLWAI. Callers: task, handler, idle.
 * E_OK; E_OBJ: it does not wait. µITRON: rel_wai. FreeRTOS: xTaskAbortDelay. */
mel_status_t mel_task_release(mel_id_t task);

/* Consume one wake-up, or wait for one at most `timeout` ticks (MEL_POLL: not at all, MEL_FOREVER: no limit).
 * Callers: task. E_OK; E_TMOUT; E_RLWAI when released. µITRON: slp_tsk, tslp_tsk. */
mel_status_t mel_task_sleep(mel_ticks_t timeout);

/* End a task's sleep, or count one wake-up for its next sleep (at most MEL_WAKEUPS_LIMIT). Callers: task, handler, idle.
 * MEL_SELF is allowed. E_OK; E_OBJ: dormant; E_QOVR: the count is at its limit.
 * µITRON: wup_tsk, iwup_tsk. */
mel_status_t mel_task_wakeup(mel_id_t task);

/* The task that runs, or was interrupted by the calling handler; MEL_TASKS: idle. Callers: any. No kernel call.
 * µITRON: get_tid. FreeRTOS: xTaskGetCurrentTaskHandle. */
mel_id_t mel_task_self(void);

/* State of a task (mel_task_query). */
typedef struct {
    uint32_t state;          /* MEL_TASK_STATE_… */
    mel_priority_t priority; /* current */
    uint32_t wakeups;        /* counted wake-ups */
    bool notified;           /* a notification is pending */
} mel_task_info_t;

/* Read the state of a task into `info`, which is written only with E_OK. Callers: any. MEL_SELF is allowed.
 * E_OK. µITRON: ref_tst. FreeRTOS: eTaskGetState, uxTaskPriorityGet. */
mel_status_t mel_task_query(mel_id_t task, mel_task_info_t *info);

#endif
