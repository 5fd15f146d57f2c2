/* SPDX-License-Identifier: Apache-2.0 */
/* tm_porting_layer.h: stands in for a porting layer beside the tests of others. It must not be used: ours is. */
#error "the porting layer of the tests' folder was used"
