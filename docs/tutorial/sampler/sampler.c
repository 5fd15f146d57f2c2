/* SPDX-License-Identifier: Apache-2.0 */
/* sampler.c: a task for each sample of the peripheral (docs/tutorial/peripheral.md), and no interrupt handler: the edge gives a semaphore, in hardware.
 * A less urgent task works all the time; nothing that it does makes a sample late. */
#include <melanion/melanion.h>

enum { TAKE, WORK };                     /* tasks */
enum { SAMPLE_READY };                   /* semaphore */
enum { SAMPLES = 1000, PERIOD = 200 };   /* cycles */
enum { LINE = 9, STACK = 512 };

typedef struct {
    volatile uint32_t period, sample, lost;
} sampler_t;
#define SAMPLER ((sampler_t *)0x20008000)

MEL_TASK_STACK(take_stack, TAKE, STACK);
MEL_TASK_STACK(work_stack, WORK, STACK);

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_print("sampler: a kernel call returned ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

static void take(void *argument)
{
    (void)argument;
    uint32_t sum = 0;
    SAMPLER->period = PERIOD;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        check(mel_sem_take(SAMPLE_READY, MEL_FOREVER));
        sum += SAMPLER->sample;
    }
    SAMPLER->period = 0;
    mel_print("sampler: ");
    mel_print_unsigned(SAMPLES);
    mel_print(" samples, sum ");
    mel_print_unsigned(sum);
    mel_print(", lost ");
    mel_print_unsigned(SAMPLER->lost);
    mel_print("\n");
    mel_exit(SAMPLER->lost != 0);
}

static void work(void *argument)
{
    volatile uint32_t *turns = argument;
    for (;;) {
        *turns = *turns / 3 + 1;
    }
}

static void start(mel_id_t task, const mel_task_attributes_t *attributes)
{
    check(mel_task_create(task, attributes));
    check(mel_task_start(task));
}

int main(void)
{
    static uint32_t turns;
    check(mel_sem_create(SAMPLE_READY, 0, 1));
    check(mel_irq_map(LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SAMPLE_READY, 0, false));
    check(mel_irq_enable(LINE));
    start(TAKE, &(mel_task_attributes_t){.entry = take, .stack = take_stack, .stack_size = STACK, .priority = 1, .name = "take"});
    start(WORK, &(mel_task_attributes_t){
                    .entry = work, .argument = &turns, .stack = work_stack, .stack_size = STACK, .priority = 9, .name = "work"});
    mel_kernel_start();
}
