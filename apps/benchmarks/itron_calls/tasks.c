/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.c: the calls that make, start, end and change tasks, and that look at them. Their subject is made twice: by the layer, and by the kernel alone. */
#include "itron_calls.h"

enum { STACK_SIZE = 512, SUBJECT_ID = SUBJECT + 1 };

MEL_TASK_STACK(stack, SUBJECT, STACK_SIZE);
MEL_TASK_STACK(stack_native, SUBJECT_NATIVE, STACK_SIZE);
static volatile shot_t order_ours, order_native; /* calls that the subjects make when they are started */
static T_RTSK rtsk;
static T_RTST rtst;
static PRI priority;
static mel_task_info_t info;
static ID made; /* by acre_tsk */

static __attribute__((noinline)) void be_subject(shot_t order)
{
    if (order != NULL) {
        (void)order(OTHER);
    }
    (void)mel_task_sleep(MEL_FOREVER);
}

/* Its first instruction is where a call ends that starts it. */
static void subject(VP_INT exinf)
{
    (void)exinf;
    MEL_TRACEPOINT(TRACEPOINT_END, OTHER);
    be_subject(order_ours);
}

static void subject_native(void *unused)
{
    (void)unused;
    MEL_TRACEPOINT(TRACEPOINT_END, OTHER);
    be_subject(order_native);
}

static const T_CTSK packet = {TA_HLNG, 0, subject, LOW, STACK_SIZE, stack};
static const T_CTSK packet_urgent = {TA_HLNG, 0, subject, URGENT, STACK_SIZE, stack};
static const T_CTSK packet_wrong = {TA_HLNG, 0, subject, MEL_PRIORITIES + 1, STACK_SIZE, stack};
static const mel_task_attributes_t attributes = {.entry = subject_native, .stack = stack_native, .stack_size = STACK_SIZE, .priority = LOW - 1};
static const mel_task_attributes_t attributes_urgent = {.entry = subject_native, .stack = stack_native, .stack_size = STACK_SIZE, .priority = URGENT - 1};
static const mel_task_attributes_t attributes_wrong = {.entry = subject_native, .stack = stack_native, .stack_size = STACK_SIZE, .priority = MEL_PRIORITIES};

SHOTS(create, cre_tsk(SUBJECT_ID, &packet), mel_task_create(SUBJECT_NATIVE, &attributes))
SHOTS(create_bad, cre_tsk(BAD, &packet), mel_task_create(BAD_NUMBER, &attributes))
SHOTS(create_wrong, cre_tsk(SUBJECT_ID, &packet_wrong), mel_task_create(SUBJECT_NATIVE, &attributes_wrong))
SHOTS(create_any, (made = acre_tsk(&packet)) > 0 ? E_OK : made, mel_task_create(SUBJECT_NATIVE, &attributes))
SHOTS(create_any_wrong, acre_tsk(&packet_wrong), mel_task_create(SUBJECT_NATIVE, &attributes_wrong))
SHOTS(delete, del_tsk(SUBJECT_ID), mel_task_delete(SUBJECT_NATIVE))
SHOTS(delete_bad, del_tsk(BAD), mel_task_delete(BAD_NUMBER))
SHOTS(activate, act_tsk(SUBJECT_ID), mel_task_start(SUBJECT_NATIVE))
SHOTS(activate_bad, act_tsk(BAD), mel_task_start(BAD_NUMBER))
SHOTS(activate_in, iact_tsk(SUBJECT_ID), mel_task_start(SUBJECT_NATIVE))
SHOT(t_cancel, can_act(SUBJECT_ID))
SHOT(t_cancel_bad, can_act(BAD))
SHOTS(start, sta_tsk(SUBJECT_ID, 0), mel_task_start(SUBJECT_NATIVE))
SHOTS(start_bad, sta_tsk(BAD, 0), mel_task_start(BAD_NUMBER))
SHOTS(end, (ext_tsk(), E_OK), mel_task_exit())
SHOTS(terminate, ter_tsk(SUBJECT_ID), mel_task_terminate(SUBJECT_NATIVE))
SHOTS(terminate_self, ter_tsk(TASK_CALLER), mel_task_terminate(TASK_CALLER - 1))
SHOTS(terminate_bad, ter_tsk(BAD), mel_task_terminate(BAD_NUMBER))
SHOTS(change, chg_pri(SUBJECT_ID, LOW + 1), mel_task_set_priority(SUBJECT_NATIVE, LOW))
SHOTS(change_urgent, chg_pri(SUBJECT_ID, URGENT), mel_task_set_priority(SUBJECT_NATIVE, URGENT - 1))
SHOTS(change_self, chg_pri(TSK_SELF, CALLER_PRIORITY), mel_task_set_priority(MEL_SELF, CALLER_PRIORITY - 1))
SHOTS(change_down, chg_pri(TSK_SELF, MEL_PRIORITIES), mel_task_set_priority(MEL_SELF, MEL_PRIORITIES - 1))
SHOTS(change_wrong, chg_pri(SUBJECT_ID, MEL_PRIORITIES + 1), mel_task_set_priority(SUBJECT_NATIVE, MEL_PRIORITIES))
SHOTS(change_bad, chg_pri(BAD, LOW), mel_task_set_priority(BAD_NUMBER, LOW - 1))
SHOTS(get, get_pri(SUBJECT_ID, &priority), mel_task_query(SUBJECT_NATIVE, &info))
SHOTS(get_bad, get_pri(BAD, &priority), mel_task_query(BAD_NUMBER, &info))
SHOTS(refer, ref_tsk(SUBJECT_ID, &rtsk), mel_task_query(SUBJECT_NATIVE, &info))
SHOTS(refer_bad, ref_tsk(BAD, &rtsk), mel_task_query(BAD_NUMBER, &info))
SHOTS(state, ref_tst(SUBJECT_ID, &rtst), mel_task_query(SUBJECT_NATIVE, &info))
SHOTS(state_bad, ref_tst(BAD, &rtst), mel_task_query(BAD_NUMBER, &info))
SHOT(sleep_on, mel_task_sleep(MEL_FOREVER))

