/* SPDX-License-Identifier: Apache-2.0 */
/* doorbell.h: a store to the other core's doorbell, which is its software interrupt (implementation `doorbell` of the interface `ipi`; soc/shared/mel_locks.sv). */
#ifndef MEL_SOFTWARE_IPI_DOORBELL_H
#define MEL_SOFTWARE_IPI_DOORBELL_H

#include <melanion/types.h>

#define MEL_IPI_LOOKS false
#define MEL_DOORBELL(core) (*(volatile uint32_t *)(MEL_LOCKS_BASE + 0x100u + 4u * (core)))

static inline void mel_ipi_ring(uint32_t core)
{
    MEL_DOORBELL(core) = 1;
}

static inline void mel_ipi_silence(uint32_t core)
{
    MEL_DOORBELL(core) = 0;
}

static inline void mel_ipi_join(void)
{
}

static inline void mel_ipi_tick(void)
{
}

#endif
