/* SPDX-License-Identifier: Apache-2.0 */
/* first_light.c: eight steps from the identity register to the first dispatch (first_light.h; docs/howto/own-soc.md). */
#include "first_light.h"

#include <mel_system.h>
#include <melanion/mel_spec.h>

/* The bits of mip that irq_dispatch_o and irq_handler_o are connected to. */
#ifndef FIRST_LIGHT_DISPATCH_BIT
#define FIRST_LIGHT_DISPATCH_BIT 3
#endif
#ifndef FIRST_LIGHT_HANDLER_BIT
#define FIRST_LIGHT_HANDLER_BIT 11
#endif

#define FOREVER UINT32_C(0xFFFFFFFF) /* a timeout that never comes */

/* A counter of the core's clock; for cores without mcycle another one, such as a timer's. */
#ifndef FIRST_LIGHT_CYCLES
#define FIRST_LIGHT_CYCLES() mcycle()
#endif

enum { POLLS = 2000, READY_POLLS = 65536, /* the unit clears an entry of its memories a cycle, and has fewer */
        TICK = 10 * MEL_TICK_CYCLES_MINIMUM, TICKS = 8 };

static const char *reason; /* hint: place to look at after a failed comparison */
static uint32_t found, wanted;

static volatile uint32_t *word(uint32_t offset)
{
    return (volatile uint32_t *)(MEL_UNIT_BASE + offset);
}

static int32_t ask(uint32_t op, uint32_t id, uint32_t argument)
{
    *word(MEL_COMMAND_OFFSET(op, id)) = argument;
    return (int32_t)*word(MEL_COMMAND_OFFSET(op, id));
}

static bool same(uint32_t is, uint32_t should, const char *otherwise)
{
    found = is;
    wanted = should;
    reason = otherwise;
    return is == should;
}

/* Does bit `bit` of mip get this value? */
static bool becomes(uint32_t bit, uint32_t value, const char *otherwise)
{
    uint32_t pending = 0;
    for (uint32_t i = 0; i < POLLS; i++) {
        __asm__ volatile("csrr %0, mip" : "=r"(pending));
        if ((pending >> bit & 1) == value) {
            return true;
        }
    }
    return same(pending >> bit & 1, value, otherwise);
}

static inline uint32_t mcycle(void)
{
    uint32_t now;
    __asm__ volatile("csrr %0, mcycle" : "=r"(now));
    return now;
}

static bool identity(void)
{
    return same(*word(MEL_REG_IDENTITY), MEL_IDENTITY, "address decoding of the window, and the path of loaded words; is the unit out of reset?");
}

static bool hashes(void)
{
    return same(*word(MEL_REG_SPEC_HASH), MEL_SPEC_HASH, "mel_spec.h and the unit's files are of different versions")
           && same(*word(MEL_REG_PARAMETER_HASH), MEL_PARAMETER_HASH, "mel_system.h and the unit's parameters differ, or ParameterHash was forgotten");
}

static bool ready(void)
{
    uint32_t is = 0;
    for (uint32_t i = 0; i < READY_POLLS && is != 1; i++) {
        is = *word(MEL_REG_READY);
    }
    return same(is, 1, "the unit's clock stands, or its reset comes again and again");
}

/* Every object's address line, and every line of data in both directions. Object 0 is there first: a line that stands at 0 makes another one of it. */
static bool lines(void)
{
    for (uint32_t id = 0; id < MEL_SEMAPHORES; id = id == 0 ? 1 : id * 2) {
        if (!same((uint32_t)ask(MEL_OP_SEMAPHORE_CREATE, id, UINT32_C(0xFFFF) << 16 | id), MEL_E_OK, "stored words and their address")) {
            return false;
        }
    }
    for (uint32_t id = 1; id < MEL_SEMAPHORES; id *= 2) {
        if (!same(*word(MEL_COMMAND_OFFSET(MEL_QUERY_SEMAPHORE_COUNT, id)), id, "the address lines 2 to 9: two objects are one")) {
            return false;
        }
    }
#if MEL_EVENT_FLAGS > 0
    for (uint32_t i = 0; i < 32; i++) {
        const uint32_t flag = UINT32_C(1) << i;
        *word(MEL_REG_OPERAND) = 0; /* no waiting */
        if (!same((uint32_t)ask(MEL_OP_EVENT_FLAGS_CREATE, 0, flag), MEL_E_OK, "stored words")
            || !same((uint32_t)ask(MEL_OP_EVENT_FLAGS_WAIT_ANY, 0, flag), MEL_E_OK, "the lines of stored data")
            || !same(*word(MEL_REG_VALUE), flag, "the lines of stored or loaded data")
            || !same((uint32_t)ask(MEL_OP_EVENT_FLAGS_DELETE, 0, 0), MEL_E_OK, "stored words")) {
            return false;
        }
    }
#endif
    return true;
}

static bool partial(void)
{
    const uint32_t before = *word(MEL_REG_REFUSED);
    *(volatile uint8_t *)(MEL_UNIT_BASE + MEL_COMMAND_OFFSET(MEL_OP_SEMAPHORE_GIVE, 1)) = 0;
    return same(*word(MEL_COMMAND_OFFSET(MEL_QUERY_SEMAPHORE_COUNT, 1)), 1, "byte enables: a store of one byte was taken for a whole word")
           && same(*word(MEL_REG_REFUSED), before + 1, "byte enables: a store of one byte was not counted as refused");
}

