/* SPDX-License-Identifier: Apache-2.0 */
/* mel_booster.h: the register view of the booster: offsets in the window of a core, and the word of a service call.
 * Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again. */
#ifndef MEL_BOOSTER_H
#define MEL_BOOSTER_H

/* Registers of processor `p`, which only core `p` reaches. */
#define MEL_BOOSTER_SERVICE(p) (0x200u + 0x10u * (p))
#define MEL_BOOSTER_WORD(p) (0x204u + 0x10u * (p))
#define MEL_BOOSTER_ROUND_ROBIN(p) (0x208u + 0x10u * (p))
#define MEL_BOOSTER_RUNNING(p) (0x20Cu + 0x10u * (p))

/* Shared registers. */
#define MEL_BOOSTER_TIME_LOW 0x240u
#define MEL_BOOSTER_TIME_HIGH 0x244u
#define MEL_BOOSTER_TICK 0x248u
#define MEL_BOOSTER_PERIOD 0x24Cu
#define MEL_BOOSTER_MICROSECONDS 0x250u

/* A service call: command, object, and an argument of 18 bits, sign-extended. */
#define MEL_BOOSTER_CALL(op, id, argument) \
    ((uint32_t)(op) << 26 | (uint32_t)(id) << 18 | ((uint32_t)(argument) & 0x3FFFFu))

#endif
