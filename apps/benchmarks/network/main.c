/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: makes the tasks; sets the generator, and waits until its frames are over. */
#include "network.h"

#include <melanion/device.h>

#include "lwip/stats.h"

enum { STACK_SIZE = 2048, SEED = 20047 };
enum { TWENTIETH = 65536 / 20 };
enum { SETTLED = 5 }; /* ticks without a change after which nothing comes any more */

MEL_TASK_STACK(stack_control, TASK_CONTROL, STACK_SIZE);
MEL_TASK_STACK(stack_conduct, TASK_CONDUCT, STACK_SIZE);
MEL_TASK_STACK(stack_receive, TASK_RECEIVE, STACK_SIZE);
MEL_TASK_STACK(stack_protocols, TASK_PROTOCOLS, STACK_SIZE);
MEL_TASK_STACK(stack_echo, TASK_ECHO, STACK_SIZE);
MEL_TASK_STACK(stack_idle, TASK_IDLE, STACK_SIZE);
static uint8_t *const stacks[] = {stack_control, stack_conduct, stack_receive, stack_protocols, stack_echo, stack_idle};

void network_failed(const char *text, uint32_t line)
{
    mel_print("network: line ");
    mel_print_unsigned(line);
    mel_print(": ");
    mel_print(text);
    mel_print("\n");
    mel_exit(1);
}

void network_task(mel_id_t task, mel_task_entry_t entry, void *argument, mel_priority_t priority, const char *name)
{
    CHECK(mel_task_create(task, &(mel_task_attributes_t){.entry = entry,
                                                         .argument = argument,
                                                         .stack = stacks[task],
                                                         .stack_size = STACK_SIZE,
                                                         .priority = priority,
                                                         .name = name}));
    CHECK(mel_task_start(task));
}

static uint32_t lost(void)
{
    return get(MEL_ETHERNET_REG_LOST) + interface_dropped + echo_dropped;
}

static uint32_t wrong_sums(void)
{
    return lwip_stats.udp.chkerr + lwip_stats.icmp.chkerr;
}

void traffic(uint32_t form, uint32_t bytes, uint32_t period, uint32_t wire)
{
    const uint32_t share = wire == WIRE_ROUGH ? TWENTIETH : 0;
    set(MEL_ETHERNET_REG_FORM, form);
    set(MEL_ETHERNET_REG_BYTES, bytes);
    set(MEL_ETHERNET_REG_PERIOD, period);
    set(MEL_ETHERNET_REG_LOSS, share);
    set(MEL_ETHERNET_REG_REORDER, share);
    set(MEL_ETHERNET_REG_CORRUPT, share);
    set(MEL_ETHERNET_REG_SEED, SEED);
}

uint32_t settled(void)
{
    uint32_t replies = 0;
    for (uint32_t quiet = 0; quiet < SETTLED; quiet++) {
        CHECK(mel_task_delay(1));
        const uint32_t now = get(MEL_ETHERNET_REG_REPLIES);
        if (now != replies) {
            replies = now;
            quiet = 0;
        }
    }
    return replies;
}

outcome_t run(uint32_t frames)
{
    const uint32_t lost_before = lost(), sums_before = wrong_sums(), idle_before = idle_cycles, start = mel_cycles();
    set(MEL_ETHERNET_COMMAND_START, frames);
    do {
        CHECK(mel_task_delay(1));
    } while (get(MEL_ETHERNET_REG_BUSY) != 0);
    outcome_t outcome = {
        .cycles = mel_cycles() - start,
        .idle = idle_cycles - idle_before,
        .early = get(MEL_ETHERNET_REG_REPLIES),
        .replies = settled(),
        .corrupted = get(MEL_ETHERNET_REG_CORRUPTED),
        .wrong_sums = wrong_sums() - sums_before,
        .lost = lost() - lost_before,
    };
    const uint32_t offered = get(MEL_ETHERNET_REG_OFFERED);
    outcome.expected = offered - outcome.corrupted;
    MUST(offered + get(MEL_ETHERNET_REG_DROPPED) == frames);
    MUST(get(MEL_ETHERNET_REG_WRONG) == 0 && get(MEL_ETHERNET_REG_REFUSED) == 0);
    MUST(outcome.replies <= outcome.expected && outcome.wrong_sums <= outcome.corrupted);
    return outcome;
}

/* In the task of the protocols, when the interface is up. */
static void ready(void *unused)
{
    network_task(TASK_ECHO, echo, unused, PRIORITY_ECHO, "echo");
}

int main(void)
{
    mel_ethernet_boot();
    CHECK(mel_tick_set(TICK_CYCLES));
    CHECK(mel_sem_create(SEMAPHORE_READY, 0, 1));
    interface_start(ready);
    network_task(TASK_RECEIVE, receive, NULL, PRIORITY_RECEIVE, "receive");
    network_task(TASK_CONTROL, control, NULL, PRIORITY_CONTROL, "control");
    network_task(TASK_CONDUCT, conduct, NULL, PRIORITY_CONDUCT, "conduct");
    network_task(TASK_IDLE, idle, NULL, PRIORITY_IDLE, "idle");
    mel_kernel_start();
}
