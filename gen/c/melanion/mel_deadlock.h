/* SPDX-License-Identifier: Apache-2.0 */
/* mel_deadlock.h: the numbers that the deadlock detection unit and its software share: the window of a core, answers, limits.
 * Contract: the facts of spec/ (deadlock.yaml), nothing else; usable from C and from assembly.
 * Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
 */
#ifndef MEL_DEADLOCK_H
#define MEL_DEADLOCK_H

/* First 32 bits of the hash of spec/deadlock.yaml: boot code compares it with the unit's. */
#define MEL_DEADLOCK_FACTS_HASH 0x2ce860b5
#define MEL_DEADLOCK_IDENTITY 0x4D454C44
#define MEL_DEADLOCK_WINDOW_BYTES 4096

/* Offsets in the window of a core. */
#define MEL_DEADLOCK_COMMAND_REQUEST 0x000
#define MEL_DEADLOCK_COMMAND_GRANT 0x004
#define MEL_DEADLOCK_COMMAND_RELEASE 0x008
#define MEL_DEADLOCK_COMMAND_WITHDRAW 0x00C
#define MEL_DEADLOCK_COMMAND_CLEAR 0x010
#define MEL_DEADLOCK_REGION_HOLDER(n) (0x400 + 4 * (n))
#define MEL_DEADLOCK_REGION_WAITING(n) (0x600 + 8 * (n))
#define MEL_DEADLOCK_REG_IDENTITY 0xC00
#define MEL_DEADLOCK_REG_FACTS_HASH 0xC04
#define MEL_DEADLOCK_REG_SIZES 0xC08
#define MEL_DEADLOCK_REG_CORE 0xC0C
#define MEL_DEADLOCK_REG_REFUSED 0xC10
#define MEL_DEADLOCK_REG_ANSWER 0xC14
#define MEL_DEADLOCK_REG_NOTICE 0xC18
#define MEL_DEADLOCK_REG_STEPS 0xC1C
#define MEL_DEADLOCK_REG_PROCESSES 0xC20
#define MEL_DEADLOCK_REG_PROCESSES_HIGH 0xC24
#define MEL_DEADLOCK_REG_RESOURCES 0xC28
#define MEL_DEADLOCK_REG_RESOURCES_HIGH 0xC2C

/* Answers. */
#define MEL_DEADLOCK_ANSWER_WAITS 0x0 /* the process waits, and is in no deadlock */
#define MEL_DEADLOCK_ANSWER_DONE 0x1 /* the command was performed; after `request` and `grant` the process holds the resource */
#define MEL_DEADLOCK_ANSWER_DEADLOCK 0x2 /* as `waits` or `done`, and the process is in a deadlock */
#define MEL_DEADLOCK_ANSWER_NONE 0xFFFFFFFF /* the access was refused; no process */

/* Limits of the parameters. */
#define MEL_DEADLOCK_PROCESSES_MAX 64
#define MEL_DEADLOCK_RESOURCES_MAX 64
#define MEL_DEADLOCK_CORES_MAX 4

#endif
