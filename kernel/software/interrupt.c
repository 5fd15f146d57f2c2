/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c: interrupts of the software kernel: what an edge does is done here, in C, at the external interrupt. Checks and
 * effects as melanion/model/service.py; the interrupt controller (soc/devices/mel_intc.sv) keeps enabled and pending. */
#include "software/interrupt.h"

#include "common/irq_map.h"
#include "arch/riscv/processor/processor.h"
#include "software/call.h"

_Static_assert(MEL_LINES <= 64, "the interrupt controller of software kernels has 64 lines: set interrupts and timers to 63 or"
                                " less together");

/* The register of a line, and its bit there. */
#define INTC(irq, offset) (*(volatile uint32_t *)(MEL_INTC_BASE + (offset) + (MEL_LINES <= 32 ? 0 : (irq) / 32 * 0x10u)))
#define INTC_ENABLE(irq) INTC(irq, 0x4u)
#define INTC_RAISE(irq) INTC(irq, 0xCu)
#define INTC_BIT(irq) (UINT32_C(1) << (irq) % 32)
#define INTC_CLAIM INTC(0, 0x8u)

typedef struct {
    uint32_t action; /* MEL_IRQ_ACTION_… */
    uint32_t object;
    uint32_t word; /* the flags or the message of the action */
    mel_irq_function_t function; /* handler, called at an edge; NULL: none */
    void *argument;
    mel_irq_function_t attached; /* handler of mel_irq_attach; NULL: none */
} line_t;

static line_t lines[MEL_LINES + 1]; /* C has no empty array: the last one is never used */

/* Stands in for a handler that has not been attached. */
static void no_function(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
}

mel_status_t mel_irq_attach(mel_id_t irq, mel_irq_function_t function, void *argument)
{
    if (mel_beyond(irq, MEL_LINES)) {
        return MEL_E_ID;
    }
    const mel_key_t key = mel_lock();
    line_t *line = &lines[irq];
    line->attached = function;
    line->argument = argument;
    if (line->function != NULL) {
        line->function = function != NULL ? function : no_function;
    }
    mel_unlock(key);
    return MEL_E_OK;
}

mel_status_t mel_irq_map(mel_id_t irq, uint32_t action, mel_id_t object, uint32_t word, bool handler)
{
    /* Objects of each action; those that are missing here are no actions. */
    static const uint16_t limits[MEL_FIELD_IRQ_MAP_ACTION_MASK + 1] = {
        [MEL_IRQ_ACTION_NONE] = UINT16_MAX,
        [MEL_IRQ_ACTION_SEMAPHORE_GIVE] = MEL_SEMAPHORES,
        [MEL_IRQ_ACTION_TASK_WAKEUP] = MEL_TASKS,
        [MEL_IRQ_ACTION_TASK_RELEASE] = MEL_TASKS,
        [MEL_IRQ_ACTION_EVENT_FLAGS_SET] = MEL_EVENT_FLAGS,
        [MEL_IRQ_ACTION_QUEUE_POST] = MEL_QUEUES,
        [MEL_IRQ_ACTION_NOTIFICATION_SET] = MEL_TASKS,
        [MEL_IRQ_ACTION_NOTIFICATION_GIVE] = MEL_TASKS,
    };
    if (!mel_irq_argument_fits(action, object)) {
        return MEL_E_PAR;
    }
    const uint32_t argument = mel_irq_argument(action, object, handler);
    const mel_key_t key = mel_lock_operand(word);
    MEL_REFUSE_WHEN(mel_beyond(irq, MEL_LINES), MEL_OP_IRQ_MAP, irq, argument, MEL_E_ID);
    MEL_REFUSE_WHEN(object >= limits[action], MEL_OP_IRQ_MAP, irq, argument, MEL_E_PAR);
    line_t *line = &lines[irq];
    line->action = action;
    line->object = object;
    line->word = word;
    line->function = !handler ? NULL : line->attached != NULL ? line->attached : no_function;
    return mel_leave(key, MEL_OP_IRQ_MAP, irq, argument, MEL_E_OK);
}

mel_status_t mel_irq_enable(mel_id_t irq)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(irq, MEL_LINES), MEL_OP_IRQ_ENABLE, irq, 0, MEL_E_ID);
    INTC_ENABLE(irq) |= INTC_BIT(irq);
    return mel_leave(key, MEL_OP_IRQ_ENABLE, irq, 0, MEL_E_OK);
}

