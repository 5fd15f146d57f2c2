/* SPDX-License-Identifier: Apache-2.0 */
/* timers.c: software timers. The timer task has the timers that run in a list, in order of expiry, and a queue of commands; it sleeps until the next expiry
 * or the next command (the timeout of its receive, which is the kernel's), and calls the callbacks. A command bears the tick count at which it was given: a
 * timer's time begins then, not when the timer task comes to it. Touched by the timer task only, but for names, IDs, modes and commands. */
#include "timers.h"
#include "layer.h"
#include "queue.h"

#if configUSE_TIMERS

typedef struct freertos_timer {
    struct freertos_timer *next; /* in the list */
    const char *name;
    TickType_t period, expiry;
    void *id;
    TimerCallbackFunction_t callback;
    volatile uint8_t reloads, active, on_heap;
} freertos_timer_t;

_Static_assert(sizeof(freertos_timer_t) <= sizeof(StaticTimer_t), "a timer fits its static buffer");

typedef struct {
    BaseType_t command;
    freertos_timer_t *timer; /* or */
    PendedFunction_t function;
    void *parameter;
    uint32_t value; /* time, period, or the second parameter */
} message_t;

static freertos_timer_t *running; /* the list; times are compared as distances from `last` */
static TickType_t last;           /* the tick count at which the timer task looked last */
static QueueHandle_t commands;
static TaskHandle_t daemon;

/* ---- made and asked ------------------------------------------------------------------------------------------------------ */

/* Commands may be given before the scheduler starts. */
static BaseType_t prepared(void)
{
    if (commands == NULL) {
        commands = xQueueCreate(configTIMER_QUEUE_LENGTH, sizeof(message_t));
    }
    return commands != NULL;
}

static TimerHandle_t make(freertos_timer_t *timer, const char *name, TickType_t period, BaseType_t reloads, void *id,
                          TimerCallbackFunction_t callback, BaseType_t on_heap)
{
    *timer = (freertos_timer_t){
        .name = name,
        .period = period,
        .id = id,
        .callback = callback,
        .reloads = reloads != pdFALSE,
        .on_heap = (uint8_t)on_heap,
    };
    const BaseType_t done = prepared();
    FREERTOS_TRACE_IF(done, traceTIMER_CREATE(timer));
    return done ? timer : NULL;
}

TimerHandle_t xTimerCreate(const char *const pcTimerName, const TickType_t xTimerPeriodInTicks, const BaseType_t xAutoReload, void *const pvTimerID,
                           TimerCallbackFunction_t pxCallbackFunction)
{
    configASSERT(xTimerPeriodInTicks > 0);
    freertos_timer_t *timer = pvPortMalloc(sizeof *timer);
    FREERTOS_TRACE_IF(timer == NULL, traceTIMER_CREATE_FAILED());
    return timer != NULL ? make(timer, pcTimerName, xTimerPeriodInTicks, xAutoReload, pvTimerID, pxCallbackFunction, pdTRUE) : NULL;
}

TimerHandle_t xTimerCreateStatic(const char *const pcTimerName, const TickType_t xTimerPeriodInTicks, const BaseType_t xAutoReload,
                                 void *const pvTimerID, TimerCallbackFunction_t pxCallbackFunction, StaticTimer_t *pxTimerBuffer)
{
    configASSERT(xTimerPeriodInTicks > 0 && pxTimerBuffer != NULL);
    return pxTimerBuffer != NULL ? make((freertos_timer_t *)pxTimerBuffer, pcTimerName, xTimerPeriodInTicks, xAutoReload, pvTimerID,
                                        pxCallbackFunction, pdFALSE)
                                 : NULL;
}

BaseType_t xTimerIsTimerActive(TimerHandle_t xTimer)
{
    return xTimer->active ? pdTRUE : pdFALSE;
}

TickType_t xTimerGetPeriod(TimerHandle_t xTimer)
{
    return xTimer->period;
}

