/* SPDX-License-Identifier: Apache-2.0 */
/* smp.c: the blocks of the cores under a software kernel, the stacks of their interrupts, and the interrupts themselves: each is a critical section. */
#include "common/current/current.h"

#include "arch/riscv/frame.h"
#include "common/boot.h"
#include "software/ipi/ipi.h"
#include "software/run_queue/run_queue.h"
#include "software/timeouts.h"
#include "software/interrupt.h"
#include "software/state.h"

_Static_assert(offsetof(mel_core_t, running) == CORE_BLOCK_RUNNING, "smp.h: CORE_BLOCK_RUNNING");
_Static_assert(offsetof(mel_core_t, due) == CORE_BLOCK_DUE, "smp.h: CORE_BLOCK_DUE");
_Static_assert(offsetof(mel_core_t, nested) == CORE_BLOCK_NESTED, "smp.h: CORE_BLOCK_NESTED");
_Static_assert(offsetof(mel_core_t, ended) == CORE_BLOCK_ENDED, "smp.h: CORE_BLOCK_ENDED");
_Static_assert(offsetof(mel_core_t, hold) == CORE_BLOCK_HOLD, "smp.h: CORE_BLOCK_HOLD");
_Static_assert(offsetof(mel_core_t, trap_sp) == CORE_BLOCK_TRAP_SP, "smp.h: CORE_BLOCK_TRAP_SP");
_Static_assert(sizeof(mel_core_t) == 1 << CORE_BLOCK_SIZE_LOG2, "smp.h: CORE_BLOCK_SIZE_LOG2");
_Static_assert(MEL_HOLD_HANDLER == 1, "spin.S tests this bit");

extern uint8_t mel_interrupt_stack[MEL_INTERRUPT_STACK_BYTES];

/* No handler runs on cores 1 …: their interrupts only choose a task. */
#define TRAP_STACK_BYTES 512
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

/* Whole task blocks, as the idle context of core 0: calls look at the running task's. */
static mel_task_t idle[MEL_CORES - 1] = {[0 ... MEL_CORES - 2] = {.context = {.number = MEL_TASKS, .name = "idle"}}};

#define BLOCK(context, stack, bytes)                                                                              \
    {.running = (context), .idle = (context), .hold = MEL_HOLD_DISPATCH, .rank = MEL_RANK_LEAST,                  \
     .trap_sp = (uintptr_t)(stack) + (bytes) - MEL_STACK_ALIGNMENT}

/* In .data: the other cores read it while core 0 clears .bss. */
mel_core_t mel_cores[MEL_CORES] = {
    BLOCK(&mel_tasks[MEL_TASKS].context, mel_interrupt_stack, MEL_INTERRUPT_STACK_BYTES),
    BLOCK(&idle[0].context, core_1_trap_stack, TRAP_STACK_BYTES),
#if MEL_CORES > 2
    BLOCK(&idle[1].context, core_2_trap_stack, TRAP_STACK_BYTES),
#endif
#if MEL_CORES > 3
    BLOCK(&idle[2].context, core_3_trap_stack, TRAP_STACK_BYTES),
#endif
};

mel_context_t mel_core_nowhere;

void mel_core_ended(mel_context_t *context)
{
    mel_context_forget(context);
    for (mel_core_t *core = mel_cores; core != mel_cores + MEL_CORES; core++) {
        if (core->running == context) {
            core->ended = 1;
        }
    }
}

mel_context_pair_t mel_interrupt_external_locked(void);
mel_context_pair_t mel_interrupt_external_locked(void)
{
    mel_lock_trap();
    return mel_interrupt_external();
}

/* The doorbell of this core, or what a core does that has found out by itself that it is due. */
mel_context_pair_t mel_interrupt_due_locked(void);
mel_context_pair_t mel_interrupt_due_locked(void)
{
    mel_lock_due();
    mel_ipi_silence((uint32_t)(mel_self - mel_cores));
    (void)mel_run_queue_slice();
    return mel_interrupt_exit();
}

static inline bool tick_pending(void)
{
    uint32_t pending;
    __asm__ volatile("csrr %0, mip" : "=r"(pending));
    return (pending & 0x80u) != 0;
}

/* The tick of the system on core 0, a core's own on the others. */
mel_context_pair_t mel_interrupt_timer_locked(void);
mel_context_pair_t mel_interrupt_timer_locked(void)
{
    mel_lock_trap();
    mel_context_pair_t pair = {mel_running, mel_running};
    if (tick_pending()) { /* else another core has stopped it meanwhile */
        if (mel_self != mel_cores) {
            mel_ipi_tick();
        } else {
            pair = mel_interrupt_timer();
        }
    }
    if (!MEL_IPI_LOOKS || mel_self->due == 0) {
        return pair;
    }
    (void)mel_run_queue_slice();
    return mel_interrupt_exit();
}
