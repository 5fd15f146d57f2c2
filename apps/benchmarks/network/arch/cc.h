/* SPDX-License-Identifier: Apache-2.0 */
/* cc.h: compiler and processor, as lwIP wants to know them. */
#ifndef ARCH_CC_H
#define ARCH_CC_H

#include <stdint.h>

#define LWIP_NO_INTTYPES_H 1
#define LWIP_ERRNO_STDINCLUDE 1
#define X8_F "x"
#define U16_F "u"
#define S16_F "d"
#define X16_F "x"
#define U32_F "lu"
#define S32_F "ld"
#define X32_F "lx"
#define SZT_F "u"
#define BYTE_ORDER LITTLE_ENDIAN
#define LWIP_RAND() 0x4D454Cu /* every run has the same ports */

_Noreturn void network_failed(const char *text, uint32_t line);
#define LWIP_PLATFORM_DIAG(words)
#define LWIP_PLATFORM_ASSERT(text) network_failed(text, __LINE__)

/* Short sections around lwIP's pools and counts: interrupts off. They are the same instructions on every kernel. */
typedef uint32_t sys_prot_t;
#define SYS_ARCH_DECL_PROTECT(level) sys_prot_t level
#define SYS_ARCH_PROTECT(level) __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(level) : : "memory")
#define SYS_ARCH_UNPROTECT(level) __asm__ volatile("csrs mstatus, %0" : : "r"((level) & 8) : "memory")

#endif
