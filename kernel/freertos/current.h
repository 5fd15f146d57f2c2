/* SPDX-License-Identifier: Apache-2.0 */
/* current.h: what runs on the core is FreeRTOS's business (implementation `freertos` of the interface `current`): only what boot code asks of every kernel on one core. */
#ifndef MEL_FREERTOS_CURRENT_H
#define MEL_FREERTOS_CURRENT_H

#ifdef __ASSEMBLER__

#include "arch/riscv/registers.h"

/* clang-format off */
.macro CORE_RESET
    .option push
    .option norelax
    la tp, __tls_base
    .option pop
.endm

.macro CORE_SELF
.endm
/* clang-format on */

#endif
#endif
