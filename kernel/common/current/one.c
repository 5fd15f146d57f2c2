/* SPDX-License-Identifier: Apache-2.0 */
/* one.c: the context that runs on the one core. */
#include "common/current/current.h"

mel_context_t *mel_running;
uint32_t mel_hold = MEL_HOLD_DISPATCH; /* until mel_kernel_start */
