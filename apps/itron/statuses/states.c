/* SPDX-License-Identifier: Apache-2.0 */
/* states.c: the state of the system, and interrupts that are enabled and disabled. */
#include "test.h"

static volatile UINT handled;

static void count(void)
{
    handled++;
}

static void rotated_in_a_handler(void)
{
    EXPECT(E_OK, irot_rdq(10));
    EXPECT(E_PAR, irot_rdq(TPRI_SELF));
    EXPECT(E_PAR, irot_rdq(TMAX_TPRI + 1));
}

JOB(mark, 5)

/* TASK_HIGH, of the main task's priority, runs when that gives up its turn. */
static void rotated(void)
{
    high(mark);
    CHECK(E_OK, chg_pri(TSK_SELF, 5));
    high(mark);
    CHECK(1, result);
    EXPECT(E_OK, rot_rdq(TPRI_SELF));
    CHECK(5, result);
    high(mark);
    CHECK(E_OK, rot_rdq(6));
    CHECK(1, result);
    EXPECT(E_OK, rot_rdq(5));
    CHECK(5, result);
    CHECK(E_OK, chg_pri(TSK_SELF, TPRI_INI));
    EXPECT(E_PAR, rot_rdq(TMAX_TPRI + 1));
    EXPECT(E_PAR, rot_rdq(-1));
}

void states(void)
{
    ID self;
    T_RVER version;
    in_handler(rotated_in_a_handler);
    rotated();
    EXPECT(E_OK, get_tid(&self));
    CHECK(TASK_MAIN, self);
    EXPECT(E_OK, ref_ver(&version));
    CHECK(TKERNEL_SPVER, version.spver);
    EXPECT(E_PAR, dis_int(MEL_INTERRUPTS));
    EXPECT(E_PAR, ena_int(MEL_INTERRUPTS));
    in_handler(count);
    CHECK(1, handled);
    EXPECT(E_OK, dis_int(LINE));
    mel_irqgen_pulse(LINE, 0);
    mel_busy(200);
    CHECK(1, handled);
    EXPECT(E_OK, ena_int(LINE));
    mel_busy(200);
    CHECK(1, handled);
    in_handler(count);
    CHECK(2, handled);
    CHECK(E_OK, loc_cpu());
    mel_irqgen_pulse(LINE, 0);
    mel_busy(200);
    CHECK(2, handled);
    CHECK(E_OK, unl_cpu());
    mel_busy(200);
    CHECK(3, handled);
}
