/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c: what interrupts do to objects in C. The unit offers such an interrupt to its handler, whether or not the program has one: C performs
 * the action first, in the handler, and then calls the function of the program if it was mapped with one. */
#include "common/irq_map.h"
#include "unit/objects.h"

typedef struct {
    uint32_t word;  /* the flags or the message */
    uint8_t action; /* MEL_IRQ_ACTION_NONE: the unit performs it, if there is one */
    uint8_t object;
    bool handler;
} line_t;

static line_t lines[MEL_LINES + 1]; /* the last one: a spurious interrupt */

/* Number of objects in C that an action can be mapped to; 0: the action uses none. */
static uint32_t objects_of(uint32_t action)
{
    switch (action) {
    case MEL_IRQ_ACTION_SEMAPHORE_GIVE: return MEL_SEMAPHORES;
    case MEL_IRQ_ACTION_EVENT_FLAGS_SET: return MEL_EVENT_FLAGS;
    case MEL_IRQ_ACTION_QUEUE_POST: return MEL_QUEUES;
    default: return 0;
    }
}

mel_status_t mel_objects_irq_map(mel_id_t irq, uint32_t action, mel_id_t object, uint32_t word, bool handler)
{
    const uint32_t argument = mel_irq_argument(action, object, handler);
    const bool in_c = object < objects_of(action); /* the unit refuses the others in the right order of checks: it has no such objects */
    const uint32_t key = mel_unit_lock();
    int32_t answer;
    if (in_c) {
        mel_objects_report_operand(word);
        answer = MEL_ASK_AS(MEL_TRACE_COMMAND, MEL_REPORTED_OP(MEL_OP_IRQ_MAP), irq, argument, MEL_BY_UNIT_DOES, MEL_OP_IRQ_MAP, irq,
                            mel_irq_argument(MEL_IRQ_ACTION_NONE, 0, true));
    } else {
        mel_unit_operand(word);
        answer = mel_unit_ask(MEL_OP_IRQ_MAP, irq, argument);
    }
    if (answer >= 0) {
        lines[irq] = (line_t){word, in_c ? (uint8_t)action : MEL_IRQ_ACTION_NONE, (uint8_t)object, handler};
    }
    mel_unit_unlock(key);
    return answer > 0 ? mel_unit_switch() : answer;
}

bool mel_objects_irq_claimed(mel_id_t irq)
{
    const line_t *line = &lines[irq];
    if (line->action == MEL_IRQ_ACTION_NONE) {
        return true;
    }
    const uint32_t key = mel_unit_lock();
    const line_t now = *line;
    switch (now.action) {
    case MEL_IRQ_ACTION_SEMAPHORE_GIVE: mel_objects_sem_irq(irq, now.object); break;
    case MEL_IRQ_ACTION_EVENT_FLAGS_SET: mel_objects_flags_irq(irq, now.object, now.word); break;
    case MEL_IRQ_ACTION_QUEUE_POST: mel_objects_queue_irq(irq, now.object, now.word); break;
    default: break;
    }
    mel_unit_unlock(key);
    return now.handler;
}
