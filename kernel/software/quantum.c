/* SPDX-License-Identifier: Apache-2.0 */
/* quantum.c: round robin in the software kernel (quantum.h). Checks and effects as melanion/model/quantum.py. */
#include "software/quantum.h"

#include "software/call.h"

uint16_t mel_quanta[MEL_PRIORITIES];

mel_status_t mel_quantum_set(mel_priority_t priority, mel_ticks_t ticks)
{
    if (priority > MEL_FIELD_QUANTUM_SET_PRIORITY_MASK || ticks > MEL_FIELD_QUANTUM_SET_TICKS_MASK) {
        return MEL_E_PAR; /* no argument can say it */
    }
    const uint32_t argument = priority << MEL_FIELD_QUANTUM_SET_PRIORITY_LSB | ticks << MEL_FIELD_QUANTUM_SET_TICKS_LSB;
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(priority >= MEL_PRIORITIES, MEL_OP_QUANTUM_SET, 0, argument, MEL_E_PAR);
    mel_quanta[priority] = (uint16_t)ticks;
    return mel_leave(key, MEL_OP_QUANTUM_SET, 0, argument, MEL_E_OK);
}
