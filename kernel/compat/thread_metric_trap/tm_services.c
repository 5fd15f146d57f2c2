/* SPDX-License-Identifier: Apache-2.0 */
/* tm_services.c: what the trap calls: the services of ../thread_metric, the same C, under names of their own, in machine mode. Those that tests call
 * are in tm_trap.S. A thread begins in user mode. */
#define tm_initialize layer_initialize
#define tm_thread_create layer_thread_create
#define tm_thread_resume served_thread_resume
#define tm_thread_suspend served_thread_suspend
#define tm_thread_relinquish served_thread_relinquish
#define tm_thread_sleep served_thread_sleep
#define tm_queue_create served_queue_create
#define tm_queue_send served_queue_send
#define tm_queue_receive served_queue_receive
#define tm_semaphore_create served_semaphore_create
#define tm_semaphore_get served_semaphore_get
#define tm_semaphore_put served_semaphore_put
#define tm_memory_pool_create served_memory_pool_create
#define tm_memory_pool_allocate served_memory_pool_allocate
#define tm_memory_pool_deallocate served_memory_pool_deallocate
#define tm_cause_interrupt served_cause_interrupt
#define tm_nothing served_nothing
#include "../thread_metric/tm_porting_layer.c"
#undef tm_initialize

#include <melanion/console.h>

/* tm_trap.S. */
extern uint8_t tm_vectors[];
_Noreturn void tm_user(void (*function)(void)); /* go on there, in user mode */

/* Defined where software saves registers on one core (common/current/one.c); weak: absent elsewhere. */
extern void *mel_running __attribute__((weak));

static void (*entries[TM_THREADS])(void);

static void begin_as_user(void)
{
    tm_user(entries[mel_task_self()]);
}

int served_thread_create(int thread_id, int priority, void (*entry_function)(void));
int served_thread_create(int thread_id, int priority, void (*entry_function)(void))
{
    const int status = layer_thread_create(thread_id, priority, begin_as_user);
    if (status == TM_SUCCESS) {
        entries[thread_id] = entry_function; /* it has not begun: it is suspended */
    }
    return status;
}

void tm_initialize(void (*test_initialization_function)(void));
void tm_initialize(void (*test_initialization_function)(void))
{
    uintptr_t vectors;
    __asm__ volatile("csrw mtvec, %1\n\tcsrr %0, mtvec" : "=r"(vectors) : "r"(tm_vectors + 1));
    if (vectors != (uintptr_t)tm_vectors + 1 || &mel_running == NULL) {
        mel_print("thread_metric_trap: threads in user mode need one core ibex and a coupling without register banks: run it on sw, hwrtos or port\n");
        mel_exit(1);
    }
    layer_initialize(test_initialization_function);
}
