/* SPDX-License-Identifier: Apache-2.0 */
/* cores.c: the blocks of the cores under FreeRTOS, and the stacks of their handlers: of core 0 that of every kernel, of each other core one on which it boots, switches tasks and
 * panics. */
#include <melanion/melanion.h>

#include "arch/riscv/frame.h"
#include "common/cores/cores.h"

_Static_assert(MEL_CORES >= 2 && MEL_CORES <= 4, "FreeRTOS on several cores: 2 to 4");
_Static_assert(offsetof(mel_freertos_core_t, task) == CORE_BLOCK_TASK, "mel_freertos_core.h: CORE_BLOCK_TASK");
_Static_assert(offsetof(mel_freertos_core_t, trap_sp) == CORE_BLOCK_TRAP_SP, "mel_freertos_core.h: CORE_BLOCK_TRAP_SP");
_Static_assert(offsetof(mel_freertos_core_t, number) == CORE_BLOCK_NUMBER, "mel_freertos_core.h: CORE_BLOCK_NUMBER");
_Static_assert(offsetof(mel_freertos_core_t, bell) == CORE_BLOCK_BELL, "mel_freertos_core.h: CORE_BLOCK_BELL");
_Static_assert(offsetof(mel_freertos_core_t, due) == CORE_BLOCK_DUE, "mel_freertos_core.h: CORE_BLOCK_DUE");
_Static_assert(sizeof(mel_freertos_core_t) == 1 << CORE_BLOCK_SIZE_LOG2, "mel_freertos_core.h: CORE_BLOCK_SIZE_LOG2");

extern void *volatile pxCurrentTCBs[MEL_CORES]; /* FreeRTOS's */
extern uint8_t mel_interrupt_stack[MEL_INTERRUPT_STACK_BYTES];

#define TRAP_STACK_BYTES 1024
#define TRAP_STACK(number)                                                                                        \
    static uint8_t core_##number##_trap_stack[TRAP_STACK_BYTES] __attribute__((aligned(MEL_STACK_ALIGNMENT)));    \
    MEL_STACK_RECORD(core_##number##_trap_stack, MEL_STACK_INTERRUPT, TRAP_STACK_BYTES)

TRAP_STACK(1);
#if MEL_CORES > 2
TRAP_STACK(2);
#endif
#if MEL_CORES > 3
TRAP_STACK(3);
#endif

#define BLOCK(core, stack, bytes)                                                                                 \
    {.task = &pxCurrentTCBs[core], .number = (core), .bell = (volatile uint32_t *)(MEL_LOCKS_BASE + 0x100u + 4u * (core)), \
     .trap_sp = (uintptr_t)(stack) + (bytes) - MEL_STACK_ALIGNMENT}

/* In .data: the other cores read it while core 0 clears .bss. */
mel_freertos_core_t mel_freertos_cores[MEL_CORES] = {
    BLOCK(0, mel_interrupt_stack, MEL_INTERRUPT_STACK_BYTES),
    BLOCK(1, core_1_trap_stack, TRAP_STACK_BYTES),
#if MEL_CORES > 2
    BLOCK(2, core_2_trap_stack, TRAP_STACK_BYTES),
#endif
#if MEL_CORES > 3
    BLOCK(3, core_3_trap_stack, TRAP_STACK_BYTES),
#endif
};

volatile uint32_t mel_core_started __attribute__((section(".data")));

void mel_core_start_others(void)
{
    mel_core_started = 1;
}

uint32_t mel_core_self(void)
{
    uint32_t number;
    __asm__ volatile("csrr %0, mhartid" : "=r"(number));
    return number;
}

void mel_core_print(void)
{
    mel_print(", on core ");
    mel_print_unsigned(mel_core_self());
}
