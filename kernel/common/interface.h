/* SPDX-License-Identifier: Apache-2.0 */
/* interface.h: how the header of an interface includes that of the implementation which was chosen: the build passes
 * -DMEL_INTERFACE_<INTERFACE>=<header> (kernel/sources.yaml). */
#ifndef MEL_COMMON_INTERFACE_H
#define MEL_COMMON_INTERFACE_H

/* Expansion of a macro, as a string. */
#define MEL_TEXT(macro) MEL_TEXT_OF(macro)
#define MEL_TEXT_OF(text) #text

#endif
