/* SPDX-License-Identifier: Apache-2.0 */
/* poll.h: nothing tells a core (part `poll` of the seam `notify`): it looks at its mark itself. An idle core does so in a loop (poll.S), a busy one at each kernel call
 * (seam/lock/spin.h) and at its own tick: that of the system on core 0, on the others a timer of the same length. */
#ifndef MEL_NOTIFY_POLL_H
#define MEL_NOTIFY_POLL_H

#include <melanion/types.h>

#define MEL_NOTIFY_LOOKS true

static inline void mel_notify_ring(uint32_t core)
{
    (void)core;
}

static inline void mel_notify_silence(uint32_t core)
{
    (void)core;
}

void mel_notify_join(void);
void mel_notify_tick(void);

#endif
