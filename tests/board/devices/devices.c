/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c: uses each device that a board has and a simulation has not. The terminal sends one character behind each line, and presses a
 * button behind the second. Exit code: 40 + errors. */
#include <melanion/device.h>
#include <melanion/melanion.h>

#define REGISTER(offset) (*(volatile uint32_t *)(MEL_IO_BASE + (offset)))

enum { TASK, STACK = 512, SEMAPHORE = 0, LINE_GENERATOR = 1, LINE_BUTTON = 9, LINE_RECEIVER = 15 };

MEL_TASK_STACK(stack, TASK, STACK);
static uint32_t errors;

static void expect(int right, const char *what)
{
    if (!right) {
        mel_print(what);
        mel_print("?\n");
        errors++;
    }
}

/* Wait for a line that gives the semaphore. */
static void await(const char *what)
{
    expect(mel_sem_take(SEMAPHORE, 2000) == MEL_E_OK, what);
}

static void serve(mel_id_t line)
{
    expect(mel_irq_map(line, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEMAPHORE, 0, false) == MEL_E_OK, "map");
    expect(mel_irq_enable(line) == MEL_E_OK, "enable");
}

static void run(void *argument)
{
    (void)argument;
    expect(mel_sem_create(SEMAPHORE, 0, 1) == MEL_E_OK, "semaphore");
    REGISTER(0x10) = 0x5a; /* LEDs */
    serve(LINE_GENERATOR);
    mel_irqgen_pulse(LINE_GENERATOR, 100);
    await("pulse");
    MEL_MARK(0, 1);
    serve(LINE_RECEIVER);
    mel_print("a\n");
    await("character");
    expect(REGISTER(0x8) == 'x', "x");
    expect(REGISTER(0x8) == 0xFFFFFFFFu, "nothing more");
    expect((REGISTER(0x14) & 2) == 0, "button up");
    serve(LINE_BUTTON);
    mel_print("b\n");
    await("button");
    expect((REGISTER(0x14) & 2) != 0, "button down");
    MEL_MARK(0, 2);
    expect(REGISTER(0xc) == 0, "lost");
    mel_exit(40 + errors);
}

int main(void)
{
    mel_task_create(TASK, &(mel_task_attributes_t){
                              .entry = run, .stack = stack, .stack_size = STACK, .priority = 5, .name = "task"});
    mel_task_start(TASK);
    mel_kernel_start();
}
