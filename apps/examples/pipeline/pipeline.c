/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c: a producer, a worker and a collector, each bound to a core of its own as far as there are cores, hand words on
 * through two message queues; each stage computes for a while with every word. The collector checks every word and its order, each stage that it runs where it was put.
 * `melanion run pipeline --kernel hwrtos-2` */
#include <melanion/melanion.h>

enum { PRODUCER, WORKER, COLLECTOR, STAGES }; /* tasks */
enum { RAW, DONE };                           /* queues: to the worker, to the collector */
enum { WORDS = 200, CAPACITY = 4, STACK = 512, PRIORITY = 5 };
enum { TURNS = 100 }; /* steps of a stage's computation per word */
#define FACTOR UINT32_C(1284865837)
#define ADDEND UINT32_C(4150755663)

MEL_TASK_STACK(producer_stack, PRODUCER, STACK);
MEL_TASK_STACK(worker_stack, WORKER, STACK);
MEL_TASK_STACK(collector_stack, COLLECTOR, STACK);

static void check(bool right, const char *what)
{
    if (!right) {
        mel_print("pipeline: ");
        mel_print(what);
        mel_print("\n");
        mel_exit(1);
    }
}

static void check_core(uint32_t stage)
{
    check(mel_core_self() == stage % MEL_CORES, "a stage runs on another core than its own");
}

/* A stage's work: TURNS steps of a linear congruential generator (Knuth, MMIX, lower half). */
static uint32_t compute(uint32_t word)
{
    for (uint32_t i = 0; i < TURNS; i++) {
        word = word * FACTOR + ADDEND;
    }
    return word;
}

static void produce(void *argument)
{
    (void)argument;
    for (uint32_t i = 0; i < WORDS; i++) {
        check_core(PRODUCER);
        check(mel_queue_send(RAW, compute(i), MEL_FOREVER) == MEL_E_OK, "a word could not be sent");
    }
}

static void work(void *argument)
{
    (void)argument;
    for (;;) {
        uint32_t word = 0;
        check(mel_queue_receive(RAW, MEL_FOREVER, &word) == MEL_E_OK, "no word came");
        check_core(WORKER);
        check(mel_queue_send(DONE, compute(word), MEL_FOREVER) == MEL_E_OK, "a result could not be sent");
    }
}

static void collect(void *argument)
{
    (void)argument;
    uint32_t factor = 1; /* computation of both stages as one step */
    uint32_t addend = 0;
    for (uint32_t i = 0; i < 2 * TURNS; i++) {
        factor *= FACTOR;
        addend = addend * FACTOR + ADDEND;
    }
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t word = 0;
        check(mel_queue_receive(DONE, MEL_FOREVER, &word) == MEL_E_OK, "no result came");
        check_core(COLLECTOR);
        check(word == i * factor + addend, "a result is wrong, or came out of order");
    }
    mel_print("pipeline: ");
    mel_print_unsigned(WORDS);
    mel_print(" words through ");
    mel_print_unsigned(STAGES);
    mel_print(" stages on ");
    mel_print_unsigned(MEL_CORES < STAGES ? MEL_CORES : STAGES);
    mel_print(MEL_CORES > 1 ? " cores\n" : " core\n");
    mel_exit(0);
}

static void make(mel_id_t stage, mel_task_entry_t entry, void *stack, const char *name)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .stack = stack,
        .stack_size = STACK,
        .priority = PRIORITY,
        .name = name,
    };
    check(mel_task_create_on(stage, &attributes, stage % MEL_CORES) == MEL_E_OK, "a task could not be made");
    check(mel_task_start(stage) == MEL_E_OK, "a task could not be started");
}

int main(void)
{
    check(mel_queue_create(RAW, CAPACITY) == MEL_E_OK, "a queue could not be made");
    check(mel_queue_create(DONE, CAPACITY) == MEL_E_OK, "a queue could not be made");
    make(PRODUCER, produce, producer_stack, "producer");
    make(WORKER, work, worker_stack, "worker");
    make(COLLECTOR, collect, collector_stack, "collector");
    mel_kernel_start();
}
