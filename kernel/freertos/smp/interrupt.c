/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c: edges of interrupt lines on FreeRTOS on several cores: those of one core (freertos/interrupt.c), whose handlers run on core 0. Other cores, too, may switch and map
 * lines: what keeps a task of the same core out there is here a section of all cores. A line that is enabled is mapped and attached on core 0 alone: its handler reads without a lock. */
#include <melanion/melanion.h>

#undef taskENTER_CRITICAL
#undef taskEXIT_CRITICAL
#define taskENTER_CRITICAL() const UBaseType_t before_ = mel_freertos_enter()
#define taskEXIT_CRITICAL() mel_freertos_leave(before_)
#define mel_irq_enable enable_here
#define mel_irq_disable disable_here

#include "freertos/interrupt.c"

#undef mel_irq_enable
#undef mel_irq_disable

mel_status_t mel_irq_enable(mel_id_t irq)
{
    const UBaseType_t before = mel_freertos_enter();
    const mel_status_t status = enable_here(irq);
    mel_freertos_leave(before);
    return status;
}

mel_status_t mel_irq_disable(mel_id_t irq)
{
    const UBaseType_t before = mel_freertos_enter();
    const mel_status_t status = disable_here(irq);
    mel_freertos_leave(before);
    return status;
}
