/* one.c: a system with one core. */
#include "seam/core/core.h"

#include <melanion/kernel.h>

mel_context_t *mel_running;

uint32_t mel_core_self(void)
{
    return 0;
}
