/* SPDX-License-Identifier: Apache-2.0 */
/* windows.c: an interrupt at every cycle of the two calls in which the software kernel lets interrupts come: a set of event flags for which several tasks
 * wait, and a take behind tasks of several priorities. What the handler, or the task that it wakes, does is all that could meet the call half done. The
 * program checks the calls that have one right status; the golden model judges all of them, and who leaves when. */
#include <melanion/device.h>
#include <melanion/melanion.h>

enum { TASK_MAIN, TASK_URGENT, TASK_BESIDE, TASK_WAITS, WAITING = 6, TASK_TAKES = TASK_WAITS + WAITING, TASK_LEAST = TASK_TAKES + WAITING };
enum { PRIORITY_BESIDE = 3, PRIORITY_FIRST = 4, PRIORITY_LEAST = 31 };
enum { GROUP, GROUP_BESIDE };
enum { SEM_URGENT, SEM_TAKEN };
enum { FLAG = 1, OTHER_FLAG = 2, BOTH = FLAG | OTHER_FLAG };
enum { LINE_HANDLER, LINE_SETS };
enum { LAST_DELAY = 330, TICK = 4001, LIMIT = 1, PAUSE = 400 };

/* Interruptions of a call. */
enum {
    NOTHING,
    WAKES,       /* the most urgent task */
    SETS_SAME,   /* flags of the same group */
    SETS_BESIDE, /* flags for which a task waits that is more urgent than the others */
    POLLS,
    CLEARS,
    CREATES,
    RELEASES,
    MOVES,       /* a waiting task to another priority */
    ACTION,      /* an interrupt sets flags without a handler */
    TICKS,       /* waits have a limit, and ticks end some */
    DEEDS,
    TAKE_NOTHING = DEEDS,
    TAKE_GIVES,
    TAKE_DELETES,
    TAKE_RELEASES,
    ALL_DEEDS
};

enum { STACK_SIZE = 512 };
#define EACH_TASK(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7) do(8) do(9) do(10) do(11) do(12) do(13) do(14) do(15)
#define STACK(task) MEL_TASK_STACK(stack_##task, task, STACK_SIZE);
#define STACK_ADDRESS(task) stack_##task,
EACH_TASK(STACK)
static uint8_t *const stacks[] = {EACH_TASK(STACK_ADDRESS)};
_Static_assert(sizeof stacks / sizeof *stacks == TASK_LEAST + 1, "each task has a stack");

static volatile uint32_t deed;
static volatile uint32_t delay;
static volatile mel_ticks_t limit = MEL_FOREVER;
static uint32_t value;

static void check(bool good, uint32_t line)
{
    if (!good) {
        mel_print("windows: line ");
        mel_print_unsigned(line);
        mel_print("\n");
        mel_exit(1);
    }
}
#define CHECK(good) check(good, __LINE__)

static void handle(mel_id_t irq, void *unused)
{
    (void)irq;
    (void)unused;
    const mel_id_t waiting = TASK_WAITS + delay % WAITING;
    switch (deed) {
    case WAKES:
    case TAKE_DELETES: CHECK(mel_sem_give(SEM_URGENT) == MEL_E_OK); break;
    case SETS_SAME: CHECK(mel_flags_set(GROUP, OTHER_FLAG) == MEL_E_OK); break;
    case SETS_BESIDE: CHECK(mel_flags_set(GROUP_BESIDE, FLAG) == MEL_E_OK); break;
    case POLLS: (void)mel_flags_take_any(GROUP, FLAG, MEL_POLL, &value); break;
    case CLEARS: CHECK(mel_flags_clear(GROUP, FLAG) == MEL_E_OK); break;
    case CREATES: CHECK(mel_flags_create(GROUP, 0) == MEL_E_OBJ); break;
    case RELEASES: (void)mel_task_release(waiting); break;
    case MOVES: CHECK(mel_task_set_priority(waiting, PRIORITY_FIRST + delay / WAITING % WAITING) == MEL_E_OK); break;
    case TAKE_GIVES: (void)mel_sem_give(SEM_TAKEN); break;
    case TAKE_RELEASES: (void)mel_task_release(TASK_TAKES + delay % WAITING); break;
    default: break;
    }
}

static void be_urgent(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_sem_take(SEM_URGENT, MEL_FOREVER) == MEL_E_OK);
        if (deed == TAKE_DELETES) {
            CHECK(mel_sem_delete(SEM_TAKEN) == MEL_E_OK);
            if (delay % 2 != 0) { /* a task that looked for its place need not wait */
                CHECK(mel_sem_create(SEM_TAKEN, 1, 1) == MEL_E_OK);
            }
        }
    }
}

static void wait_beside(void *unused)
{
    (void)unused;
    for (;;) {
        (void)mel_flags_take_any(GROUP_BESIDE, FLAG, MEL_FOREVER, &value);
    }
}

