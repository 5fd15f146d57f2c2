/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the calls of deadlock.h that concern the unit alone. */
#include "deadlock/unit.h"

#include <melanion/console.h>

#include "common/boot.h"
#include "common/boot_mismatch.h"

uint32_t mel_deadlock_command(uint32_t command, uint32_t process, uint32_t resource)
{
    return mel_deadlock_do(command, process, resource);
}

void mel_deadlock_query(mel_deadlock_info_t *info)
{
    info->tasks = MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_PROCESSES) | (uint64_t)MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_PROCESSES_HIGH) << 32;
    info->resources = MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_RESOURCES) | (uint64_t)MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_RESOURCES_HIGH) << 32;
}

void mel_deadlock_acknowledge(void)
{
    MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_NOTICE) = 0;
}

void mel_deadlock_boot(void)
{
    mel_boot_probe = "no deadlock detection unit answers at its address (bus error): run the program on a system with one";
    const uint32_t identity = MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_IDENTITY);
    mel_boot_probe = NULL;
    if (identity != MEL_DEADLOCK_IDENTITY) {
        mel_boot_mismatch("what answers at the address of the deadlock detection unit is none: its identity is ", identity, " instead of ",
               MEL_DEADLOCK_IDENTITY, "; run the program on a system with one");
    }
    const uint32_t facts = MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_FACTS_HASH);
    if (facts != MEL_DEADLOCK_FACTS_HASH) {
        mel_boot_mismatch("the program was built for another deadlock detection unit: its facts hash is ", MEL_DEADLOCK_FACTS_HASH, ", the unit's is ", facts,
               "; build it again for this system");
    }
    const uint32_t sizes = (uint32_t)MEL_CORES << 16 | MEL_DEADLOCK_RESOURCES << 8 | MEL_DEADLOCK_PROCESSES;
    if (MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_SIZES) != sizes) {
        mel_boot_mismatch("the program was built for another deadlock detection unit: its sizes are ", sizes, ", the unit's are ",
               MEL_DEADLOCK_WORD(MEL_DEADLOCK_REG_SIZES), "; build it again for this system");
    }
    (void)mel_deadlock_do(MEL_DEADLOCK_COMMAND_CLEAR, 0, 0);
    mel_deadlock_acknowledge();
}
