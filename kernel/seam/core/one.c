/* one.c: the context that runs on the one core. */
#include "seam/core/core.h"

mel_context_t *mel_running;
