/* SPDX-License-Identifier: Apache-2.0 */
/* user.c: domains, and what user mode asks of the kernel. */
#include <melanion/melanion.h>

#include "isolation/include/melanion/domain.h"
#include "isolation/include/melanion/user.h"
#include "isolation/slot.h"

/* pmpcfg0: one byte for each of four regions. Region 0, the same for all domains, is everything below the end of code and constants; nothing is below the memory. */
#define PMP_TOR 0x08u
#define PMP_NAPOT 0x18u
#define PMP_EXECUTE 4u
#define ACCESS_OF_CODE (PMP_TOR | MEL_REGION_READ | PMP_EXECUTE)

_Static_assert(offsetof(mel_domain_t, address) == DOMAIN_ADDRESS, "slot.h: DOMAIN_ADDRESS");
_Static_assert(offsetof(mel_domain_t, access) == DOMAIN_ACCESS, "slot.h: DOMAIN_ACCESS");
_Static_assert(offsetof(mel_user_t, domain) == USER_DOMAIN, "slot.h: USER_DOMAIN");
_Static_assert(offsetof(mel_user_t, entry) == USER_ENTRY, "slot.h: USER_ENTRY");
_Static_assert(offsetof(mel_user_t, argument) == USER_ARGUMENT, "slot.h: USER_ARGUMENT");
_Static_assert(offsetof(mel_user_t, stack) == USER_STACK, "slot.h: USER_STACK");
_Static_assert(offsetof(mel_user_t, stack_size) == USER_STACK_SIZE, "slot.h: USER_STACK_SIZE");
_Static_assert(MEL_USER_EXIT == 5, "user.S: mel_user_end");

void mel_user_begin(void *user);        /* user.S, as are the callers of mel_user_call and mel_user_fault */
mel_user_answer_t mel_user_call(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth, mel_domain_t *domain, uint32_t number);
_Noreturn void mel_user_fault(uint32_t cause, uint32_t pc, uint32_t address, mel_domain_t *domain);

/* The domain whose regions a core has. */
const mel_domain_t *mel_domain_loaded[MEL_CORES];

void mel_domain_init(mel_domain_t *domain)
{
    *domain = (mel_domain_t){.access = ACCESS_OF_CODE};
}

mel_status_t mel_domain_region(mel_domain_t *domain, uint32_t index, const volatile void *base, uint32_t bytes, uint32_t access)
{
    const uint32_t address = (uint32_t)(uintptr_t)base;
    const bool napot = bytes >= 16 && (bytes & (bytes - 1)) == 0 && (address & (bytes - 1)) == 0;
    if (index >= MEL_DOMAIN_REGIONS || !napot || (access | MEL_REGION_WRITE) != (MEL_REGION_READ | MEL_REGION_WRITE)) {
        return MEL_E_PAR;
    }
    domain->address[index] = address >> 2 | ((bytes >> 3) - 1);
    const uint32_t shift = 8 * (index + 1);
    domain->access = (domain->access & ~(UINT32_C(0xFF) << shift)) | (PMP_NAPOT | access) << shift;
    return MEL_E_OK;
}

mel_status_t mel_domain_grant(mel_domain_t *domain, uint32_t kind, mel_id_t id)
{
    if (kind >= MEL_GRANT_KINDS) {
        return MEL_E_PAR;
    }
    if (id >= MEL_GRANT_WORDS * 32) {
        return MEL_E_ID;
    }
    domain->granted[kind][id / 32] |= UINT32_C(1) << id % 32;
    return MEL_E_OK;
}

/* Region `index` holds all of it, and may be written. */
static bool may_write(const mel_domain_t *domain, uint32_t index, uint32_t base, uint32_t bytes)
{
    const uint32_t word = domain->address[index];
    const uint32_t size = (~word & (word + 1)) << 3; /* the ones at its end */
    const uint32_t first = (word & (word + 1)) << 2;
    const bool writable = (domain->access >> 8 * (index + 1) & MEL_REGION_WRITE) != 0;
    return writable && bytes <= size && base - first <= size - bytes;
}

mel_status_t mel_task_create_user(mel_id_t task, const mel_task_attributes_t *attributes, const mel_user_t *user)
{
    bool held = false;
    for (uint32_t i = 0; i < MEL_DOMAIN_REGIONS; i++) {
        held |= may_write(user->domain, i, (uint32_t)(uintptr_t)user->stack, user->stack_size);
    }
    if (!held || user->entry == NULL || user->stack_size < 16 || user->stack_size % MEL_STACK_ALIGNMENT != 0 ||
        (uintptr_t)user->stack % MEL_STACK_ALIGNMENT != 0) {
        return MEL_E_PAR;
    }
    mel_task_attributes_t own = *attributes;
    own.entry = mel_user_begin;
    own.argument = (void *)(uintptr_t)user;
    return mel_task_create(task, &own);
}

/* --- the calls of user.h, all with one form ---------------------------------------------------------------------- */

typedef mel_user_answer_t (*call_t)(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth);

/* A call that brings no word; the macro's last argument is made of first, second and third. */
#define CALL(name, status)                                                                             \
    static mel_user_answer_t name(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)    \
    {                                                                                                  \
        (void)first, (void)second, (void)third, (void)fourth;                                          \
        return (mel_user_answer_t){status, 0};                                                         \
    }
