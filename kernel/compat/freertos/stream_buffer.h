/* stream_buffer.h: streams of bytes from one writer to one reader: the FreeRTOS interface over Melanion. */
#ifndef STREAM_BUFFER_H
#define STREAM_BUFFER_H

#include "FreeRTOS.h"
#include "task.h"

struct freertos_stream;
typedef struct freertos_stream *StreamBufferHandle_t;

StreamBufferHandle_t xStreamBufferCreate(size_t xBufferSizeBytes, size_t xTriggerLevelBytes);
StreamBufferHandle_t xStreamBufferCreateStatic(size_t xBufferSizeBytes, size_t xTriggerLevelBytes, uint8_t *pucStreamBufferStorageArea,
                                               StaticStreamBuffer_t *pxStaticStreamBuffer); /* holds one byte less */
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

/* Of message buffers, too. */
StreamBufferHandle_t freertos_stream_create(size_t bytes, size_t trigger, BaseType_t messages);
StreamBufferHandle_t freertos_stream_create_static(size_t bytes, size_t trigger, BaseType_t messages, uint8_t *storage, StaticStreamBuffer_t *buffer);
size_t freertos_stream_next_length(StreamBufferHandle_t stream);

#endif
