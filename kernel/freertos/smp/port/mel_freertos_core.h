/* SPDX-License-Identifier: Apache-2.0 */
/* mel_freertos_core.h: state of one core under FreeRTOS on several cores. For C and assembly. Register tp points to the block of the core that executes, from reset on; it is
 * never saved, so a task finds the block of whatever core runs it. A core reads and writes its own block alone, with interrupts off. */
#ifndef MEL_FREERTOS_CORE_H
#define MEL_FREERTOS_CORE_H

/* Byte offsets in mel_freertos_core_t (cores.c checks them). */
#define CORE_BLOCK_TASK 0
#define CORE_BLOCK_TRAP_SP 4
#define CORE_BLOCK_NUMBER 8
#define CORE_BLOCK_BELL 12
#define CORE_BLOCK_DUE 16
#define CORE_BLOCK_SIZE_LOG2 5

#ifndef __ASSEMBLER__

#include <stdint.h>

typedef struct {
    void *volatile *task;    /* its element of pxCurrentTCBs */
    uintptr_t trap_sp;       /* initial stack pointer of its handlers, and of a switch of tasks */
    uint32_t number;
    volatile uint32_t *bell; /* its doorbell (soc/shared/mel_locks.sv) */
    uint32_t due;            /* a handler has asked for a switch of tasks */
    uint32_t nesting;        /* depth of its critical sections */
    uint32_t depth;          /* how often it holds the lock for tasks */
} __attribute__((aligned(1 << CORE_BLOCK_SIZE_LOG2))) mel_freertos_core_t;

#endif
#endif
