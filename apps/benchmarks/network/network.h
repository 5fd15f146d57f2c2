/* SPDX-License-Identifier: Apache-2.0 */
/* network.h: the benchmark `network`: an echo server over lwIP, unmodified, beside a control task, while the traffic generator behind the Ethernet MAC sends
 * frames and checks the replies (docs/explanation/network.md). The same source on every kernel.
 *
 *   control    (the most urgent) runs once in each tick of 100 µs, computes, and should not be late
 *   conduct    sets the generator, waits for the end of its frames, and checks what generator, MAC and lwIP have counted
 *   receive    waits for the MAC's interrupt; moves frames into buffers and sends them to the next as messages
 *   protocols  lwIP's own task: ARP, IP, ICMP, UDP; sends frames, and waits for the MAC's other interrupt when it has no room
 *   echo       the application: gives each datagram of port 7 back to its sender
 *   idle       counts the cycles that nobody else needs
 *
 * It measures nothing but what generator and idle task count: it passes tracepoints (no cycle), and stores phase marks. Exit code 0: all was as it must be. */
#ifndef NETWORK_H
#define NETWORK_H

#include "arch/cc.h"
#include "lwipopts.h"

#include <melanion/ethernet.h>
#include <melanion/melanion.h>

/* Markers. Their value is phase + 256 * parameter. */
enum { MARK_BEGIN = 1, MARK_END = 2 };
enum { PHASE_LOAD = 1, PHASE_LIMIT = 2, PHASE_FLOOD = 3 };
enum {
    TRACEPOINT_CONTROL = 1,   /* the control task runs */
    TRACEPOINT_ROUND_TRIP = 2,
    TRACEPOINT_ANSWERED = 3,  /* right replies, of the frames that expect one, in millionths */
    TRACEPOINT_IDLE = 4,      /* idle cycles, of all, in millionths */
    TRACEPOINT_PERIOD = 5,    /* cycles from frame to frame at the limit */
    TRACEPOINT_RATE = 6,      /* replies in a million cycles */
};

enum { TASK_CONTROL, TASK_CONDUCT, TASK_RECEIVE, TASK_PROTOCOLS, TASK_ECHO, TASK_IDLE };
enum { PRIORITY_CONTROL = 1, PRIORITY_CONDUCT = 2, PRIORITY_RECEIVE = 3, PRIORITY_ECHO = 5, PRIORITY_IDLE = 20 };
enum { SEMAPHORE_RECEIVED, SEMAPHORE_ROOM, SEMAPHORE_READY, SEMAPHORE_LWIP }; /* those from the last one on are lwIP's, as are all queues */

enum { TICK_CYCLES = 10000, TICKS_PER_MS = 10 };
enum { PORT_ECHO = 7 };

/* End the run: prints the text, and the line of the source. */
_Noreturn void network_failed(const char *text, uint32_t line);

#define MUST(holds)                                 \
    do {                                            \
        if (__builtin_expect(!(holds), 0)) {        \
            network_failed(#holds, __LINE__);       \
        }                                           \
    } while (0)
#define CHECK(call) MUST((call) == MEL_E_OK)

/* interface.c: the MAC as lwIP's interface. */
extern uint32_t interface_dropped; /* frames for which there was no buffer or no room in a queue */
void interface_start(void (*ready)(void *));
void receive(void *unused);

/* echo.c: the application. */
void echo(void *unused);
extern uint32_t echo_dropped; /* replies for which lwIP had no memory */

/* control.c: control task and idle task. */
extern volatile uint32_t idle_cycles;
void control(void *unused);
void idle(void *unused);

/* main.c: makes and starts a task. */
void network_task(mel_id_t task, mel_task_entry_t entry, void *argument, mel_priority_t priority, const char *name);

/* The generator, of which `run` waits for all frames and replies. Tasks: conduct. */
enum { FORM_UDP, FORM_ICMP, FORM_ARP };
enum { DEFECT_IP = 1 << 4, DEFECT_STATION = 2 << 4, DEFECT_FRAGMENT = 3 << 4, DEFECT_SUM = 4 << 4, DEFECT_CUT = 5 << 4, DEFECT_SHORT = 6 << 4 };
enum { WIRE_CLEAN, WIRE_ROUGH, WIRES }; /* rough: a twentieth of the frames is lost, as many have a wrong checksum, or change places */

typedef struct {
    uint32_t expected, replies, corrupted; /* frames: that expect a reply; that have one; with a wrong checksum */
    uint32_t cycles, idle, early;          /* until the last frame has left: all cycles, idle ones, replies */
    uint32_t lost, wrong_sums;             /* by MAC, interface and application; that lwIP has found */
} outcome_t;

void traffic(uint32_t form, uint32_t bytes, uint32_t period, uint32_t wire);
outcome_t run(uint32_t frames);
uint32_t settled(void); /* right replies when no more come */

/* conduct.c: the phases. Ends the run. */
void conduct(void *unused);

static inline uint32_t get(uint32_t offset)
{
    return mel_ethernet_get(offset);
}

static inline void set(uint32_t offset, uint32_t word)
{
    mel_ethernet_set(offset, word);
}

#endif
