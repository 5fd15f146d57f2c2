/* SPDX-License-Identifier: Apache-2.0 */
/* itron_calls.h: what the files of the benchmark `itron_calls` share. Each has a table: a row is one service call of µITRON in one state, or the kernel's own
 * call that a program without the layer would make in that state. `prepare` builds the state, the caller makes the call in `shot` between two
 * tracepoints (no cycle), its status must be `status`, and everything is cleared away.
 * Its numbers are also in experiments/itron-calls.yaml (tests/lab/test_itron_calls.py compares them). */
#ifndef ITRON_CALLS_H
#define ITRON_CALLS_H

#include <kernel.h>
#include <melanion/device.h>
#include <melanion/tracepoint.h>

/* Value of a mark: number of the call + 256 · row; rows of the kernel's own calls are NATIVE more. */
enum { MARK_BEGIN = 1, MARK_END = 2 };
enum { ROW_STAYS = 0, ROW_SWITCHES = 1, ROW_REFUSES = 2, NATIVE = 3 };
enum { TRACEPOINT_START = 1, TRACEPOINT_END = 2 };

/* Value of a shot's tracepoints: MEASURED for the measured call, OTHER for calls that other tasks make. */
enum { OTHER = 0, MEASURED = 1 };

/* Tasks: those of itron_cfg.h; the subject, which rows make by the layer, and the kernel's, which they make by mel_task_create. */
enum { CREW = 8, SUBJECT = 20, SUBJECT_NATIVE = 21 /* numbers of the kernel */ };

/* Priorities of the layer. LOW is less urgent than the caller, URGENT more. */
enum { URGENT = 4, CALLER_PRIORITY = 16, LOW = 20 };

/* An object of the layer, and its number in the kernel; BAD is out of every range. */
enum { OBJECT = 2, NUMBER = OBJECT - 1, BAD = 300, BAD_NUMBER = BAD - 1 };
enum { UNITS = 10, DEPTH = 8, LONG = 1000000 /* ticks */, LINE = 3 };

typedef INT (*shot_t)(uint32_t measured);

typedef struct {
    uint8_t call;                        /* CALL_… */
    uint8_t row;                         /* ROW_…, + NATIVE */
    bool handler;                        /* the call is made by a handler */
    const char *state;                   /* in words, for docs/reference/itron-calls.md */
    void (*prepare)(uint32_t n, shot_t order);
    uint32_t n;
    shot_t order;                        /* call that the crew makes */
    shot_t shot;
    INT status;
    void (*rescue)(void);                /* lets another task get the caller going again */
} row_t;

typedef struct {
    const row_t *rows;
    uint32_t count;
} table_t;

#define TABLE(rows) {(rows), sizeof(rows) / sizeof *(rows)}
extern const table_t task_table, sleep_table, semaphore_table, flag_table, data_queue_table, mailbox_table, mutex_table, pool_table, time_table, state_table;

