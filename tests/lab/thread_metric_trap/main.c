/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: a thread in user mode calls services by their numbers, is preempted, and (RAISE 1: a kernel whose call needs no privilege) interrupted. Behind each its registers
 * are as they were. At its end it does what only machine mode may: the run ends with the kernel's sentence about that. */
#include <melanion/melanion.h>

#include "tm_api.h"

#ifndef RAISE
#define RAISE 0
#endif

/* Places in EACH_SERVICE of tm_trap.S. */
enum { RELINQUISH = 3, SLEEP = 4, CAUSE_INTERRUPT = 14, NOTHING = 15, SERVICES = 16 };
enum { LINE = 1 }; /* interrupt line of tm_porting_layer.c */
enum { LOST = -1, SECOND = 1 };

/* registers.S */
int kept(unsigned int number, int argument); /* result of the service; LOST: a register that a call keeps is another */
int held(void);                              /* for more than two ticks; 0, or LOST: any register is another */
_Noreturn void spoil(void);                  /* registers, and relinquish, for ever */

static volatile uint32_t woken, handled;

void tm_interrupt_handler(void);
void tm_interrupt_handler(void)
{
    handled++;
}

static void expect(bool true_thing, int line)
{
    if (!true_thing) {
        mel_print("thread_metric_trap: not so in line ");
        mel_print_unsigned((uint32_t)line);
        mel_print("\n");
        mel_exit(1);
    }
}
#define EXPECT(what) expect(what, __LINE__)

static void waking(void)
{
    for (;;) {
        tm_thread_sleep(SECOND);
        woken++;
    }
}

static void user(void)
{
    EXPECT(kept(NOTHING, 0) == TM_SUCCESS);
    EXPECT(kept(SERVICES, 0) == TM_ERROR);
    EXPECT(kept(0xFFFFFFFF, 0) == TM_ERROR);
    EXPECT(kept(RELINQUISH, 0) != LOST);
    EXPECT(kept(SLEEP, SECOND) != LOST);
    EXPECT(kept(CAUSE_INTERRUPT, 0) != LOST && handled == 1);
    const uint32_t before = woken;
    EXPECT(held() != LOST);
    EXPECT(woken - before >= 2);
    if (RAISE) {
        EXPECT(mel_irq_raise(LINE) == MEL_E_OK);
        while (handled == 1) {
        }
    }
    mel_print("kept\n");
    uint32_t mstatus;
    __asm__ volatile("csrr %0, mstatus" : "=r"(mstatus));
    mel_print("machine mode\n");
    mel_exit(0);
}

static void make(void)
{
    (void)tm_thread_create(0, 10, user);
    (void)tm_thread_create(1, 2, waking);
    (void)tm_thread_create(2, 10, spoil);
    for (int i = 0; i < 3; i++) {
        (void)tm_thread_resume(i);
    }
}

int main(void)
{
    tm_initialize(make);
}
