/* SPDX-License-Identifier: Apache-2.0 */
/* debugged.c: what tests/system/test_debug.py looks at through GDB. `owner` sleeps with a mutex, `waiter`, more urgent, waits for it with known values in the
 * registers that a call keeps, `busy` is preempted with known values in all others, too, and `urgent` then stands at `woken`. Before, `stores`
 * wrote memory one instruction after the other: whoever stops between two of them must see the first alone. */
#include <melanion/melanion.h>

enum { URGENT, OWNER, WAITER, BUSY };
enum { MUTEX, TICK_CYCLES = 20000, STACK = 512 };

MEL_TASK_STACK(urgent_stack, URGENT, STACK);
MEL_TASK_STACK(owner_stack, OWNER, STACK);
MEL_TASK_STACK(waiter_stack, WAITER, STACK);
MEL_TASK_STACK(busy_stack, BUSY, STACK);

volatile uint32_t seen[4];

void stores(void);
void woken(void);
void wait(void);
void spin(void);
_Noreturn void fill_and_wait(void *argument);
_Noreturn void fill_and_spin(void *argument);

/* A word, then its four bytes, then two halves, then a word again: each store follows the one before at once. */
__asm__(".text\n"
        ".balign 4\n"
        ".globl stores\n"
        "stores:\n"
        "    la a5, seen\n"
        "    li a4, 0x11\n"
        "    sw a4, 0(a5)\n"
        "    sb a4, 0(a5)\n"
        "    sb a4, 1(a5)\n"
        "    sb a4, 2(a5)\n"
        "    sb a4, 3(a5)\n"
        "    sh zero, 0(a5)\n"
        "    sh zero, 2(a5)\n"
        "    sw a5, 4(a5)\n"
        "    addi sp, sp, -16\n"
        "    sw a4, 12(sp)\n"
        "    addi sp, sp, 16\n"
        "    ret\n"
        /* s2 … s11 hold 0x12345602 … 0x1234560b in the wait. */
        ".globl fill_and_wait\n"
        "fill_and_wait:\n"
        "    .irp n, 2,3,4,5,6,7,8,9,10,11\n"
        "    li s\\n, 0x12345600 + \\n\n"
        "    .endr\n"
        "    call wait\n"
        "    ebreak\n"
        /* All registers but sp, gp, tp hold 0x6540 + number. */
        ".globl fill_and_spin, spin\n"
        "fill_and_spin:\n"
        "    .irp n, 1,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "    li x\\n, 0x6540 + \\n\n"
        "    .endr\n"
        "spin:\n"
        "    j spin\n");

void __attribute__((noinline)) woken(void)
{
    __asm__ volatile("");
}

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_exit(1);
    }
}

/* The registers s2 … are the caller's: the compiler must not use them here, and has no reason to. */
void __attribute__((noinline)) wait(void)
{
    check(mel_mutex_lock(MUTEX, 100));
    mel_exit(2);
}

static void urgent(void *argument)
{
    (void)argument;
    check(mel_task_delay(2));
    woken();
    mel_print("woken\n");
    mel_exit(0);
}

static void owner(void *argument)
{
    (void)argument;
    check(mel_mutex_lock(MUTEX, MEL_FOREVER));
    check(mel_task_start(WAITER));
    check(mel_task_sleep(MEL_FOREVER));
}

static void make(mel_id_t number, const mel_task_attributes_t *attributes)
{
    check(mel_task_create(number, attributes));
    if (number != WAITER) {
        check(mel_task_start(number));
    }
}

int main(void)
{
    stores();
    check(mel_tick_set(TICK_CYCLES));
    check(mel_mutex_create(MUTEX, MEL_NO_CEILING));
    make(URGENT, &(mel_task_attributes_t){
                     .entry = urgent, .stack = urgent_stack, .stack_size = STACK, .priority = 1, .name = "urgent"});
    make(OWNER, &(mel_task_attributes_t){
                    .entry = owner, .stack = owner_stack, .stack_size = STACK, .priority = 7, .name = "owner"});
    make(WAITER, &(mel_task_attributes_t){
                     .entry = fill_and_wait, .stack = waiter_stack, .stack_size = STACK, .priority = 5, .name = "waiter"});
    make(BUSY, &(mel_task_attributes_t){
                   .entry = fill_and_spin, .stack = busy_stack, .stack_size = STACK, .priority = 9, .name = "busy"});
    mel_kernel_start();
}
