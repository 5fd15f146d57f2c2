/* SPDX-License-Identifier: Apache-2.0 */
/* atomic.h: operations on a word or a pointer that neither a task nor a handler comes between. Each is a critical section; those that change a number
 * return what it was before. */
#ifndef ATOMIC_H
#define ATOMIC_H

#include "FreeRTOS.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ATOMIC_ENTER_CRITICAL() const UBaseType_t before_ = portENTER_CRITICAL_FROM_ISR()
#define ATOMIC_EXIT_CRITICAL() portEXIT_CRITICAL_FROM_ISR(before_)
#define ATOMIC_COMPARE_AND_SWAP_SUCCESS 1u
#define ATOMIC_COMPARE_AND_SWAP_FAILURE 0u

static inline uint32_t Atomic_CompareAndSwap_u32(uint32_t volatile *pulDestination, uint32_t ulExchange, uint32_t ulComparand)
{
    ATOMIC_ENTER_CRITICAL();
    const uint32_t swaps = *pulDestination == ulComparand;
    if (swaps) {
        *pulDestination = ulExchange;
    }
    ATOMIC_EXIT_CRITICAL();
    return swaps;
}

static inline void *Atomic_SwapPointers_p32(void *volatile *ppvDestination, void *pvExchange)
{
    ATOMIC_ENTER_CRITICAL();
    void *const before = *ppvDestination;
    *ppvDestination = pvExchange;
    ATOMIC_EXIT_CRITICAL();
    return before;
}

static inline uint32_t Atomic_CompareAndSwapPointers_p32(void *volatile *ppvDestination, void *pvExchange, void *pvComparand)
{
    ATOMIC_ENTER_CRITICAL();
    const uint32_t swaps = *ppvDestination == pvComparand;
    if (swaps) {
        *ppvDestination = pvExchange;
    }
    ATOMIC_EXIT_CRITICAL();
    return swaps;
}

/* A function that replaces the word by `after`, an expression of what it was (`before`) and of `operand`. */
#define FREERTOS_ATOMIC(name, operands, after)                    \
    static inline uint32_t name operands                          \
    {                                                             \
        ATOMIC_ENTER_CRITICAL();                                  \
        const uint32_t before = *pulWord;                         \
        *pulWord = (after);                                       \
        ATOMIC_EXIT_CRITICAL();                                   \
        return before;                                            \
    }
FREERTOS_ATOMIC(Atomic_Add_u32, (uint32_t volatile *pulWord, uint32_t operand), before + operand)
FREERTOS_ATOMIC(Atomic_Subtract_u32, (uint32_t volatile *pulWord, uint32_t operand), before - operand)
FREERTOS_ATOMIC(Atomic_Increment_u32, (uint32_t volatile *pulWord), before + 1u)
FREERTOS_ATOMIC(Atomic_Decrement_u32, (uint32_t volatile *pulWord), before - 1u)
FREERTOS_ATOMIC(Atomic_OR_u32, (uint32_t volatile *pulWord, uint32_t operand), before | operand)
FREERTOS_ATOMIC(Atomic_AND_u32, (uint32_t volatile *pulWord, uint32_t operand), before &operand)
FREERTOS_ATOMIC(Atomic_NAND_u32, (uint32_t volatile *pulWord, uint32_t operand), ~(before & operand))
FREERTOS_ATOMIC(Atomic_XOR_u32, (uint32_t volatile *pulWord, uint32_t operand), before ^ operand)
#undef FREERTOS_ATOMIC

#ifdef __cplusplus
}
#endif

#endif
