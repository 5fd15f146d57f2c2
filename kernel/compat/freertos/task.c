/* SPDX-License-Identifier: Apache-2.0 */
/* task.c: tasks: made, deleted, held, released, rescheduled. Each is a task of the kernel; what the kernel does not keep of it is in a freertos_task_t.
 * A task that deletes itself leaves its memory to the next call that asks for some: FreeRTOS leaves it to the idle task. */
#include "layer.h"

#include <melanion/tracepoint.h>
#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(freertos_task_t) <= sizeof(StaticTask_t), "a task fits its static buffer");

#define STACK_FILL 0xA5

freertos_task_t *volatile freertos_tasks[MEL_TASKS + 1];
volatile UBaseType_t freertos_switches;
#if configNUMBER_OF_CORES > 1
volatile mel_id_t freertos_tasks_end;
#endif
static UBaseType_t made;                /* tasks */
static freertos_task_t *volatile ended; /* their memory is still to be freed */

/* ---- made ---------------------------------------------------------------------------------------------------------------- */

/* Names of tasks (melanion/run/names.py) and stacks (soc/sim/probe.cpp) for the simulation, from values that are in registers: no instruction, no cycle. Each character
 * of a name comes with the address that it is stored to, a number with its task and the place of its name in it, a stack with its lowest address and its bytes. */
enum { TOLD_CHARACTER = 0xFFF0, TOLD_NUMBER = 0xFFF1, TOLD_STACK = 0xFFF2 };

#define TELL(id, address, value, third)                                                                                                           \
    __asm__ volatile("880:\n\t" MEL_TRACEPOINT_TEXT("%[pk]")                                                                                         \
                     :                                                                                                                             \
                     : [pk] "i"(MEL_TRACE_TRACEPOINT), [pa] "i"(id), [pb] "r"(address), [pc] "r"(value), [pd] "ri"(third))

static void begin(void *argument)
{
    freertos_task_t *task = argument;
    freertos_switches++;
    task->code(task->parameters);
    vTaskDelete(NULL);
}

/* On the cores of a mask of bits. The kernel knows any core, or one. */
enum { ANY_CORE = MEL_CORES };

static uint32_t core_of(UBaseType_t affinity)
{
    const UBaseType_t all = (UINT32_C(1) << configNUMBER_OF_CORES) - 1, mask = affinity & all;
    if (mask == all) {
        return configNUMBER_OF_CORES == MEL_CORES ? ANY_CORE : 0;
    }
    if (mask == 0 || (mask & (mask - 1)) != 0) {
        freertos_refuse("a core affinity mask names no core of configNUMBER_OF_CORES, or several and not all; the kernel runs a task on any core or on one: give "
                        "tskNO_AFFINITY or one bit, 1 << core");
    }
    return (uint32_t)__builtin_ctz(mask);
}

static inline mel_status_t create(mel_id_t id, const mel_task_attributes_t *attributes, UBaseType_t affinity)
{
    const uint32_t core = MEL_CORES > 1 ? core_of(affinity) : ANY_CORE;
    return core == ANY_CORE ? mel_task_create(id, attributes) : mel_task_create_on(id, attributes, core);
}

/* A number of the kernel's for a described task; false: there is none. */
static BaseType_t number(freertos_task_t *task, const mel_task_attributes_t *attributes, UBaseType_t affinity)
{
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        if (freertos_tasks[id] != NULL) { /* a load, where the kernel's refusal takes a command */
            continue;
        }
        const mel_status_t status = create(id, attributes, affinity);
        if (status == MEL_E_OK) {
            task->id = id;
            TELL(TOLD_NUMBER, task, id, offsetof(freertos_task_t, name));
            freertos_tasks[id] = task;
#if configNUMBER_OF_CORES > 1
            if (id >= freertos_tasks_end) {
                freertos_tasks_end = id + 1;
            }
#endif
            return pdTRUE;
        }
        if (status != MEL_E_OBJ) {
            return pdFALSE;
        }
    }
    freertos_limit_met = FREERTOS_TASKS;
    return pdFALSE;
}

static inline mel_task_attributes_t describe(freertos_task_t *task)
{
    return (mel_task_attributes_t){
        .entry = begin,
        .argument = task,
        .stack = task->stack,
        .stack_size = task->stack_bytes,
        .priority = freertos_urgency(task->base),
        .name = task->name,
    };
}

