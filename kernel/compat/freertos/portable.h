/* SPDX-License-Identifier: Apache-2.0 */
/* portable.h: for programs that include this header of FreeRTOS by its name: what is in it is in FreeRTOS.h here. */
#include "FreeRTOS.h"
