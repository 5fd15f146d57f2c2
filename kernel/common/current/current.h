/* SPDX-License-Identifier: Apache-2.0 */
/* current.h: the interface `current`: where the kernel finds what runs on the core that executes, and how that is left. C and assembly.
 * The number of cores and the coupling choose the implementation: `one`; with the unit `several`, or `banked` (a store of contexts, any number of cores); without it `smp`.
 * Verbs in C: mel_core_running (the context that runs, or was interrupted by the handler that runs; right also when another core
 * takes the calling task at any moment), mel_core_run (it changes; interrupts off), mel_core_ended (the task of a context ended, or
 * was made: it begins at its entry; between mel_core_enter and mel_core_leave).
 * Of implementations under the unit: mel_core_numbered (once for each context at boot).
 * tp: of one core, and of `banked`, it points to the thread area of the C library (__tls_base, link.ld), which all tasks and handlers share; of several cores to the block of the core.
 * Macros of assembly: CORE_RESET (once on each core; gp holds; sets tp; uses t0), CORE_SELF (what the verbs in C need; gp and sp hold, nothing else; uses t0),
 * CORE_VECTOR_SOFTWARE (vectors 3 to 6), CORE_GLOBAL_POINTER (gp). Of `one` and `several`: CORE_RUNNING (t2 = the context
 * that runs; may use a1), CORE_DISPATCH (load `dispatch`; a0 = the context that runs now; after CORE_RUNNING; uses t0, t1; needs the interface
 * `coupling`), CORE_RUN (store that it is a0; after CORE_DISPATCH, a1 as it was),
 * CORE_ENDED (the task of context t2, which runs here, has ended; uses t0), CORE_EXTERNAL (the vector of interrupts with handlers).
 * For software kernels, of `one` and `smp`: mel_running and mel_hold (lvalues; interrupts off), MEL_CORE_IDLE (this core's idle context), mel_core_left (where the
 * registers of the context that is left are saved); CORE_REPORT_RUN (it is a0, and reported; t1, t2: the numbers of a0 and of who ran; may use
 * t0), CORE_TRAP (a vector: a critical section in C that may change what runs). Of `several`, `smp` and `banked`: mel_core_joined (once on each core but 0). */
#ifndef MEL_COMMON_CURRENT_CURRENT_H
#define MEL_COMMON_CURRENT_CURRENT_H

#include "common/interface.h"

/* Why the running task keeps the core: bits of mel_hold. */
#define MEL_HOLD_HANDLER 1u  /* a C handler runs */
#define MEL_HOLD_DISPATCH 2u /* dispatch is disabled */
#define MEL_HOLD_SETTING 4u  /* software kernels: event flags are being set (software/event_flags.c), interrupts come in between */

#include MEL_TEXT(MEL_INTERFACE_CURRENT)

#endif
