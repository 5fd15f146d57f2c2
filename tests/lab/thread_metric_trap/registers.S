/* SPDX-License-Identifier: Apache-2.0 */
/* registers.S: every register with a value of its own, around a service or for some time. */
#define PATTERN(n) (n * 0x01010101)
#define LOST -1
#define RELINQUISH 3

    .bss
    .balign 4
stack_pointer:
    .skip 4

    .text
/* int kept(unsigned int number, int argument) */
    .balign 4
    .globl kept
kept:
    addi sp, sp, -64
    sw ra, 0(sp)
    sw gp, 4(sp)
    sw tp, 8(sp)
    sw s0, 12(sp)
    sw s1, 16(sp)
    .irp n, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    sw x\n, (\n - 13) * 4(sp)
    .endr
    la t0, stack_pointer
    sw sp, 0(t0)
    mv a7, a0
    mv a0, a1
    .irp n, 1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    li x\n, PATTERN(\n)
    .endr
    ecall
    la t1, stack_pointer
    lw t1, 0(t1)
    bne sp, t1, 1f
    .irp n, 1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    li t0, PATTERN(\n)
    bne x\n, t0, 1f
    .endr
    lw t0, 4(sp)
    bne gp, t0, 1f
    lw t0, 8(sp)
    bne tp, t0, 1f
    j 2f
1:  li a0, LOST
    mv sp, t1
2:  lw ra, 0(sp)
    lw gp, 4(sp)
    lw tp, 8(sp)
    lw s0, 12(sp)
    lw s1, 16(sp)
    .irp n, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    lw x\n, (\n - 13) * 4(sp)
    .endr
    addi sp, sp, 64
    ret

/* int held(void): t0 counts; whoever changes it changes how long this takes. */
    .balign 4
    .globl held
held:
    addi sp, sp, -64
    sw ra, 0(sp)
    sw s0, 12(sp)
    sw s1, 16(sp)
    .irp n, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    sw x\n, (\n - 13) * 4(sp)
    .endr
    .irp n, 1, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    li x\n, PATTERN(\n)
    .endr
    li t0, 70000
1:  addi t0, t0, -1
    bnez t0, 1b
    .irp n, 1, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    li t0, PATTERN(\n)
    bne x\n, t0, 2f
    .endr
    li a0, 0
    j 3f
2:  li a0, LOST
3:  lw ra, 0(sp)
    lw s0, 12(sp)
    lw s1, 16(sp)
    .irp n, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    lw x\n, (\n - 13) * 4(sp)
    .endr
    addi sp, sp, 64
    ret

/* _Noreturn void spoil(void) */
    .balign 4
    .globl spoil
spoil:
    .irp n, 1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
    li x\n, -\n
    .endr
    li a7, RELINQUISH
    ecall
    j spoil
