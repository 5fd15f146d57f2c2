/* SPDX-License-Identifier: Apache-2.0 */
/* tm_porting_layer.c: the services of Thread-Metric over the calls of Melanion, on every kernel.
 *
 * Suspend and resume are mel_task_suspend and mel_task_resume, not sleep and wakeup: a thread may suspend another one, whatever that one does; and a
 * resume that comes too early must be an error that leaves no trace, where a wakeup would be counted and end the next sleep at once.
 * A thread is born suspended: it is started and held while nothing can be dispatched, so it has not run when the call returns.
 * Messages are in tm_messages.h; a kernel whose queues hold more than words has another one (freertos/).
 * An interrupt is the rising edge of a line without an action, with a C handler; mel_irq_raise makes it. On every kernel it is taken some cycles later: the thread
 * waits until it has been.
 * Object numbers: task = thread; queue = queue; semaphores from SEM_FIRST on for semaphores, then for pools. */
#include "tm_api.h"

#include <melanion/melanion.h>

enum { LINE = 1, SEM_FIRST = 1, SEM_POOLS = SEM_FIRST + TM_OBJECTS };
enum { STACK_SIZE = 1024, MESSAGES = 10, BLOCKS = 16, BLOCK_BYTES = 128 };

_Static_assert(MEL_TASKS >= TM_THREADS, "Thread-Metric needs a system with at least 10 tasks");
_Static_assert(MEL_SEMAPHORES >= SEM_POOLS + TM_OBJECTS, "Thread-Metric needs a system with at least 9 semaphores");
_Static_assert(MEL_QUEUES >= TM_OBJECTS, "Thread-Metric needs a system with at least 4 queues");
_Static_assert(MEL_INTERRUPTS > LINE, "Thread-Metric needs a system with at least 2 interrupts");

#define EACH_THREAD(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define STACK(thread) MEL_TASK_STACK(stack_##thread, thread, STACK_SIZE);
#define STACK_ADDRESS(thread) stack_##thread,

EACH_THREAD(STACK)
static uint8_t *const stacks[TM_THREADS] = {EACH_THREAD(STACK_ADDRESS)};

static unsigned char blocks[TM_OBJECTS][BLOCKS][BLOCK_BYTES] __attribute__((aligned(MEL_POOL_ALIGNMENT)));
static mel_pool_t pools[TM_OBJECTS];

static volatile uint32_t interrupts; /* that were handled */

/* Defined by the test, one of them or none. */
extern void tm_interrupt_handler(void) __attribute__((weak));
extern void tm_interrupt_preemption_handler(void) __attribute__((weak));

static int result(mel_status_t status)
{
    return status == MEL_E_OK ? TM_SUCCESS : TM_ERROR;
}

static void handle(mel_id_t irq, void *handler)
{
    (void)irq;
    interrupts++;
    ((void (*)(void))handler)();
}

void tm_initialize(void (*test_initialization_function)(void))
{
    void (*handler)(void) = tm_interrupt_handler != NULL ? tm_interrupt_handler : tm_interrupt_preemption_handler;
    if (handler != NULL) {
        (void)mel_irq_attach(LINE, handle, (void *)handler);
        (void)mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true);
        (void)mel_irq_enable(LINE);
    }
    test_initialization_function();
    mel_kernel_start();
}

void tm_cause_interrupt(void)
{
    const uint32_t before = interrupts;
    (void)mel_irq_raise(LINE);
    while (interrupts == before) {
    }
}

/* The thread's first function, as a task's: it has an argument that nobody looks at. */
static void begin(void *entry)
{
    ((void (*)(void))entry)();
}

int tm_thread_create(int thread_id, int priority, void (*entry_function)(void))
{
    if (thread_id < 0 || thread_id >= TM_THREADS || priority < 1) {
        return TM_ERROR;
    }
    const mel_id_t task = (mel_id_t)thread_id;
    const mel_task_attributes_t attributes = {
        .entry = begin,
        .argument = (void *)entry_function,
        .stack = stacks[task],
        .stack_size = STACK_SIZE,
        .priority = (mel_priority_t)priority,
    };
    const bool dispatched = mel_dispatch_disable() == MEL_E_OK; /* else it is disabled: main() has not started the kernel */
    mel_status_t status = mel_task_create(task, &attributes);
    if (status == MEL_E_OK) {
        status = mel_task_start(task);
    }
    if (status == MEL_E_OK) {
        status = mel_task_suspend(task);
    }
    if (dispatched) {
        (void)mel_dispatch_enable();
    }
    return result(status);
}

int tm_thread_resume(int thread_id)
{
    return result(mel_task_resume((mel_id_t)thread_id));
}

int tm_thread_suspend(int thread_id)
{
    return result(mel_task_suspend((mel_id_t)thread_id));
}

void tm_thread_relinquish(void)
{
    (void)mel_task_yield();
}

void tm_thread_sleep(int seconds)
{
    const mel_ticks_t ticks = ((mel_ticks_t)seconds * TM_TICKS_PER_DURATION + TM_TEST_DURATION - 1) / TM_TEST_DURATION;
    static uint32_t reports;
    if (TM_REPORTS == 0) {
        (void)mel_task_delay(ticks);
        return;
    }
    if (reports++ == TM_REPORTS) {
        mel_exit(0);
    }
    MEL_MARK(TM_MARK_BEGIN, reports);
    (void)mel_task_delay(ticks);
    MEL_MARK(TM_MARK_END, reports);
}

/* There may be such a queue, semaphore or pool. */
static bool numbers(int id)
{
    return (unsigned int)id < TM_OBJECTS;
}

#include <tm_messages.h>

int tm_semaphore_create(int semaphore_id)
{
    if (!numbers(semaphore_id)) {
        return TM_ERROR;
    }
    return result(mel_sem_create(SEM_FIRST + (mel_id_t)semaphore_id, 1, MEL_SEMAPHORE_COUNT_LIMIT));
}

int tm_semaphore_get(int semaphore_id)
{
    return numbers(semaphore_id) ? result(mel_sem_take(SEM_FIRST + (mel_id_t)semaphore_id, MEL_POLL)) : TM_ERROR;
}

int tm_semaphore_put(int semaphore_id)
{
    return numbers(semaphore_id) ? result(mel_sem_give(SEM_FIRST + (mel_id_t)semaphore_id)) : TM_ERROR;
}

int tm_memory_pool_create(int pool_id)
{
    if (!numbers(pool_id)) {
        return TM_ERROR;
    }
    return result(mel_pool_create(&pools[pool_id], blocks[pool_id], BLOCK_BYTES, BLOCKS, SEM_POOLS + (mel_id_t)pool_id));
}

int tm_memory_pool_allocate(int pool_id, unsigned char **memory_ptr)
{
    void *block;
    if (!numbers(pool_id) || mel_pool_get(&pools[pool_id], MEL_POLL, &block) != MEL_E_OK) {
        return TM_ERROR;
    }
    *memory_ptr = block;
    return TM_SUCCESS;
}

int tm_memory_pool_deallocate(int pool_id, unsigned char *memory_ptr)
{
    return numbers(pool_id) ? result(mel_pool_put(&pools[pool_id], memory_ptr)) : TM_ERROR;
}

int tm_nothing(void)
{
    return TM_SUCCESS;
}
