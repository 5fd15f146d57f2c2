/* SPDX-License-Identifier: Apache-2.0 */
/* user.h: kernel calls from user mode (melanion/domain.h): an environment call with the number in a7. Each is the call of the same name without user_,
 * with its statuses, and E_OACV: the domain may not call this object. A word that a call brings comes in a register, so no pointer goes to the kernel.
 * Timing: an environment call and the way back cost what docs/explanation/isolation.md says. */
#ifndef MELANION_USER_H
#define MELANION_USER_H

#include <melanion/types.h>

#define MEL_USER_YIELD 0
#define MEL_USER_DELAY 1
#define MEL_USER_SLEEP 2
#define MEL_USER_WAKEUP 3
#define MEL_USER_TIME 4
#define MEL_USER_EXIT 5
#define MEL_USER_SEM_GIVE 6
#define MEL_USER_SEM_TAKE 7
#define MEL_USER_FLAGS_SET 8
#define MEL_USER_FLAGS_CLEAR 9
#define MEL_USER_FLAGS_WAIT 10
#define MEL_USER_MUTEX_LOCK 11
#define MEL_USER_MUTEX_UNLOCK 12
#define MEL_USER_QUEUE_SEND 13
#define MEL_USER_QUEUE_RECEIVE 14
#define MEL_USER_NOTIFICATION_SEND 15
#define MEL_USER_NOTIFICATION_TAKE 16
#define MEL_USER_CALLS 17

/* Answer of an environment call: status and word. */
typedef struct {
    mel_status_t status;
    uint32_t value;
} mel_user_answer_t;

static inline __attribute__((always_inline)) mel_user_answer_t mel_user_ask(uint32_t number, uint32_t first, uint32_t second,
                                                                            uint32_t third, uint32_t fourth)
{
    register uint32_t a0 __asm__("a0") = first;
    register uint32_t a1 __asm__("a1") = second;
    register uint32_t a2 __asm__("a2") = third;
    register uint32_t a3 __asm__("a3") = fourth;
    register uint32_t a7 __asm__("a7") = number;
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a7)
                     :
                     : "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a4", "a5", "a6", "memory");
    return (mel_user_answer_t){(mel_status_t)a0, a1};
}

static inline mel_status_t mel_user_word(mel_user_answer_t answer, uint32_t *value)
{
    if (answer.status == MEL_E_OK) {
        *value = answer.value;
    }
    return answer.status;
}

static inline mel_status_t mel_user_task_yield(void)
{
    return mel_user_ask(MEL_USER_YIELD, 0, 0, 0, 0).status;
}

static inline mel_status_t mel_user_task_delay(mel_ticks_t ticks)
{
    return mel_user_ask(MEL_USER_DELAY, ticks, 0, 0, 0).status;
}

static inline mel_status_t mel_user_task_sleep(mel_ticks_t timeout)
{
    return mel_user_ask(MEL_USER_SLEEP, timeout, 0, 0, 0).status;
}

static inline mel_status_t mel_user_task_wakeup(mel_id_t task)
{
    return mel_user_ask(MEL_USER_WAKEUP, task, 0, 0, 0).status;
}

/* The low word of the tick counter. */
static inline mel_ticks_t mel_user_time(void)
{
    return mel_user_ask(MEL_USER_TIME, 0, 0, 0, 0).value;
}

static inline _Noreturn void mel_user_task_exit(void)
{
    for (;;) {
        (void)mel_user_ask(MEL_USER_EXIT, 0, 0, 0, 0);
    }
}

static inline mel_status_t mel_user_sem_give(mel_id_t sem)
{
    return mel_user_ask(MEL_USER_SEM_GIVE, sem, 0, 0, 0).status;
}

static inline mel_status_t mel_user_sem_take(mel_id_t sem, mel_ticks_t timeout)
{
    return mel_user_ask(MEL_USER_SEM_TAKE, sem, timeout, 0, 0).status;
}

static inline mel_status_t mel_user_flags_set(mel_id_t flags, uint32_t pattern)
{
    return mel_user_ask(MEL_USER_FLAGS_SET, flags, pattern, 0, 0).status;
}

static inline mel_status_t mel_user_flags_clear(mel_id_t flags, uint32_t pattern)
{
    return mel_user_ask(MEL_USER_FLAGS_CLEAR, flags, pattern, 0, 0).status;
}

/* `mode`: as of mel_flags_wait. */
static inline mel_status_t mel_user_flags_wait(mel_id_t flags, uint32_t pattern, uint32_t mode, mel_ticks_t timeout, uint32_t *value)
{
    return mel_user_word(mel_user_ask(MEL_USER_FLAGS_WAIT, flags, pattern, mode, timeout), value);
}

static inline mel_status_t mel_user_mutex_lock(mel_id_t mutex, mel_ticks_t timeout)
{
    return mel_user_ask(MEL_USER_MUTEX_LOCK, mutex, timeout, 0, 0).status;
}

static inline mel_status_t mel_user_mutex_unlock(mel_id_t mutex)
{
    return mel_user_ask(MEL_USER_MUTEX_UNLOCK, mutex, 0, 0, 0).status;
}

static inline mel_status_t mel_user_queue_send(mel_id_t queue, uint32_t message, mel_ticks_t timeout)
{
    return mel_user_ask(MEL_USER_QUEUE_SEND, queue, message, timeout, 0).status;
}

static inline mel_status_t mel_user_queue_receive(mel_id_t queue, mel_ticks_t timeout, uint32_t *message)
{
    return mel_user_word(mel_user_ask(MEL_USER_QUEUE_RECEIVE, queue, timeout, 0, 0), message);
}

static inline mel_status_t mel_user_notification_send(mel_id_t task, uint32_t value)
{
    return mel_user_ask(MEL_USER_NOTIFICATION_SEND, task, value, 0, 0).status;
}

static inline mel_status_t mel_user_notification_take(mel_ticks_t timeout, uint32_t *value)
{
    return mel_user_word(mel_user_ask(MEL_USER_NOTIFICATION_TAKE, timeout, 0, 0, 0), value);
}

#endif
