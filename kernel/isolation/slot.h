/* SPDX-License-Identifier: Apache-2.0 */
/* slot.h: what the kernel keeps of a task in user mode, at the top of its kernel stack, where mscratch points while the task is there. C and assembly.
 * mscratch is 0 in machine mode. */
#ifndef MEL_ISOLATION_SLOT_H
#define MEL_ISOLATION_SLOT_H

/* Byte offsets; T0 and T1: of a moment. */
#define SLOT_T0 0
#define SLOT_SP 4 /* user mode's, as PC, GP and TP */
#define SLOT_PC 8
#define SLOT_GP 12
#define SLOT_TP 16
#define SLOT_KERNEL_TP 20
#define SLOT_DOMAIN 24
#define SLOT_T1 28
#define SLOT_BYTES 32

/* Byte offsets in mel_domain_t and mel_user_t (user.c checks them). */
#define DOMAIN_ADDRESS 0
#define DOMAIN_ACCESS 12
#define USER_DOMAIN 0
#define USER_ENTRY 4
#define USER_ARGUMENT 8
#define USER_STACK 12
#define USER_STACK_SIZE 16

#endif
