/* SPDX-License-Identifier: Apache-2.0 */
/* event_flag.c: event flags. A group with TA_WMUL is one of Melanion's. A group for which one task may wait (TA_WSGL) is kept here, because the standard wants
 * two things that Melanion's groups do not do: refuse a second task (E_ILUSE), and clear all flags, not only those waited for, when a wait ends (TA_CLR).
 * Its task waits for a task notification, which brings the flags. Who ends the wait marks that in the task's row, in the step that notifies: a timeout
 * that passes at that moment comes too late, and the notification is still there to be fetched.
 * Who is recorded as the waiting task waits only while the kernel says so too: its wait may have ended otherwise, and it not have run since. */
#include "layer.h"

typedef enum { ABSENT, SEVERAL, SINGLE } kind_t;

typedef struct {
    volatile kind_t kind;
    _Bool clear;          /* TA_CLR */
    FLGPTN flags;
    itron_task_t *waiter; /* the task that waits; NULL: none. What it waits for: */
    FLGPTN pattern;
    MODE mode;
} group_t;

static group_t groups[TMAX_FLGID + 1]; /* by ID */

static ER make_group(ID flgid, const void *packet)
{
    const T_CFLG *pk_cflg = packet;
    ITRON_TASK_CALL;
    ITRON_OBJECT(flgid, FLG);
    const _Bool several = (pk_cflg->flgatr & TA_WMUL) != 0;
    ITRON_CHECK((pk_cflg->flgatr & ~(TA_TPRI | TA_WMUL | TA_CLR)) == 0, E_RSATR);
    ITRON_CHECK(!several || (pk_cflg->flgatr & (TA_TPRI | TA_CLR)) == TA_TPRI, E_RSATR);
    group_t *group = &groups[flgid];
    const mel_compound_t key = mel_compound_begin();
    const _Bool free = group->kind == ABSENT;
    if (free) {
        *group = (group_t){
            .kind = several ? SEVERAL : SINGLE,
            .clear = (pk_cflg->flgatr & TA_CLR) != 0,
            .flags = pk_cflg->iflgptn,
        };
    }
    (void)mel_compound_end(key, E_OK, NULL);
    ITRON_CHECK(free, E_OBJ);
    return several ? mel_flags_create((mel_id_t)flgid - 1u, pk_cflg->iflgptn) : E_OK;
}

ER cre_flg(ID flgid, const T_CFLG *pk_cflg)
{
    return make_group(flgid, pk_cflg);
}

ER_ID acre_flg(const T_CFLG *pk_cflg)
{
    return itron_acre(TMAX_FLGID, make_group, pk_cflg);
}

/* In a step: a task waits for the group. */
static _Bool waited_for(const group_t *group)
{
    mel_task_info_t info;
    return group->waiter != NULL && mel_task_query((mel_id_t)(group->waiter - itron_tasks), &info) == MEL_E_OK &&
           (info.state == MEL_TASK_STATE_WAITING || info.state == MEL_TASK_STATE_WAITING_SUSPENDED);
}

/* In a step, as its last command: the wait of the group's task ends with `result`. */
static int32_t end_wait(group_t *group, ER result, FLGPTN flags)
{
    itron_task_t *row = group->waiter;
    group->waiter = NULL;
    row->ended = 1;
    row->result = result;
    return mel_compound_ask(MEL_OP_NOTIFICATION_OVERWRITE, (mel_id_t)(row - itron_tasks), flags, 0, NULL);
}

ER del_flg(ID flgid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(flgid, FLG);
    group_t *group = &groups[flgid];
    const mel_compound_t key = mel_compound_begin();
    const kind_t kind = group->kind;
    int32_t answer = kind == ABSENT ? E_NOEXS : E_OK;
    group->kind = ABSENT;
    if (kind == SINGLE && waited_for(group)) {
        answer = end_wait(group, E_DLT, 0);
    }
    const ER status = mel_compound_end(key, answer, NULL);
    return kind == SEVERAL ? mel_flags_delete((mel_id_t)flgid - 1u) : status;
}

static _Bool holds(FLGPTN flags, FLGPTN pattern, MODE mode)
{
    return mode == TWF_ORW ? (flags & pattern) != 0 : (flags & pattern) == pattern;
}

