/* SPDX-License-Identifier: Apache-2.0 */
/* task.c: tasks. What Melanion lacks, and is here: queued activations, start codes, TPRI_INI.
 *
 * Tasks are started here only, in atomic sequences. A task that ends looks for a queued activation, in a step, with interrupts off: finds it one, it begins anew by
 * itself; finds it none, it is `ending`, and keeps interrupts off until it is dormant. So an activation that finds a task neither dormant nor ending is seen
 * by that task, and one that finds it ending, which only another core can, waits for a few instructions until it can be started. */
#include "layer.h"

/* Entry of every activation. */
static void begin(void *argument)
{
    itron_task_t *row = argument;
    const mel_compound_t key = mel_compound_begin();
    const VP_INT handed = row->argument;
    row->argument = row->exinf;
    row->ended = 0;
    row->undispatched = 0;
    if (row->waits != NULL && *row->waits == row) { /* it was terminated there */
        *row->waits = NULL;
    }
    row->waits = NULL;
    (void)mel_compound_end(key, E_OK, NULL);
    row->task(handed);
    ext_tsk();
}

static ER make_task(ID tskid, const void *packet)
{
    const T_CTSK *pk_ctsk = packet;
    ITRON_TASK_CALL;
    ITRON_OBJECT(tskid, TSK);
    ITRON_CHECK((pk_ctsk->tskatr & ~(TA_ASM | TA_ACT)) == 0, E_RSATR);
    ITRON_CHECK(pk_ctsk->task != NULL, E_PAR);
    ITRON_CHECK(pk_ctsk->stk != NULL, E_NOMEM);
    itron_task_t *row = &itron_tasks[tskid - 1];
    const mel_task_attributes_t attributes = {
        .entry = begin,
        .argument = row,
        .stack = pk_ctsk->stk,
        .stack_size = pk_ctsk->stksz,
        .priority = (mel_priority_t)pk_ctsk->itskpri - 1u,
    };
    const mel_status_t status = mel_task_create((mel_id_t)tskid - 1u, &attributes);
    ITRON_CHECK(status == MEL_E_OK, status);
    const mel_compound_t key = mel_compound_begin();
    *row = (itron_task_t){
        .task = pk_ctsk->task,
        .exinf = pk_ctsk->exinf,
        .argument = pk_ctsk->exinf,
        .top = (uintptr_t)pk_ctsk->stk + pk_ctsk->stksz - MEL_STACK_ALIGNMENT,
        .initial = pk_ctsk->itskpri,
    };
    (void)mel_compound_end(key, E_OK, NULL);
    return pk_ctsk->tskatr & TA_ACT ? act_tsk(tskid) : E_OK;
}

ER cre_tsk(ID tskid, const T_CTSK *pk_ctsk)
{
    return make_task(tskid, pk_ctsk);
}

ER_ID acre_tsk(const T_CTSK *pk_ctsk)
{
    return itron_acre(TMAX_TSKID, make_task, pk_ctsk);
}

ER del_tsk(ID tskid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(tskid, TSK);
    mel_task_info_t info;
    const mel_compound_t key = mel_compound_begin();
    if (mel_task_query((mel_id_t)tskid - 1u, &info) == MEL_E_OK && info.state == MEL_TASK_STATE_DORMANT) {
        itron_tasks[tskid - 1].task = NULL; /* nobody starts it any more */
    }
    (void)mel_compound_end(key, E_OK, NULL);
    return mel_task_delete((mel_id_t)tskid - 1u);
}

/* Start a task with an argument, in an atomic sequence, whose key may become another one. E_OBJ: it is active, and the step goes on. Its row is that of a task
 * which is started before the kernel does so: a software kernel runs it, and others that activate it, inside the ask. */
