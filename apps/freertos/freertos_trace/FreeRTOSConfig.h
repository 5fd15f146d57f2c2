/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: every trace macro that the layer has is a note. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ 100000000
#define configTICK_RATE_HZ 10000
#define configMAX_PRIORITIES 8
#define configMINIMAL_STACK_SIZE 256
#define configTOTAL_HEAP_SIZE 49152
#define configMAX_TASK_NAME_LEN 12
#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 0
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configSUPPORT_STATIC_ALLOCATION 1
#define configQUEUE_REGISTRY_SIZE 2
#define configUSE_TRACE_FACILITY 1
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_QUEUE_SETS 1
#define configUSE_TASK_NOTIFICATIONS 1
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 2
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 5
#define configTIMER_QUEUE_LENGTH 8
#define configTIMER_TASK_STACK_DEPTH 256

#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_uxTaskPriorityGet 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_xTaskResumeFromISR 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_eTaskGetState 1
#define INCLUDE_xTimerPendFunctionCall 1
#define INCLUDE_xTaskAbortDelay 1

/* ---- notes ------------------------------------------------------------------------------------------------------------- */

#include <stddef.h>
#include <stdint.h>

#define NOTHING UINT32_C(0xFFFFFFFF)
void traced(const char *what, const void *object, uint32_t value);
void traced_number(const char *what, uint32_t value);
void traced_time(const char *what, uint32_t time);
void traced_alone(const char *what);

