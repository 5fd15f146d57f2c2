/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c: a thread allocates a block of 128 bytes and gives it back. An iteration is both. */
#include "test.h"

static void allocating(void)
{
    unsigned char *block;
    for (;;) {
        CHECK(tm_memory_pool_allocate(0, &block));
        CHECK(tm_memory_pool_deallocate(0, block));
        COUNT(0);
    }
}

void memory(void)
{
    CHECK(tm_memory_pool_create(0));
    CHECK(tm_thread_create(0, 10, allocating));
    CHECK(tm_thread_resume(0));
    report(1, 1);
}