static int32_t start(mel_compound_t *key, itron_task_t *row, VP_INT argument)
{
    const mel_id_t task = (mel_id_t)(row - itron_tasks);
    ITRON_CHECK(row->task != NULL, MEL_E_NOEXS); /* made by the kernel, perhaps, but not here yet */
    for (;;) {
        const _Bool ending = row->ending;
        const VP_INT before = row->argument;
        row->ending = 0;
        row->argument = argument;
        const int32_t answer = mel_compound_ask(MEL_OP_TASK_START, task, 0, 0, NULL);
        if (answer >= 0) {
            return answer;
        }
        row->ending = ending;
        row->argument = before;
        if (answer != MEL_E_OBJ || !ending) {
            return answer;
        }
        (void)mel_compound_end(*key, E_OK, NULL);
        *key = mel_compound_begin();
    }
}

static ER activate(ID tskid)
{
    ITRON_OBJECT(tskid, TSK);
    itron_task_t *row = &itron_tasks[tskid - 1];
    mel_compound_t key = mel_compound_begin();
    int32_t answer = start(&key, row, row->exinf);
    if (answer == MEL_E_OBJ) {
        answer = MEL_E_QOVR;
        if (row->activations < TMAX_ACTCNT) {
            row->activations++;
            answer = MEL_E_OK;
        }
    }
    return mel_compound_end(key, answer, NULL);
}

ER act_tsk(ID tskid)
{
    ITRON_TASK_CALL;
    return activate(tskid == TSK_SELF ? (ID)mel_task_self() + 1 : tskid);
}

ER iact_tsk(ID tskid)
{
    ITRON_HANDLER_CALL;
    return activate(tskid);
}

/* TSK_SELF becomes the caller's ID; in *row the row of the task, in *info what the kernel says of it. */
static ER find(ID *tskid, itron_task_t **row, mel_task_info_t *info)
{
    ITRON_TASK_CALL;
    if (*tskid == TSK_SELF) {
        *tskid = (ID)mel_task_self() + 1;
    }
    ITRON_OBJECT(*tskid, TSK);
    *row = &itron_tasks[*tskid - 1];
    return mel_task_query((mel_id_t)*tskid - 1u, info);
}

ER_UINT can_act(ID tskid)
{
    itron_task_t *row;
    mel_task_info_t info;
    const ER status = find(&tskid, &row, &info);
    ITRON_CHECK(status == E_OK, status);
    const mel_compound_t key = mel_compound_begin();
    const UINT count = row->activations;
    row->activations = 0;
    (void)mel_compound_end(key, E_OK, NULL);
    return (ER_UINT)count;
}

ER sta_tsk(ID tskid, VP_INT stacd)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(tskid, TSK);
    itron_task_t *row = &itron_tasks[tskid - 1];
    mel_compound_t key = mel_compound_begin();
    const int32_t answer = start(&key, row, stacd);
    return mel_compound_end(key, answer, NULL);
}

/* The calling task begins anew: does what ending and starting it would do. */
static _Noreturn void again(itron_task_t *row)
{
    for (mel_id_t mutex = 0; mutex < MEL_MUTEXES; mutex++) {
        while (mel_mutex_unlock(mutex) == MEL_E_OK) {
        }
    }
    while (mel_task_sleep(MEL_POLL) == MEL_E_OK) { /* counted wake-ups */
    }
    (void)mel_task_set_priority(MEL_SELF, (mel_priority_t)row->initial - 1u);
    (void)mel_dispatch_enable();
    __asm__ volatile("mv a0, %0\n\tmv sp, %1\n\tjr %2" : : "r"(row), "r"(row->top), "r"(begin) : "a0", "memory");
    __builtin_unreachable();
}

void ext_tsk(void)
{
    itron_task_t *row = itron_self();
    if (row == NULL) {
        return;
    }
    __asm__ volatile("csrci mstatus, 8" : : : "memory");
    const mel_compound_t key = mel_compound_begin(); /* its end leaves interrupts off */
    const _Bool queued = row->activations != 0;
    if (queued) {
        row->activations--;
    } else {
        row->ending = 1;
    }
    (void)mel_compound_end(key, E_OK, NULL);
    if (!queued) {
        (void)mel_task_exit(); /* returns when another core has terminated the task meanwhile: its core leaves it with the next interrupt */
    }
    __asm__ volatile("csrsi mstatus, 8" : : : "memory");
    if (queued) {
        again(row);
    }
}

