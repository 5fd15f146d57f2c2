/* SPDX-License-Identifier: Apache-2.0 */
/* quantum.c: round robin, by the hardware unit. */
#include "unit/unit.h"

mel_status_t mel_quantum_set(mel_priority_t priority, mel_ticks_t ticks)
{
    if (priority > MEL_FIELD_QUANTUM_SET_PRIORITY_MASK || ticks > MEL_FIELD_QUANTUM_SET_TICKS_MASK) {
        return MEL_E_PAR; /* it does not fit its field */
    }
    return mel_unit_call(MEL_OP_QUANTUM_SET, 0,
                         priority << MEL_FIELD_QUANTUM_SET_PRIORITY_LSB | ticks << MEL_FIELD_QUANTUM_SET_TICKS_LSB);
}
