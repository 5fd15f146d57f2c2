/* SPDX-License-Identifier: Apache-2.0 */
/* program.c: a dispatch, a tick and an interrupt with a handler, on the library for a SoC that is not ours. Prints what each brought; exits with 0. */
#include <melanion/melanion.h>

enum { LOW, HIGH, LINE = 1, STACK = 1024 };
MEL_TASK_STACK(low_stack, LOW, STACK);
MEL_TASK_STACK(high_stack, HIGH, STACK);

static volatile uint32_t handled;

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_print("a call returned ");
        mel_print_signed(status);
        mel_exit(1);
    }
}

static void handler(mel_id_t irq, void *argument)
{
    (void)argument;
    handled = irq;
    check(mel_sem_give(HIGH));
}

static void high(void *argument)
{
    (void)argument;
    check(mel_sem_take(HIGH, MEL_FOREVER));
    mel_print("switched\n");
    check(mel_task_delay(2));
    mel_print("ticked\n");
    check(mel_irq_raise(LINE));
    check(mel_sem_take(HIGH, MEL_FOREVER));
    MEL_MARK(0, handled);
    mel_print(handled == LINE ? "handled\n" : "not handled\n");
    mel_exit(0);
}

static void low(void *argument)
{
    (void)argument;
    check(mel_sem_give(HIGH));
    for (;;) {
    }
}

static void start(mel_id_t task, mel_task_entry_t entry, void *stack)
{
    check(mel_task_create(task, &(mel_task_attributes_t){.entry = entry, .stack = stack, .stack_size = STACK, .priority = 5 - task}));
    check(mel_task_start(task));
}

int main(void)
{
    check(mel_sem_create(HIGH, 0, 1));
    check(mel_irq_attach(LINE, handler, NULL));
    check(mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true));
    check(mel_irq_enable(LINE));
    start(LOW, low, low_stack);
    start(HIGH, high, high_stack);
    mel_kernel_start();
}
