/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the calls of dmmu.h that concern the unit alone. */
#include "dmmu/unit.h"

#include <melanion/console.h>

#include "common/boot.h"
#include "common/boot_mismatch.h"

uint32_t mel_dmmu_command(uint32_t command, uint32_t word)
{
    return mel_dmmu_do(command, word);
}

void mel_dmmu_query(mel_dmmu_info_t *info)
{
    info->free = MEL_DMMU_WORD(MEL_DMMU_REG_FREE);
    info->least = MEL_DMMU_WORD(MEL_DMMU_REG_LEAST);
    info->failed = MEL_DMMU_WORD(MEL_DMMU_REG_FAILED);
}

void mel_dmmu_boot(void)
{
    mel_boot_probe = "no memory management unit answers at its address (bus error): run the program on a system with one";
    const uint32_t identity = MEL_DMMU_WORD(MEL_DMMU_REG_IDENTITY);
    mel_boot_probe = NULL;
    if (identity != MEL_DMMU_IDENTITY) {
        mel_boot_mismatch("what answers at the address of the memory management unit is none: its identity is ", identity, " instead of ", MEL_DMMU_IDENTITY,
               "; run the program on a system with one");
    }
    const uint32_t facts = MEL_DMMU_WORD(MEL_DMMU_REG_FACTS_HASH);
    if (facts != MEL_DMMU_FACTS_HASH) {
        mel_boot_mismatch("the program was built for another memory management unit: its facts hash is ", MEL_DMMU_FACTS_HASH, ", the unit's is ", facts,
               "; build it again for this system");
    }
    const uint32_t sizes = (uint32_t)MEL_CORES << 28 | MEL_DMMU_OWNERS << 16 | MEL_DMMU_BLOCKS;
    if (MEL_DMMU_WORD(MEL_DMMU_REG_SIZES) != sizes) {
        mel_boot_mismatch("the program was built for another memory management unit: its sizes are ", sizes, ", the unit's are ",
               MEL_DMMU_WORD(MEL_DMMU_REG_SIZES), "; build it again for this system");
    }
    (void)mel_dmmu_do(MEL_DMMU_COMMAND_CLEAR, 0);
}
