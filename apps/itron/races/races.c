/* SPDX-License-Identifier: Apache-2.0 */
/* races.c: an interrupt activates a task in every cycle of its end, and sets flags in every cycle about the end of a wait for them; a tick lets a more urgent task
 * run somewhere in a step. Each activation must happen; flags either end the wait or are still set; messages keep their order. */
#include <kernel.h>
#include <melanion/device.h>

enum { LINE = 3, ENDS = 200, AROUND = 360, TICK_CYCLES = 600, MESSAGES = 3, STEP = 8, FLAG = 4 };

static volatile UINT activations, round_number;
static volatile uint32_t delay, returned_at;
static volatile ER result;
static FLGPTN seen;
static BOOL flags; /* action of the handler: set flags, else activate */

static void expect(UINT line, INT found, INT expected)
{
    if (found != expected) {
        mel_print("races: line ");
        mel_print_unsigned(line);
        mel_print(" in round ");
        mel_print_unsigned(round_number);
        mel_print(": ");
        mel_print_signed(found);
        mel_print(" instead of ");
        mel_print_signed(expected);
        mel_print("\n");
        mel_exit(1);
    }
}
#define CHECK(expected, found) expect(__LINE__, (INT)(found), (INT)(expected))

void isr(VP_INT exinf)
{
    (void)exinf;
    CHECK(E_OK, flags ? iset_flg(FLG_CLEARED, FLAG) : iact_tsk(TASK_ENDS));
}

/* Every other activation is interrupted while it ends, by the one that activates it again. */
void ends(VP_INT exinf)
{
    (void)exinf;
    if (activations++ % 2 == 0) {
        mel_irqgen_pulse(LINE, delay);
    }
}

void waits(VP_INT exinf)
{
    (void)exinf;
    result = twai_flg(FLG_CLEARED, FLAG, TWF_ORW, &seen, 1);
    returned_at = mel_cycles();
}

/* Activated by a task below it, which it interrupts inside that call, and by one above it, which it runs behind. */
static void ended(void)
{
    flags = FALSE;
    for (round_number = 0; round_number < ENDS; round_number++) {
        delay = round_number;
        CHECK(E_OK, act_tsk(TASK_ENDS));
        mel_busy(ENDS);
        CHECK(E_OK, chg_pri(TSK_SELF, TMIN_TPRI));
        CHECK(E_OK, act_tsk(TASK_ENDS));
        CHECK(E_OK, chg_pri(TSK_SELF, TPRI_INI));
        mel_busy(ENDS);
        CHECK(4 * (round_number + 1), activations);
    }
}

/* Begin a wait right behind a tick; the interrupt comes `later` cycles after that, 0: not at all. Returns how long the wait was. */
static uint32_t wait_behind_a_tick(uint32_t later)
{
    CHECK(E_OK, dly_tsk(0));
    const uint32_t begin = mel_cycles();
    if (later != 0) {
        mel_irqgen_pulse(LINE, later);
    }
    result = 1;
    CHECK(E_OK, act_tsk(TASK_WAITS));
    CHECK(E_OK, dly_tsk(3));
    return returned_at - begin;
}

static void timed(void)
{
    UINT met = 0;
    flags = TRUE;
    CHECK(E_OK, mel_tick_set(TICK_CYCLES));
    (void)wait_behind_a_tick(0);
    const uint32_t whole = wait_behind_a_tick(0);
    CHECK(E_TMOUT, result);
    for (round_number = 0; round_number < AROUND; round_number++) {
        T_RFLG state;
        (void)wait_behind_a_tick(whole - AROUND + round_number);
        CHECK(E_OK, ref_flg(FLG_CLEARED, &state));
        if (result == E_OK) {
            met++;
            CHECK(FLAG, seen);
            CHECK(0, state.flgptn);
        } else {
            CHECK(E_TMOUT, result);
            CHECK(FLAG, state.flgptn);
            CHECK(E_OK, clr_flg(FLG_CLEARED, 0));
        }
    }
    CHECK(TRUE, met != 0 && met != AROUND); /* the interrupts came about the end */
}

void sleeps(VP_INT exinf)
{
    (void)exinf;
    for (;;) {
        CHECK(E_OK, dly_tsk(0));
    }
}

/* The end of a tick comes at every place of the calls that take messages. */
static void taken(void)
{
    static T_MSG messages[MESSAGES];
    CHECK(E_OK, act_tsk(TASK_SLEEPS));
    for (round_number = 0; round_number < TICK_CYCLES / STEP; round_number++) {
        for (UINT i = 0; i < MESSAGES; i++) {
            CHECK(E_OK, snd_mbx(MBX_MAIL, &messages[i]));
        }
        CHECK(E_OK, dly_tsk(0));
        mel_busy(round_number * STEP);
        for (UINT i = 0; i < MESSAGES; i++) {
            T_MSG *message = NULL;
            CHECK(E_OK, prcv_mbx(MBX_MAIL, &message));
            CHECK(&messages[i], message);
        }
    }
    CHECK(E_OK, ter_tsk(TASK_SLEEPS));
}

void main_task(VP_INT exinf)
{
    (void)exinf;
    ended();
    timed();
    taken();
    mel_print("races: nothing was lost\n");
    mel_exit(0);
}
