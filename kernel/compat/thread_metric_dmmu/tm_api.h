/* SPDX-License-Identifier: Apache-2.0 */
/* tm_api.h: the services of Thread-Metric with memory pools over the memory management unit: the same functions as those of ../thread_metric, with the same contract. */
#ifndef TM_DMMU_API_H
#define TM_DMMU_API_H

#include "../thread_metric/tm_api.h"

/* The second variant of a program, whose rows stand beside those of ../thread_metric; nothing is trapped into. */
#define TM_TRAP

#endif
