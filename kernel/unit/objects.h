/* SPDX-License-Identifier: Apache-2.0 */
/* objects.h: the interface `objects`, of kernels with the hardware unit: where semaphores, event flags, message queues, mutexes and what stands on
 * them (pools, atomic sequences) are. Implementations: `unit`: in the unit; `booster`: in C, and the unit keeps tasks and time only.
 * The implementation defines the public calls of those objects. Verbs, by which it hears what happens to tasks:
 * mel_objects_call_task (a kernel call on a task), mel_objects_call (one on no task), mel_objects_asked (the same command has been asked by the
 * caller, between mel_unit_lock and mel_unit_unlock, and was not refused), mel_objects_irq_map (mel_irq_map; the number is limited, action and object fit the
 * argument), mel_objects_irq_claimed (the handler of an interrupt begins; true: it has a function of the program to run). */
#ifndef MEL_UNIT_OBJECTS_H
#define MEL_UNIT_OBJECTS_H

#include "common/interface.h"
#include MEL_TEXT(MEL_INTERFACE_OBJECTS)

#endif
