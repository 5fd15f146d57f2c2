/* SPDX-License-Identifier: Apache-2.0 */
/* runaway.c: the most urgent task loops for ever. Its budget of BUDGET cycles is used up, the handler of reports names it and suspends
 * it (only a task may terminate another), and only then the task below it runs and ends the program with exit code 0.
 * BUDGET 0: it has none, and the run goes on to its limit. */
#include <melanion/melanion.h>

#ifndef BUDGET
#define BUDGET 2000 /* cycles */
#endif

enum { TASK_RUNAWAY = 5, TASK_BELOW = 6 };

MEL_TASK_STACK(stack_runaway, TASK_RUNAWAY, 512);
MEL_TASK_STACK(stack_below, TASK_BELOW, 512);

static void loop(void *argument)
{
    (void)argument;
    for (;;) {
    }
}

static void end(void *argument)
{
    (void)argument;
    mel_exit(0);
}

static void reported(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
    mel_report_t report;
    if (mel_report_get(&report) != MEL_E_OK || !report.budget) {
        mel_exit(1);
    }
    mel_print("runaway: task ");
    mel_print_unsigned(report.task);
    mel_print(" (");
    mel_print(mel_task_name(report.task));
    mel_print(") has used up its budget\n");
    if (mel_task_suspend(report.task) != MEL_E_OK) {
        mel_exit(1);
    }
}

int main(void)
{
    const mel_task_attributes_t runaway = {
        .entry = loop, .stack = stack_runaway, .stack_size = sizeof(stack_runaway), .priority = 0, .name = "endless"};
    const mel_task_attributes_t below = {
        .entry = end, .stack = stack_below, .stack_size = sizeof(stack_below), .priority = 1, .name = "below"};
    (void)mel_task_create(TASK_RUNAWAY, &runaway);
    (void)mel_task_create(TASK_BELOW, &below);
    (void)mel_irq_attach(MEL_REPORT_LINE, reported, NULL);
    (void)mel_irq_map(MEL_REPORT_LINE, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(MEL_REPORT_LINE);
    (void)mel_task_start(TASK_RUNAWAY);
    (void)mel_task_start(TASK_BELOW);
    (void)mel_budget_set(TASK_RUNAWAY, BUDGET);
    mel_kernel_start();
}