/* A call that writes a word to `value`. */
#define CALL_VALUE(name, call)                                                                         \
    static mel_user_answer_t name(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)    \
    {                                                                                                  \
        uint32_t value = 0;                                                                            \
        (void)first, (void)second, (void)third, (void)fourth;                                          \
        const mel_status_t status = call;                                                              \
        return (mel_user_answer_t){status, value};                                                     \
    }

CALL(yield, mel_task_yield())
CALL(delay, mel_task_delay(first))
CALL(sleep, mel_task_sleep(first))
CALL(wakeup, mel_task_wakeup(first))
CALL(leave, mel_task_exit())
CALL(sem_give, mel_sem_give(first))
CALL(sem_take, mel_sem_take(first, second))
CALL(flags_set, mel_flags_set(first, second))
CALL(flags_clear, mel_flags_clear(first, second))
CALL_VALUE(flags_wait, mel_flags_wait(first, second, third, fourth, &value))
CALL(mutex_lock, mel_mutex_lock(first, second))
CALL(mutex_unlock, mel_mutex_unlock(first))
CALL(queue_send, mel_queue_send(first, second, third))
CALL_VALUE(queue_receive, mel_queue_receive(first, second, &value))
CALL(notification_send, mel_notification_send(first, second))
CALL_VALUE(notification_take, mel_notification_take(first, &value))

static mel_user_answer_t time_low(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)
{
    uint64_t now = 0;
    (void)first, (void)second, (void)third, (void)fourth;
    const mel_status_t status = mel_time_get(&now);
    return (mel_user_answer_t){status, (uint32_t)now};
}

/* `kind`: of the object that the call names first; MEL_GRANT_KINDS: none, and everybody may. */
static const struct {
    call_t call;
    uint32_t kind;
} calls[MEL_USER_CALLS] = {
    [MEL_USER_YIELD] = {yield, MEL_GRANT_KINDS},
    [MEL_USER_DELAY] = {delay, MEL_GRANT_KINDS},
    [MEL_USER_SLEEP] = {sleep, MEL_GRANT_KINDS},
    [MEL_USER_WAKEUP] = {wakeup, MEL_GRANT_TASK},
    [MEL_USER_TIME] = {time_low, MEL_GRANT_KINDS},
    [MEL_USER_EXIT] = {leave, MEL_GRANT_KINDS},
    [MEL_USER_SEM_GIVE] = {sem_give, MEL_GRANT_SEMAPHORE},
    [MEL_USER_SEM_TAKE] = {sem_take, MEL_GRANT_SEMAPHORE},
    [MEL_USER_FLAGS_SET] = {flags_set, MEL_GRANT_EVENT_FLAGS},
    [MEL_USER_FLAGS_CLEAR] = {flags_clear, MEL_GRANT_EVENT_FLAGS},
    [MEL_USER_FLAGS_WAIT] = {flags_wait, MEL_GRANT_EVENT_FLAGS},
    [MEL_USER_MUTEX_LOCK] = {mutex_lock, MEL_GRANT_MUTEX},
    [MEL_USER_MUTEX_UNLOCK] = {mutex_unlock, MEL_GRANT_MUTEX},
    [MEL_USER_QUEUE_SEND] = {queue_send, MEL_GRANT_QUEUE},
    [MEL_USER_QUEUE_RECEIVE] = {queue_receive, MEL_GRANT_QUEUE},
    [MEL_USER_NOTIFICATION_SEND] = {notification_send, MEL_GRANT_TASK},
    [MEL_USER_NOTIFICATION_TAKE] = {notification_take, MEL_GRANT_KINDS},
};

static mel_user_answer_t refuse(mel_domain_t *domain, mel_status_t status)
{
    domain->refused++;
    return (mel_user_answer_t){status, 0};
}

mel_user_answer_t mel_user_call(uint32_t first, uint32_t second, uint32_t third, uint32_t fourth, mel_domain_t *domain, uint32_t number)
{
    if (number >= MEL_USER_CALLS) {
        return refuse(domain, MEL_E_RSFN);
    }
    const uint32_t kind = calls[number].kind;
    if (kind != MEL_GRANT_KINDS) {
        const bool granted = first < MEL_GRANT_WORDS * 32 && (domain->granted[kind][first / 32] >> first % 32 & 1) != 0;
        if (!granted && (kind != MEL_GRANT_TASK || first != mel_task_self())) {
            return refuse(domain, MEL_E_OACV);
        }
    }
    return calls[number].call(first, second, third, fourth);
}

__attribute__((weak)) void mel_user_fault_hook(mel_id_t task, uint32_t cause, uint32_t pc, uint32_t address)
{
    (void)task;
    (void)cause;
    (void)pc;
    (void)address;
}

_Noreturn void mel_user_fault(uint32_t cause, uint32_t pc, uint32_t address, mel_domain_t *domain)
{
    domain->faults++;
    mel_user_fault_hook(mel_task_self(), cause, pc, address);
    for (;;) {
        (void)mel_task_exit();
    }
}
