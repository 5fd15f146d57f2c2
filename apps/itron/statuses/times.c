/* SPDX-License-Identifier: Apache-2.0 */
/* times.c: system time, cyclic handlers, alarm handlers. */
#include "test.h"

enum { CYC = 1, PHASED = 2, ALM = 1, OTHER = 2, INFORMATION = 4711 };

static volatile UINT calls;
static volatile VP_INT information;
static volatile uint32_t called_at;

static void handler(VP_INT exinf)
{
    information = exinf;
    called_at = mel_cycles();
    calls++;
    CHECK(TRUE, sns_ctx());
    CHECK(FALSE, sns_loc());
    CHECK(E_OK, iloc_cpu()); /* the end of the handler takes it away */
}

static void clock(void)
{
    SYSTIM now = UINT64_C(0x123456789ABCDEF0), then;
    EXPECT(E_OK, set_tim(&now));
    EXPECT(E_OK, get_tim(&then));
    CHECK(TRUE, then - now <= 1);
    CHECK(E_OK, dly_tsk(2));
    CHECK(E_OK, get_tim(&then));
    CHECK(TRUE, then - now >= 3 && then - now <= 4);
    EXPECT(E_NOSPT, isig_tim());
}

static const T_CCYC cyclic = {TA_HLNG, INFORMATION, handler, 2, 0};

static void cyclics_made(void)
{
    T_CCYC wrong = cyclic;
    EXPECT(E_ID, cre_cyc(0, &cyclic));
    EXPECT(E_ID, cre_cyc(BEYOND(CYC), &cyclic));
    wrong.cycatr = 0x10;
    EXPECT(E_RSATR, cre_cyc(CYC, &wrong));
    EXPECT(E_RSATR, acre_cyc(&wrong));
    wrong = cyclic;
    wrong.cyctim = 0;
    EXPECT(E_PAR, cre_cyc(CYC, &wrong));
    EXPECT(E_PAR, acre_cyc(&wrong));
    wrong.cyctim = TMAX_RELTIM + 1;
    EXPECT(E_PAR, cre_cyc(CYC, &wrong));
    wrong = cyclic;
    wrong.cychdr = NULL;
    EXPECT(E_PAR, cre_cyc(CYC, &wrong));
    EXPECT(E_OK, cre_cyc(CYC, &cyclic));
    EXPECT(E_OBJ, cre_cyc(CYC, &cyclic));
    VALUE(TMAX_CYCID, acre_cyc(&cyclic));
    for (ID id = TMAX_CYCID - 1; id > CYC; id--) {
        CHECK(id, acre_cyc(&cyclic));
    }
    EXPECT(E_NOID, acre_cyc(&cyclic));
    for (ID id = TMAX_CYCID; id > CYC; id--) {
        CHECK(E_OK, del_cyc(id));
    }
    EXPECT(E_ID, del_cyc(BEYOND(CYC)));
    EXPECT(E_NOEXS, del_cyc(TMAX_CYCID));
}

static void cyclics_run(void)
{
    T_RCYC state;
    EXPECT(E_OK, ref_cyc(CYC, &state));
    CHECK(TCYC_STP, state.cycstat);
    calls = 0;
    const uint32_t begin = mel_cycles();
    EXPECT(E_OK, sta_cyc(CYC));
    CHECK(E_OK, ref_cyc(CYC, &state));
    CHECK(TCYC_STA, state.cycstat);
    while (calls == 0) {
    }
    CHECK(TRUE, called_at - begin >= 2 * TICK_CYCLES);
    CHECK(INFORMATION, information);
    CHECK(E_OK, dly_tsk(5));
    CHECK(TRUE, calls == 3 || calls == 4);
    EXPECT(E_OK, stp_cyc(CYC));
    const UINT stopped = calls;
    CHECK(E_OK, dly_tsk(5));
    CHECK(stopped, calls);
    CHECK(E_OK, loc_cpu()); /* an edge that comes while nobody serves it, and the handler is stopped then */
    CHECK(E_OK, unl_cpu());
    EXPECT(E_OK, del_cyc(CYC));
    EXPECT(E_NOEXS, sta_cyc(CYC));
    EXPECT(E_NOEXS, stp_cyc(CYC));
    EXPECT(E_NOEXS, ref_cyc(CYC, &state));
    EXPECT(E_ID, sta_cyc(BEYOND(CYC)));
    EXPECT(E_ID, stp_cyc(BEYOND(CYC)));
    EXPECT(E_ID, ref_cyc(BEYOND(CYC), &state));
}

