/* SPDX-License-Identifier: Apache-2.0 */
/* switch.S: leaving the core to the task that the unit has chosen: at the end of a kernel call, at the dispatch interrupt, when
 * a task exits, at the end of a handler. Only so is `dispatch` loaded: from that load on the unit takes the other task for the
 * running one, so interrupts stay off until its registers are in place; and another core may take the task that is left, so its
 * registers are in memory before (with one core a handler may save them later: common/current/one.h).
 * Timing (instructions, one core): call to call 15 stores, 18 loads; dispatch interrupt 31 stores. */
#include <mel_system.h>
#include <melanion/mel_spec.h>

#include "arch/riscv/frame.h"
#include "unit/coupling.h"
#include "common/current/current.h"

    .text
/* mel_status_t mel_unit_switch(void). The answer it returns has no flags: `dispatch` clears them, and only a command of the
 * running task sets them. */
    .balign 4
    .globl mel_unit_switch
mel_unit_switch:
    COUPLING_SUSPEND
    CORE_DISPATCH
unit_run:
    COUPLING_RUN 0

/* The unit asks for another task: the full frame at once, because it hardly ever changes its mind. */
    .balign 4
    .globl mel_vector_software
mel_vector_software:
    SAVE_CALLER
    SAVE_CALLEE
    CORE_RUNNING
    ori t0, sp, MEL_SAVED_PREEMPTED
    sw t0, CONTEXT_SAVED(t2)
    CORE_DISPATCH
    COUPLING_RUN 1

    .balign 4
unit_resume_trap:
    COUPLING_RESUME

    .balign 4
    CORE_EXTERNAL mel_vector_external, unit_resume_trap

/* mel_status_t mel_task_exit(void). The context is forgotten before the command: afterwards anybody may start the task again.
 * In a handler and in the idle context the unit refuses, and the context, being stale while its task runs, is not missed. */
    .balign 4
    .globl mel_task_exit
mel_task_exit:
    csrrci a2, mstatus, MSTATUS_MIE
    CORE_RUNNING
    lw t0, CONTEXT_STACK(t2)
    lw t1, CONTEXT_STACK_SIZE(t2)
    add t0, t0, t1
    addi t0, t0, MEL_SAVED_NONE - 16
    sw t0, CONTEXT_SAVED(t2)
    COUPLING_CALL MEL_OP_TASK_EXIT
    bltz a0, 1f
    CORE_ENDED
    CORE_DISPATCH
    j unit_run
1:  csrs mstatus, a2
    li a1, MEL_E_BUSY
    beq a0, a1, mel_task_exit
    ret
