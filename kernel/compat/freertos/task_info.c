/* SPDX-License-Identifier: Apache-2.0 */
/* task_info.c: what is known of tasks: state, name, stack, tag, pointers of their own, and lists of all of them; the registry of queues' names. */
#include "layer.h"
#include "queue.h"

#include <melanion/device.h>

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

/* Words that have never been used; 0 where stacks are not filled. */
static size_t unused_words(const freertos_task_t *task)
{
    size_t unused = 0;
    while (FREERTOS_FILLS_STACKS && unused < task->stack_bytes && task->stack[unused] == STACK_FILL) {
        unused++;
    }
    return unused / sizeof(StackType_t);
}

#if FREERTOS_FILLS_STACKS
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t xTask)
{
    return unused_words(freertos_of(xTask));
}

configSTACK_DEPTH_TYPE uxTaskGetStackHighWaterMark2(TaskHandle_t xTask)
{
    return (configSTACK_DEPTH_TYPE)unused_words(freertos_of(xTask));
}
#endif

/* ---- run time ------------------------------------------------------------------------------------------------------------ */

/* Cycles of a task, from the monitor; 0 where there is none. */
static uint32_t run_time(const freertos_task_t *task)
{
    uint32_t cycles = 0;
    (void)mel_monitor_run_time(task->id, &cycles);
    return cycles;
}

/* All time; 0 where no run time is measured, so that nobody divides by it. */
static uint32_t all_time(void)
{
    uint32_t cycles;
    return mel_monitor_run_time(0, &cycles) == MEL_E_RSFN ? 0 : mel_cycles() - freertos_started;
}

static uint32_t percent(uint32_t cycles)
{
    const uint32_t hundredth = all_time() / 100;
    return hundredth != 0 ? cycles / hundredth : 0;
}

configRUN_TIME_COUNTER_TYPE ulTaskGetRunTimeCounter(const TaskHandle_t xTask)
{
    return (configRUN_TIME_COUNTER_TYPE)run_time(freertos_of(xTask));
}

configRUN_TIME_COUNTER_TYPE ulTaskGetRunTimePercent(const TaskHandle_t xTask)
{
    return (configRUN_TIME_COUNTER_TYPE)percent(run_time(freertos_of(xTask)));
}

static BaseType_t is_idle_task(const freertos_task_t *task)
{
    BaseType_t found = pdFALSE;
    for (BaseType_t core = 0; core < configNUMBER_OF_CORES; core++) {
        found |= xTaskGetIdleTaskHandleForCore(core) == task;
    }
    return found;
}

/* Idle cycles of all cores: in idle tasks, or asleep where there are none. */
static uint32_t idle_time(void)
{
    const freertos_task_t *idle = xTaskGetIdleTaskHandle();
    if (configNUMBER_OF_CORES == 1 && idle != NULL) {
        return run_time(idle);
    }
    uint32_t left = configNUMBER_OF_CORES * all_time();
    for (mel_id_t id = 0; left != 0 && id < MEL_TASKS; id++) {
        const freertos_task_t *task = freertos_tasks[id];
        left -= task != NULL && !is_idle_task(task) ? run_time(task) : 0;
    }
    return left;
}

configRUN_TIME_COUNTER_TYPE ulTaskGetIdleRunTimeCounter(void)
{
    return (configRUN_TIME_COUNTER_TYPE)idle_time();
}

configRUN_TIME_COUNTER_TYPE ulTaskGetIdleRunTimePercent(void)
{
    return (configRUN_TIME_COUNTER_TYPE)percent(idle_time() / configNUMBER_OF_CORES);
}

/* ---- all that is known of a task ------------------------------------------------------------------------------------------ */

void vTaskGetInfo(TaskHandle_t xTask, TaskStatus_t *pxTaskStatus, BaseType_t xGetFreeStackSpace, eTaskState eState)
{
    freertos_task_t *task = freertos_of(xTask);
    *pxTaskStatus = (TaskStatus_t){
        .xHandle = task,
        .pcTaskName = task->name,
        .xTaskNumber = task->number,
        .eCurrentState = eState == eInvalid ? eTaskGetState(task) : eState,
        .uxCurrentPriority = uxTaskPriorityGet(task),
        .uxBasePriority = task->base,
        .ulRunTimeCounter = (configRUN_TIME_COUNTER_TYPE)run_time(task),
        .pxStackBase = (StackType_t *)task->stack,
        .usStackHighWaterMark = xGetFreeStackSpace ? (configSTACK_DEPTH_TYPE)unused_words(task) : 0,
    };
}

