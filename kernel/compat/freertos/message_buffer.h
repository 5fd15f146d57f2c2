/* message_buffer.h: messages of any length from one writer to one reader: the FreeRTOS interface over Melanion. A message takes its length and four bytes more. */
#ifndef FREERTOS_MESSAGE_BUFFER_H
#define FREERTOS_MESSAGE_BUFFER_H

#include "stream_buffer.h"

typedef StreamBufferHandle_t MessageBufferHandle_t;

#define xMessageBufferCreate(bytes) freertos_stream_create((bytes), 0, pdTRUE)
#define xMessageBufferCreateStatic(bytes, storage, buffer) freertos_stream_create_static((bytes), 0, pdTRUE, (storage), (buffer))
#define vMessageBufferDelete(buffer) vStreamBufferDelete(buffer)
#define xMessageBufferSend(buffer, data, bytes, ticks) xStreamBufferSend((buffer), (data), (bytes), (ticks))
#define xMessageBufferSendFromISR(buffer, data, bytes, woken) xStreamBufferSendFromISR((buffer), (data), (bytes), (woken))
#define xMessageBufferReceive(buffer, data, bytes, ticks) xStreamBufferReceive((buffer), (data), (bytes), (ticks))
#define xMessageBufferReceiveFromISR(buffer, data, bytes, woken) xStreamBufferReceiveFromISR((buffer), (data), (bytes), (woken))
#define xMessageBufferReset(buffer) xStreamBufferReset(buffer)
#define xMessageBufferIsEmpty(buffer) xStreamBufferIsEmpty(buffer)
#define xMessageBufferIsFull(buffer) xStreamBufferIsFull(buffer)
#define xMessageBufferSpacesAvailable(buffer) xStreamBufferSpacesAvailable(buffer)
#define xMessageBufferSpaceAvailable(buffer) xStreamBufferSpacesAvailable(buffer)
#define xMessageBufferNextLengthBytes(buffer) freertos_stream_next_length(buffer)

#endif
