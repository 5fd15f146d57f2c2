/* SPDX-License-Identifier: Apache-2.0 */
/* rest.c: tasks, notifications, event groups, software timers, buffers, memory. */
#include "notes.h"

static void end(void *parameters)
{
    (void)parameters;
    vTaskDelete(NULL);
}

static void resume_in_handler(void)
{
    BaseType_t woken = xTaskResumeFromISR(high_task);
    (void)xTaskResumeFromISR(high_task); /* not held any more */
    portYIELD_FROM_ISR(woken);
}

static void nothing(void)
{
}

static void stop(void)
{
    vTaskSuspend(NULL);
}

static StaticTask_t task_memory;
static StackType_t stack[256];

void tasks(void)
{
    TickType_t wake = xTaskGetTickCount();
    const TaskHandle_t task = (TaskHandle_t)&task_memory;
    leave_out(SIZES);
    name_it(task, "task");
    (void)xTaskCreateStatic(end, "task", 256, NULL, 1, stack, &task_memory);
    vTaskPrioritySet(task, 2);
    vTaskPrioritySet(task, 2);
    vTaskDelay(2); /* it ends itself */
    vTaskDelay(0);
    (void)xTaskDelayUntil(&wake, 6);
    wake -= 12;
    (void)xTaskDelayUntil(&wake, 2); /* late */
    high(nothing);
    high(stop);
    vTaskSuspend(high_task);
    handler(resume_in_handler);
    vTaskResume(high_task);
    vTaskResume(high_task);
    vTaskResume(main_task);
    (void)xTaskCreateStatic(end, "task", 256, NULL, 1, stack, &task_memory);
    vTaskDelete(task);
    part("tasks");
}

static void take_0(void)
{
    (void)ulTaskNotifyTake(pdTRUE, 3);
}

static void take_1(void)
{
    (void)ulTaskNotifyTakeIndexed(1, pdFALSE, 3);
}

static void wait_0(void)
{
    (void)xTaskNotifyWait(0, 0, NULL, 3);
}

static void wait_1(void)
{
    (void)xTaskNotifyWaitIndexed(1, 1, 0, NULL, 3);
}

static void notify_in_handler(void)
{
    (void)xTaskNotifyFromISR(high_task, 1, eSetBits, NULL);
    (void)xTaskNotifyIndexedFromISR(high_task, 1, 1, eIncrement, NULL);
    vTaskNotifyGiveFromISR(high_task, NULL);
    vTaskNotifyGiveIndexedFromISR(high_task, 1, NULL);
}

static void once(job_t *job, UBaseType_t index)
{
    high(job);
    (void)xTaskNotifyGiveIndexed(high_task, index);
    high(job);
    vTaskDelay(4);
}

void notifications(void)
{
    once(take_0, 0);
    once(take_1, 1);
    once(wait_0, 0);
    once(wait_1, 1);
    (void)xTaskNotifyIndexed(high_task, 0, 1, eSetValueWithoutOverwrite);
    (void)xTaskNotifyIndexed(high_task, 1, 1, eSetValueWithoutOverwrite);
    (void)xTaskNotifyIndexed(high_task, 1, 1, eSetValueWithoutOverwrite);
    high(wait_0);
    high(wait_1);
    handler(notify_in_handler);
    high(take_0);
    high(take_1);
    part("notifications");
}

static EventGroupHandle_t group;
static StaticEventGroup_t group_memory;

static void wait_for_1(void)
{
    (void)xEventGroupWaitBits(group, 1, pdTRUE, pdFALSE, 3);
}

static void meet(void)
{
    (void)xEventGroupSync(group, 2, 6, 3);
}

static void group_in_handler(void)
{
    BaseType_t woken = pdFALSE;
    (void)xEventGroupClearBitsFromISR(group, 8);
    (void)xEventGroupSetBitsFromISR(group, 8, &woken);
    portYIELD_FROM_ISR(pdTRUE);
}

void groups(void)
{
    group = (EventGroupHandle_t)&group_memory;
    name_it(group, "group");
    (void)xEventGroupCreateStatic(&group_memory);
    (void)xEventGroupWaitBits(group, 1, pdTRUE, pdFALSE, 0);
    high(wait_for_1);
    (void)xEventGroupSetBits(group, 1);
    high(wait_for_1);
    vTaskDelay(4);
    high(meet);
    (void)xEventGroupSync(group, 4, 6, 3);
    high(meet);
    vTaskDelay(4);
    (void)xEventGroupSync(group, 4, 12, 0);
    (void)xEventGroupClearBits(group, 7);
    (void)xEventGroupGetBits(group);
    handler(group_in_handler);
    vEventGroupDelete(group);
    part("groups");
}