static ER set(ID flgid, FLGPTN setptn)
{
    ITRON_OBJECT(flgid, FLG);
    group_t *group = &groups[flgid];
    if (group->kind == SEVERAL) {
        return mel_flags_set((mel_id_t)flgid - 1u, setptn);
    }
    const mel_compound_t key = mel_compound_begin();
    int32_t answer = E_NOEXS;
    if (group->kind == SINGLE) {
        const FLGPTN flags = group->flags | setptn;
        const _Bool met = waited_for(group) && holds(flags, group->pattern, group->mode);
        group->flags = met && group->clear ? 0 : flags;
        answer = met ? end_wait(group, E_OK, flags) : E_OK;
    }
    return mel_compound_end(key, answer, NULL);
}

ER set_flg(ID flgid, FLGPTN setptn)
{
    ITRON_TASK_CALL;
    return set(flgid, setptn);
}

ER iset_flg(ID flgid, FLGPTN setptn)
{
    ITRON_HANDLER_CALL;
    return set(flgid, setptn);
}

ER clr_flg(ID flgid, FLGPTN clrptn)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(flgid, FLG);
    group_t *group = &groups[flgid];
    if (group->kind == SEVERAL) {
        return mel_flags_clear((mel_id_t)flgid - 1u, ~clrptn);
    }
    const mel_compound_t key = mel_compound_begin();
    const ER status = group->kind == SINGLE ? E_OK : E_NOEXS;
    group->flags &= clrptn;
    return mel_compound_end(key, status, NULL);
}

/* The wait of a task for a group of its own has ended: with `status` by the kernel, unless it was ended here. */
static ER leave(group_t *group, itron_task_t *self, ER status, uint32_t *value)
{
    const mel_compound_t key = mel_compound_begin();
    if (self->ended) {
        self->ended = 0;
        if (status != E_OK) { /* both in one moment: the notification is still pending */
            (void)mel_compound_ask(MEL_OP_NOTIFICATION_WAIT, 0, UINT32_MAX, MEL_POLL, value);
        }
        status = self->result;
    } else if (group->waiter == self) {
        group->waiter = NULL;
    }
    return mel_compound_end(key, status, NULL);
}

static ER wait_single(group_t *group, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn, TMO tmout)
{
    itron_task_t *self = itron_self();
    uint32_t value = 0;
    const mel_compound_t key = mel_compound_begin();
    int32_t answer = E_TMOUT;
    _Bool waits = 0;
    if (group->kind != SINGLE) {
        answer = E_NOEXS;
    } else if (waited_for(group)) {
        answer = E_ILUSE;
    } else if (holds(group->flags, waiptn, wfmode)) {
        value = group->flags;
        group->flags = group->clear ? 0 : value;
        answer = E_OK;
    } else if (tmout != TMO_POL) {
        group->waiter = self;
        self->waits = &group->waiter;
        group->pattern = waiptn;
        group->mode = wfmode;
        waits = 1;
        answer = mel_compound_ask(MEL_OP_NOTIFICATION_WAIT, 0, UINT32_MAX, itron_ticks(tmout), &value);
    }
    ER status = mel_compound_end(key, answer, &value);
    if (waits) {
        status = leave(group, self, status, &value);
    }
    if (status == E_OK) {
        *p_flgptn = value;
    }
    return status;
}

ER twai_flg(ID flgid, FLGPTN waiptn, MODE wfmode, FLGPTN *p_flgptn, TMO tmout)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(flgid, FLG);
    ITRON_TIMED(tmout);
    ITRON_CHECK(waiptn != 0 && wfmode <= TWF_ORW, E_PAR);
    ITRON_CHECK(tmout == TMO_POL || itron_may_wait(), E_CTX);
    group_t *group = &groups[flgid];
    if (group->kind != SEVERAL) {
        return wait_single(group, waiptn, wfmode, p_flgptn, tmout);
    }
    uint32_t flags;
    const mel_id_t number = (mel_id_t)flgid - 1u;
    const ER status = wfmode == TWF_ORW ? mel_flags_wait_any(number, waiptn, itron_ticks(tmout), &flags)
                                        : mel_flags_wait_all(number, waiptn, itron_ticks(tmout), &flags);
    if (status == E_OK) {
        *p_flgptn = flags;
    }
    return status;
}

ER ref_flg(ID flgid, T_RFLG *pk_rflg)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(flgid, FLG);
    const group_t *group = &groups[flgid];
    if (group->kind != SEVERAL) {
        ITRON_CHECK(group->kind == SINGLE, E_NOEXS);
        pk_rflg->flgptn = group->flags;
        return E_OK;
    }
    uint32_t flags;
    const ER status = mel_flags_wait_any((mel_id_t)flgid - 1u, UINT32_MAX, MEL_POLL, &flags);
    ITRON_CHECK(status == E_OK || status == E_TMOUT, status);
    pk_rflg->flgptn = status == E_OK ? flags : 0;
    return E_OK;
}
