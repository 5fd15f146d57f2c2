/* SPDX-License-Identifier: Apache-2.0 */
/* mutex.c: mutexes, by the hardware unit. It also unlocks those of a task that ends. */
#include "unit/unit.h"

mel_status_t mel_mutex_create(mel_id_t mutex, mel_priority_t ceiling)
{
    if (ceiling == MEL_NO_CEILING) {
        return mel_unit_call_again(MEL_OP_MUTEX_CREATE, mel_unit_limit(mutex), 0);
    }
    if (ceiling > MEL_FIELD_MUTEX_CREATE_CEILING_MASK) {
        return MEL_E_PAR; /* no argument can say it */
    }
    return mel_unit_call_again(MEL_OP_MUTEX_CREATE, mel_unit_limit(mutex), 1u << MEL_FIELD_MUTEX_CREATE_PROTOCOL_LSB | ceiling);
}

mel_status_t mel_mutex_delete(mel_id_t mutex)
{
    return mel_unit_follow(mel_unit_settled(mel_unit_ask_again(MEL_OP_MUTEX_DELETE, mel_unit_limit(mutex), 0)));
}

mel_status_t mel_mutex_lock(mel_id_t mutex, mel_ticks_t timeout)
{
    return mel_unit_call(MEL_OP_MUTEX_LOCK, mel_unit_limit(mutex), timeout);
}

mel_status_t mel_mutex_unlock(mel_id_t mutex)
{
    return mel_unit_call(MEL_OP_MUTEX_UNLOCK, mel_unit_limit(mutex), 0);
}

mel_status_t mel_mutex_query(mel_id_t mutex, mel_mutex_info_t *info)
{
    const uint32_t word = *mel_unit_word(MEL_QUERY_MUTEX_STATE, mel_unit_limit(mutex));
    if ((int32_t)word < 0) {
        return (mel_status_t)word;
    }
    info->owner = word & 0x1FF;
    info->locks = word >> 9 & 0xFF;
    info->abandoned = (word >> 17 & 1) != 0;
    return MEL_E_OK;
}
