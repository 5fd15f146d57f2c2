/* SPDX-License-Identifier: Apache-2.0 */
/* seam.h: how a part is chosen. The build passes -DMEL_SEAM_<SEAM>=<part> (kernel/README.md); MEL_PART names its header. */
#ifndef MEL_SEAM_H
#define MEL_SEAM_H

#define MEL_PART_STRING(path) #path
#define MEL_PART_EXPAND(path) MEL_PART_STRING(path)
#define MEL_PART(cut, part) MEL_PART_EXPAND(seam/cut/part.h)

#endif