static void dormant(uint32_t n, shot_t order)
{
    (void)n;
    (void)order;
    order_ours = order_native = NULL;
    CHECK(cre_tsk(SUBJECT_ID, &packet));
    CHECK(mel_task_create(SUBJECT_NATIVE, &attributes));
}

static void dormant_urgent(uint32_t n, shot_t order)
{
    (void)n;
    (void)order;
    order_ours = order_native = NULL;
    CHECK(cre_tsk(SUBJECT_ID, &packet_urgent));
    CHECK(mel_task_create(SUBJECT_NATIVE, &attributes_urgent));
}

static void ready(uint32_t n, shot_t order)
{
    dormant(n, order);
    CHECK(act_tsk(SUBJECT_ID));
    CHECK(mel_task_start(SUBJECT_NATIVE));
}

static void asleep(uint32_t n, shot_t order)
{
    dormant_urgent(n, order);
    order_ours = order_native = sleep_on;
    CHECK(act_tsk(SUBJECT_ID));
    CHECK(mel_task_start(SUBJECT_NATIVE));
}

/* n activations are queued. */
static void activated(uint32_t n, shot_t order)
{
    ready(0, order);
    for (uint32_t i = 0; i < n; i++) {
        CHECK(act_tsk(SUBJECT_ID));
    }
}

static INT t_end_measured(uint32_t measured)
{
    (void)measured;
    return t_end(MEASURED);
}

static INT n_end_measured(uint32_t measured)
{
    (void)measured;
    return n_end(MEASURED);
}

/* A task that ends is not the caller: the subject, which the caller starts. */
static INT t_run_and_end(uint32_t measured)
{
    (void)measured;
    order_ours = t_end_measured;
    return t_activate(OTHER);
}

static INT n_run_and_end(uint32_t measured)
{
    (void)measured;
    order_native = n_end_measured;
    return n_activate(OTHER);
}

static void raise_caller(void)
{
    CHECK(mel_task_set_priority(TASK_CALLER - 1, CALLER_PRIORITY - 1));
}

static void remove_ours(ID task)
{
    (void)can_act(task);
    (void)ter_tsk(task);
    (void)del_tsk(task);
}

void clear_tasks(void)
{
    remove_ours(SUBJECT_ID);
    if (made > 0) {
        remove_ours(made);
        made = 0;
    }
    (void)mel_task_terminate(SUBJECT_NATIVE);
    (void)mel_task_delete(SUBJECT_NATIVE);
}

