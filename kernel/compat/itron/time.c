/* SPDX-License-Identifier: Apache-2.0 */
/* time.c: system time, cyclic handlers, alarm handlers. A handler is the C handler of the interrupt line of a timer of its own: cyclic handlers have the
 * timers from the first one up, alarm handlers from the last one down.
 * Starting forgets an edge that the timer raised before: a stopped handler never runs late. With TA_PHS the timer runs from the creation on, and only
 * whether its edges are heeded changes. */
#include "layer.h"

static SYSTIM offset; /* system time minus tick counter */

ER set_tim(const SYSTIM *p_systim)
{
    ITRON_TASK_CALL;
    uint64_t now;
    const mel_compound_t key = mel_compound_begin();
    (void)mel_time_get(&now);
    offset = *p_systim - now;
    return mel_compound_end(key, E_OK, NULL);
}

ER get_tim(SYSTIM *p_systim)
{
    ITRON_TASK_CALL;
    uint64_t now;
    const mel_compound_t key = mel_compound_begin();
    (void)mel_time_get(&now);
    *p_systim = now + offset;
    return mel_compound_end(key, E_OK, NULL);
}

/* A handler that a timer calls. */
typedef struct {
    CYCHDR handler;         /* NULL: there is none */
    VP_INT exinf;
    _Bool phased;           /* TA_PHS */
    volatile _Bool running;
    RELTIM period;          /* 0: an alarm */
} timed_t;

static timed_t cyclics[TMAX_CYCID + 1]; /* by ID */
static timed_t alarms[TMAX_ALMID + 1];  /* by ID */

static inline mel_id_t timer_of_cyclic(ID cycid)
{
    return (mel_id_t)cycid - 1u;
}

static inline mel_id_t timer_of_alarm(ID almid)
{
    return MEL_TIMERS - (mel_id_t)almid;
}

static void serve(mel_id_t line, void *argument)
{
    timed_t *row = argument;
    (void)line;
    if (row->running) {
        row->running = row->period != 0;
        row->handler(row->exinf);
        itron_handler_end();
    }
}

/* The timer is stopped, and no edge of it is left. */
static void quiet(mel_id_t timer)
{
    (void)mel_timer_stop(timer);
    (void)mel_irq_disable(MEL_TIMER_LINE(timer));
}

static void run(mel_id_t timer, RELTIM first, RELTIM period)
{
    quiet(timer);
    (void)mel_irq_enable(MEL_TIMER_LINE(timer));
    (void)mel_timer_start(timer, first + 1u, period);
}

static ER make(timed_t *row, mel_id_t timer, const timed_t *content)
{
    const mel_compound_t key = mel_compound_begin();
    const _Bool free = row->handler == NULL;
    if (free) {
        *row = *content;
    }
    (void)mel_compound_end(key, E_OK, NULL);
    ITRON_CHECK(free, E_OBJ);
    quiet(timer);
    (void)mel_irq_attach(MEL_TIMER_LINE(timer), serve, row);
    (void)mel_irq_map(MEL_TIMER_LINE(timer), MEL_IRQ_ACTION_NONE, 0, 0, true);
    return E_OK;
}

static ER stop(timed_t *row, mel_id_t timer)
{
    ITRON_CHECK(row->handler != NULL, E_NOEXS);
    row->running = 0;
    if (!row->phased) {
        quiet(timer);
    }
    return E_OK;
}

static ER delete(timed_t *row, mel_id_t timer)
{
    ITRON_CHECK(row->handler != NULL, E_NOEXS);
    row->running = 0;
    quiet(timer);
    row->handler = NULL;
    return E_OK;
}

/* ---- cyclic handlers ---------------------------------------------------------------------------------------------- */

