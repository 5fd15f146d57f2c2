/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_cfg.c: what itron_cfg.h says, as constant data and memory; and main(), which makes it, calls the initialization routines and starts the kernel.
 * Numbers in rows are checked when this file is compiled: a wrong one is an error that names row, key, value and range. What only the run can see ends
 * it with one sentence. */
#include "layer.h"

#define ITRON_SYSTEM "the system " MEL_SYSTEM_NAME
#define ROW(row, condition, key, value, allowed) \
    _Static_assert(condition, "itron_cfg.h: " row ": " key " is " value ", allowed is " allowed)

/* ---- as many as there can be -------------------------------------------------------------------------------------- */

#define KIND(row, count, maximum, parameter)                                                                          \
    _Static_assert((int)(count) <= (int)(maximum),                                                                    \
                   "itron_cfg.h: " row ": there are more rows and spare IDs than " ITRON_SYSTEM " has room for; raise " \
                   "parameters: " parameter " of its configuration")

KIND("CRE_TSK", TNUM_TSKID, TMAX_TSKID, "tasks");
KIND("CRE_SEM, CRE_MPF", TNUM_SEMID, TMAX_SEMID, "semaphores");
KIND("CRE_FLG", TNUM_FLGID, TMAX_FLGID, "event_flags");
KIND("CRE_DTQ, CRE_MBX", TNUM_DTQID, TMAX_DTQID, "queues");
KIND("CRE_MTX", TNUM_MTXID, TMAX_MTXID, "mutexes");
KIND("CRE_CYC, CRE_ALM", TNUM_CYCID, TMAX_CYCID, "timers");

/* Words of all queues: those of data queues, and one of each mailbox. */
#include "cfg_rows.h"
#undef CRE_DTQ
#define CRE_DTQ(id, dtqatr, dtqcnt) +(dtqcnt)
enum {
    WORDS = TNUM_MBXID
#include <itron_cfg.h>
};
_Static_assert(WORDS <= MEL_MESSAGES, "itron_cfg.h: CRE_DTQ, CRE_MBX: all dtqcnt, and one of each mailbox, are more than the messages of " ITRON_SYSTEM
                                      "; make data queues shorter, or raise parameters: messages of its configuration");

/* ---- each row ----------------------------------------------------------------------------------------------------- */

#include "cfg_rows.h"

