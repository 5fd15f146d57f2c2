/* SPDX-License-Identifier: Apache-2.0 */
/* queue.h: queues, and sets of queues: the FreeRTOS interface over Melanion. Items are copied. */
#ifndef QUEUE_H
#define QUEUE_H

#include "FreeRTOS.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

struct freertos_queue;
typedef struct freertos_queue *QueueHandle_t;
typedef struct freertos_queue *QueueSetHandle_t;
typedef struct freertos_queue *QueueSetMemberHandle_t;

#define queueSEND_TO_BACK ((BaseType_t)0)
#define queueSEND_TO_FRONT ((BaseType_t)1)
#define queueOVERWRITE ((BaseType_t)2)

#define queueQUEUE_TYPE_BASE ((uint8_t)0)
#define queueQUEUE_TYPE_SET ((uint8_t)0)
#define queueQUEUE_TYPE_MUTEX ((uint8_t)1)
#define queueQUEUE_TYPE_COUNTING_SEMAPHORE ((uint8_t)2)
#define queueQUEUE_TYPE_BINARY_SEMAPHORE ((uint8_t)3)
#define queueQUEUE_TYPE_RECURSIVE_MUTEX ((uint8_t)4)

QueueHandle_t xQueueCreate(UBaseType_t uxQueueLength, UBaseType_t uxItemSize);
QueueHandle_t xQueueCreateStatic(UBaseType_t uxQueueLength, UBaseType_t uxItemSize, uint8_t *pucQueueStorage, StaticQueue_t *pxQueueBuffer);
void vQueueDelete(QueueHandle_t xQueue);
BaseType_t xQueueReset(QueueHandle_t xQueue);

BaseType_t xQueueGenericSend(QueueHandle_t xQueue, const void *const pvItemToQueue, TickType_t xTicksToWait, const BaseType_t xCopyPosition);
BaseType_t xQueueGenericSendFromISR(QueueHandle_t xQueue, const void *const pvItemToQueue, BaseType_t *const pxHigherPriorityTaskWoken,
                                    const BaseType_t xCopyPosition);
#define xQueueSend(queue, item, ticks) xQueueGenericSend((queue), (item), (ticks), queueSEND_TO_BACK)
#define xQueueSendToBack(queue, item, ticks) xQueueGenericSend((queue), (item), (ticks), queueSEND_TO_BACK)
#define xQueueSendToFront(queue, item, ticks) xQueueGenericSend((queue), (item), (ticks), queueSEND_TO_FRONT)
#define xQueueOverwrite(queue, item) xQueueGenericSend((queue), (item), 0, queueOVERWRITE)
#define xQueueSendFromISR(queue, item, woken) xQueueGenericSendFromISR((queue), (item), (woken), queueSEND_TO_BACK)
#define xQueueSendToBackFromISR(queue, item, woken) xQueueGenericSendFromISR((queue), (item), (woken), queueSEND_TO_BACK)
#define xQueueSendToFrontFromISR(queue, item, woken) xQueueGenericSendFromISR((queue), (item), (woken), queueSEND_TO_FRONT)
#define xQueueOverwriteFromISR(queue, item, woken) xQueueGenericSendFromISR((queue), (item), (woken), queueOVERWRITE)

BaseType_t xQueueReceive(QueueHandle_t xQueue, void *const pvBuffer, TickType_t xTicksToWait);
BaseType_t xQueuePeek(QueueHandle_t xQueue, void *const pvBuffer, TickType_t xTicksToWait);
BaseType_t xQueueReceiveFromISR(QueueHandle_t xQueue, void *const pvBuffer, BaseType_t *const pxHigherPriorityTaskWoken);
BaseType_t xQueuePeekFromISR(QueueHandle_t xQueue, void *const pvBuffer);

UBaseType_t uxQueueMessagesWaiting(const QueueHandle_t xQueue);
UBaseType_t uxQueueMessagesWaitingFromISR(const QueueHandle_t xQueue);
UBaseType_t uxQueueSpacesAvailable(const QueueHandle_t xQueue);
UBaseType_t uxQueueGetQueueItemSize(QueueHandle_t xQueue);
UBaseType_t uxQueueGetQueueLength(QueueHandle_t xQueue);
BaseType_t xQueueIsQueueEmptyFromISR(const QueueHandle_t xQueue);
BaseType_t xQueueIsQueueFullFromISR(const QueueHandle_t xQueue);
BaseType_t xQueueGetStaticBuffers(QueueHandle_t xQueue, uint8_t **ppucQueueStorage, StaticQueue_t **ppxStaticQueue);

void vQueueAddToRegistry(QueueHandle_t xQueue, const char *pcQueueName);
void vQueueUnregisterQueue(QueueHandle_t xQueue);
const char *pcQueueGetName(QueueHandle_t xQueue);

/* A set holds the handles of those of its members that have something, in the order in which they got it. No mutexes. */
QueueSetHandle_t xQueueCreateSet(const UBaseType_t uxEventQueueLength);
BaseType_t xQueueAddToSet(QueueSetMemberHandle_t xQueueOrSemaphore, QueueSetHandle_t xQueueSet);
BaseType_t xQueueRemoveFromSet(QueueSetMemberHandle_t xQueueOrSemaphore, QueueSetHandle_t xQueueSet);
QueueSetMemberHandle_t xQueueSelectFromSet(QueueSetHandle_t xQueueSet, const TickType_t xTicksToWait);
QueueSetMemberHandle_t xQueueSelectFromSetFromISR(QueueSetHandle_t xQueueSet);

#ifdef __cplusplus
}
#endif

#endif
