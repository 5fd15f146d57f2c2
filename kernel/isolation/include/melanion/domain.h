/* SPDX-License-Identifier: Apache-2.0 */
/* domain.h: tasks in user mode, each in a protection domain: regions of memory that it may use, and objects that it may call. For systems whose core has
 * physical memory protection (core.pmp). What a task may not do ends it (memory) or is refused with E_OACV (objects); both are counted.
 *
 * A domain is made by the kernel's side of a program, in its own memory. User mode may execute and read all code and constants, read and write the
 * domain's regions, and nothing else. It calls the kernel by melanion/user.h. Ports and devices are out of its reach, unless a region covers them.
 * A task in user mode has two stacks: that of its attributes, for the kernel, and one in a region. */
#ifndef MELANION_DOMAIN_H
#define MELANION_DOMAIN_H

#include <melanion/task.h>

#define MEL_DOMAIN_REGIONS 3
#define MEL_REGION_READ 1u
#define MEL_REGION_WRITE 2u

/* Objects that a domain may be allowed to call. */
#define MEL_GRANT_SEMAPHORE 0u
#define MEL_GRANT_EVENT_FLAGS 1u
#define MEL_GRANT_MUTEX 2u
#define MEL_GRANT_QUEUE 3u
#define MEL_GRANT_TASK 4u /* to wake it up, and to notify it; a task may always do so with itself */
#define MEL_GRANT_KINDS 5u
#define MEL_GRANT_WORDS 8 /* 256 objects of each kind at most */

/* Content: made by the calls below; `refused` and `faults` count, by all tasks of the domain. */
typedef struct {
    uint32_t address[MEL_DOMAIN_REGIONS]; /* the core's pmpaddr1 … pmpaddr3 */
    uint32_t access;                      /* its pmpcfg0 */
    uint32_t granted[MEL_GRANT_KINDS][MEL_GRANT_WORDS];
    volatile uint32_t refused; /* calls that were answered E_OACV */
    volatile uint32_t faults;  /* tasks that were ended */
} mel_domain_t;

/* Task in user mode. It stays in memory as long as the task exists. */
typedef struct {
    mel_domain_t *domain;
    mel_task_entry_t entry;
    void *argument;
    void *stack;       /* lowest address; all of it in a region that may be written */
    size_t stack_size; /* bytes, a multiple of MEL_STACK_ALIGNMENT */
} mel_user_t;

/* Define static memory for a region: `bytes` are a power of two, 16 at least, and the memory is aligned to them. */
#define MEL_REGION(name, bytes)                                                                         \
    _Static_assert(((bytes) & ((bytes) - 1)) == 0 && (bytes) >= 16, "a region has 16, 32, 64 … bytes"); \
    static uint8_t name[bytes] __attribute__((aligned(bytes)))

/* A domain without regions and objects. Callers: any. */
void mel_domain_init(mel_domain_t *domain);

/* Region `index` (0 … 2): `bytes`, a power of two from 16 on, from `base`, a multiple of it; access: MEL_REGION_READ, or both. A task of the domain that runs
 * sees it when it next enters user mode behind another one's. Callers: any. E_OK; E_PAR. */
mel_status_t mel_domain_region(mel_domain_t *domain, uint32_t index, const volatile void *base, uint32_t bytes, uint32_t access);

/* Allow the domain to call object `id` of a kind (MEL_GRANT_…). Callers: any. E_OK; E_PAR: no such kind; E_ID: above 255. */
mel_status_t mel_domain_grant(mel_domain_t *domain, uint32_t kind, mel_id_t id);

/* Make a task, dormant, that runs `user` in user mode; entry and argument of `attributes` are left out. Its stack there is the kernel's: 512 bytes are enough.
 * Callers and statuses as of mel_task_create; E_PAR also: the user's stack is not in a region that the domain may write. */
mel_status_t mel_task_create_user(mel_id_t task, const mel_task_attributes_t *attributes, const mel_user_t *user);

/* Called when a task in user mode did what it may not, before it ends: in machine mode, as that task, with interrupts on. `cause`, `pc`, `address`: mcause, mepc
 * and mtval of the core. A program may define it; else nothing is done. */
void mel_user_fault_hook(mel_id_t task, uint32_t cause, uint32_t pc, uint32_t address);

#endif