/* By its number a task waits for one flag, or both, and takes them or not. */
static void wait_for_flags(void *number)
{
    const uint32_t kind = (uint32_t)(uintptr_t)number;
    for (;;) {
        switch (kind % 4) {
        case 0: (void)mel_flags_wait_any(GROUP, FLAG, limit, &value); break;
        case 1: (void)mel_flags_wait_all(GROUP, BOTH, limit, &value); break;
        case 2: (void)mel_flags_take_any(GROUP, BOTH, limit, &value); break;
        default: (void)mel_flags_wait_any(GROUP, OTHER_FLAG, limit, &value); break;
        }
    }
}

static void take(void *unused)
{
    (void)unused;
    for (;;) {
        if (mel_sem_take(SEM_TAKEN, MEL_FOREVER) == MEL_E_NOEXS) {
            (void)mel_task_sleep(MEL_FOREVER);
        }
    }
}

/* Below all that wait: whenever it runs, they do. */
static void be_least(void *unused)
{
    (void)unused;
    for (;;) {
        if (deed < DEEDS) {
            (void)mel_task_wakeup(TASK_MAIN);
        } else {
            (void)mel_sem_give(SEM_TAKEN);
        }
    }
}

static void set_once(void)
{
    CHECK(mel_task_sleep(MEL_FOREVER) == MEL_E_OK);
    if (deed == TICKS) { /* the tick that ends the waits comes in the call, too */
        mel_busy(TICK / LAST_DELAY * delay);
    }
    mel_irqgen_pulse(deed == ACTION ? LINE_SETS : LINE_HANDLER, delay);
    CHECK(mel_flags_set(GROUP, FLAG) == MEL_E_OK);
    mel_busy(PAUSE);
    CHECK(mel_flags_clear(GROUP, BOTH) == MEL_E_OK);
}

static void take_once(void)
{
    mel_busy(PAUSE);
    mel_irqgen_pulse(LINE_HANDLER, delay);
    const mel_status_t status = mel_sem_take(SEM_TAKEN, MEL_FOREVER);
    CHECK(status == MEL_E_OK || deed == TAKE_DELETES);
    mel_busy(PAUSE);
    if (deed == TAKE_DELETES && delay % 2 == 0) {
        CHECK(mel_sem_create(SEM_TAKEN, 0, 1) == MEL_E_OK);
        for (uint32_t i = 0; i < WAITING; i++) {
            (void)mel_task_wakeup(TASK_TAKES + i);
        }
        mel_busy(PAUSE);
        (void)mel_task_delay(0);
    }
}

static void conduct(void *unused)
{
    (void)unused;
    for (deed = NOTHING; deed < ALL_DEEDS; deed++) {
        const bool ticks = deed == TICKS;
        limit = ticks ? LIMIT : MEL_FOREVER;
        CHECK(mel_tick_set(ticks ? TICK : 0) == MEL_E_OK);
        for (delay = 0; delay < LAST_DELAY; delay++) {
            if (deed < DEEDS) {
                set_once();
            } else {
                take_once();
            }
        }
    }
    mel_exit(0);
}

static void begin(mel_id_t task, void (*entry)(void *), uint32_t argument, mel_priority_t priority)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)(uintptr_t)argument,
        .stack = stacks[task],
        .stack_size = STACK_SIZE,
        .priority = priority,
    };
    CHECK(mel_task_create(task, &attributes) == MEL_E_OK);
    CHECK(mel_task_start(task) == MEL_E_OK);
}

int main(void)
{
    CHECK(mel_flags_create(GROUP, 0) == MEL_E_OK && mel_flags_create(GROUP_BESIDE, 0) == MEL_E_OK);
    CHECK(mel_sem_create(SEM_URGENT, 0, 1) == MEL_E_OK && mel_sem_create(SEM_TAKEN, 0, 1) == MEL_E_OK);
    CHECK(mel_irq_attach(LINE_HANDLER, handle, NULL) == MEL_E_OK);
    CHECK(mel_irq_map(LINE_HANDLER, MEL_IRQ_ACTION_NONE, 0, 0, true) == MEL_E_OK);
    CHECK(mel_irq_map(LINE_SETS, MEL_IRQ_ACTION_EVENT_FLAGS_SET, GROUP_BESIDE, FLAG, false) == MEL_E_OK);
    CHECK(mel_irq_enable(LINE_HANDLER) == MEL_E_OK && mel_irq_enable(LINE_SETS) == MEL_E_OK);
    begin(TASK_MAIN, conduct, 0, 2);
    begin(TASK_URGENT, be_urgent, 0, 1);
    begin(TASK_BESIDE, wait_beside, 0, PRIORITY_BESIDE);
    for (uint32_t i = 0; i < WAITING; i++) {
        begin(TASK_WAITS + i, wait_for_flags, i, PRIORITY_FIRST + i);
        begin(TASK_TAKES + i, take, 0, PRIORITY_FIRST + i);
    }
    begin(TASK_LEAST, be_least, 0, PRIORITY_LEAST);
    mel_kernel_start();
}
