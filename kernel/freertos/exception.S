/* SPDX-License-Identifier: Apache-2.0 */
/* exception.S: exceptions other than a yield, which FreeRTOS's port hands on when it has saved what was interrupted: the run ends with a sentence (common/panic.c). */
    .text
    .balign 4
    .globl freertos_risc_v_application_exception_handler
freertos_risc_v_application_exception_handler:
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    lw a3, pxCurrentTCB
    lw a3, 0(a3)                    /* the interrupted stack pointer, below the context */
    addi a3, a3, 31 * 4
    j mel_panic
