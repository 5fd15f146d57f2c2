/* task_info.c: what is known of tasks: state, name, stack, tag, pointers of their own, and lists of all of them; the registry of queues' names. */
#include "layer.h"
#include "queue.h"

#include <string.h>

#define STACK_FILL 0xA5 /* as task.c fills stacks */

eTaskState eTaskGetState(TaskHandle_t xTask)
{
    static const uint8_t states[] = {
        [MEL_TASK_STATE_RUNNING] = eRunning,     [MEL_TASK_STATE_READY] = eReady,
        [MEL_TASK_STATE_WAITING] = eBlocked,     [MEL_TASK_STATE_SUSPENDED] = eSuspended,
        [MEL_TASK_STATE_WAITING_SUSPENDED] = eSuspended, [MEL_TASK_STATE_DORMANT] = eDeleted,
    };
    const freertos_task_t *task = freertos_of(xTask);
    mel_task_info_t info;
    configASSERT(task != NULL);
    if (task == freertos_self()) {
        return eRunning;
    }
    if (task->ended || mel_task_query(task->id, &info) != MEL_E_OK) {
        return eDeleted;
    }
    return (eTaskState)states[info.state];
}

char *pcTaskGetName(TaskHandle_t xTaskToQuery)
{
    return freertos_of(xTaskToQuery)->name;
}

TaskHandle_t xTaskGetHandle(const char *pcNameToQuery)
{
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        freertos_task_t *task = freertos_tasks[id];
        if (task != NULL && !task->ended && strncmp(task->name, pcNameToQuery, configMAX_TASK_NAME_LEN - 1) == 0) {
            return task;
        }
    }
    return NULL;
}

/* FreeRTOS counts its idle task, which here is none of the tasks unless it has a hook. */
UBaseType_t uxTaskGetNumberOfTasks(void)
{
#if configNUMBER_OF_CORES > 1
    const UBaseType_t absent = configNUMBER_OF_CORES - (configUSE_IDLE_HOOK ? 1 : 0) - (configUSE_PASSIVE_IDLE_HOOK ? configNUMBER_OF_CORES - 1 : 0);
    UBaseType_t count = freertos_scheduler != taskSCHEDULER_NOT_STARTED ? absent : 0;
#else
    UBaseType_t count = freertos_scheduler != taskSCHEDULER_NOT_STARTED && !configUSE_IDLE_HOOK ? 1 : 0;
#endif
    FREERTOS_ALONE_BEGIN(); /* no task of another core is forgotten between two looks */
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        count += freertos_tasks[id] != NULL && !freertos_tasks[id]->ended;
    }
    FREERTOS_ALONE_END();
    return count;
}

/* Words that have never been used. */
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t xTask)
{
    const freertos_task_t *task = freertos_of(xTask);
    size_t unused = 0;
    while (unused < task->stack_bytes && task->stack[unused] == STACK_FILL) {
        unused++;
    }
    return unused / sizeof(StackType_t);
}

configSTACK_DEPTH_TYPE uxTaskGetStackHighWaterMark2(TaskHandle_t xTask)
{
    return (configSTACK_DEPTH_TYPE)uxTaskGetStackHighWaterMark(xTask);
}

void vTaskGetInfo(TaskHandle_t xTask, TaskStatus_t *pxTaskStatus, BaseType_t xGetFreeStackSpace, eTaskState eState)
{
    freertos_task_t *task = freertos_of(xTask);
    uint32_t cycles = 0;
    (void)mel_monitor_run_time(task->id, &cycles);
    *pxTaskStatus = (TaskStatus_t){
        .xHandle = task,
        .pcTaskName = task->name,
        .xTaskNumber = task->number,
        .eCurrentState = eState == eInvalid ? eTaskGetState(task) : eState,
        .uxCurrentPriority = uxTaskPriorityGet(task),
        .uxBasePriority = task->base,
        .ulRunTimeCounter = (configRUN_TIME_COUNTER_TYPE)cycles,
        .pxStackBase = (StackType_t *)task->stack,
        .usStackHighWaterMark = xGetFreeStackSpace ? uxTaskGetStackHighWaterMark2(task) : 0,
    };
}

UBaseType_t uxTaskGetSystemState(TaskStatus_t *const pxTaskStatusArray, const UBaseType_t uxArraySize,
                                 configRUN_TIME_COUNTER_TYPE *const pulTotalRunTime)
{
    UBaseType_t count = 0;
    configRUN_TIME_COUNTER_TYPE total = 0;
    vTaskSuspendAll();
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        if (freertos_tasks[id] != NULL && !freertos_tasks[id]->ended) {
            if (count == uxArraySize) {
                count = 0;
                break;
            }
            vTaskGetInfo(freertos_tasks[id], &pxTaskStatusArray[count], pdTRUE, eInvalid);
            total += pxTaskStatusArray[count].ulRunTimeCounter;
            count++;
        }
    }
    (void)xTaskResumeAll();
    if (pulTotalRunTime != NULL) {
        *pulTotalRunTime = total;
    }
    return count;
}

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

