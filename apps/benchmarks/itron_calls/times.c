/* SPDX-License-Identifier: Apache-2.0 */
/* times.c: the calls of system time, cyclic handlers and alarm handlers. Beside the latter two stand the calls of a timer of the kernel's. */
#include "itron_calls.h"

enum { PERIOD = 1000000 /* ticks: no handler is ever called */, NATIVE_TIMER = 0 };

static void handler(VP_INT exinf)
{
    (void)exinf;
    mel_exit(1);
}

static const T_CCYC cyclic = {TA_HLNG, 0, handler, PERIOD, PERIOD}, cyclic_wrong = {TA_HLNG, 0, NULL, PERIOD, PERIOD};
static const T_CALM alarm = {TA_HLNG, 0, handler}, alarm_wrong = {TA_HLNG, 0, NULL};
static T_RCYC rcyc;
static T_RALM ralm;
static SYSTIM system_time;
static uint64_t ticks;
static ID made_cyclic, made_alarm;

SHOT(t_set_time, set_tim(&system_time))
SHOTS(get_time, get_tim(&system_time), (mel_time_get(&ticks), E_OK))
SHOT(t_tick, isig_tim())
SHOT(t_create, cre_cyc(OBJECT, &cyclic))
SHOT(t_create_wrong, cre_cyc(OBJECT, &cyclic_wrong))
SHOT(t_create_any, (made_cyclic = acre_cyc(&cyclic)) > 0 ? E_OK : made_cyclic)
SHOT(t_create_any_wrong, acre_cyc(&cyclic_wrong))
SHOT(t_delete, del_cyc(OBJECT))
SHOT(t_delete_bad, del_cyc(BAD))
SHOTS(start, sta_cyc(OBJECT), mel_timer_start(NATIVE_TIMER, PERIOD + 1, PERIOD))
SHOTS(start_bad, sta_cyc(BAD), mel_timer_start(BAD_NUMBER, PERIOD + 1, PERIOD))
SHOTS(stop, stp_cyc(OBJECT), mel_timer_stop(NATIVE_TIMER))
SHOTS(stop_bad, stp_cyc(BAD), mel_timer_stop(BAD_NUMBER))
SHOT(t_refer, ref_cyc(OBJECT, &rcyc))
SHOT(t_refer_bad, ref_cyc(BAD, &rcyc))
SHOT(t_create_alarm, cre_alm(OBJECT, &alarm))
SHOT(t_create_alarm_wrong, cre_alm(OBJECT, &alarm_wrong))
SHOT(t_create_alarm_any, (made_alarm = acre_alm(&alarm)) > 0 ? E_OK : made_alarm)
SHOT(t_create_alarm_any_wrong, acre_alm(&alarm_wrong))
SHOT(t_delete_alarm, del_alm(OBJECT))
SHOT(t_delete_alarm_bad, del_alm(BAD))
SHOTS(start_alarm, sta_alm(OBJECT, PERIOD), mel_timer_start(NATIVE_TIMER, PERIOD + 1, 0))
SHOTS(start_alarm_bad, sta_alm(BAD, PERIOD), mel_timer_start(BAD_NUMBER, PERIOD + 1, 0))
SHOTS(stop_alarm, stp_alm(OBJECT), mel_timer_stop(NATIVE_TIMER))
SHOTS(stop_alarm_bad, stp_alm(BAD), mel_timer_stop(BAD_NUMBER))
SHOT(t_refer_alarm, ref_alm(OBJECT, &ralm))
SHOT(t_refer_alarm_bad, ref_alm(BAD, &ralm))

static void cyclic_stopped(uint32_t n, shot_t order)
{
    (void)n;
    (void)order;
    CHECK(cre_cyc(OBJECT, &cyclic));
}

static void cyclic_started(uint32_t n, shot_t order)
{
    cyclic_stopped(n, order);
    CHECK(sta_cyc(OBJECT));
    CHECK(mel_timer_start(NATIVE_TIMER, PERIOD, PERIOD));
}

static void alarm_stopped(uint32_t n, shot_t order)
{
    (void)n;
    (void)order;
    CHECK(cre_alm(OBJECT, &alarm));
}

static void alarm_started(uint32_t n, shot_t order)
{
    alarm_stopped(n, order);
    CHECK(sta_alm(OBJECT, PERIOD));
    CHECK(mel_timer_start(NATIVE_TIMER, PERIOD, 0));
}