#define traceTASK_CREATE(task) traced("TASK_CREATE", task, NOTHING)
#define traceTASK_CREATE_FAILED() traced_alone("TASK_CREATE_FAILED")
#define traceTASK_DELETE(task) traced("TASK_DELETE", task, NOTHING)
#define traceTASK_SUSPEND(task) traced("TASK_SUSPEND", task, NOTHING)
#define traceTASK_RESUME(task) traced("TASK_RESUME", task, NOTHING)
#define traceTASK_RESUME_FROM_ISR(task) traced("TASK_RESUME_FROM_ISR", task, NOTHING)
#define traceTASK_PRIORITY_SET(task, priority) traced("TASK_PRIORITY_SET", task, (uint32_t)(priority))
#define traceTASK_DELAY() traced_alone("TASK_DELAY")
#define traceTASK_DELAY_UNTIL(time) traced_time("TASK_DELAY_UNTIL", time)
#define traceSTARTING_SCHEDULER(idle_tasks) traced_number("STARTING_SCHEDULER", (idle_tasks) != NULL)
#define traceTASK_NOTIFY(index) traced_number("TASK_NOTIFY", (uint32_t)(index))
#define traceTASK_NOTIFY_FROM_ISR(index) traced_number("TASK_NOTIFY_FROM_ISR", (uint32_t)(index))
#define traceTASK_NOTIFY_GIVE_FROM_ISR(index) traced_number("TASK_NOTIFY_GIVE_FROM_ISR", (uint32_t)(index))
#define traceTASK_NOTIFY_TAKE_BLOCK(index) traced_number("TASK_NOTIFY_TAKE_BLOCK", (uint32_t)(index))
#define traceTASK_NOTIFY_TAKE(index) traced_number("TASK_NOTIFY_TAKE", (uint32_t)(index))
#define traceTASK_NOTIFY_WAIT_BLOCK(index) traced_number("TASK_NOTIFY_WAIT_BLOCK", (uint32_t)(index))
#define traceTASK_NOTIFY_WAIT(index) traced_number("TASK_NOTIFY_WAIT", (uint32_t)(index))
#define traceQUEUE_CREATE(queue) traced("QUEUE_CREATE", queue, NOTHING)
#define traceQUEUE_CREATE_FAILED(type) traced_number("QUEUE_CREATE_FAILED", (uint32_t)(type))
#define traceQUEUE_DELETE(queue) traced("QUEUE_DELETE", queue, NOTHING)
#define traceQUEUE_SEND(queue) traced("QUEUE_SEND", queue, NOTHING)
#define traceQUEUE_SEND_FAILED(queue) traced("QUEUE_SEND_FAILED", queue, NOTHING)
#define traceBLOCKING_ON_QUEUE_SEND(queue) traced("BLOCKING_ON_QUEUE_SEND", queue, NOTHING)
#define traceQUEUE_SEND_FROM_ISR(queue) traced("QUEUE_SEND_FROM_ISR", queue, NOTHING)
#define traceQUEUE_SEND_FROM_ISR_FAILED(queue) traced("QUEUE_SEND_FROM_ISR_FAILED", queue, NOTHING)
#define traceQUEUE_RECEIVE(queue) traced("QUEUE_RECEIVE", queue, NOTHING)
#define traceQUEUE_RECEIVE_FAILED(queue) traced("QUEUE_RECEIVE_FAILED", queue, NOTHING)
#define traceBLOCKING_ON_QUEUE_RECEIVE(queue) traced("BLOCKING_ON_QUEUE_RECEIVE", queue, NOTHING)
#define traceQUEUE_RECEIVE_FROM_ISR(queue) traced("QUEUE_RECEIVE_FROM_ISR", queue, NOTHING)
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(queue) traced("QUEUE_RECEIVE_FROM_ISR_FAILED", queue, NOTHING)
#define traceQUEUE_PEEK(queue) traced("QUEUE_PEEK", queue, NOTHING)
#define traceQUEUE_PEEK_FAILED(queue) traced("QUEUE_PEEK_FAILED", queue, NOTHING)
#define traceBLOCKING_ON_QUEUE_PEEK(queue) traced("BLOCKING_ON_QUEUE_PEEK", queue, NOTHING)
#define traceQUEUE_PEEK_FROM_ISR(queue) traced("QUEUE_PEEK_FROM_ISR", queue, NOTHING)
#define traceQUEUE_PEEK_FROM_ISR_FAILED(queue) traced("QUEUE_PEEK_FROM_ISR_FAILED", queue, NOTHING)
#define traceQUEUE_SET_SEND(set) traced("QUEUE_SET_SEND", set, NOTHING)
#define traceQUEUE_REGISTRY_ADD(queue, name) traced("QUEUE_REGISTRY_ADD", queue, (uint32_t)(name)[0])
#define traceCREATE_COUNTING_SEMAPHORE() traced_alone("CREATE_COUNTING_SEMAPHORE")
#define traceCREATE_COUNTING_SEMAPHORE_FAILED() traced_alone("CREATE_COUNTING_SEMAPHORE_FAILED")
#define traceCREATE_MUTEX(mutex) traced("CREATE_MUTEX", mutex, NOTHING)
#define traceCREATE_MUTEX_FAILED() traced_alone("CREATE_MUTEX_FAILED")
#define traceTAKE_MUTEX_RECURSIVE(mutex) traced("TAKE_MUTEX_RECURSIVE", mutex, NOTHING)
#define traceTAKE_MUTEX_RECURSIVE_FAILED(mutex) traced("TAKE_MUTEX_RECURSIVE_FAILED", mutex, NOTHING)
#define traceGIVE_MUTEX_RECURSIVE(mutex) traced("GIVE_MUTEX_RECURSIVE", mutex, NOTHING)
#define traceGIVE_MUTEX_RECURSIVE_FAILED(mutex) traced("GIVE_MUTEX_RECURSIVE_FAILED", mutex, NOTHING)
#define traceEVENT_GROUP_CREATE(group) traced("EVENT_GROUP_CREATE", group, NOTHING)
#define traceEVENT_GROUP_CREATE_FAILED() traced_alone("EVENT_GROUP_CREATE_FAILED")
#define traceEVENT_GROUP_DELETE(group) traced("EVENT_GROUP_DELETE", group, NOTHING)
#define traceEVENT_GROUP_SET_BITS(group, bits) traced("EVENT_GROUP_SET_BITS", group, (uint32_t)(bits))
#define traceEVENT_GROUP_SET_BITS_FROM_ISR(group, bits) traced("EVENT_GROUP_SET_BITS_FROM_ISR", group, (uint32_t)(bits))
#define traceEVENT_GROUP_CLEAR_BITS(group, bits) traced("EVENT_GROUP_CLEAR_BITS", group, (uint32_t)(bits))
#define traceEVENT_GROUP_CLEAR_BITS_FROM_ISR(group, bits) traced("EVENT_GROUP_CLEAR_BITS_FROM_ISR", group, (uint32_t)(bits))
#define traceEVENT_GROUP_WAIT_BITS_BLOCK(group, bits) traced("EVENT_GROUP_WAIT_BITS_BLOCK", group, (uint32_t)(bits))
#define traceEVENT_GROUP_WAIT_BITS_END(group, bits, timed_out) traced("EVENT_GROUP_WAIT_BITS_END", group, (uint32_t)(bits) * 100 + (uint32_t)(timed_out))
#define traceEVENT_GROUP_SYNC_BLOCK(group, set, wanted) traced("EVENT_GROUP_SYNC_BLOCK", group, (uint32_t)(set) * 100 + (uint32_t)(wanted))
#define traceEVENT_GROUP_SYNC_END(group, set, wanted, timed_out) traced("EVENT_GROUP_SYNC_END", group, (uint32_t)(set) * 100 + (uint32_t)(wanted) * 10 + (uint32_t)(timed_out))
#define traceTIMER_CREATE(timer) traced("TIMER_CREATE", timer, NOTHING)
#define traceTIMER_CREATE_FAILED() traced_alone("TIMER_CREATE_FAILED")
#define traceTIMER_COMMAND_SEND(timer, command, value, result) traced("TIMER_COMMAND_SEND", timer, (uint32_t)(command) * 10 + (uint32_t)(result))
#define traceTIMER_COMMAND_RECEIVED(timer, command, value) traced("TIMER_COMMAND_RECEIVED", timer, (uint32_t)(command))
#define traceTIMER_EXPIRED(timer) traced("TIMER_EXPIRED", timer, NOTHING)
#define tracePEND_FUNC_CALL(function, parameter1, parameter2, result) traced("PEND_FUNC_CALL", parameter1, (uint32_t)(parameter2) * 10 + (uint32_t)(result))
#define tracePEND_FUNC_CALL_FROM_ISR(function, parameter1, parameter2, result) traced("PEND_FUNC_CALL_FROM_ISR", parameter1, (uint32_t)(parameter2) * 10 + (uint32_t)(result))
#define traceSTREAM_BUFFER_CREATE(buffer, type) traced("STREAM_BUFFER_CREATE", buffer, (uint32_t)(type))
#define traceSTREAM_BUFFER_CREATE_FAILED(type) traced_number("STREAM_BUFFER_CREATE_FAILED", (uint32_t)(type))
#define traceSTREAM_BUFFER_CREATE_STATIC_FAILED(result, type) traced_number("STREAM_BUFFER_CREATE_STATIC_FAILED", (uint32_t)(type) + 10 * ((result) != NULL))
#define traceSTREAM_BUFFER_DELETE(buffer) traced("STREAM_BUFFER_DELETE", buffer, NOTHING)
#define traceSTREAM_BUFFER_RESET(buffer) traced("STREAM_BUFFER_RESET", buffer, NOTHING)
#define traceSTREAM_BUFFER_RESET_FROM_ISR(buffer) traced("STREAM_BUFFER_RESET_FROM_ISR", buffer, NOTHING)
#define traceSTREAM_BUFFER_SEND(buffer, bytes) traced("STREAM_BUFFER_SEND", buffer, (uint32_t)(bytes))
#define traceSTREAM_BUFFER_SEND_FAILED(buffer) traced("STREAM_BUFFER_SEND_FAILED", buffer, NOTHING)
#define traceBLOCKING_ON_STREAM_BUFFER_SEND(buffer) traced("BLOCKING_ON_STREAM_BUFFER_SEND", buffer, NOTHING)
#define traceSTREAM_BUFFER_SEND_FROM_ISR(buffer, bytes) traced("STREAM_BUFFER_SEND_FROM_ISR", buffer, (uint32_t)(bytes))
#define traceSTREAM_BUFFER_RECEIVE(buffer, bytes) traced("STREAM_BUFFER_RECEIVE", buffer, (uint32_t)(bytes))
#define traceSTREAM_BUFFER_RECEIVE_FAILED(buffer) traced("STREAM_BUFFER_RECEIVE_FAILED", buffer, NOTHING)
#define traceBLOCKING_ON_STREAM_BUFFER_RECEIVE(buffer) traced("BLOCKING_ON_STREAM_BUFFER_RECEIVE", buffer, NOTHING)
#define traceSTREAM_BUFFER_RECEIVE_FROM_ISR(buffer, bytes) traced("STREAM_BUFFER_RECEIVE_FROM_ISR", buffer, (uint32_t)(bytes))
#define traceMALLOC(memory, bytes) traced("MALLOC", memory, (uint32_t)(bytes))
#define traceFREE(memory, bytes) traced("FREE", memory, (uint32_t)(bytes))

#endif
