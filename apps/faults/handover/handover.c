/* SPDX-License-Identifier: Apache-2.0 */
/* handover.c: a task goes to another core as soon as its own has left it; its registers must be in memory by then.
 * The traveller may run on any core. On cores 0 and 1 alike, two yielders, less urgent, load `dispatch` all the time, and a guard, more
 * urgent, wakes now and then: by a call of the traveller itself, by an interrupt without a handler (core 1), or by one with a handler
 * (core 0). The traveller then loses its core, and the next dispatch of the other core, a few cycles later, takes it.
 * Ends with exit code 0 after ROUNDS of the traveller; with a sentence when it lost a register. */
#include <melanion/device.h>
#include <melanion/melanion.h>

_Static_assert(MEL_CORES >= 2, "handover needs a system with 2 cores: run it on hwrtos-2");

bool hold(uint32_t seed, uint32_t turns);

enum { TRAVELLER, GUARD_0, GUARD_1, YIELDER_00, YIELDER_01, YIELDER_10, YIELDER_11 }; /* guards: also semaphores */
enum { PRIORITY_GUARD = 3, PRIORITY_TRAVELLER = 5, PRIORITY_YIELDER = 7 };
enum { ROUNDS = 800, STACK = 512 };

MEL_TASK_STACK(traveller_stack, TRAVELLER, STACK);
MEL_TASK_STACK(guard_0_stack, GUARD_0, STACK);
MEL_TASK_STACK(guard_1_stack, GUARD_1, STACK);
MEL_TASK_STACK(yielder_00_stack, YIELDER_00, STACK);
MEL_TASK_STACK(yielder_01_stack, YIELDER_01, STACK);
MEL_TASK_STACK(yielder_10_stack, YIELDER_10, STACK);
MEL_TASK_STACK(yielder_11_stack, YIELDER_11, STACK);

static void check(bool right, const char *what)
{
    if (!right) {
        mel_print("handover: ");
        mel_print(what);
        mel_print("\n");
        mel_exit(1);
    }
}

static void travel(void *argument)
{
    static volatile uint32_t made; /* rounds, in memory: `round` is in a register that a call saves */
    (void)argument;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        check(round == made, "the traveller goes on where it was before");
        made = round + 1;
        check(hold(round << 8, 1 + round % 64), "the traveller lost a register");
        check(mel_task_self() == TRAVELLER, "the traveller runs in another's name");
        if (round % 2 == 0) {
            (void)mel_sem_give(mel_core_self() == 0 ? GUARD_0 : GUARD_1); /* E_QOVR: it is awake */
        }
    }
    mel_exit(0);
}

static void guard(void *sem)
{
    for (;;) {
        check(mel_sem_take((mel_id_t)(uintptr_t)sem, MEL_FOREVER) == MEL_E_OK, "a guard could not wait");
    }
}

static void yield(void *argument)
{
    (void)argument;
    for (;;) {
        check(mel_task_yield() == MEL_E_OK, "a yielder could not yield");
    }
}

static void nothing(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
}

static void make(mel_id_t task, mel_task_entry_t entry, void *stack, mel_priority_t priority, uint32_t core)
{
    const mel_task_attributes_t attributes = {
        .entry = entry,
        .argument = (void *)(uintptr_t)task,
        .stack = stack,
        .stack_size = STACK,
        .priority = priority,
    };
    check((core == MEL_CORES ? mel_task_create(task, &attributes) : mel_task_create_on(task, &attributes, core)) == MEL_E_OK &&
              mel_task_start(task) == MEL_E_OK,
          "a task could not be made");
}

/* An edge of line `sem` wakes the guard of that number. */
static void map(mel_id_t sem, bool handler)
{
    check(mel_sem_create(sem, 0, 1) == MEL_E_OK && mel_irq_attach(sem, nothing, NULL) == MEL_E_OK &&
              mel_irq_map(sem, MEL_IRQ_ACTION_SEMAPHORE_GIVE, sem, 0, handler) == MEL_E_OK && mel_irq_enable(sem) == MEL_E_OK,
          "a line could not be mapped");
    mel_irqgen_pulses(sem, LEAST, MOST, UINT32_MAX); /* cycles between two edges: app.yaml */
}

int main(void)
{
    make(TRAVELLER, travel, traveller_stack, PRIORITY_TRAVELLER, MEL_CORES);
    make(YIELDER_00, yield, yielder_00_stack, PRIORITY_YIELDER, 0);
    make(YIELDER_01, yield, yielder_01_stack, PRIORITY_YIELDER, 0);
    make(YIELDER_10, yield, yielder_10_stack, PRIORITY_YIELDER, 1);
    make(YIELDER_11, yield, yielder_11_stack, PRIORITY_YIELDER, 1);
    make(GUARD_0, guard, guard_0_stack, PRIORITY_GUARD, 0);
    make(GUARD_1, guard, guard_1_stack, PRIORITY_GUARD, 1);
    map(GUARD_0, true);
    map(GUARD_1, false);
    mel_kernel_start();
}
