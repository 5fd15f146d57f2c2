/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the calls of ethernet.h. */
#include "ethernet/unit.h"

#include <melanion/console.h>

#include "common/boot.h"
#include "common/boot_mismatch.h"

void mel_ethernet_boot(void)
{
    mel_boot_probe = "no Ethernet MAC answers at its address (bus error): run the program on a system with one";
    const uint32_t identity = MEL_ETHERNET_WORD(MEL_ETHERNET_REG_IDENTITY);
    mel_boot_probe = NULL;
    if (identity != MEL_ETHERNET_IDENTITY) {
        mel_boot_mismatch("what answers at the address of the Ethernet MAC is none: its identity is ", identity, " instead of ", MEL_ETHERNET_IDENTITY,
               "; run the program on a system with one");
    }
    const uint32_t facts = MEL_ETHERNET_WORD(MEL_ETHERNET_REG_FACTS_HASH);
    if (facts != MEL_ETHERNET_FACTS_HASH) {
        mel_boot_mismatch("the program was built for another Ethernet MAC: its facts hash is ", MEL_ETHERNET_FACTS_HASH, ", the unit's is ", facts,
               "; build it again for this system");
    }
    const uint32_t sizes = (uint32_t)MEL_CORES << 28 | MEL_ETHERNET_SAMPLES << 16 | MEL_ETHERNET_WORDS << 5 | MEL_ETHERNET_SLOTS;
    if (MEL_ETHERNET_WORD(MEL_ETHERNET_REG_SIZES) != sizes) {
        mel_boot_mismatch("the program was built for another Ethernet MAC: its sizes are ", sizes, ", the unit's are ",
               MEL_ETHERNET_WORD(MEL_ETHERNET_REG_SIZES), "; build it again for this system");
    }
}

void mel_ethernet_address(uint8_t address[6])
{
    const uint32_t low = MEL_ETHERNET_WORD(MEL_ETHERNET_REG_STATION);
    address[0] = 0x02;
    address[1] = 0x4D;
    for (uint32_t i = 0; i < sizeof low; i++) {
        address[2 + i] = (uint8_t)(low >> (24 - 8 * i));
    }
}

uint32_t mel_ethernet_length(void)
{
    return MEL_ETHERNET_WORD(MEL_ETHERNET_REG_LENGTH);
}

mel_status_t mel_ethernet_copy(void *memory, uint32_t bytes)
{
    if ((uintptr_t)memory % sizeof(uint32_t) != 0 || bytes > mel_ethernet_length()) {
        return MEL_E_PAR;
    }
    uint32_t *to = memory;
    const volatile uint32_t *from = &MEL_ETHERNET_WORD(MEL_ETHERNET_REGION_FRAME(0));
    for (uint32_t words = (MEL_ETHERNET_PAD + bytes + 3) / 4; words != 0; words--) {
        *to++ = *from++;
    }
    return MEL_E_OK;
}

mel_status_t mel_ethernet_release(void)
{
    if (mel_ethernet_length() == 0) {
        return MEL_E_OBJ;
    }
    MEL_ETHERNET_WORD(MEL_ETHERNET_COMMAND_RELEASE) = 0;
    return MEL_E_OK;
}

uint32_t mel_ethernet_room(void)
{
    return MEL_ETHERNET_WORD(MEL_ETHERNET_REG_ROOM);
}

mel_status_t mel_ethernet_fill(uint32_t word, const uint32_t *from, uint32_t words)
{
    if (word + words > MEL_ETHERNET_WORDS || word > MEL_ETHERNET_WORDS) {
        return MEL_E_PAR;
    }
    if (mel_ethernet_room() == 0) {
        return MEL_E_TMOUT;
    }
    volatile uint32_t *to = &MEL_ETHERNET_WORD(MEL_ETHERNET_REGION_FRAME(word));
    for (; words != 0; words--) {
        *to++ = *from++;
    }
    return MEL_E_OK;
}

mel_status_t mel_ethernet_send(uint32_t bytes)
{
    if (bytes < 14 || bytes > MEL_ETHERNET_BYTES_MAX || MEL_ETHERNET_PAD + bytes > 4 * MEL_ETHERNET_WORDS) {
        return MEL_E_PAR;
    }
    if (mel_ethernet_room() == 0) {
        return MEL_E_TMOUT;
    }
    MEL_ETHERNET_WORD(MEL_ETHERNET_COMMAND_SEND) = bytes;
    return MEL_E_OK;
}

uint32_t mel_ethernet_get(uint32_t offset)
{
    return MEL_ETHERNET_WORD(offset);
}

void mel_ethernet_set(uint32_t offset, uint32_t word)
{
    MEL_ETHERNET_WORD(offset) = word;
}