/* In given memory: the task exists and is started. */
static BaseType_t make(freertos_task_t *task, TaskFunction_t code, const char *name, void *parameters, UBaseType_t priority, void *stack,
                       size_t bytes, BaseType_t on_heap, UBaseType_t affinity, TaskHandle_t *created)
{
    const uintptr_t low = ((uintptr_t)stack + MEL_STACK_ALIGNMENT - 1) & ~(uintptr_t)(MEL_STACK_ALIGNMENT - 1);
    const uintptr_t high = ((uintptr_t)stack + bytes) & ~(uintptr_t)(MEL_STACK_ALIGNMENT - 1);
    configASSERT(priority < configMAX_PRIORITIES);
    memset(task, 0, sizeof *task);
    task->code = code;
    task->parameters = parameters;
    task->stack = (uint8_t *)low;
    task->stack_bytes = high - low;
    TELL(TOLD_STACK, task, low, task->stack_bytes);
    task->base = priority < configMAX_PRIORITIES ? priority : configMAX_PRIORITIES - 1;
    task->on_heap = (uint8_t)on_heap;
    for (size_t i = 0; name != NULL && i + 1 < configMAX_TASK_NAME_LEN && name[i] != '\0'; i++) {
        const char character = name[i];
        TELL(TOLD_CHARACTER, &task->name[i], character, 0);
        task->name[i] = character;
    }
    if (FREERTOS_FILLS_STACKS) {
        memset(task->stack, STACK_FILL, task->stack_bytes);
    }
    const mel_task_attributes_t attributes = describe(task);
#if configNUMBER_OF_CORES > 1
    task->affinity = affinity;
#endif
    freertos_reap();
    FREERTOS_ALONE_BEGIN();
    const BaseType_t numbered = number(task, &attributes, affinity);
    if (numbered) {
        task->number = ++made;
    }
    FREERTOS_ALONE_END();
    if (!numbered) {
        return pdFAIL;
    }
    if (created != NULL) {
        *created = task;
    }
    traceTASK_CREATE(task);
    mel_status_t status;
    FREERTOS_CALL(status, mel_task_start(task->id));
    return status == MEL_E_OK ? pdPASS : pdFAIL;
}

/* In line: a call without a mask costs nothing for it. */
#define IN_LINE static inline __attribute__((always_inline))

IN_LINE BaseType_t make_new(TaskFunction_t code, const char *name, configSTACK_DEPTH_TYPE depth, void *parameters, UBaseType_t priority, UBaseType_t affinity,
                            TaskHandle_t *created, const char *call)
{
    const size_t wanted = (size_t)depth * sizeof(StackType_t);
    const size_t least = 2 * MEL_STACK_MINIMUM;
    const size_t bytes = ((wanted > least ? wanted : least) + MEL_STACK_ALIGNMENT - 1) & ~(size_t)(MEL_STACK_ALIGNMENT - 1);
    freertos_reap();
    void *stack = pvPortMalloc(bytes);
    freertos_task_t *task = stack != NULL ? pvPortMalloc(sizeof *task) : NULL;
    if (task != NULL && make(task, code, name, parameters, priority, stack, bytes, pdTRUE, affinity, created) == pdPASS) {
        return pdPASS;
    }
    vPortFree(task);
    vPortFree(stack);
    freertos_tell_limit(call, __builtin_return_address(0));
    traceTASK_CREATE_FAILED();
    return errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY;
}

BaseType_t xTaskCreate(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                       UBaseType_t uxPriority, TaskHandle_t *pxCreatedTask)
{
    return make_new(pxTaskCode, pcName, uxStackDepth, pvParameters, uxPriority, FREERTOS_DEFAULT_AFFINITY, pxCreatedTask, __func__);
}

BaseType_t xTaskCreateAffinitySet(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                                  UBaseType_t uxPriority, UBaseType_t uxCoreAffinityMask, TaskHandle_t *pxCreatedTask)
{
    return make_new(pxTaskCode, pcName, uxStackDepth, pvParameters, uxPriority, uxCoreAffinityMask, pxCreatedTask, __func__);
}

IN_LINE TaskHandle_t make_static(TaskFunction_t code, const char *name, configSTACK_DEPTH_TYPE depth, void *parameters, UBaseType_t priority,
                                 StackType_t *stack, StaticTask_t *buffer, UBaseType_t affinity, const char *call)
{
    TaskHandle_t task = NULL;
    configASSERT(stack != NULL && buffer != NULL);
    if (stack != NULL && buffer != NULL) {
        (void)make((freertos_task_t *)buffer, code, name, parameters, priority, stack, (size_t)depth * sizeof(StackType_t), pdFALSE, affinity, &task);
    }
    return freertos_created(task, call);
}

TaskHandle_t xTaskCreateStatic(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                               UBaseType_t uxPriority, StackType_t *puxStackBuffer, StaticTask_t *pxTaskBuffer)
{
    return make_static(pxTaskCode, pcName, uxStackDepth, pvParameters, uxPriority, puxStackBuffer, pxTaskBuffer, FREERTOS_DEFAULT_AFFINITY,
                       __func__);
}

TaskHandle_t xTaskCreateStaticAffinitySet(TaskFunction_t pxTaskCode, const char *pcName, configSTACK_DEPTH_TYPE uxStackDepth, void *pvParameters,
                                          UBaseType_t uxPriority, StackType_t *puxStackBuffer, StaticTask_t *pxTaskBuffer,
                                          UBaseType_t uxCoreAffinityMask)
{
    return make_static(pxTaskCode, pcName, uxStackDepth, pvParameters, uxPriority, puxStackBuffer, pxTaskBuffer, uxCoreAffinityMask, __func__);
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
    freertos_inherit_no_longer(task);
    if (task->on_heap) {
        vPortFree(task->stack);
        vPortFree(task);
    }
}

