/* SPDX-License-Identifier: Apache-2.0 */
/* wait_queue.h: the interface `wait_queue`: the tasks that wait for an object, the most urgent first, equal priorities in order of arrival.
 * Verbs on a mel_wait_list_t: mel_wait_init; mel_wait_insert; mel_wait_first (NULL: nobody); mel_wait_next (the one behind a
 * task; NULL: nobody); and mel_wait_remove (from whatever list the task waits in).
 * Needs mel_task_t, with queue, group, list and priority, declared before (software/state.h, booster/booster.h). */
#ifndef MEL_SOFTWARE_WAIT_QUEUE_WAIT_QUEUE_H
#define MEL_SOFTWARE_WAIT_QUEUE_WAIT_QUEUE_H

#include "common/interface.h"
#include MEL_TEXT(MEL_INTERFACE_WAIT_QUEUE)

#endif
