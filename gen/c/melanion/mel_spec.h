/* SPDX-License-Identifier: Apache-2.0 */
/* mel_spec.h: the numbers that hardware and software share: commands, statuses, registers, trace events.
 * Contract: the facts of spec/ (the YAML files), nothing else; usable from C and from assembly. What depends on a system
 * (sizes, addresses) is in its mel_system.h.
 * Generated from spec/ by `melanion gen`. Do not edit: change spec/ and run it again.
 */
#ifndef MEL_SPEC_H
#define MEL_SPEC_H

#ifndef __ASSEMBLER__
#include <stdint.h>

/* A status: MEL_E_OK (0) or one of the negative MEL_E_…. */
typedef int32_t mel_status_t;
#endif

/* First 32 bits of the hash of spec/: boot code compares it with the unit's. */
#define MEL_SPEC_HASH 0x9974779d
#define MEL_IDENTITY 0x4D454C31
#define MEL_WINDOW_BYTES 131072

/* Statuses: the µITRON 4.0 numbers. */
#define MEL_E_OK 0 /* done */
#define MEL_E_SYS (-5) /* the hardware unit is absent, silent or of another build */
#define MEL_E_RSFN (-10) /* no such command */
#define MEL_E_PAR (-17) /* a parameter is out of range */
#define MEL_E_ID (-18) /* an object number is out of range */
#define MEL_E_CTX (-25) /* not allowed from this context (handler, idle, dispatch disabled) */
#define MEL_E_OACV (-27) /* the window of another core */
#define MEL_E_ILUSE (-28) /* illegal use of the call */
#define MEL_E_NOMEM (-33) /* not enough memory of the kernel is free */
#define MEL_E_OBJ (-41) /* the object is in the wrong state for this call */
#define MEL_E_NOEXS (-42) /* the object does not exist */
#define MEL_E_QOVR (-43) /* a count or queue is at its limit; nothing was changed */
#define MEL_E_RLWAI (-49) /* the wait was released by force */
#define MEL_E_TMOUT (-50) /* the timeout passed, or a poll found nothing */
#define MEL_E_DLT (-51) /* the object that was waited for was deleted */
#define MEL_E_BUSY (-97) /* the unit is not done with what an earlier deletion left; nothing was changed. No call of the C library returns it */

/* A command is one store: address = window + MEL_COMMAND_OFFSET(op, id), data = argument. */
#define MEL_COMMAND_OFFSET(op, id) ((op) * 1024 + (id) * 4)
#define MEL_OP_TASK_CREATE 1
#define MEL_OP_TASK_DELETE 2
#define MEL_OP_TASK_START 3
#define MEL_OP_TASK_EXIT 4
#define MEL_OP_TASK_TERMINATE 5
#define MEL_OP_TASK_SUSPEND 6
#define MEL_OP_TASK_RESUME 7
#define MEL_OP_TASK_SET_PRIORITY 8
#define MEL_OP_TASK_ROTATE 9
#define MEL_OP_TASK_RELEASE 10
#define MEL_OP_TASK_SLEEP 11
#define MEL_OP_TASK_WAKEUP 12
#define MEL_OP_TASK_DELAY 13
#define MEL_OP_TASK_DELAY_UNTIL 14
#define MEL_OP_SEMAPHORE_CREATE 16
#define MEL_OP_SEMAPHORE_DELETE 17
#define MEL_OP_SEMAPHORE_GIVE 18
#define MEL_OP_SEMAPHORE_TAKE 19
#define MEL_OP_EVENT_FLAGS_CREATE 20
#define MEL_OP_EVENT_FLAGS_DELETE 21
#define MEL_OP_EVENT_FLAGS_SET 22
#define MEL_OP_EVENT_FLAGS_CLEAR 23
#define MEL_OP_EVENT_FLAGS_WAIT_ANY 24
#define MEL_OP_EVENT_FLAGS_WAIT_ALL 25
#define MEL_OP_EVENT_FLAGS_TAKE_ANY 26
#define MEL_OP_EVENT_FLAGS_TAKE_ALL 27
#define MEL_OP_QUEUE_CREATE 28
#define MEL_OP_QUEUE_DELETE 29
#define MEL_OP_QUEUE_SEND 30
#define MEL_OP_QUEUE_RECEIVE 31
#define MEL_OP_IRQ_MAP 32
#define MEL_OP_IRQ_ENABLE 33
#define MEL_OP_IRQ_DISABLE 34
#define MEL_OP_IRQ_RAISE 35
#define MEL_OP_CLAIM_LIMIT 15
#define MEL_OP_MUTEX_CREATE 36
#define MEL_OP_MUTEX_DELETE 37
#define MEL_OP_MUTEX_LOCK 38
#define MEL_OP_MUTEX_UNLOCK 39
#define MEL_OP_TICK_SET 40
#define MEL_OP_DISPATCH_DISABLE 41
#define MEL_OP_DISPATCH_ENABLE 42
#define MEL_OP_TIMER_START 43
#define MEL_OP_TIMER_STOP 44
#define MEL_OP_QUEUE_POST 45
#define MEL_OP_QUANTUM_SET 56
#define MEL_OP_DEADLINE_SET 57
#define MEL_OP_BUDGET_SET 58
#define MEL_OP_NOTIFICATION_SET 59
#define MEL_OP_NOTIFICATION_GIVE 60
#define MEL_OP_NOTIFICATION_OVERWRITE 61
#define MEL_OP_NOTIFICATION_SEND 62
#define MEL_OP_NOTIFICATION_CLEAR 46
#define MEL_OP_NOTIFICATION_CANCEL 47
#define MEL_OP_NOTIFICATION_WAIT 53
#define MEL_OP_NOTIFICATION_TAKE 54
#define MEL_OP_NOTIFICATION_TAKE_ALL 55