/* The unit's clock is the core's. */
static bool time(void)
{
    if (!same((uint32_t)ask(MEL_OP_TICK_SET, 0, TICK), MEL_E_OK, "stored words")) {
        return false;
    }
    uint32_t first = *word(MEL_REG_TIME_LOW), start = FIRST_LIGHT_CYCLES();
    while (*word(MEL_REG_TIME_LOW) == first) {
        if (FIRST_LIGHT_CYCLES() - start > 2 * TICK + POLLS) {
            return same(0, 1, "no tick comes: the unit's clock, or its clock gate");
        }
    }
    first = *word(MEL_REG_TIME_LOW);
    start = FIRST_LIGHT_CYCLES();
    while (*word(MEL_REG_TIME_LOW) - first < TICKS) {
        if (FIRST_LIGHT_CYCLES() - start > 64 * TICKS * TICK) {
            return same(0, TICKS, "ticks stopped");
        }
    }
    const uint32_t took = FIRST_LIGHT_CYCLES() - start;
    const bool right = took > TICKS * TICK - TICK / 4 && took < TICKS * TICK + TICK / 4;
    return (right || same(took, TICKS * TICK, "core and unit have different clocks: a tick has another length, and interrupts must be synchronized"))
           && same((uint32_t)ask(MEL_OP_TICK_SET, 0, 0), MEL_E_OK, "stored words");
}

static bool interrupts(void)
{
    for (uint32_t line = 0; line < MEL_INTERRUPTS; line++) {
        if (!same((uint32_t)ask(MEL_OP_IRQ_MAP, line, UINT32_C(1) << MEL_FIELD_IRQ_MAP_HANDLER_LSB), MEL_E_OK, "stored words")
            || !same((uint32_t)ask(MEL_OP_IRQ_ENABLE, line, 0), MEL_E_OK, "stored words")) {
            return false;
        }
    }
    for (uint32_t line = 0; line < MEL_INTERRUPTS; line++) {
        if (!becomes(FIRST_LIGHT_HANDLER_BIT, 0, "irq_handler_o, or the core's input for it, is high without an interrupt")) {
            return false;
        }
        if (!first_light_raise(line)) {
            (void)ask(MEL_OP_IRQ_RAISE, line, 0);
        }
        if (!becomes(FIRST_LIGHT_HANDLER_BIT, 1, "an edge came and the core was not asked: the line at irq_i, or irq_handler_o to the core's external interrupt")
            || !same(*word(MEL_REG_CLAIM), line, "another line rose than the one that should: the order of irq_i")) {
            return false;
        }
        (void)*word(MEL_REG_DISPATCH); /* the handler ends */
    }
    return same(*word(MEL_REG_LOST_IRQS), 0, "a line rose more than once: it must be synchronous, and free of glitches");
}

/* A task begins, sleeps, and is woken by an edge, without any handler: then the core is asked to dispatch. */
static bool dispatch(void)
{
    const uint32_t wakes = MEL_IRQ_ACTION_TASK_WAKEUP << MEL_FIELD_IRQ_MAP_ACTION_LSB | 0 << MEL_FIELD_IRQ_MAP_OBJECT_LSB;
    if (!becomes(FIRST_LIGHT_DISPATCH_BIT, 0, "irq_dispatch_o, or the core's input for it, is high before anything is to be dispatched")
        || !same((uint32_t)ask(MEL_OP_IRQ_MAP, 0, wakes), MEL_E_OK, "stored words")
        || !same((uint32_t)ask(MEL_OP_TASK_CREATE, 0, 0), MEL_E_OK, "stored words")
        || !same((uint32_t)ask(MEL_OP_TASK_START, 0, 0), MEL_E_OK, "stored words")
        || !same((uint32_t)ask(MEL_OP_DISPATCH_ENABLE, 0, 0), MEL_ANSWER_DISPATCH_DUE, "loaded words")
        || !same(*word(MEL_REG_DISPATCH), 0, "the load of `dispatch`")
        || !same(*word(MEL_REG_RUNNING), 0, "the load of `dispatch` had no effect: a cache, or a bus that loads ahead")
        || !same((uint32_t)ask(MEL_OP_TASK_SLEEP, 0, FOREVER), MEL_ANSWER_DISPATCH_DUE | MEL_ANSWER_WAITING, "loaded words")
        || !same(*word(MEL_REG_DISPATCH), MEL_TASKS, "the load of `dispatch`")) {
        return false;
    }
    if (!first_light_raise(0)) {
        (void)ask(MEL_OP_IRQ_RAISE, 0, 0);
    }
    return becomes(FIRST_LIGHT_DISPATCH_BIT, 1, "an edge woke a task and the core was not asked: irq_dispatch_o to its software interrupt")
           && same(*word(MEL_REG_DISPATCH), 0, "the load of `dispatch`")
           && becomes(FIRST_LIGHT_DISPATCH_BIT, 0, "irq_dispatch_o does not fall when `dispatch` was loaded");
}

static void print_hex(uint32_t value)
{
    char text[] = "0x00000000";
    for (uint32_t i = 9; i > 1; i--, value >>= 4) {
        text[i] = "0123456789abcdef"[value & 15];
    }
    first_light_print(text);
}

unsigned first_light(void)
{
    static const struct {
        const char *name;
        bool (*passes)(void);
    } steps[] = {
        {"1 identity", identity}, {"2 hashes", hashes}, {"3 ready", ready}, {"4 address and data lines", lines},
        {"5 partial accesses", partial}, {"6 time", time}, {"7 interrupt lines", interrupts}, {"8 dispatch", dispatch},
    };
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        first_light_print("first light: ");
        first_light_print(steps[i].name);
        if (!steps[i].passes()) {
            first_light_print(" FAILED: ");
            print_hex(found);
            first_light_print(" instead of ");
            print_hex(wanted);
            first_light_print("; look at: ");
            first_light_print(reason);
            first_light_print("\n");
            return i + 1;
        }
        first_light_print(" ok\n");
    }
    return 0;
}
