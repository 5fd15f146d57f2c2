/* task.c: tasks: made, deleted, held, released, rescheduled. Each is a task of the kernel; what the kernel does not keep of it is in a freertos_task_t.
 * A task that deletes itself leaves its memory to the next call that asks for some: FreeRTOS leaves it to the idle task. */
#include "layer.h"

#include <string.h>

_Static_assert(sizeof(freertos_task_t) <= sizeof(StaticTask_t), "a task fits its static buffer");

#define STACK_FILL 0xA5

freertos_task_t *volatile freertos_tasks[MEL_TASKS + 1];
volatile UBaseType_t freertos_switches;
static UBaseType_t made;                /* tasks */
static freertos_task_t *volatile ended; /* their memory is still to be freed */

/* ---- made ---------------------------------------------------------------------------------------------------------------- */

static void begin(void *argument)
{
    freertos_task_t *task = argument;
    freertos_switches++;
    task->code(task->parameters);
    vTaskDelete(NULL);
}

/* A number of the kernel's for a described task; false: there is none. */
static BaseType_t number(freertos_task_t *task, const mel_task_attributes_t *attributes)
{
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        const mel_status_t status = mel_task_create(id, attributes);
        if (status == MEL_E_OK) {
            task->id = id;
            freertos_tasks[id] = task;
            return pdTRUE;
        }
        if (status != MEL_E_OBJ) {
            return pdFALSE;
        }
    }
    return pdFALSE;
}

/* In given memory: the task exists and is started. */
static BaseType_t make(freertos_task_t *task, TaskFunction_t code, const char *name, void *parameters, UBaseType_t priority, void *stack,
                       size_t bytes, BaseType_t on_heap, TaskHandle_t *created)
{
    const uintptr_t low = ((uintptr_t)stack + MEL_STACK_ALIGNMENT - 1) & ~(uintptr_t)(MEL_STACK_ALIGNMENT - 1);
    const uintptr_t high = ((uintptr_t)stack + bytes) & ~(uintptr_t)(MEL_STACK_ALIGNMENT - 1);
    configASSERT(priority < configMAX_PRIORITIES);
    memset(task, 0, sizeof *task);
    task->code = code;
    task->parameters = parameters;
    task->stack = (uint8_t *)low;
    task->stack_bytes = high - low;
    task->base = priority < configMAX_PRIORITIES ? priority : configMAX_PRIORITIES - 1;
    task->on_heap = (uint8_t)on_heap;
    for (size_t i = 0; name != NULL && i + 1 < configMAX_TASK_NAME_LEN && name[i] != '\0'; i++) {
        task->name[i] = name[i];
    }
    memset(task->stack, STACK_FILL, task->stack_bytes);
    const mel_task_attributes_t attributes = {
        .entry = begin,
        .argument = task,
        .stack = task->stack,
        .stack_size = task->stack_bytes,
        .priority = freertos_urgency(task->base),
        .name = task->name,
    };
    freertos_reap();
    if (!number(task, &attributes)) {
        return pdFAIL;
    }
    task->number = ++made;
    if (created != NULL) {
        *created = task;
    }
    traceTASK_CREATE(task);
    mel_status_t status;
    FREERTOS_CALL(status, mel_task_start(task->id));
    return status == MEL_E_OK ? pdPASS : pdFAIL;
}

BaseType_t xTaskCreate(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                       UBaseType_t uxPriority, TaskHandle_t *pxCreatedTask)
{
    const size_t wanted = (size_t)uxStackDepth * sizeof(StackType_t);
    const size_t least = 2 * MEL_STACK_MINIMUM;
    const size_t bytes = ((wanted > least ? wanted : least) + MEL_STACK_ALIGNMENT - 1) & ~(size_t)(MEL_STACK_ALIGNMENT - 1);
    freertos_reap();
    void *stack = pvPortMalloc(bytes);
    freertos_task_t *task = stack != NULL ? pvPortMalloc(sizeof *task) : NULL;
    if (task != NULL && make(task, pxTaskCode, pcName, pvParameters, uxPriority, stack, bytes, pdTRUE, pxCreatedTask) == pdPASS) {
        return pdPASS;
    }
    vPortFree(task);
    vPortFree(stack);
    traceTASK_CREATE_FAILED();
    return errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY;
}

