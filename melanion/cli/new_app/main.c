/* main.c: two tasks and a semaphore. The ticker gives one unit every tick, the printer takes them.
 * Exit code 0 when all units came, 1 when a kernel call failed. */
#include <melanion/measure.h>
#include <melanion/melanion.h>

enum { TASK_PRINTER, TASK_TICKER };
enum { SEM_NEWS };
enum { UNITS = 5, STACK_SIZE = 1024 };

MEL_TASK_STACK(printer_stack, 0, STACK_SIZE);
MEL_TASK_STACK(ticker_stack, 1, STACK_SIZE);

/* What `melanion compare` measures: from MEL_REGION_BEGIN to MEL_REGION_END. Neither costs a cycle. */
MEL_REGION(0, "give to task", 0);

static void check(mel_status_t status)
{
    if (status != MEL_E_OK) {
        mel_print("a kernel call failed with status ");
        mel_print_signed(status);
        mel_print("\n");
        mel_exit(1);
    }
}

/* The more urgent task: it runs as soon as there is a unit. */
static void printer(void *argument)
{
    (void)argument;
    for (uint32_t unit = 1; unit <= UNITS; unit++) {
        check(mel_sem_take(SEM_NEWS, MEL_FOREVER));
        MEL_REGION_END(0);
        mel_print("unit ");
        mel_print_unsigned(unit);
        mel_print("\n");
    }
    mel_exit(0);
}

static void ticker(void *argument)
{
    (void)argument;
    for (;;) {
        check(mel_task_delay(1));
        MEL_REGION_BEGIN(0);
        check(mel_sem_give(SEM_NEWS));
    }
}

static void start(mel_id_t task, const mel_task_attributes_t *attributes)
{
    check(mel_task_create(task, attributes));
    check(mel_task_start(task));
}

int main(void)
{
    const mel_task_attributes_t printer_task = {
        .entry = printer,
        .stack = printer_stack,
        .stack_size = STACK_SIZE,
        .priority = 1,
        .name = "printer",
    };
    const mel_task_attributes_t ticker_task = {
        .entry = ticker,
        .stack = ticker_stack,
        .stack_size = STACK_SIZE,
        .priority = 2,
        .name = "ticker",
    };

    check(mel_sem_create(SEM_NEWS, 0, UNITS));
    start(TASK_PRINTER, &printer_task);
    start(TASK_TICKER, &ticker_task);
    mel_kernel_start();
}
