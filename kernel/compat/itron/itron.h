/* SPDX-License-Identifier: Apache-2.0 */
/* itron.h: what all of µITRON 4.0 shares: types, constants, status codes, with the standard's names and values. The calls are in kernel.h. */
#ifndef ITRON_H
#define ITRON_H

#include <stddef.h>
#include <stdint.h>

typedef int8_t B;
typedef int16_t H;
typedef int32_t W;
typedef int64_t D;
typedef uint8_t UB;
typedef uint16_t UH;
typedef uint32_t UW;
typedef uint64_t UD;
typedef int8_t VB;
typedef int16_t VH;
typedef int32_t VW;
typedef int64_t VD;
typedef void *VP;
typedef void (*FP)(void);

typedef signed int INT;
typedef unsigned int UINT;
typedef INT BOOL;
typedef INT FN;
typedef INT ER;       /* E_OK, or a negative status */
typedef INT ER_BOOL;  /* a status, or TRUE, or FALSE */
typedef INT ER_ID;    /* a status, or an ID */
typedef INT ER_UINT;  /* a status, or a number */
typedef INT ID;       /* 1 …; what a call refuses with E_ID is no ID of its kind */
typedef UINT ATR;
typedef UINT STAT;
typedef UINT MODE;
typedef INT PRI;      /* 1 is the most urgent */
typedef UINT SIZE;    /* bytes */
typedef INT TMO;      /* units of time: ticks of the system (TIC_NUME, TIC_DENO in kernel.h) */
typedef UINT RELTIM;  /* likewise */
typedef UD SYSTIM;    /* likewise */
typedef W VP_INT;     /* a number, or a pointer */
typedef UW FLGPTN;
typedef UINT INTNO;
typedef UINT INHNO;

#define TRUE 1
#define FALSE 0

/* Status codes. The kernel's own have these values (spec/status.yaml; kernel.h checks it). */
#define E_OK 0
#define E_SYS (-5)
#define E_NOSPT (-9)   /* this kernel lacks it */
#define E_RSFN (-10)
#define E_RSATR (-11)  /* an attribute that does not exist, or that this kernel lacks */
#define E_PAR (-17)
#define E_ID (-18)
#define E_CTX (-25)
#define E_MACV (-26)
#define E_OACV (-27)
#define E_ILUSE (-28)
#define E_NOMEM (-33)
#define E_NOID (-34)   /* no ID is left */
#define E_OBJ (-41)
#define E_NOEXS (-42)
#define E_QOVR (-43)
#define E_RLWAI (-49)
#define E_TMOUT (-50)
#define E_DLT (-51)
#define E_CLS (-52)
#define E_WBLK (-57)
#define E_BOVR (-58)

/* The main code and the sub code of a status. */
#define MERCD(ercd) ((ER)(B)(ercd))
#define SERCD(ercd) ((ER)((ercd) >> 8))

#define TA_NULL 0u
#define TA_HLNG 0x00u    /* a program in C */
#define TA_ASM 0x01u     /* in assembly, called in the same way */
#define TA_ACT 0x02u     /* a task: active from its creation on */
#define TA_RSTR 0x04u    /* a restricted task */
#define TA_TFIFO 0x00u   /* tasks wait in order of arrival */
#define TA_TPRI 0x01u    /* tasks wait in order of priority */
#define TA_MFIFO 0x00u   /* messages wait in order of arrival */
#define TA_MPRI 0x02u    /* messages wait in order of their priority */
#define TA_WSGL 0x00u    /* one task may wait for the flags */
#define TA_WMUL 0x02u    /* several may */
#define TA_CLR 0x04u     /* all flags are cleared when a wait ends */
#define TA_INHERIT 0x02u /* a mutex with priority inheritance */
#define TA_CEILING 0x03u /* a mutex with a priority ceiling */
#define TA_STA 0x02u     /* a cyclic handler: it runs from its creation on */
#define TA_PHS 0x04u     /* it keeps its phase while it does not run */

#define TWF_ANDW 0x00u
#define TWF_ORW 0x01u

#define TMO_POL 0
#define TMO_FEVR (-1)
#define TMO_NBLK (-2)

#define TSK_SELF 0
#define TSK_NONE 0
#define TPRI_SELF 0
#define TPRI_INI 0

#define TTS_RUN 0x01u
#define TTS_RDY 0x02u
#define TTS_WAI 0x04u
#define TTS_SUS 0x08u
#define TTS_WAS 0x0Cu
#define TTS_DMT 0x10u

#define TCYC_STP 0x00u
#define TCYC_STA 0x01u
#define TALM_STP 0x00u
#define TALM_STA 0x01u

#endif
