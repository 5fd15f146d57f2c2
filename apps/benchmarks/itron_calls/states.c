/* SPDX-License-Identifier: Apache-2.0 */
/* states.c: the calls about the state of the system, and those of interrupts. With the CPU locked calls of tasks return E_CTX: nothing of the kernel's is like it. */
#include "itron_calls.h"

static ID self;
static T_RVER rver;

SHOTS(rotate, rot_rdq(TPRI_SELF), mel_task_rotate(MEL_OWN_PRIORITY))
SHOTS(rotate_low, rot_rdq(LOW), mel_task_rotate(LOW - 1))
SHOTS(rotate_wrong, rot_rdq(MEL_PRIORITIES + 1), mel_task_rotate(MEL_PRIORITIES))
SHOTS(rotate_in, irot_rdq(LOW), mel_task_rotate(LOW - 1))
SHOTS(rotate_wrong_in, irot_rdq(MEL_PRIORITIES + 1), mel_task_rotate(MEL_PRIORITIES))
SHOTS(own, get_tid(&self), (self = (ID)mel_task_self(), E_OK))
SHOTS(own_in, iget_tid(&self), (self = (ID)mel_task_self(), E_OK))
SHOT(t_own_outside, iget_tid(&self))
SHOT(t_lock, loc_cpu())
SHOT(t_lock_in, iloc_cpu())
SHOT(t_unlock, unl_cpu())
SHOT(t_unlock_in, iunl_cpu())
SHOTS(disable, dis_dsp(), mel_dispatch_disable())
SHOTS(enable, ena_dsp(), mel_dispatch_enable())
SHOTS(in_handler, sns_ctx(), mel_in_handler())
SHOT(t_locked, sns_loc())
SHOT(t_dispatch, sns_dsp())
SHOT(t_pending, sns_dpn())
SHOT(t_version, ref_ver(&rver))
SHOTS(mask, dis_int(LINE), mel_irq_disable(LINE))
SHOTS(mask_wrong, dis_int(MEL_INTERRUPTS), mel_irq_disable(BAD_NUMBER))
SHOTS(unmask, ena_int(LINE), mel_irq_enable(LINE))
SHOTS(unmask_wrong, ena_int(MEL_INTERRUPTS), mel_irq_enable(BAD_NUMBER))
SHOTS(sleep, slp_tsk(), mel_task_sleep(MEL_FOREVER))
SHOT(become_equal, mel_task_set_priority(MEL_SELF, CALLER_PRIORITY - 1))
SHOT(become_low, mel_task_set_priority(MEL_SELF, LOW - 1))

/* n members are ready: as urgent as the caller; less urgent. */
static void equals(uint32_t n, shot_t order)
{
    (void)order;
    send_urgent(n, become_equal);
}

static void others(uint32_t n, shot_t order)
{
    (void)order;
    send_urgent(n, become_low);
}

static void locked(uint32_t n, shot_t order)
{
    (void)n;
    (void)order;
    CHECK(loc_cpu());
}

/* Dispatch is disabled, and a more urgent member is ready. */
static void held_back(uint32_t n, shot_t order)
{
    send_urgent(n, order);
    CHECK(dis_dsp());
    CHECK(mel_task_wakeup(member(0)));
}

static const row_t rows[] = {
    STAYS(rot_rdq, "the caller alone", nothing, 0, none, rotate),
    STAYS(rot_rdq, "8 tasks, less urgent", others, CREW, none, rotate_low),
    WAKES(rot_rdq, "1 equal", equals, 1, none, rotate),
    WAKES(rot_rdq, "8 equals", equals, CREW, none, rotate),
    REFUSES(rot_rdq, "priority out of range", nothing, 0, none, rotate_wrong, E_PAR, MEL_E_PAR),
    STAYS_IN(irot_rdq, "8 tasks, less urgent", others, CREW, none, rotate_in),
    REFUSES_IN(irot_rdq, "priority out of range", nothing, 0, none, rotate_wrong_in, E_PAR, MEL_E_PAR),
    STAYS(get_tid, "any", nothing, 0, none, own),
    ONLY_REFUSES(get_tid, "CPU locked", locked, 0, none, own, E_CTX),
    STAYS_IN(iget_tid, "any", nothing, 0, none, own_in),
    ONLY_REFUSES(iget_tid, "a task calls", nothing, 0, none, own_outside, E_CTX),
    ONLY_STAYS(loc_cpu, "any", nothing, 0, none, lock, E_OK),
    ONLY_REFUSES_IN(loc_cpu, "a handler calls", nothing, 0, none, lock, E_CTX),
    ONLY_STAYS_IN(iloc_cpu, "any", nothing, 0, none, lock_in, E_OK),
    ONLY_REFUSES(iloc_cpu, "a task calls", nothing, 0, none, lock_in, E_CTX),
    ONLY_STAYS(unl_cpu, "CPU locked", locked, 0, none, unlock, E_OK),
    ONLY_REFUSES_IN(unl_cpu, "a handler calls", nothing, 0, none, unlock, E_CTX),
    ONLY_STAYS_IN(iunl_cpu, "any", nothing, 0, none, unlock_in, E_OK),
    ONLY_REFUSES(iunl_cpu, "a task calls", nothing, 0, none, unlock_in, E_CTX),
    STAYS(dis_dsp, "any", nothing, 0, none, disable),
    ONLY_REFUSES(dis_dsp, "CPU locked", locked, 0, none, disable, E_CTX),
    STAYS(ena_dsp, "nobody ready", undispatched, 0, none, enable),
    WAKES(ena_dsp, "1 ready, more urgent", held_back, 1, sleep, enable),
    ONLY_REFUSES(ena_dsp, "CPU locked", locked, 0, none, enable, E_CTX),
    STAYS(sns_ctx, "any", nothing, 0, none, in_handler),
    ONLY_STAYS(sns_loc, "any", nothing, 0, none, locked, FALSE),
    ONLY_STAYS(sns_dsp, "any", nothing, 0, none, dispatch, FALSE),
    ONLY_STAYS(sns_dpn, "any", nothing, 0, none, pending, FALSE),
    ONLY_STAYS(ref_ver, "any", nothing, 0, none, version, E_OK),
    STAYS(dis_int, "any", nothing, 0, none, mask),
    REFUSES(dis_int, "number out of range", nothing, 0, none, mask_wrong, E_PAR, MEL_E_ID),
    STAYS(ena_int, "any", nothing, 0, none, unmask),
    REFUSES(ena_int, "number out of range", nothing, 0, none, unmask_wrong, E_PAR, MEL_E_ID),
};

const table_t state_table = TABLE(rows);
