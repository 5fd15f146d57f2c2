/* SPDX-License-Identifier: Apache-2.0 */
/* exit.c: the part of mel_task_exit in C. */
#include "unit/unit.h"

/* Interrupts off. Returns the answer of the command. No other core starts the task before its registers are those of a task that begins; where the
 * unit refuses, in a handler and in the idle context, or because another core has terminated the task meanwhile, nothing changes. */
int32_t mel_banked_exit(void);
int32_t mel_banked_exit(void)
{
    mel_context_t *context = &mel_contexts[MEL_UNIT_REGISTER(MEL_REG_RUNNING)];
    mel_core_enter();
    const int32_t answer = mel_unit_ask(MEL_OP_TASK_EXIT, 0, 0);
    if (answer >= 0) {
        mel_core_ended(context);
    }
    mel_core_leave();
    return answer;
}
