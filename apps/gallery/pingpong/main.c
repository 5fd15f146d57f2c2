/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: two tasks of one priority give the turn to each other by two semaphores: each round is four calls and two switches. */
#include "../common/gallery.h"

MEL_REGION(0, "round", 0);

volatile uint32_t turn_work = 10;
static SemaphoreHandle_t ping_turn, pong_turn;

static void ping(void *unused)
{
    (void)unused;
    for (;;) {
        MEL_REGION_BEGIN(0);
        (void)xSemaphoreGive(pong_turn);
        (void)xSemaphoreTake(ping_turn, portMAX_DELAY);
        MEL_REGION_END(0);
        work(turn_work);
    }
}

static void pong(void *unused)
{
    (void)unused;
    for (;;) {
        (void)xSemaphoreTake(pong_turn, portMAX_DELAY);
        work(turn_work);
        (void)xSemaphoreGive(ping_turn);
    }
}

int main(void)
{
    ping_turn = xSemaphoreCreateBinary();
    pong_turn = xSemaphoreCreateBinary();
    (void)make(ping, "ping", 0, 3);
    (void)make(pong, "pong", 0, 3);
    vTaskStartScheduler();
    return 1;
}
