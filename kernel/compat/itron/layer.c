/* SPDX-License-Identifier: Apache-2.0 */
/* layer.c: what all files of the layer ask: who calls, may it wait, which ID is free. */
#include "layer.h"

itron_task_t itron_tasks[TMAX_TSKID];

itron_task_t *itron_self(void)
{
    const mel_id_t self = mel_task_self();
    return self < MEL_TASKS && !mel_in_handler() ? &itron_tasks[self] : NULL;
}

_Bool itron_may_wait(void)
{
    const itron_task_t *self = itron_self();
    return self != NULL && !self->undispatched;
}

ER_ID itron_acre(INT maximum, ER (*make)(ID id, const void *packet), const void *packet)
{
    for (ID id = maximum; id > 0; id--) {
        const ER status = make(id, packet);
        if (status != E_OBJ) {
            return status == E_OK ? id : status;
        }
    }
    return E_NOID;
}