static ER make_cyclic(ID cycid, const void *packet)
{
    const T_CCYC *pk_ccyc = packet;
    ITRON_TASK_CALL;
    ITRON_OBJECT(cycid, CYC);
    ITRON_CHECK((pk_ccyc->cycatr & ~(TA_ASM | TA_STA | TA_PHS)) == 0, E_RSATR);
    ITRON_CHECK(pk_ccyc->cychdr != NULL, E_PAR);
    ITRON_CHECK(pk_ccyc->cyctim != 0 && pk_ccyc->cyctim <= TMAX_RELTIM && pk_ccyc->cycphs <= TMAX_RELTIM, E_PAR);
    const timed_t content = {
        .handler = pk_ccyc->cychdr,
        .exinf = pk_ccyc->exinf,
        .phased = (pk_ccyc->cycatr & TA_PHS) != 0,
        .running = (pk_ccyc->cycatr & TA_STA) != 0,
        .period = pk_ccyc->cyctim,
    };
    const ER status = make(&cyclics[cycid], timer_of_cyclic(cycid), &content);
    if (status == E_OK && (content.phased || content.running)) {
        run(timer_of_cyclic(cycid), pk_ccyc->cycphs, pk_ccyc->cyctim);
    }
    return status;
}

ER cre_cyc(ID cycid, const T_CCYC *pk_ccyc)
{
    return make_cyclic(cycid, pk_ccyc);
}

ER_ID acre_cyc(const T_CCYC *pk_ccyc)
{
    return itron_acre(TMAX_CYCID, make_cyclic, pk_ccyc);
}

ER del_cyc(ID cycid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(cycid, CYC);
    return delete(&cyclics[cycid], timer_of_cyclic(cycid));
}

ER sta_cyc(ID cycid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(cycid, CYC);
    timed_t *row = &cyclics[cycid];
    ITRON_CHECK(row->handler != NULL, E_NOEXS);
    row->running = 1;
    if (!row->phased) {
        run(timer_of_cyclic(cycid), row->period, row->period);
    }
    return E_OK;
}

ER stp_cyc(ID cycid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(cycid, CYC);
    return stop(&cyclics[cycid], timer_of_cyclic(cycid));
}

ER ref_cyc(ID cycid, T_RCYC *pk_rcyc)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(cycid, CYC);
    ITRON_CHECK(cyclics[cycid].handler != NULL, E_NOEXS);
    pk_rcyc->cycstat = cyclics[cycid].running ? TCYC_STA : TCYC_STP;
    return E_OK;
}

/* ---- alarm handlers ----------------------------------------------------------------------------------------------- */

static ER make_alarm(ID almid, const void *packet)
{
    const T_CALM *pk_calm = packet;
    ITRON_TASK_CALL;
    ITRON_OBJECT(almid, ALM);
    ITRON_CHECK((pk_calm->almatr & ~TA_ASM) == 0, E_RSATR);
    ITRON_CHECK(pk_calm->almhdr != NULL, E_PAR);
    const timed_t content = {.handler = pk_calm->almhdr, .exinf = pk_calm->exinf};
    return make(&alarms[almid], timer_of_alarm(almid), &content);
}

ER cre_alm(ID almid, const T_CALM *pk_calm)
{
    return make_alarm(almid, pk_calm);
}

ER_ID acre_alm(const T_CALM *pk_calm)
{
    return itron_acre(TMAX_ALMID, make_alarm, pk_calm);
}

ER del_alm(ID almid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(almid, ALM);
    return delete(&alarms[almid], timer_of_alarm(almid));
}

ER sta_alm(ID almid, RELTIM almtim)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(almid, ALM);
    ITRON_CHECK(almtim <= TMAX_RELTIM, E_PAR);
    timed_t *row = &alarms[almid];
    ITRON_CHECK(row->handler != NULL, E_NOEXS);
    quiet(timer_of_alarm(almid)); /* before it counts as running: an old edge would be taken for the new one */
    row->running = 1;
    run(timer_of_alarm(almid), almtim, 0);
    return E_OK;
}

ER stp_alm(ID almid)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(almid, ALM);
    return stop(&alarms[almid], timer_of_alarm(almid));
}

ER ref_alm(ID almid, T_RALM *pk_ralm)
{
    ITRON_TASK_CALL;
    ITRON_OBJECT(almid, ALM);
    ITRON_CHECK(alarms[almid].handler != NULL, E_NOEXS);
    pk_ralm->almstat = alarms[almid].running ? TALM_STA : TALM_STP;
    return E_OK;
}
