/* SPDX-License-Identifier: Apache-2.0 */
/* tm_api.h: the services of Thread-Metric, entered through a trap: threads run in user mode, and each service is an `ecall`. The same functions as those of
 * ../thread_metric, with the same contract. */
#ifndef TM_TRAP_API_H
#define TM_TRAP_API_H

#include "../thread_metric/tm_api.h"

#define TM_TRAP

#endif
