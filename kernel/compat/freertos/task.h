/* SPDX-License-Identifier: Apache-2.0 */
/* task.h: tasks, time, task notifications, the scheduler: the FreeRTOS interface over Melanion. A larger number is a more urgent task here. */
#ifndef INC_TASK_H
#define INC_TASK_H

#include "FreeRTOS.h"

#ifdef __cplusplus
extern "C" {
#endif

#define tskKERNEL_VERSION_NUMBER "V11.2.0"
#define tskKERNEL_VERSION_MAJOR 11
#define tskKERNEL_VERSION_MINOR 2
#define tskKERNEL_VERSION_BUILD 0
#define tskIDLE_PRIORITY ((UBaseType_t)0)
#define tskDEFAULT_INDEX_TO_NOTIFY ((UBaseType_t)0)
#define tskNO_AFFINITY ((UBaseType_t)-1) /* any core */

struct freertos_task;
typedef struct freertos_task *TaskHandle_t;
typedef BaseType_t (*TaskHookFunction_t)(void *);

typedef enum { eRunning = 0, eReady, eBlocked, eSuspended, eDeleted, eInvalid } eTaskState;
typedef enum { eNoAction = 0, eSetBits, eIncrement, eSetValueWithOverwrite, eSetValueWithoutOverwrite } eNotifyAction;

typedef struct {
    BaseType_t xOverflowCount;
    TickType_t xTimeOnEntering;
} TimeOut_t;

typedef struct {
    TaskHandle_t xHandle;
    const char *pcTaskName;
    UBaseType_t xTaskNumber;
    eTaskState eCurrentState;
    UBaseType_t uxCurrentPriority;
    UBaseType_t uxBasePriority;
    configRUN_TIME_COUNTER_TYPE ulRunTimeCounter; /* clock cycles; 0 where the kernel does not measure them */
    StackType_t *pxStackBase;
    configSTACK_DEPTH_TYPE usStackHighWaterMark;
} TaskStatus_t;

/* ---- tasks -------------------------------------------------------------------------------------------------------------- */

BaseType_t xTaskCreate(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                       UBaseType_t uxPriority, TaskHandle_t *pxCreatedTask);
TaskHandle_t xTaskCreateStatic(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                               UBaseType_t uxPriority, StackType_t *puxStackBuffer, StaticTask_t *pxTaskBuffer);

/* A bit for each core on which the task may run: one of them, or all. */
BaseType_t xTaskCreateAffinitySet(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                                  UBaseType_t uxPriority, UBaseType_t uxCoreAffinityMask, TaskHandle_t *pxCreatedTask);
TaskHandle_t xTaskCreateStaticAffinitySet(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                                          UBaseType_t uxPriority, StackType_t *puxStackBuffer, StaticTask_t *pxTaskBuffer,
                                          UBaseType_t uxCoreAffinityMask);
void vTaskCoreAffinitySet(TaskHandle_t xTask, UBaseType_t uxCoreAffinityMask); /* once the scheduler runs, only to what it is */
UBaseType_t vTaskCoreAffinityGet(TaskHandle_t xTask);

void vTaskDelete(TaskHandle_t xTaskToDelete);
void vTaskSuspend(TaskHandle_t xTaskToSuspend);
void vTaskResume(TaskHandle_t xTaskToResume);
BaseType_t xTaskResumeFromISR(TaskHandle_t xTaskToResume);
UBaseType_t uxTaskPriorityGet(const TaskHandle_t xTask);
UBaseType_t uxTaskPriorityGetFromISR(const TaskHandle_t xTask);
UBaseType_t uxTaskBasePriorityGet(const TaskHandle_t xTask);
UBaseType_t uxTaskBasePriorityGetFromISR(const TaskHandle_t xTask);
void vTaskPrioritySet(TaskHandle_t xTask, UBaseType_t uxNewPriority);
eTaskState eTaskGetState(TaskHandle_t xTask);
BaseType_t xTaskAbortDelay(TaskHandle_t xTask);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
TaskHandle_t xTaskGetIdleTaskHandle(void); /* NULL unless configUSE_IDLE_HOOK is 1: the core sleeps without a task */
TaskHandle_t xTaskGetIdleTaskHandleForCore(BaseType_t xCoreID);
TaskHandle_t xTaskGetHandle(const char *pcNameToQuery);
char *pcTaskGetName(TaskHandle_t xTaskToQuery);
UBaseType_t uxTaskGetNumberOfTasks(void);
#if FREERTOS_FILLS_STACKS
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t xTask);
configSTACK_DEPTH_TYPE uxTaskGetStackHighWaterMark2(TaskHandle_t xTask);
#else
#define FREERTOS_ASKS_STACKS \
    __attribute__((error("FreeRTOSConfig.h: INCLUDE_uxTaskGetStackHighWaterMark is 0, allowed is 1 where a program asks for it; set it to 1")))
