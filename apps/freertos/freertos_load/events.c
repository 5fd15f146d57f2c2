/* SPDX-License-Identifier: Apache-2.0 */
/* events.c: event groups and notifications, set and given by tasks and by handlers. */
#include "load.h"

enum { LONG_WAIT = 2000 };

/* ---- bits that release tasks together, and only when all are there ----------------------------------------------------------- */

enum { ALL = 0x07, ANY = 0x30, KEPT = 0x40 };

static EventGroupHandle_t bits;
static volatile uint32_t all_turns, any_turns;

static void wait_for_all(void *parameters)
{
    (void)parameters;
    for (;;) {
        check(&event_bits, (xEventGroupWaitBits(bits, ALL, pdTRUE, pdTRUE, portMAX_DELAY) & ALL) == ALL, "not all bits");
        all_turns++;
    }
}

static void wait_for_any(void *parameters)
{
    (void)parameters;
    for (;;) {
        const EventBits_t found = xEventGroupWaitBits(bits, ANY, pdTRUE, pdFALSE, portMAX_DELAY);
        check(&event_bits, (found & ANY) != 0, "none of the bits");
        any_turns++;
    }
}

static void set_bits(void *parameters)
{
    (void)parameters;
    for (;;) {
        const uint32_t alls = all_turns, anys = any_turns;
        (void)xEventGroupSetBits(bits, KEPT | 1);
        (void)xEventGroupSetBits(bits, 2);
        check(&event_bits, all_turns == alls && any_turns == anys, "released too early");
        check(&event_bits, (xEventGroupGetBits(bits) & (KEPT | ALL)) == (KEPT | 3), "bits were lost");
        (void)xEventGroupSetBits(bits, 4 | 0x20);
        check(&event_bits, all_turns == alls + 1 && any_turns == anys + 1, "not released");
        check(&event_bits, xEventGroupGetBits(bits) == KEPT, "bits were not cleared");
        check(&event_bits, xEventGroupWaitBits(bits, ANY, pdFALSE, pdFALSE, 2) == KEPT, "bits came from nowhere");
        check(&event_bits, xEventGroupClearBits(bits, KEPT) == KEPT, "the kept bit was lost");
        event_bits.passes++;
        rest(7);
    }
}

static void begin_bits(void)
{
    bits = xEventGroupCreate();
    (void)start(wait_for_all, "all", 3, NULL);
    (void)start(wait_for_any, "any", 4, NULL);
    (void)start(set_bits, "set_bits", 2, NULL);
}

group_t event_bits = {.name = "event_bits", .begin = begin_bits};

/* ---- three tasks meet: nobody is a round ahead ------------------------------------------------------------------------------- */

enum { MEETING = 3, MEETING_BITS = (1 << MEETING) - 1 };

static EventGroupHandle_t met;
static volatile uint32_t rounds[MEETING];

static void meet(void *parameters)
{
    const uint32_t who = (uint32_t)(uintptr_t)parameters;
    uint32_t state = 3 + who;
    for (;;) {
        rest(1 + draw(&state, 8));
        const uint32_t mine = rounds[who] + 1;
        rounds[who] = mine;
        const EventBits_t found = xEventGroupSync(met, UINT32_C(1) << who, MEETING_BITS, LONG_WAIT);
        check(&rendezvous, (found & MEETING_BITS) == MEETING_BITS, "not all have come");
        for (uint32_t i = 0; i < MEETING; i++) {
            check(&rendezvous, rounds[i] - mine <= 1, "one has not come, or is ahead");
        }
        rendezvous.passes++;
    }
}

static void begin_rendezvous(void)
{
    met = xEventGroupCreate();
    for (uint32_t i = 0; i < MEETING; i++) {
        (void)start(meet, "meet", 1 + i, (void *)(uintptr_t)i);
    }
}

group_t rendezvous = {.name = "rendezvous", .begin = begin_rendezvous};

/* ---- handlers set bits by way of the timer task ------------------------------------------------------------------------------ */

static EventGroupHandle_t handled;
static volatile uint32_t asked;

static void set_in_handler(void)
{
    BaseType_t woken = pdFALSE;
    if (xEventGroupSetBitsFromISR(handled, UINT32_C(1) << asked % 8, &woken)) {
        asked++;
    }
    portYIELD_FROM_ISR(woken);
}

static void wait_for_handled(void *parameters)
{
    (void)parameters;
    for (;;) {
        const EventBits_t found = xEventGroupWaitBits(handled, 0xFF, pdTRUE, pdFALSE, LONG_WAIT);
        check(&event_bits_of_handlers, (found & 0xFF) != 0, "no bit in time");
        event_bits_of_handlers.passes++;
    }
}

