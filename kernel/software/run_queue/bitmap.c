/* SPDX-License-Identifier: Apache-2.0 */
/* bitmap.c: the data of the ready lists. The verbs are inline, in bitmap.h. */
#include "software/run_queue/run_queue.h"

mel_link_t mel_ready[MEL_READY_WORDS * 32 + 1];
uint32_t mel_ready_map[MEL_READY_WORDS];
uint32_t mel_ready_summary;

void mel_run_queue_init(void)
{
    for (size_t i = 0; i <= MEL_READY_WORDS * 32; i++) {
        mel_ready[i].next = mel_ready[i].previous = &mel_ready[i];
    }
    mel_ready[MEL_READY_WORDS * 32].next = &MEL_IDLE->queue;
}
