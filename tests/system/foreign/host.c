/* SPDX-License-Identifier: Apache-2.0 */
/* host.c: a program's own console, exit and markers: those of our simulation, whose addresses are IO and after. */
#include "foreign/host.h"

void mel_host_put(char character)
{
    *(volatile uint32_t *)IO = (uint8_t)character;
}

void mel_host_exit(uint32_t code)
{
    *(volatile uint32_t *)(IO + 4u) = code;
}

void mel_host_mark(uint32_t marker, uint32_t value)
{
    *(volatile uint32_t *)(IO + 0x100u + 4u * marker) = value;
}