static void begin_handled(void)
{
    handled = xEventGroupCreate();
    (void)start(wait_for_handled, "bits", 4, NULL);
    pulses(LINE_BITS, set_in_handler, 50000, 200000);
}

group_t event_bits_of_handlers = {.name = "event_bits_of_handlers", .begin = begin_handled};

/* ---- notifications that count, of two indices, from two tasks ----------------------------------------------------------------- */

static TaskHandle_t counted;
static volatile uint32_t gifts[2];

static void count_gifts(void *parameters)
{
    uint32_t taken[2] = {0};
    (void)parameters;
    for (;;) {
        for (UBaseType_t index = 0; index < 2; index++) {
            const uint32_t got = ulTaskNotifyTakeIndexed(index, index == 0, LONG_WAIT);
            check(&notified, got != 0, "not notified in time");
            taken[index] += index == 0 ? got : 1;
            check(&notified, taken[index] <= gifts[index], "more than were given");
            notified.passes++;
        }
    }
}

static void give(void *parameters)
{
    const UBaseType_t index = (UBaseType_t)(uintptr_t)parameters;
    uint32_t state = 11 + index;
    for (;;) {
        taskENTER_CRITICAL();
        gifts[index]++;
        (void)xTaskNotifyGiveIndexed(counted, index);
        taskEXIT_CRITICAL();
        rest(1 + draw(&state, 8));
    }
}

static void begin_notified(void)
{
    counted = start(count_gifts, "count_gifts", 2, NULL);
    (void)start(give, "give", 1, (void *)0);
    (void)start(give, "give", 3, (void *)1);
}

group_t notified = {.name = "notified", .begin = begin_notified};

/* ---- notifications that carry a value: every action, and a wait that ends --------------------------------------------------- */

static TaskHandle_t receiver;
static volatile uint32_t received, receptions;

static void receive_value(void *parameters)
{
    (void)parameters;
    for (;;) {
        uint32_t value = 0;
        if (xTaskNotifyWaitIndexed(2, 0, UINT32_MAX, &value, 3)) {
            received = value;
            receptions++;
        }
    }
}

static void send_value(void *parameters)
{
    uint32_t value = 1, previous = 0;
    (void)parameters;
    for (;; value++) {
        const uint32_t before = receptions;
        check(&notified_by_value, xTaskNotifyIndexed(receiver, 2, value, eSetValueWithOverwrite), "not notified");
        check(&notified_by_value, receptions == before + 1 && received == value, "another value");
        vTaskSuspend(receiver);
        check(&notified_by_value, xTaskNotifyIndexed(receiver, 2, 0x11, eSetBits), "not notified");
        check(&notified_by_value, !xTaskNotifyIndexed(receiver, 2, 5, eSetValueWithoutOverwrite), "overwritten");
        check(&notified_by_value, xTaskNotifyAndQueryIndexed(receiver, 2, 0, eIncrement, &previous) && previous == 0x11, "another value before");
        check(&notified_by_value, receptions == before + 1, "received in suspension");
        vTaskResume(receiver);
        check(&notified_by_value, receptions == before + 2 && received == 0x12, "not received behind the suspension");
        notified_by_value.passes++;
        rest(9);
    }
}

static void begin_values(void)
{
    receiver = start(receive_value, "receive_value", 4, NULL);
    (void)start(send_value, "send_value", 2, NULL);
}

group_t notified_by_value = {.name = "notified_by_value", .begin = begin_values};

/* ---- a handler notifies: the task counts as many as the handler ----------------------------------------------------------------- */

static TaskHandle_t served;
static volatile uint32_t handler_gifts;

static void notify_in_handler(void)
{
    BaseType_t woken = pdFALSE;
    handler_gifts++;
    vTaskNotifyGiveFromISR(served, &woken);
    portYIELD_FROM_ISR(woken);
}

static void count_handler_gifts(void *parameters)
{
    uint32_t taken = 0;
    (void)parameters;
    for (;;) {
        const uint32_t got = ulTaskNotifyTake(pdTRUE, LONG_WAIT);
        check(&notified_by_handlers, got != 0, "not notified in time");
        taken += got;
        taskENTER_CRITICAL();
        const uint32_t left = ulTaskNotifyValueClear(NULL, 0);
        check(&notified_by_handlers, taken + left == handler_gifts, "not as many as were given");
        taskEXIT_CRITICAL();
        notified_by_handlers.passes++;
    }
}

static void begin_notified_by_handlers(void)
{
    served = start(count_handler_gifts, "served", 6, NULL);
    pulses(LINE_NOTIFY, notify_in_handler, 2000, 100000);
}

group_t notified_by_handlers = {.name = "notified_by_handlers", .begin = begin_notified_by_handlers};