/* TA_STA: it runs at once, first after its phase. TA_PHS: it keeps its phase while it is stopped. */
static void phases(void)
{
    calls = 0;
    const uint32_t begin = mel_cycles();
    CHECK(E_OK, cre_cyc(PHASED, &(T_CCYC){TA_STA | TA_PHS, 1, handler, 4, 1}));
    while (calls == 0) {
    }
    const uint32_t first = called_at;
    CHECK(TRUE, first - begin >= TICK_CYCLES && first - begin <= 2 * TICK_CYCLES + TICK_CYCLES / 2);
    CHECK(E_OK, stp_cyc(PHASED));
    CHECK(E_OK, dly_tsk(5));
    CHECK(1, calls);
    CHECK(E_OK, sta_cyc(PHASED));
    while (calls == 1) {
    }
    const uint32_t apart = (called_at - first + TICK_CYCLES / 2) / TICK_CYCLES;
    CHECK(8, apart);
    CHECK(E_OK, del_cyc(PHASED));
}

static const T_CALM alarm = {TA_HLNG, INFORMATION + 1, handler};

static void alarms(void)
{
    T_RALM state;
    EXPECT(E_ID, cre_alm(0, &alarm));
    EXPECT(E_ID, cre_alm(BEYOND(ALM), &alarm));
    EXPECT(E_RSATR, cre_alm(ALM, &(T_CALM){0x10, 0, handler}));
    EXPECT(E_RSATR, acre_alm(&(T_CALM){0x10, 0, handler}));
    EXPECT(E_PAR, cre_alm(ALM, &(T_CALM){0, 0, NULL}));
    EXPECT(E_PAR, acre_alm(&(T_CALM){0, 0, NULL}));
    EXPECT(E_OK, cre_alm(ALM, &alarm));
    EXPECT(E_OBJ, cre_alm(ALM, &alarm));
    VALUE(OTHER, acre_alm(&alarm));
    EXPECT(E_NOID, acre_alm(&alarm));
    EXPECT(E_OK, del_alm(OTHER));
    EXPECT(E_NOEXS, del_alm(OTHER));
    EXPECT(E_ID, del_alm(BEYOND(ALM)));
    EXPECT(E_OK, ref_alm(ALM, &state));
    CHECK(TALM_STP, state.almstat);
    calls = 0;
    const uint32_t begin = mel_cycles();
    EXPECT(E_OK, sta_alm(ALM, 1));
    CHECK(E_OK, ref_alm(ALM, &state));
    CHECK(TALM_STA, state.almstat);
    while (calls == 0) {
    }
    CHECK(TRUE, called_at - begin >= TICK_CYCLES);
    CHECK(INFORMATION + 1, information);
    CHECK(E_OK, ref_alm(ALM, &state));
    CHECK(TALM_STP, state.almstat);
    CHECK(E_OK, sta_alm(ALM, 1));
    EXPECT(E_OK, stp_alm(ALM));
    CHECK(E_OK, dly_tsk(4));
    CHECK(1, calls);
    EXPECT(E_PAR, sta_alm(ALM, TMAX_RELTIM + 1));
    EXPECT(E_NOEXS, sta_alm(OTHER, 1));
    EXPECT(E_NOEXS, stp_alm(OTHER));
    EXPECT(E_NOEXS, ref_alm(OTHER, &state));
    EXPECT(E_ID, sta_alm(BEYOND(ALM), 1));
    EXPECT(E_ID, stp_alm(BEYOND(ALM)));
    EXPECT(E_ID, ref_alm(BEYOND(ALM), &state));
}

void times(void)
{
    clock();
    cyclics_made();
    cyclics_run();
    phases();
    alarms();
}
