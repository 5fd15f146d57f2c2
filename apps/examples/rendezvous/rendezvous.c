/* SPDX-License-Identifier: Apache-2.0 */
/* rendezvous.c: a filter and a logger meet after every sample: the filter brings its result, the logger the gain for the next one. One
 * command does what takes two queues otherwise. Run it on the system beside it: melanion run apps/examples/rendezvous --kernel
 * apps/examples/rendezvous/system.yaml */
#include <mel_commands.h>
#include <melanion/device.h>

enum { FILTER, LOGGER, MEETING = 0, ROUNDS = 100, STACK = 1024 };

MEL_TASK_STACK(stack_filter, FILTER, STACK);
MEL_TASK_STACK(stack_logger, LOGGER, STACK);

static uint32_t total;

static void filter(void *argument)
{
    (void)argument;
    uint32_t gain = 1;
    for (uint32_t sample = 1; sample <= ROUNDS; sample++) {
        if (mel_rendezvous_meet(MEETING, sample * gain, MEL_FOREVER, &gain) != MEL_E_OK) {
            mel_exit(1);
        }
    }
}

static void logger(void *argument)
{
    (void)argument;
    uint32_t result;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        if (mel_rendezvous_meet(MEETING, round % 3 + 1, MEL_FOREVER, &result) != MEL_E_OK) {
            mel_exit(2);
        }
        total += result;
    }
    /* Nobody comes any more: the last meeting times out. */
    if (mel_rendezvous_meet(MEETING, 0, 2, &result) != MEL_E_TMOUT) {
        mel_exit(3);
    }
    mel_print("rendezvous: the total is ");
    mel_print_unsigned(total);
    mel_print("\n");
    mel_exit(0);
}

int main(void)
{
    const mel_task_attributes_t attributes[] = {
        [FILTER] = {.entry = filter, .stack = stack_filter, .stack_size = STACK, .priority = 5},
        [LOGGER] = {.entry = logger, .stack = stack_logger, .stack_size = STACK, .priority = 6},
    };
    (void)mel_sem_create(MEETING, 0, 1);
    for (mel_id_t task = FILTER; task <= LOGGER; task++) {
        (void)mel_task_create(task, &attributes[task]);
        (void)mel_task_start(task);
    }
    mel_kernel_start();
}
