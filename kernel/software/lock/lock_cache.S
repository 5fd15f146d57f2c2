/* SPDX-License-Identifier: Apache-2.0 */
/* lock_cache.S: the rarer ways into a critical section (section.h). */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"
#include "common/current/current.h"
#include "software/lock/lock.h"

    SECTION_WAYS
