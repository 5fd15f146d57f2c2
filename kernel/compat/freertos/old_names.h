/* SPDX-License-Identifier: Apache-2.0 */
/* old_names.h: what names of the interface were before V8 of FreeRTOS; configENABLE_BACKWARD_COMPATIBILITY 0 in FreeRTOSConfig.h takes them away. */
#ifndef FREERTOS_OLD_NAMES_H
#define FREERTOS_OLD_NAMES_H

#define eTaskStateGet eTaskGetState
#define pcTaskGetTaskName pcTaskGetName
#define vTaskGetTaskInfo vTaskGetInfo
#define pcQueueGetQueueName pcQueueGetName
#define pcTimerGetTimerName pcTimerGetName
#define xTaskGetIdleRunTimeCounter ulTaskGetIdleRunTimeCounter

#define portTickType TickType_t
#define xTaskHandle TaskHandle_t
#define xTaskStatusType TaskStatus_t
#define xTimeOutType TimeOut_t
#define xQueueHandle QueueHandle_t
#define xQueueSetHandle QueueSetHandle_t
#define xQueueSetMemberHandle QueueSetMemberHandle_t
#define xSemaphoreHandle SemaphoreHandle_t
#define xTimerHandle TimerHandle_t
#define pdTASK_CODE TaskFunction_t
#define pdTASK_HOOK_CODE TaskHookFunction_t
#define tmrTIMER_CALLBACK TimerCallbackFunction_t

#endif
