/* SPDX-License-Identifier: Apache-2.0 */
/* event.c: events, an interrupt, the end of the run. */
#include "event.h"

#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>

enum { LINE = 3, MOST = 64 };

static struct {
    const char *what;
    uint32_t number, numbered;
} events[MOST];
static volatile uint32_t count, handled;
static void (*job)(void);

static void add(const char *what, uint32_t number, uint32_t numbered)
{
    const uint32_t place = count;
    count = place + 1; /* whoever comes between adds behind */
    if (place < MOST) {
        events[place].what = what;
        events[place].number = number;
        events[place].numbered = numbered;
    }
}

void event(const char *what)
{
    add(what, 0, 0);
}

void event_number(const char *what, uint32_t number)
{
    add(what, number, 1);
}

void report(const char *name)
{
    mel_print(name);
    mel_print(":");
    for (uint32_t i = 0; i < count && i < MOST; i++) {
        mel_print(" ");
        mel_print(events[i].what);
        if (events[i].numbered) {
            mel_print_signed((int32_t)events[i].number);
        }
    }
    mel_print(count > MOST ? " ...\n" : "\n");
    count = 0;
}

static void serve(mel_id_t line, void *argument)
{
    (void)line;
    (void)argument;
    job();
    handled = 1;
}

void in_handler(void (*what)(void))
{
    job = what;
    handled = 0;
    (void)mel_irq_attach(LINE, serve, 0);
    (void)mel_irq_map(LINE, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(LINE);
    mel_irqgen_pulse(LINE, 0);
    while (!handled) {
    }
}

void finish(void)
{
    mel_exit(0);
}