TickType_t xTimerGetExpiryTime(TimerHandle_t xTimer)
{
    return xTimer->expiry;
}

const char *pcTimerGetName(TimerHandle_t xTimer)
{
    return xTimer->name;
}

void *pvTimerGetTimerID(const TimerHandle_t xTimer)
{
    return xTimer->id;
}

void vTimerSetTimerID(TimerHandle_t xTimer, void *pvNewID)
{
    xTimer->id = pvNewID;
}

void vTimerSetReloadMode(TimerHandle_t xTimer, const BaseType_t xAutoReload)
{
    xTimer->reloads = xAutoReload != pdFALSE;
}

BaseType_t xTimerGetReloadMode(TimerHandle_t xTimer)
{
    return xTimer->reloads ? pdTRUE : pdFALSE;
}

UBaseType_t uxTimerGetReloadMode(TimerHandle_t xTimer)
{
    return xTimer->reloads ? pdTRUE : pdFALSE;
}

TaskHandle_t xTimerGetTimerDaemonTaskHandle(void)
{
    return daemon;
}

/* ---- commands ------------------------------------------------------------------------------------------------------------ */

BaseType_t xTimerGenericCommand(TimerHandle_t xTimer, const BaseType_t xCommandID, const TickType_t xOptionalValue,
                                BaseType_t *const pxHigherPriorityTaskWoken, const TickType_t xTicksToWait)
{
    configASSERT(xTimer != NULL);
    const message_t message = {.command = xCommandID, .timer = xTimer, .value = xOptionalValue};
    if (commands == NULL) {
        return pdFAIL;
    }
    if (xCommandID >= tmrFIRST_FROM_ISR_COMMAND) {
        const BaseType_t sent = xQueueSendToBackFromISR(commands, &message, pxHigherPriorityTaskWoken);
        traceTIMER_COMMAND_SEND(xTimer, xCommandID, xOptionalValue, sent);
        return sent;
    }
    const BaseType_t sent = xQueueSendToBack(commands, &message, freertos_scheduler == taskSCHEDULER_RUNNING ? xTicksToWait : 0);
    traceTIMER_COMMAND_SEND(xTimer, xCommandID, xOptionalValue, sent);
    return sent;
}

BaseType_t xTimerPendFunctionCall(PendedFunction_t xFunctionToPend, void *pvParameter1, uint32_t ulParameter2, TickType_t xTicksToWait)
{
    const message_t message = {
        .command = tmrCOMMAND_EXECUTE_CALLBACK, .function = xFunctionToPend, .parameter = pvParameter1, .value = ulParameter2};
    const BaseType_t sent = prepared() ? xQueueSendToBack(commands, &message, xTicksToWait) : pdFAIL;
    tracePEND_FUNC_CALL(xFunctionToPend, pvParameter1, ulParameter2, sent);
    return sent;
}

BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t xFunctionToPend, void *pvParameter1, uint32_t ulParameter2,
                                         BaseType_t *pxHigherPriorityTaskWoken)
{
    const message_t message = {
        .command = tmrCOMMAND_EXECUTE_CALLBACK_FROM_ISR, .function = xFunctionToPend, .parameter = pvParameter1, .value = ulParameter2};
    const BaseType_t sent = xQueueSendToBackFromISR(commands, &message, pxHigherPriorityTaskWoken);
    tracePEND_FUNC_CALL_FROM_ISR(xFunctionToPend, pvParameter1, ulParameter2, sent);
    return sent;
}

/* ---- the timer task ------------------------------------------------------------------------------------------------------ */

static void stop(freertos_timer_t *timer)
{
    for (freertos_timer_t **link = &running; *link != NULL; link = &(*link)->next) {
        if (*link == timer) {
            *link = timer->next;
            return;
        }
    }
}

/* Into the list, behind others of the same time. */
static void insert(freertos_timer_t *timer, TickType_t expiry)
{
    freertos_timer_t **link = &running;
    timer->expiry = expiry;
    while (*link != NULL && (TickType_t)((*link)->expiry - last) <= (TickType_t)(expiry - last)) {
        link = &(*link)->next;
    }
    timer->next = *link;
    *link = timer;
}

