/* SPDX-License-Identifier: Apache-2.0 */
/* echo.c: a task repeats each line that the console receives, until the input ends. It sleeps in fgets until a byte comes;
 * meanwhile a less urgent task counts. On a board, where no input ends, a line of one period does. */
#include <stdio.h>
#include <string.h>

#include <melanion/melanion.h>

enum { READER, COUNTER }; /* tasks */
enum { STACK = 1024, LENGTH = 80 };

MEL_TASK_STACK(reader_stack, READER, STACK);
MEL_TASK_STACK(counter_stack, COUNTER, STACK);

static volatile uint32_t count;

static void reader(void *argument)
{
    char line[LENGTH];
    int number = 0;
    (void)argument;
    while (fgets(line, sizeof line, stdin) != NULL && strcmp(line, ".\n") != 0) {
        line[strcspn(line, "\n")] = '\0';
        printf("%d: %s\n", ++number, line);
    }
    puts(count > 0 ? "the other task ran meanwhile" : "the other task did not run");
    mel_exit(0);
}

static void counter(void *argument)
{
    (void)argument;
    for (;;) {
        count++;
    }
}

static void make(mel_id_t task, mel_task_entry_t entry, uint8_t *stack, const char *name)
{
    const mel_task_attributes_t attributes = {
        .entry = entry, .stack = stack, .stack_size = STACK, .priority = 5 + task, .name = name};
    if (mel_task_create(task, &attributes) != MEL_E_OK || mel_task_start(task) != MEL_E_OK) {
        puts("echo: no task could be made");
        mel_exit(1);
    }
}

int main(void)
{
    make(READER, reader, reader_stack, "reader");
    make(COUNTER, counter, counter_stack, "counter");
    mel_kernel_start();
}
