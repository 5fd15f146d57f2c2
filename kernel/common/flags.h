/* SPDX-License-Identifier: Apache-2.0 */
/* flags.h: the condition of a wait for event flags. */
#ifndef MEL_COMMON_FLAGS_H
#define MEL_COMMON_FLAGS_H

#include <melanion/event_flags.h>

/* `flags` end a wait for `pattern`; mode: MEL_FLAGS_ALL, or any of them. */
static inline bool mel_flags_hold(uint32_t mode, uint32_t pattern, uint32_t flags)
{
    const uint32_t found = flags & pattern;
    return mode & MEL_FLAGS_ALL ? found == pattern : found != 0;
}

#endif