/* Its time, which began at `begun`, is over at `now`: the callback, and, when it reloads, one more for every whole period that has passed since; it runs
 * again then. */
static void expired(freertos_timer_t *timer, TickType_t begun, TickType_t now)
{
    TickType_t due = begun + timer->period;
    if (timer->reloads) {
        while ((TickType_t)(now - due) >= timer->period) {
            due += timer->period;
            traceTIMER_EXPIRED(timer);
            timer->callback(timer);
        }
        insert(timer, due + timer->period);
    } else {
        timer->active = 0;
    }
    traceTIMER_EXPIRED(timer);
    timer->callback(timer);
}

/* Started at `begun`: it runs, or its time is over already. */
static void start(freertos_timer_t *timer, TickType_t begun, TickType_t now)
{
    timer->active = 1;
    if ((TickType_t)(now - begun) >= timer->period) {
        expired(timer, begun, now);
    } else {
        insert(timer, begun + timer->period);
    }
}

static void obey(const message_t *message, TickType_t now)
{
    freertos_timer_t *timer = message->timer;
    if (message->command < 0) {
        message->function(message->parameter, message->value);
        return;
    }
    stop(timer);
    traceTIMER_COMMAND_RECEIVED(timer, message->command, message->value);
    switch (message->command) {
    case tmrCOMMAND_START:
    case tmrCOMMAND_RESET:
    case tmrCOMMAND_START_FROM_ISR:
    case tmrCOMMAND_RESET_FROM_ISR: start(timer, message->value, now); break;
    case tmrCOMMAND_CHANGE_PERIOD:
    case tmrCOMMAND_CHANGE_PERIOD_FROM_ISR:
        timer->active = 1;
        timer->period = message->value;
        insert(timer, now + timer->period);
        break;
    case tmrCOMMAND_STOP:
    case tmrCOMMAND_STOP_FROM_ISR: timer->active = 0; break;
    default:
        timer->active = 0;
        if (timer->on_heap) {
            vPortFree(timer);
        }
        break;
    }
}

/* The first timer whose time has come, out of the list; NULL: there is none. */
static freertos_timer_t *due(TickType_t now)
{
    freertos_timer_t *timer = running;
    if (timer != NULL && (TickType_t)(timer->expiry - last) <= (TickType_t)(now - last)) {
        running = timer->next;
        return timer;
    }
    last = now;
    return NULL;
}

/* One timer at a time, and after each all commands: so the callback of one can stop another that is due, too. */
static void daemon_task(void *parameters)
{
    (void)parameters;
#if configUSE_DAEMON_TASK_STARTUP_HOOK
    vApplicationDaemonTaskStartupHook();
#endif
    for (;;) {
        message_t message;
        const TickType_t now = xTaskGetTickCount();
        freertos_timer_t *timer = due(now);
        TickType_t ticks = 0;
        if (timer != NULL) {
            expired(timer, timer->expiry - timer->period, now);
        } else {
            ticks = running != NULL ? running->expiry - now : portMAX_DELAY;
        }
        while (xQueueReceive(commands, &message, ticks) == pdPASS) {
            obey(&message, xTaskGetTickCount());
            ticks = 0;
        }
    }
}

void freertos_timers_start(void)
{
    last = xTaskGetTickCount();
    if (!prepared()) {
        freertos_refuse("there is no memory, or no semaphore, left for the commands of timers: raise configTOTAL_HEAP_SIZE, or parameters: semaphores of "
                        "the system's configuration");
    }
    daemon = freertos_own_task(daemon_task, "Tmr Svc", configTIMER_TASK_STACK_DEPTH, configTIMER_TASK_PRIORITY);
#if configNUMBER_OF_CORES > 1
    vTaskCoreAffinitySet(daemon, configTIMER_SERVICE_TASK_CORE_AFFINITY);
#endif
}

#endif
