/* SPDX-License-Identifier: Apache-2.0 */
/* tm_api.h: the fifteen services on which Thread-Metric tests stand (the slides of the benchmark), as tm_porting_layer.c gives them.
 * Contract: threads are created suspended; priority 1 is the most urgent, MEL_PRIORITIES - 1 the least; semaphores begin with one unit; messages
 * are 4 × unsigned long, blocks 128 bytes; nothing but tm_thread_sleep and tm_thread_suspend of the caller waits: what cannot be done is
 * TM_ERROR at once. tm_thread_resume and tm_semaphore_put may be called from the interrupt handler. All are functions, and are called. */
#ifndef TM_API_H
#define TM_API_H

#include "tm_porting_layer.h"

#define TM_SUCCESS 0
#define TM_ERROR 1

/* The time for which a test counts, in seconds of the benchmark (TM_TICKS_PER_DURATION). */
#ifndef TM_TEST_DURATION
#define TM_TEST_DURATION 30
#endif

/* Call `test_initialization_function`, which makes what the test needs, and run threads from then on. Does not return. */
void tm_initialize(void (*test_initialization_function)(void));

/* Thread `thread_id` (0 … TM_THREADS - 1), suspended: its first resume calls `entry_function`, which does not return. */
int tm_thread_create(int thread_id, int priority, void (*entry_function)(void));
int tm_thread_resume(int thread_id);
int tm_thread_suspend(int thread_id);
void tm_thread_relinquish(void);
void tm_thread_sleep(int seconds);

int tm_queue_create(int queue_id);
int tm_queue_send(int queue_id, unsigned long *message_ptr);
int tm_queue_receive(int queue_id, unsigned long *message_ptr);

int tm_semaphore_create(int semaphore_id);
int tm_semaphore_get(int semaphore_id);
int tm_semaphore_put(int semaphore_id);

int tm_memory_pool_create(int pool_id);
int tm_memory_pool_allocate(int pool_id, unsigned char **memory_ptr);
int tm_memory_pool_deallocate(int pool_id, unsigned char *memory_ptr);

#endif
