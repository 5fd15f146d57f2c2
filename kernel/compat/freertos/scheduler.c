/* SPDX-License-Identifier: Apache-2.0 */
/* scheduler.c: the scheduler: started, held, asked; what happens at every tick; critical sections' count; the idle task, which there is only with
 * configUSE_IDLE_HOOK: without it the core sleeps while no task is ready. */
#include "layer.h"

#include <melanion/device.h>

#if configNUMBER_OF_CORES == 1
volatile UBaseType_t freertos_nesting;
static volatile UBaseType_t held = 1; /* by vTaskSuspendAll, and until the scheduler starts; of several cores: cores.c */
#endif
volatile BaseType_t freertos_scheduler = taskSCHEDULER_NOT_STARTED;
uint32_t freertos_started;
static TaskHandle_t idle;

void freertos_refuse(const char *text)
{
    mel_print("freertos: ");
    mel_print(text);
    mel_print("\n");
    mel_exit(MEL_EXIT_CODE_BOOT);
}

volatile freertos_limited_t freertos_limit_met;

void freertos_tell_limit(const char *call, const void *from)
{
    static const struct {
        const char *key;
        uint32_t most;
    } limits[] = {
        [FREERTOS_TASKS] = {"tasks", MEL_TASKS},
        [FREERTOS_SEMAPHORES] = {"semaphores", MEL_SEMAPHORES},
        [FREERTOS_MUTEXES] = {"mutexes", MEL_MUTEXES},
    };
    static uint8_t told[sizeof limits / sizeof limits[0]];
    const freertos_limited_t met = freertos_limit_met;
    freertos_limit_met = FREERTOS_NO_LIMIT;
    if (met == FREERTOS_NO_LIMIT || told[met]) {
        return;
    }
    told[met] = 1;
    mel_print("freertos: ");
    mel_print(call);
    mel_print(" before ");
    mel_print_hex((uint32_t)(uintptr_t)from);
    mel_print(" found all ");
    mel_print_unsigned(limits[met].most);
    mel_print(" ");
    mel_print(limits[met].key);
    mel_print(" of " MEL_SYSTEM_NAME " in use: raise parameters: ");
    mel_print(limits[met].key);
    mel_print(" of its configuration\n");
}

/* ---- at every tick ------------------------------------------------------------------------------------------------------- */

static BaseType_t slicing_in_c;

#if configNUMBER_OF_CORES > 1
/* Put the running task of each core behind those of equal priority, if one of these is ready. One
 * step queries all tasks: each query by itself would wait for the other cores. */
static void next_turns(void)
{
    uint8_t ready[MEL_PRIORITIES] = {0};
    mel_id_t running[MEL_CORES];
    mel_priority_t urgencies[MEL_CORES];
    UBaseType_t count = 0;
    mel_task_info_t info;
    const freertos_step_t step = freertos_begin();
    for (mel_id_t id = 0; id < freertos_tasks_end; id++) {
        if (freertos_tasks[id] == NULL || mel_task_query(id, &info) != MEL_E_OK) {
            continue;
        }
        if (info.state == MEL_TASK_STATE_RUNNING && count < MEL_CORES) {
            running[count] = id;
            urgencies[count++] = info.priority;
        }
        ready[info.priority] |= info.state == MEL_TASK_STATE_READY;
    }
    (void)freertos_end(step, MEL_E_OK, NULL);
    for (UBaseType_t i = 0; i < count; i++) {
        const freertos_task_t *task = freertos_tasks[running[i]];
        if (ready[urgencies[i]] && task != NULL) {
            (void)mel_task_set_priority(running[i], freertos_kernel_urgency(task));
        }
    }
}
#endif

static void at_tick(mel_id_t line, void *argument)
{
    (void)line;
    (void)argument;
#if configNUMBER_OF_CORES > 1
    if (slicing_in_c) {
        next_turns();
    }
#else
    const freertos_task_t *task = freertos_self();
    if (slicing_in_c && task != NULL) {
        (void)mel_task_rotate(freertos_urgency_of(task));
    }
#endif
#if configUSE_TICK_HOOK
    vApplicationTickHook();
#endif
}

/* Equal priorities take turns, a tick each: by the unit, or, where the kernel has no quantum, by a handler at every tick. */
static void prepare_ticks(void)
{
#if configUSE_TIME_SLICING
    for (UBaseType_t priority = 0; priority < configMAX_PRIORITIES; priority++) {
        if (mel_quantum_set(freertos_urgency(priority), 1) == MEL_E_RSFN) {
            slicing_in_c = pdTRUE;
        }
    }
#endif
    if (slicing_in_c || configUSE_TICK_HOOK) {
        const mel_id_t timer = MEL_TIMERS - 1, line = MEL_TIMER_LINE(timer);
        (void)mel_irq_attach(line, at_tick, NULL);
        (void)mel_irq_map(line, MEL_IRQ_ACTION_NONE, 0, 0, true);
        (void)mel_irq_enable(line);
        (void)mel_timer_start(timer, 1, 1);
    }
}

