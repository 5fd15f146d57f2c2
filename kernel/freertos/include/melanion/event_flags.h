/* SPDX-License-Identifier: Apache-2.0 */
/* event_flags.h: on the kernel `freertos`: the interface of kernel/include/melanion/event_flags.h, inline over event groups. They have 24 flags: a pattern with
 * others is refused with E_PAR. A handler cannot set any (E_RSFN): FreeRTOS would leave that to its timer task, which is not configured. */
#ifndef MELANION_FREERTOS_EVENT_FLAGS_H
#define MELANION_FREERTOS_EVENT_FLAGS_H

#include_next <melanion/event_flags.h>

#include <mel_freertos.h>

#define MEL_FREERTOS_FLAGS UINT32_C(0x00FFFFFF)

static inline EventGroupHandle_t mel_freertos_group(mel_id_t flags)
{
    return (EventGroupHandle_t)&mel_freertos_flags[flags];
}

MEL_FREERTOS_CALL mel_status_t mel_flags_set(mel_id_t flags, uint32_t pattern)
{
    if ((pattern & ~MEL_FREERTOS_FLAGS) != 0) {
        return MEL_E_PAR;
    }
    if (mel_freertos_in_handler()) {
        return MEL_E_RSFN;
    }
    (void)xEventGroupSetBits(mel_freertos_group(flags), pattern);
    return MEL_E_OK;
}

MEL_FREERTOS_CALL mel_status_t mel_flags_clear(mel_id_t flags, uint32_t pattern)
{
    if (mel_freertos_in_handler()) {
        return MEL_E_RSFN;
    }
    (void)xEventGroupClearBits(mel_freertos_group(flags), pattern & MEL_FREERTOS_FLAGS);
    return MEL_E_OK;
}

static inline mel_status_t mel_freertos_wait(mel_id_t flags, uint32_t pattern, bool clear, bool all, mel_ticks_t timeout, uint32_t *value)
{
    if (pattern == 0 || (pattern & ~MEL_FREERTOS_FLAGS) != 0) {
        return MEL_E_PAR;
    }
    if (mel_freertos_in_handler()) {
        return timeout == MEL_POLL ? MEL_E_RSFN : MEL_E_CTX;
    }
    const uint32_t found = xEventGroupWaitBits(mel_freertos_group(flags), pattern, clear, all, timeout);
    if (__builtin_expect(all ? (found & pattern) == pattern : (found & pattern) != 0, 1)) {
        *value = found;
        return MEL_E_OK;
    }
    return mel_freertos_end(timeout);
}

MEL_FREERTOS_CALL mel_status_t mel_flags_wait_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return mel_freertos_wait(flags, pattern, false, false, timeout, value);
}

MEL_FREERTOS_CALL mel_status_t mel_flags_wait_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return mel_freertos_wait(flags, pattern, false, true, timeout, value);
}

MEL_FREERTOS_CALL mel_status_t mel_flags_take_any(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return mel_freertos_wait(flags, pattern, true, false, timeout, value);
}

MEL_FREERTOS_CALL mel_status_t mel_flags_take_all(mel_id_t flags, uint32_t pattern, mel_ticks_t timeout, uint32_t *value)
{
    return mel_freertos_wait(flags, pattern, true, true, timeout, value);
}

#endif
