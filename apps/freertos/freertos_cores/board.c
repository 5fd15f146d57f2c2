/* SPDX-License-Identifier: Apache-2.0 */
/* board.c: what the program has besides the FreeRTOS interface: text, the end of the run, interrupts. */
#include "cores.h"

#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>

enum { LINE = 3 };

static void (*served)(void);

void failed(const char *file, unsigned line, const char *what)
{
    mel_print("freertos_cores: ");
    mel_print(file);
    mel_print(":");
    mel_print_unsigned(line);
    mel_print(": it is not so that ");
    mel_print(what);
    mel_print("\n");
    mel_exit(1);
}

void shown(const char *name)
{
    mel_print(name);
    mel_print("\n");
}

void busy(uint32_t cycles)
{
    mel_busy(cycles);
}

static void serve(mel_id_t line, void *argument)
{
    (void)line;
    (void)argument;
    served();
}

void interrupts(void (*handler)(void), uint32_t count, uint32_t apart)
{
    served = handler;
    (void)mel_irq_attach(LINE, serve, NULL);
    (void)mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(LINE);
    mel_irqgen_pulses(LINE, apart, apart, count);
}

void finish(void)
{
    mel_exit(0);
}
