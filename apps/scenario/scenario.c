/* SPDX-License-Identifier: Apache-2.0 */
/* scenario.c: executes a scenario table (scenario.h) with the public calls of the kernel. It decides nothing: what must
 * happen is known to melanion.scenario, which reads the log, and to the replay, which reads the trace. */
#include "scenario.h"

#include <melanion/device.h>
#include <melanion/melanion.h>

#ifdef MEL_OWN_COMMANDS
#include <mel_commands.h>
#endif

typedef struct {
    uint32_t kind, number, first, count;
} program_t;

typedef struct {
    uint32_t op, object, argument, operand, flags;
} step_t;

enum { MAGIC, WORDS, END, END_LINE, EDGE, PROGRAMS, FIRST_PROGRAM };

/* Not in .bss: boot code would clear what the run has loaded. */
__attribute__((section(".data.scenario"))) uint32_t scenario_table[SCENARIO_WORDS];

/* Nor here: to clear it would take boot code more cycles than most scenarios. */
__attribute__((section(".data.scenario"))) static uint8_t stacks[MEL_TASKS][SCENARIO_STACK]
    __attribute__((aligned(MEL_STACK_ALIGNMENT)));

/* A stack record (melanion/tracepoint.h) for each of them. */
static __attribute__((used)) void stack_records(void)
{
    __asm__ volatile(".altmacro\n\t"
                     ".macro scenario_stack task\n\t"
                     ".word %0 + \\task * %1, %2\n\t"
                     ".asciz \"%1 \\task 0 0\"\n\t"
                     ".balign 4\n\t"
                     ".endm\n\t"
                     ".pushsection .mel_tracepoints,\"\",@progbits\n\t"
                     ".balign 4\n\t"
                     ".set scenario_index, 0\n\t"
                     ".rept %3\n\t"
                     "scenario_stack %%scenario_index\n\t"
                     ".set scenario_index, scenario_index + 1\n\t"
                     ".endr\n\t"
                     ".popsection\n\t"
                     ".noaltmacro"
                     :
                     : "i"(stacks), "i"(SCENARIO_STACK), "i"(MEL_TRACEPOINT_STACK), "i"(MEL_TASKS));
}

static const program_t *program(uint32_t index)
{
    return (const program_t *)&scenario_table[FIRST_PROGRAM] + index;
}

/* The first program of this kind and number; NULL: none. */
static const program_t *find(uint32_t kind, uint32_t number)
{
    for (uint32_t i = 0; i < scenario_table[PROGRAMS]; i++) {
        if (program(i)->kind == kind && program(i)->number == number) {
            return program(i);
        }
    }
    return NULL;
}

static void run(const program_t *subject);

static void run_task(void *argument)
{
    run(argument);
}

static void run_handler(mel_id_t irq, void *argument)
{
    (void)irq;
    run(argument);
}

static mel_status_t create(const step_t *step)
{
    const mel_task_attributes_t attributes = {
        .entry = run_task,
        .argument = (void *)(uintptr_t)find(SCENARIO_TASK, step->object),
        .stack = stacks[step->object < MEL_TASKS ? step->object : 0],
        .stack_size = SCENARIO_STACK,
        .priority = step->argument >> MEL_FIELD_TASK_CREATE_PRIORITY_LSB & MEL_FIELD_TASK_CREATE_PRIORITY_MASK,
    };
    const uint32_t core = step->argument >> MEL_FIELD_TASK_CREATE_CORE_LSB & MEL_FIELD_TASK_CREATE_CORE_MASK;
    return core == 0 ? mel_task_create(step->object, &attributes) : mel_task_create_on(step->object, &attributes, core - 1);
}

/* The line rises one `edge` from now, or one after the edge that is still to come. */
static void edge(uint32_t line)
{
    static uint32_t last;
    const uint32_t now = mel_cycles();
    const bool coming = (int32_t)(last - now) > 0;
    last = (coming ? last : now) + scenario_table[EDGE];
    mel_irqgen_pulse(line, last - now);
}