/* The calls, in the order of kernel/compat/itron/calls.yaml. */
enum {
    CALL_cre_tsk = 1, CALL_acre_tsk, CALL_del_tsk, CALL_act_tsk, CALL_iact_tsk, CALL_can_act, CALL_sta_tsk, CALL_ext_tsk, CALL_ter_tsk, CALL_chg_pri,
    CALL_get_pri, CALL_ref_tsk, CALL_ref_tst, CALL_slp_tsk, CALL_tslp_tsk, CALL_wup_tsk, CALL_iwup_tsk, CALL_can_wup, CALL_rel_wai, CALL_irel_wai,
    CALL_sus_tsk, CALL_rsm_tsk, CALL_frsm_tsk, CALL_dly_tsk, CALL_cre_sem, CALL_acre_sem, CALL_del_sem, CALL_sig_sem, CALL_isig_sem, CALL_wai_sem,
    CALL_pol_sem, CALL_twai_sem, CALL_ref_sem, CALL_cre_flg, CALL_acre_flg, CALL_del_flg, CALL_set_flg, CALL_iset_flg, CALL_clr_flg, CALL_wai_flg,
    CALL_pol_flg, CALL_twai_flg, CALL_ref_flg, CALL_cre_dtq, CALL_acre_dtq, CALL_del_dtq, CALL_snd_dtq, CALL_psnd_dtq, CALL_ipsnd_dtq, CALL_tsnd_dtq,
    CALL_fsnd_dtq, CALL_ifsnd_dtq, CALL_rcv_dtq, CALL_prcv_dtq, CALL_trcv_dtq, CALL_ref_dtq, CALL_cre_mbx, CALL_acre_mbx, CALL_del_mbx, CALL_snd_mbx,
    CALL_rcv_mbx, CALL_prcv_mbx, CALL_trcv_mbx, CALL_ref_mbx, CALL_cre_mtx, CALL_acre_mtx, CALL_del_mtx, CALL_loc_mtx, CALL_ploc_mtx, CALL_tloc_mtx,
    CALL_unl_mtx, CALL_ref_mtx, CALL_cre_mpf, CALL_acre_mpf, CALL_del_mpf, CALL_get_mpf, CALL_pget_mpf, CALL_tget_mpf, CALL_rel_mpf, CALL_ref_mpf,
    CALL_set_tim, CALL_get_tim, CALL_isig_tim, CALL_cre_cyc, CALL_acre_cyc, CALL_del_cyc, CALL_sta_cyc, CALL_stp_cyc, CALL_ref_cyc, CALL_cre_alm,
    CALL_acre_alm, CALL_del_alm, CALL_sta_alm, CALL_stp_alm, CALL_ref_alm, CALL_rot_rdq, CALL_irot_rdq, CALL_get_tid, CALL_iget_tid, CALL_loc_cpu,
    CALL_iloc_cpu, CALL_unl_cpu, CALL_iunl_cpu, CALL_dis_dsp, CALL_ena_dsp, CALL_sns_ctx, CALL_sns_loc, CALL_sns_dsp, CALL_sns_dpn, CALL_ref_ver,
    CALL_dis_int, CALL_ena_int
};

/* A call between its tracepoints, in a function of its own: the set-up of its arguments is measured, too. */
#define SHOT(name, ...)                                             \
    static __attribute__((noinline)) INT name(uint32_t measured)    \
    {                                                               \
        MEL_TRACEPOINT(TRACEPOINT_START, measured);                 \
        const INT status = (INT)(__VA_ARGS__);                      \
        MEL_TRACEPOINT(TRACEPOINT_END, measured);                   \
        return status;                                              \
    }

/* The two shots of a state: t_<name> makes the call of the layer, n_<name> the kernel's. */
#define SHOTS(name, ours, native) SHOT(t_##name, ours) SHOT(n_##name, native)
#define t_none NULL
#define n_none NULL

/* Rows of both calls: they stay in the caller with a status; they end in another task; they are refused, each with its status. The crew's order is a pair of
 * shots. ONLY_…: of the layer's call alone. …_IN: in a handler. */
