/* SPDX-License-Identifier: Apache-2.0 */
/* meter.c: a program for µITRON. A cyclic handler reads a meter, a task averages the samples of a window, another one reports the averages; an alarm ends
 * it. All objects stand in itron_cfg.h; main() is the kernel's. */
#include <kernel.h>

enum { WINDOW = 4, LARGE = 60, REPORTS = 5, END_AFTER = 30 /* ticks */, FLAG_OVER = 1, TICK_CYCLES = 3000 };

typedef struct {
    T_MSG_PRI header;
    INT average;
} report_t;

_Static_assert(sizeof(report_t) <= 16, "a report is as long as a block of MPF_REPORTS");

static void check(ER status)
{
    if (status < 0) {
        mel_print("meter: a service call returned ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

static void say(const char *text, INT number)
{
    check(loc_mtx(MTX_CONSOLE));
    mel_print(text);
    mel_print_signed(number);
    mel_print("\n");
    check(unl_mtx(MTX_CONSOLE));
}

/* CYC_SAMPLE, every tick: the meter goes up and down. */
void sample(VP_INT top)
{
    static VP_INT value, step = 7;
    if (value + step > top || value + step < 0) {
        step = -step;
    }
    value += step;
    check(ipsnd_dtq(DTQ_SAMPLES, value));
}

/* ALM_END. */
void over(VP_INT exinf)
{
    (void)exinf;
    check(iset_flg(FLG_STATE, FLAG_OVER));
}

/* A large average is urgent: it overtakes those that still wait to be reported. */
void average_task(VP_INT exinf)
{
    (void)exinf;
    for (;;) {
        VP_INT sum = 0, value;
        for (INT i = 0; i < WINDOW; i++) {
            check(rcv_dtq(DTQ_SAMPLES, &value));
            sum += value;
        }
        VP block;
        check(get_mpf(MPF_REPORTS, &block));
        report_t *report = block;
        report->average = (INT)(sum / WINDOW);
        report->header.msgpri = report->average >= LARGE ? 1 : 2;
        check(snd_mbx(MBX_REPORTS, &report->header.msgque));
    }
}

void report_task(VP_INT exinf)
{
    (void)exinf;
    for (INT i = 0; i < REPORTS; i++) {
        T_MSG *message;
        check(rcv_mbx(MBX_REPORTS, &message));
        say("average ", ((report_t *)message)->average);
        check(rel_mpf(MPF_REPORTS, message));
    }
}

void end_task(VP_INT exinf)
{
    (void)exinf;
    FLGPTN flags;
    check(sta_alm(ALM_END, END_AFTER));
    check(wai_flg(FLG_STATE, FLAG_OVER, TWF_ORW, &flags));
    check(stp_cyc(CYC_SAMPLE));
    SYSTIM now;
    check(get_tim(&now));
    say("over at tick ", (INT)now);
    mel_exit(0);
}

void initialize(VP_INT exinf)
{
    (void)exinf;
    (void)mel_tick_set(TICK_CYCLES);
}