FREERTOS_ASKS_STACKS UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t xTask);
FREERTOS_ASKS_STACKS configSTACK_DEPTH_TYPE uxTaskGetStackHighWaterMark2(TaskHandle_t xTask);
#endif
void vTaskGetInfo(TaskHandle_t xTask, TaskStatus_t *pxTaskStatus, BaseType_t xGetFreeStackSpace, eTaskState eState);
UBaseType_t uxTaskGetSystemState(TaskStatus_t *const pxTaskStatusArray, const UBaseType_t uxArraySize,
                                 configRUN_TIME_COUNTER_TYPE *const pulTotalRunTime);
void vTaskListTasks(char *pcWriteBuffer, size_t uxBufferLength);
#define vTaskList(pcWriteBuffer) vTaskListTasks((pcWriteBuffer), (size_t)(configSTATS_BUFFER_MAX_LENGTH))

/* Run times, in clock cycles modulo 2^32, by the kernel's monitor; all of them, and that of all time, are 0 where the kernel has none. All time begins when the
 * scheduler starts; without configGENERATE_RUN_TIME_STATS, at the reset. Without an idle task, idle time is what no task has used that still exists. */
configRUN_TIME_COUNTER_TYPE ulTaskGetRunTimeCounter(const TaskHandle_t xTask);
configRUN_TIME_COUNTER_TYPE ulTaskGetRunTimePercent(const TaskHandle_t xTask);
configRUN_TIME_COUNTER_TYPE ulTaskGetIdleRunTimeCounter(void);
configRUN_TIME_COUNTER_TYPE ulTaskGetIdleRunTimePercent(void);
void vTaskGetRunTimeStatistics(char *pcWriteBuffer, size_t uxBufferLength);
#define vTaskGetRunTimeStats(pcWriteBuffer) vTaskGetRunTimeStatistics((pcWriteBuffer), (size_t)(configSTATS_BUFFER_MAX_LENGTH))

void vTaskSetApplicationTaskTag(TaskHandle_t xTask, TaskHookFunction_t pxHookFunction);
TaskHookFunction_t xTaskGetApplicationTaskTag(TaskHandle_t xTask);
TaskHookFunction_t xTaskGetApplicationTaskTagFromISR(TaskHandle_t xTask);
BaseType_t xTaskCallApplicationTaskHook(TaskHandle_t xTask, void *pvParameter);
void vTaskSetThreadLocalStoragePointer(TaskHandle_t xTaskToSet, BaseType_t xIndex, void *pvValue);
void *pvTaskGetThreadLocalStoragePointer(TaskHandle_t xTaskToQuery, BaseType_t xIndex);

/* ---- time --------------------------------------------------------------------------------------------------------------- */

void vTaskDelay(const TickType_t xTicksToDelay);
BaseType_t xTaskDelayUntil(TickType_t *const pxPreviousWakeTime, const TickType_t xTimeIncrement);
#define vTaskDelayUntil(pxPreviousWakeTime, xTimeIncrement) ((void)xTaskDelayUntil((pxPreviousWakeTime), (xTimeIncrement)))
TickType_t xTaskGetTickCount(void);
TickType_t xTaskGetTickCountFromISR(void);
void vTaskSetTimeOutState(TimeOut_t *const pxTimeOut);
BaseType_t xTaskCheckForTimeOut(TimeOut_t *const pxTimeOut, TickType_t *const pxTicksToWait);

/* ---- the scheduler ------------------------------------------------------------------------------------------------------ */

#define taskSCHEDULER_SUSPENDED ((BaseType_t)0)
#define taskSCHEDULER_NOT_STARTED ((BaseType_t)1)
#define taskSCHEDULER_RUNNING ((BaseType_t)2)

void vTaskStartScheduler(void);
void vTaskSuspendAll(void);
BaseType_t xTaskResumeAll(void);
BaseType_t xTaskGetSchedulerState(void);

#define taskYIELD() portYIELD()
#define taskENTER_CRITICAL() portENTER_CRITICAL()
#define taskEXIT_CRITICAL() portEXIT_CRITICAL()
#define taskENTER_CRITICAL_FROM_ISR() portENTER_CRITICAL_FROM_ISR()
#define taskEXIT_CRITICAL_FROM_ISR(before) portEXIT_CRITICAL_FROM_ISR(before)
#define taskDISABLE_INTERRUPTS() portDISABLE_INTERRUPTS()
#define taskENABLE_INTERRUPTS() portENABLE_INTERRUPTS()

/* ---- task notifications ------------------------------------------------------------------------------------------------- */

BaseType_t xTaskGenericNotify(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify, uint32_t ulValue, eNotifyAction eAction,
                              uint32_t *pulPreviousNotificationValue);
