/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h: access to the Ethernet MAC, inline (implementation `unit` of the interface `ethernet`). */
#ifndef MEL_ETHERNET_UNIT_H
#define MEL_ETHERNET_UNIT_H

#include <mel_system.h>

#include "ethernet/include/melanion/ethernet.h"

#define MEL_ETHERNET_WORD(offset) (*(volatile uint32_t *)(MEL_ETHERNET_BASE + (offset)))

#endif
