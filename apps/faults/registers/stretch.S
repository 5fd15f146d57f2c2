/* SPDX-License-Identifier: Apache-2.0 */
/* stretch.S: mel_status_t stretch(seed, turns, call, first, second): stretch.h.
 * A turn leaves in x5 x10 · x11, x6 x12 / x13, x7 x14 mod x15, x28 the upper word of x16 · x17, x29 what x22 stored, x30 half of what
 * x23 stored, x31 the turns that are left; every other register has its number again at its end. So results of the multiplier, of the
 * divider and of memory are on their way whenever an interrupt comes.
 * Not checked: x3, which is the kernel's. x2 is the frame itself. */
#include "stretch.h"

#define WORD(n) STRETCH_WORDS + 4 * n(sp)
#define KEPT(n) STRETCH_KEPT + 4 * n(sp)

#if OWN_TP
#define TP 4,
#else
#define TP
#endif

    .text
    .balign 4
    .globl stretch
stretch:
    addi sp, sp, -STRETCH_FRAME
    sw ra, KEPT(0)
    sw a0, KEPT(1)
    sw a2, KEPT(2)
    sw a3, KEPT(3)
    sw a4, KEPT(4)
#if OWN_TP
    sw tp, KEPT(5)
#endif
    .irp n, 8,9,18,19,20,21,22,23
    sw x\n, KEPT(\n)
    .endr
    sw s8, KEPT(6)
    sw s9, KEPT(7)
    sw s10, KEPT(10)
    sw s11, KEPT(11)
    mv t6, a1
    .irp n, 1,TP 5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,10
    addi x\n, a0, \n * STRETCH_STEP
    .endr

1:  sw x22, WORD(0)
    mul x5, x10, x11
    lw x29, WORD(0)
    divu x6, x12, x13
    sw x23, WORD(1)
    remu x7, x14, x15
    lhu x30, WORD(1)
    mulhu x28, x16, x17
    .rept 2                         /* x20 and x21 change places twice */
    xor x20, x20, x21
    xor x21, x20, x21
    xor x20, x20, x21
    .endr
    add x1, x1, x8
    sw x24, WORD(2)
    not x24, x24
    sub x1, x1, x8
    lw x24, WORD(2)
    mul x9, x26, x27                /* … is not waited for */
    addi x9, x26, (9 - 26) * STRETCH_STEP
    sw x25, WORD(3)
    mv x25, x19
    lw x25, WORD(3)
    addi x31, x31, -1
    bnez x31, 1b

    .irp n, 1,2,TP 5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    sw x\n, 4 * \n(sp)
    .endr
    lw t0, KEPT(2)
    lw a0, KEPT(3)
    lw a1, KEPT(4)
    jalr t0
    .irp n, 2,TP 8,9,18,19,20,21,22,23,24,25,26,27
    sw x\n, STRETCH_AFTER + 4 * \n(sp)
    .endr
#if OWN_TP
    lw tp, KEPT(5)
#endif
    mv s0, a0
    lw a0, KEPT(1)
    mv a1, sp
    addi a2, sp, STRETCH_AFTER
    call stretch_check
    mv a0, s0
    lw ra, KEPT(0)
    .irp n, 8,9,18,19,20,21,22,23
    lw x\n, KEPT(\n)
    .endr
    lw s8, KEPT(6)
    lw s9, KEPT(7)
    lw s10, KEPT(10)
    lw s11, KEPT(11)
    addi sp, sp, STRETCH_FRAME
    ret
    .globl stretch_end
stretch_end:
