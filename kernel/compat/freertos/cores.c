/* SPDX-License-Identifier: Apache-2.0 */
/* cores.c: several cores (configNUMBER_OF_CORES): critical sections and vTaskSuspendAll, which keep out the other cores (docs/decisions/0030-freertos-on-several-cores.md).
 *
 * A critical section is interrupts off, and the lock of melanion/compound.h; one of a handler is the same. Inside are steps and calls of the kernel, whose own
 * locks are taken and freed there: nobody who is in a step waits for a critical section. A call in one that would let another task run does so when the
 * section ends: dispatch is disabled meanwhile. One that waits ends the section, and begins it again.
 * Who has suspended the scheduler keeps its core, with interrupts on; no other task enters a critical section or suspends the scheduler meanwhile: it tries
 * again, with interrupts on in between, so that handlers run and the task can be preempted, suspended or deleted there. Handlers only need the lock.
 * Timing: a section waits for at most one critical section of each other core. */
#include "layer.h"

#if configNUMBER_OF_CORES > 1

enum { NOBODY = -1 };

/* Read and written by its core, interrupts off. */
static struct {
    UBaseType_t nesting;   /* critical sections around what it executes */
    BaseType_t postponed;  /* dispatch is disabled until they end */
} cores[MEL_CORES];

static volatile BaseType_t suspender = NOBODY; /* the core whose task has suspended the scheduler; changed in a critical section, or by that task */
static volatile UBaseType_t held;              /* nested suspensions; of main() until the scheduler starts */

/* In a critical section of its own core: the task of another core has suspended the scheduler. */
static BaseType_t another_suspends(BaseType_t core)
{
    return suspender != NOBODY && suspender != core;
}

/* ---- critical sections ---------------------------------------------------------------------------------------------------- */

void vPortEnterCritical(void)
{
    for (;;) {
        const UBaseType_t before = freertos_mask();
        const BaseType_t core = freertos_core();
        if (cores[core].nesting == 0) {
            mel_compound_exclude();
            if (another_suspends(core)) {
                mel_compound_admit();
                freertos_unmask(before);
                continue;
            }
        }
        cores[core].nesting++;
        return;
    }
}

void vPortExitCritical(void)
{
    const BaseType_t core = freertos_core();
    configASSERT(cores[core].nesting != 0);
    if (--cores[core].nesting != 0) {
        return;
    }
    const BaseType_t dispatch = cores[core].postponed && suspender != core;
    cores[core].postponed = pdFALSE;
    mel_compound_admit();
    portENABLE_INTERRUPTS();
    if (dispatch) {
        (void)mel_dispatch_enable();
    }
}

UBaseType_t freertos_enter_from_isr(void)
{
    const UBaseType_t before = freertos_mask();
    if (cores[freertos_core()].nesting++ == 0) {
        mel_compound_exclude();
    }
    return before;
}

void freertos_exit_from_isr(UBaseType_t before)
{
    if (--cores[freertos_core()].nesting == 0) {
        mel_compound_admit();
    }
    freertos_unmask(before);
}

UBaseType_t *freertos_count(void)
{
    return &cores[freertos_core()].nesting;
}

/* With interrupts on the caller is in no section, and may move to another core at any moment. */
static UBaseType_t nesting_now(void)
{
    UBaseType_t status;
    __asm__ volatile("csrr %0, mstatus" : "=r"(status) : : "memory");
    return (status & 8u) != 0 ? 0 : cores[freertos_core()].nesting;
}

void freertos_postpone(void)
{
    if (nesting_now() == 0 || freertos_scheduler == taskSCHEDULER_NOT_STARTED || mel_in_handler()) {
        return;
    }
    const BaseType_t core = freertos_core();
    if (!cores[core].postponed) {
        cores[core].postponed = pdTRUE;
        if (suspender != core) {
            (void)mel_dispatch_disable();
        }
    }
}

UBaseType_t freertos_critical_leave(void)
{
    const UBaseType_t nesting = nesting_now();
    if (nesting != 0) {
        cores[freertos_core()].nesting = 1;
        vPortExitCritical();
    }
    return nesting;
}

void freertos_critical_again(UBaseType_t nesting)
{
    vPortEnterCritical();
    cores[freertos_core()].nesting = nesting;
}

/* ---- the scheduler is suspended -------------------------------------------------------------------------------------------- */

/* Interrupts off. */
static BaseType_t suspend_on(BaseType_t core)
{
    const BaseType_t inside = cores[core].nesting != 0;
    if (!inside) {
        mel_compound_exclude();
    }
    const BaseType_t possible = !another_suspends(core);
    if (possible) {
        suspender = core;
        held = 1;
        if (!cores[core].postponed) {
            (void)mel_dispatch_disable();
        }
    }
    if (!inside) {
        mel_compound_admit();
    }
    return possible;
}

void vTaskSuspendAll(void)
{
    if (freertos_scheduler == taskSCHEDULER_NOT_STARTED) {
        held++;
        return;
    }
    BaseType_t done;
    do {
        const UBaseType_t before = freertos_mask();
        const BaseType_t core = freertos_core();
        done = suspender == core;
        if (done) {
            held++;
        } else {
            done = suspend_on(core);
        }
        freertos_unmask(before);
    } while (!done);
}

BaseType_t xTaskResumeAll(void)
{
    configASSERT(held != 0);
    if (--held != 0 || freertos_scheduler == taskSCHEDULER_NOT_STARTED) {
        return pdFALSE;
    }
    const UBaseType_t before = freertos_switches;
    if (nesting_now() != 0) { /* dispatch is enabled where the section ends */
        cores[freertos_core()].postponed = pdTRUE;
        suspender = NOBODY;
        return pdFALSE;
    }
    suspender = NOBODY;
    (void)mel_dispatch_enable();
    return freertos_switches != before;
}

BaseType_t xTaskGetSchedulerState(void)
{
    return freertos_scheduler == taskSCHEDULER_RUNNING && held != 0 ? taskSCHEDULER_SUSPENDED : freertos_scheduler;
}

BaseType_t freertos_suspends(void)
{
    return suspender == freertos_core(); /* if so, it cannot move */
}

void freertos_give_up(void)
{
    (void)freertos_critical_leave();
    if (freertos_suspends()) {
        held = 0;
        suspender = NOBODY;
    }
}

/* The lock is handed out in turn: who waited for it has had it when the caller gets it. */
void freertos_settle(void)
{
    vPortEnterCritical();
    vPortExitCritical();
}

#endif

typedef int freertos_cores_are_described; /* ISO C has no empty file */
