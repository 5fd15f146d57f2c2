/* SPDX-License-Identifier: Apache-2.0 */
/* interface.c: the MAC as an interface of lwIP: a task moves received frames into buffers, and that of the protocols fills transmit slots. */
#include "network.h"

#include "lwip/etharp.h"
#include "lwip/netif.h"
#include "lwip/tcpip.h"

uint32_t interface_dropped;

static struct netif interface;

static mel_id_t line_of_room(void)
{
    return MEL_ETHERNET_LINE + 1;
}

/* Called by the task of the protocols alone. */
static err_t send(struct netif *netif, struct pbuf *frame)
{
    (void)netif;
    while (mel_ethernet_room() == 0) {
        CHECK(mel_sem_take(SEMAPHORE_ROOM, MEL_FOREVER));
    }
    MUST(frame->next == NULL && (uintptr_t)frame->payload % sizeof(uint32_t) == 0);
    CHECK(mel_ethernet_fill(0, frame->payload, (frame->tot_len + sizeof(uint32_t) - 1) / sizeof(uint32_t)));
    CHECK(mel_ethernet_send(frame->tot_len - MEL_ETHERNET_PAD));
    return ERR_OK;
}

static err_t initialize(struct netif *netif)
{
    netif->name[0] = 'e';
    netif->name[1] = 't';
    netif->output = etharp_output;
    netif->linkoutput = send;
    netif->mtu = 1500;
    netif->hwaddr_len = ETH_HWADDR_LEN;
    mel_ethernet_address(netif->hwaddr);
    netif->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET | NETIF_FLAG_LINK_UP;
    return ERR_OK;
}

/* In the task of the protocols, its first job. */
static void begin(void *ready)
{
    ip4_addr_t address, mask, gateway;
    IP4_ADDR(&address, 10, 0, 0, 1);
    IP4_ADDR(&mask, 255, 255, 255, 0);
    IP4_ADDR(&gateway, 10, 0, 0, 2);
    MUST(netif_add(&interface, &address, &mask, &gateway, NULL, initialize, tcpip_input) != NULL);
    netif_set_default(&interface);
    netif_set_up(&interface);
    ((void (*)(void *))ready)(NULL);
}

void interface_start(void (*ready)(void *))
{
    CHECK(mel_sem_create(SEMAPHORE_RECEIVED, 0, 255));
    CHECK(mel_sem_create(SEMAPHORE_ROOM, 0, 255));
    CHECK(mel_irq_map(MEL_ETHERNET_LINE, MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEMAPHORE_RECEIVED, 0, false));
    CHECK(mel_irq_map(line_of_room(), MEL_IRQ_ACTION_SEMAPHORE_GIVE, SEMAPHORE_ROOM, 0, false));
    CHECK(mel_irq_enable(MEL_ETHERNET_LINE));
    CHECK(mel_irq_enable(line_of_room()));
    tcpip_init(begin, (void *)ready);
}

static void move(uint32_t bytes)
{
    struct pbuf *frame = pbuf_alloc(PBUF_RAW, (u16_t)(bytes + MEL_ETHERNET_PAD), PBUF_POOL);
    if (frame != NULL) {
        CHECK(mel_ethernet_copy(frame->payload, bytes));
    }
    CHECK(mel_ethernet_release());
    if (frame == NULL) {
        interface_dropped++;
    } else if (interface.input(frame, &interface) != ERR_OK) {
        (void)pbuf_free(frame);
        interface_dropped++;
    }
}

/* The line rises only where there was no frame: all are moved before the next wait. */
void receive(void *unused)
{
    (void)unused;
    for (;;) {
        CHECK(mel_sem_take(SEMAPHORE_RECEIVED, MEL_FOREVER));
        for (uint32_t bytes; (bytes = mel_ethernet_length()) != 0;) {
            move(bytes);
        }
    }
}
