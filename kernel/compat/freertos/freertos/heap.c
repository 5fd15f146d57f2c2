/* SPDX-License-Identifier: Apache-2.0 */
/* heap.c: FreeRTOS's own allocator, the one whose sizes the layer has, too; none when the program asks for none. */
#include <FreeRTOS.h>

#if configSUPPORT_DYNAMIC_ALLOCATION
#include <heap_4.c>
#endif