static void spin(uint32_t ticks)
{
    uint64_t start;
    uint64_t now;
    (void)mel_time_get(&start);
    do {
        (void)mel_time_get(&now);
    } while (now - start < ticks);
}

/* *value holds the state and the notification mark where the query task_state has them. */
static mel_status_t query_task(const step_t *step, uint32_t *value)
{
    mel_task_info_t info;
    const mel_status_t status = mel_task_query(step->object, &info);
    if (status == MEL_E_OK) {
        *value = info.state | (uint32_t)info.notified << 20;
    }
    return status;
}

/* *value is the word of the query mutex_state. */
static mel_status_t query_mutex(const step_t *step, uint32_t *value)
{
    mel_mutex_info_t info;
    const mel_status_t status = mel_mutex_query(step->object, &info);
    if (status == MEL_E_OK) {
        *value = info.owner | info.locks << 9 | (uint32_t)info.abandoned << 17;
    }
    return status;
}

static mel_status_t create_mutex(const step_t *step)
{
    const uint32_t argument = step->argument;
    const bool limited = (argument >> MEL_FIELD_MUTEX_CREATE_PROTOCOL_LSB & MEL_FIELD_MUTEX_CREATE_PROTOCOL_MASK) != 0;
    return mel_mutex_create(step->object, limited ? argument & MEL_FIELD_MUTEX_CREATE_CEILING_MASK : MEL_NO_CEILING);
}

static mel_status_t map(const step_t *step)
{
    const uint32_t argument = step->argument;
    return mel_irq_map(step->object, argument >> MEL_FIELD_IRQ_MAP_ACTION_LSB & MEL_FIELD_IRQ_MAP_ACTION_MASK,
                       argument >> MEL_FIELD_IRQ_MAP_OBJECT_LSB & MEL_FIELD_IRQ_MAP_OBJECT_MASK, step->operand,
                       (argument >> MEL_FIELD_IRQ_MAP_HANDLER_LSB & MEL_FIELD_IRQ_MAP_HANDLER_MASK) != 0);
}

