/* SPDX-License-Identifier: Apache-2.0 */
/* cable.c: the cable: one frame at a time in each direction, an eighth of them changed or lost. */
#include "link.h"

#include <string.h>

enum { FLIGHT = 2500 }; /* cycles */

static frame_t under_way[2];
static uint32_t noise = 2463534242u;

/* CRC-16 (polynomial 0x1021), bit by bit. */
uint16_t check_of(const frame_t *frame)
{
    const uint8_t *bytes = (const uint8_t *)frame;
    uint32_t crc = 0xFFFF;
    for (size_t i = 0; i < offsetof(frame_t, check); i++) {
        crc ^= (uint32_t)bytes[i] << 8;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
        }
    }
    return (uint16_t)crc;
}

static uint32_t drawn(void)
{
    noise ^= noise << 13;
    noise ^= noise >> 17;
    noise ^= noise << 5;
    return noise >> 8;
}

void cable_put(uint32_t direction, const frame_t *frame)
{
    MEL_OWN_BEGIN();
    taskENTER_CRITICAL();
    const uint32_t fate = drawn() & 15;
    under_way[direction] = *frame;
    if (fate == 1) {
        under_way[direction].payload[drawn() & 15] ^= 0x10;
    }
    taskEXIT_CRITICAL();
    MEL_OWN_END();
    if (fate == 0) {
        counts.lost++;
        return;
    }
    board_carry(direction == 0 ? DATA_LINE : ACK_LINE, FLIGHT);
}

void cable_get(uint32_t direction, frame_t *frame)
{
    *frame = under_way[direction];
}
