/* SPDX-License-Identifier: Apache-2.0 */
/* freertos.h: what runs on the core is FreeRTOS's business (part `freertos` of the seam `core`): only what boot code asks of every kernel on one core. */
#ifndef MEL_CORE_FREERTOS_H
#define MEL_CORE_FREERTOS_H

#ifdef __ASSEMBLER__

#include "arch/riscv/registers.h"

/* clang-format off */
.macro CORE_RESET
.endm

.macro CORE_SELF
.endm
/* clang-format on */

#endif
#endif
