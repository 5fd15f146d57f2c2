/* SPDX-License-Identifier: Apache-2.0 */
/* event.c: what the program has besides the FreeRTOS interface: text, the end of the run, an interrupt line. */
#include "event.h"

#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>

#include <string.h>

enum { LINE = 3 };

static job_t *handler_job;
static volatile uint32_t handled;

void same(const char *file, uint32_t line, const char *what, uint32_t found, uint32_t expected)
{
    if (found != expected) {
        mel_print("freertos_calls: ");
        mel_print(file);
        mel_print(":");
        mel_print_unsigned(line);
        mel_print(": ");
        mel_print(what);
        mel_print(" is ");
        mel_print_signed((int32_t)found);
        mel_print(" instead of ");
        mel_print_signed((int32_t)expected);
        mel_print("\n");
        mel_exit(1);
    }
}

void shown(const char *file, uint32_t line, const char *call, uint32_t found, uint32_t expected)
{
    char name[48];
    uint32_t length = 0;
    same(file, line, call, found, expected);
    for (uint32_t i = 0; call[i] != '\0' && call[i] != '('; i++) { /* `x = call(…)` is a call, too */
        if (call[i] == '=') {
            call += i + 2;
            break;
        }
    }
    while (length < sizeof name - 1 && call[length] != '\0' && call[length] != '(') {
        name[length] = call[length];
        length++;
    }
    name[length] = '\0';
    mel_print(name);
    mel_print("\n");
}

static void serve(mel_id_t line, void *argument)
{
    (void)line;
    (void)argument;
    handler_job();
    handled = 1;
}

void in_handler(job_t *job)
{
    handler_job = job;
    handled = 0;
    (void)mel_irq_attach(LINE, serve, 0);
    (void)mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(LINE);
    mel_irqgen_pulse(LINE, 0);
    while (!handled) {
    }
}

int measures(void)
{
    return strcmp(MEL_KERNEL_NAME, "sw") != 0;
}

void finish(void)
{
    mel_exit(0);
}
