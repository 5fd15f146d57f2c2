/* SPDX-License-Identifier: Apache-2.0 */
/* number.h: is an object number out of range? A function, because a system may have 0 objects of a kind, and the compiler
 * warns of comparisons with a literal 0. */
#ifndef MEL_COMMON_NUMBER_H
#define MEL_COMMON_NUMBER_H

#include <melanion/types.h>

/* There are objects 0 … count - 1; `number` is none of them. */
static inline bool mel_beyond(mel_id_t number, uint32_t count)
{
    return number >= count;
}

#endif
