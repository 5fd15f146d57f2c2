/* SPDX-License-Identifier: Apache-2.0 */
/* itron_cfg.h: the objects of the program: rows of static API, from which kernel_id.h has the IDs. */
CRE_TSK(TASK_AVERAGE, TA_HLNG | TA_ACT, 0, average_task, 5, 1024)
CRE_TSK(TASK_REPORT, TA_HLNG | TA_ACT, 0, report_task, 8, 1024)
CRE_TSK(TASK_END, TA_HLNG | TA_ACT, 0, end_task, 9, 1024)
CRE_DTQ(DTQ_SAMPLES, TA_TPRI, 8)
CRE_MPF(MPF_REPORTS, TA_TPRI, 4, 16)
CRE_MBX(MBX_REPORTS, TA_TPRI | TA_MPRI, 2)
CRE_MTX(MTX_CONSOLE, TA_INHERIT, 0)
CRE_FLG(FLG_STATE, TA_WSGL, 0)
CRE_CYC(CYC_SAMPLE, TA_HLNG | TA_STA, 100, sample, 1, 0)
CRE_ALM(ALM_END, TA_HLNG, 0, over)
ATT_INI(TA_HLNG, 0, initialize)
