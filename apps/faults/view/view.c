/* SPDX-License-Identifier: Apache-2.0 */
/* view.c: a program of a booster that reaches the unit through the 17 registers alone: every one of them that a core has, what is illegal, and the
 * answers. The kernel makes the tasks' contexts and switches; mel_unit_switch is its own. Ends with the number of the first check that fails. */
#include <melanion/device.h>
#include <melanion/mel_booster.h>
#include <melanion/melanion.h>

#define VIEW(offset) (*(volatile uint32_t *)(MEL_UNIT_BASE + (offset)))
#define OWN(name) VIEW(MEL_BOOSTER_##name(0))
#define REFUSED VIEW(MEL_REG_REFUSED) /* register of the window: the view has none */

enum { CALLER, OTHER, PRIORITY_CALLER = 3, PRIORITY_OTHER = 5, STACK = 512, PERIOD_TICKS = 2 };
enum { TICK = 2000 };

MEL_TASK_STACK(caller_stack, CALLER, STACK);
MEL_TASK_STACK(other_stack, OTHER, STACK);

mel_status_t mel_unit_switch(void);
static volatile uint32_t slept; /* statuses with which the other task woke */

static void check(bool right, uint32_t number)
{
    if (!right) {
        mel_exit(number);
    }
}

/* A service call; its status, after other tasks have run that should. */
static mel_status_t call(uint32_t op, mel_id_t id, uint32_t argument)
{
    OWN(SERVICE) = MEL_BOOSTER_CALL(op, id, argument);
    const int32_t answer = (int32_t)OWN(SERVICE);
    return answer > 0 ? mel_unit_switch() : answer;
}

static void other(void *argument)
{
    (void)argument;
    while (call(MEL_OP_TASK_SLEEP, 0, MEL_FOREVER) == MEL_E_OK) { /* 18 bits of ones are 32 */
        slept++;
    }
    mel_exit(30);
}

static void illegal(uint32_t number, uint32_t offset, bool store)
{
    const uint32_t before = REFUSED;
    if (store) {
        VIEW(offset) = 0;
    } else {
        (void)VIEW(offset);
    }
    check(REFUSED == before + 1, number);
}

static void caller(void *argument)
{
    (void)argument;
    check(call(MEL_OP_TASK_DELAY, 0, 1) == MEL_E_OK, 26); /* the tick has its new length behind the one that ran */

    /* System time, and a period: the caller waits for it. */
    const uint32_t start = VIEW(MEL_BOOSTER_TIME_LOW);
    const uint32_t microseconds = VIEW(MEL_BOOSTER_MICROSECONDS);
    VIEW(MEL_BOOSTER_PERIOD) = start + PERIOD_TICKS;
    check((int32_t)OWN(SERVICE) == (MEL_ANSWER_WAITING | MEL_ANSWER_DISPATCH_DUE), 1);
    check(mel_unit_switch() == MEL_E_OK, 2);
    check(VIEW(MEL_BOOSTER_TIME_LOW) == start + PERIOD_TICKS && VIEW(MEL_BOOSTER_TIME_HIGH) == 0, 3);
    const uint32_t passed = VIEW(MEL_BOOSTER_MICROSECONDS) - microseconds;
    const uint32_t least = (PERIOD_TICKS - 1) * TICK / (MEL_CLOCK_HZ / 1000000);
    check(passed >= least && passed <= 3 * least, 4);

    /* Service calls: with an object, with a status, and with both words. */
    check(call(MEL_OP_TASK_WAKEUP, OTHER, 0) == MEL_E_OK && slept == 0, 5);
    check(call(MEL_OP_TASK_DELAY, 0, 1) == MEL_E_OK && slept == 1, 6);
    check(call(MEL_OP_TASK_WAKEUP, 255, 0) == MEL_E_ID, 7);
    check(call(0, 0, 0) == MEL_E_RSFN, 8);
    check(call(MEL_OP_NOTIFICATION_SET, CALLER, 5) == MEL_E_OK, 9);
    OWN(WORD) = MEL_POLL;
    check(call(MEL_OP_NOTIFICATION_WAIT, 0, MEL_FOREVER) == MEL_E_OK && OWN(WORD) == 5, 10);

    /* Round robin. */
    OWN(ROUND_ROBIN) = PRIORITY_OTHER << 16 | 3;
    check((int32_t)OWN(SERVICE) == MEL_E_OK, 11);
    OWN(ROUND_ROBIN) = 255 << 16 | 3;
    check((int32_t)OWN(SERVICE) == MEL_E_PAR, 12);

    /* Illegal accesses do nothing. */
    illegal(13, MEL_BOOSTER_ROUND_ROBIN(0), false);
    illegal(14, MEL_BOOSTER_RUNNING(0), true);
    illegal(15, MEL_BOOSTER_TIME_LOW, true);
    illegal(16, MEL_BOOSTER_MICROSECONDS, true);
    illegal(17, MEL_BOOSTER_PERIOD, false);
    illegal(18, MEL_BOOSTER_SERVICE(1), false);
    illegal(19, MEL_BOOSTER_WORD(2), true);
    illegal(20, 0x2FCu, true);
    const uint32_t before = REFUSED;
    *(volatile uint8_t *)(MEL_UNIT_BASE + MEL_BOOSTER_TICK) = 1;
    OWN(SERVICE) = MEL_BOOSTER_CALL(63, 0, 0);
    check(REFUSED == before + 2 && VIEW(MEL_BOOSTER_TICK) == TICK, 21);
    mel_exit(0);
}

int main(void)
{
    check(OWN(RUNNING) == MEL_TASKS, 22);
    VIEW(MEL_BOOSTER_TICK) = TICK;
    check((int32_t)OWN(SERVICE) == MEL_E_OK && VIEW(MEL_BOOSTER_TICK) == TICK, 23);
    const mel_task_attributes_t first = {.entry = caller, .stack = caller_stack, .stack_size = STACK, .priority = PRIORITY_CALLER};
    const mel_task_attributes_t second = {.entry = other, .stack = other_stack, .stack_size = STACK, .priority = PRIORITY_OTHER};
    check(mel_task_create(CALLER, &first) == MEL_E_OK && mel_task_create(OTHER, &second) == MEL_E_OK, 24);
    check(call(MEL_OP_TASK_START, CALLER, 0) == MEL_E_OK && call(MEL_OP_TASK_START, OTHER, 0) == MEL_E_OK, 25);
    mel_kernel_start();
}
