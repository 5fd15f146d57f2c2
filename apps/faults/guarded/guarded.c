/* SPDX-License-Identifier: Apache-2.0 */
/* guarded.c: a task goes to user mode and touches there what ACCESS says, by an instruction at whose time gp and tp hold nothing of use.
 * The program ends with exit code 0 when it could, with the kernel's sentence about the fault when it could not.
 * GUARD 0: no memory protection is set up (a core without PMP). 1: user mode may use the memory and nothing else. 2: everything.
 * Before it touches anything, user mode counts in memory: a fault there would be another address in the sentence.
 * Needs: no interrupt while the task is in user mode; a task that is interrupted goes on in machine mode (arch/riscv/frame.h). */
#include <melanion/melanion.h>

#ifndef GUARD
#define GUARD 0
#endif
#ifndef ACCESS
#define ACCESS 0
#endif

enum { LOAD_UNIT, STORE_UNIT, STORE_DEVICE };
enum { TASK_GUEST = 3, SEM_TOUCHED = 1 };

#define MSTATUS_MPP_USER 0x1800u /* bits to clear */
#define PMP_SECOND_REGION_TOR_RWX 0x0F00u /* from pmpaddr0 to pmpaddr1, in units of 4 bytes */

MEL_TASK_STACK(stack, TASK_GUEST, 1024);

extern uint8_t __heap_end[]; /* the end of memory (soc/tops/link.ld.j2) */
static volatile uint32_t counted;

static void guard(void)
{
#if GUARD
    const uint32_t first = GUARD == 1 ? MEL_MEMORY_BASE >> 2 : 0;
    const uint32_t end = GUARD == 1 ? (uint32_t)(uintptr_t)__heap_end >> 2 : UINT32_MAX;
    __asm__ volatile("csrw pmpaddr0, %0\n csrw pmpaddr1, %1\n csrw pmpcfg0, %2"
                     : : "r"(first), "r"(end), "r"(PMP_SECOND_REGION_TOR_RWX) : "memory");
#endif
}

static uint32_t touched(void)
{
    switch (ACCESS) {
    case LOAD_UNIT:
        return MEL_UNIT_BASE + MEL_REG_IDENTITY;
    case STORE_UNIT:
        return MEL_UNIT_BASE + MEL_COMMAND_OFFSET(MEL_OP_SEMAPHORE_GIVE, SEM_TOUCHED);
    default:
        return MEL_IO_BASE;
    }
}

/* In user mode, on the task's stack. */
static _Noreturn void user(void)
{
    counted++;
    const uint32_t address = touched();
    uint32_t word = 'u';
    uint32_t gp, tp; /* the kernel's values, kept meanwhile */
    if (ACCESS == LOAD_UNIT) {
        __asm__ volatile("mv %1, gp\n mv %2, tp\n li gp, 0\n li tp, 0\n lw %0, 0(%3)\n mv gp, %1\n mv tp, %2"
                         : "=&r"(word), "=&r"(gp), "=&r"(tp) : "r"(address) : "memory");
    } else {
        __asm__ volatile("mv %0, gp\n mv %1, tp\n li gp, 0\n li tp, 0\n sw %2, 0(%3)\n mv gp, %0\n mv tp, %1"
                         : "=&r"(gp), "=&r"(tp) : "r"(word), "r"(address) : "memory");
    }
    mel_exit(ACCESS == LOAD_UNIT && word != MEL_IDENTITY);
}

static void guest(void *argument)
{
    (void)argument;
    guard();
    __asm__ volatile("csrw mepc, %0\n csrc mstatus, %1\n mret" : : "r"(user), "r"(MSTATUS_MPP_USER) : "memory");
}

int main(void)
{
    const mel_task_attributes_t attributes = {
        .entry = guest, .stack = stack, .stack_size = sizeof(stack), .priority = 1, .name = "guest"};
    (void)mel_sem_create(SEM_TOUCHED, 0, 1);
    (void)mel_task_create_on(TASK_GUEST, &attributes, MEL_CORES - 1);
    (void)mel_task_start(TASK_GUEST);
    mel_kernel_start();
}
