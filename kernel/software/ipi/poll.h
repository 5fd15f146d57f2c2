/* SPDX-License-Identifier: Apache-2.0 */
/* poll.h: nothing tells a core (implementation `poll` of the interface `ipi`): it looks at its mark itself. An idle core does so in a loop (poll.S), a busy one at each kernel call
 * (software/lock/spin.h) and at its own tick: that of the system on core 0, on the others a timer of the same length. */
#ifndef MEL_SOFTWARE_IPI_POLL_H
#define MEL_SOFTWARE_IPI_POLL_H

#include <melanion/types.h>

#define MEL_IPI_LOOKS true

static inline void mel_ipi_ring(uint32_t core)
{
    (void)core;
}

static inline void mel_ipi_silence(uint32_t core)
{
    (void)core;
}

void mel_ipi_join(void);
void mel_ipi_tick(void);

#endif
