/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h: what a program may define in its FreeRTOSConfig.h, to be told what calls do; empty where it does not, and nothing of it is in the machine code then.
 * Which macros FreeRTOS has besides, and why they are not here: calls.yaml. */
#ifndef FREERTOS_TRACE_H
#define FREERTOS_TRACE_H

#include "FreeRTOS.h"

/* The program has defined something that is not empty. */
#define FREERTOS_WORDS(...) #__VA_ARGS__
#define FREERTOS_TRACED(...) (sizeof(FREERTOS_WORDS(__VA_ARGS__)) > 1)

/* In a step, where interrupts are off and stay so: a critical section in the program's words begins and ends as one in another, and takes no lock. */
#if configNUMBER_OF_CORES > 1
#define FREERTOS_COUNT (*freertos_count())
UBaseType_t *freertos_count(void); /* nesting of critical sections on this core: cores.c */
#else
#define FREERTOS_COUNT freertos_nesting
#endif
#define FREERTOS_TRACE(...)                 \
    do {                                    \
        if (FREERTOS_TRACED(__VA_ARGS__)) { \
            FREERTOS_COUNT++;               \
            __VA_ARGS__;                    \
            FREERTOS_COUNT--;               \
        }                                   \
    } while (0)

/* Elsewhere. */
#define FREERTOS_TRACE_IF(condition, ...)                    \
    do {                                                     \
        if (FREERTOS_TRACED(__VA_ARGS__) && (condition)) {   \
            __VA_ARGS__;                                     \
        }                                                    \
    } while (0)

/* ---- tasks ---------------------------------------------------------------------------------------------------------------- */

#ifndef traceTASK_CREATE
#define traceTASK_CREATE(task)
#endif
#ifndef traceTASK_CREATE_FAILED
#define traceTASK_CREATE_FAILED()
#endif
#ifndef traceTASK_DELETE
#define traceTASK_DELETE(task)
#endif
#ifndef traceTASK_SUSPEND
#define traceTASK_SUSPEND(task)
#endif
#ifndef traceTASK_RESUME
#define traceTASK_RESUME(task)
#endif
#ifndef traceTASK_RESUME_FROM_ISR
#define traceTASK_RESUME_FROM_ISR(task)
#endif
#ifndef traceTASK_PRIORITY_SET
#define traceTASK_PRIORITY_SET(task, priority)
#endif
#ifndef traceTASK_DELAY
#define traceTASK_DELAY()
#endif
#ifndef traceTASK_DELAY_UNTIL
#define traceTASK_DELAY_UNTIL(time)
#endif
#ifndef traceSTARTING_SCHEDULER
#define traceSTARTING_SCHEDULER(idle_tasks)
#endif

/* ---- task notifications --------------------------------------------------------------------------------------------------- */

#ifndef traceTASK_NOTIFY
#define traceTASK_NOTIFY(index)
#endif
#ifndef traceTASK_NOTIFY_FROM_ISR
#define traceTASK_NOTIFY_FROM_ISR(index)
#endif
#ifndef traceTASK_NOTIFY_GIVE_FROM_ISR
#define traceTASK_NOTIFY_GIVE_FROM_ISR(index)
#endif
#ifndef traceTASK_NOTIFY_TAKE_BLOCK
#define traceTASK_NOTIFY_TAKE_BLOCK(index)
#endif
#ifndef traceTASK_NOTIFY_TAKE
#define traceTASK_NOTIFY_TAKE(index)
#endif
#ifndef traceTASK_NOTIFY_WAIT_BLOCK
#define traceTASK_NOTIFY_WAIT_BLOCK(index)
#endif
#ifndef traceTASK_NOTIFY_WAIT
#define traceTASK_NOTIFY_WAIT(index)
#endif

/* ---- queues, semaphores, mutexes ------------------------------------------------------------------------------------------ */

