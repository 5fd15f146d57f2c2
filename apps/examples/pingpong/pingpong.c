/* SPDX-License-Identifier: Apache-2.0 */
/* pingpong.c: two tasks of one priority wait for each other with two semaphores, ROUNDS times. Tracepoints show the switches
 * to the simulation without costing a cycle: 1 before a give, 2 after a take. */
#include <melanion/melanion.h>

enum { PING, PONG };              /* tasks, and the semaphores that wake them */
enum { ROUNDS = 100, STACK = 512 };
enum { TRACEPOINT_GIVE = 1, TRACEPOINT_TAKEN = 2 };

MEL_TASK_STACK(ping_stack, PING, STACK);
MEL_TASK_STACK(pong_stack, PONG, STACK);

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_print("pingpong: a kernel call returned ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

static void ping(void *argument)
{
    (void)argument;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        MEL_TRACEPOINT(TRACEPOINT_GIVE, round);
        check(mel_sem_give(PONG));
        check(mel_sem_take(PING, MEL_FOREVER));
        MEL_TRACEPOINT(TRACEPOINT_TAKEN, round);
    }
    mel_print("pingpong: ");
    mel_print_unsigned(ROUNDS);
    mel_print(" rounds\n");
    mel_exit(0);
}

static void pong(void *argument)
{
    (void)argument;
    for (;;) {
        check(mel_sem_take(PONG, MEL_FOREVER));
        check(mel_sem_give(PING));
    }
}

static void make(mel_id_t number, const mel_task_attributes_t *attributes)
{
    check(mel_sem_create(number, 0, 1));
    check(mel_task_create(number, attributes));
    check(mel_task_start(number));
}

int main(void)
{
    make(PING, &(mel_task_attributes_t){
                   .entry = ping, .stack = ping_stack, .stack_size = STACK, .priority = 5, .name = "ping"});
    make(PONG, &(mel_task_attributes_t){
                   .entry = pong, .stack = pong_stack, .stack_size = STACK, .priority = 5, .name = "pong"});
    mel_kernel_start();
}
