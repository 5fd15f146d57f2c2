/* SPDX-License-Identifier: Apache-2.0 */
/* stdin.c: stdin of the C library: a byte of the console, waiting until there is one. A task sleeps meanwhile, and others
 * run; the console's interrupt line is mapped to its wake-up without a handler. Before mel_kernel_start, in a handler and
 * while dispatch is disabled the caller polls. One task reads at a time. Weak: a program may define its own. */
#include <stdio.h>

#include <melanion/input.h>
#include <melanion/interrupt.h>
#include <melanion/task.h>

#ifdef MEL_STDIN_POLLS /* a program for FreeRTOS itself: the calls below are not linked */

static uint32_t wait(void)
{
    return mel_input_take();
}

#else

/* The line is enabled during the wait alone: an edge at another time would be a wake-up that the task's own sleep then
 * finds. The byte is looked for again once edges count, because those before are forgotten. */
static uint32_t wait(void)
{
    const mel_id_t self = mel_task_self();
    uint32_t byte;
    if (self == MEL_TASKS) {
        return mel_input_take();
    }
    (void)mel_irq_map(MEL_INPUT_LINE, MEL_IRQ_ACTION_TASK_WAKEUP, self, 0, false);
    (void)mel_irq_enable(MEL_INPUT_LINE);
    while ((byte = mel_input_take()) == MEL_INPUT_NONE) {
        (void)mel_task_sleep(MEL_INTERRUPTS > 0 ? MEL_FOREVER : 1);
    }
    (void)mel_irq_disable(MEL_INPUT_LINE);
    (void)mel_task_sleep(MEL_POLL); /* drop the wake-up of an edge that came before the byte was taken */
    return byte;
}

#endif

static int get(FILE *file)
{
    uint32_t byte = mel_input_take();
    (void)file;
    while (byte == MEL_INPUT_NONE) {
        byte = wait();
    }
    return byte == MEL_INPUT_END ? _FDEV_EOF : (int)byte;
}

static FILE console = FDEV_SETUP_STREAM(NULL, get, NULL, _FDEV_SETUP_READ);

__attribute__((weak)) FILE *const stdin = &console;
