/* SPDX-License-Identifier: Apache-2.0 */
/* ring.c: the telecom application of "Benchmarking of a Real-Time System that utilises a booster" (experiments/references/booster.yaml, its section 4).
 *
 * A ring is a telephone call: RING processes (4 processes are one ring of 4) of the same priority; each further ring has the next one. A process goes
 * through ITERATIONS of a work loop, gets a signal buffer, sends it to the next process of its ring, waits for the one that is sent to it, checks it
 * and puts it back; after LOOPS of these it suspends itself. A buffer is a block of a memory pool, and comes through the receiver's
 * message queue. The idle process has the least priority, and counts. The main process, the most urgent, creates the rings, starts
 * them, sleeps until the idle process has counted far enough, and checks: each process has worked LOOPS * ITERATIONS turns and received
 * each of LOOPS buffers once, in order, from the process before it; all blocks are free again, all queues empty.
 *
 * It measures nothing itself: it passes tracepoints (no cycle) and marks phases. The numbers are also in experiments/ring.yaml. Exit code 0: all was right. */
#include <melanion/melanion.h>

enum { PART_RESPONSE = 1, PART_IDLE = 2, PART_CALLS = 4 };
enum { MARK_BEGIN = 1, MARK_END = 2 };
enum { PHASE_RESPONSE = 1, PHASE_IDLE = 2, PHASE_CALLS = 3 };
enum {
    TRACEPOINT_START = 1, /* the main process is about to start the rings */
    TRACEPOINT_DONE,      /* a process has done its loops */
    TRACEPOINT_IDLE,      /* a turn of the idle process while others work */
    TRACEPOINT_COUNT,     /* a turn of it when they have ended */
    TRACEPOINT_ALLOC,     /* around the calls, with the number of the task */
    TRACEPOINT_ALLOCATED,
    TRACEPOINT_SEND,
    TRACEPOINT_SENT,
    TRACEPOINT_RECEIVE,
    TRACEPOINT_RECEIVED,
    TRACEPOINT_FREE,
    TRACEPOINT_FREED,
};

enum { TASK_MAIN = 0, TASK_IDLE = 1, TASK_FIRST = 2, RING = 7, PAIR = 2 * RING };
enum { PRIORITY_MAIN = 0, PRIORITY_FIRST = 1, PRIORITY_IDLE = MEL_PRIORITIES - 1 };
enum { SEM_POOL = 0, CAPACITY = 2, STACK_SIZE = 512 };
enum { BLOCKS = 3 * LARGEST }; /* CAPACITY in each queue, and one in each process: no get waits, so processes that wait for blocks block no others */
enum { COUNT_FEW = 4, COUNT_TICKS = 6 }; /* length of idle's count: turns; ticks, in which tick administration is measured */
enum { TURN = 20 + 10 * WAIT };          /* cycles of a turn of idle, about */

_Static_assert(LARGEST >= PAIR && LARGEST <= 105, "LARGEST: 14 to 105 processes");
_Static_assert(LARGEST + TASK_FIRST <= MEL_TASKS && LARGEST <= MEL_QUEUES && CAPACITY * LARGEST <= MEL_MESSAGES,
               "LARGEST: a process is a task and a queue of 2 messages; take a larger system, such as sw-128");
_Static_assert(PRIORITY_FIRST + LARGEST / RING < PRIORITY_IDLE, "each ring needs a priority");

/* Block of the pool, sent by its address. */
typedef struct {
    uint32_t from;
    uint32_t sequence;
    uint32_t word;
} buffer_t;

static mel_pool_t pool;
static buffer_t blocks[BLOCKS];
static uint32_t processes, ring_size; /* numbers of tasks in this phase: all, per ring */
static volatile uint32_t worked[LARGEST], received[LARGEST];
static volatile bool done[LARGEST];
static uint32_t idle_count; /* turns that idle counts */

#define TEN(X, tens) X(tens##0) X(tens##1) X(tens##2) X(tens##3) X(tens##4) X(tens##5) X(tens##6) X(tens##7) X(tens##8) X(tens##9)
#define STACK(number) MEL_TASK_STACK(stack_##number, TASK_FIRST + number, STACK_SIZE);
#define STACK_ADDRESS(number) stack_##number,
#define FEW(X) TEN(X, ) TEN(X, 1)
#define MANY(X) TEN(X, 2) TEN(X, 3) TEN(X, 4) TEN(X, 5) TEN(X, 6) TEN(X, 7) TEN(X, 8) TEN(X, 9) TEN(X, 10)
FEW(STACK)
#if LARGEST > 20
MANY(STACK)
#endif
MEL_TASK_STACK(stack_main, TASK_MAIN, 1024);
MEL_TASK_STACK(stack_idle, TASK_IDLE, STACK_SIZE);
static uint8_t *const stacks[] = {
    FEW(STACK_ADDRESS)
#if LARGEST > 20
    MANY(STACK_ADDRESS)
#endif
};

