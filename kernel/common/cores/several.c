/* SPDX-License-Identifier: Apache-2.0 */
/* several.c: a system with two to four cores: their stacks, how they begin, and the lock around the few calls in which C and the unit
 * must agree on a task's context. */
#include <melanion/melanion.h>

#include "arch/riscv/frame.h"
#include "common/boot.h"
#include "common/current/current.h"
#include "common/cores/cores.h"

_Static_assert(MEL_CORES >= 2 && MEL_CORES <= 4, "the implementation `several` serves 2 to 4 cores");
extern uint8_t mel_interrupt_stack[MEL_INTERRUPT_STACK_BYTES];

/* Boot code and idle of cores 1 … 3; a panic there begins anew on it. */
#define CORE_STACK(number)                                                                                        \
    static uint8_t core_##number##_stack[MEL_BOOT_STACK_BYTES] __attribute__((aligned(MEL_STACK_ALIGNMENT)));     \
    MEL_STACK_RECORD(core_##number##_stack, MEL_STACK_BOOT, MEL_BOOT_STACK_BYTES)
#define CORE_STACK_TOP(number) ((uintptr_t)core_##number##_stack + MEL_BOOT_STACK_BYTES - MEL_STACK_ALIGNMENT)

CORE_STACK(1);
#if MEL_CORES > 2
CORE_STACK(2);
#endif
#if MEL_CORES > 3
CORE_STACK(3);
#endif

/* Initial stack pointer of a core's panic; cores other than 0 boot with it. In .data: they read it
 * while core 0 clears .bss. */
uintptr_t mel_core_panic_sp[MEL_CORES] __attribute__((section(".data"))) = {
    (uintptr_t)mel_interrupt_stack + MEL_INTERRUPT_STACK_BYTES - MEL_STACK_ALIGNMENT,
    CORE_STACK_TOP(1),
#if MEL_CORES > 2
    CORE_STACK_TOP(2),
#endif
#if MEL_CORES > 3
    CORE_STACK_TOP(3),
#endif
};

volatile uint32_t mel_cores_started __attribute__((section(".data")));

void mel_core_start_others(void)
{
    mel_cores_started = 1;
}

/* Called by several.S on every core but 0, with interrupts on: its idle context, from now on for tasks. */
_Noreturn void mel_core_join(void);
_Noreturn void mel_core_join(void)
{
    mel_core_joined();
    (void)mel_dispatch_enable();
    mel_idle();
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

/* One lock for cores 0 and 1, one for cores 2 and 3, and one for the two pairs. */
typedef struct {
    volatile uint32_t wants[2];
    volatile uint32_t last; /* the side that came last lets the other go first */
} pair_t;

static pair_t pairs[3];

static void enter(pair_t *pair, uint32_t side)
{
    pair->wants[side] = 1;
    pair->last = side;
    while (pair->wants[1 - side] != 0 && pair->last == side) {
    }
}

void mel_core_enter(void)
{
    const uint32_t core = mel_core_self();
    enter(&pairs[core / 2], core % 2);
    enter(&pairs[2], core / 2);
}

void mel_core_leave(void)
{
    const uint32_t core = mel_core_self();
    pairs[2].wants[core / 2] = 0;
    pairs[core / 2].wants[core % 2] = 0;
}

static pair_t outer[3];

/* The pause (a division, 37 cycles) keeps this core away from the memory, from which the holder fetches. */
static void enter_outer(pair_t *pair, uint32_t side)
{
    pair->wants[side] = 1;
    pair->last = side;
    while (pair->wants[1 - side] != 0 && pair->last == side) {
        uint32_t pause = side;
        __asm__ volatile("div %0, %0, sp" : "+r"(pause));
    }
}

void mel_core_enter_outer(void)
{
    const uint32_t core = mel_core_self();
    enter_outer(&outer[core / 2], core % 2);
    enter_outer(&outer[2], core / 2);
}

void mel_core_leave_outer(void)
{
    const uint32_t core = mel_core_self();
    outer[2].wants[core / 2] = 0;
    outer[core / 2].wants[core % 2] = 0;
}