ER ter_tsk(ID tskid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(tskid, TSK);
    const itron_task_t *self = itron_self();
    const _Bool hold = self != NULL && !self->undispatched;
    if (hold) { /* nobody finds it dormant that has a queued activation */
        (void)mel_dispatch_disable();
    }
    ER status = mel_task_terminate((mel_id_t)tskid - 1u);
    if (status == E_OK) {
        itron_task_t *row = &itron_tasks[tskid - 1];
        mel_compound_t key = mel_compound_begin();
        int32_t answer = E_OK;
        row->argument = row->exinf;
        if (row->activations != 0) {
            row->activations--;
            answer = start(&key, row, row->exinf);
        }
        status = mel_compound_end(key, answer, NULL);
    }
    if (hold) {
        (void)mel_dispatch_enable();
    }
    return status;
}

ER chg_pri(ID tskid, PRI tskpri)
{
    itron_task_t *row;
    mel_task_info_t info;
    const ER status = find(&tskid, &row, &info);
    ITRON_CHECK(status == E_OK, status);
    const PRI wanted = tskpri == TPRI_INI ? row->initial : tskpri;
    return mel_task_set_priority((mel_id_t)tskid - 1u, (mel_priority_t)wanted - 1u);
}

ER get_pri(ID tskid, PRI *p_tskpri)
{
    itron_task_t *row;
    mel_task_info_t info;
    const ER status = find(&tskid, &row, &info);
    ITRON_CHECK(status == E_OK, status);
    ITRON_CHECK(info.state != MEL_TASK_STATE_DORMANT, E_OBJ);
    *p_tskpri = (PRI)info.priority + 1;
    return E_OK;
}

static STAT state_of(const mel_task_info_t *info)
{
    static const UB states[] = {
        [MEL_TASK_STATE_RUNNING] = TTS_RUN,   [MEL_TASK_STATE_READY] = TTS_RDY,
        [MEL_TASK_STATE_WAITING] = TTS_WAI,   [MEL_TASK_STATE_SUSPENDED] = TTS_SUS,
        [MEL_TASK_STATE_WAITING_SUSPENDED] = TTS_WAS, [MEL_TASK_STATE_DORMANT] = TTS_DMT,
    };
    return states[info->state];
}

ER ref_tsk(ID tskid, T_RTSK *pk_rtsk)
{
    itron_task_t *row;
    mel_task_info_t info;
    const ER status = find(&tskid, &row, &info);
    ITRON_CHECK(status == E_OK, status);
    *pk_rtsk = (T_RTSK){
        .tskstat = state_of(&info),
        .tskpri = (PRI)info.priority + 1,
        .actcnt = row->activations,
        .wupcnt = info.wakeups,
        .suscnt = (state_of(&info) & TTS_SUS) != 0,
    };
    return E_OK;
}

ER ref_tst(ID tskid, T_RTST *pk_rtst)
{
    itron_task_t *row;
    mel_task_info_t info;
    const ER status = find(&tskid, &row, &info);
    ITRON_CHECK(status == E_OK, status);
    pk_rtst->tskstat = state_of(&info);
    return E_OK;
}

ER_UINT can_wup(ID tskid)
{
    itron_task_t *row;
    mel_task_info_t info;
    const ER status = find(&tskid, &row, &info);
    ITRON_CHECK(status == E_OK, status);
    ITRON_CHECK(info.state != MEL_TASK_STATE_DORMANT, E_OBJ);
    ITRON_CHECK(row == itron_self(), E_NOSPT); /* only a task itself can consume its wake-ups */
    ER_UINT count = 0;
    while (mel_task_sleep(MEL_POLL) == MEL_E_OK) {
        count++;
    }
    return count;
}
