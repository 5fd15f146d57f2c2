/* SPDX-License-Identifier: Apache-2.0 */
/* melanion.h: the whole interface of the kernel, for programs.
 * A program is written once and runs unchanged on every kernel of spec/kernels.yaml; which one is chosen when it is
 * linked. Life of a program: main() runs in the idle context: interrupts and ticks are on, tasks do not run yet. It makes its
 * objects, starts its first tasks and calls mel_kernel_start(), which does not return; until then other cores than 0 wait. A main() that returns ends the run with its value.
 *
 * Every call returns MEL_E_OK (0) or a negative status, and checks in the order: context (MEL_E_CTX), object number
 * (MEL_E_ID), parameters (MEL_E_PAR), existence (MEL_E_NOEXS), then what the call itself says. A refused call changes
 * nothing. A call that may block is refused in a handler, in the idle context and while dispatch is disabled. */
#ifndef MELANION_MELANION_H
#define MELANION_MELANION_H

#include <melanion/console.h>
#include <melanion/deadline.h>
#include <melanion/event_flags.h>
#include <melanion/interrupt.h>
#include <melanion/kernel.h>
#include <melanion/monitor.h>
#include <melanion/mutex.h>
#include <melanion/notification.h>
#include <melanion/tracepoint.h>
#include <melanion/pool.h>
#include <melanion/quantum.h>
#include <melanion/queue.h>
#include <melanion/semaphore.h>
#include <melanion/task.h>
#include <melanion/time.h>
#include <melanion/timer.h>
#include <melanion/types.h>

#endif
