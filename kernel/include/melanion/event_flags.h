/* SPDX-License-Identifier: Apache-2.0 */
/* event_flags.h: groups of 32 event flags. A task waits until any, or all, of the flags of a pattern are set. All waiting
 * tasks are judged by the same flags; the flags that the released takes asked for are cleared after that.
 * Each call may also return MEL_E_CTX, MEL_E_ID and MEL_E_NOEXS as melanion.h says. */
#ifndef MELANION_EVENT_FLAGS_H
#define MELANION_EVENT_FLAGS_H

#include <melanion/types.h>

/* Make group `flags`, in which the flags `initial` are set. Callers: task, handler, idle. E_OK; E_OBJ: it exists.
 * µITRON: cre_flg. FreeRTOS: xEventGroupCreateStatic. */
mel_status_t mel_flags_create(mel_id_t flags, uint32_t initial);

/* Remove a group; the waits of its waiting tasks return E_DLT, the most urgent first. Callers: task, idle. E_OK.
 * µITRON: del_flg. FreeRTOS: vEventGroupDelete. */
mel_status_t mel_flags_delete(mel_id_t flags);

/* Set the flags of `pattern`; every waiting task whose condition now holds is released, the most urgent first, equal
 * priorities in no promised order. Callers: task, handler, idle. E_OK.
 * µITRON: set_flg, iset_flg. FreeRTOS: xEventGroupSetBits, xEventGroupSetBitsFromISR. */
mel_status_t mel_flags_set(mel_id_t flags, uint32_t pattern);

/* Clear the flags of `pattern`. Callers: task, handler, idle. E_OK.
 * µITRON: clr_flg (which takes the complement). FreeRTOS: xEventGroupClearBits. */
mel_status_t mel_flags_clear(mel_id_t flags, uint32_t pattern);

/* Wait until at least one flag of `pattern` is set, at most `timeout` ticks (MEL_POLL: not at all, MEL_FOREVER: no limit).
 * `value` gets all flags as they were then; it is written only with E_OK. Callers: task; with MEL_POLL also handler and
 * idle. E_OK; E_PAR: empty pattern; E_TMOUT; E_DLT when the group is deleted meanwhile; E_RLWAI when released.
 * µITRON: wai_flg, pol_flg, twai_flg with TWF_ORW. FreeRTOS: xEventGroupWaitBits. */
mel_status_t mel_flags_wait_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value);

/* As mel_flags_wait_any, but until all flags of `pattern` are set. Callers and statuses likewise.
 * µITRON: TWF_ANDW. FreeRTOS: xWaitForAllBits. */
mel_status_t mel_flags_wait_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value);

/* As mel_flags_wait_any; then the flags of `pattern` are cleared, all of them. Callers and statuses likewise.
 * µITRON: attribute TA_CLR (which clears the whole group). FreeRTOS: xClearOnExit. */
mel_status_t mel_flags_take_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value);

/* As mel_flags_wait_all; then the flags of `pattern` are cleared. Callers and statuses likewise.
 * µITRON: attribute TA_CLR. FreeRTOS: xWaitForAllBits, xClearOnExit. */
mel_status_t mel_flags_take_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value);

/* Modes of mel_flags_wait: one of the first two, and MEL_FLAGS_TAKE or not. */
#define MEL_FLAGS_ANY 0u
#define MEL_FLAGS_ALL 1u
#define MEL_FLAGS_TAKE 2u

/* One of the four calls above, by `mode`, which costs nothing when it is constant. E_PAR also: no such mode. */
static inline mel_status_t mel_flags_wait(mel_id_t flags, uint32_t pattern, uint32_t mode, mel_ticks_t timeout,
                                          uint32_t *value)
{
    switch (mode) {
    case MEL_FLAGS_ANY: return mel_flags_wait_any(flags, pattern, timeout, value);
    case MEL_FLAGS_ALL: return mel_flags_wait_all(flags, pattern, timeout, value);
    case MEL_FLAGS_ANY | MEL_FLAGS_TAKE: return mel_flags_take_any(flags, pattern, timeout, value);
    case MEL_FLAGS_ALL | MEL_FLAGS_TAKE: return mel_flags_take_all(flags, pattern, timeout, value);
    default: return MEL_E_PAR;
    }
}

#endif
