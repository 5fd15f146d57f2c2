/* SPDX-License-Identifier: Apache-2.0 */
/* message_buffer.h: messages of any length from one writer to one reader: the FreeRTOS interface over Melanion. A message takes its length and four bytes more. */
#ifndef FREERTOS_MESSAGE_BUFFER_H
#define FREERTOS_MESSAGE_BUFFER_H

#include "stream_buffer.h"

typedef StreamBufferHandle_t MessageBufferHandle_t;

#define xMessageBufferCreate(bytes) xStreamBufferGenericCreate((bytes), 0, sbTYPE_MESSAGE_BUFFER, NULL, NULL)
#define xMessageBufferCreateStatic(bytes, storage, buffer) \
    xStreamBufferGenericCreateStatic((bytes), 0, sbTYPE_MESSAGE_BUFFER, (storage), (buffer), NULL, NULL)
#if configUSE_SB_COMPLETED_CALLBACK
#define xMessageBufferCreateWithCallback(bytes, sent, received) \
    xStreamBufferGenericCreate((bytes), 0, sbTYPE_MESSAGE_BUFFER, (sent), (received))
#define xMessageBufferCreateStaticWithCallback(bytes, storage, buffer, sent, received) \
    xStreamBufferGenericCreateStatic((bytes), 0, sbTYPE_MESSAGE_BUFFER, (storage), (buffer), (sent), (received))
#endif
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
#define xMessageBufferNextLengthBytes(buffer) xStreamBufferNextMessageLengthBytes(buffer)
#define xMessageBufferResetFromISR(buffer) xStreamBufferResetFromISR(buffer)
#define xMessageBufferGetStaticBuffers(buffer, storage, memory) xStreamBufferGetStaticBuffers((buffer), (storage), (memory))
#define xMessageBufferSendCompletedFromISR(buffer, woken) xStreamBufferSendCompletedFromISR((buffer), (woken))
#define xMessageBufferReceiveCompletedFromISR(buffer, woken) xStreamBufferReceiveCompletedFromISR((buffer), (woken))

#endif
