/* SPDX-License-Identifier: Apache-2.0 */
/* smp.S: the interrupt by which a core chooses anew. */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "common/current/current.h"

    .text
    .balign 4
    CORE_TRAP mel_vector_software, mel_interrupt_due, mel_context_resume