/* Fields of arguments: lowest bit and mask (before the shift). */
#define MEL_FIELD_TASK_CREATE_CORE_LSB 8
#define MEL_FIELD_TASK_CREATE_CORE_MASK 0x7
#define MEL_FIELD_TASK_CREATE_PRIORITY_LSB 0
#define MEL_FIELD_TASK_CREATE_PRIORITY_MASK 0xFF
#define MEL_FIELD_TASK_SET_PRIORITY_PRIORITY_LSB 0
#define MEL_FIELD_TASK_SET_PRIORITY_PRIORITY_MASK 0xFF
#define MEL_FIELD_SEMAPHORE_CREATE_MAXIMUM_LSB 16
#define MEL_FIELD_SEMAPHORE_CREATE_MAXIMUM_MASK 0xFFFF
#define MEL_FIELD_SEMAPHORE_CREATE_INITIAL_LSB 0
#define MEL_FIELD_SEMAPHORE_CREATE_INITIAL_MASK 0xFFFF
#define MEL_FIELD_QUEUE_CREATE_CAPACITY_LSB 0
#define MEL_FIELD_QUEUE_CREATE_CAPACITY_MASK 0xFFFF
#define MEL_FIELD_IRQ_MAP_OBJECT_LSB 8
#define MEL_FIELD_IRQ_MAP_OBJECT_MASK 0xFF
#define MEL_FIELD_IRQ_MAP_HANDLER_LSB 4
#define MEL_FIELD_IRQ_MAP_HANDLER_MASK 0x1
#define MEL_FIELD_IRQ_MAP_ACTION_LSB 0
#define MEL_FIELD_IRQ_MAP_ACTION_MASK 0x7
#define MEL_FIELD_MUTEX_CREATE_PROTOCOL_LSB 8
#define MEL_FIELD_MUTEX_CREATE_PROTOCOL_MASK 0x1
#define MEL_FIELD_MUTEX_CREATE_CEILING_LSB 0
#define MEL_FIELD_MUTEX_CREATE_CEILING_MASK 0xFF
#define MEL_FIELD_QUANTUM_SET_PRIORITY_LSB 16
#define MEL_FIELD_QUANTUM_SET_PRIORITY_MASK 0xFF
#define MEL_FIELD_QUANTUM_SET_TICKS_LSB 0
#define MEL_FIELD_QUANTUM_SET_TICKS_MASK 0xFFFF

/* The port: the window through the end of the address space (coupling `port`). A command there is one store, to
 * MEL_PORT_PACKED(op) of argument << MEL_PORT_OBJECT_BITS | object, or, of object 0, to MEL_PORT_PLAIN(op) of the argument. */
#define MEL_PORT_BASE 0xFFFFF800
#define MEL_PORT_BYTES 2048
#define MEL_PORT_OBJECT_BITS 8
#define MEL_PORT_PACKED(op) (MEL_PORT_BASE + 0x000 + (op) * 4)
#define MEL_PORT_PLAIN(op) (MEL_PORT_BASE + 0x100 + (op) * 4)
#define MEL_PORT_ANSWER MEL_PORT_BASE
#define MEL_PORT_REGISTER(offset) (MEL_PORT_BASE + 0x400 + ((offset) & 0x3FF))

/* The words of the switch of contexts (coupling `banked`). */
#define MEL_BANK_SWITCH 0xFFFFFE00
#define MEL_BANK_SWITCH_TRAP 0xFFFFFE04
#define MEL_BANK_FORGET 0xFFFFFE0C
#define MEL_BANK_FRAME 0xFFFFFF00

/* Queries: loads from MEL_COMMAND_OFFSET(query, id). */
#define MEL_QUERY_TASK_STATE 48
#define MEL_QUERY_SEMAPHORE_COUNT 49
#define MEL_QUERY_QUEUE_COUNT 50
#define MEL_QUERY_MUTEX_STATE 51
#define MEL_QUERY_RUN_TIME 52

/* Bits of an answer that is not negative. */
#define MEL_ANSWER_DISPATCH_DUE 1
#define MEL_ANSWER_WAITING 2
#define MEL_ANSWER_UNSETTLED 4

