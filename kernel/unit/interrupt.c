/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c: interrupts, by the hardware unit: it performs the actions, C only calls the handlers. */
#include "common/irq_map.h"
#include "unit/objects.h"

typedef struct {
    mel_irq_function_t function; /* never NULL */
    void *argument;
} handler_t;

/* Stands in for a handler that has not been attached, and for a spurious interrupt (the last entry). */
static void no_function(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
}

static handler_t handlers[MEL_LINES + 1] = {[0 ... MEL_LINES] = {no_function, NULL}};

mel_status_t mel_irq_attach(mel_id_t irq, mel_irq_function_t function, void *argument)
{
    if (mel_beyond(irq, MEL_LINES)) {
        return MEL_E_ID;
    }
    const uint32_t key = mel_unit_lock();
    handlers[irq].function = function != NULL ? function : no_function;
    handlers[irq].argument = argument;
    mel_unit_unlock(key);
    return MEL_E_OK;
}

mel_status_t mel_irq_map(mel_id_t irq, uint32_t action, mel_id_t object, uint32_t word, bool handler)
{
    if (!mel_irq_argument_fits(action, object)) {
        return MEL_E_PAR;
    }
    return mel_objects_irq_map(mel_unit_limit(irq), action, object, word, handler);
}

mel_status_t mel_irq_enable(mel_id_t irq)
{
    return mel_unit_call(MEL_OP_IRQ_ENABLE, mel_unit_limit(irq), 0);
}

mel_status_t mel_irq_disable(mel_id_t irq)
{
    return mel_unit_call(MEL_OP_IRQ_DISABLE, mel_unit_limit(irq), 0);
}

mel_status_t mel_irq_raise(mel_id_t irq)
{
    return mel_unit_call(MEL_OP_IRQ_RAISE, mel_unit_limit(irq), 0);
}

mel_status_t mel_claim_limit(uint32_t claims)
{
    return mel_unit_call(MEL_OP_CLAIM_LIMIT, 0, claims);
}

/* The external interrupt: claiming begins the handler, the load of `dispatch` ends it. Several cores: assembly loads that,
 * behind the registers of the interrupted task (common/current/several.h). */
void mel_interrupt_claimed(uint32_t claimed);
void mel_interrupt_claimed(uint32_t claimed)
{
    const uint32_t irq = mel_beyond(claimed, MEL_LINES) ? MEL_LINES : claimed;
    if (mel_objects_irq_claimed(irq)) {
        handlers[irq].function(irq, handlers[irq].argument);
    }
}

void mel_interrupt_serve(void);
void mel_interrupt_serve(void)
{
    mel_interrupt_claimed(MEL_UNIT_REGISTER(MEL_REG_CLAIM));
}

/* One core: the handler and its end. */
mel_context_pair_t mel_interrupt_external(void);
mel_context_pair_t mel_interrupt_external(void)
{
    mel_interrupt_serve();
    mel_context_t *interrupted = mel_core_running();
    mel_context_t *next = &mel_contexts[MEL_UNIT_REGISTER(MEL_REG_DISPATCH)];
    mel_core_run(next);
    return (mel_context_pair_t){next, interrupted};
}
