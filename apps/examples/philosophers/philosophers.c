/* SPDX-License-Identifier: Apache-2.0 */
/* philosophers.c: five tasks, five forks, each task takes the one at its left, and when all five have it the one at its right: all wait for each other. The
 * last take returns MEL_E_ILUSE; its task gives its fork back and tries again later. The interrupt of the unit names the tasks of the cycle.
 * Needs a system with `components.deadlock`: sw-deadlock, hwrtos-deadlock, banked-2-deadlock, … */
#include <melanion/deadlock.h>
#include <melanion/melanion.h>

enum { PHILOSOPHERS = 5, MEALS = 3, STACK = 512 };
enum { HOST = PHILOSOPHERS };
enum { EATEN = PHILOSOPHERS, SEATED, BEGIN }; /* semaphores: meals, tasks that have their first fork, and their leave to go on */
enum { ALL = (1 << PHILOSOPHERS) - 1 };

MEL_TASK_STACK(stack_0, 0, STACK);
MEL_TASK_STACK(stack_1, 1, STACK);
MEL_TASK_STACK(stack_2, 2, STACK);
MEL_TASK_STACK(stack_3, 3, STACK);
MEL_TASK_STACK(stack_4, 4, STACK);
MEL_TASK_STACK(stack_host, HOST, STACK);
static uint8_t *const stacks[PHILOSOPHERS] = {stack_0, stack_1, stack_2, stack_3, stack_4};

static volatile bool refused, named;

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_print("philosophers: a kernel call returned ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

static void deadlocked(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
    mel_deadlock_info_t info;
    mel_deadlock_query(&info);
    mel_deadlock_acknowledge();
    if (info.tasks == ALL && info.resources == ALL) {
        named = true;
    }
}

static void philosopher(void *argument)
{
    const mel_id_t left = (mel_id_t)(uintptr_t)argument;
    const mel_id_t right = (left + 1) % PHILOSOPHERS;
    bool first = true;
    for (uint32_t meal = 0; meal < MEALS;) {
        check(mel_resource_take(left, MEL_FOREVER));
        if (first) {
            check(mel_sem_give(SEATED));
            check(mel_sem_take(BEGIN, MEL_FOREVER));
            first = false;
        }
        const mel_status_t status = mel_resource_take(right, MEL_FOREVER);
        if (status == MEL_E_OK) {
            check(mel_resource_give(right));
            check(mel_sem_give(EATEN));
            meal++;
        } else if (status == MEL_E_ILUSE) {
            refused = true;
        } else {
            check(status);
        }
        check(mel_resource_give(left));
        check(mel_task_delay(1));
    }
    check(mel_task_sleep(MEL_FOREVER));
}

static void host(void *argument)
{
    (void)argument;
    for (uint32_t i = 0; i < PHILOSOPHERS; i++) {
        check(mel_sem_take(SEATED, MEL_FOREVER));
    }
    for (uint32_t i = 0; i < PHILOSOPHERS; i++) {
        check(mel_sem_give(BEGIN));
    }
    for (uint32_t meal = 0; meal < MEALS * PHILOSOPHERS; meal++) {
        check(mel_sem_take(EATEN, MEL_FOREVER));
    }
    mel_print(refused && named ? "philosophers: all have eaten; deadlocks were refused and named\n" : "philosophers: no deadlock was found\n");
    mel_exit(refused && named ? 0 : 1);
}

int main(void)
{
    mel_deadlock_boot();
    check(mel_sem_create(EATEN, 0, MEALS * PHILOSOPHERS));
    check(mel_sem_create(SEATED, 0, PHILOSOPHERS));
    check(mel_sem_create(BEGIN, 0, PHILOSOPHERS));
    for (mel_id_t i = 0; i < PHILOSOPHERS; i++) {
        check(mel_resource_create(i));
        check(mel_task_create(i, &(mel_task_attributes_t){.entry = philosopher,
                                                          .argument = (void *)(uintptr_t)i,
                                                          .stack = stacks[i],
                                                          .stack_size = STACK,
                                                          .priority = 5,
                                                          .name = "philosopher"}));
        check(mel_task_start(i));
    }
    check(mel_task_create(HOST, &(mel_task_attributes_t){.entry = host, .stack = stack_host, .stack_size = STACK, .priority = 6, .name = "host"}));
    check(mel_task_start(HOST));
    check(mel_irq_attach(MEL_DEADLOCK_LINE, deadlocked, NULL));
    check(mel_irq_map(MEL_DEADLOCK_LINE, MEL_IRQ_ACTION_NONE, 0, 0, true));
    check(mel_irq_enable(MEL_DEADLOCK_LINE));
    mel_kernel_start();
}
