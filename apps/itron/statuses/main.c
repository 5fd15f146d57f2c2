/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the tasks of the program, and what its parts share. */
#include "test.h"

volatile INT result;
VP_INT handed;
UINT activations;
static job_t *high_job, *low_job, *handler_job;
static volatile BOOL handled;
static VP_INT information;

void same(const char *file, UINT line, const char *what, INT found, INT expected)
{
    if (found != expected) {
        mel_print("statuses: ");
        mel_print(file);
        mel_print(":");
        mel_print_unsigned(line);
        mel_print(": ");
        mel_print(what);
        mel_print(" is ");
        mel_print_signed(found);
        mel_print(" instead of ");
        mel_print_signed(expected);
        mel_print("\n");
        mel_exit(1);
    }
}

void shown(const char *file, UINT line, const char *call, const char *status, INT found, INT expected)
{
    char name[16];
    UINT length = 0;
    while (length < sizeof name - 1 && call[length] != '\0' && call[length] != '(') {
        name[length] = call[length];
        length++;
    }
    name[length] = '\0';
    same(file, line, call, found, expected);
    mel_print(name);
    mel_print(" ");
    mel_print(status);
    mel_print("\n");
}

void high_task(VP_INT exinf)
{
    handed = exinf;
    high_job();
}

void low_task(VP_INT exinf)
{
    handed = exinf;
    activations++;
    low_job();
}

void high(job_t *job)
{
    result = 1;
    high_job = job;
    CHECK(E_OK, act_tsk(TASK_HIGH));
}

void low(job_t *job)
{
    result = 1;
    low_job = job;
    CHECK(E_OK, act_tsk(TASK_LOW));
}

void rest(void)
{
    T_RTST state;
    do {
        CHECK(E_OK, dly_tsk(0));
        CHECK(E_OK, ref_tst(TASK_LOW, &state));
    } while (state.tskstat == TTS_RDY);
}

void isr(VP_INT exinf)
{
    CHECK(LINE, exinf);
    handler_job();
    handled = TRUE;
}

void in_handler(job_t *job)
{
    handler_job = job;
    handled = FALSE;
    mel_irqgen_pulse(LINE, 0);
    while (!handled) {
    }
}

void initialize(VP_INT exinf)
{
    information = exinf;
    (void)mel_tick_set(TICK_CYCLES);
}

void main_task(VP_INT exinf)
{
    static job_t *const parts[] = {
        contexts, tasks, lives, sleeps, semaphores, flags, data_queues, mailboxes, mutexes, pools, times, states,
    };
    CHECK(0, exinf);
    CHECK(1000, information);
    for (UINT i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        parts[i]();
    }
    mel_exit(0);
}