#define CHECK(call) expect(__LINE__, (call) == MEL_E_OK)
#define EXPECT(condition) expect(__LINE__, condition)

static void expect(uint32_t line, bool right)
{
    if (__builtin_expect(!right, 0)) {
        mel_print("ring: line ");
        mel_print_unsigned(line);
        mel_print(" does not hold\n");
        mel_exit(1);
    }
}

static uint32_t mixed(uint32_t from, uint32_t sequence)
{
    return (from << 16 ^ sequence) * UINT32_C(2654435761);
}

static void send(uint32_t self, mel_id_t next, uint32_t sequence)
{
    void *block = NULL;
    MEL_TRACEPOINT(TRACEPOINT_ALLOC, self);
    CHECK(mel_pool_get(&pool, MEL_FOREVER, &block));
    MEL_TRACEPOINT(TRACEPOINT_ALLOCATED, self);
    *(buffer_t *)block = (buffer_t){.from = self, .sequence = sequence, .word = mixed(self, sequence)};
    MEL_TRACEPOINT(TRACEPOINT_SEND, self);
    CHECK(mel_queue_send(next, (uint32_t)(uintptr_t)block, MEL_FOREVER));
    MEL_TRACEPOINT(TRACEPOINT_SENT, self);
}

static void receive(uint32_t self, uint32_t before, uint32_t sequence)
{
    uint32_t message = 0;
    MEL_TRACEPOINT(TRACEPOINT_RECEIVE, self);
    CHECK(mel_queue_receive(self, MEL_FOREVER, &message));
    MEL_TRACEPOINT(TRACEPOINT_RECEIVED, self);
    buffer_t *buffer = (buffer_t *)(uintptr_t)message;
    EXPECT(buffer->from == before && buffer->sequence == sequence && buffer->word == mixed(before, sequence));
    buffer->word = 0; /* makes a second receiver fail */
    MEL_TRACEPOINT(TRACEPOINT_FREE, self);
    CHECK(mel_pool_put(&pool, buffer));
    MEL_TRACEPOINT(TRACEPOINT_FREED, self);
    received[self]++;
}

/* A process of a ring; its number is also that of its queue. */
static void work(void *argument)
{
    const uint32_t self = (uint32_t)(uintptr_t)argument;
    const uint32_t first = self - self % ring_size, place = self - first;
    const uint32_t next = first + (place + 1 == ring_size ? 0 : place + 1);
    const uint32_t before = first + (place == 0 ? ring_size - 1 : place - 1);
    for (uint32_t sequence = 0; sequence < LOOPS; sequence++) {
        for (uint32_t i = 0; i < ITERATIONS; i++) {
            worked[self]++;
        }
        send(self, next, sequence);
        receive(self, before, sequence);
    }
    done[self] = true;
    MEL_TRACEPOINT(TRACEPOINT_DONE, self);
    CHECK(mel_task_suspend(MEL_SELF));
    EXPECT(false); /* nobody resumes it */
}

/* With several cores it runs beside the last processes, so it waits for all of them before it counts. */
static void idle(void *unused)
{
    (void)unused;
    for (uint32_t process = 0; process < processes; process++) {
        do {
            MEL_TRACEPOINT(TRACEPOINT_IDLE, 0);
        } while (!done[process]);
    }
    for (uint32_t left = idle_count; left != 0; left--) {
        MEL_TRACEPOINT(TRACEPOINT_COUNT, 0);
        __asm__ volatile(".rept 16\n\tnop\n\t.endr");
    }
    CHECK(mel_task_wakeup(TASK_MAIN));
}

static void create(mel_id_t task, mel_task_entry_t entry, uint32_t argument, uint8_t *stack, mel_priority_t priority)
{
    const mel_task_attributes_t attributes = {
        .entry = entry, .argument = (void *)(uintptr_t)argument, .stack = stack, .stack_size = STACK_SIZE, .priority = priority};
    CHECK(mel_task_create(task, &attributes));
}

