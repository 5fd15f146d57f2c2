/* SPDX-License-Identifier: Apache-2.0 */
/* time.c: the calls that let time pass, and the tick. */
#include "calls.h"

static mel_ticks_t moment; /* for mel_task_delay_until */
static uint64_t ticks;

SHOT(delay, mel_task_delay(LONG))
SHOT(delay_forever, mel_task_delay(MEL_FOREVER))
SHOT(delay_none, mel_task_delay(0))
SHOT(delay_until, mel_task_delay_until(moment))
SHOT(time_get, mel_time_get(&ticks))
SHOT(tick_set, mel_tick_set(TICK))
SHOT(tick_stop, mel_tick_set(0))
SHOT(tick_wrong, mel_tick_set(1))
SHOT(sleep_limited, mel_task_sleep(2 * LONG))

/* The moment is n ticks from now. */
static void in_future(uint32_t n)
{
    CHECK(mel_time_get(&ticks));
    moment = (mel_ticks_t)ticks + n;
}

/* n others have timeouts, which end later. */
static void others(uint32_t n)
{
    send_low(n, sleep_limited);
}

static void before_others(uint32_t n)
{
    others(n);
    in_future(LONG);
}

static const row_t rows[] = {
    STAYS(CALL_TASK_DELAY, "0 ticks", nothing, 0, delay_none, MEL_E_OK),
    WAITS(CALL_TASK_DELAY, "no other timeout", nothing, 0, delay),
    WAITS(CALL_TASK_DELAY, "24 others later", others, CREW, delay),
    WAITS(CALL_TASK_DELAY, "for ever", nothing, 0, delay_forever),
    STAYS(CALL_TASK_DELAY_UNTIL, "now", in_future, 0, delay_until, MEL_E_TMOUT),
    WAITS(CALL_TASK_DELAY_UNTIL, "no other timeout", before_others, 0, delay_until),
    WAITS(CALL_TASK_DELAY_UNTIL, "24 others later", before_others, CREW, delay_until),
    STAYS(CALL_TIME_GET, "any", nothing, 0, time_get, MEL_E_OK),
    STAYS(CALL_TICK_SET, "another length", nothing, 0, tick_set, MEL_E_OK),
    STAYS(CALL_TICK_SET, "no ticks", nothing, 0, tick_stop, MEL_E_OK),
    STAYS(CALL_TICK_SET, "too short", nothing, 0, tick_wrong, MEL_E_PAR),
};

const table_t time_table = TABLE(rows);
