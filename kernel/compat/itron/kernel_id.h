/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_id.h: the IDs of the objects that itron_cfg.h names: of each kind 1, 2, …, in the order of its rows; how many there are (TNUM_…), and which IDs a
 * kind can have (1 … TMAX_…). Mailboxes share the queues of the system with data queues, fixed memory pools its semaphores with semaphores, alarm
 * handlers its timers with cyclic handlers: the former take as many as itron_cfg.h has rows, and as many more as it defines as
 * SPARE_MBXID, SPARE_MPFID, SPARE_ALMID for cre_ and acre_; the latter have the rest. */
#ifndef KERNEL_ID_H
#define KERNEL_ID_H

#include <mel_system.h>

#include "cfg_rows.h"
#undef CRE_TSK
#define CRE_TSK(id, ...) id,
enum {
    ITRON_TSK_NONE,
#include <itron_cfg.h>
    ITRON_TSK_BEYOND,
    TNUM_TSKID = ITRON_TSK_BEYOND - 1
};

#include "cfg_rows.h"
#undef CRE_SEM
#define CRE_SEM(id, ...) id,
enum {
    ITRON_SEM_NONE,
#include <itron_cfg.h>
    ITRON_SEM_BEYOND,
    TNUM_SEMID = ITRON_SEM_BEYOND - 1
};

#include "cfg_rows.h"
#undef CRE_FLG
#define CRE_FLG(id, ...) id,
enum {
    ITRON_FLG_NONE,
#include <itron_cfg.h>
    ITRON_FLG_BEYOND,
    TNUM_FLGID = ITRON_FLG_BEYOND - 1
};

#include "cfg_rows.h"
#undef CRE_DTQ
#define CRE_DTQ(id, ...) id,
enum {
    ITRON_DTQ_NONE,
#include <itron_cfg.h>
    ITRON_DTQ_BEYOND,
    TNUM_DTQID = ITRON_DTQ_BEYOND - 1
};

#include "cfg_rows.h"
#undef CRE_MBX
#define CRE_MBX(id, ...) id,
enum {
    ITRON_MBX_NONE,
#include <itron_cfg.h>
    ITRON_MBX_BEYOND,
    TNUM_MBXID = ITRON_MBX_BEYOND - 1
};

#include "cfg_rows.h"
#undef CRE_MTX
#define CRE_MTX(id, ...) id,
enum {
    ITRON_MTX_NONE,
#include <itron_cfg.h>
    ITRON_MTX_BEYOND,
    TNUM_MTXID = ITRON_MTX_BEYOND - 1
};

#include "cfg_rows.h"
#undef CRE_MPF
#define CRE_MPF(id, ...) id,
enum {
    ITRON_MPF_NONE,
#include <itron_cfg.h>
    ITRON_MPF_BEYOND,
    TNUM_MPFID = ITRON_MPF_BEYOND - 1
};

#include "cfg_rows.h"
#undef CRE_CYC
#define CRE_CYC(id, ...) id,
enum {
    ITRON_CYC_NONE,
#include <itron_cfg.h>
    ITRON_CYC_BEYOND,
    TNUM_CYCID = ITRON_CYC_BEYOND - 1
};

#include "cfg_rows.h"
#undef CRE_ALM
#define CRE_ALM(id, ...) id,
enum {
    ITRON_ALM_NONE,
#include <itron_cfg.h>
    ITRON_ALM_BEYOND,
    TNUM_ALMID = ITRON_ALM_BEYOND - 1
};

#include "cfg_rows.h"

#ifndef SPARE_MBXID
#define SPARE_MBXID 0
#endif
#ifndef SPARE_MPFID
#define SPARE_MPFID 0
#endif
#ifndef SPARE_ALMID
#define SPARE_ALMID 0
#endif

enum {
    TMAX_TSKID = MEL_TASKS,
    TMAX_MBXID = TNUM_MBXID + SPARE_MBXID,
    TMAX_DTQID = MEL_QUEUES - TMAX_MBXID,
    TMAX_MPFID = TNUM_MPFID + SPARE_MPFID,
    TMAX_SEMID = MEL_SEMAPHORES - TMAX_MPFID,
    TMAX_FLGID = MEL_EVENT_FLAGS,
    TMAX_MTXID = MEL_MUTEXES,
    TMAX_ALMID = TNUM_ALMID + SPARE_ALMID,
    TMAX_CYCID = MEL_TIMERS - TMAX_ALMID
};

#endif