/* One step; *value is what the call brought besides its status. */
static mel_status_t execute(const step_t *step, uint32_t *value)
{
    const mel_id_t object = step->object;
    const uint32_t argument = step->argument;
    switch (step->op) {
    case MEL_OP_TASK_CREATE: return create(step);
    case MEL_OP_TASK_DELETE: return mel_task_delete(object);
    case MEL_OP_TASK_START: return mel_task_start(object);
    case MEL_OP_TASK_EXIT: return mel_task_exit();
    case MEL_OP_TASK_TERMINATE: return mel_task_terminate(object);
    case MEL_OP_TASK_SUSPEND: return mel_task_suspend(object);
    case MEL_OP_TASK_RESUME: return mel_task_resume(object);
    case MEL_OP_TASK_SET_PRIORITY: return mel_task_set_priority(object, argument);
    case MEL_OP_TASK_ROTATE: return mel_task_rotate(argument);
    case MEL_OP_TASK_RELEASE: return mel_task_release(object);
    case MEL_OP_TASK_SLEEP: return mel_task_sleep(argument);
    case MEL_OP_TASK_WAKEUP: return mel_task_wakeup(object);
    case MEL_OP_TASK_DELAY: return mel_task_delay(argument);
    case MEL_OP_TASK_DELAY_UNTIL: return mel_task_delay_until(argument);
    case MEL_OP_SEMAPHORE_CREATE: return mel_sem_create(object, argument & 0xFFFF, argument >> 16);
    case MEL_OP_SEMAPHORE_DELETE: return mel_sem_delete(object);
    case MEL_OP_SEMAPHORE_GIVE: return mel_sem_give(object);
    case MEL_OP_SEMAPHORE_TAKE: return mel_sem_take(object, argument);
    case MEL_OP_EVENT_FLAGS_CREATE: return mel_flags_create(object, argument);
    case MEL_OP_EVENT_FLAGS_DELETE: return mel_flags_delete(object);
    case MEL_OP_EVENT_FLAGS_SET: return mel_flags_set(object, argument);
    case MEL_OP_EVENT_FLAGS_CLEAR: return mel_flags_clear(object, argument);
    case MEL_OP_EVENT_FLAGS_WAIT_ANY: return mel_flags_wait(object, argument, MEL_FLAGS_ANY, step->operand, value);
    case MEL_OP_EVENT_FLAGS_WAIT_ALL: return mel_flags_wait(object, argument, MEL_FLAGS_ALL, step->operand, value);
    case MEL_OP_EVENT_FLAGS_TAKE_ANY:
        return mel_flags_wait(object, argument, MEL_FLAGS_ANY | MEL_FLAGS_TAKE, step->operand, value);
    case MEL_OP_EVENT_FLAGS_TAKE_ALL:
        return mel_flags_wait(object, argument, MEL_FLAGS_ALL | MEL_FLAGS_TAKE, step->operand, value);
    case MEL_OP_QUEUE_CREATE: return mel_queue_create(object, argument);
    case MEL_OP_QUEUE_DELETE: return mel_queue_delete(object);
    case MEL_OP_QUEUE_SEND: return mel_queue_send(object, argument, step->operand);
    case MEL_OP_QUEUE_RECEIVE: return mel_queue_receive(object, argument, value);
    case MEL_OP_QUEUE_POST: return mel_queue_post(object, argument, step->operand);
    case MEL_OP_TIMER_START: return mel_timer_start(object, argument, step->operand);
    case MEL_OP_TIMER_STOP: return mel_timer_stop(object);
    case MEL_OP_MUTEX_CREATE: return create_mutex(step);
    case MEL_OP_MUTEX_DELETE: return mel_mutex_delete(object);
    case MEL_OP_MUTEX_LOCK: return mel_mutex_lock(object, argument);
    case MEL_OP_MUTEX_UNLOCK: return mel_mutex_unlock(object);
    case MEL_OP_NOTIFICATION_SET: return mel_notification_set(object, argument);
    case MEL_OP_NOTIFICATION_GIVE: return mel_notification_give(object);
    case MEL_OP_NOTIFICATION_OVERWRITE: return mel_notification_overwrite(object, argument);
    case MEL_OP_NOTIFICATION_SEND: return mel_notification_send(object, argument);
    case MEL_OP_NOTIFICATION_CLEAR: return mel_notification_clear(object, argument, value);
    case MEL_OP_NOTIFICATION_CANCEL: return mel_notification_cancel(object);
    case MEL_OP_NOTIFICATION_WAIT: return mel_notification_wait(argument, step->operand, value);
    case MEL_OP_NOTIFICATION_TAKE: return mel_notification_take(argument, value);
    case MEL_OP_NOTIFICATION_TAKE_ALL: return mel_notification_take_all(argument, value);
    case MEL_OP_IRQ_MAP: return map(step);
    case MEL_OP_IRQ_ENABLE: return mel_irq_enable(object);
    case MEL_OP_IRQ_DISABLE: return mel_irq_disable(object);
    case MEL_OP_IRQ_RAISE: return mel_irq_raise(object);
    case MEL_OP_CLAIM_LIMIT: return mel_claim_limit(argument);
    case MEL_OP_TICK_SET: return mel_tick_set(argument);
    case MEL_OP_DEADLINE_SET: return mel_deadline_set(object, argument);
    case MEL_OP_BUDGET_SET: return mel_budget_set(object, argument);
    case MEL_OP_QUANTUM_SET: return mel_quantum_set(argument >> MEL_FIELD_QUANTUM_SET_PRIORITY_LSB,
                                                    argument & MEL_FIELD_QUANTUM_SET_TICKS_MASK);
    case MEL_OP_DISPATCH_DISABLE: return mel_dispatch_disable();
    case MEL_OP_DISPATCH_ENABLE: return mel_dispatch_enable();
    case MEL_QUERY_TASK_STATE: return query_task(step, value);
    case MEL_QUERY_SEMAPHORE_COUNT: return mel_sem_query(object, value);
    case MEL_QUERY_MUTEX_STATE: return query_mutex(step, value);
    case MEL_QUERY_QUEUE_COUNT: return mel_queue_query(object, value);
    case SCENARIO_SPIN: spin(argument); return MEL_E_OK;
    case SCENARIO_EDGE: edge(object); return MEL_E_OK;
    case SCENARIO_BUSY: mel_busy(argument); return MEL_E_OK;
#ifdef MEL_OWN_COMMANDS
    default: return mel_command(step->op, object, argument, step->operand, value);
#else
    default: return MEL_E_RSFN;
#endif
    }
}

