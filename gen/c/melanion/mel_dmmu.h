/* SPDX-License-Identifier: Apache-2.0 */
/* mel_dmmu.h: the numbers that the memory management unit and its software share: the window of a core, answers, limits.
 * Contract: the facts of spec/ (dmmu.yaml), nothing else; usable from C and from assembly.
 * Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
 */
#ifndef MEL_DMMU_H
#define MEL_DMMU_H

/* First 32 bits of the hash of spec/dmmu.yaml: boot code compares it with the unit's. */
#define MEL_DMMU_FACTS_HASH 0x0b0d6f9c
#define MEL_DMMU_IDENTITY 0x4D454C4D
#define MEL_DMMU_WINDOW_BYTES 4096

/* Offsets in the window of a core. */
#define MEL_DMMU_COMMAND_ALLOCATE 0x000
#define MEL_DMMU_COMMAND_RELEASE 0x004
#define MEL_DMMU_COMMAND_GIVE 0x008
#define MEL_DMMU_COMMAND_CLEAR 0x00C
#define MEL_DMMU_REGION_ALLOCATION(n) (0x400 + 4 * (n))
#define MEL_DMMU_REG_IDENTITY 0xC00
#define MEL_DMMU_REG_FACTS_HASH 0xC04
#define MEL_DMMU_REG_SIZES 0xC08
#define MEL_DMMU_REG_CORE 0xC0C
#define MEL_DMMU_REG_REFUSED 0xC10
#define MEL_DMMU_REG_ANSWER 0xC14
#define MEL_DMMU_REG_FAILED 0xC18
#define MEL_DMMU_REG_FREE 0xC1C
#define MEL_DMMU_REG_LEAST 0xC20

/* Answers. */
#define MEL_DMMU_ANSWER_DONE 0x0 /* the command was performed; after `allocate` the answer is the first block, of any number */
#define MEL_DMMU_ANSWER_FULL 0xFFFFFFFE /* there are not as many free blocks one behind the other; nothing changed but `failed` */
#define MEL_DMMU_ANSWER_NONE 0xFFFFFFFF /* the access was refused; no allocation */

/* Limits of the parameters. */
#define MEL_DMMU_BLOCKS_MAX 256
#define MEL_DMMU_OWNERS_MAX 256
#define MEL_DMMU_CORES_MAX 4

#endif
