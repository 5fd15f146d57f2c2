/* SPDX-License-Identifier: Apache-2.0 */
/* echo.c: the application: each datagram goes back to its sender, in the buffer in which it came. */
#include "network.h"

#include "lwip/api.h"

uint32_t echo_dropped;

void echo(void *unused)
{
    (void)unused;
    struct netconn *const connection = netconn_new(NETCONN_UDP);
    MUST(connection != NULL && netconn_bind(connection, IP_ADDR_ANY, PORT_ECHO) == ERR_OK);
    CHECK(mel_sem_give(SEMAPHORE_READY));
    for (;;) {
        struct netbuf *datagram = NULL;
        MUST(netconn_recv(connection, &datagram) == ERR_OK);
        if (netconn_sendto(connection, datagram, netbuf_fromaddr(datagram), netbuf_fromport(datagram)) != ERR_OK) {
            echo_dropped++;
        }
        netbuf_delete(datagram);
    }
}
