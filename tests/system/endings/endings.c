/* SPDX-License-Identifier: Apache-2.0 */
/* endings.c: prints a line, and then does not end well (tests/system/test_endings.py). ENDING is one of
 *   LIMIT     `left` computes for ever, `right` waits with a limit that comes again and again
 *   DEADLOCK  `left` and `right` hold a semaphore each, and wait for that of the other
 *   PULSES    as DEADLOCK, and the interrupt generator has pulses to come that wake nobody
 *   LAST      both tasks return
 *   CODE      `left` ends the run with exit code 3
 *   REFUSED   as LAST; before, a call was refused, and an access of the unit meant nothing
 *   DEEP      `left` overflows its stack */
#include <melanion/device.h>
#include <melanion/melanion.h>

enum { LIMIT, DEADLOCK, PULSES, LAST, CODE, REFUSED, DEEP };
enum { LEFT, RIGHT };                  /* tasks, and the semaphores that they take first */
enum { TICK_CYCLES = 20000, STACK = 512 };

MEL_TASK_STACK(left_stack, LEFT, STACK);
MEL_TASK_STACK(right_stack, RIGHT, STACK);

__attribute__((noinline)) static uint32_t deep(uint32_t n)
{
    volatile uint32_t waste[16];
    waste[0] = n;
    return n == 0 ? 0 : deep(n - 1) + waste[0];
}

static void take_both(mel_id_t first, mel_id_t second)
{
    mel_sem_take(first, MEL_FOREVER);
    mel_task_delay(2); /* the other takes its own meanwhile */
    mel_sem_take(second, MEL_FOREVER);
}

static void left(void *argument)
{
    (void)argument;
    mel_print("left begins\n");
    switch (ENDING) {
    case LIMIT:
        for (;;) {
        }
    case DEADLOCK:
    case PULSES:
        take_both(LEFT, RIGHT);
        break;
    case CODE:
        mel_exit(3);
    case DEEP:
        mel_exit(deep(100));
    default:
        break;
    }
}

static void right(void *argument)
{
    (void)argument;
    if (ENDING == LIMIT) {
        for (;;) {
            mel_task_delay(1);
        }
    }
    if (ENDING == DEADLOCK || ENDING == PULSES) {
        take_both(RIGHT, LEFT);
    }
}

static void make(mel_id_t number, const mel_task_attributes_t *attributes)
{
    mel_sem_create(number, 1, 1);
    mel_task_create(number, attributes);
    mel_task_start(number);
}

int main(void)
{
    mel_tick_set(TICK_CYCLES);
    make(LEFT, &(mel_task_attributes_t){
        .name = "left", .entry = left, .priority = 5, .stack = left_stack, .stack_size = STACK });
    make(RIGHT, &(mel_task_attributes_t){
        .name = "right", .entry = right, .priority = 4, .stack = right_stack, .stack_size = STACK });
    if (ENDING == PULSES) {
        mel_irqgen_pulses(9, 1000000, 1000000, 2);
    }
    if (ENDING == REFUSED) {
        mel_sem_take(LEFT, MEL_FOREVER); /* here is no task that could wait */
#ifdef MEL_UNIT_BASE
        *(volatile uint32_t *)(MEL_UNIT_BASE + MEL_REG_TIME_LOW) = 0; /* is only read */
#endif
    }
    mel_kernel_start();
}
