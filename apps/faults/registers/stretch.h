/* SPDX-License-Identifier: Apache-2.0 */
/* stretch.h: a stretch of assembly in which every register holds something of its own, and a kernel call follows. */
#ifndef STRETCH_H
#define STRETCH_H

/* Register x(n) holds seed + n · STRETCH_STEP, but for what a turn computes (stretch.S). */
#define STRETCH_STEP 33

/* Bytes of the frame: two images of 32 registers, words that are stored and loaded, what the caller keeps. */
#define STRETCH_AFTER 128
#define STRETCH_WORDS 256
#define STRETCH_KEPT 272
#define STRETCH_FRAME 368

#ifndef OWN_TP
#define OWN_TP 0 /* 1: x4 is a task's own, too: kernels with a store of contexts. Elsewhere it belongs to the core */
#endif

#ifndef __ASSEMBLER__
#include <melanion/melanion.h>

/* Fill the registers from `seed`, compute `turns` turns (about 170 cycles each), then make the library's `call` with two
 * arguments; returns its status. */
mel_status_t stretch(uint32_t seed, uint32_t turns, const void *call, uint32_t first, uint32_t second);

/* Defined by the program: check both images: all registers before the call, those that a call keeps after it. */
void stretch_check(uint32_t seed, const uint32_t *before, const uint32_t *after);
#endif
#endif
