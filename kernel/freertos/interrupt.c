/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c: what an edge of an interrupt line does on FreeRTOS: the port calls the function below with the context saved and the interrupt stack; each action is
 * the …FromISR call of its object (freertos_actions.h), and a switch that one of them asks for happens behind the handler. One edge for each trap.
 * Actions that FreeRTOS has no such call for are refused when they are mapped. Interrupt controller: soc/devices/mel_intc.sv. */
#include <melanion/melanion.h>

#include "common/number.h"
#include "arch/riscv/processor/processor.h"

#include <freertos_actions.h>

_Static_assert(MEL_LINES <= 64, "the interrupt controller of software kernels has 64 lines: set interrupts and timers to 63 or"
                                " less together");

/* The register of a line, and its bit there. */
#define INTC(irq, offset) (*(volatile uint32_t *)(MEL_INTC_BASE + (offset) + (MEL_LINES <= 32 ? 0 : (irq) / 32 * 0x10u)))
#define INTC_ENABLE(irq) INTC(irq, 0x4u)
#define INTC_RAISE(irq) INTC(irq, 0xCu)
#define INTC_BIT(irq) (UINT32_C(1) << (irq) % 32)
#define INTC_CLAIM INTC(0, 0x8u)

static struct {
    uint32_t action; /* MEL_IRQ_ACTION_… */
    void *object;    /* handle */
    uint32_t word;
    mel_irq_function_t function; /* handler, called at an edge; NULL: none */
    void *argument;
    mel_irq_function_t attached; /* handler of mel_irq_attach; NULL: none */
} lines[MEL_LINES];

/* Called by the port; what it is called there. */
void freertos_risc_v_application_interrupt_handler(void);

void freertos_risc_v_application_interrupt_handler(void)
{
    const uint32_t irq = INTC_CLAIM;
    if (__builtin_expect(mel_beyond(irq, MEL_LINES), 0)) {
        return;
    }
    BaseType_t due = pdFALSE;
    if (lines[irq].action == MEL_IRQ_ACTION_SEMAPHORE_GIVE) {
        give(lines[irq].object, &due);
    } else if (lines[irq].action != MEL_IRQ_ACTION_NONE) {
        act(lines[irq].action, lines[irq].object, lines[irq].word, &due);
    }
    if (lines[irq].function != NULL) {
        mel_freertos_due = pdFALSE;
        lines[irq].function(irq, lines[irq].argument);
        due |= mel_freertos_due;
    }
    portYIELD_FROM_ISR(due);
}

/* Stands in for a handler that has not been attached. */
static void no_function(mel_id_t irq, void *argument)
{
    (void)irq;
    (void)argument;
}

mel_status_t mel_irq_attach(mel_id_t irq, mel_irq_function_t function, void *argument)
{
    if (mel_beyond(irq, MEL_LINES)) {
        return MEL_E_ID;
    }
    lines[irq].attached = function;
    lines[irq].argument = argument;
    if (lines[irq].function != NULL) {
        lines[irq].function = function != NULL ? function : no_function;
    }
    return MEL_E_OK;
}

mel_status_t mel_irq_map(mel_id_t irq, uint32_t action, mel_id_t object, uint32_t word, bool handler)
{
    if (mel_beyond(irq, MEL_LINES)) {
        return MEL_E_ID;
    }
    if (lacked(action)) {
        return MEL_E_RSFN;
    }
    void *handle = object_of(action, object);
    if (action > MEL_IRQ_ACTION_NOTIFICATION_GIVE || handle == NULL) {
        return MEL_E_PAR;
    }
    taskENTER_CRITICAL();
    lines[irq].action = action;
    lines[irq].object = handle;
    lines[irq].word = word;
    lines[irq].function = !handler ? NULL : lines[irq].attached != NULL ? lines[irq].attached : no_function;
    taskEXIT_CRITICAL();
    return MEL_E_OK;
}

/* A line is switched by one access that no other may come into. */
static mel_status_t switch_line(mel_id_t irq, bool on)
{
    if (mel_beyond(irq, MEL_LINES)) {
        return MEL_E_ID;
    }
    uint32_t mstatus;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(mstatus) : : "memory");
    const uint32_t enabled = INTC_ENABLE(irq);
    INTC_ENABLE(irq) = on ? enabled | INTC_BIT(irq) : enabled & ~INTC_BIT(irq);
    mel_processor_arrived(&INTC_ENABLE(irq)); /* no trap for an edge that is forgotten */
    __asm__ volatile("csrs mstatus, %0" : : "r"(mstatus & 8) : "memory");
    return MEL_E_OK;
}

mel_status_t mel_irq_enable(mel_id_t irq)
{
    return switch_line(irq, true);
}

mel_status_t mel_irq_disable(mel_id_t irq)
{
    return switch_line(irq, false);
}

mel_status_t mel_irq_raise(mel_id_t irq)
{
    if (mel_beyond(irq, MEL_LINES)) {
        return MEL_E_ID;
    }
    INTC_RAISE(irq) = INTC_BIT(irq);
    mel_processor_arrived(&INTC_RAISE(irq)); /* the caller goes no further than this call */
    return MEL_E_OK;
}
