/* SPDX-License-Identifier: Apache-2.0 */
/* hello.c: two tasks hand a semaphore to each other, then an interrupt of the SoC ends the run. */
#include <generated/csr.h>
#include <melanion/melanion.h>

enum { PING, PONG, END, ROUNDS = 100, LINE = 0, STACK = 1024 };
MEL_TASK_STACK(ping_stack, PING, STACK);
MEL_TASK_STACK(pong_stack, PONG, STACK);
MEL_TASK_STACK(end_stack, END, STACK);

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_print("a call returned ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

static void ping(void *argument)
{
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        check(mel_sem_give(PONG));
        check(mel_sem_take(PING, MEL_FOREVER));
    }
    mel_print("hello from Melanion in LiteX: 100 rounds\n");
    lab_delay_write(50);
}

static void pong(void *argument)
{
    (void)argument;
    for (;;) {
        check(mel_sem_take(PONG, MEL_FOREVER));
        check(mel_sem_give(PING));
    }
}

static void end(void *argument)
{
    (void)argument;
    check(mel_sem_take(END, MEL_FOREVER));
    mel_print("an interrupt woke a task\n");
    mel_exit(0);
}

static void start(mel_id_t task, mel_task_entry_t entry, void *stack)
{
    check(mel_sem_create(task, 0, 1));
    check(mel_task_create(task, &(mel_task_attributes_t){.entry = entry, .stack = stack, .stack_size = STACK, .priority = 5}));
    check(mel_task_start(task));
}

int main(void)
{
    start(PING, ping, ping_stack);
    start(PONG, pong, pong_stack);
    start(END, end, end_stack);
    check(mel_irq_map(LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, END, 0, false));
    check(mel_irq_enable(LINE));
    mel_kernel_start();
}
