/* SPDX-License-Identifier: Apache-2.0 */
/* itron_cfg.h: a task that arranges, those above it that are interrupted or interrupt it, and the interrupt. */
CRE_TSK(TASK_MAIN, TA_HLNG | TA_ACT, 0, main_task, 10, 1024)
CRE_TSK(TASK_ENDS, TA_HLNG, 0, ends, 5, 512)
CRE_TSK(TASK_WAITS, TA_HLNG, 0, waits, 5, 512)
CRE_TSK(TASK_SLEEPS, TA_HLNG, 0, sleeps, 5, 512)
CRE_MBX(MBX_MAIL, TA_TPRI | TA_MFIFO, 0)
CRE_FLG(FLG_CLEARED, TA_WSGL | TA_CLR, 0)
ATT_ISR(TA_HLNG, 0, 3, isr)
