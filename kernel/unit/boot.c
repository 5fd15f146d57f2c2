/* SPDX-License-Identifier: Apache-2.0 */
/* boot.c: before a program uses the hardware unit: is it there, is it built from the same spec and with the same
 * parameters as the program, has it cleared its memories? If not, a sentence that says which, and the end of the run. Also what
 * a bus error says about the unit later. */
#include "common/boot.h"
#include "common/boot_mismatch.h"
#include "unit/unit.h"

/* Polls of the register `ready`: the unit clears one entry of its memories a cycle, 65536 are more than it has. */
#define READY_POLLS 65536

#define SILENT "the hardware unit does not answer any more; reset the system"

MEL_LINKED_LAST const char *mel_kernel_bus_error(uint32_t address)
{
    return mel_coupling_owns(address) ? SILENT : NULL;
}

MEL_LINKED_LAST const char *mel_kernel_hardware_error(void)
{
    return MEL_UNIT_REGISTER(MEL_REG_IDENTITY) != MEL_IDENTITY ? SILENT : NULL;
}

void mel_kernel_boot(void)
{
    for (mel_id_t i = 0; i <= MEL_TASKS; i++) {
        mel_contexts[i].number = i;
        mel_core_numbered(&mel_contexts[i]);
    }
    mel_core_run(&mel_contexts[MEL_TASKS]);
    mel_contexts[MEL_TASKS].name = "idle";

    mel_boot_probe = MEL_COUPLING_ABSENT;
    const uint32_t identity = MEL_UNIT_REGISTER(MEL_REG_IDENTITY);
    mel_boot_probe = NULL;
    if (identity != MEL_IDENTITY) {
        mel_boot_mismatch("what answers at the unit's address is no hardware unit: its identity is ", identity, " instead of ",
               MEL_IDENTITY, "; run the program on a system with one");
    }
    const uint32_t spec = MEL_UNIT_REGISTER(MEL_REG_SPEC_HASH);
    if (spec != MEL_SPEC_HASH) {
        mel_boot_mismatch("the program was built for another hardware unit: its spec hash is ", MEL_SPEC_HASH, ", the unit's is ",
               spec, "; build it again for this system");
    }
    const uint32_t parameters = MEL_UNIT_REGISTER(MEL_REG_PARAMETER_HASH);
    if (parameters != MEL_PARAMETER_HASH) {
        mel_boot_mismatch("the program was built for another hardware unit: its parameter hash is ", MEL_PARAMETER_HASH,
               ", the unit's is ", parameters, "; build it again for this system");
    }
    for (uint32_t polls = 0; MEL_UNIT_REGISTER(MEL_REG_READY) != 1; polls++) {
        if (polls == READY_POLLS) {
            mel_boot_refuse("the hardware unit does not become ready (its register `ready` stays 0): reset the system");
        }
    }
}
