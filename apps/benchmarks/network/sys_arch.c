/* SPDX-License-Identifier: Apache-2.0 */
/* sys_arch.c: what lwIP asks of an operating system, over the calls of Melanion. */
#include "network.h"

#include "arch/sys_arch.h"

#include "lwip/err.h"
#include "lwip/sys.h"

enum { SEMAPHORES_MAX = 8, QUEUES_MAX = 4, COUNT_MAX = 255 };

static bool semaphore_taken[SEMAPHORES_MAX], queue_taken[QUEUES_MAX];

/* Number of a free object + 1, which is taken from now on; 0: there is none. */
static uint32_t take(bool *taken, uint32_t count)
{
    uint32_t found = 0;
    SYS_ARCH_DECL_PROTECT(level);
    SYS_ARCH_PROTECT(level);
    for (uint32_t i = 0; i < count && found == 0; i++) {
        if (!taken[i]) {
            taken[i] = true;
            found = i + 1;
        }
    }
    SYS_ARCH_UNPROTECT(level);
    return found;
}

static mel_id_t semaphore(const sys_sem_t *sem)
{
    return SEMAPHORE_LWIP + sem->number - 1;
}

static mel_ticks_t ticks(u32_t ms)
{
    return ms == 0 ? MEL_FOREVER : ms * TICKS_PER_MS + 1;
}

void sys_init(void)
{
}

u32_t sys_now(void)
{
    uint64_t now = 0;
    CHECK(mel_time_get(&now));
    return (u32_t)now / TICKS_PER_MS;
}

err_t sys_sem_new(sys_sem_t *sem, u8_t count)
{
    sem->number = take(semaphore_taken, SEMAPHORES_MAX);
    if (sem->number == 0) {
        return ERR_MEM;
    }
    CHECK(mel_sem_create(semaphore(sem), count, COUNT_MAX));
    return ERR_OK;
}

void sys_sem_free(sys_sem_t *sem)
{
    CHECK(mel_sem_delete(semaphore(sem)));
    semaphore_taken[sem->number - 1] = false;
}

void sys_sem_signal(sys_sem_t *sem)
{
    CHECK(mel_sem_give(semaphore(sem)));
}

u32_t sys_arch_sem_wait(sys_sem_t *sem, u32_t timeout)
{
    const mel_status_t status = mel_sem_take(semaphore(sem), ticks(timeout));
    if (status == MEL_E_TMOUT) {
        return SYS_ARCH_TIMEOUT;
    }
    CHECK(status);
    return 0;
}

err_t sys_mbox_new(sys_mbox_t *mbox, int size)
{
    mbox->number = take(queue_taken, QUEUES_MAX);
    if (mbox->number == 0) {
        return ERR_MEM;
    }
    CHECK(mel_queue_create(mbox->number - 1, (uint32_t)size));
    return ERR_OK;
}

void sys_mbox_free(sys_mbox_t *mbox)
{
    CHECK(mel_queue_delete(mbox->number - 1));
    queue_taken[mbox->number - 1] = false;
}

void sys_mbox_post(sys_mbox_t *mbox, void *message)
{
    CHECK(mel_queue_send(mbox->number - 1, (uint32_t)(uintptr_t)message, MEL_FOREVER));
}

err_t sys_mbox_trypost(sys_mbox_t *mbox, void *message)
{
    const mel_status_t status = mel_queue_send(mbox->number - 1, (uint32_t)(uintptr_t)message, MEL_POLL);
    if (status == MEL_E_TMOUT) {
        return ERR_MEM;
    }
    CHECK(status);
    return ERR_OK;
}

err_t sys_mbox_trypost_fromisr(sys_mbox_t *mbox, void *message)
{
    return sys_mbox_trypost(mbox, message);
}

static u32_t fetch(sys_mbox_t *mbox, void **message, mel_ticks_t timeout, u32_t none)
{
    uint32_t word = 0;
    const mel_status_t status = mel_queue_receive(mbox->number - 1, timeout, &word);
    if (status == MEL_E_TMOUT) {
        return none;
    }
    CHECK(status);
    if (message != NULL) {
        *message = (void *)(uintptr_t)word;
    }
    return 0;
}

u32_t sys_arch_mbox_fetch(sys_mbox_t *mbox, void **message, u32_t timeout)
{
    return fetch(mbox, message, ticks(timeout), SYS_ARCH_TIMEOUT);
}

u32_t sys_arch_mbox_tryfetch(sys_mbox_t *mbox, void **message)
{
    return fetch(mbox, message, MEL_POLL, SYS_MBOX_EMPTY);
}

/* The one task that lwIP makes is that of the protocols. */
sys_thread_t sys_thread_new(const char *name, lwip_thread_fn thread, void *argument, int stack_size, int priority)
{
    (void)stack_size;
    network_task(TASK_PROTOCOLS, thread, argument, (mel_priority_t)priority, name);
    return TASK_PROTOCOLS;
}
