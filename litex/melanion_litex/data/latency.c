/* SPDX-License-Identifier: Apache-2.0 */
/* latency.c: cycles of calls and of an interrupt, counted by the SoC (demo.py: CSRs `lab_…`). Prints `name cycles`, one a line: mean cycles of
 * a round for calls, mean and worst for interrupts. A reading of the counter is subtracted; loops are not. */
#include <generated/csr.h>
#include <melanion/melanion.h>

enum { ONE, OTHER, WOKEN, ROUNDS = 64, INTERRUPTS = 32, LINE = 0, STACK = 1024 };
MEL_TASK_STACK(one_stack, ONE, STACK);
MEL_TASK_STACK(other_stack, OTHER, STACK);
MEL_TASK_STACK(woken_stack, WOKEN, STACK);

static uint32_t reading;
static volatile uint32_t woken_times;

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_print("a call returned ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

static void say(const char *name, uint32_t cycles)
{
    mel_print(name);
    mel_print(" ");
    mel_print_unsigned(cycles);
    mel_print("\n");
}

static uint32_t begin(void)
{
    return lab_cycles_read();
}

static uint32_t of_a_round(uint32_t since)
{
    return (lab_cycles_read() - since - reading) / ROUNDS;
}

static void one(void *argument)
{
    (void)argument;
    reading = begin();
    reading = lab_cycles_read() - reading;

    uint32_t since = begin();
    for (int i = 0; i < ROUNDS; i++) {
        check(mel_sem_give(ONE));
        check(mel_sem_take(ONE, MEL_FOREVER));
    }
    say("give_take", of_a_round(since));

    since = begin();
    for (int i = 0; i < ROUNDS; i++) {
        check(mel_sem_give(OTHER));
        check(mel_sem_take(ONE, MEL_FOREVER));
    }
    say("ping_pong", of_a_round(since));

    uint32_t sum = 0, worst = 0;
    for (uint32_t i = 0; i < INTERRUPTS; i++) {
        lab_delay_write(300 + 7 * i);
        while (woken_times == i) {
        }
        const uint32_t latency = lab_latency_read();
        sum += latency;
        worst = latency > worst ? latency : worst;
    }
    say("interrupt_mean", sum / INTERRUPTS);
    say("interrupt_worst", worst);
    mel_exit(0);
}

static void other(void *argument)
{
    (void)argument;
    for (;;) {
        check(mel_sem_take(OTHER, MEL_FOREVER));
        check(mel_sem_give(ONE));
    }
}

static void woken(void *argument)
{
    (void)argument;
    for (;;) {
        check(mel_sem_take(WOKEN, MEL_FOREVER));
        lab_stop_write(1);
        woken_times++;
    }
}

static void start(mel_id_t task, mel_task_entry_t entry, void *stack, uint32_t priority)
{
    check(mel_sem_create(task, 0, 1));
    check(mel_task_create(task, &(mel_task_attributes_t){.entry = entry, .stack = stack, .stack_size = STACK, .priority = priority}));
    check(mel_task_start(task));
}

int main(void)
{
    start(ONE, one, one_stack, 5);
    start(OTHER, other, other_stack, 4);
    start(WOKEN, woken, woken_stack, 2);
    check(mel_irq_map(LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, WOKEN, 0, false));
    check(mel_irq_enable(LINE));
    mel_kernel_start();
}
