/* SPDX-License-Identifier: Apache-2.0 */
/* measure.h: regions of a program that `melanion compare` measures (docs/decisions/0027), with app.yaml or, with --freertos, without: spans from an interrupt's edge, or
 * from a place in the program, to a place in it. Marks are tracepoints (tracepoint.h): no instruction, no cycle, on any kernel. A program that is also built elsewhere:
 *
 *     #if __has_include(<melanion/measure.h>)
 *     #include <melanion/measure.h>
 *     #else
 *     #define MEL_REGION_END(number)
 *     …
 *     #endif
 *
 * Spans of an interrupt line wait for their ends in order: each edge begins one, whatever has not ended. A region that the program begins has one span at a time: if
 * it begins again before its end, the span before counts as one that never ended. So two tasks do not share such a region. */
#ifndef MELANION_MEASURE_H
#define MELANION_MEASURE_H

#include <melanion/tracepoint.h>

/* Numbers of tracepoints: 0x100 + 2 · number at the begin of a region, one more at its end (its value: how many spans end); behind them, from 0x180 on, those of the
 * program's own sections. A program with regions uses none of these (0x100 to 0x181) otherwise. */
#define MEL_REGIONS 64
#define MEL_REGION_TRACEPOINT(number) (0x100 + 2 * (number))
#define MEL_OWN_TRACEPOINT MEL_REGION_TRACEPOINT(MEL_REGIONS)

#define MEL_TRACEPOINT_REGION 0x101 /* the kind of a record that describes a region */
#define MEL_NO_LINE 0xFFFF /* in place of a line: the program begins the region */

/* At file scope, once: region `number` (0 … 63) is called `name`; it is late after `limit_us` microseconds (0: it has no deadline). All three constant. */
#define MEL_REGION(number, name, limit_us) MEL_REGION_OF_LINE(number, name, limit_us, MEL_NO_LINE)

/* Name a region that begins by itself at each edge of interrupt line `line`; else as MEL_REGION. */
#define MEL_REGION_OF_LINE(number, name, limit_us, line) MEL_REGION_NAMED(number, name, limit_us, line, number)
#define MEL_REGION_NAMED(number, name, limit_us, line, unique) MEL_REGION_RECORD(number, name, limit_us, line, unique)
#define MEL_REGION_RECORD(number, name, limit_us, line, unique)                                             \
    __attribute__((used)) static void mel_region_##unique(void)                                             \
    {                                                                                                       \
        __asm__ volatile(".pushsection .mel_tracepoints,\"\",@progbits\n\t"                                      \
                         ".balign 4\n\t"                                                                    \
                         ".word 0\n\t"                                                                      \
                         ".word %0\n\t"                                                                     \
                         ".asciz \"%1 %2 %3 " name "\"\n\t"                                                 \
                         ".popsection"                                                                      \
                         :                                                                                  \
                         : "i"(MEL_TRACEPOINT_REGION), "i"(number), "i"(limit_us), "i"(line));                   \
    }                                                                                                       \
    _Static_assert((number) >= 0 && (number) < MEL_REGIONS, "the number of a region is 0 to 63")

/* Begin a span; end the oldest that is open. Not the last statement of a branch (tracepoint.h). */
#define MEL_REGION_BEGIN(number) MEL_TRACEPOINT(MEL_REGION_TRACEPOINT(number), 0)
#define MEL_REGION_END(number) MEL_TRACEPOINT(MEL_REGION_TRACEPOINT(number) + 1, 1)

/* End the `count` oldest spans of a region of a line: a task that was notified several times before it ran serves them together. */
#define MEL_REGION_SERVED(number, count) MEL_TRACEPOINT(MEL_REGION_TRACEPOINT(number) + 1, count)

/* Around critical sections of the program itself and its divisions: both hold up any kernel, and spans that they touch are also counted apart. */
#define MEL_OWN_BEGIN() MEL_TRACEPOINT(MEL_OWN_TRACEPOINT, 0)
#define MEL_OWN_END() MEL_TRACEPOINT(MEL_OWN_TRACEPOINT + 1, 0)

#endif
