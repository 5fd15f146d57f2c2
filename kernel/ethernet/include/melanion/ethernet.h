/* SPDX-License-Identifier: Apache-2.0 */
/* ethernet.h: frames through the Ethernet MAC, and the traffic generator at the other end of its wire (docs/explanation/network.md). On any kernel, on systems
 * with `components.ethernet`. Nothing here waits: a rising edge of line MEL_ETHERNET_LINE says that there is a received frame where there was none, one of
 * line MEL_ETHERNET_LINE + 1 that a transmit slot is free where none was. One task receives, and one sends. No call here from user mode.
 *
 * A frame in memory begins two bytes before its header, at a word, so that what follows the header of 14 bytes is aligned. */
#ifndef MELANION_ETHERNET_H
#define MELANION_ETHERNET_H

#include <melanion/mel_ethernet.h>
#include <melanion/types.h>

enum { MEL_ETHERNET_PAD = 2, MEL_ETHERNET_BYTES_MAX = 1514 };

/* Check that the MAC is there and of this build. Prints what is wrong and ends the run if it is not. Once, before all other calls: main(), on core 0. */
void mel_ethernet_boot(void);

/* Read the MAC's own address. Callers: any. */
void mel_ethernet_address(uint8_t address[6]);

/* Bytes of the oldest received frame, without the padding; 0: there is none. Callers: any. */
uint32_t mel_ethernet_length(void);

/* Copy the oldest received frame, `bytes` of it, with the padding before it; its slot stays taken. Callers: the task that receives. E_OK; E_PAR: the address
 * is not aligned to words, or the frame is shorter. */
mel_status_t mel_ethernet_copy(void *memory, uint32_t bytes);

/* Free the slot of the oldest received frame. Callers: the task that receives. E_OK; E_OBJ: there is no frame. */
mel_status_t mel_ethernet_release(void);

/* Number of free transmit slots. Callers: any. */
uint32_t mel_ethernet_room(void);

/* Fill the transmit slot from word `word` on with `words` words. Callers: the task that sends. E_OK; E_TMOUT: no slot is free; E_PAR: they do not fit. */
mel_status_t mel_ethernet_fill(uint32_t word, const uint32_t *from, uint32_t words);

/* Send the frame in the transmit slot, `bytes` without the padding. Callers: the task that sends. E_OK; E_TMOUT: no slot is free; E_PAR: no such length. */
mel_status_t mel_ethernet_send(uint32_t bytes);

/* Load or store a register (MEL_ETHERNET_REG_…), or store a command, as in docs/reference/ethernet.md. Callers: any. */
uint32_t mel_ethernet_get(uint32_t offset);
void mel_ethernet_set(uint32_t offset, uint32_t word);

#endif
