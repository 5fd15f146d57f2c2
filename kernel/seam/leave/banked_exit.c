/* banked_exit.c: the part of mel_task_exit in C. */
#include "seam/kernel/unit.h"

/* Interrupts off. Returns the answer of the command. */
int32_t mel_banked_exit(void);
int32_t mel_banked_exit(void)
{
    mel_context_t *context = mel_core_running();
    const bool task = context->number < MEL_TASKS && !mel_unit_in_handler();
    if (task) {
        mel_core_begin(context); /* not used while it has a bank */
    }
    const int32_t answer = mel_unit_ask(MEL_OP_TASK_EXIT, 0, 0);
    if (answer >= 0) {
        mel_core_forget(context);
    }
    return answer;
}