static void create_rings(void)
{
    for (uint32_t i = 0; i < processes; i++) {
        worked[i] = received[i] = 0;
        done[i] = false;
        CHECK(mel_queue_create(i, CAPACITY));
        create(TASK_FIRST + i, work, i, stacks[i], PRIORITY_FIRST + i / ring_size);
    }
    create(TASK_IDLE, idle, 0, stack_idle, PRIORITY_IDLE);
    CHECK(mel_task_start(TASK_IDLE));
}

static void remove_rings(void)
{
    uint32_t free = 0, messages = 0;
    for (uint32_t i = 0; i < processes; i++) {
        EXPECT(worked[i] == LOOPS * ITERATIONS && received[i] == LOOPS && done[i]);
        CHECK(mel_queue_query(i, &messages));
        EXPECT(messages == 0);
        CHECK(mel_queue_delete(i));
        CHECK(mel_task_terminate(TASK_FIRST + i));
        CHECK(mel_task_delete(TASK_FIRST + i));
    }
    CHECK(mel_pool_query(&pool, &free));
    EXPECT(free == BLOCKS);
    const mel_status_t ended = mel_task_terminate(TASK_IDLE); /* on another core it may have ended by itself */
    EXPECT(ended == MEL_E_OK || ended == MEL_E_OBJ);
    CHECK(mel_task_delete(TASK_IDLE));
}

/* One phase: `mark` is its number, and above its 8 bits its row. */
static void run(uint32_t mark, uint32_t count, uint32_t tick, uint32_t turns)
{
    processes = count;
    ring_size = count % RING == 0 ? RING : count;
    idle_count = turns;
    create_rings();
    CHECK(mel_tick_set(tick));
    MEL_MARK(MARK_BEGIN, mark);
    MEL_TRACEPOINT(TRACEPOINT_START, 0);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(mel_task_start(TASK_FIRST + i));
    }
    CHECK(mel_task_sleep(MEL_FOREVER));
    MEL_MARK(MARK_END, mark);
    CHECK(mel_tick_set(0));
    remove_rings();
}

/* A block that was had before is got by another path than a fresh one: from now on all were. */
static void use_blocks(void)
{
    static void *held[BLOCKS];
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_get(&pool, MEL_POLL, &held[i]));
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_put(&pool, held[i]));
    }
}

/* So it is with messages, where queues are in C. */
static void use_messages(void)
{
    enum { MESSAGES = LARGEST * CAPACITY };
    uint32_t message;
    CHECK(mel_queue_create(0, MESSAGES));
    for (uint32_t i = 0; i < MESSAGES; i++) {
        CHECK(mel_queue_send(0, i, MEL_POLL));
    }
    for (uint32_t i = 0; i < MESSAGES; i++) {
        CHECK(mel_queue_receive(0, MEL_POLL, &message));
    }
    CHECK(mel_queue_delete(0));
}

static void conduct(void *unused)
{
    (void)unused;
    use_blocks();
    use_messages();
    static const uint32_t sizes[] = {0, 4, 28, 56, 105};
    static const uint32_t ticks[] = {TICK_LONG, TICK_SHORT}; /* in the order of experiments/ring.yaml */
    for (uint32_t tick = 0; tick < 2; tick++) {
        for (uint32_t i = 0; PART & PART_RESPONSE && i < sizeof sizes / sizeof sizes[0]; i++) {
            if (sizes[i] <= LARGEST) {
                run(PHASE_RESPONSE | sizes[i] << 8 | tick << 16 | (uint32_t)LABEL << 24, sizes[i], ticks[tick], COUNT_FEW);
            }
        }
        if (PART & PART_IDLE) {
            run(PHASE_IDLE | tick << 8 | (uint32_t)LABEL << 20, 4, ticks[tick], COUNT_TICKS * ticks[tick] / TURN);
        }
    }
    if (PART & PART_CALLS) {
        run(PHASE_CALLS | BUS << 8, PAIR, 0, COUNT_FEW);
    }
    mel_print("ring: every buffer was passed ");
    mel_print_unsigned(LOOPS);
    mel_print(" times\n");
    mel_exit(0);
}

int main(void)
{
    CHECK(mel_tick_set(0));
    CHECK(mel_pool_create(&pool, blocks, sizeof blocks[0], BLOCKS, SEM_POOL));
    create(TASK_MAIN, conduct, 0, stack_main, PRIORITY_MAIN);
    CHECK(mel_task_start(TASK_MAIN));
    mel_kernel_start();
}
