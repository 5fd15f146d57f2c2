/* SPDX-License-Identifier: Apache-2.0 */
/* spin.S: the rarer ways into a critical section (section.h). */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"
#include "seam/core/core.h"
#include "seam/lock/lock.h"

    SECTION_WAYS
