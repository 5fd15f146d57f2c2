/* SPDX-License-Identifier: Apache-2.0 */
/* current.c: the frames of tasks whose registers are in no bank; idle has one that nobody reads. */
#include "common/current/current.h"

#include <melanion/kernel.h>

uint32_t mel_frames[MEL_TASKS + 1][MEL_FRAME_REGISTERS];
