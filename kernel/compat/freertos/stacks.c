/* SPDX-License-Identifier: Apache-2.0 */
/* stacks.c: where stacks may be, for the simulation, which stops a run whose stack pointer is nowhere in there. Those of xTaskCreate are on the heap (heap.c). Those of
 * xTaskCreateStatic are variables of the program, anywhere: with configSUPPORT_STATIC_ALLOCATION all memory behind the constants counts as stack. The stack of a task
 * within is told when the task is made (task.c), and the run stops when the task leaves it. */
#include "layer.h"

#if configSUPPORT_STATIC_ALLOCATION
extern uint8_t __bss_start[];
#define STACKS_ANYWHERE 0xFFFC
#define ALL_MEMORY 0x1000000 /* 16 MiB: more than there is */
MEL_STACK_RECORD(__bss_start, STACKS_ANYWHERE, ALL_MEMORY);
#endif

typedef int freertos_stacks_are_described; /* ISO C has no empty file */
