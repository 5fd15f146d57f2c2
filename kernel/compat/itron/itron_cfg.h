/* SPDX-License-Identifier: Apache-2.0 */
/* itron_cfg.h: the objects of a program that makes none before it starts. A program has a file of this name in its own folder, which is found first:
 * rows of static API (cfg_rows.h), and the numbers of spare IDs (kernel_id.h). It is read many times: no guard, nothing else in it. */
