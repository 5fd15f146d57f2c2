/* SPDX-License-Identifier: Apache-2.0 */
/* board.c: the board is a system of Melanion: its interrupt generator stands for the receivers of both ends of the cable. */
#include "board.h"

#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>

void board_connect(uint32_t line, TaskHandle_t task)
{
    (void)mel_irq_map(line, MEL_IRQ_ACTION_NOTIFICATION_GIVE, freertos_task_number(task), 0, false);
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
