/* SPDX-License-Identifier: Apache-2.0 */
/* irq_lock.h: interrupts of the calling core off and on again, for a few instructions of a program or of a library that no handler and no dispatch may come between.
 * Other cores go on: `<melanion/lock.h>` keeps them out, too. */
#ifndef MELANION_IRQ_LOCK_H
#define MELANION_IRQ_LOCK_H

#include <stdint.h>

typedef uint32_t mel_irq_key_t; /* whether interrupts were on */

/* Turn interrupts off; the key is for mel_irq_unlock. Between the two stands no kernel call. They nest. Callers: any. µITRON, FreeRTOS: none. */
static inline mel_irq_key_t mel_irq_lock(void)
{
    mel_irq_key_t key;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(key) : : "memory");
    return key;
}

/* Turn interrupts on again where they were. Callers: who has the key. µITRON, FreeRTOS: none. */
static inline void mel_irq_unlock(mel_irq_key_t key)
{
    __asm__ volatile("csrs mstatus, %0" : : "r"(key & 8) : "memory");
}

#endif