/* Where the text ends, and how much room is left after it, the end mark not counted. */
typedef struct {
    char *end;
    size_t left;
} text_t;

static void add(text_t *text, char character)
{
    if (text->left != 0) {
        *text->end++ = character;
        text->left--;
    }
}

static void add_number(text_t *text, uint32_t value)
{
    char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count != 0) {
        add(text, digits[--count]);
    }
}

/* A line per task: name, padded; state X, R, B, S or D; priority; words of the stack that were never used; number. Only whole lines. */
void vTaskListTasks(char *pcWriteBuffer, size_t uxBufferLength)
{
    static const char letters[] = {'X', 'R', 'B', 'S', 'D'};
    text_t text = {.end = pcWriteBuffer, .left = uxBufferLength - 1};
    vTaskSuspendAll();
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        TaskStatus_t status;
        if (freertos_tasks[id] == NULL || freertos_tasks[id]->ended) {
            continue;
        }
        vTaskGetInfo(freertos_tasks[id], &status, pdTRUE, eInvalid);
        const text_t before = text;
        size_t length = strlen(status.pcTaskName);
        for (size_t i = 0; i < configMAX_TASK_NAME_LEN - 1; i++) {
            add(&text, i < length ? status.pcTaskName[i] : ' ');
        }
        add(&text, '\t');
        add(&text, letters[status.eCurrentState]);
        const uint32_t numbers[] = {status.uxCurrentPriority, status.usStackHighWaterMark, status.xTaskNumber};
        for (size_t i = 0; i < 3; i++) {
            add(&text, '\t');
            add_number(&text, numbers[i]);
        }
        add(&text, '\r');
        add(&text, '\n');
        if (text.left == 0) {
            text = before;
            break;
        }
    }
    (void)xTaskResumeAll();
    *text.end = '\0';
}

/* ---- what programs keep with a task --------------------------------------------------------------------------------------- */

void vTaskSetApplicationTaskTag(TaskHandle_t xTask, TaskHookFunction_t pxHookFunction)
{
    freertos_of(xTask)->tag = pxHookFunction;
}

TaskHookFunction_t xTaskGetApplicationTaskTag(TaskHandle_t xTask)
{
    return freertos_of(xTask)->tag;
}

TaskHookFunction_t xTaskGetApplicationTaskTagFromISR(TaskHandle_t xTask)
{
    return freertos_of(xTask)->tag;
}

BaseType_t xTaskCallApplicationTaskHook(TaskHandle_t xTask, void *pvParameter)
{
    const TaskHookFunction_t tag = freertos_of(xTask)->tag;
    return tag != NULL ? tag(pvParameter) : pdFAIL;
}

void vTaskSetThreadLocalStoragePointer(TaskHandle_t xTaskToSet, BaseType_t xIndex, void *pvValue)
{
    (void)xTaskToSet;
    (void)xIndex;
    (void)pvValue;
#if configNUM_THREAD_LOCAL_STORAGE_POINTERS > 0
    if (xIndex >= 0 && xIndex < configNUM_THREAD_LOCAL_STORAGE_POINTERS) {
        freertos_of(xTaskToSet)->locals[xIndex] = pvValue;
    }
#endif
}

void *pvTaskGetThreadLocalStoragePointer(TaskHandle_t xTaskToQuery, BaseType_t xIndex)
{
    (void)xTaskToQuery;
    (void)xIndex;
#if configNUM_THREAD_LOCAL_STORAGE_POINTERS > 0
    if (xIndex >= 0 && xIndex < configNUM_THREAD_LOCAL_STORAGE_POINTERS) {
        return freertos_of(xTaskToQuery)->locals[xIndex];
    }
#endif
    return NULL;
}

/* ---- names of queues ------------------------------------------------------------------------------------------------------ */

#define NAMES (configQUEUE_REGISTRY_SIZE > 0 ? configQUEUE_REGISTRY_SIZE : 1)

static struct {
    QueueHandle_t queue;
    const char *name;
} registry[NAMES];

void vQueueAddToRegistry(QueueHandle_t xQueue, const char *pcQueueName)
{
    FREERTOS_ALONE_BEGIN();
    for (size_t i = 0; i < configQUEUE_REGISTRY_SIZE; i++) {
        if (registry[i].queue == NULL || registry[i].queue == xQueue) {
            registry[i].queue = xQueue;
            registry[i].name = pcQueueName;
            break;
        }
    }
    FREERTOS_ALONE_END();
}

void vQueueUnregisterQueue(QueueHandle_t xQueue)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (registry[i].queue == xQueue) {
            registry[i].queue = NULL;
        }
    }
}

const char *pcQueueGetName(QueueHandle_t xQueue)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (registry[i].queue == xQueue) {
            return registry[i].name;
        }
    }
    return NULL;
}