UBaseType_t uxTaskGetSystemState(TaskStatus_t *const pxTaskStatusArray, const UBaseType_t uxArraySize,
                                 configRUN_TIME_COUNTER_TYPE *const pulTotalRunTime)
{
    UBaseType_t count = 0;
    vTaskSuspendAll();
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        if (freertos_tasks[id] != NULL && !freertos_tasks[id]->ended) {
            if (count == uxArraySize) {
                count = 0;
                break;
            }
            vTaskGetInfo(freertos_tasks[id], &pxTaskStatusArray[count], pdTRUE, eInvalid);
            count++;
        }
    }
    (void)xTaskResumeAll();
    if (pulTotalRunTime != NULL) {
        *pulTotalRunTime = (configRUN_TIME_COUNTER_TYPE)all_time();
    }
    return count;
}

/* ---- text ---------------------------------------------------------------------------------------------------------------- */

/* End of the text, and bytes left after it, without the terminator. */
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

/* Its name, padded to the longest that there can be. */
static void add_name(text_t *text, const freertos_task_t *task)
{
    const size_t length = strlen(task->name);
    for (size_t i = 0; i < configMAX_TASK_NAME_LEN - 1; i++) {
        add(text, i < length ? task->name[i] : ' ');
    }
}

static void add_words(text_t *text, const char *words)
{
    while (*words != '\0') {
        add(text, *words++);
    }
}

/* State X, R, B, S or D; priority; words of the stack that were never used; number. */
static void add_state(text_t *text, freertos_task_t *task)
{
    static const char letters[] = {'X', 'R', 'B', 'S', 'D'};
    TaskStatus_t status;
    vTaskGetInfo(task, &status, pdTRUE, eInvalid);
    add(text, '\t');
    add(text, letters[status.eCurrentState]);
    const uint32_t numbers[] = {status.uxCurrentPriority, status.usStackHighWaterMark, status.xTaskNumber};
    for (size_t i = 0; i < 3; i++) {
        add(text, '\t');
        add_number(text, numbers[i]);
    }
}

/* Cycles; hundredths of all time. */
static void add_run_time(text_t *text, freertos_task_t *task)
{
    const uint32_t cycles = run_time(task), hundredths = percent(cycles);
    add(text, '\t');
    add_number(text, cycles);
    add_words(text, hundredths != 0 ? "\t\t" : "\t\t<1");
    if (hundredths != 0) {
        add_number(text, hundredths);
    }
    add(text, '%');
}

/* A line per task. Only whole lines. */
static void list(char *buffer, size_t length, void (*add_rest)(text_t *text, freertos_task_t *task))
{
    text_t text = {.end = buffer, .left = length - 1};
    vTaskSuspendAll();
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        if (freertos_tasks[id] == NULL || freertos_tasks[id]->ended) {
            continue;
        }
        const text_t before = text;
        add_name(&text, freertos_tasks[id]);
        add_rest(&text, freertos_tasks[id]);
        add_words(&text, "\r\n");
        if (text.left == 0) {
            text = before;
            break;
        }
    }
    (void)xTaskResumeAll();
    *text.end = '\0';
}

void vTaskListTasks(char *pcWriteBuffer, size_t uxBufferLength)
{
    list(pcWriteBuffer, uxBufferLength, add_state);
}

/* Nothing, where no time is measured or hardly any has passed. */
void vTaskGetRunTimeStatistics(char *pcWriteBuffer, size_t uxBufferLength)
{
    if (all_time() / 100 == 0) {
        *pcWriteBuffer = '\0';
        return;
    }
    list(pcWriteBuffer, uxBufferLength, add_run_time);
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
            traceQUEUE_REGISTRY_ADD(xQueue, pcQueueName);
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
