/* SPDX-License-Identifier: Apache-2.0 */
/* task.h: on the coupling `port`: the interface of kernel/include/melanion/task.h, with rotate, yield, sleep, wakeup,
 * suspend and resume inline. */
#ifndef MELANION_PORT_TASK_H
#define MELANION_PORT_TASK_H

#include_next <melanion/task.h>

#include <mel_port.h>

/* The library's functions, for numbers that are no command's. */
mel_status_t mel_port_library_wakeup(mel_id_t task) __asm__("mel_task_wakeup");
mel_status_t mel_port_library_suspend(mel_id_t task) __asm__("mel_task_suspend");
mel_status_t mel_port_library_resume(mel_id_t task) __asm__("mel_task_resume");

MEL_PORT_CALL mel_status_t mel_task_rotate(mel_priority_t priority)
{
    mel_port_plain(MEL_OP_TASK_ROTATE, priority);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_task_yield(void)
{
    mel_port_plain(MEL_OP_TASK_ROTATE, MEL_OWN_PRIORITY);
    return mel_port_left();
}

MEL_PORT_CALL mel_status_t mel_task_sleep(mel_ticks_t timeout)
{
    mel_port_plain(MEL_OP_TASK_SLEEP, timeout);
    return mel_port_left();
}

MEL_PORT_CALL mel_status_t mel_task_wakeup(mel_id_t task)
{
    if (__builtin_expect(!mel_port_numbers(task), 0)) {
        return mel_port_library_wakeup(task);
    }
    mel_port_command(MEL_OP_TASK_WAKEUP, task, 0);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_task_suspend(mel_id_t task)
{
    if (__builtin_expect(!mel_port_numbers(task), 0)) {
        return mel_port_library_suspend(task);
    }
    mel_port_command(MEL_OP_TASK_SUSPEND, task, 0);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_task_resume(mel_id_t task)
{
    if (__builtin_expect(!mel_port_numbers(task), 0)) {
        return mel_port_library_resume(task);
    }
    mel_port_command(MEL_OP_TASK_RESUME, task, 0);
    return mel_port_answer();
}

#endif
