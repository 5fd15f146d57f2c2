/* SPDX-License-Identifier: Apache-2.0 */
/* banked.h: the hardware unit behind a port, and a store of the registers of all tasks (implementation `banked` of the interface `coupling`, decisions 0015,
 * 0038). The words of the switch of contexts are in mel_spec.h. */
#ifndef MEL_UNIT_BANKED_BANKED_H
#define MEL_UNIT_BANKED_BANKED_H

#include "unit/port/port.h"

#endif
