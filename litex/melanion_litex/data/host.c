/* SPDX-License-Identifier: Apache-2.0 */
/* host.c: console and exit of a SoC that LiteX made. The console is its UART; a run ends where the SoC has a CSR for its exit code (demo.py): boards have none. */
#include <generated/csr.h>

#include "foreign/host.h"

void mel_host_put(char character)
{
#ifdef CSR_UART_BASE
    while (uart_txfull_read() != 0) {
    }
    uart_rxtx_write((uint8_t)character);
#else
    (void)character;
#endif
}

void mel_host_exit(uint32_t code)
{
#ifdef CSR_LAB_EXIT_ADDR
    lab_exit_write(code);
#else
    (void)code;
#endif
}
