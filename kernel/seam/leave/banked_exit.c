/* banked_exit.c: the part of mel_task_exit in C. */
#include "seam/kernel/unit.h"

/* Interrupts off. Returns the answer of the command. Where the unit refuses it, in a handler and in the idle context, the frame is
 * that of a task in a bank, or of idle: not used. */
int32_t mel_banked_exit(void);
int32_t mel_banked_exit(void)
{
    mel_context_t *context = &mel_contexts[MEL_UNIT_REGISTER(MEL_REG_RUNNING)];
    mel_core_begin(context);
    const int32_t answer = mel_unit_ask(MEL_OP_TASK_EXIT, 0, 0);
    if (answer >= 0) {
        mel_core_forget(context);
    }
    return answer;
}
