/* SPDX-License-Identifier: Apache-2.0 */
/* ended.c: a task is ended and started again by another core in every cycle of what its own core does with its registers.
 * The victim and its fellows, all of core 1 and of one priority, yield for ever; when there are more of them than banks of registers, each yield
 * stores one task's and loads another's. On core 0 the reaper terminates the victim wherever it is, each time some cycles later in that round, and
 * starts it again: it must begin at its entry, with its argument and an empty stack.
 * Ends with exit code 0 after ROUNDS; with a sentence when the victim went on where it was, or began wrongly. */
#include <melanion/device.h>
#include <melanion/melanion.h>

_Static_assert(MEL_CORES >= 2, "ended needs a system with 2 cores: run it on hwrtos-2");

enum { REAPER, VICTIM, FELLOW, FELLOWS = 4, TASKS = FELLOW + FELLOWS };
enum { ROUNDS = 400, STACK = 512, ARGUMENT = 0x5EED, LEAVING = 400 }; /* cycles within which its core has left an ended task */

MEL_TASK_STACK(reaper_stack, REAPER, STACK);
MEL_TASK_STACK(victim_stack, VICTIM, STACK);
MEL_TASK_STACK(fellow_0_stack, FELLOW, STACK);
MEL_TASK_STACK(fellow_1_stack, FELLOW + 1, STACK);
MEL_TASK_STACK(fellow_2_stack, FELLOW + 2, STACK);
MEL_TASK_STACK(fellow_3_stack, FELLOW + 3, STACK);
static uint8_t *const stacks[TASKS] = {reaper_stack, victim_stack, fellow_0_stack, fellow_1_stack, fellow_2_stack, fellow_3_stack};

static volatile uint32_t life;  /* the number of the victim's */
static volatile uint32_t lived; /* the last one that began */

static void check(bool right, const char *what)
{
    if (!right) {
        mel_print("ended: ");
        mel_print(what);
        mel_print("\n");
        mel_exit(1);
    }
}

static void live(void *argument)
{
    uint32_t sp;
    __asm__ volatile("mv %0, sp" : "=r"(sp));
    check(argument == (void *)ARGUMENT, "the victim began with another argument");
    check((uint32_t)(uintptr_t)victim_stack + STACK - sp <= 64, "the victim began on a used stack");
    const uint32_t mine = life;
    lived = mine;
    for (;;) {
        check(mine == life, "the victim goes on where it was terminated");
        __asm__ volatile("li a0, -1" : : : "a0"); /* no argument of a beginning */
        (void)mel_task_yield(); /* E_CTX: it has been ended, and its core leaves it now */
    }
}

static void yield(void *argument)
{
    (void)argument;
    for (;;) {
        check(mel_task_yield() == MEL_E_OK, "a fellow could not yield");
    }
}

static void reap(void *argument)
{
    (void)argument;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        while (lived != life) {
        }
        mel_busy(7 * round % 1024);
        check(mel_task_terminate(VICTIM) == MEL_E_OK, "the victim could not be terminated");
        mel_busy(LEAVING);
        life = life + 1;
        check(mel_task_start(VICTIM) == MEL_E_OK, "the victim could not be started");
    }
    mel_exit(0);
}

static void make(mel_id_t task, mel_task_entry_t entry, mel_priority_t priority, uint32_t core)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)ARGUMENT,
        .stack = stacks[task],
        .stack_size = STACK,
        .priority = priority,
    };
    check(mel_task_create_on(task, &attributes, core) == MEL_E_OK, "a task could not be made");
    check(mel_task_start(task) == MEL_E_OK, "a task could not be started");
}

int main(void)
{
    make(REAPER, reap, 1, 0);
    make(VICTIM, live, 5, 1);
    for (mel_id_t task = FELLOW; task < TASKS; task++) {
        make(task, yield, 5, 1);
    }
    mel_kernel_start();
}
