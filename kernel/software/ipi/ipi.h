/* SPDX-License-Identifier: Apache-2.0 */
/* ipi.h: the interface `ipi`: how a core of several hears that it must choose a task anew (its mark `due`, software/smp.h, is set by then).
 * Verbs: mel_ipi_ring(core); mel_ipi_silence(core), by that core itself; mel_ipi_join (each core but 0, when it begins); mel_ipi_tick (the timer
 * interrupt of another core than 0). MEL_IPI_LOOKS: a core looks at its mark at ticks, too. With the kernel's lock, but for join. */
#ifndef MEL_SOFTWARE_IPI_IPI_H
#define MEL_SOFTWARE_IPI_IPI_H

#include "common/interface.h"
#include MEL_TEXT(MEL_INTERFACE_IPI)

#endif
