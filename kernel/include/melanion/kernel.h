/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h: starting the kernel, holding dispatch, ending the run. */
#ifndef MELANION_KERNEL_H
#define MELANION_KERNEL_H

#include <melanion/types.h>

/* Run the most urgent task from now on. Callers: idle (main()), once. Does not return: the caller becomes the
 * idle context, which sleeps (wfi) while no task is ready. FreeRTOS: vTaskStartScheduler. */
_Noreturn void mel_kernel_start(void);

/* The calling task keeps its core, whatever becomes ready, until mel_dispatch_enable or mel_task_exit; handlers still
 * run. Callers: task. E_OK. µITRON: dis_dsp. FreeRTOS: vTaskSuspendAll. */
mel_status_t mel_dispatch_disable(void);

/* The most urgent task runs again. Callers: task. E_OK. µITRON: ena_dsp. FreeRTOS: xTaskResumeAll. */
mel_status_t mel_dispatch_enable(void);

/* The core that executes the caller, 0 … MEL_CORES - 1; handlers run on core 0. A task that may run on any core may have moved when
 * it looks at the answer. Callers: any. No kernel call. */
uint32_t mel_core_self(void);

/* The caller is a handler. Callers: any. No kernel call. µITRON: sns_ctx. */
bool mel_in_handler(void);

/* End the run with an exit code. Callers: any. */
_Noreturn void mel_exit(uint32_t code);

/* Exit codes of the kernel itself; each comes with a sentence on the console. */
#define MEL_EXIT_CODE_BOOT UINT32_C(250)  /* the program does not fit the hardware, or the hardware does not answer */
#define MEL_EXIT_CODE_FAULT UINT32_C(251) /* an exception, or an interrupt that nobody serves */

/* The name that the current task was created with, or "idle"; never NULL. Callers: any. */
const char *mel_task_name(mel_id_t task);

#endif
