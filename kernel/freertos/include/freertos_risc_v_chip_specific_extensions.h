/* SPDX-License-Identifier: Apache-2.0 */
/* freertos_risc_v_chip_specific_extensions.h: what the RISC-V port of FreeRTOS asks of a chip. Ours has the machine timer and no registers beyond the standard.
 * The hook for such registers stands at the one place where every context is restored: there we report, without an instruction, the stack pointer that has just been
 * loaded, and the control block of its task (docs/decisions/0025; melanion/run/switches.py makes the task of it). */
#ifndef MEL_FREERTOS_CHIP_H
#define MEL_FREERTOS_CHIP_H

#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"

#define portasmHAS_SIFIVE_CLINT 1
#define portasmHAS_MTIME 1
#define portasmADDITIONAL_CONTEXT_SIZE 0

/* clang-format off */
.macro portasmSAVE_ADDITIONAL_REGISTERS
.endm

.macro portasmRESTORE_ADDITIONAL_REGISTERS
    TRACE MEL_TRACE_DISPATCH, "0xFFFF sp t1 0" /* t1: pxCurrentTCB */
.endm
/* clang-format on */

#endif
