/* SPDX-License-Identifier: Apache-2.0 */
/* panic.c: the end of a run that an exception, or an interrupt without a vector, has reached: one sentence that says what
 * happened, where, to which task, and whether that was in user mode. */
#include <melanion/melanion.h>

#include "arch/riscv/frame.h"
#include "common/boot.h"
#include "common/cores/cores.h"
#include "arch/riscv/processor/processor.h"

#define CAUSE_INTERRUPT (1u << 31)
#define CAUSE_LOAD_FAULT 5u
#define CAUSE_STORE_FAULT 7u

extern uint8_t mel_interrupt_stack[MEL_INTERRUPT_STACK_BYTES];

/* Called by start.S, on the interrupt stack; `sp` is the stack pointer of what was interrupted. */
_Noreturn void mel_panic(uint32_t cause, uint32_t pc, uint32_t address, uint32_t sp);

static const char *name_of(uint32_t cause)
{
    static const char *const names[] = {
        "instruction address misaligned", "instruction access fault", "illegal instruction", "breakpoint",
        "load address misaligned",        "load access fault",        "store address misaligned", "store access fault",
        "environment call from user mode", "unknown exception",       "unknown exception",
        "environment call",
    };
    if (mel_processor_lost(cause)) {
        return "bus error of an earlier access";
    }
    if (cause & CAUSE_INTERRUPT) {
        return "an interrupt that nothing serves";
    }
    return cause < sizeof(names) / sizeof(names[0]) ? names[cause] : "unknown exception";
}

/* The last trap came from user mode: its previous mode, mstatus.MPP, is 0. */
static bool from_user_mode(void)
{
    uint32_t mstatus;
    __asm__ volatile("csrr %0, mstatus" : "=r"(mstatus));
    return (mstatus & MSTATUS_MPP) == 0;
}

static void print_place(uint32_t sp)
{
    const mel_id_t task = mel_task_self();
    if (from_user_mode()) {
        mel_print(", in user mode of "); /* its sp says nothing */
    } else if (sp - (uint32_t)(uintptr_t)mel_interrupt_stack <= MEL_INTERRUPT_STACK_BYTES) {
        mel_print(", in a handler that interrupted ");
    } else {
        mel_print(", in ");
    }
    if (task == MEL_TASKS) {
        mel_print("boot code or idle");
    } else {
        mel_print("task ");
        mel_print_unsigned(task);
        mel_print(" (");
        mel_print(mel_task_name(task));
        mel_print(")");
    }
}

/* Message about the kernel's hardware after a bus error; NULL: none, or no bus error. In user mode
 * it is none: the memory protection has refused the access, and the hardware has not seen it. */
static const char *meaning_of(uint32_t cause, uint32_t address)
{
    if (mel_processor_lost(cause)) {
        return mel_kernel_hardware_error();
    }
    const bool refused = cause == CAUSE_LOAD_FAULT || cause == CAUSE_STORE_FAULT;
    return refused && !from_user_mode() ? mel_kernel_bus_error(address) : NULL;
}

_Noreturn void mel_panic(uint32_t cause, uint32_t pc, uint32_t address, uint32_t sp)
{
    const char *const meaning = meaning_of(cause, address);
    if (mel_boot_probe != NULL && !(cause & CAUSE_INTERRUPT)) {
        mel_boot_refuse(mel_boot_probe);
    }
    mel_print("melanion: ");
    mel_print(name_of(cause));
    mel_print(" (cause ");
    mel_print_unsigned(cause & ~CAUSE_INTERRUPT);
    mel_print(") at pc ");
    mel_print_hex(pc);
    if (!mel_processor_lost(cause)) {
        mel_print(", address ");
        mel_print_hex(address);
    }
    print_place(sp);
    mel_core_print();
    if (meaning != NULL) {
        mel_print(": ");
        mel_print(meaning);
    }
    mel_print("\n");
    mel_exit(meaning != NULL ? MEL_EXIT_CODE_BOOT : MEL_EXIT_CODE_FAULT);
}
