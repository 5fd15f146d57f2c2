/* SPDX-License-Identifier: Apache-2.0 */
/* answers.c: in the place of the benchmark's conduct.c: what the stack must answer, and what it must not, with the counts that say why. */
#include "network.h"

#include "lwip/stats.h"

enum { FRAMES = 6, BYTES = 64, PERIOD = 20000, ALL = 65535 };

static uint32_t before;

/* A clean run, in which all or none of the frames are answered. */
static void expect(uint32_t form, bool answered)
{
    traffic(form, BYTES, PERIOD, WIRE_CLEAN);
    const outcome_t outcome = run(FRAMES);
    MUST(outcome.lost == 0 && outcome.replies == (answered ? FRAMES : 0));
}

/* None of the frames is answered, and a count of `where` says so. */
#define EXPECT_NONE(form, where)             \
    do {                                     \
        before = (where);                    \
        expect(form, false);                 \
        MUST((where) - before == FRAMES);    \
    } while (0)

static void wrong_checksums(uint32_t form)
{
    traffic(form, BYTES, PERIOD, WIRE_CLEAN);
    set(MEL_ETHERNET_REG_CORRUPT, ALL);
    const outcome_t outcome = run(FRAMES);
    MUST(outcome.corrupted == FRAMES && outcome.wrong_sums == FRAMES && outcome.replies == 0);
}

/* Frames that nobody moves fill the ring; the others are lost, and counted. */
static void no_room(void)
{
    traffic(FORM_UDP, BYTES, 0, WIRE_CLEAN);
    before = get(MEL_ETHERNET_REG_LOST);
    CHECK(mel_task_suspend(TASK_RECEIVE));
    const outcome_t outcome = run(MEL_ETHERNET_SLOTS + FRAMES);
    MUST(outcome.lost == FRAMES && get(MEL_ETHERNET_REG_LOST) - before == FRAMES && outcome.replies == 0);
    CHECK(mel_task_resume(TASK_RECEIVE));
    MUST(settled() == MEL_ETHERNET_SLOTS);
}

static void rough(void)
{
    traffic(FORM_UDP, BYTES, PERIOD / 2, WIRE_ROUGH);
    set(MEL_ETHERNET_REG_REORDER, 65536 / 4);
    const outcome_t outcome = run(100);
    MUST(outcome.lost == 0 && outcome.replies == outcome.expected && outcome.wrong_sums == outcome.corrupted);
    MUST(get(MEL_ETHERNET_REG_DROPPED) != 0 && outcome.corrupted != 0 && get(MEL_ETHERNET_REG_DISORDERED) != 0);
}

void conduct(void *unused)
{
    (void)unused;
    CHECK(mel_sem_take(SEMAPHORE_READY, MEL_FOREVER));
    expect(FORM_ARP, true);
    expect(FORM_ICMP, true);
    expect(FORM_UDP, true);
    wrong_checksums(FORM_UDP);
    wrong_checksums(FORM_ICMP);
    EXPECT_NONE(FORM_UDP | DEFECT_SUM, lwip_stats.ip.chkerr);
    EXPECT_NONE(FORM_UDP | DEFECT_CUT, lwip_stats.ip.lenerr);
    EXPECT_NONE(FORM_ICMP | DEFECT_FRAGMENT, lwip_stats.ip.opterr);
    EXPECT_NONE(FORM_UDP | DEFECT_SHORT, get(MEL_ETHERNET_REG_MALFORMED));
    EXPECT_NONE(FORM_UDP | DEFECT_STATION, get(MEL_ETHERNET_REG_FOREIGN));
    EXPECT_NONE(FORM_UDP | DEFECT_IP, lwip_stats.ip.drop);
    expect(FORM_ARP | DEFECT_IP, false);
    no_room();
    rough();
    expect(FORM_UDP, true);
    MUST(get(MEL_ETHERNET_REG_OTHERS) == 1); /* the stack has told its address once, when it began */
    mel_print("network: all was answered that must be\n");
    mel_exit(0);
}
