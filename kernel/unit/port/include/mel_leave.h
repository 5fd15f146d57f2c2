/* SPDX-License-Identifier: Apache-2.0 */
/* mel_leave.h: on the coupling `port`: the end of an inline call whose answer may say that another task runs. */
#ifndef MEL_LEAVE_H
#define MEL_LEAVE_H

/* Leave the core to the task that the unit has chosen; returns the caller's answer when it runs
 * again. Defined by the kernel. */
mel_status_t mel_unit_switch(void);

/* The status, when the caller runs again. */
extern inline __attribute__((gnu_inline, always_inline)) mel_status_t mel_port_leave(int32_t answer)
{
    return __builtin_expect(answer > 0, 0) ? mel_unit_switch() : answer;
}

/* The end of a call that usually leaves the core. */
extern inline __attribute__((gnu_inline, always_inline)) mel_status_t mel_port_leave_at_once(void)
{
    return mel_port_leave((int32_t)*(volatile uint32_t *)MEL_PORT_ANSWER);
}

#endif
