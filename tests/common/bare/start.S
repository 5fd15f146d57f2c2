/* SPDX-License-Identifier: Apache-2.0 */
/* Start code of the tests of soc/: no kernel. Vectors go to timer_irq, external_irq, software_irq (weak: hang); main's value is the exit code. */
    .section .vectors, "ax", @progbits
    .option norvc
    .set vector, 0
    .rept 32
    .if vector == 3
    j software_irq
    .elseif vector == 7
    j timer_irq
    .elseif vector == 11
    j external_irq
    .else
    j hang
    .endif
    .set vector, vector + 1
    .endr
    .option rvc

    .weak software_irq, timer_irq, external_irq
    .set software_irq, hang
    .set timer_irq, hang
    .set external_irq, hang

    .section .init, "ax", @progbits
    .globl mel_reset
mel_reset:
    la sp, boot_stack_top
    call main
    li t0, 0x20002000
    sw a0, 4(t0)
hang:
    j hang

    .bss
    .balign 16
    .globl boot_stack
boot_stack:
    .space 1024
boot_stack_top:

    .pushsection .mel_tracepoints, "", @progbits
    .balign 4
    .word boot_stack
    .word 0x100
    .asciz "1024 0xFFFF 0 0"
    .popsection