/* Registers: byte offsets in the window. */
#define MEL_REG_IDENTITY 0xFC00
#define MEL_REG_SPEC_HASH 0xFC04
#define MEL_REG_PARAMETER_HASH 0xFC08
#define MEL_REG_READY 0xFC0C
#define MEL_REG_DISPATCH 0xFC10
#define MEL_REG_CLAIM 0xFC14
#define MEL_REG_RUNNING 0xFC18
#define MEL_REG_TIME_LOW 0xFC20
#define MEL_REG_TIME_HIGH 0xFC24
#define MEL_REG_TICK_CYCLES 0xFC28
#define MEL_REG_REFUSED 0xFC2C
#define MEL_REG_LOST_IRQS 0xFC30
#define MEL_REG_OPERAND 0xFC34
#define MEL_REG_VALUE 0xFC38
#define MEL_REG_MONITOR 0xFC40
#define MEL_REG_LONGEST_WAIT 0xFC44
#define MEL_REG_MISSED_DEADLINES 0xFC48
#define MEL_REG_BUDGET_OVERRUNS 0xFC4C
#define MEL_REG_REPORTED 0xFC50
#define MEL_REG_LATENCY_0 0xFC80
#define MEL_REG_LATENCY_1 0xFC84
#define MEL_REG_LATENCY_2 0xFC88
#define MEL_REG_LATENCY_3 0xFC8C
#define MEL_REG_LATENCY_4 0xFC90
#define MEL_REG_LATENCY_5 0xFC94
#define MEL_REG_LATENCY_6 0xFC98
#define MEL_REG_LATENCY_7 0xFC9C
#define MEL_REG_LATENCY_8 0xFCA0
#define MEL_REG_LATENCY_9 0xFCA4
#define MEL_REG_LATENCY_10 0xFCA8
#define MEL_REG_LATENCY_11 0xFCAC
#define MEL_REG_LATENCY_12 0xFCB0
#define MEL_REG_LATENCY_13 0xFCB4
#define MEL_REG_LATENCY_14 0xFCB8
#define MEL_REG_LATENCY_15 0xFCBC

/* Actions on the edge of an interrupt (irq_map). */
#define MEL_IRQ_ACTION_NONE 0
#define MEL_IRQ_ACTION_SEMAPHORE_GIVE 1
#define MEL_IRQ_ACTION_TASK_WAKEUP 2
#define MEL_IRQ_ACTION_TASK_RELEASE 3
#define MEL_IRQ_ACTION_EVENT_FLAGS_SET 4
#define MEL_IRQ_ACTION_QUEUE_POST 5
#define MEL_IRQ_ACTION_NOTIFICATION_SET 6
#define MEL_IRQ_ACTION_NOTIFICATION_GIVE 7

/* States that the query task_state reports. */
#define MEL_TASK_STATE_RUNNING 0
#define MEL_TASK_STATE_READY 1
#define MEL_TASK_STATE_WAITING 2
#define MEL_TASK_STATE_SUSPENDED 3
#define MEL_TASK_STATE_WAITING_SUSPENDED 4
#define MEL_TASK_STATE_DORMANT 5

/* Contexts of a caller, in trace records. */
#define MEL_CONTEXT_TASK 0
#define MEL_CONTEXT_HANDLER 1
#define MEL_CONTEXT_IDLE 2
#define MEL_CONTEXT_UNKNOWN 3

/* Kinds of trace records. */
#define MEL_TRACE_COMMAND 1
#define MEL_TRACE_DISPATCH 2
#define MEL_TRACE_TICK 3
#define MEL_TRACE_TIMEOUT 4
#define MEL_TRACE_RELEASE 5
#define MEL_TRACE_IRQ 6
#define MEL_TRACE_CLAIM 7
#define MEL_TRACE_ANSWER 8
#define MEL_TRACE_OPERAND 9
#define MEL_TRACE_VALUE 10
#define MEL_TRACE_ORPHAN 11
#define MEL_TRACE_TURN 12
#define MEL_TRACE_SLICE 13
#define MEL_TRACE_MISS 14
#define MEL_TRACE_INHERIT 15
#define MEL_TRACE_TRAP 16
#define MEL_TRACE_MRET 17
#define MEL_TRACE_IRQ_OFF 18
#define MEL_TRACE_IRQ_WIRE 19
#define MEL_TRACE_TRACEPOINT 20
#define MEL_TRACE_MARKER 21
#define MEL_TRACE_EXIT 22
#define MEL_TRACE_STACK 23

/* Why a run ended. */
#define MEL_EXIT_REASON_PROGRAM 0
#define MEL_EXIT_REASON_CYCLE_LIMIT 1
#define MEL_EXIT_REASON_STACK_OVERFLOW 2
#define MEL_EXIT_REASON_FAULT 3
#define MEL_EXIT_REASON_WATCHDOG 4

/* Limits of counts. */
#define MEL_WAKEUPS_LIMIT 15
#define MEL_SEMAPHORE_COUNT_LIMIT 65535
#define MEL_LOCKS_LIMIT 255
#define MEL_MESSAGE_PRIORITIES 8

#endif