/* Whether a call of `op` that ends with E_OK brings a word. */
static bool brings(uint32_t op)
{
    switch (op) {
    case MEL_OP_EVENT_FLAGS_WAIT_ANY:
    case MEL_OP_EVENT_FLAGS_WAIT_ALL:
    case MEL_OP_EVENT_FLAGS_TAKE_ANY:
    case MEL_OP_EVENT_FLAGS_TAKE_ALL:
    case MEL_OP_QUEUE_RECEIVE:
    case MEL_OP_NOTIFICATION_CLEAR:
    case MEL_OP_NOTIFICATION_WAIT:
    case MEL_OP_NOTIFICATION_TAKE:
    case MEL_OP_NOTIFICATION_TAKE_ALL:
    case MEL_QUERY_TASK_STATE:
    case MEL_QUERY_SEMAPHORE_COUNT:
    case MEL_QUERY_QUEUE_COUNT:
    case MEL_QUERY_MUTEX_STATE: return true;
#ifdef MEL_OWN_COMMANDS
    default: return mel_command_brings(op);
#else
    default: return false;
#endif
    }
}

static void report(uint32_t place, mel_status_t status, bool has_value, uint32_t value)
{
    if (status != MEL_E_OK || !has_value) {
        MEL_MARK(SCENARIO_MARK_STATUS, place | ((uint32_t)status & 0xFFFF));
        return;
    }
    if (value >> 16 != 0) {
        MEL_MARK(SCENARIO_MARK_UPPER, place | value >> 16);
    }
    MEL_MARK(SCENARIO_MARK_VALUE, place | (value & 0xFFFF));
}

static void run(const program_t *subject)
{
    if (subject == NULL) {
        return;
    }
    const uint32_t place = (uint32_t)(subject - program(0)) << 24;
    const step_t *steps = (const step_t *)&scenario_table[subject->first];
    for (uint32_t i = 0; i < subject->count; i++) {
        uint32_t value = 0;
        for (uint32_t again = steps[i].flags >> SCENARIO_AGAIN_LSB; again != 0; again--) {
            (void)execute(&steps[i], &value);
        }
        const mel_status_t status = execute(&steps[i], &value);
        if ((steps[i].flags & SCENARIO_LOGGED) == 0) {
            continue;
        }
        report(place | i << 16, status, brings(steps[i].op), value);
    }
}

static void end(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
    mel_exit(0);
}

static _Noreturn void refuse(const char *sentence)
{
    mel_print(sentence);
    mel_exit(1);
}

int main(void)
{
    if (scenario_table[MAGIC] != SCENARIO_MAGIC || scenario_table[WORDS] > SCENARIO_WORDS) {
        refuse("scenario: no table at scenario_table; load one with --data FILE@ADDRESS\n");
    }
    if (scenario_table[PROGRAMS] > SCENARIO_PROGRAMS) {
        refuse("scenario: too many programs in the table\n");
    }
    const mel_id_t line = scenario_table[END_LINE];
    if (mel_irq_attach(line, end, NULL) != MEL_E_OK || mel_irq_map(line, MEL_IRQ_ACTION_NONE, 0, 0, true) != MEL_E_OK ||
        mel_irq_enable(line) != MEL_E_OK) {
        refuse("scenario: the end line is no interrupt of this system\n");
    }
    mel_irqgen_pulse(line, scenario_table[END]);
    for (uint32_t i = 0; i < scenario_table[PROGRAMS]; i++) {
        if (program(i)->kind == SCENARIO_HANDLER) {
            (void)mel_irq_attach(program(i)->number, run_handler, (void *)(uintptr_t)program(i));
        }
    }
    run(find(SCENARIO_MAIN, 0));
    mel_kernel_start();
}
