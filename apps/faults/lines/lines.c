/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c: every interrupt line of the system, one after the other: a pulse of the generator, then mel_irq_raise. Each runs the
 * handler of its line, once. The handler gives the semaphore that the task waits for. A line that stays silent, or runs another's
 * handler, ends the program with a sentence. Mark MARK_LINE: the line that came. */
#include <melanion/device.h>
#include <melanion/melanion.h>

enum { TASK = 0, SEM_CAME = 1, MARK_LINE = 1, LIMIT = 2 /* ticks */ };

MEL_TASK_STACK(stack, TASK, 1024);

static volatile uint32_t runs[MEL_INTERRUPTS];

static void came(mel_id_t line, void *argument)
{
    volatile uint32_t *const run = argument;
    *run += 1;
    MEL_MARK(MARK_LINE, line);
    (void)mel_sem_give(SEM_CAME);
}

static void check(uint32_t line, const char *what, bool good)
{
    if (!good) {
        mel_print("lines: line ");
        mel_print_unsigned(line);
        mel_print(": ");
        mel_print(what);
        mel_print("\n");
        mel_exit(1);
    }
}

static void serve(void *unused)
{
    (void)unused;
    for (uint32_t line = 0; line < MEL_INTERRUPTS; line++) {
        mel_irqgen_pulse(line, 20);
        check(line, "its edge runs no handler", mel_sem_take(SEM_CAME, LIMIT) == MEL_E_OK);
        check(line, "raising it is refused", mel_irq_raise(line) == MEL_E_OK);
        check(line, "raising it runs no handler", mel_sem_take(SEM_CAME, LIMIT) == MEL_E_OK);
        check(line, "its handler did not run twice", runs[line] == 2);
    }
    check(MEL_INTERRUPTS, "a line of no system can be raised", mel_irq_raise(MEL_LINES) == MEL_E_ID);
    mel_exit(0);
}

int main(void)
{
    const mel_task_attributes_t task = {.entry = serve, .stack = stack, .stack_size = sizeof stack, .priority = 1};
    (void)mel_sem_create(SEM_CAME, 0, 2);
    for (uint32_t line = 0; line < MEL_INTERRUPTS; line++) {
        check(line, "cannot be attached", mel_irq_attach(line, came, (void *)&runs[line]) == MEL_E_OK);
        check(line, "cannot be mapped", mel_irq_map(line, MEL_IRQ_ACTION_NONE, 0, 0, true) == MEL_E_OK);
        check(line, "cannot be enabled", mel_irq_enable(line) == MEL_E_OK);
    }
    (void)mel_task_create(TASK, &task);
    (void)mel_task_start(TASK);
    mel_kernel_start();
}
