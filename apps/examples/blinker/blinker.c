/* SPDX-License-Identifier: Apache-2.0 */
/* blinker.c: a task toggles a lamp (a marker) every PERIOD ticks. It waits until a time, not for a time: so what the loop
 * itself takes never adds up. */
#include <melanion/melanion.h>

enum { BLINKER };
enum { PERIOD = 2, BLINKS = 10, STACK = 512, TICK_CYCLES = 10000 };
enum { MARKER_LAMP = 1 };

MEL_TASK_STACK(blinker_stack, BLINKER, STACK);

static void blink(void *argument)
{
    (void)argument;
    uint64_t now;
    (void)mel_time_get(&now); /* cannot fail */
    mel_ticks_t next = (mel_ticks_t)now;
    for (uint32_t i = 0; i < BLINKS; i++) {
        next += PERIOD;
        if (mel_task_delay_until(next) != MEL_E_OK) {
            mel_print("blinker: too late\n");
            mel_exit(1);
        }
        MEL_MARK(MARKER_LAMP, i & 1);
        mel_print(i & 1 ? "off\n" : "on\n");
    }
    mel_exit(0);
}

int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = blink, .stack = blinker_stack, .stack_size = STACK, .priority = 3, .name = "blinker"};
    if (mel_tick_set(TICK_CYCLES) != MEL_E_OK || mel_task_create(BLINKER, &attributes) != MEL_E_OK ||
        mel_task_start(BLINKER) != MEL_E_OK) {
        return 1;
    }
    mel_kernel_start();
}
