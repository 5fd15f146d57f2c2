/* SPDX-License-Identifier: Apache-2.0 */
/* drawn.c: what tests/lab/test_timeline.py asks the timeline about. `low` holds a mutex for which `high` comes to wait, and meanwhile gives a semaphore for
 * which `middle` waits; an interrupt gives it once more, and a last time nobody does before the deadline of `middle`. */
#include <melanion/melanion.h>

enum { HIGH, MIDDLE, LOW };
enum { SEMAPHORE, MUTEX = 0, LINE = 1, TICK_CYCLES = 20000, STACK = 512 };

MEL_TASK_STACK(high_stack, HIGH, STACK);
MEL_TASK_STACK(middle_stack, MIDDLE, STACK);
MEL_TASK_STACK(low_stack, LOW, STACK);

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_exit(1);
    }
}

static void high(void *argument)
{
    (void)argument;
    check(mel_mutex_lock(MUTEX, MEL_FOREVER));
    check(mel_mutex_unlock(MUTEX));
    check(mel_task_delay(1));
    check(mel_irq_raise(LINE));
    const mel_status_t watched = mel_deadline_set(MIDDLE, 1); /* not every kernel has deadlines */
    check(watched == MEL_E_RSFN ? MEL_E_OK : watched);
    check(mel_task_delay(3));
    mel_exit(0);
}

static void middle(void *argument)
{
    (void)argument;
    for (;;) {
        check(mel_sem_take(SEMAPHORE, MEL_FOREVER));
    }
}

static void low(void *argument)
{
    (void)argument;
    check(mel_mutex_lock(MUTEX, MEL_FOREVER));
    check(mel_task_start(MIDDLE));
    check(mel_task_start(HIGH));
    check(mel_sem_give(SEMAPHORE));
    check(mel_mutex_unlock(MUTEX));
    check(mel_task_sleep(MEL_FOREVER));
}

static void make(mel_id_t number, mel_task_entry_t entry, void *stack, mel_priority_t priority)
{
    check(mel_task_create(number, &(mel_task_attributes_t){
                                      .entry = entry, .stack = stack, .stack_size = STACK, .priority = priority}));
}

int main(void)
{
    check(mel_tick_set(TICK_CYCLES));
    check(mel_sem_create(SEMAPHORE, 0, 1));
    check(mel_mutex_create(MUTEX, MEL_NO_CEILING));
    check(mel_irq_map(LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEMAPHORE, 0, false));
    check(mel_irq_enable(LINE));
    make(HIGH, high, high_stack, 1);
    make(MIDDLE, middle, middle_stack, 3);
    make(LOW, low, low_stack, 5);
    check(mel_task_start(LOW));
    mel_kernel_start();
}
