/* SPDX-License-Identifier: Apache-2.0 */
/* hold.S: bool hold(uint32_t seed, uint32_t turns): fills every register that a context has with numbers from `seed`, spends
 * about 4 · turns cycles, and says whether each still has its number: false when a preemption, or the way to another core, lost one. */
#define FRAME 64

    .macro each operation
    \operation ra, 1
    \operation t1, 2
    \operation t2, 3
    \operation s0, 4
    \operation s1, 5
    \operation a1, 6
    \operation a2, 7
    \operation a3, 8
    \operation a4, 9
    \operation a5, 10
    \operation a6, 11
    \operation a7, 12
    \operation s2, 13
    \operation s3, 14
    \operation s4, 15
    \operation s5, 16
    \operation s6, 17
    \operation s7, 18
    \operation s8, 19
    \operation s9, 20
    \operation s10, 21
    \operation s11, 22
    \operation t3, 23
    \operation t4, 24
    \operation t5, 25
    .endm

    .macro fill register, number
    addi \register, a0, \number
    .endm

    .macro compare register, number
    addi t0, a0, \number
    bne t0, \register, 2f
    .endm

    .text
    .balign 4
    .globl hold
hold:
    addi sp, sp, -FRAME
    sw ra, 0(sp)
    sw s0, 4(sp)
    sw s1, 8(sp)
    sw s2, 12(sp)
    sw s3, 16(sp)
    sw s4, 20(sp)
    sw s5, 24(sp)
    sw s6, 28(sp)
    sw s7, 32(sp)
    sw s8, 36(sp)
    sw s9, 40(sp)
    sw s10, 44(sp)
    sw s11, 48(sp)
    mv t6, a1
    each fill
1:  addi t6, t6, -1
    bnez t6, 1b
    each compare
    li a0, 1
    j 3f
2:  li a0, 0
3:  lw ra, 0(sp)
    lw s0, 4(sp)
    lw s1, 8(sp)
    lw s2, 12(sp)
    lw s3, 16(sp)
    lw s4, 20(sp)
    lw s5, 24(sp)
    lw s6, 28(sp)
    lw s7, 32(sp)
    lw s8, 36(sp)
    lw s9, 40(sp)
    lw s10, 44(sp)
    lw s11, 48(sp)
    addi sp, sp, FRAME
    ret
