// SPDX-License-Identifier: Apache-2.0
// Calls of Verilator's runtime about the processors of a machine, which a page has not.
#include <cerrno>

#include <pthread.h>
#include <sched.h>

extern "C" {

int pthread_getaffinity_np(pthread_t, size_t, cpu_set_t *) { return ENOSYS; }

int pthread_setaffinity_np(pthread_t, size_t, const cpu_set_t *) { return ENOSYS; }

int sched_getcpu() { return 0; }

}  // extern "C"
