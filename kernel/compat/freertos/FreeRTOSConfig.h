/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOSConfig.h: stands in for the program's own, which comes first. */
#error "FreeRTOSConfig.h is missing beside app.yaml: add the program's own, with configTICK_RATE_HZ and configMAX_PRIORITIES at least"
