/* SPDX-License-Identifier: Apache-2.0 */
/* boot.c: from reset to main(), and from main() to idle. The stacks of boot code and handlers. */
#include "common/boot.h"

#include <melanion/melanion.h>

#include "arch/riscv/frame.h"
#include "common/cores/cores.h"
#include "arch/riscv/processor/processor.h"

/* Not static: assembly names them. */
uint8_t mel_boot_stack[MEL_BOOT_STACK_BYTES] __attribute__((aligned(MEL_STACK_ALIGNMENT)));
MEL_STACK_RECORD(mel_boot_stack, MEL_STACK_BOOT, MEL_BOOT_STACK_BYTES);
uint8_t mel_interrupt_stack[MEL_INTERRUPT_STACK_BYTES] __attribute__((aligned(MEL_STACK_ALIGNMENT)));
MEL_STACK_RECORD(mel_interrupt_stack, MEL_STACK_INTERRUPT, MEL_INTERRUPT_STACK_BYTES);

const char *volatile mel_boot_probe;

/* Called by start.S with interrupts off. */
_Noreturn void mel_boot(void);
_Noreturn void mel_boot(void)
{
    mel_kernel_boot();
    __asm__ volatile("csrw mie, %0\n\tcsrsi mstatus, 8" : : "r"(MEL_PROCESSOR_MIE) : "memory");
    (void)mel_tick_set(MEL_TICK_CYCLES); /* mel_system.h holds a legal length */
    mel_exit((uint32_t)main());
}

_Noreturn void mel_kernel_start(void)
{
    mel_core_start_others();
    if (mel_dispatch_enable() != MEL_E_OK) {
        mel_boot_refuse("mel_kernel_start was called from a handler; call it once, at the end of main()");
    }
    mel_idle();
}

bool mel_in_handler(void)
{
    uintptr_t sp;
    __asm__("mv %0, sp" : "=r"(sp));
    return sp - (uintptr_t)mel_interrupt_stack <= MEL_INTERRUPT_STACK_BYTES;
}

_Noreturn void mel_boot_refuse(const char *sentence)
{
    mel_print("melanion: ");
    mel_print(sentence);
    mel_print("\n");
    mel_exit(MEL_EXIT_CODE_BOOT);
}

_Noreturn void mel_exit(uint32_t code)
{
    for (;;) {
        *(volatile uint32_t *)(MEL_IO_BASE + 0x4u) = code;
    }
}
