/* SPDX-License-Identifier: Apache-2.0 */
/* mel_leave.h: on the coupling `banked`: the end of an inline call whose answer may say that another task runs. The store changes the
 * context, the jump goes where its task goes on; when this one does, that is behind the jump, and its status is in a0. */
#ifndef MEL_LEAVE_H
#define MEL_LEAVE_H

/* The status, when the caller runs again. */
extern inline __attribute__((gnu_inline, always_inline)) mel_status_t mel_port_leave(int32_t answer)
{
    register int32_t status __asm__("a0") = answer;
    __asm__ volatile("blez a0, 1f\n\t.option push\n\t.option norvc\n\tsw gp, %%lo(%c1)(zero)\n\tjr gp\n\t.option pop\n1:"
                     : "+r"(status) : "i"(MEL_BANK_SWITCH) : "memory");
    return status;
}

/* The end of a call that usually leaves the core: the answer is not looked at before, the store waits for it. */
extern inline __attribute__((gnu_inline, always_inline)) mel_status_t mel_port_leave_at_once(void)
{
    register int32_t status __asm__("a0");
    __asm__ volatile(".option push\n\t.option norvc\n\tsw gp, %%lo(%c1)(zero)\n\tjr gp\n\t.option pop"
                     : "=r"(status) : "i"(MEL_BANK_SWITCH) : "memory");
    return status;
}

#endif
