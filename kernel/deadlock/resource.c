/* SPDX-License-Identifier: Apache-2.0 */
/* resource.c: resources over semaphores of the kernel (deadlock.h). The unit hears of a wait before the kernel, and of a release before it, too: so it may
 * say that somebody holds a resource who is still to get it from one that does nothing but give it, and never says that it is free while somebody waits.
 * docs/decisions/0039 walks through what may come in between. */
#include <melanion/semaphore.h>
#include <melanion/task.h>

#include "deadlock/unit.h"

mel_status_t mel_resource_create(mel_id_t resource)
{
    return resource < MEL_DEADLOCK_RESOURCES ? mel_sem_create(resource, 1, 1) : MEL_E_ID;
}

mel_status_t mel_resource_take(mel_id_t resource, mel_ticks_t timeout)
{
    const mel_id_t task = mel_task_self();
    if (task >= MEL_DEADLOCK_PROCESSES || resource >= MEL_DEADLOCK_RESOURCES) {
        return MEL_E_ID;
    }
    const uint32_t answer = mel_deadlock_do(MEL_DEADLOCK_COMMAND_REQUEST, task, resource);
    if (answer == MEL_DEADLOCK_ANSWER_NONE) {
        return MEL_E_ILUSE;
    }
    if (answer == MEL_DEADLOCK_ANSWER_DONE) { /* the holder before has released it, and is about to give it */
        const mel_status_t status = mel_sem_take(resource, MEL_FOREVER);
        if (status != MEL_E_OK) {
            (void)mel_deadlock_do(MEL_DEADLOCK_COMMAND_RELEASE, task, resource);
        }
        return status;
    }
    const mel_status_t status = answer == MEL_DEADLOCK_ANSWER_DEADLOCK ? MEL_E_ILUSE : mel_sem_take(resource, timeout);
    (void)mel_deadlock_do(status == MEL_E_OK ? MEL_DEADLOCK_COMMAND_GRANT : MEL_DEADLOCK_COMMAND_WITHDRAW, task, resource);
    return status;
}

mel_status_t mel_resource_give(mel_id_t resource)
{
    const mel_id_t task = mel_task_self();
    if (task >= MEL_DEADLOCK_PROCESSES || resource >= MEL_DEADLOCK_RESOURCES) {
        return MEL_E_ID;
    }
    if (mel_deadlock_do(MEL_DEADLOCK_COMMAND_RELEASE, task, resource) != MEL_DEADLOCK_ANSWER_DONE) {
        return MEL_E_ILUSE;
    }
    return mel_sem_give(resource);
}
