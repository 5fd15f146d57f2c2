/* SPDX-License-Identifier: Apache-2.0 */
/* system.c: the state of the system: who runs, who may be interrupted, what may be dispatched.
 * A locked CPU is one with interrupts off (mstatus): with several cores the core of the caller, and no other. A handler runs with interrupts off anyway, so for
 * handlers the lock is a mark, which the end of the handler takes away. */
#include "layer.h"

static volatile _Bool handler_locked; /* one handler at a time, on one core */

void itron_handler_end(void)
{
    handler_locked = 0;
}

BOOL itron_in_handler(void)
{
    return mel_in_handler() && !handler_locked;
}

ER get_tid(ID *p_tskid)
{
    ITRON_TASK_CALL;
    const mel_id_t self = mel_task_self();
    *p_tskid = self == MEL_TASKS ? TSK_NONE : (ID)self + 1;
    return E_OK;
}

ER iget_tid(ID *p_tskid)
{
    ITRON_HANDLER_CALL;
    const mel_id_t self = mel_task_self();
    *p_tskid = self == MEL_TASKS ? TSK_NONE : (ID)self + 1;
    return E_OK;
}

ER loc_cpu(void)
{
    ITRON_CHECK(!mel_in_handler(), E_CTX);
    __asm__ volatile("csrci mstatus, 8" : : : "memory");
    return E_OK;
}

ER unl_cpu(void)
{
    ITRON_CHECK(!mel_in_handler(), E_CTX);
    __asm__ volatile("csrsi mstatus, 8" : : : "memory");
    return E_OK;
}

ER iloc_cpu(void)
{
    ITRON_CHECK(mel_in_handler(), E_CTX);
    handler_locked = 1;
    return E_OK;
}

ER iunl_cpu(void)
{
    ITRON_CHECK(mel_in_handler(), E_CTX);
    handler_locked = 0;
    return E_OK;
}

ER dis_dsp(void)
{
    ITRON_TASK_CALL;
    const ER status = mel_dispatch_disable();
    if (status == E_OK) {
        itron_self()->undispatched = 1;
    }
    return status;
}

/* Whoever is no task, before the start, has it disabled and keeps it so. */
ER ena_dsp(void)
{
    ITRON_TASK_CALL;
    itron_task_t *self = itron_self();
    ITRON_CHECK(self != NULL, E_CTX);
    self->undispatched = 0;
    return mel_dispatch_enable();
}

BOOL sns_ctx(void)
{
    return mel_in_handler();
}

BOOL sns_loc(void)
{
    return mel_in_handler() ? handler_locked : !itron_open();
}

BOOL sns_dsp(void)
{
    const mel_id_t self = mel_task_self();
    return self == MEL_TASKS ? FALSE : itron_tasks[self].undispatched;
}

BOOL sns_dpn(void)
{
    return sns_ctx() || sns_loc() || sns_dsp();
}

ER ref_ver(T_RVER *pk_rver)
{
    *pk_rver = (T_RVER){.maker = TKERNEL_MAKER, .prid = TKERNEL_PRID, .spver = TKERNEL_SPVER, .prver = TKERNEL_PRVER};
    return E_OK;
}
