/* SPDX-License-Identifier: Apache-2.0 */
/* tm_porting_layer.h: stands in for the porting layer that comes with the benchmark, for another processor: it must not be used, ours is. */
#ifndef TM_PORTING_LAYER_H
#define TM_PORTING_LAYER_H

#include <stdio.h>

#define TM_CAUSE_INTERRUPT asm("SVC #0");

#endif