#if configNUMBER_OF_CORES > 1
static void reap(void);

void freertos_reap(void)
{
    if (ended != NULL) {
        vTaskSuspendAll();
        reap();
        (void)xTaskResumeAll();
    }
}

static void reap(void)
#else
void freertos_reap(void)
#endif
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

/* In a step, once for each task. */
static inline void put_to_ended(freertos_task_t *task)
{
    task->ended = 1;
    task->next_ended = ended;
    ended = task;
}

static void delete_self(freertos_task_t *self)
{
#if configNUMBER_OF_CORES > 1
    freertos_give_up();
#endif
    const freertos_step_t step = freertos_begin();
    FREERTOS_TRACE(traceTASK_DELETE(self));
    put_to_ended(self);
    (void)freertos_end(step, MEL_E_OK, NULL);
#if configNUMBER_OF_CORES == 1
    freertos_nesting = 0;
#endif
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

#if configNUMBER_OF_CORES > 1
/* The caller has suspended the scheduler; another task is suspended. It may run on another core until now, but then is in no critical section and has not
 * suspended the scheduler; it may be about to enter one, with interrupts off. */
static mel_status_t suspend_other(freertos_task_t *task)
{
    mel_status_t status;
    do { /* E_CTX: dispatch is still disabled on its core */
        FREERTOS_CALL(status, mel_task_suspend(task->id));
    } while (status == MEL_E_CTX);
    freertos_settle();
    return status;
}

/* Its memory is free when its core has left it. */
static void delete_other(freertos_task_t *task)
{
    mel_status_t status;
    vTaskSuspendAll();
    (void)suspend_other(task);
    const freertos_step_t step = freertos_begin();
    leave_lists(task);
    FREERTOS_TRACE(traceTASK_DELETE(task));
    if (!task->ended) {
        put_to_ended(task);
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    do {
        FREERTOS_CALL(status, mel_task_terminate(task->id));
    } while (status == MEL_E_CTX);
    (void)xTaskResumeAll();
    freertos_reap();
}
#endif

void vTaskDelete(TaskHandle_t xTaskToDelete)
{
    freertos_task_t *task = freertos_of(xTaskToDelete);
    if (task == freertos_self() && freertos_scheduler != taskSCHEDULER_NOT_STARTED) {
        delete_self(task);
        return;
    }
#if configNUMBER_OF_CORES > 1
    delete_other(task);
#else
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
#endif
}

/* ---- held, released, rescheduled ----------------------------------------------------------------------------------------- */

/* A wait ends when its task is suspended; most calls begin it again when the task goes on. */
void vTaskSuspend(TaskHandle_t xTaskToSuspend)
{
    freertos_task_t *task = freertos_of(xTaskToSuspend);
    mel_status_t status;
    traceTASK_SUSPEND(task);
#if configNUMBER_OF_CORES > 1
    if (task != freertos_self()) {
        vTaskSuspendAll();
        (void)suspend_other(task);
        task->resumed = mel_task_release(task->id) == MEL_E_OK ? 1 : task->resumed;
        (void)xTaskResumeAll();
        return;
    }
#endif
    FREERTOS_WAIT(status, 1, mel_task_suspend(task->id));
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
    if (freertos_urgency(priority) > freertos_kernel_urgency(task)) {
        return; /* it stays raised */
    }
    freertos_keep_no_longer(task);
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

/* ---- cores --------------------------------------------------------------------------------------------------------------- */

#if configNUMBER_OF_CORES > 1
/* A task keeps its cores, but one that has not begun is made anew. */
void vTaskCoreAffinitySet(TaskHandle_t xTask, UBaseType_t uxCoreAffinityMask)
{
    freertos_task_t *task = freertos_of(xTask);
    configASSERT(task != NULL);
    if (core_of(uxCoreAffinityMask) != core_of(task->affinity)) {
        if (freertos_scheduler != taskSCHEDULER_NOT_STARTED) {
            freertos_refuse("vTaskCoreAffinitySet: a task keeps its cores once the scheduler runs: give them to xTaskCreateAffinitySet, or before "
                            "vTaskStartScheduler");
        }
        const mel_task_attributes_t attributes = describe(task);
        (void)mel_task_terminate(task->id);
        (void)mel_task_delete(task->id);
        (void)create(task->id, &attributes, uxCoreAffinityMask);
        (void)mel_task_start(task->id);
    }
    task->affinity = uxCoreAffinityMask;
}

UBaseType_t vTaskCoreAffinityGet(TaskHandle_t xTask)
{
    return freertos_of(xTask)->affinity;
}
#else
void vTaskCoreAffinitySet(TaskHandle_t xTask, UBaseType_t uxCoreAffinityMask)
{
    (void)xTask;
    (void)core_of(uxCoreAffinityMask);
}

UBaseType_t vTaskCoreAffinityGet(TaskHandle_t xTask)
{
    (void)xTask;
    return tskNO_AFFINITY;
}
#endif

uint32_t freertos_task_number(TaskHandle_t task)
{
    return freertos_of(task)->id;
}
