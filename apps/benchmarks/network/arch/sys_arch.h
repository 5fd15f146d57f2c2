/* SPDX-License-Identifier: Apache-2.0 */
/* sys_arch.h: lwIP's semaphores and mailboxes are the kernel's semaphores and message queues; a value is the object's number + 1, and 0 is none. */
#ifndef ARCH_SYS_ARCH_H
#define ARCH_SYS_ARCH_H

#include <stdint.h>

typedef struct {
    uint32_t number;
} sys_sem_t, sys_mbox_t;
typedef uint32_t sys_thread_t; /* number of the task */

#define sys_sem_valid(sem) ((sem)->number != 0)
#define sys_sem_set_invalid(sem) ((sem)->number = 0)
#define sys_mbox_valid(mbox) ((mbox)->number != 0)
#define sys_mbox_set_invalid(mbox) ((mbox)->number = 0)

#endif
