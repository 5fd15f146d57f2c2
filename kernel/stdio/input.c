/* SPDX-License-Identifier: Apache-2.0 */
/* input.c: the registers of the console's receive side (soc/sim/console_input.h, soc/board/mel_board_devices.sv). */
#include <melanion/input.h>

#define RECEIVED (*(volatile uint32_t *)(MEL_IO_BASE + 0x8u))
#define LOST (*(volatile uint32_t *)(MEL_IO_BASE + 0xCu))

uint32_t mel_input_take(void)
{
    return RECEIVED;
}

uint32_t mel_input_lost(void)
{
    return LOST >> 16;
}