void clear_times(void)
{
    (void)del_cyc(OBJECT);
    (void)del_alm(OBJECT);
    (void)mel_timer_stop(NATIVE_TIMER);
    if (made_cyclic > 0) {
        CHECK(del_cyc(made_cyclic));
        made_cyclic = 0;
    }
    if (made_alarm > 0) {
        CHECK(del_alm(made_alarm));
        made_alarm = 0;
    }
}

static const row_t rows[] = {
    ONLY_STAYS(set_tim, "any", nothing, 0, none, set_time, E_OK),
    STAYS(get_tim, "any", nothing, 0, none, get_time),
    ONLY_REFUSES(isig_tim, "any", nothing, 0, none, tick, E_NOSPT),
    ONLY_STAYS(cre_cyc, "new", nothing, 0, none, create, E_OK),
    ONLY_REFUSES(cre_cyc, "it exists", cyclic_stopped, 0, none, create, E_OBJ),
    ONLY_REFUSES(cre_cyc, "no handler", nothing, 0, none, create_wrong, E_PAR),
    ONLY_STAYS(acre_cyc, "new", nothing, 0, none, create_any, E_OK),
    ONLY_REFUSES(acre_cyc, "no handler", nothing, 0, none, create_any_wrong, E_PAR),
    ONLY_STAYS(del_cyc, "stopped", cyclic_stopped, 0, none, delete, E_OK),
    ONLY_STAYS(del_cyc, "started", cyclic_started, 0, none, delete, E_OK),
    ONLY_REFUSES(del_cyc, "it does not exist", nothing, 0, none, delete, E_NOEXS),
    ONLY_REFUSES(del_cyc, "number out of range", nothing, 0, none, delete_bad, E_ID),
    STAYS(sta_cyc, "stopped", cyclic_stopped, 0, none, start),
    STAYS(sta_cyc, "started", cyclic_started, 0, none, start),
    ONLY_REFUSES(sta_cyc, "it does not exist", nothing, 0, none, start, E_NOEXS),
    BEYOND(sta_cyc, start),
    STAYS(stp_cyc, "started", cyclic_started, 0, none, stop),
    ONLY_REFUSES(stp_cyc, "it does not exist", nothing, 0, none, stop, E_NOEXS),
    BEYOND(stp_cyc, stop),
    ONLY_STAYS(ref_cyc, "started", cyclic_started, 0, none, refer, E_OK),
    ONLY_REFUSES(ref_cyc, "it does not exist", nothing, 0, none, refer, E_NOEXS),
    ONLY_REFUSES(ref_cyc, "number out of range", nothing, 0, none, refer_bad, E_ID),
    ONLY_STAYS(cre_alm, "new", nothing, 0, none, create_alarm, E_OK),
    ONLY_REFUSES(cre_alm, "it exists", alarm_stopped, 0, none, create_alarm, E_OBJ),
    ONLY_REFUSES(cre_alm, "no handler", nothing, 0, none, create_alarm_wrong, E_PAR),
    ONLY_STAYS(acre_alm, "new", nothing, 0, none, create_alarm_any, E_OK),
    ONLY_REFUSES(acre_alm, "no handler", nothing, 0, none, create_alarm_any_wrong, E_PAR),
    ONLY_STAYS(del_alm, "stopped", alarm_stopped, 0, none, delete_alarm, E_OK),
    ONLY_STAYS(del_alm, "started", alarm_started, 0, none, delete_alarm, E_OK),
    ONLY_REFUSES(del_alm, "it does not exist", nothing, 0, none, delete_alarm, E_NOEXS),
    ONLY_REFUSES(del_alm, "number out of range", nothing, 0, none, delete_alarm_bad, E_ID),
    STAYS(sta_alm, "stopped", alarm_stopped, 0, none, start_alarm),
    STAYS(sta_alm, "started", alarm_started, 0, none, start_alarm),
    ONLY_REFUSES(sta_alm, "it does not exist", nothing, 0, none, start_alarm, E_NOEXS),
    BEYOND(sta_alm, start_alarm),
    STAYS(stp_alm, "started", alarm_started, 0, none, stop_alarm),
    ONLY_REFUSES(stp_alm, "it does not exist", nothing, 0, none, stop_alarm, E_NOEXS),
    BEYOND(stp_alm, stop_alarm),
    ONLY_STAYS(ref_alm, "started", alarm_started, 0, none, refer_alarm, E_OK),
    ONLY_REFUSES(ref_alm, "it does not exist", nothing, 0, none, refer_alarm, E_NOEXS),
    ONLY_REFUSES(ref_alm, "number out of range", nothing, 0, none, refer_alarm_bad, E_ID),
};

const table_t time_table = TABLE(rows);
