/* SPDX-License-Identifier: Apache-2.0 */
/* interrupted.c: an interrupt in every cycle of every kernel call. A task makes one call after the other; before each, line LINE is
 * told to pulse some cycles later, one cycle more in each round. The handler makes kernel calls itself, where it can on what
 * the interrupted call works on. Every status is checked here; the replay judges the schedule; and the test wants that
 * pulses came in every cycle of every call, between the tracepoints CALL_BEGIN and CALL_END with the call's number.
 * Defines: DELAYS (rounds); HANDLE (1: the line runs the handler; 0: it only gives SEM_SIGNAL); PHASE (cycles by which ticks come earlier, seen from the calls
 * that wait). */
#include <melanion/device.h>
#include <melanion/melanion.h>

#ifndef DELAYS
#define DELAYS 100
#endif
#ifndef HANDLE
#define HANDLE 1
#endif
#ifndef PHASE
#define PHASE 0
#endif

enum { CALL_BEGIN = 1, CALL_END = 2 };

/* WOKEN waits for the signal above the caller; EXITING exits at once, above it too; IDLER computes below, and owns
 * MUTEX_HELD; SPARE is held. */
enum { TASK_CALLER, TASK_WOKEN, TASK_EXITING, TASK_IDLER, TASK_SPARE };
enum { PRIORITY_EXITING = 1, PRIORITY_WOKEN = 2, PRIORITY_CALLER = 3, PRIORITY_SPARE = 5, PRIORITY_IDLER = 6 };
enum { SEM_SIGNAL = 1, SEM_COUNTED, SEM_FULL, SEM_MADE, SEM_AWAITED };
enum { MUTEX_HELD, MUTEX_MADE };
enum { FLAGS_MADE, FLAGS_AWAITED, FLAGS_CLEAR, FLAGS_SET };
enum { QUEUE_MADE, QUEUE_AWAITED, QUEUE_FULL };
enum { TIMER };
enum { LINE = 2, LINE_OTHER = 3 };
enum { STACK_SIZE = 512, TICK_CYCLES = 1700 };

/* Action of the handler on the call that it interrupts. */
typedef enum { NOTHING, GIVE, SET, POST, WAKE, RELEASE, HOLD } deed_t;

MEL_TASK_STACK(stack_caller, TASK_CALLER, 1024);
MEL_TASK_STACK(stack_woken, TASK_WOKEN, STACK_SIZE);
MEL_TASK_STACK(stack_exiting, TASK_EXITING, STACK_SIZE);
MEL_TASK_STACK(stack_idler, TASK_IDLER, STACK_SIZE);
MEL_TASK_STACK(stack_spare, TASK_SPARE, STACK_SIZE);

static volatile uint32_t signals; /* that WOKEN took */
static volatile uint32_t delay;   /* cycles, of this round */
static volatile deed_t deed;

