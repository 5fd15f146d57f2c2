/* SPDX-License-Identifier: Apache-2.0 */
/* mel_ethernet.h: the numbers that the Ethernet MAC and its software share: the window of a core, answers, limits.
 * Contract: the facts of spec/ (ethernet.yaml), nothing else; usable from C and from assembly.
 * Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
 */
#ifndef MEL_ETHERNET_H
#define MEL_ETHERNET_H

/* First 32 bits of the hash of spec/ethernet.yaml: boot code compares it with the unit's. */
#define MEL_ETHERNET_FACTS_HASH 0x8a37ab34
#define MEL_ETHERNET_IDENTITY 0x4D454C45
#define MEL_ETHERNET_WINDOW_BYTES 4096

/* Offsets in the window of a core. */
#define MEL_ETHERNET_COMMAND_RELEASE 0x600
#define MEL_ETHERNET_COMMAND_SEND 0x604
#define MEL_ETHERNET_COMMAND_START 0x608
#define MEL_ETHERNET_REGION_FRAME(n) (0x000 + 4 * (n))
#define MEL_ETHERNET_REGION_ROUND_TRIP(n) (0x800 + 4 * (n))
#define MEL_ETHERNET_REG_IDENTITY 0xC00
#define MEL_ETHERNET_REG_FACTS_HASH 0xC04
#define MEL_ETHERNET_REG_SIZES 0xC08
#define MEL_ETHERNET_REG_CORE 0xC0C
#define MEL_ETHERNET_REG_REFUSED 0xC10
#define MEL_ETHERNET_REG_ANSWER 0xC14
#define MEL_ETHERNET_REG_LENGTH 0xC18
#define MEL_ETHERNET_REG_ROOM 0xC1C
#define MEL_ETHERNET_REG_ACCEPTED 0xC20
#define MEL_ETHERNET_REG_LOST 0xC24
#define MEL_ETHERNET_REG_FOREIGN 0xC28
#define MEL_ETHERNET_REG_MALFORMED 0xC2C
#define MEL_ETHERNET_REG_SENT 0xC30
#define MEL_ETHERNET_REG_STATION 0xC34
#define MEL_ETHERNET_REG_FORM 0xD00
#define MEL_ETHERNET_REG_BYTES 0xD04
#define MEL_ETHERNET_REG_PERIOD 0xD08
#define MEL_ETHERNET_REG_LOSS 0xD0C
#define MEL_ETHERNET_REG_REORDER 0xD10
#define MEL_ETHERNET_REG_CORRUPT 0xD14
#define MEL_ETHERNET_REG_SEED 0xD18
#define MEL_ETHERNET_REG_BUSY 0xD1C
#define MEL_ETHERNET_REG_OFFERED 0xD20
#define MEL_ETHERNET_REG_DROPPED 0xD24
#define MEL_ETHERNET_REG_CORRUPTED 0xD28
#define MEL_ETHERNET_REG_REPLIES 0xD2C
#define MEL_ETHERNET_REG_WRONG 0xD30
#define MEL_ETHERNET_REG_DISORDERED 0xD34
#define MEL_ETHERNET_REG_OTHERS 0xD38

/* Answers. */
#define MEL_ETHERNET_ANSWER_DONE 0x0 /* the command was performed */
#define MEL_ETHERNET_ANSWER_NONE 0xFFFFFFFF /* the access was refused */

/* Limits of the parameters. */
#define MEL_ETHERNET_SLOTS_MAX 16
#define MEL_ETHERNET_WORDS_MAX 384
#define MEL_ETHERNET_SAMPLES_MAX 256
#define MEL_ETHERNET_CORES_MAX 4

#endif