TaskHandle_t xTaskCreateStatic(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                               UBaseType_t uxPriority, StackType_t *puxStackBuffer, StaticTask_t *pxTaskBuffer)
{
    TaskHandle_t task = NULL;
    configASSERT(puxStackBuffer != NULL && pxTaskBuffer != NULL);
    if (puxStackBuffer != NULL && pxTaskBuffer != NULL) {
        (void)make((freertos_task_t *)pxTaskBuffer, pxTaskCode, pcName, pvParameters, uxPriority, puxStackBuffer,
                   (size_t)uxStackDepth * sizeof(StackType_t), pdFALSE, &task);
    }
    return task;
}

TaskHandle_t freertos_own_task(TaskFunction_t code, const char *name, configSTACK_DEPTH_TYPE depth, UBaseType_t priority)
{
    TaskHandle_t task = NULL;
    if (xTaskCreate(code, name, depth, NULL, priority, &task) != pdPASS) {
        freertos_refuse("there is no memory, or no task, left for the timer or the idle task: raise configTOTAL_HEAP_SIZE, or parameters: tasks of "
                        "the system's configuration");
    }
    return task;
}

/* ---- deleted ------------------------------------------------------------------------------------------------------------- */

/* Its number and its memory are free. */
static void forget(freertos_task_t *task)
{
    freertos_tasks[task->id] = NULL;
    if (task->on_heap) {
        vPortFree(task->stack);
        vPortFree(task);
    }
}

void freertos_reap(void)
{
    freertos_task_t *left = NULL;
    for (;;) {
        freertos_step_t step = freertos_begin();
        freertos_task_t *task = ended;
        if (task == NULL) {
            ended = left;
            (void)freertos_end(step, MEL_E_OK, NULL);
            return;
        }
        ended = task->next_ended;
        (void)freertos_end(step, MEL_E_OK, NULL);
        if (mel_task_delete(task->id) == MEL_E_OK) {
            forget(task);
        } else { /* it has not reached its end yet */
            task->next_ended = left;
            left = task;
        }
    }
}

static void delete_self(freertos_task_t *self)
{
    const freertos_step_t step = freertos_begin();
    FREERTOS_TRACE(traceTASK_DELETE(self));
    self->ended = 1;
    self->next_ended = ended;
    ended = self;
    (void)freertos_end(step, MEL_E_OK, NULL);
    freertos_nesting = 0;
    (void)mel_task_exit();
}

/* In a step: the suspended task stands nowhere any more among those who wait. */
static void leave_lists(freertos_task_t *task)
{
    mel_task_info_t info;
    if (task->room != NULL && task->room->waiting > 0 && mel_task_query(task->id, &info) == MEL_E_OK &&
        info.state == MEL_TASK_STATE_WAITING_SUSPENDED) {
        task->room->waiting--;
    }
    for (freertos_task_t **link = task->waits_in; link != NULL && *link != NULL; link = &(*link)->next_waiter) {
        if (*link == task) {
            *link = task->next_waiter;
            break;
        }
    }
}

void vTaskDelete(TaskHandle_t xTaskToDelete)
{
    freertos_task_t *task = freertos_of(xTaskToDelete);
    if (task == freertos_self() && freertos_scheduler != taskSCHEDULER_NOT_STARTED) {
        delete_self(task);
        return;
    }
    mel_status_t status;
    (void)mel_task_suspend(task->id); /* it does not move while it is looked at */
    const freertos_step_t step = freertos_begin();
    leave_lists(task);
    FREERTOS_TRACE(traceTASK_DELETE(task));
    (void)freertos_end(step, MEL_E_OK, NULL);
    FREERTOS_CALL(status, mel_task_terminate(task->id));
    if (status == MEL_E_OK && mel_task_delete(task->id) == MEL_E_OK) {
        forget(task);
    }
}