#undef CRE_TSK
#define CRE_TSK(id, tskatr, exinf, task, itskpri, stksz)                                                                \
    ROW("CRE_TSK(" #id ")", ((tskatr) & ~(TA_ASM | TA_ACT)) == 0, "tskatr", #tskatr, "TA_HLNG or TA_ASM, and TA_ACT");   \
    ROW("CRE_TSK(" #id ")", (itskpri) >= TMIN_TPRI && (itskpri) <= TMAX_TPRI, "itskpri", #itskpri,                       \
        "1 to the priorities of " ITRON_SYSTEM);                                                                       \
    ROW("CRE_TSK(" #id ")", (stksz) >= MEL_STACK_MINIMUM && (stksz) % MEL_STACK_ALIGNMENT == 0, "stksz", #stksz,         \
        "a multiple of 16, 256 or more");                                                                              \
    MEL_TASK_STACK(itron_stack_##id, (id) - 1, stksz);                                                                  \
    extern void task(VP_INT);
#undef CRE_SEM
#define CRE_SEM(id, sematr, isemcnt, maxsem)                                                                            \
    ROW("CRE_SEM(" #id ")", (sematr) == TA_TPRI, "sematr", #sematr, "TA_TPRI: tasks wait in order of priority");         \
    ROW("CRE_SEM(" #id ")", (maxsem) >= 1 && (maxsem) <= TMAX_MAXSEM, "maxsem", #maxsem, "1 to 65535");                  \
    ROW("CRE_SEM(" #id ")", (isemcnt) >= 0 && (isemcnt) <= (maxsem), "isemcnt", #isemcnt, "0 to maxsem");
#undef CRE_FLG
#define CRE_FLG(id, flgatr, iflgptn)                                                                                    \
    ROW("CRE_FLG(" #id ")", ((flgatr) & ~(TA_TPRI | TA_CLR)) == TA_WSGL || (flgatr) == (TA_TPRI | TA_WMUL), "flgatr", #flgatr, \
        "TA_WSGL, with TA_CLR or without it, or TA_TPRI | TA_WMUL");
#undef CRE_DTQ
#define CRE_DTQ(id, dtqatr, dtqcnt)                                                                                     \
    ROW("CRE_DTQ(" #id ")", (dtqatr) == TA_TPRI, "dtqatr", #dtqatr, "TA_TPRI: tasks wait in order of priority");         \
    ROW("CRE_DTQ(" #id ")", (dtqcnt) >= 1 && (dtqcnt) <= MEL_MESSAGES, "dtqcnt", #dtqcnt, "1 to the messages of " ITRON_SYSTEM);
#undef CRE_MBX
#define CRE_MBX(id, mbxatr, maxmpri)                                                                                    \
    ROW("CRE_MBX(" #id ")", ((mbxatr) & ~TA_MPRI) == TA_TPRI, "mbxatr", #mbxatr, "TA_TPRI, and TA_MFIFO or TA_MPRI");    \
    ROW("CRE_MBX(" #id ")", !((mbxatr) & TA_MPRI) || ((maxmpri) >= TMIN_MPRI && (maxmpri) <= TMAX_MPRI), "maxmpri", #maxmpri, \
        "1 to 255");
#undef CRE_MTX
#define CRE_MTX(id, mtxatr, ceilpri)                                                                                    \
    ROW("CRE_MTX(" #id ")", (mtxatr) == TA_INHERIT || (mtxatr) == TA_CEILING, "mtxatr", #mtxatr, "TA_INHERIT or TA_CEILING"); \
    ROW("CRE_MTX(" #id ")", (mtxatr) != TA_CEILING || ((ceilpri) >= TMIN_TPRI && (ceilpri) <= TMAX_TPRI), "ceilpri", #ceilpri, \
        "1 to the priorities of " ITRON_SYSTEM);
#define BLOCK(blksz) (((blksz) + MEL_POOL_ALIGNMENT - 1) / MEL_POOL_ALIGNMENT)
#undef CRE_MPF
#define CRE_MPF(id, mpfatr, blkcnt, blksz)                                                                              \
    ROW("CRE_MPF(" #id ")", (mpfatr) == TA_TPRI, "mpfatr", #mpfatr, "TA_TPRI: tasks wait in order of priority");         \
    ROW("CRE_MPF(" #id ")", (blkcnt) >= 1 && (blkcnt) <= TMAX_MAXSEM, "blkcnt", #blkcnt, "1 to 65535");                  \
    ROW("CRE_MPF(" #id ")", (blksz) >= 1, "blksz", #blksz, "1 or more");                                                 \
    static uint32_t itron_blocks_##id[(blkcnt)*BLOCK(blksz)];
#undef CRE_CYC
#define CRE_CYC(id, cycatr, exinf, cychdr, cyctim, cycphs)                                                              \
    ROW("CRE_CYC(" #id ")", ((cycatr) & ~(TA_ASM | TA_STA | TA_PHS)) == 0, "cycatr", #cycatr, "TA_HLNG or TA_ASM, TA_STA, TA_PHS"); \
    ROW("CRE_CYC(" #id ")", (cyctim) >= 1 && (cyctim) <= TMAX_RELTIM, "cyctim", #cyctim, "1 to 0x7FFFFFFE");             \
    ROW("CRE_CYC(" #id ")", (cycphs) >= 0 && (cycphs) <= TMAX_RELTIM, "cycphs", #cycphs, "0 to 0x7FFFFFFE");             \
    extern void cychdr(VP_INT);
#undef CRE_ALM
#define CRE_ALM(id, almatr, exinf, almhdr)                                                                              \
    ROW("CRE_ALM(" #id ")", ((almatr) & ~TA_ASM) == 0, "almatr", #almatr, "TA_HLNG or TA_ASM");                          \
    extern void almhdr(VP_INT);
#undef DEF_INH
#define DEF_INH(inhno, inhatr, inthdr)                                                                                  \
    ROW("DEF_INH(" #inhno ")", (inhno) >= 0 && (inhno) < MEL_INTERRUPTS, "inhno", #inhno,                                \
        "0 to the interrupts of " ITRON_SYSTEM " less 1");                                                             \
    extern void inthdr(void);
#undef ATT_ISR
#define ATT_ISR(isratr, exinf, intno, isr)                                                                              \
    ROW("ATT_ISR(" #isr ")", (intno) >= 0 && (intno) < MEL_INTERRUPTS, "intno", #intno,                                  \
        "0 to the interrupts of " ITRON_SYSTEM " less 1");                                                             \
    extern void isr(VP_INT);
#undef ATT_INI
#define ATT_INI(iniatr, exinf, inirtn) extern void inirtn(VP_INT);
#include <itron_cfg.h>

/* ---- what the run makes of them ----------------------------------------------------------------------------------- */

/* Interrupt service of a row: a function with an argument (isr) or without (inthdr). */
typedef struct {
    INTNO intno;
    VP_INT exinf;
    ISR isr;       /* or NULL */
    INTHDR inthdr; /* or NULL */
} itron_service_t;

static void serve(mel_id_t line, void *argument)
{
    const itron_service_t *row = argument;
    (void)line;
    if (row->isr != NULL) {
        row->isr(row->exinf);
    } else {
        row->inthdr();
    }
    itron_handler_end();
}

static _Noreturn void refuse(const char *row, const char *text, int32_t value, const char *rest)
{
    mel_print("itron: ");
    mel_print(row);
    mel_print(" in itron_cfg.h");
    mel_print(text);
    mel_print_signed(value);
    mel_print(rest);
    mel_print("\n");
    mel_exit(MEL_EXIT_CODE_BOOT);
}

static void made(const char *row, ER status)
{
    if (status != E_OK) {
        refuse(row, " was refused with status ", status, "; correct it, or raise what the configuration of the system allows");
    }
}

static uint64_t taken; /* interrupts that rows serve */

static void attach(const char *row, const itron_service_t *service)
{
    if (taken >> service->intno & 1) {
        refuse(row, ": intno is ", (int32_t)service->intno, ", which another row has; allowed is each number once: choose another interrupt, "
               "or call both functions from one");
    }
    taken |= UINT64_C(1) << service->intno;
    (void)mel_irq_attach(service->intno, serve, (void *)(uintptr_t)service);
    (void)mel_irq_map(service->intno, MEL_IRQ_ACTION_NONE, 0, 0, true);
}

#define MAKE(row, id, type, call, ...)              \
    {                                               \
        static const type packet = {__VA_ARGS__};   \
        made(row "(" #id ")", call(id, &packet));   \
    }
#define SERVE(row, ...)                                       \
    {                                                         \
        static const itron_service_t service = {__VA_ARGS__}; \
        attach(row, &service);                                \
    }

static void make_objects(void)
{
#include "cfg_rows.h"
#undef CRE_TSK
#undef CRE_SEM
#undef CRE_FLG
#undef CRE_DTQ
#undef CRE_MBX
#undef CRE_MTX
#undef CRE_MPF
#undef CRE_CYC
#undef CRE_ALM
#undef DEF_INH
#undef ATT_ISR
#define CRE_TSK(id, tskatr, exinf, task, itskpri, stksz) \
    MAKE("CRE_TSK", id, T_CTSK, cre_tsk, tskatr, (VP_INT)(exinf), task, itskpri, stksz, itron_stack_##id)
#define CRE_SEM(id, sematr, isemcnt, maxsem) MAKE("CRE_SEM", id, T_CSEM, cre_sem, sematr, isemcnt, maxsem)
#define CRE_FLG(id, flgatr, iflgptn) MAKE("CRE_FLG", id, T_CFLG, cre_flg, flgatr, iflgptn)
#define CRE_DTQ(id, dtqatr, dtqcnt) MAKE("CRE_DTQ", id, T_CDTQ, cre_dtq, dtqatr, dtqcnt, NULL)
#define CRE_MBX(id, mbxatr, maxmpri) MAKE("CRE_MBX", id, T_CMBX, cre_mbx, mbxatr, maxmpri, NULL)
#define CRE_MTX(id, mtxatr, ceilpri) MAKE("CRE_MTX", id, T_CMTX, cre_mtx, mtxatr, ceilpri)
#define CRE_MPF(id, mpfatr, blkcnt, blksz) MAKE("CRE_MPF", id, T_CMPF, cre_mpf, mpfatr, blkcnt, blksz, itron_blocks_##id)
#define CRE_CYC(id, cycatr, exinf, cychdr, cyctim, cycphs) \
    MAKE("CRE_CYC", id, T_CCYC, cre_cyc, cycatr, (VP_INT)(exinf), cychdr, cyctim, cycphs)
#define CRE_ALM(id, almatr, exinf, almhdr) MAKE("CRE_ALM", id, T_CALM, cre_alm, almatr, (VP_INT)(exinf), almhdr)
#define DEF_INH(number, inhatr, function) SERVE("DEF_INH(" #function ")", .intno = number, .inthdr = function)
#define ATT_ISR(isratr, information, number, function) \
    SERVE("ATT_ISR(" #function ")", .intno = number, .exinf = (VP_INT)(information), .isr = function)
#include <itron_cfg.h>
}

static void call_routines(void)
{
#include "cfg_rows.h"
#undef ATT_INI
#define ATT_INI(iniatr, exinf, inirtn) inirtn((VP_INT)(exinf));
#include <itron_cfg.h>
}

int main(void)
{
    make_objects();
    call_routines();
    for (INTNO intno = 0; intno < MEL_INTERRUPTS; intno++) {
        if (taken >> intno & 1) {
            (void)mel_irq_enable(intno);
        }
    }
    mel_kernel_start();
}