#ifndef traceQUEUE_CREATE
#define traceQUEUE_CREATE(queue)
#endif
#ifndef traceQUEUE_CREATE_FAILED
#define traceQUEUE_CREATE_FAILED(type)
#endif
#ifndef traceQUEUE_DELETE
#define traceQUEUE_DELETE(queue)
#endif
#ifndef traceQUEUE_SEND
#define traceQUEUE_SEND(queue)
#endif
#ifndef traceQUEUE_SEND_FAILED
#define traceQUEUE_SEND_FAILED(queue)
#endif
#ifndef traceBLOCKING_ON_QUEUE_SEND
#define traceBLOCKING_ON_QUEUE_SEND(queue)
#endif
#ifndef traceQUEUE_SEND_FROM_ISR
#define traceQUEUE_SEND_FROM_ISR(queue)
#endif
#ifndef traceQUEUE_SEND_FROM_ISR_FAILED
#define traceQUEUE_SEND_FROM_ISR_FAILED(queue)
#endif
#ifndef traceQUEUE_RECEIVE
#define traceQUEUE_RECEIVE(queue)
#endif
#ifndef traceQUEUE_RECEIVE_FAILED
#define traceQUEUE_RECEIVE_FAILED(queue)
#endif
#ifndef traceBLOCKING_ON_QUEUE_RECEIVE
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue)
#endif
#ifndef traceQUEUE_RECEIVE_FROM_ISR
#define traceQUEUE_RECEIVE_FROM_ISR(queue)
#endif
#ifndef traceQUEUE_RECEIVE_FROM_ISR_FAILED
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(queue)
#endif
#ifndef traceQUEUE_PEEK
#define traceQUEUE_PEEK(queue)
#endif
#ifndef traceQUEUE_PEEK_FAILED
#define traceQUEUE_PEEK_FAILED(queue)
#endif
#ifndef traceBLOCKING_ON_QUEUE_PEEK
#define traceBLOCKING_ON_QUEUE_PEEK(queue)
#endif
#ifndef traceQUEUE_PEEK_FROM_ISR
#define traceQUEUE_PEEK_FROM_ISR(queue)
#endif
#ifndef traceQUEUE_PEEK_FROM_ISR_FAILED
#define traceQUEUE_PEEK_FROM_ISR_FAILED(queue)
#endif
#ifndef traceQUEUE_SET_SEND
#define traceQUEUE_SET_SEND(set)
#endif
#ifndef traceQUEUE_REGISTRY_ADD
#define traceQUEUE_REGISTRY_ADD(queue, name)
#endif
#ifndef traceCREATE_COUNTING_SEMAPHORE
#define traceCREATE_COUNTING_SEMAPHORE()
#endif
#ifndef traceCREATE_COUNTING_SEMAPHORE_FAILED
#define traceCREATE_COUNTING_SEMAPHORE_FAILED()
#endif
#ifndef traceCREATE_MUTEX
#define traceCREATE_MUTEX(mutex)
#endif
#ifndef traceCREATE_MUTEX_FAILED
#define traceCREATE_MUTEX_FAILED()
#endif
#ifndef traceTAKE_MUTEX_RECURSIVE
#define traceTAKE_MUTEX_RECURSIVE(mutex)
#endif
#ifndef traceTAKE_MUTEX_RECURSIVE_FAILED
#define traceTAKE_MUTEX_RECURSIVE_FAILED(mutex)
#endif
#ifndef traceGIVE_MUTEX_RECURSIVE
#define traceGIVE_MUTEX_RECURSIVE(mutex)
#endif
#ifndef traceGIVE_MUTEX_RECURSIVE_FAILED
#define traceGIVE_MUTEX_RECURSIVE_FAILED(mutex)
#endif

/* ---- event groups --------------------------------------------------------------------------------------------------------- */

