/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h: on the kernel `freertos`: the interface of kernel/include/melanion/kernel.h, with start and the switch of dispatching inline. FreeRTOS counts how often
 * its scheduler was suspended; Melanion does not, so a second mel_dispatch_disable needs a second mel_dispatch_enable here. */
#ifndef MELANION_FREERTOS_KERNEL_H
#define MELANION_FREERTOS_KERNEL_H

#include_next <melanion/kernel.h>

#include <mel_freertos.h>

_Noreturn void mel_freertos_start(void);

extern inline __attribute__((gnu_inline, always_inline)) _Noreturn void mel_kernel_start(void)
{
    mel_freertos_start();
}

MEL_FREERTOS_CALL mel_status_t mel_dispatch_disable(void)
{
    vTaskSuspendAll();
    return MEL_E_OK;
}

MEL_FREERTOS_CALL mel_status_t mel_dispatch_enable(void)
{
    (void)xTaskResumeAll();
    return MEL_E_OK;
}

#endif
