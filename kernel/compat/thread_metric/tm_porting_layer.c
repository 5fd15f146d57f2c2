/* tm_porting_layer.c: the services of Thread-Metric over the calls of Melanion, on every kernel.
 *
 * Suspend and resume are mel_task_suspend and mel_task_resume, not sleep and wakeup: a thread may suspend another one, whatever that one does; and a
 * resume that comes too early must be an error that leaves no trace, where a wakeup would be counted and end the next sleep at once.
 * A thread is born suspended: it is started and held while nothing can be dispatched, so it has not run when the call returns.
 * A message travels as the address of a slot: 16 bytes are copied into it, and out of it. Each thread has slots of its own for each queue, in a ring, so that it
 * takes one without asking anybody: only it takes them, and whoever received a message gives its slot back with one store. There is always a free one while the queue has
 * room: MESSAGES stand in the queue at most, and no thread but the sender holds more than one that it has received and not copied yet.
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

typedef struct slot {
    struct slot *next; /* in the ring of the thread that sends with it */
    volatile unsigned long taken;
    unsigned long words[4];
} slot_t;

static slot_t slots[TM_OBJECTS][TM_THREADS][MESSAGES + TM_THREADS];
static slot_t *rings[TM_OBJECTS][TM_THREADS]; /* the slot that a thread tries first */

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

int tm_queue_create(int queue_id)
{
    if (!numbers(queue_id)) {
        return TM_ERROR;
    }
    for (uint32_t thread = 0; thread < TM_THREADS; thread++) {
        slot_t *ring = slots[queue_id][thread];
        for (uint32_t i = 0; i < MESSAGES + TM_THREADS; i++) {
            ring[i].next = &ring[(i + 1) % (MESSAGES + TM_THREADS)];
        }
        rings[queue_id][thread] = ring;
    }
    return result(mel_queue_create((mel_id_t)queue_id, MESSAGES));
}

/* All loads first: none is waited for. */
static inline void copy(unsigned long *to, const unsigned long *from)
{
    const unsigned long first = from[0], second = from[1], third = from[2], fourth = from[3];
    to[0] = first;
    to[1] = second;
    to[2] = third;
    to[3] = fourth;
}

int tm_queue_send(int queue_id, unsigned long *message_ptr)
{
    const mel_id_t self = mel_task_self();
    slot_t *slot = numbers(queue_id) && self < TM_THREADS ? rings[queue_id][self] : NULL;
    if (slot == NULL) {
        return TM_ERROR;
    }
    while (__builtin_expect(slot->taken, 0)) {
        slot = slot->next;
    }
    slot->taken = 1;
    rings[queue_id][self] = slot->next;
    copy(slot->words, message_ptr);
    const mel_status_t status = mel_queue_send((mel_id_t)queue_id, (uint32_t)(uintptr_t)slot, MEL_POLL);
    if (__builtin_expect(status != MEL_E_OK, 0)) {
        slot->taken = 0;
        return TM_ERROR;
    }
    return TM_SUCCESS;
}

int tm_queue_receive(int queue_id, unsigned long *message_ptr)
{
    uint32_t word;
    if (mel_queue_receive((mel_id_t)queue_id, MEL_POLL, &word) != MEL_E_OK) {
        return TM_ERROR;
    }
    slot_t *slot = (slot_t *)(uintptr_t)word;
    copy(message_ptr, slot->words);
    __asm__ volatile("" : : : "memory"); /* the sender may write it behind the next store */
    slot->taken = 0;
    return TM_SUCCESS;
}

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
