/* SPDX-License-Identifier: Apache-2.0 */
/* board.c: the board of serial_link with an interrupt handler for each line, as most programs for FreeRTOS have it. */
#include "board.h"

#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>

static void frame_came(mel_id_t line, void *task)
{
    BaseType_t woken = pdFALSE;
    (void)line;
    vTaskNotifyGiveFromISR(task, &woken);
    portYIELD_FROM_ISR(woken);
}

void board_connect(uint32_t line, TaskHandle_t task)
{
    (void)mel_irq_attach(line, frame_came, task);
    (void)mel_irq_map(line, MEL_IRQ_ACTION_NONE, 0, 0, true);
    (void)mel_irq_enable(line);
}

void board_carry(uint32_t line, uint32_t cycles)
{
    mel_irqgen_pulse(line, cycles);
}

uint32_t board_cycles(void)
{
    return mel_cycles();
}

void board_tell(const char *text, int32_t number)
{
    mel_print(text);
    mel_print_signed(number);
    mel_print("\n");
}

void board_end(int well)
{
    mel_exit(well ? 0 : 1);
}
