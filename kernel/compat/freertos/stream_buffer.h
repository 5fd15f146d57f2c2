/* SPDX-License-Identifier: Apache-2.0 */
/* stream_buffer.h: streams of bytes from one writer to one reader: the FreeRTOS interface over Melanion. */
#ifndef STREAM_BUFFER_H
#define STREAM_BUFFER_H

#include "FreeRTOS.h"
#include "task.h"

#ifdef __cplusplus
extern "C" {
#endif

struct freertos_stream;
typedef struct freertos_stream *StreamBufferHandle_t;

/* Told that bytes have come, or gone, instead of the task that waits for that: configUSE_SB_COMPLETED_CALLBACK. */
typedef void (*StreamBufferCallbackFunction_t)(StreamBufferHandle_t xStreamBuffer, BaseType_t xIsInsideISR,
                                               BaseType_t *const pxHigherPriorityTaskWoken);

#define sbTYPE_STREAM_BUFFER ((BaseType_t)0)
#define sbTYPE_MESSAGE_BUFFER ((BaseType_t)1)
#define sbTYPE_STREAM_BATCHING_BUFFER ((BaseType_t)2) /* its reader waits for as many bytes as the trigger level says, though there are some */

StreamBufferHandle_t xStreamBufferGenericCreate(size_t xBufferSizeBytes, size_t xTriggerLevelBytes, BaseType_t xStreamBufferType,
                                                StreamBufferCallbackFunction_t pxSendCompletedCallback,
                                                StreamBufferCallbackFunction_t pxReceiveCompletedCallback);
StreamBufferHandle_t xStreamBufferGenericCreateStatic(size_t xBufferSizeBytes, size_t xTriggerLevelBytes, BaseType_t xStreamBufferType,
                                                      uint8_t *const pucStreamBufferStorageArea,
                                                      StaticStreamBuffer_t *const pxStaticStreamBuffer,
                                                      StreamBufferCallbackFunction_t pxSendCompletedCallback,
                                                      StreamBufferCallbackFunction_t pxReceiveCompletedCallback); /* holds one byte less */
#define xStreamBufferCreate(bytes, trigger) xStreamBufferGenericCreate((bytes), (trigger), sbTYPE_STREAM_BUFFER, NULL, NULL)
#define xStreamBufferCreateStatic(bytes, trigger, storage, buffer) \
    xStreamBufferGenericCreateStatic((bytes), (trigger), sbTYPE_STREAM_BUFFER, (storage), (buffer), NULL, NULL)
#define xStreamBatchingBufferCreate(bytes, trigger) xStreamBufferGenericCreate((bytes), (trigger), sbTYPE_STREAM_BATCHING_BUFFER, NULL, NULL)
#define xStreamBatchingBufferCreateStatic(bytes, trigger, storage, buffer) \
    xStreamBufferGenericCreateStatic((bytes), (trigger), sbTYPE_STREAM_BATCHING_BUFFER, (storage), (buffer), NULL, NULL)

#if configUSE_SB_COMPLETED_CALLBACK
#define xStreamBufferCreateWithCallback(bytes, trigger, sent, received) \
    xStreamBufferGenericCreate((bytes), (trigger), sbTYPE_STREAM_BUFFER, (sent), (received))
#define xStreamBufferCreateStaticWithCallback(bytes, trigger, storage, buffer, sent, received) \
    xStreamBufferGenericCreateStatic((bytes), (trigger), sbTYPE_STREAM_BUFFER, (storage), (buffer), (sent), (received))
#define xStreamBatchingBufferCreateWithCallback(bytes, trigger, sent, received) \
    xStreamBufferGenericCreate((bytes), (trigger), sbTYPE_STREAM_BATCHING_BUFFER, (sent), (received))
#define xStreamBatchingBufferCreateStaticWithCallback(bytes, trigger, storage, buffer, sent, received) \
    xStreamBufferGenericCreateStatic((bytes), (trigger), sbTYPE_STREAM_BATCHING_BUFFER, (storage), (buffer), (sent), (received))
#endif

void vStreamBufferDelete(StreamBufferHandle_t xStreamBuffer);
size_t xStreamBufferSend(StreamBufferHandle_t xStreamBuffer, const void *pvTxData, size_t xDataLengthBytes, TickType_t xTicksToWait);
size_t xStreamBufferSendFromISR(StreamBufferHandle_t xStreamBuffer, const void *pvTxData, size_t xDataLengthBytes,
                                BaseType_t *const pxHigherPriorityTaskWoken);
size_t xStreamBufferReceive(StreamBufferHandle_t xStreamBuffer, void *pvRxData, size_t xBufferLengthBytes, TickType_t xTicksToWait);
size_t xStreamBufferReceiveFromISR(StreamBufferHandle_t xStreamBuffer, void *pvRxData, size_t xBufferLengthBytes,
                                   BaseType_t *const pxHigherPriorityTaskWoken);
BaseType_t xStreamBufferReset(StreamBufferHandle_t xStreamBuffer);
BaseType_t xStreamBufferIsEmpty(StreamBufferHandle_t xStreamBuffer);
BaseType_t xStreamBufferIsFull(StreamBufferHandle_t xStreamBuffer);
size_t xStreamBufferSpacesAvailable(StreamBufferHandle_t xStreamBuffer);
size_t xStreamBufferBytesAvailable(StreamBufferHandle_t xStreamBuffer);
BaseType_t xStreamBufferSetTriggerLevel(StreamBufferHandle_t xStreamBuffer, size_t xTriggerLevel);

BaseType_t xStreamBufferResetFromISR(StreamBufferHandle_t xStreamBuffer);
size_t xStreamBufferNextMessageLengthBytes(StreamBufferHandle_t xStreamBuffer);
BaseType_t xStreamBufferGetStaticBuffers(StreamBufferHandle_t xStreamBuffer, uint8_t **ppucStreamBufferStorageArea,
                                         StaticStreamBuffer_t **ppxStaticStreamBuffer);

/* Wake the waiting task, which checks again: for callbacks, and for the program's sbSEND_COMPLETED
 * and sbRECEIVE_COMPLETED. */
BaseType_t xStreamBufferSendCompletedFromISR(StreamBufferHandle_t xStreamBuffer, BaseType_t *pxHigherPriorityTaskWoken);
BaseType_t xStreamBufferReceiveCompletedFromISR(StreamBufferHandle_t xStreamBuffer, BaseType_t *pxHigherPriorityTaskWoken);

/* Kept, and nothing else: here a buffer takes no notification of its tasks. */
UBaseType_t uxStreamBufferGetStreamBufferNotificationIndex(StreamBufferHandle_t xStreamBuffer);
void vStreamBufferSetStreamBufferNotificationIndex(StreamBufferHandle_t xStreamBuffer, UBaseType_t uxNotificationIndex);
UBaseType_t uxStreamBufferGetStreamBufferNumber(StreamBufferHandle_t xStreamBuffer);
void vStreamBufferSetStreamBufferNumber(StreamBufferHandle_t xStreamBuffer, UBaseType_t uxStreamBufferNumber);
uint8_t ucStreamBufferGetStreamBufferType(StreamBufferHandle_t xStreamBuffer); /* 1: of messages */

#ifdef __cplusplus
}
#endif

#endif
