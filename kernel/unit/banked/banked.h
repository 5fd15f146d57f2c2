/* SPDX-License-Identifier: Apache-2.0 */
/* banked.h: the hardware unit behind a port, and a bank of registers for each task (implementation `banked` of the interface `coupling`, decision 0015).
 * The words of the bank switch are in mel_spec.h. */
#ifndef MEL_UNIT_BANKED_BANKED_H
#define MEL_UNIT_BANKED_BANKED_H

#include "unit/port/port.h"

#endif
