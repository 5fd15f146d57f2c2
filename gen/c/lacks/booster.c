/* SPDX-License-Identifier: Apache-2.0 */
/* booster.c: calls that the kernel booster lacks. Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again. */
#include <melanion/melanion.h>

mel_status_t mel_mutex_create(mel_id_t mutex, mel_priority_t ceiling)
{
    (void)mutex;
    (void)ceiling;
    return MEL_E_RSFN;
}

mel_status_t mel_mutex_delete(mel_id_t mutex)
{
    (void)mutex;
    return MEL_E_RSFN;
}

mel_status_t mel_mutex_lock(mel_id_t mutex, mel_ticks_t timeout)
{
    (void)mutex;
    (void)timeout;
    return MEL_E_RSFN;
}

mel_status_t mel_mutex_unlock(mel_id_t mutex)
{
    (void)mutex;
    return MEL_E_RSFN;
}

mel_status_t mel_mutex_query(mel_id_t mutex, mel_mutex_info_t *info)
{
    (void)mutex;
    (void)info;
    return MEL_E_RSFN;
}
