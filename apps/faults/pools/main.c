/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the program `pools`: its main task, and what its parts share. */
#include "pools.h"

#define EACH_WORKER(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define STACK(task) MEL_TASK_STACK(stack_##task, task, STACK_SIZE);
#define STACK_ADDRESS(task) stack_##task,

MEL_TASK_STACK(stack_main, TASK_MAIN, 1024);
EACH_WORKER(STACK)
static uint8_t *const stacks[WORKERS] = {EACH_WORKER(STACK_ADDRESS)};

mel_pool_t pool;
uint32_t memory[BLOCKS * BLOCK_BYTES / 4];
volatile uint32_t round_number;

void check(uint32_t line, int32_t found, int32_t expected)
{
    if (found != expected) {
        mel_print("pools: line ");
        mel_print_unsigned(line);
        mel_print(" in round ");
        mel_print_unsigned(round_number);
        mel_print(": ");
        mel_print_signed(found);
        mel_print(" instead of ");
        mel_print_signed(expected);
        mel_print("\n");
        mel_exit(1);
    }
}

void check_whole(void)
{
    void *blocks[BLOCKS + 1];
    uint32_t seen = 0;
    uint32_t free = 0;
    CHECK(mel_pool_query(&pool, &free));
    EXPECT(free, BLOCKS);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_get(&pool, MEL_POLL, &blocks[i]));
        const uint32_t distance = (uint32_t)((uintptr_t)blocks[i] - (uintptr_t)memory);
        EXPECT(distance % BLOCK_BYTES, 0);
        seen |= 1u << distance / BLOCK_BYTES;
    }
    EXPECT(seen, (1u << BLOCKS) - 1);
    EXPECT(mel_pool_get(&pool, MEL_POLL, &blocks[BLOCKS]), MEL_E_TMOUT);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK(mel_pool_put(&pool, blocks[i]));
    }
}

/* Create a task; it runs on core 0 in every part in which the order of tasks counts. */
static void make(mel_id_t task, const mel_task_attributes_t *attributes)
{
    CHECK(PART == 2 ? mel_task_create(task, attributes) : mel_task_create_on(task, attributes, 0));
}

void spawn(mel_id_t task, mel_task_entry_t entry, uint32_t argument, mel_priority_t priority)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)(uintptr_t)argument,
        .stack = stacks[task - TASK_FIRST],
        .stack_size = STACK_SIZE,
        .priority = priority,
    };
    make(task, &attributes);
    CHECK(mel_task_start(task));
}

int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = PART == 0 ? statuses : PART == 1 ? sweep : crowd,
        .stack = stack_main,
        .stack_size = sizeof stack_main,
        .priority = PRIORITY_MAIN,
    };
    make(TASK_MAIN, &attributes);
    CHECK(mel_task_start(TASK_MAIN));
    mel_kernel_start();
}
