/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c: memcpy, memmove and memset a word at a time: the C library's here are byte loops, and a comparison of kernels
 * must not measure the C library (ANCHORS, rules of fairness). The same for every kernel.
 * Timing: about 2 cycles a word when both addresses are multiples of 4 (Ibex, zero wait states), else about 5 a byte. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);

typedef uint32_t __attribute__((may_alias)) word_t;

/* Without the attribute the compiler recognizes the loops and replaces each by a call of itself. */
#define PLAIN_LOOPS __attribute__((optimize("no-tree-loop-distribute-patterns")))

static inline int aligned(const void *address)
{
    return ((uintptr_t)address & 3) == 0;
}

PLAIN_LOOPS void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    uint8_t *target = to;
    const uint8_t *source = from;
    if (aligned(to) && aligned(from)) {
        for (; count >= 16; count -= 16, target += 16, source += 16) {
            const uint32_t a = ((const word_t *)source)[0];
            const uint32_t b = ((const word_t *)source)[1];
            const uint32_t c = ((const word_t *)source)[2];
            const uint32_t d = ((const word_t *)source)[3];
            ((word_t *)target)[0] = a;
            ((word_t *)target)[1] = b;
            ((word_t *)target)[2] = c;
            ((word_t *)target)[3] = d;
        }
        for (; count >= 4; count -= 4, target += 4, source += 4) {
            *(word_t *)target = *(const word_t *)source;
        }
    }
    for (; count != 0; count--) {
        *target++ = *source++;
    }
    return to;
}

PLAIN_LOOPS void *memmove(void *to, const void *from, size_t count)
{
    uint8_t *target = to;
    const uint8_t *source = from;
    if ((uintptr_t)target - (uintptr_t)source >= count) {
        return memcpy(to, from, count);
    }
    const int words = aligned(to) && aligned(from);
    for (; count != 0 && !(words && (count & 3) == 0); count--) {
        target[count - 1] = source[count - 1];
    }
    for (; count != 0; count -= 4) {
        *(word_t *)(target + count - 4) = *(const word_t *)(source + count - 4);
    }
    return to;
}

PLAIN_LOOPS void *memset(void *to, int value, size_t count)
{
    uint8_t *target = to;
    const uint8_t byte = (uint8_t)value;
    if (aligned(to)) {
        const uint32_t word = byte * UINT32_C(0x01010101);
        for (; count >= 4; count -= 4, target += 4) {
            *(word_t *)target = word;
        }
    }
    for (; count != 0; count--) {
        *target++ = byte;
    }
    return to;
}