static TimerHandle_t once_timer, again_timer;
static StaticTimer_t once_memory, again_memory;

static void called(TimerHandle_t timer)
{
    (void)timer;
}

static void function(void *parameter1, uint32_t parameter2)
{
    (void)parameter1;
    (void)parameter2;
}

static void timer_in_handler(void)
{
    BaseType_t woken = pdFALSE;
    (void)xTimerStartFromISR(once_timer, &woken);
    (void)xTimerPendFunctionCallFromISR(function, once_timer, 3, &woken);
    portYIELD_FROM_ISR(pdTRUE);
}

void timers(void)
{
    once_timer = (TimerHandle_t)&once_memory;
    again_timer = (TimerHandle_t)&again_memory;
    name_it(once_timer, "once");
    name_it(again_timer, "again");
    vTaskDelay(1);
    (void)xTimerCreateStatic("once", 3, pdFALSE, NULL, called, &once_memory);
    (void)xTimerCreateStatic("again", 4, pdTRUE, NULL, called, &again_memory);
    (void)xTimerStart(once_timer, 0);
    (void)xTimerStart(again_timer, 0);
    vTaskDelay(9);
    (void)xTimerStop(again_timer, 0);
    (void)xTimerChangePeriod(again_timer, 9, 0);
    (void)xTimerReset(once_timer, 0);
    (void)xTimerPendFunctionCall(function, again_timer, 5, 0);
    handler(timer_in_handler);
    vTaskDelay(1);
    (void)xTimerDelete(once_timer, 0);
    (void)xTimerDelete(again_timer, 0);
    part("timers");
}

static StreamBufferHandle_t buffer;
static StaticStreamBuffer_t buffer_memory;
static uint8_t bytes[9], storage[9];

static void receive_bytes(void)
{
    (void)xStreamBufferReceive(buffer, bytes, 8, 3);
}

static void send_bytes(void)
{
    (void)xStreamBufferSend(buffer, bytes, 4, 3);
}

static void buffer_in_handler(void)
{
    (void)xStreamBufferSendFromISR(buffer, bytes, 5, NULL);
    (void)xStreamBufferReceiveFromISR(buffer, bytes, 2, NULL);
    (void)xStreamBufferResetFromISR(buffer);
    (void)xStreamBufferReceiveFromISR(buffer, bytes, 2, NULL);
}

/* FreeRTOS calls who waits by a notification: those are left out. */
void buffers(void)
{
    leave_out(HELPER | SIZES | NOTIFICATIONS);
    buffer = (StreamBufferHandle_t)&buffer_memory;
    name_it(buffer, "buffer");
    (void)xStreamBufferCreateStatic(sizeof storage, 1, storage, &buffer_memory);
    high(receive_bytes);
    (void)xStreamBufferSend(buffer, bytes, 3, 0);
    high(receive_bytes);
    vTaskDelay(4);
    (void)xStreamBufferSend(buffer, bytes, 8, 0);
    (void)xStreamBufferSend(buffer, bytes, 1, 0);
    high(send_bytes);
    (void)xStreamBufferReceive(buffer, bytes, 8, 0);
    (void)xStreamBufferReset(buffer);
    handler(buffer_in_handler);
    vStreamBufferDelete(buffer);
    (void)xMessageBufferCreateStatic(sizeof storage, storage, &buffer_memory);
    (void)xMessageBufferSend(buffer, bytes, 8, 0);
    vMessageBufferDelete(buffer);
    (void)xStreamBufferCreate(100000, 1);
    (void)xStreamBufferCreateStatic(sizeof storage, 1, NULL, &buffer_memory);
    part("buffers");
}

void memory(void)
{
    leave_out(HELPER);
    void *const block = pvPortMalloc(100);
    name_it(block, "block");
    vPortFree(block);
    part("memory");
}

/* Nothing is left for what is asked for. */
void no_memory(void)
{
    TaskHandle_t task;
    void *const most = pvPortMalloc(xPortGetFreeHeapSize() - 16);
    (void)xTaskCreate(end, "task", 8000, NULL, 1, &task);
    (void)xSemaphoreCreateCounting(2, 0);
    (void)xSemaphoreCreateMutex();
    (void)xEventGroupCreate();
    (void)xTimerCreate("none", 1, pdFALSE, NULL, called);
    vPortFree(most);
    part("no memory");
}
