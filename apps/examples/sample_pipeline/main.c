/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: a pipeline of three tasks that hand blocks of samples on by queues: a source, which a converter's interrupt notifies; a filter; a sink, which looks at what comes and gives the
 * block back. Blocks come from a pool whose counting semaphore says how many are free. A block must be through the pipeline DEADLINE_US after its interrupt; those that were not are told.
 * With several cores the filter has the second one for itself; nothing else is another program there: a block belongs to whoever has its address, and each count to one task. */
#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#include "board.h"

enum { SOURCE = 5, FILTER = 3, SINK = 4, REPORT = 1 }; /* priorities */
enum { BLOCKS = 120, SAMPLES = 32, TAPS = 8, POOL = 6, DEADLINE_US = 150 };
enum { SOURCE_REGION, BLOCK_REGION };

MEL_REGION_OF_LINE(SOURCE_REGION, "converter to source", 20, BLOCK_LINE);
MEL_REGION_OF_LINE(BLOCK_REGION, "converter to sink", DEADLINE_US, BLOCK_LINE);

typedef struct {
    uint32_t number;
    uint32_t begun; /* clock cycles: when the source saw it */
    int16_t samples[SAMPLES];
} block_t;

static block_t pool[POOL];
static QueueHandle_t idle_blocks, raw, filtered; /* block_t * */
static SemaphoreHandle_t left;                   /* in the pool */
static TaskHandle_t report_task;
static uint32_t blocks, missed, late, slowest, wrong;
static int32_t loudest;

static const int16_t taps[TAPS] = {-3, 5, 21, 41, 41, 21, 5, -3}; /* together 128 */

/* A triangle, so that its filtered form is known: slopes stay, corners get round. */
static int16_t converted(uint32_t time)
{
    const int32_t phase = (int32_t)(time & 255);
    return (int16_t)((phase < 128 ? phase : 255 - phase) * 100);
}

static void source(void *unused)
{
    uint32_t time = 0, number = 0;
    (void)unused;
    for (;;) {
        const uint32_t count = ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        MEL_REGION_SERVED(SOURCE_REGION, count);
        missed += count - 1;
        block_t *block = NULL;
        (void)xSemaphoreTake(left, portMAX_DELAY);
        (void)xQueueReceive(idle_blocks, &block, 0);
        block->begun = board_cycles();
        block->number = number++;
        for (uint32_t i = 0; i < SAMPLES; i++) {
            block->samples[i] = converted(time++);
        }
        (void)xQueueSend(raw, &block, portMAX_DELAY);
    }
}

static void filter(void *unused)
{
    int16_t history[TAPS] = {0};
    block_t *block;
    (void)unused;
    for (;;) {
        (void)xQueueReceive(raw, &block, portMAX_DELAY);
        for (uint32_t i = 0; i < SAMPLES; i++) {
            int32_t sum = 0;
            for (uint32_t j = TAPS - 1; j > 0; j--) {
                history[j] = history[j - 1];
                sum += history[j] * taps[j];
            }
            history[0] = block->samples[i];
            sum += history[0] * taps[0];
            block->samples[i] = (int16_t)(sum >> 7);
        }
        (void)xQueueSend(filtered, &block, portMAX_DELAY);
    }
}

/* Between corners neighbours are 100 apart, as before the filter; behind corners a little more, as the outer taps are negative. */
static void look(const block_t *block)
{
    static int32_t before;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        const int32_t value = block->samples[i], step = value - before;
        wrong += (block->number > 0) && (step > 106 || step < -106);
        loudest = value > loudest ? value : loudest;
        before = value;
    }
}

static void sink(void *unused)
{
    block_t *block;
    (void)unused;
    while (blocks < BLOCKS) {
        (void)xQueueReceive(filtered, &block, portMAX_DELAY);
        look(block);
        MEL_REGION_SERVED(BLOCK_REGION, 1);
        const uint32_t took = board_cycles() - block->begun;
        wrong += block->number != blocks;
        blocks++;
        late += took > DEADLINE_US * (configCPU_CLOCK_HZ / 1000000);
        slowest = took > slowest ? took : slowest;
        (void)xQueueSend(idle_blocks, &block, 0);
        (void)xSemaphoreGive(left);
    }
    (void)xTaskNotifyGive(report_task);
    vTaskDelete(NULL);
}

static void report(void *unused)
{
    (void)unused;
    (void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    board_tell("blocks ", (int32_t)blocks);
    board_tell("missed ", (int32_t)missed);
    board_tell("late ", (int32_t)late);
    board_tell("slowest, cycles ", (int32_t)slowest);
    board_tell("loudest ", loudest);
    board_tell("wrong ", (int32_t)wrong);
    board_end(blocks == BLOCKS && missed == 0 && wrong == 0 && loudest > 12000 && loudest < 12800);
}

int main(void)
{
    TaskHandle_t first = NULL, second = NULL;
    idle_blocks = xQueueCreate(POOL, sizeof(block_t *));
    raw = xQueueCreate(POOL, sizeof(block_t *));
    filtered = xQueueCreate(POOL, sizeof(block_t *));
    left = xSemaphoreCreateCounting(POOL, POOL);
    for (uint32_t i = 0; i < POOL; i++) {
        block_t *block = &pool[i];
        (void)xQueueSend(idle_blocks, &block, 0);
    }
    (void)xTaskCreate(source, "source", 256, NULL, SOURCE, &first);
    (void)xTaskCreate(filter, "filter", 256, NULL, FILTER, &second);
    (void)xTaskCreate(sink, "sink", 256, NULL, SINK, NULL);
    (void)xTaskCreate(report, "report", 256, NULL, REPORT, &report_task);
#if configNUMBER_OF_CORES > 1
    vTaskCoreAffinitySet(first, 1 << 0);
    vTaskCoreAffinitySet(second, 1 << 1);
#endif
    board_convert(first, BLOCKS);
    vTaskStartScheduler();
    return 1;
}