static void check(uint32_t number, mel_status_t status, mel_status_t expected)
{
    if (status != expected) {
        mel_print("interrupted: call ");
        mel_print_unsigned(number);
        mel_print(" with the pulse after ");
        mel_print_unsigned(delay);
        mel_print(" cycles: unexpected status ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

static void check_word(uint32_t number, uint32_t word, uint32_t expected)
{
    check(number, (mel_status_t)word, (mel_status_t)expected);
}

/* The deed's status depends on whether it comes before or after the call; what the call returns does not. */
static void meddle(void)
{
    switch (deed) {
    case GIVE: (void)mel_sem_give(SEM_AWAITED); break;
    case SET: (void)mel_flags_set(FLAGS_AWAITED, 4); break;
    case POST: (void)mel_queue_post(QUEUE_AWAITED, 55, 0); break;
    case WAKE: (void)mel_task_wakeup(TASK_CALLER); break;
    case RELEASE: (void)mel_task_release(TASK_CALLER); break;
    case HOLD:
        check(99, mel_task_suspend(TASK_CALLER), MEL_E_OK);
        check(98, mel_task_resume(TASK_CALLER), MEL_E_OK);
        break;
    default: break;
    }
}

/* Calls with an operand and a value of the context that interrupts: the words of the caller's must stay. */
static void handler(mel_id_t irq, void *unused)
{
    uint32_t word = 0;
    (void)irq;
    (void)unused;
    check(100, mel_sem_give(SEM_SIGNAL), MEL_E_OK);
    check(101, mel_sem_give(SEM_FULL), MEL_E_QOVR);
    check(102, mel_sem_take(SEM_FULL, 1), MEL_E_CTX);
    check(103, mel_task_set_priority(TASK_IDLER, PRIORITY_IDLER), MEL_E_OK);
    check(104, mel_sem_take(SEM_COUNTED, MEL_POLL), MEL_E_OK);
    check(105, mel_sem_give(SEM_COUNTED), MEL_E_OK);
    check(106, mel_flags_wait_any(FLAGS_SET, 8, MEL_POLL, &word), MEL_E_OK);
    check_word(107, word, 8);
    check(108, mel_queue_post(QUEUE_FULL, 99, 7), MEL_E_QOVR);
    meddle();
}

static void woken(void *unused)
{
    uint32_t word = 0;
    (void)unused;
    for (;;) {
        check(110, mel_sem_take(SEM_SIGNAL, MEL_FOREVER), MEL_E_OK);
        check(113, mel_flags_wait_all(FLAGS_CLEAR, 1, MEL_POLL, &word), MEL_E_TMOUT);
        check(114, mel_flags_wait_all(FLAGS_SET, 8, MEL_POLL, &word), MEL_E_OK);
        check_word(115, word, 8);
        signals++;
    }
}

static void exiting(void *unused)
{
    (void)unused;
    check(111, mel_task_exit(), MEL_E_OK);
}

static void idler(void *unused)
{
    (void)unused;
    check(112, mel_mutex_lock(MUTEX_HELD, MEL_POLL), MEL_E_OK);
    check(116, mel_sem_give(SEM_AWAITED), MEL_E_OK);
    for (;;) {
        mel_busy(1);
    }
}

/* One call, and the pulse `delay` cycles after the store that asks for it, the earliest before the call; then wait until it
 * is over. */
#define PULSED(number, call)                   \
    do {                                       \
        const uint32_t before = signals;       \
        mel_irqgen_pulse(LINE, delay);         \
        __asm__ volatile("nop\n\tnop\n\tnop"); \
        MEL_TRACEPOINT(CALL_BEGIN, number);         \
        status = (call);                       \
        MEL_TRACEPOINT(CALL_END, number);           \
        while (signals == before) {            \
        }                                      \
    } while (0)

#define CALL(number, call, expected)           \
    do {                                       \
        mel_status_t status;                   \
        PULSED(number, call);                  \
        check(number, status, expected);       \
    } while (0)

static const mel_task_attributes_t SPARE = {
    .entry = idler, .stack = stack_spare, .stack_size = STACK_SIZE, .priority = PRIORITY_IDLER};

static mel_status_t disable_and_enable(void)
{
    const mel_status_t status = mel_dispatch_disable();
    return status != MEL_E_OK ? status : mel_dispatch_enable();
}

static void calls_of_tasks(void)
{
    mel_task_info_t info;
    CALL(1, mel_task_create(TASK_SPARE, &SPARE), MEL_E_OK);
    CALL(2, mel_task_start(TASK_SPARE), MEL_E_OK);
    CALL(3, mel_task_set_priority(TASK_SPARE, PRIORITY_SPARE), MEL_E_OK);
    CALL(4, mel_task_suspend(TASK_SPARE), MEL_E_OK);
    CALL(5, mel_task_suspend(TASK_SPARE), MEL_E_QOVR);
    CALL(6, mel_task_resume(TASK_SPARE), MEL_E_OK);
    CALL(7, mel_task_query(TASK_SPARE, &info), MEL_E_OK);
    CALL(8, mel_task_release(TASK_SPARE), MEL_E_OBJ);
    CALL(9, mel_task_terminate(TASK_SPARE), MEL_E_OK);
    CALL(10, mel_task_delete(TASK_SPARE), MEL_E_OK);
    CALL(11, mel_task_delete(TASK_SPARE), MEL_E_NOEXS);
    CALL(12, mel_task_yield(), MEL_E_OK);
    CALL(13, mel_task_wakeup(MEL_SELF), MEL_E_OK);
    CALL(14, mel_task_sleep(MEL_FOREVER), MEL_E_OK);
    CALL(15, mel_task_sleep(MEL_POLL), MEL_E_TMOUT);
    CALL(16, mel_task_rotate(PRIORITY_SPARE), MEL_E_OK);
    CALL(17, mel_task_start(TASK_EXITING), MEL_E_OK); /* and its exit */
    CALL(18, disable_and_enable(), MEL_E_OK);
}

static void calls_of_objects(void)
{
    uint32_t count;
    uint64_t ticks;
    CALL(20, mel_sem_create(SEM_MADE, 1, 2), MEL_E_OK);
    CALL(21, mel_sem_take(SEM_MADE, MEL_FOREVER), MEL_E_OK);
    CALL(22, mel_sem_take(SEM_MADE, MEL_POLL), MEL_E_TMOUT);
    CALL(23, mel_sem_give(SEM_MADE), MEL_E_OK);
    CALL(24, mel_sem_query(SEM_MADE, &count), MEL_E_OK);
    CALL(25, mel_sem_delete(SEM_MADE), MEL_E_OK);
    CALL(26, mel_sem_give(SEM_FULL), MEL_E_QOVR);
    CALL(27, mel_sem_give(MEL_SEMAPHORES), MEL_E_ID);
    CALL(28, mel_irq_map(LINE_OTHER, MEL_IRQ_ACTION_TASK_WAKEUP, TASK_SPARE, 0, true), MEL_E_OK);
    CALL(29, mel_irq_enable(LINE_OTHER), MEL_E_OK);
    CALL(30, mel_irq_disable(LINE_OTHER), MEL_E_OK);
    CALL(31, mel_time_get(&ticks), MEL_E_OK);
    CALL(32, mel_tick_set(0), MEL_E_OK);
}

static void calls_of_mutexes(void)
{
    mel_mutex_info_t info;
    CALL(33, mel_mutex_create(MUTEX_MADE, PRIORITY_CALLER), MEL_E_OK);
    CALL(34, mel_mutex_lock(MUTEX_MADE, MEL_FOREVER), MEL_E_OK);
    CALL(35, mel_mutex_lock(MUTEX_MADE, MEL_POLL), MEL_E_OK);
    CALL(36, mel_mutex_unlock(MUTEX_MADE), MEL_E_OK);
    CALL(37, mel_mutex_unlock(MUTEX_MADE), MEL_E_OK);
    CALL(38, mel_mutex_query(MUTEX_MADE, &info), MEL_E_OK);
    CALL(39, mel_mutex_delete(MUTEX_MADE), MEL_E_OK);
}

static void calls_of_flags(void)
{
    uint32_t flags = 0;
    CALL(40, mel_flags_create(FLAGS_MADE, 1), MEL_E_OK);
    CALL(41, mel_flags_wait_any(FLAGS_MADE, 3, MEL_FOREVER, &flags), MEL_E_OK);
    check_word(41, flags, 1);
    CALL(42, mel_flags_wait_all(FLAGS_MADE, 3, MEL_POLL, &flags), MEL_E_TMOUT);
    CALL(43, mel_flags_set(FLAGS_MADE, 2), MEL_E_OK);
    CALL(44, mel_flags_take_all(FLAGS_MADE, 3, MEL_FOREVER, &flags), MEL_E_OK);
    check_word(44, flags, 3);
    CALL(45, mel_flags_clear(FLAGS_MADE, 1), MEL_E_OK);
    CALL(46, mel_flags_take_any(FLAGS_MADE, 1, MEL_POLL, &flags), MEL_E_TMOUT);
    CALL(47, mel_flags_delete(FLAGS_MADE), MEL_E_OK);
}

static void calls_of_queues(void)
{
    uint32_t word = 0;
    CALL(50, mel_queue_create(QUEUE_MADE, 2), MEL_E_OK);
    CALL(51, mel_queue_send(QUEUE_MADE, 7, MEL_FOREVER), MEL_E_OK);
    CALL(52, mel_queue_post(QUEUE_MADE, 8, 0), MEL_E_OK);
    CALL(53, mel_queue_post(QUEUE_MADE, 9, 0), MEL_E_QOVR);
    CALL(54, mel_queue_send(QUEUE_MADE, 9, MEL_POLL), MEL_E_TMOUT);
    CALL(55, mel_queue_query(QUEUE_MADE, &word), MEL_E_OK);
    CALL(56, mel_queue_receive(QUEUE_MADE, MEL_FOREVER, &word), MEL_E_OK);
    check_word(56, word, 8);
    CALL(57, mel_queue_receive(QUEUE_MADE, MEL_POLL, &word), MEL_E_OK);
    check_word(57, word, 7);
    CALL(58, mel_queue_receive(QUEUE_MADE, MEL_POLL, &word), MEL_E_TMOUT);
    CALL(59, mel_queue_delete(QUEUE_MADE), MEL_E_OK);
}

static void calls_of_timers(void)
{
    CALL(60, mel_timer_start(TIMER, MEL_TIMER_LONGEST, 1), MEL_E_OK);
    CALL(61, mel_timer_stop(TIMER), MEL_E_OK);
    CALL(62, mel_timer_stop(TIMER), MEL_E_OBJ);
    CALL(63, mel_irq_map(LINE_OTHER, MEL_IRQ_ACTION_QUEUE_POST, QUEUE_FULL, 5, false), MEL_E_OK);
}

/* Calls that wait: the pulse comes before, in or after the switch away, and its handler may end the wait. */
static void calls_that_wait(void)
{
    uint32_t word = 0;
    CALL(81, mel_task_delay(1), MEL_E_OK);
    CALL(82, mel_sem_take(SEM_AWAITED, 1), MEL_E_TMOUT);
    deed = HOLD;
    CALL(83, mel_task_sleep(1), MEL_E_TMOUT);
    CALL(87, mel_mutex_lock(MUTEX_HELD, 1), MEL_E_TMOUT);
    CALL(88, mel_flags_take_any(FLAGS_AWAITED, 4, 1, &word), MEL_E_TMOUT);
    CALL(89, mel_queue_receive(QUEUE_AWAITED, 1, &word), MEL_E_TMOUT);
    CALL(90, mel_queue_send(QUEUE_FULL, 1, 1), MEL_E_TMOUT);
    if (HANDLE) {
        mel_status_t status;
        deed = GIVE;
        CALL(84, mel_sem_take(SEM_AWAITED, MEL_FOREVER), MEL_E_OK);
        deed = SET;
        CALL(91, mel_flags_take_any(FLAGS_AWAITED, 4, MEL_FOREVER, &word), MEL_E_OK);
        check_word(91, word, 4);
        deed = POST;
        CALL(92, mel_queue_receive(QUEUE_AWAITED, MEL_FOREVER, &word), MEL_E_OK);
        check_word(92, word, 55);
        deed = WAKE;
        CALL(85, mel_task_sleep(MEL_FOREVER), MEL_E_OK);
        deed = RELEASE;
        PULSED(86, mel_task_delay(1));
        if (status != MEL_E_OK) {
            check(86, status, MEL_E_RLWAI);
        }
    }
    deed = NOTHING;
}

/* Ticks run only where they are waited for: elsewhere they would move the pulse away from its cycle. */
static void caller(void *unused)
{
    (void)unused;
    check(135, mel_sem_take(SEM_AWAITED, MEL_FOREVER), MEL_E_OK); /* until IDLER owns its mutex */
    for (delay = 0; delay < DELAYS; delay++) {
        calls_of_tasks();
        calls_of_objects();
        calls_of_mutexes();
        calls_of_flags();
        calls_of_queues();
        calls_of_timers();
        check(132, mel_tick_set(TICK_CYCLES), MEL_E_OK);
        if (PHASE != 0) {
            mel_busy(PHASE);
        }
        calls_that_wait();
        check(133, mel_tick_set(0), MEL_E_OK);
    }
    mel_exit(0);
}

static void make(mel_id_t task, mel_task_entry_t entry, uint8_t *stack, uint32_t size, mel_priority_t priority)
{
    const mel_task_attributes_t attributes = {
        .entry = entry, .stack = stack, .stack_size = size, .priority = priority};
    check(120, mel_task_create(task, &attributes), MEL_E_OK);
}

int main(void)
{
    make(TASK_CALLER, caller, stack_caller, sizeof stack_caller, PRIORITY_CALLER);
    make(TASK_WOKEN, woken, stack_woken, STACK_SIZE, PRIORITY_WOKEN);
    make(TASK_EXITING, exiting, stack_exiting, STACK_SIZE, PRIORITY_EXITING);
    make(TASK_IDLER, idler, stack_idler, STACK_SIZE, PRIORITY_IDLER);
    check(121, mel_sem_create(SEM_SIGNAL, 0, 1), MEL_E_OK);
    check(122, mel_sem_create(SEM_COUNTED, 1, 1), MEL_E_OK);
    check(123, mel_sem_create(SEM_FULL, 1, 1), MEL_E_OK);
    check(124, mel_sem_create(SEM_AWAITED, 0, 1), MEL_E_OK);
    check(134, mel_mutex_create(MUTEX_HELD, MEL_NO_CEILING), MEL_E_OK);
    check(136, mel_flags_create(FLAGS_AWAITED, 0), MEL_E_OK);
    check(137, mel_flags_create(FLAGS_CLEAR, 0), MEL_E_OK);
    check(138, mel_flags_create(FLAGS_SET, 8), MEL_E_OK);
    check(139, mel_queue_create(QUEUE_AWAITED, 1), MEL_E_OK);
    check(140, mel_queue_create(QUEUE_FULL, 1), MEL_E_OK);
    check(141, mel_queue_post(QUEUE_FULL, 1, 0), MEL_E_OK);
    check(125, mel_irq_attach(LINE, handler, NULL), MEL_E_OK);
    check(126, mel_irq_map(LINE, HANDLE ? MEL_IRQ_ACTION_NONE : MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEM_SIGNAL, 0, HANDLE),
          MEL_E_OK);
    check(127, mel_irq_enable(LINE), MEL_E_OK);
    check(128, mel_tick_set(0), MEL_E_OK);
    check(129, mel_task_start(TASK_CALLER), MEL_E_OK);
    check(130, mel_task_start(TASK_WOKEN), MEL_E_OK);
    check(131, mel_task_start(TASK_IDLER), MEL_E_OK);
    mel_kernel_start();
}
