/* SPDX-License-Identifier: Apache-2.0 */
/* cfg_rows.h: the rows of itron_cfg.h, the static API of µITRON, each as nothing. Whoever reads that file includes this one, and then defines the row that it
 * is looking for. The rows, without the standard's braces around a packet:
 *   CRE_TSK(tskid, tskatr, exinf, task, itskpri, stksz)       stksz: bytes, a multiple of 16, 256 or more
 *   CRE_SEM(semid, sematr, isemcnt, maxsem)
 *   CRE_FLG(flgid, flgatr, iflgptn)
 *   CRE_DTQ(dtqid, dtqatr, dtqcnt)
 *   CRE_MBX(mbxid, mbxatr, maxmpri)
 *   CRE_MTX(mtxid, mtxatr, ceilpri)
 *   CRE_MPF(mpfid, mpfatr, blkcnt, blksz)                     blksz: bytes, rounded up to a multiple of 4
 *   CRE_CYC(cycid, cycatr, exinf, cychdr, cyctim, cycphs)
 *   CRE_ALM(almid, almatr, exinf, almhdr)
 *   DEF_INH(inhno, inhatr, inthdr)                            one function per interrupt; its edges count from the start on
 *   ATT_ISR(isratr, exinf, intno, isr)                        likewise
 *   ATT_INI(iniatr, exinf, inirtn)                            called in order, when all objects exist
 * The first name of a CRE_ row becomes a constant: kernel_id.h. Functions need no declaration. */
#undef CRE_TSK
#undef CRE_SEM
#undef CRE_FLG
#undef CRE_DTQ
#undef CRE_MBX
#undef CRE_MTX
#undef CRE_MPF
#undef CRE_CYC
#undef CRE_ALM
#undef DEF_INH
#undef ATT_ISR
#undef ATT_INI
#define CRE_TSK(...)
#define CRE_SEM(...)
#define CRE_FLG(...)
#define CRE_DTQ(...)
#define CRE_MBX(...)
#define CRE_MTX(...)
#define CRE_MPF(...)
#define CRE_CYC(...)
#define CRE_ALM(...)
#define DEF_INH(...)
#define ATT_ISR(...)
#define ATT_INI(...)
