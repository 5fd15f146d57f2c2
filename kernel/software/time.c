/* SPDX-License-Identifier: Apache-2.0 */
/* time.c: calls of the software kernel in which a task waits for no object but time, or sleeps; the tick length. Checks and
 * effects as melanion/model/time.py and task.py. The tick itself is in timeouts.c. Each call is one critical section. */
#include "software/call.h"

/* The blocking half of a call; apart, so that the other half is a leaf. */
static __attribute__((noinline)) mel_status_t wait_asleep(mel_ticks_t timeout)
{
    mel_run_queue_remove(mel_running_task());
    return mel_wait(MEL_OP_TASK_SLEEP, 0, timeout, MEL_HELD_SLEEP, timeout);
}

mel_status_t mel_task_sleep(mel_ticks_t timeout)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(!mel_caller_is_task() || (timeout != MEL_POLL && !mel_caller_may_block()), MEL_OP_TASK_SLEEP, 0,
                    timeout, MEL_E_CTX);
    mel_task_t *task = mel_running_task();
    if (task->wakeups != 0) {
        task->wakeups--;
        return mel_leave(key, MEL_OP_TASK_SLEEP, 0, timeout, MEL_E_OK);
    }
    MEL_REFUSE_WHEN(timeout == MEL_POLL, MEL_OP_TASK_SLEEP, 0, timeout, MEL_E_TMOUT);
    return wait_asleep(timeout);
}

mel_status_t mel_task_delay(mel_ticks_t ticks)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(!mel_caller_may_block(), MEL_OP_TASK_DELAY, 0, ticks, MEL_E_CTX);
    MEL_REFUSE_WHEN(ticks == 0, MEL_OP_TASK_DELAY, 0, ticks, MEL_E_OK);
    mel_run_queue_remove(mel_running_task());
    return mel_wait(MEL_OP_TASK_DELAY, 0, ticks, MEL_HELD_DELAY, ticks);
}

mel_status_t mel_task_delay_until(mel_ticks_t time)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(!mel_caller_may_block(), MEL_OP_TASK_DELAY_UNTIL, 0, time, MEL_E_CTX);
    const uint32_t ticks = time - (uint32_t)mel_time_now;
    MEL_REFUSE_WHEN(ticks == 0 || ticks >> 31 != 0, MEL_OP_TASK_DELAY_UNTIL, 0, time, MEL_E_TMOUT);
    mel_run_queue_remove(mel_running_task());
    return mel_wait(MEL_OP_TASK_DELAY_UNTIL, 0, time, MEL_HELD_DELAY, ticks);
}

mel_status_t mel_tick_set(uint32_t cycles)
{
    const mel_key_t key = mel_lock();
    MEL_REFUSE_WHEN(cycles != 0 && cycles < MEL_TICK_CYCLES_MINIMUM, MEL_OP_TICK_SET, 0, cycles, MEL_E_PAR);
    mel_time_length(cycles);
    return mel_leave(key, MEL_OP_TICK_SET, 0, cycles, MEL_E_OK);
}

mel_status_t mel_time_get(uint64_t *ticks)
{
    const mel_key_t key = mel_lock();
    *ticks = mel_time_now;
    mel_unlock(key);
    return MEL_E_OK;
}