static const row_t rows[] = {
    STAYS(cre_tsk, "new", nothing, 0, none, create),
    REFUSES(cre_tsk, "it exists", dormant, 0, none, create, E_OBJ, MEL_E_OBJ),
    REFUSES(cre_tsk, "priority out of range", nothing, 0, none, create_wrong, E_PAR, MEL_E_PAR),
    BEYOND(cre_tsk, create),
    STAYS(acre_tsk, "new", nothing, 0, none, create_any),
    REFUSES(acre_tsk, "priority out of range", nothing, 0, none, create_any_wrong, E_PAR, MEL_E_PAR),
    STAYS(del_tsk, "dormant", dormant, 0, none, delete),
    REFUSES(del_tsk, "not dormant", ready, 0, none, delete, E_OBJ, MEL_E_OBJ),
    ABSENT(del_tsk, delete),
    BEYOND(del_tsk, delete),
    STAYS(act_tsk, "less urgent", dormant, 0, none, activate),
    ONLY_STAYS(act_tsk, "active: queued", ready, 0, none, activate, E_OK),
    WAKES(act_tsk, "more urgent", dormant_urgent, 0, none, activate),
    ABSENT(act_tsk, activate),
    BEYOND(act_tsk, activate),
    STAYS_IN(iact_tsk, "less urgent", dormant, 0, none, activate_in),
    STAYS_IN(iact_tsk, "more urgent", dormant_urgent, 0, none, activate_in),
    ABSENT_IN(iact_tsk, activate_in),
    ONLY_STAYS(can_act, "none queued", ready, 0, none, cancel, 0),
    ONLY_STAYS(can_act, "2 queued", activated, 2, none, cancel, 2),
    ONLY_REFUSES(can_act, "it does not exist", nothing, 0, none, cancel, E_NOEXS),
    ONLY_REFUSES(can_act, "number out of range", nothing, 0, none, cancel_bad, E_ID),
    STAYS(sta_tsk, "less urgent", dormant, 0, none, start),
    WAKES(sta_tsk, "more urgent", dormant_urgent, 0, none, start),
    REFUSES(sta_tsk, "not dormant", ready, 0, none, start, E_OBJ, MEL_E_OBJ),
    ABSENT(sta_tsk, start),
    BEYOND(sta_tsk, start),
    WAKES(ext_tsk, "none queued", dormant_urgent, 0, none, run_and_end),
    STAYS(ter_tsk, "ready", ready, 0, none, terminate),
    STAYS(ter_tsk, "sleeps", asleep, 0, none, terminate),
    ONLY_STAYS(ter_tsk, "ready, 1 queued", activated, 1, none, terminate, E_OK),
    REFUSES(ter_tsk, "dormant", dormant, 0, none, terminate, E_OBJ, MEL_E_OBJ),
    REFUSES(ter_tsk, "the caller", nothing, 0, none, terminate_self, E_ILUSE, MEL_E_ILUSE),
    ABSENT(ter_tsk, terminate),
    BEYOND(ter_tsk, terminate),
    STAYS(chg_pri, "ready", ready, 0, none, change),
    STAYS(chg_pri, "sleeps", asleep, 0, none, change),
    STAYS(chg_pri, "the caller, as it is", nothing, 0, none, change_self),
    WAKES(chg_pri, "ready, now more urgent", ready, 0, none, change_urgent),
    LEAVES(chg_pri, "the caller, now less urgent", nothing, 0, none, change_down, E_OK, raise_caller),
    REFUSES(chg_pri, "priority out of range", ready, 0, none, change_wrong, E_PAR, MEL_E_PAR),
    REFUSES(chg_pri, "dormant", dormant, 0, none, change, E_OBJ, MEL_E_OBJ),
    ABSENT(chg_pri, change),
    BEYOND(chg_pri, change),
    STAYS(get_pri, "ready", ready, 0, none, get),
    ABSENT(get_pri, get),
    BEYOND(get_pri, get),
    STAYS(ref_tsk, "ready", ready, 0, none, refer),
    STAYS(ref_tsk, "dormant", dormant, 0, none, refer),
    ABSENT(ref_tsk, refer),
    BEYOND(ref_tsk, refer),
    STAYS(ref_tst, "ready", ready, 0, none, state),
    STAYS(ref_tst, "dormant", dormant, 0, none, state),
    ABSENT(ref_tst, state),
    BEYOND(ref_tst, state),
};

const table_t task_table = TABLE(rows);
