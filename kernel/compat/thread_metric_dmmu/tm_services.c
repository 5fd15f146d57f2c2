/* SPDX-License-Identifier: Apache-2.0 */
/* tm_services.c: the services of ../thread_metric, the same C; but a pool is one of melanion/dmmu_pool.h, of as many bytes a block. Pools are the last owners of the
 * unit, which no thread is. */
#define tm_initialize layer_initialize
#define tm_memory_pool_create listed_memory_pool_create
#define tm_memory_pool_allocate listed_memory_pool_allocate
#define tm_memory_pool_deallocate listed_memory_pool_deallocate
#include "../thread_metric/tm_porting_layer.c"
#undef tm_initialize
#undef tm_memory_pool_create
#undef tm_memory_pool_allocate
#undef tm_memory_pool_deallocate

#ifndef MEL_DMMU_BLOCKS
#error "thread_metric_dmmu: this system has no memory management unit; take a system with components: dmmu, such as sw-dmmu, or compat: thread_metric"
#else

#include <melanion/dmmu_pool.h>

_Static_assert(MEL_DMMU_OWNERS >= TM_THREADS + TM_OBJECTS, "thread_metric_dmmu needs a memory management unit with at least 14 owners");

MEL_DMMU_POOL_MEMORY(unit_memory);
static mel_dmmu_pool_t unit_pools[TM_OBJECTS];

void tm_initialize(void (*test_initialization_function)(void))
{
    mel_dmmu_boot();
    layer_initialize(test_initialization_function);
}

int tm_memory_pool_create(int pool_id)
{
    const uint32_t owner = MEL_DMMU_OWNERS - 1u - (uint32_t)pool_id;
    return numbers(pool_id) ? result(mel_dmmu_pool_create(&unit_pools[pool_id], unit_memory, BLOCK_BYTES, owner)) : TM_ERROR;
}

int tm_memory_pool_allocate(int pool_id, unsigned char **memory_ptr)
{
    void *block;
    if (!numbers(pool_id) || mel_dmmu_pool_get(&unit_pools[pool_id], &block) != MEL_E_OK) {
        return TM_ERROR;
    }
    *memory_ptr = block;
    return TM_SUCCESS;
}

int tm_memory_pool_deallocate(int pool_id, unsigned char *memory_ptr)
{
    return numbers(pool_id) ? result(mel_dmmu_pool_put(&unit_pools[pool_id], memory_ptr)) : TM_ERROR;
}

#endif
