/* SPDX-License-Identifier: Apache-2.0 */
/* crowd.c: activations that are queued while a task ends, mail in blocks of a pool, and flags whose wait has a timeout, all at once, from tasks on
 * all cores and from a handler. Nothing may be lost: activations done are activations accepted, each letter arrives once and behind those that its
 * sender sent before, and each flag that the setter sets is seen, or it waits for ever. */
#include <kernel.h>
#include <melanion/device.h>

/* A tick is longer than three timeouts and all that follows from them take on the slowest kernel with wait states: else the tasks below, main too, hardly run. */
enum { ROUNDS = 48, LETTERS = 40, LINE = 3, TICK_CYCLES = 5000, PULSES = 80 };
enum { FLAG_SETTER = 1, FLAG_HANDLER = 2 };

typedef struct {
    T_MSG header;
    UINT sender;
    UINT number;
} letter_t;

static volatile UINT accepted_by_tasks, accepted_by_handler, done, received;
static volatile UINT late, early; /* waits that a timeout ended, or a flag of the handler */

static void expect(UINT line, INT found, INT expected)
{
    if (found != expected) {
        mel_print("crowd: line ");
        mel_print_unsigned(line);
        mel_print(": ");
        mel_print_signed(found);
        mel_print(" instead of ");
        mel_print_signed(expected);
        mel_print("\n");
        mel_exit(1);
    }
}
#define CHECK(expected, found) expect(__LINE__, (INT)(found), (INT)(expected))

/* `*count` becomes `by` more: tasks on other cores count, too. */
static void add(volatile UINT *count, UINT by)
{
    CHECK(E_OK, loc_mtx(MTX_COUNT));
    *count += by;
    CHECK(E_OK, unl_mtx(MTX_COUNT));
}

void acted(VP_INT exinf)
{
    (void)exinf;
    done++; /* one activation at a time */
    mel_busy(done * 37 & 127);
}

void actor(VP_INT exinf)
{
    UINT mine = 0;
    for (UINT i = 0; i < ROUNDS; i++) {
        const ER status = act_tsk(TASK_ACTED);
        if (status != E_QOVR) {
            CHECK(E_OK, status);
            mine++;
        }
        mel_busy((i * 61 + (UINT)exinf * 13) & 255);
        if (i % 8 == 0) {
            CHECK(E_OK, dly_tsk(0));
        }
    }
    add(&accepted_by_tasks, mine);
    CHECK(E_OK, sig_sem(SEM_DONE));
}

void sender(VP_INT exinf)
{
    for (UINT i = 1; i <= LETTERS; i++) {
        VP block;
        CHECK(E_OK, get_mpf(MPF_MAIL, &block));
        letter_t *letter = block;
        letter->sender = (UINT)exinf;
        letter->number = i;
        CHECK(E_OK, snd_mbx(MBX_MAIL, &letter->header));
        mel_busy(i * 29 & 127);
    }
    CHECK(E_OK, sig_sem(SEM_DONE));
}

void receiver(VP_INT exinf)
{
    UINT last[2] = {0, 0};
    (void)exinf;
    for (;;) {
        T_MSG *message;
        const ER status = trcv_mbx(MBX_MAIL, &message, 1);
        if (status == E_TMOUT) {
            continue;
        }
        CHECK(E_OK, status);
        const letter_t *letter = (letter_t *)message;
        CHECK(TRUE, letter->number > last[letter->sender]);
        last[letter->sender] = letter->number;
        CHECK(E_OK, rel_mpf(MPF_MAIL, message));
        add(&received, 1);
    }
}

void waiter(VP_INT exinf)
{
    (void)exinf;
    for (;;) {
        FLGPTN flags;
        const ER status = twai_flg(FLG_SINGLE, FLAG_SETTER | FLAG_HANDLER, TWF_ORW, &flags, 1);
        if (status == E_TMOUT) {
            late++;
            continue;
        }
        CHECK(E_OK, status);
        if (flags & FLAG_SETTER) {
            CHECK(E_OK, sig_sem(SEM_SEEN));
        } else {
            early++;
        }
    }
}

void setter(VP_INT exinf)
{
    (void)exinf;
    for (UINT i = 0; i < ROUNDS; i++) {
        CHECK(E_OK, set_flg(FLG_SINGLE, FLAG_SETTER));
        CHECK(E_OK, wai_sem(SEM_SEEN));
        mel_busy(i * 53 & 511);
        if (i % 4 == 0) {
            CHECK(E_OK, dly_tsk(2));
        }
    }
    CHECK(E_OK, sig_sem(SEM_DONE));
}

void isr(VP_INT exinf)
{
    (void)exinf;
    const ER status = iact_tsk(TASK_ACTED);
    if (status != E_QOVR) {
        CHECK(E_OK, status);
        accepted_by_handler++;
    }
    CHECK(E_OK, iset_flg(FLG_SINGLE, FLAG_HANDLER));
}

void initialize(VP_INT exinf)
{
    (void)exinf;
    (void)mel_tick_set(TICK_CYCLES);
}

void main_task(VP_INT exinf)
{
    (void)exinf;
    mel_irqgen_pulses(LINE, 200, 1500, PULSES);
    for (ID task = TASK_ACTOR_1; task <= TASK_SETTER; task++) {
        CHECK(E_OK, act_tsk(task));
    }
    for (UINT i = 0; i < 5; i++) { /* two actors, two senders, the setter */
        CHECK(E_OK, wai_sem(SEM_DONE));
    }
    while (mel_irqgen_left(LINE) != 0) {
        CHECK(E_OK, dly_tsk(1));
    }
    T_RTST state;
    do {
        CHECK(E_OK, dly_tsk(1));
        CHECK(E_OK, ref_tst(TASK_ACTED, &state));
    } while (state.tskstat != TTS_DMT || received != 2 * LETTERS);
    CHECK(accepted_by_tasks + accepted_by_handler, done);
    CHECK(0, can_act(TASK_ACTED));
    T_RMPF pool;
    CHECK(E_OK, ref_mpf(MPF_MAIL, &pool));
    CHECK(5, pool.fblkcnt);
    CHECK(TRUE, late != 0 && early != 0);
    mel_print("crowd: nothing was lost\n");
    mel_exit(0);
}