/* ---- held, released, rescheduled ----------------------------------------------------------------------------------------- */

/* A wait ends when its task is suspended; most calls begin it again when the task goes on. */
void vTaskSuspend(TaskHandle_t xTaskToSuspend)
{
    freertos_task_t *task = freertos_of(xTaskToSuspend);
    mel_status_t status;
    traceTASK_SUSPEND(task);
    FREERTOS_CALL(status, mel_task_suspend(task->id));
    (void)status;
    if (task == freertos_self()) {
        freertos_switches++;
    } else if (mel_task_release(task->id) == MEL_E_OK) {
        task->resumed = 1;
    }
}

void vTaskResume(TaskHandle_t xTaskToResume)
{
    mel_status_t status;
    configASSERT(xTaskToResume != NULL);
    FREERTOS_TRACE_IF(eTaskGetState(xTaskToResume) == eSuspended, traceTASK_RESUME(xTaskToResume));
    FREERTOS_CALL(status, mel_task_resume(xTaskToResume->id));
    (void)status;
}

mel_priority_t freertos_urgency_of(const freertos_task_t *task)
{
    mel_task_info_t info;
    return mel_task_query(task->id, &info) == MEL_E_OK ? info.priority : MEL_PRIORITIES;
}

BaseType_t freertos_outranks(const freertos_task_t *task)
{
    const freertos_task_t *self = freertos_self();
    return self == NULL || freertos_urgency_of(task) < freertos_urgency_of(self);
}

BaseType_t xTaskResumeFromISR(TaskHandle_t xTaskToResume)
{
    configASSERT(xTaskToResume != NULL);
    FREERTOS_TRACE_IF(eTaskGetState(xTaskToResume) == eSuspended, traceTASK_RESUME_FROM_ISR(xTaskToResume));
    return mel_task_resume(xTaskToResume->id) == MEL_E_OK && freertos_outranks(xTaskToResume) ? pdTRUE : pdFALSE;
}

UBaseType_t uxTaskPriorityGet(const TaskHandle_t xTask)
{
    return freertos_priority(freertos_urgency_of(freertos_of(xTask)));
}

UBaseType_t uxTaskPriorityGetFromISR(const TaskHandle_t xTask)
{
    return uxTaskPriorityGet(xTask);
}

UBaseType_t uxTaskBasePriorityGet(const TaskHandle_t xTask)
{
    return freertos_of(xTask)->base;
}

UBaseType_t uxTaskBasePriorityGetFromISR(const TaskHandle_t xTask)
{
    return uxTaskBasePriorityGet(xTask);
}

void vTaskPrioritySet(TaskHandle_t xTask, UBaseType_t uxNewPriority)
{
    freertos_task_t *task = freertos_of(xTask);
    const UBaseType_t priority = uxNewPriority < configMAX_PRIORITIES ? uxNewPriority : configMAX_PRIORITIES - 1;
    configASSERT(uxNewPriority < configMAX_PRIORITIES);
    traceTASK_PRIORITY_SET(task, priority);
    if (priority == task->base) {
        return; /* it keeps its turn */
    }
    mel_status_t status;
    task->base = priority;
    FREERTOS_CALL(status, mel_task_set_priority(task->id, freertos_urgency(priority)));
    (void)status;
}

BaseType_t xTaskAbortDelay(TaskHandle_t xTask)
{
    mel_status_t status;
    configASSERT(xTask != NULL);
    FREERTOS_CALL(status, mel_task_release(xTask->id));
    return status == MEL_E_OK ? pdPASS : pdFAIL;
}

uint32_t freertos_task_number(TaskHandle_t task)
{
    return freertos_of(task)->id;
}
