/* SPDX-License-Identifier: Apache-2.0 */
/* lwipopts.h: configuration of lwIP for this benchmark: IPv4 with ARP, ICMP echo and UDP, its protocol code in a task of its own that gets messages.
 * Assertions stay on. */
#ifndef LWIPOPTS_H
#define LWIPOPTS_H

#define NO_SYS 0
#define LWIP_NETCONN 1
#define LWIP_SOCKET 0
#define LWIP_TCP 0
#define LWIP_RAW 0
#define LWIP_ARP 1
#define LWIP_ICMP 1
#define LWIP_UDP 1
#define LWIP_IPV6 0
#define LWIP_DHCP 0
#define LWIP_DNS 0
#define LWIP_IGMP 0
#define IP_REASSEMBLY 0
#define IP_FRAG 0
#define ARP_QUEUEING 0

/* A call of another task is a message to that of the protocols and a semaphore for its end, not a lock: lwIP has both ways. */
#define LWIP_TCPIP_CORE_LOCKING 0
#define LWIP_COMPAT_MUTEX 1
#define SYS_LIGHTWEIGHT_PROT 1

/* Frames begin two bytes before their header, as those of the MAC do. A buffer holds the largest one. */
#define ETH_PAD_SIZE 2
#define MEM_ALIGNMENT 4
#define MEM_SIZE 8192
#define PBUF_POOL_SIZE 12
#define PBUF_POOL_BUFSIZE 1536
#define MEMP_NUM_PBUF 8
#define MEMP_NUM_NETBUF 8
#define MEMP_NUM_NETCONN 2
#define MEMP_NUM_UDP_PCB 2
#define MEMP_NUM_TCPIP_MSG_API 4
#define MEMP_NUM_TCPIP_MSG_INPKT 8

#define TCPIP_MBOX_SIZE 8
#define DEFAULT_UDP_RECVMBOX_SIZE 8
#define TCPIP_THREAD_NAME "protocols"
#define TCPIP_THREAD_STACKSIZE 2048
#define TCPIP_THREAD_PRIO 4

/* Checksums in C: the algorithm for machines of 32 bits. */
#define LWIP_CHKSUM_ALGORITHM 3

#define LWIP_STATS 1
#define LWIP_STATS_DISPLAY 0
#define LWIP_STATS_LARGE 1
#define MIB2_STATS 0

#endif
