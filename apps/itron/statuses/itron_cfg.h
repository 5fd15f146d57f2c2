/* SPDX-License-Identifier: Apache-2.0 */
/* itron_cfg.h: three tasks, and the interrupt in whose handler calls are made. All other objects are made while the program runs. */
#define SPARE_MBXID 2
#define SPARE_MPFID 2
#define SPARE_ALMID 2
CRE_TSK(TASK_MAIN, TA_HLNG | TA_ACT, 0, main_task, 10, 2048)
CRE_TSK(TASK_HIGH, TA_HLNG, 7, high_task, 5, 1024)
CRE_TSK(TASK_LOW, TA_HLNG, 8, low_task, 15, 1024)
ATT_ISR(TA_HLNG, 3, 3, isr)
ATT_INI(TA_HLNG, 1000, initialize)
