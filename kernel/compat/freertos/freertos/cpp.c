/* SPDX-License-Identifier: Apache-2.0 */
/* cpp.c: programs with sources in C++ on FreeRTOS itself: as in the layer. */
#include "../cpp.c"
