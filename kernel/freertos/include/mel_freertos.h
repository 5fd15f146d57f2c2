/* SPDX-License-Identifier: Apache-2.0 */
/* mel_freertos.h: what the inline calls of Melanion over FreeRTOS share: objects by number, the caller, the end of a wait that failed.
 * Timing: a handle of a constant number is a constant address, and the tests below vanish where their operands are constant. */
#ifndef MEL_FREERTOS_H
#define MEL_FREERTOS_H

#include <FreeRTOS.h>
#include <event_groups.h>
#include <queue.h>
#include <semphr.h>
#include <task.h>

#include <melanion/types.h>

/* Inline wherever it is called; the public headers declare the function. */
#define MEL_FREERTOS_CALL extern inline __attribute__((gnu_inline, always_inline))

/* A task's control block: its handle is its address, its number a shift away. */
typedef struct {
    _Alignas(128) StaticTask_t block;
} mel_freertos_task_t;

/* Behind the tasks with numbers: the idle task and that of main(). */
#define MEL_FREERTOS_TASKS (MEL_TASKS + 2)
extern mel_freertos_task_t mel_freertos_tasks[MEL_FREERTOS_TASKS];
extern StaticSemaphore_t mel_freertos_semaphores[MEL_SEMAPHORES];
extern StaticSemaphore_t mel_freertos_mutexes[MEL_MUTEXES];
extern StaticEventGroup_t mel_freertos_flags[MEL_EVENT_FLAGS];
extern StaticQueue_t mel_freertos_queues[MEL_QUEUES];

static inline TaskHandle_t mel_freertos_task(mel_id_t task)
{
    return task == MEL_SELF ? xTaskGetCurrentTaskHandle() : (TaskHandle_t)&mel_freertos_tasks[task];
}

static inline UBaseType_t mel_freertos_priority(mel_priority_t priority)
{
    return configMAX_PRIORITIES - 1 - priority;
}

/* The caller is a handler: it must make the …FromISR call, and `mel_freertos_due` then says that a switch is due. */
extern BaseType_t mel_freertos_due;
extern uint8_t mel_interrupt_stack[];
static inline bool mel_freertos_in_handler(void)
{
#ifdef MEL_HANDLERS_MAKE_NO_CALLS
    return false;
#else
    uintptr_t sp;
    __asm__("mv %0, sp" : "=r"(sp));
    return __builtin_expect(sp - (uintptr_t)mel_interrupt_stack <= 2048, 0); /* MEL_INTERRUPT_STACK_BYTES (checked by freertos/boot.c) */
#endif
}

/* Number of waits that were released and have not returned yet. */
extern volatile uint32_t mel_freertos_releases;

/* The status of a wait that failed: E_RLWAI, and the release is forgotten; E_DLT; else E_TMOUT. */
mel_status_t mel_freertos_failed(mel_ticks_t timeout);

static inline mel_status_t mel_freertos_end(mel_ticks_t timeout)
{
    if (timeout == MEL_POLL || (timeout != MEL_FOREVER && mel_freertos_releases == 0)) {
        return MEL_E_TMOUT;
    }
    return mel_freertos_failed(timeout);
}

/* The caller is a task. FreeRTOS's yields do not tell the compiler that other code runs. */
#define mel_freertos_barrier() __asm__ volatile("" : : : "memory")

#endif
