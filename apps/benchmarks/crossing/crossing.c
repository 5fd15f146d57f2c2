/* SPDX-License-Identifier: Apache-2.0 */
/* crossing.c: the same turns by tasks in machine mode, by tasks in user mode of one domain, and of two: a call that changes nothing (a poll of a semaphore),
 * a give, a yield to the other task, and an interrupt that a handler in C serves. Each is between two tracepoints, which take no cycle. */
#include <melanion/domain.h>
#include <melanion/melanion.h>
#include <melanion/user.h>

enum { TASK_LEFT = 1, TASK_RIGHT, PRIORITY = 2, TURNS = 20, SEM = 0, LINE = 3, REGION = 1024 };
enum { MACHINE, ONE_DOMAIN, TWO_DOMAINS, WAYS };
enum { POINT_POLL = 1, POINT_GIVE, POINT_YIELD, POINT_RAISE, POINT_END, POINT_HANDLER };

MEL_TASK_STACK(stack_left, TASK_LEFT, 512);
MEL_TASK_STACK(stack_right, TASK_RIGHT, 512);
MEL_REGION(left_memory, REGION);
MEL_REGION(right_memory, REGION);
static uint8_t *const kernel_stacks[] = {stack_left, stack_right};
static uint8_t *const memories[] = {left_memory, right_memory};
static mel_domain_t domains[3]; /* the first has both regions, the others one each */
static volatile uint32_t ended;

/* The simulation has to know the stacks in regions, too. */
MEL_STACK_RECORD(left_memory, TASK_LEFT, REGION);
MEL_STACK_RECORD(right_memory, TASK_RIGHT, REGION);

static void handle(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
    MEL_TRACEPOINT(POINT_HANDLER, 0);
}

#define TURN(way, poll, give, yield)          \
    for (uint32_t i = 0; i < TURNS; i++) {    \
        MEL_TRACEPOINT(POINT_POLL, way);      \
        (void)(poll);                         \
        MEL_TRACEPOINT(POINT_GIVE, way);      \
        (void)(give);                         \
        MEL_TRACEPOINT(POINT_YIELD, way);     \
        (void)(yield);                        \
        MEL_TRACEPOINT(POINT_END, way);       \
    }

static void machine(void *unused)
{
    (void)unused;
    TURN(MACHINE, mel_sem_take(SEM, MEL_POLL), mel_sem_give(SEM), mel_task_yield());
    ended++;
}

static void one_domain(void *unused)
{
    (void)unused;
    TURN(ONE_DOMAIN, mel_user_sem_take(SEM, MEL_POLL), mel_user_sem_give(SEM), mel_user_task_yield());
}

static void two_domains(void *unused)
{
    (void)unused;
    TURN(TWO_DOMAINS, mel_user_sem_take(SEM, MEL_POLL), mel_user_sem_give(SEM), mel_user_task_yield());
}

static mel_user_t users[2];

static void begin(uint32_t way, uint32_t side)
{
    static const mel_task_entry_t entries[] = {machine, one_domain, two_domains};
    const mel_task_attributes_t attributes = {
        .entry = entries[way], .stack = kernel_stacks[side], .stack_size = 512, .priority = PRIORITY};
    users[side] = (mel_user_t){&domains[way == TWO_DOMAINS ? side + 1 : 0], entries[way], NULL, memories[side], REGION};
    const mel_id_t task = TASK_LEFT + side;
    const mel_status_t status = way == MACHINE ? mel_task_create(task, &attributes) : mel_task_create_user(task, &attributes, &users[side]);
    if (status != MEL_E_OK || mel_task_start(task) != MEL_E_OK) {
        mel_exit(1);
    }
}

MEL_TASK_STACK(stack_main, 0, 1024);

static void conduct(void *unused)
{
    (void)unused;
    for (uint32_t way = 0; way < WAYS; way++) {
        begin(way, 0);
        begin(way, 1);
        mel_task_info_t info;
        do {
            (void)mel_task_delay(1);
            (void)mel_task_query(TASK_RIGHT, &info);
        } while (info.state != MEL_TASK_STATE_DORMANT);
        (void)mel_task_delete(TASK_LEFT);
        (void)mel_task_delete(TASK_RIGHT);
    }
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 3; i++) {
        wrong += domains[i].refused + domains[i].faults;
    }
    mel_exit(wrong);
}

int main(void)
{
    (void)mel_tick_set(20000);
    (void)mel_sem_create(SEM, 0, 1000);
    (void)mel_irq_attach(LINE, handle, NULL);
    for (uint32_t i = 0; i < 3; i++) {
        mel_domain_init(&domains[i]);
        (void)mel_domain_grant(&domains[i], MEL_GRANT_SEMAPHORE, SEM);
    }
    for (uint32_t side = 0; side < 2; side++) {
        (void)mel_domain_region(&domains[0], side, memories[side], REGION, MEL_REGION_READ | MEL_REGION_WRITE);
        (void)mel_domain_region(&domains[side + 1], 0, memories[side], REGION, MEL_REGION_READ | MEL_REGION_WRITE);
    }
    const mel_task_attributes_t attributes = {.entry = conduct, .stack = stack_main, .stack_size = sizeof stack_main, .priority = 1};
    if (mel_task_create(0, &attributes) != MEL_E_OK || mel_task_start(0) != MEL_E_OK) {
        mel_exit(1);
    }
    mel_kernel_start();
}
