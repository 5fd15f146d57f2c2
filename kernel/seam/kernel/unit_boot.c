/* unit_boot.c: before a program uses the hardware unit: is it there, is it built from the same spec and with the same
 * parameters as the program, has it cleared its memories? If not, a sentence that says which, and the end of the run. */
#include "common/boot.h"
#include "seam/kernel/unit.h"

/* Polls of the register `ready`: the unit clears one entry of its memories a cycle, 65536 are more than it has. */
#define READY_POLLS 65536

/* A unit of another build: both numbers, and exit. */
static _Noreturn void refuse_build(const char *which, uint32_t of_program, uint32_t of_unit)
{
    mel_print("melanion: the program was built for another hardware unit: its ");
    mel_print(which);
    mel_print(" is ");
    mel_print_hex(of_program);
    mel_print(", the unit's is ");
    mel_print_hex(of_unit);
    mel_boot_refuse("build the program again for this system");
}

void mel_kernel_boot(void)
{
    for (mel_id_t i = 0; i <= MEL_TASKS; i++) {
        mel_contexts[i].number = i;
    }
    mel_running = &mel_contexts[MEL_TASKS];
    mel_running->name = "idle";

    mel_boot_probe = "no hardware unit answers at its address (bus error): run the program on a system with one";
    const uint32_t identity = MEL_UNIT_REGISTER(MEL_REG_IDENTITY);
    mel_boot_probe = NULL;
    if (identity != MEL_IDENTITY) {
        mel_print("melanion: identity ");
        mel_print_hex(identity);
        mel_print(" instead of ");
        mel_print_hex(MEL_IDENTITY);
        mel_print("\n");
        mel_boot_refuse("what answers at the unit's address is no hardware unit: run the program on a system with one");
    }
    const uint32_t spec = MEL_UNIT_REGISTER(MEL_REG_SPEC_HASH);
    if (spec != MEL_SPEC_HASH) {
        refuse_build("spec hash", MEL_SPEC_HASH, spec);
    }
    const uint32_t parameters = MEL_UNIT_REGISTER(MEL_REG_PARAMETER_HASH);
    if (parameters != MEL_PARAMETER_HASH) {
        refuse_build("parameter hash", MEL_PARAMETER_HASH, parameters);
    }
    for (uint32_t polls = 0; MEL_UNIT_REGISTER(MEL_REG_READY) != 1; polls++) {
        if (polls == READY_POLLS) {
            mel_boot_refuse("the hardware unit does not become ready (its register `ready` stays 0): reset the system");
        }
    }
}
