/* SPDX-License-Identifier: Apache-2.0 */
/* several.c: the blocks of the cores of a system with several, and their idle contexts. */
#include "common/current/current.h"

_Static_assert(offsetof(mel_core_t, running) == CORE_BLOCK_RUNNING, "several.h: CORE_BLOCK_RUNNING");
_Static_assert(offsetof(mel_core_t, idle) == CORE_BLOCK_IDLE, "several.h: CORE_BLOCK_IDLE");
_Static_assert(sizeof(mel_core_t) == 1 << CORE_BLOCK_SIZE_LOG2, "several.h: CORE_BLOCK_SIZE_LOG2");

extern mel_context_t mel_contexts[MEL_TASKS + 1];

static mel_context_t idle[MEL_CORES - 1] = {[0 ... MEL_CORES - 2] = {.number = MEL_TASKS, .name = "idle"}};

/* In .data: the other cores read it while core 0 clears .bss. */
mel_core_t mel_cores[MEL_CORES] = {
    {.idle = &mel_contexts[MEL_TASKS]},
    {&idle[0], &idle[0]},
#if MEL_CORES > 2
    {&idle[1], &idle[1]},
#endif
#if MEL_CORES > 3
    {&idle[2], &idle[2]},
#endif
};
