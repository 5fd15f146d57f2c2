/* SPDX-License-Identifier: Apache-2.0 */
/* notification.h: on the coupling `port`: the interface of kernel/include/melanion/notification.h, with all calls inline. */
#ifndef MELANION_PORT_NOTIFICATION_H
#define MELANION_PORT_NOTIFICATION_H

#include_next <melanion/notification.h>

#include <mel_port.h>

/* The library's functions, for numbers that are no command's. */
mel_status_t mel_port_library_set(mel_id_t task, uint32_t bits) __asm__("mel_notification_set");
mel_status_t mel_port_library_overwrite(mel_id_t task, uint32_t value) __asm__("mel_notification_overwrite");
mel_status_t mel_port_library_send(mel_id_t task, uint32_t value) __asm__("mel_notification_send");
mel_status_t mel_port_library_give(mel_id_t task) __asm__("mel_notification_give");
mel_status_t mel_port_library_cancel(mel_id_t task) __asm__("mel_notification_cancel");
mel_status_t mel_port_library_clear(mel_id_t task, uint32_t bits, uint32_t *before) __asm__("mel_notification_clear");

MEL_PORT_CALL mel_status_t mel_notification_set(mel_id_t task, uint32_t bits)
{
    if (__builtin_expect(!mel_port_numbers(task), 0)) {
        return mel_port_library_set(task, bits);
    }
    mel_port_command(MEL_OP_NOTIFICATION_SET, task, bits);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_notification_overwrite(mel_id_t task, uint32_t value)
{
    if (__builtin_expect(!mel_port_numbers(task), 0)) {
        return mel_port_library_overwrite(task, value);
    }
    mel_port_command(MEL_OP_NOTIFICATION_OVERWRITE, task, value);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_notification_send(mel_id_t task, uint32_t value)
{
    if (__builtin_expect(!mel_port_numbers(task), 0)) {
        return mel_port_library_send(task, value);
    }
    mel_port_command(MEL_OP_NOTIFICATION_SEND, task, value);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_notification_give(mel_id_t task)
{
    if (__builtin_expect(!mel_port_numbers(task), 0)) {
        return mel_port_library_give(task);
    }
    mel_port_command(MEL_OP_NOTIFICATION_GIVE, task, 0);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_notification_cancel(mel_id_t task)
{
    if (__builtin_expect(!mel_port_numbers(task), 0)) {
        return mel_port_library_cancel(task);
    }
    mel_port_command(MEL_OP_NOTIFICATION_CANCEL, task, 0);
    return mel_port_answer();
}

MEL_PORT_CALL mel_status_t mel_notification_clear(mel_id_t task, uint32_t bits, uint32_t *before)
{
    if (__builtin_expect(!mel_port_numbers(task), 0)) {
        return mel_port_library_clear(task, bits, before);
    }
    mel_port_command(MEL_OP_NOTIFICATION_CLEAR, task, bits);
    return mel_port_answer_value(before);
}

MEL_PORT_CALL mel_status_t mel_notification_wait(uint32_t clear, mel_ticks_t timeout, uint32_t *value)
{
    mel_port_operand(timeout);
    mel_port_plain(MEL_OP_NOTIFICATION_WAIT, clear);
    return mel_port_answer_value(value);
}

MEL_PORT_CALL mel_status_t mel_notification_take(mel_ticks_t timeout, uint32_t *value)
{
    mel_port_plain(MEL_OP_NOTIFICATION_TAKE, timeout);
    return mel_port_answer_value(value);
}

MEL_PORT_CALL mel_status_t mel_notification_take_all(mel_ticks_t timeout, uint32_t *value)
{
    mel_port_plain(MEL_OP_NOTIFICATION_TAKE_ALL, timeout);
    return mel_port_answer_value(value);
}

#endif