mel_status_t mel_irq_disable(mel_id_t irq)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(irq, MEL_LINES), MEL_OP_IRQ_DISABLE, irq, 0, MEL_E_ID);
    INTC_ENABLE(irq) &= ~INTC_BIT(irq);
    mel_processor_arrived(&INTC_ENABLE(irq)); /* no trap for an edge that is forgotten */
    return mel_leave(key, MEL_OP_IRQ_DISABLE, irq, 0, MEL_E_OK);
}

mel_status_t mel_irq_raise(mel_id_t irq)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(mel_beyond(irq, MEL_LINES), MEL_OP_IRQ_RAISE, irq, 0, MEL_E_ID);
    INTC_RAISE(irq) = INTC_BIT(irq);
    mel_processor_arrived(&INTC_RAISE(irq)); /* the caller goes no further than this call */
    return mel_leave(key, MEL_OP_IRQ_RAISE, irq, 0, MEL_E_OK);
}

void mel_irq_edge(mel_id_t irq)
{
    INTC_RAISE(irq) = INTC_BIT(irq);
    mel_processor_arrived(&INTC_RAISE(irq)); /* mel_interrupt_pending sees it */
}

/* The handler of an edge, which is reported already. */
MEL_INLINE void handle(mel_id_t irq, mel_irq_function_t function, void *argument)
{
    MEL_TRACE_STORE(MEL_TRACE_CLAIM, irq, 0, 0, 0, mel_hold, mel_hold | MEL_HOLD_HANDLER);
    mel_unlock_trap();
    function(irq, argument);
    mel_lock_trap();
}

/* Report an edge whose `action` is done with `status`, and offer it to the handler. Constant actions save loads. */
MEL_INLINE void finish(mel_id_t irq, const line_t *line, uint32_t action, mel_status_t status)
{
    mel_irq_function_t function;
    MEL_TRACE_LOAD(MEL_TRACE_IRQ, irq, action, line->object, status, function, line->function);
    if (function != NULL) {
        handle(irq, function, line->argument);
    }
}

/* The edge of a line with one of the rarer actions. */
static __attribute__((noinline)) void serve_action(mel_id_t irq, const line_t *line)
{
    mel_status_t status;
    switch (line->action) {
    case MEL_IRQ_ACTION_TASK_WAKEUP:
        status = mel_task_do_wakeup(line->object);
        break;
    case MEL_IRQ_ACTION_TASK_RELEASE:
        status = mel_task_do_release(line->object);
        break;
    case MEL_IRQ_ACTION_QUEUE_POST:
        status = mel_queue_do_post(line->object, line->word);
        break;
    case MEL_IRQ_ACTION_NOTIFICATION_SET:
        status = mel_notification_do_set(line->object, line->word);
        break;
    case MEL_IRQ_ACTION_NOTIFICATION_GIVE:
        status = mel_notification_do_give(line->object);
        break;
    default:
        status = mel_flags_do_set(line->object, line->word, irq);
        if (status == MEL_E_OK) { /* and reported */
            if (line->function != NULL) {
                handle(irq, line->function, line->argument);
            }
            return;
        }
    }
    finish(irq, line, line->action, status);
}

/* The lowest pending edge, if it is still there: its action, then its handler. Not inline: the loop around it would make the
 * compiler keep constants in a dozen registers that each interrupt saves. */
static __attribute__((noinline)) void serve(void)
{
    const uint32_t irq = INTC_CLAIM;
    if (__builtin_expect(mel_beyond(irq, MEL_LINES), 0)) {
        return;
    }
    const line_t *line = &lines[irq];
    const uint32_t action = line->action;
    if (action == MEL_IRQ_ACTION_NONE) {
        const mel_irq_function_t function = line->function;
        if (__builtin_expect(function == NULL, 0)) { /* an edge that did nothing */
            finish(irq, line, MEL_IRQ_ACTION_NONE, MEL_E_NOEXS);
            return;
        }
        void *argument;
        MEL_TRACE_LOAD(MEL_TRACE_IRQ, irq, MEL_IRQ_ACTION_NONE, 0, MEL_E_OK, argument, line->argument);
        handle(irq, function, argument);
    } else if (action == MEL_IRQ_ACTION_SEMAPHORE_GIVE) {
        finish(irq, line, MEL_IRQ_ACTION_SEMAPHORE_GIVE, mel_sem_do_give(line->object));
    } else {
        serve_action(irq, line);
    }
}

mel_context_pair_t mel_interrupt_external(void)
{
    do {
        serve();
    } while (mel_interrupt_pending());
    return mel_interrupt_exit();
}
