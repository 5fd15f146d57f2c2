/* SPDX-License-Identifier: Apache-2.0 */
/* context.h: the seam `context`: what a task is to the processor.
 * Verbs: mel_context_start (give a context its first function and stack), mel_context_forget (it has not started);
 * for software kernels mel_context_switch and mel_context_leave. Who runs: the seam `core`. */
#ifndef MEL_SEAM_CONTEXT_H
#define MEL_SEAM_CONTEXT_H

#include "seam/seam.h"
#include MEL_PART(context, MEL_SEAM_CONTEXT)

#endif