#define STAYS(call, state, prepare, n, order, shot)                                                                     \
    {CALL_##call, ROW_STAYS, false, state, prepare, n, t_##order, t_##shot, E_OK, NULL},                                \
    {CALL_##call, ROW_STAYS + NATIVE, false, state, prepare, n, n_##order, n_##shot, E_OK, NULL}
#define WAKES(call, state, prepare, n, order, shot)                                                                     \
    {CALL_##call, ROW_SWITCHES, false, state, prepare, n, t_##order, t_##shot, E_OK, NULL},                             \
    {CALL_##call, ROW_SWITCHES + NATIVE, false, state, prepare, n, n_##order, n_##shot, E_OK, NULL}
#define LEAVES(call, state, prepare, n, order, shot, status, rescue)                                                    \
    {CALL_##call, ROW_SWITCHES, false, state, prepare, n, t_##order, t_##shot, status, rescue},                         \
    {CALL_##call, ROW_SWITCHES + NATIVE, false, state, prepare, n, n_##order, n_##shot, status, rescue}
#define WAITS(call, state, prepare, n, order, shot) LEAVES(call, state, prepare, n, order, shot, E_RLWAI, release_caller)
#define REFUSES(call, state, prepare, n, order, shot, status, native_status)                                            \
    {CALL_##call, ROW_REFUSES, false, state, prepare, n, t_##order, t_##shot, status, NULL},                            \
    {CALL_##call, ROW_REFUSES + NATIVE, false, state, prepare, n, n_##order, n_##shot, native_status, NULL}
#define ABSENT(call, shot) REFUSES(call, "it does not exist", nothing, 0, none, shot, E_NOEXS, MEL_E_NOEXS)
#define BEYOND(call, shot) REFUSES(call, "number out of range", nothing, 0, none, shot##_bad, E_ID, MEL_E_ID)
#define STAYS_IN(call, state, prepare, n, order, shot)                                                                  \
    {CALL_##call, ROW_STAYS, true, state, prepare, n, t_##order, t_##shot, E_OK, NULL},                                 \
    {CALL_##call, ROW_STAYS + NATIVE, true, state, prepare, n, n_##order, n_##shot, E_OK, NULL}
#define REFUSES_IN(call, state, prepare, n, order, shot, status, native_status)                                         \
    {CALL_##call, ROW_REFUSES, true, state, prepare, n, t_##order, t_##shot, status, NULL},                             \
    {CALL_##call, ROW_REFUSES + NATIVE, true, state, prepare, n, n_##order, n_##shot, native_status, NULL}
#define ABSENT_IN(call, shot) REFUSES_IN(call, "it does not exist", nothing, 0, none, shot, E_NOEXS, MEL_E_NOEXS)
#define ONLY_STAYS(call, state, prepare, n, order, shot, status) {CALL_##call, ROW_STAYS, false, state, prepare, n, t_##order, t_##shot, status, NULL}
#define ONLY_REFUSES(call, state, prepare, n, order, shot, status) \
    {CALL_##call, ROW_REFUSES, false, state, prepare, n, t_##order, t_##shot, status, NULL}
#define ONLY_STAYS_IN(call, state, prepare, n, order, shot, status) {CALL_##call, ROW_STAYS, true, state, prepare, n, t_##order, t_##shot, status, NULL}
#define ONLY_REFUSES_IN(call, state, prepare, n, order, shot, status) \
    {CALL_##call, ROW_REFUSES, true, state, prepare, n, t_##order, t_##shot, status, NULL}

/* End the run: a call returned another status than it had to. */
_Noreturn void wrong_status(const char *file, uint32_t line, INT status);

#define CHECK(call) EXPECT(call, E_OK)
#define EXPECT(call, expected)                                      \
    do {                                                            \
        const INT status_ = (INT)(call);                            \
        if (__builtin_expect(status_ != (INT)(expected), 0)) {      \
            wrong_status(__FILE_NAME__, __LINE__, status_);         \
        }                                                           \
    } while (0)

extern INT word; /* output of calls */

/* States. Crew members make the call of a shot and, being more urgent than the caller, wait in it when these return. */
void nothing(uint32_t n, shot_t order);
void send_urgent(uint32_t n, shot_t order); /* members 0 … n - 1 */
void send_low(uint32_t n, shot_t order);    /* then less urgent than the caller */
mel_id_t member(uint32_t n);                /* number of a crew member in the kernel */
void stand_by(void);                        /* the waker wakes the caller, and is in the middle of that call */
void undispatched(uint32_t n, shot_t order); /* dispatch is disabled */

/* Rescues. */
void release_caller(void);
void expect_rescue(void (*how)(void));

/* Delete what a row has made: the files of objects, behind each. */
void clear_tasks(void);
void clear_semaphores(void);
void clear_flags(void);
void clear_data_queues(void);
void clear_mailboxes(void);
void clear_mutexes(void);
void clear_pools(void);
void clear_times(void);

#endif