#ifndef traceEVENT_GROUP_CREATE
#define traceEVENT_GROUP_CREATE(group)
#endif
#ifndef traceEVENT_GROUP_CREATE_FAILED
#define traceEVENT_GROUP_CREATE_FAILED()
#endif
#ifndef traceEVENT_GROUP_DELETE
#define traceEVENT_GROUP_DELETE(group)
#endif
#ifndef traceEVENT_GROUP_SET_BITS
#define traceEVENT_GROUP_SET_BITS(group, bits)
#endif
#ifndef traceEVENT_GROUP_SET_BITS_FROM_ISR
#define traceEVENT_GROUP_SET_BITS_FROM_ISR(group, bits)
#endif
#ifndef traceEVENT_GROUP_CLEAR_BITS
#define traceEVENT_GROUP_CLEAR_BITS(group, bits)
#endif
#ifndef traceEVENT_GROUP_CLEAR_BITS_FROM_ISR
#define traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(group, bits)
#endif
#ifndef traceEVENT_GROUP_WAIT_BITS_BLOCK
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(group, bits)
#endif
#ifndef traceEVENT_GROUP_WAIT_BITS_END
#define traceEVENT_GROUP_WAIT_BITS_END(group, bits, timed_out)
#endif
#ifndef traceEVENT_GROUP_SYNC_BLOCK
#define traceEVENT_GROUP_SYNC_BLOCK(group, set, wanted)
#endif
#ifndef traceEVENT_GROUP_SYNC_END
#define traceEVENT_GROUP_SYNC_END(group, set, wanted, timed_out)
#endif

/* ---- software timers ------------------------------------------------------------------------------------------------------ */

#ifndef traceTIMER_CREATE
#define traceTIMER_CREATE(timer)
#endif
#ifndef traceTIMER_CREATE_FAILED
#define traceTIMER_CREATE_FAILED()
#endif
#ifndef traceTIMER_COMMAND_SEND
#define traceTIMER_COMMAND_SEND(timer, command, value, result)
#endif
#ifndef traceTIMER_COMMAND_RECEIVED
#define traceTIMER_COMMAND_RECEIVED(timer, command, value)
#endif
#ifndef traceTIMER_EXPIRED
#define traceTIMER_EXPIRED(timer)
#endif
#ifndef tracePEND_FUNC_CALL
#define tracePEND_FUNC_CALL(function, parameter1, parameter2, result)
#endif
#ifndef tracePEND_FUNC_CALL_FROM_ISR
#define tracePEND_FUNC_CALL_FROM_ISR(function, parameter1, parameter2, result)
#endif

/* ---- stream and message buffers ------------------------------------------------------------------------------------------- */

#ifndef traceSTREAM_BUFFER_CREATE
#define traceSTREAM_BUFFER_CREATE(buffer, type)
#endif
#ifndef traceSTREAM_BUFFER_CREATE_FAILED
#define traceSTREAM_BUFFER_CREATE_FAILED(type)
#endif
#ifndef traceSTREAM_BUFFER_CREATE_STATIC_FAILED
#define traceSTREAM_BUFFER_CREATE_STATIC_FAILED(result, type)
#endif
#ifndef traceSTREAM_BUFFER_DELETE
#define traceSTREAM_BUFFER_DELETE(buffer)
#endif
#ifndef traceSTREAM_BUFFER_RESET
#define traceSTREAM_BUFFER_RESET(buffer)
#endif
#ifndef traceSTREAM_BUFFER_RESET_FROM_ISR
#define traceSTREAM_BUFFER_RESET_FROM_ISR(buffer)
#endif
#ifndef traceSTREAM_BUFFER_SEND
#define traceSTREAM_BUFFER_SEND(buffer, bytes)
#endif
#ifndef traceSTREAM_BUFFER_SEND_FAILED
#define traceSTREAM_BUFFER_SEND_FAILED(buffer)
#endif
#ifndef traceBLOCKING_ON_STREAM_BUFFER_SEND
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(buffer)
#endif
#ifndef traceSTREAM_BUFFER_SEND_FROM_ISR
#define traceSTREAM_BUFFER_SEND_FROM_ISR(buffer, bytes)
#endif
#ifndef traceSTREAM_BUFFER_RECEIVE
#define traceSTREAM_BUFFER_RECEIVE(buffer, bytes)
#endif
#ifndef traceSTREAM_BUFFER_RECEIVE_FAILED
#define traceSTREAM_BUFFER_RECEIVE_FAILED(buffer)
#endif
#ifndef traceBLOCKING_ON_STREAM_BUFFER_RECEIVE
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(buffer)
#endif
#ifndef traceSTREAM_BUFFER_RECEIVE_FROM_ISR
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(buffer, bytes)
#endif

/* ---- memory --------------------------------------------------------------------------------------------------------------- */

#ifndef traceMALLOC
#define traceMALLOC(memory, bytes)
#endif
#ifndef traceFREE
#define traceFREE(memory, bytes)
#endif

#endif
