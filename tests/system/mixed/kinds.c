/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c: a task on core 0, then one on core 1, does the same multiplications and says how many cycles they took: what the kind of core decides.
 * The first has the boot of core 1 beside it in the memory; while the second counts, core 0 is idle. */
#include <melanion/device.h>
#include <melanion/melanion.h>

enum { FIRST, SECOND, TASKS }; /* tasks, and the cores that they are bound to; FIRST: the semaphore too */
enum { STACK = 512, PRIORITY = 5 };

MEL_TASK_STACK(first_stack, FIRST, STACK);
MEL_TASK_STACK(second_stack, SECOND, STACK);

static void check(bool right)
{
    if (!right) {
        mel_exit(1);
    }
}

static void measure(uint32_t core)
{
    check(mel_core_self() == core);
    const uint32_t start = mel_cycles();
    uint32_t value = core + 3;
    /* Each needs the result of the one before. */
    __asm__ volatile(".rept 64\n\tmul %0, %0, %0\n\t.endr" : "+r"(value));
    const uint32_t cycles = mel_cycles() - start;
    mel_print("core ");
    mel_print_unsigned(core);
    mel_print(": ");
    mel_print_unsigned(cycles);
    mel_print(" cycles\n");
}

static void first(void *argument)
{
    (void)argument;
    measure(0);
    check(mel_sem_give(FIRST) == MEL_E_OK);
}

static void second(void *argument)
{
    (void)argument;
    check(mel_sem_take(FIRST, MEL_FOREVER) == MEL_E_OK);
    measure(1);
    mel_exit(0);
}

int main(void)
{
    check(mel_sem_create(FIRST, 0, 1) == MEL_E_OK);
    const mel_task_attributes_t attributes[TASKS] = {
        {.entry = first, .stack = first_stack, .stack_size = STACK, .priority = PRIORITY, .name = "first"},
        {.entry = second, .stack = second_stack, .stack_size = STACK, .priority = PRIORITY, .name = "second"},
    };
    for (uint32_t i = 0; i < TASKS; i++) {
        check(mel_task_create_on(i, &attributes[i], i) == MEL_E_OK);
        check(mel_task_start(i) == MEL_E_OK);
    }
    mel_kernel_start();
}
