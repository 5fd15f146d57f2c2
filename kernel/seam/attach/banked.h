/* banked.h: the hardware unit behind a port, and a bank of registers for each task (part `banked` of the seam `attach`, decision 0015).
 * The words of the bank switch (hw/banks/mel_bank_switch.sv), offsets from register x0. */
#ifndef MEL_ATTACH_BANKED_H
#define MEL_ATTACH_BANKED_H

#include "seam/attach/port.h"

#define MEL_BANK_SWITCH -512      /* store: run the chosen task; behind a call */
#define MEL_BANK_SWITCH_TRAP -508 /* the same at the end of a trap */
#define MEL_BANK_FILLED -504      /* store: the bank holds the registers of its task */
#define MEL_BANK_FORGET -500      /* store of a task's number: it has no bank, its registers are in its frame */
#define MEL_BANK_FRAMES -496      /* store: address of the frames, 32 words for each task, one per register */
#define MEL_BANK_FRAME -256       /* the frame of the task that leaves (stores) or comes (loads) */

#endif
