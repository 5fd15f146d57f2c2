/* SPDX-License-Identifier: Apache-2.0 */
/* context.h: the seam `context`: what a task is to the processor.
 * Verbs: mel_context_of (the context of a task), mel_context_valid (whether attributes can make a task), mel_context_describe (the entry
 * and stack of a new one), mel_context_forget (it has not started); for software kernels mel_context_switch and mel_context_leave. The
 * context that runs: the seam `core`. */
#ifndef MEL_SEAM_CONTEXT_H
#define MEL_SEAM_CONTEXT_H

#include "seam/seam.h"
#include MEL_PART(context, MEL_SEAM_CONTEXT)

#endif
