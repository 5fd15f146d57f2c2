/* SPDX-License-Identifier: Apache-2.0 */
/* semaphore.c: semaphores, by the hardware unit. */
#include "unit/unit.h"

mel_status_t mel_sem_create(mel_id_t sem, uint32_t initial, uint32_t maximum)
{
    /* Encode an invalid pair as maximum 0, so that the unit still reports E_ID before E_PAR. */
    const bool fits = maximum <= MEL_SEMAPHORE_COUNT_LIMIT && initial <= maximum;
    return mel_unit_call_again(MEL_OP_SEMAPHORE_CREATE, mel_unit_limit(sem), fits ? maximum << 16 | initial : 0);
}

mel_status_t mel_sem_delete(mel_id_t sem)
{
    return mel_unit_call_again(MEL_OP_SEMAPHORE_DELETE, mel_unit_limit(sem), 0);
}

mel_status_t mel_sem_give(mel_id_t sem)
{
    return mel_unit_call(MEL_OP_SEMAPHORE_GIVE, mel_unit_limit(sem), 0);
}

mel_status_t mel_sem_take(mel_id_t sem, mel_ticks_t timeout)
{
    return mel_unit_call(MEL_OP_SEMAPHORE_TAKE, mel_unit_limit(sem), timeout);
}

mel_status_t mel_sem_query(mel_id_t sem, uint32_t *count)
{
    const uint32_t word = *mel_unit_word(MEL_QUERY_SEMAPHORE_COUNT, mel_unit_limit(sem));
    if ((int32_t)word < 0) {
        return (mel_status_t)word;
    }
    *count = word;
    return MEL_E_OK;
}
