/* SPDX-License-Identifier: Apache-2.0 */
/* banked.h: the hardware unit behind a port, and a bank of registers for each task (part `banked` of the seam `attach`, decision 0015).
 * The words of the bank switch are in mel_spec.h. */
#ifndef MEL_ATTACH_BANKED_H
#define MEL_ATTACH_BANKED_H

#include "seam/attach/port.h"

#endif
