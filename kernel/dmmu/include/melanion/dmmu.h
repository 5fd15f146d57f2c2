/* SPDX-License-Identifier: Apache-2.0 */
/* dmmu.h: a heap whose blocks the memory management unit hands out (docs/explanation/dmmu.md): alloc and free take the same few cycles, however full the
 * heap is, and only the task that holds memory can free it. On any kernel, on systems with `components.dmmu`.
 *
 * The heap is MEL_DMMU_BLOCKS blocks of MEL_DMMU_BLOCK_BYTES bytes; memory is whole blocks, and begins at a multiple of their size. Tasks that alloc have
 * numbers below MEL_DMMU_OWNERS. A task that is deleted keeps what it holds. No call here from user mode. */
#ifndef MELANION_DMMU_H
#define MELANION_DMMU_H

#include <melanion/mel_dmmu.h>
#include <melanion/types.h>

/* Check that the unit is there and of this build, and free the whole heap. Prints what is wrong and ends the run if it is not. Once, before all other
 * calls: main(), on core 0. */
void mel_dmmu_boot(void);

/* Memory of at least `bytes` bytes, of any content, which the caller holds from now on; NULL: there are not so many free blocks one behind the other, `bytes`
 * is 0, or the caller's number is too high. Callers: task. FreeRTOS: pvPortMalloc. */
void *mel_dmmu_alloc(size_t bytes);

/* Hold the memory no more. Callers: task. E_OK; E_PAR: no block of the heap begins there; E_ILUSE: it is no memory that alloc returned, or the caller does not
 * hold it (any more). FreeRTOS: vPortFree. */
mel_status_t mel_dmmu_free(void *memory);

/* Let a task hold the memory in place of the caller, which should not touch it any more. Callers: task. E_OK; E_ID: no such task may hold memory; E_PAR, E_ILUSE:
 * as free. FreeRTOS: none. */
mel_status_t mel_dmmu_give(void *memory, mel_id_t task);

/* State of the heap (mel_dmmu_query). */
typedef struct {
    uint32_t free;   /* blocks that nobody holds */
    uint32_t least;  /* the least number of them since boot */
    uint32_t failed; /* allocs that found no room since reset, at most 65535 */
} mel_dmmu_info_t;

/* Read the state of the heap. Callers: any. */
void mel_dmmu_query(mel_dmmu_info_t *info);

/* A command of the unit (MEL_DMMU_COMMAND_…) and its answer (MEL_DMMU_ANSWER_…, or a block), for those that divide memory of their own: `word` as in
 * docs/reference/dmmu.md. Callers: any. */
uint32_t mel_dmmu_command(uint32_t command, uint32_t word);

#endif