static void start_ticks(void)
{
#ifdef configCPU_CLOCK_HZ
    const uint32_t clock = (uint32_t)configCPU_CLOCK_HZ;
#else
    const uint32_t clock = MEL_CLOCK_HZ;
#endif
    uint64_t now;
    (void)mel_tick_set(0);
    if (mel_tick_set(clock / (uint32_t)configTICK_RATE_HZ) != MEL_E_OK) {
        freertos_refuse("configTICK_RATE_HZ in FreeRTOSConfig.h makes ticks that are too short for this system (mel_system.h: MEL_TICK_CYCLES_MINIMUM "
                        "cycles); lower it");
    }
    (void)mel_time_get(&now);
    freertos_offset = (TickType_t)configINITIAL_TICK_COUNT - (TickType_t)now;
}

/* ---- started ------------------------------------------------------------------------------------------------------------- */

#if configUSE_IDLE_HOOK
static void idle_task(void *parameters)
{
    (void)parameters;
    for (;;) {
        vApplicationIdleHook();
        freertos_reap();
        taskYIELD();
    }
}
#endif

#if configNUMBER_OF_CORES > 1 && configUSE_PASSIVE_IDLE_HOOK
static TaskHandle_t passive[configNUMBER_OF_CORES - 1];

static void passive_idle_task(void *parameters)
{
    (void)parameters;
    for (;;) {
        vApplicationPassiveIdleHook();
        taskYIELD();
    }
}
#endif

/* Task with the next larger number than `number`; NULL: there is none. */
static freertos_task_t *made_after(UBaseType_t number)
{
    freertos_task_t *next = NULL;
    for (mel_id_t id = 0; id < MEL_TASKS; id++) {
        freertos_task_t *task = freertos_tasks[id];
        if (task != NULL && task->number > number && (next == NULL || task->number < next->number)) {
            next = task;
        }
    }
    return next;
}

/* Among the most urgent tasks the one that was made last runs first, then the others in the order in which they were made. */
static void put_last_first(void)
{
    freertos_task_t *last = NULL;
    for (freertos_task_t *task = made_after(0); task != NULL; task = made_after(task->number)) {
        last = last == NULL || task->base >= last->base ? task : last;
    }
    for (freertos_task_t *task = made_after(0); task != NULL; task = made_after(task->number)) {
        if (task != last && task->base == last->base) {
            (void)mel_task_set_priority(task->id, freertos_urgency(task->base));
        }
    }
}

void vTaskStartScheduler(void)
{
#if configUSE_IDLE_HOOK
    idle = freertos_own_task(idle_task, configNUMBER_OF_CORES > 1 ? "IDLE0" : "IDLE", configMINIMAL_STACK_SIZE, tskIDLE_PRIORITY);
#endif
#if configNUMBER_OF_CORES > 1 && configUSE_PASSIVE_IDLE_HOOK
    for (UBaseType_t i = 0; i < configNUMBER_OF_CORES - 1; i++) {
        const char name[] = {'I', 'D', 'L', 'E', (char)('1' + i), '\0'};
        passive[i] = freertos_own_task(passive_idle_task, name, configMINIMAL_STACK_SIZE, tskIDLE_PRIORITY);
    }
#endif
#if configUSE_TIMERS
    freertos_timers_start();
#endif
    put_last_first();
    prepare_ticks();
#if configGENERATE_RUN_TIME_STATS
    portCONFIGURE_TIMER_FOR_RUN_TIME_STATS();
    freertos_started = mel_cycles();
#endif
    traceSTARTING_SCHEDULER(&idle);
    freertos_scheduler = taskSCHEDULER_RUNNING;
#if configNUMBER_OF_CORES == 1
    held--;
#endif
    start_ticks();
    mel_kernel_start();
}

TaskHandle_t xTaskGetIdleTaskHandle(void)
{
    return idle;
}

TaskHandle_t xTaskGetIdleTaskHandleForCore(BaseType_t xCoreID)
{
    configASSERT(xCoreID >= 0 && xCoreID < configNUMBER_OF_CORES);
#if configNUMBER_OF_CORES > 1 && configUSE_PASSIVE_IDLE_HOOK
    if (xCoreID > 0 && xCoreID < configNUMBER_OF_CORES) {
        return passive[xCoreID - 1];
    }
#endif
    return xCoreID == 0 ? idle : NULL;
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
    return freertos_self();
}

/* ---- held ---------------------------------------------------------------------------------------------------------------- */

#if configNUMBER_OF_CORES == 1

/* Dispatch is disabled before `held` says so: a task that came between would take its own section for a nested one, and nothing would hold it. */
void vTaskSuspendAll(void)
{
    const UBaseType_t before = held;
    if (before != 0) {
        held = before + 1;
        return;
    }
    (void)mel_dispatch_disable();
    held = 1;
}

BaseType_t xTaskResumeAll(void)
{
    configASSERT(held != 0);
    if (--held != 0) {
        return pdFALSE;
    }
    const UBaseType_t before = freertos_switches;
    mel_status_t status;
    FREERTOS_CALL(status, mel_dispatch_enable());
    (void)status;
    return freertos_switches != before;
}

BaseType_t xTaskGetSchedulerState(void)
{
    return freertos_scheduler == taskSCHEDULER_RUNNING && held != 0 ? taskSCHEDULER_SUSPENDED : freertos_scheduler;
}
#endif

void freertos_yield(void)
{
    mel_status_t status;
    FREERTOS_CALL(status, mel_task_yield());
    (void)status;
    freertos_switches++;
}
