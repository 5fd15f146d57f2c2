/* SPDX-License-Identifier: Apache-2.0 */
/* itron_cfg.h: the tasks of the benchmark, and the interrupt in whose handler i-calls are made. All other objects are made and deleted by its rows. */
#define SPARE_MBXID 3
#define SPARE_MPFID 3
#define SPARE_ALMID 3
CRE_TSK(TASK_CALLER, TA_HLNG | TA_ACT, 0, call, 16, 1024)
CRE_TSK(TASK_WAKER, TA_HLNG | TA_ACT, 0, wake, 24, 512)
CRE_TSK(TASK_CREW_1, TA_HLNG | TA_ACT, 0, work, 4, 512)
CRE_TSK(TASK_CREW_2, TA_HLNG | TA_ACT, 1, work, 5, 512)
CRE_TSK(TASK_CREW_3, TA_HLNG | TA_ACT, 2, work, 6, 512)
CRE_TSK(TASK_CREW_4, TA_HLNG | TA_ACT, 3, work, 7, 512)
CRE_TSK(TASK_CREW_5, TA_HLNG | TA_ACT, 4, work, 4, 512)
CRE_TSK(TASK_CREW_6, TA_HLNG | TA_ACT, 5, work, 5, 512)
CRE_TSK(TASK_CREW_7, TA_HLNG | TA_ACT, 6, work, 6, 512)
CRE_TSK(TASK_CREW_8, TA_HLNG | TA_ACT, 7, work, 7, 512)
ATT_ISR(TA_HLNG, 0, 3, isr)