BaseType_t xTaskGenericNotifyFromISR(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify, uint32_t ulValue, eNotifyAction eAction,
                                     uint32_t *pulPreviousNotificationValue, BaseType_t *pxHigherPriorityTaskWoken);
BaseType_t xTaskGenericNotifyWait(UBaseType_t uxIndexToWaitOn, uint32_t ulBitsToClearOnEntry, uint32_t ulBitsToClearOnExit,
                                  uint32_t *pulNotificationValue, TickType_t xTicksToWait);
uint32_t ulTaskGenericNotifyTake(UBaseType_t uxIndexToWaitOn, BaseType_t xClearCountOnExit, TickType_t xTicksToWait);
BaseType_t xTaskGenericNotifyStateClear(TaskHandle_t xTask, UBaseType_t uxIndexToClear);
uint32_t ulTaskGenericNotifyValueClear(TaskHandle_t xTask, UBaseType_t uxIndexToClear, uint32_t ulBitsToClear);

#define xTaskNotifyIndexed(task, index, value, action) xTaskGenericNotify((task), (index), (value), (action), NULL)
#define xTaskNotifyAndQueryIndexed(task, index, value, action, previous) \
    xTaskGenericNotify((task), (index), (value), (action), (previous))
#define xTaskNotifyIndexedFromISR(task, index, value, action, woken) \
    xTaskGenericNotifyFromISR((task), (index), (value), (action), NULL, (woken))
#define xTaskNotifyAndQueryIndexedFromISR(task, index, value, action, previous, woken) \
    xTaskGenericNotifyFromISR((task), (index), (value), (action), (previous), (woken))
#define xTaskNotifyGiveIndexed(task, index) xTaskGenericNotify((task), (index), 0, eIncrement, NULL)
#define vTaskNotifyGiveIndexedFromISR(task, index, woken) \
    ((void)xTaskGenericNotifyFromISR((task), (index), 0, eIncrement, NULL, (woken)))
#ifdef traceTASK_NOTIFY_GIVE_FROM_ISR /* a program that wants to know them apart from other notifications */
void vTaskGenericNotifyGiveFromISR(TaskHandle_t xTaskToNotify, UBaseType_t uxIndexToNotify, BaseType_t *pxHigherPriorityTaskWoken);
#undef vTaskNotifyGiveIndexedFromISR
#define vTaskNotifyGiveIndexedFromISR(task, index, woken) vTaskGenericNotifyGiveFromISR((task), (index), (woken))
#define FREERTOS_GIVES_ARE_TRACED
#endif
#define xTaskNotifyWaitIndexed(index, entry, exit, value, ticks) xTaskGenericNotifyWait((index), (entry), (exit), (value), (ticks))
#define ulTaskNotifyTakeIndexed(index, clear, ticks) ulTaskGenericNotifyTake((index), (clear), (ticks))
#define xTaskNotifyStateClearIndexed(task, index) xTaskGenericNotifyStateClear((task), (index))
#define ulTaskNotifyValueClearIndexed(task, index, bits) ulTaskGenericNotifyValueClear((task), (index), (bits))

#define xTaskNotify(task, value, action) xTaskNotifyIndexed((task), 0, (value), (action))
#define xTaskNotifyAndQuery(task, value, action, previous) xTaskNotifyAndQueryIndexed((task), 0, (value), (action), (previous))
#define xTaskNotifyFromISR(task, value, action, woken) xTaskNotifyIndexedFromISR((task), 0, (value), (action), (woken))
#define xTaskNotifyAndQueryFromISR(task, value, action, previous, woken) \
    xTaskNotifyAndQueryIndexedFromISR((task), 0, (value), (action), (previous), (woken))
#define xTaskNotifyGive(task) xTaskNotifyGiveIndexed((task), 0)
#define vTaskNotifyGiveFromISR(task, woken) vTaskNotifyGiveIndexedFromISR((task), 0, (woken))
#define xTaskNotifyWait(entry, exit, value, ticks) xTaskNotifyWaitIndexed(0, (entry), (exit), (value), (ticks))
#define ulTaskNotifyTake(clear, ticks) ulTaskNotifyTakeIndexed(0, (clear), (ticks))
#define xTaskNotifyStateClear(task) xTaskNotifyStateClearIndexed((task), 0)
#define ulTaskNotifyValueClear(task, bits) ulTaskNotifyValueClearIndexed((task), 0, (bits))

/* Not FreeRTOS: the number of a task in the calls of Melanion: with it an interrupt can notify the task without the CPU (melanion/interrupt.h,
 * MEL_IRQ_ACTION_NOTIFICATION_GIVE). */
uint32_t freertos_task_number(TaskHandle_t task);

#ifdef __cplusplus
}
#endif

#endif
