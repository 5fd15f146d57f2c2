/* SPDX-License-Identifier: Apache-2.0 */
/* board.c: the board is a system of Melanion: its interrupt generator stands for the sensor. */
#include "board.h"

#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>

void board_sample(TaskHandle_t task, uint32_t count)
{
    (void)mel_irq_map(CURRENT_LINE, MEL_IRQ_ACTION_NOTIFICATION_GIVE, freertos_task_number(task), 0, false);
    (void)mel_irq_enable(CURRENT_LINE);
    mel_irqgen_pulses(CURRENT_LINE, 3000, 9000, count);
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
