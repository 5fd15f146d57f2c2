# SPDX-License-Identifier: Apache-2.0
"""Libraries of others, written for FreeRTOS, as they are. Cargo fetches them, nobody copies or
changes them; a program here calls each, and prints the same on each kernel.

shim.c of the crate that holds the kernel `freertos` is the C half of its interface for Rust.
wolfCrypt, of wolfSSL, locks and allocates with FreeRTOS's calls (its macro FREERTOS).
"""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import pytest

from melanion import build, config
from melanion.build import App, freertos
from melanion.run import run_program
from tests.common.fetched import crate, digest, needs_cargo

SOURCE = Path("src", "freertos", "shim.c")
DIGEST = "985ca0286852c988bacce28833d9d00e71c4e2f5c698d439e3f266fabaf19b1b"
CONFIG = """#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES 5
#define configMAX_TASK_NAME_LEN 16
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 4
#define configTIMER_QUEUE_LENGTH 4
#define configTIMER_TASK_STACK_DEPTH 256
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskDelay 1
"""
# Declarations as the crate's src/shim.rs has them.
MAIN = """#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include "timers.h"
#include <stdio.h>
#include <stdlib.h>
uint8_t freertos_rs_spawn_task(TaskFunction_t, void *, const char *, uint8_t, uint16_t, UBaseType_t,
                               TaskHandle_t *);
void freertos_rs_vTaskStartScheduler(void);
void freertos_rs_vTaskDelay(TickType_t);
void freertos_rs_delete_task(TaskHandle_t);
TickType_t freertos_rs_max_wait(void);
QueueHandle_t freertos_rs_queue_create(UBaseType_t, UBaseType_t);
UBaseType_t freertos_rs_queue_send(QueueHandle_t, void *, TickType_t);
UBaseType_t freertos_rs_queue_receive(QueueHandle_t, void *, TickType_t);
UBaseType_t freertos_rs_queue_messages_waiting(QueueHandle_t);
SemaphoreHandle_t freertos_rs_create_mutex(void);
SemaphoreHandle_t freertos_rs_create_counting_semaphore(UBaseType_t, UBaseType_t);
UBaseType_t freertos_rs_take_semaphore(SemaphoreHandle_t, UBaseType_t);
UBaseType_t freertos_rs_give_semaphore(SemaphoreHandle_t);
void freertos_rs_delete_semaphore(SemaphoreHandle_t);
BaseType_t freertos_rs_task_notify(void *, uint32_t, uint8_t);
BaseType_t freertos_rs_task_notify_wait(uint32_t, uint32_t, uint32_t *, TickType_t);
TimerHandle_t freertos_rs_timer_create(const char *, uint8_t, TickType_t, uint8_t, void *,
                                       TimerCallbackFunction_t);
BaseType_t freertos_rs_timer_start(TimerHandle_t, TickType_t);
void *freertos_rs_timer_get_id(TimerHandle_t);
EventGroupHandle_t freertos_rs_event_group_create(void);
EventBits_t freertos_rs_event_group_set_bits(EventGroupHandle_t, EventBits_t);
EventBits_t freertos_rs_event_group_wait_bits(EventGroupHandle_t, EventBits_t, BaseType_t,
                                              BaseType_t, TickType_t);
void freertos_rs_enter_critical(void);
void freertos_rs_exit_critical(void);
char *freertos_rs_task_get_name(TaskHandle_t);

static QueueHandle_t queue;
static SemaphoreHandle_t mutex, units;
static EventGroupHandle_t group;
static TaskHandle_t consumer;
static unsigned shared, periods;

static void each_period(TimerHandle_t timer)
{
    periods += *(unsigned *)freertos_rs_timer_get_id(timer);
    (void)freertos_rs_event_group_set_bits(group, periods == 6 ? 1 : 0);
}
static void produce(void *number)
{
    for (uint32_t item = 0; item < 20; item++) {
        uint32_t value = 100 * *(uint32_t *)number + item;
        (void)freertos_rs_queue_send(queue, &value, freertos_rs_max_wait());
        (void)freertos_rs_take_semaphore(mutex, freertos_rs_max_wait());
        const unsigned before = shared;
        if (item % 5 == 0) {
            freertos_rs_vTaskDelay(1);
        }
        shared = before + 1;
        (void)freertos_rs_give_semaphore(mutex);
    }
    (void)freertos_rs_give_semaphore(units);
    freertos_rs_delete_task(NULL);
}
static void consume(void *unused)
{
    (void)unused;
    uint32_t sum = 0, item = 0, bits = 0;
    for (int i = 0; i < 60; i++) {
        (void)freertos_rs_queue_receive(queue, &item, freertos_rs_max_wait());
        sum += item;
    }
    unsigned ended = 0;
    while (ended < 3 && freertos_rs_take_semaphore(units, freertos_rs_max_wait()) == 0) {
        ended++;
    }
    printf("sum %lu, shared %u, ended %u, left %lu\\n", (unsigned long)sum, shared, ended,
           (unsigned long)freertos_rs_queue_messages_waiting(queue));
    printf("empty queue %lu\\n", (unsigned long)freertos_rs_queue_receive(queue, &item, 2));
    printf("bits %lu\\n", (unsigned long)freertos_rs_event_group_wait_bits(
                              group, 1, pdTRUE, pdTRUE, freertos_rs_max_wait()));
    printf("periods %u\\n", periods);
    (void)freertos_rs_task_notify(consumer, 5, 1);
    (void)freertos_rs_task_notify(consumer, 2, 1);
    const long waited = (long)freertos_rs_task_notify_wait(0, 7, &bits, 0);
    printf("notified %ld %lu\\n", waited, (unsigned long)bits);
    freertos_rs_delete_semaphore(mutex);
    freertos_rs_enter_critical();
    shared++;
    freertos_rs_exit_critical();
    printf("%s %u\\n", freertos_rs_task_get_name(consumer), shared);
    exit(0);
}
int main(void)
{
    static uint32_t numbers[] = {1, 2, 3};
    static unsigned step = 2;
    queue = freertos_rs_queue_create(3, sizeof(uint32_t));
    mutex = freertos_rs_create_mutex();
    units = freertos_rs_create_counting_semaphore(3, 0);
    group = freertos_rs_event_group_create();
    (void)freertos_rs_timer_start(
        freertos_rs_timer_create("period", 6, 30, 1, &step, each_period), 0);
    for (int i = 0; i < 3; i++) {
        (void)freertos_rs_spawn_task(produce, &numbers[i], "producer", 8, 256, 1 + i % 2, NULL);
    }
    (void)freertos_rs_spawn_task(consume, NULL, "consumer of items", 17, 512, 2, &consumer);
    freertos_rs_vTaskStartScheduler();
}
"""
PRINTED = """sum 12570, shared 60, ended 3, left 0
empty queue 1
bits 1
periods 6
notified 0 7
consumer of ite 61
"""


def library(folder: Path) -> Path:
    """Return the library's source, where cargo keeps it."""
    source = crate(freertos.CRATE, freertos.CRATE_VERSION, folder / "cargo") / SOURCE
    assert digest([source]) == DIGEST
    return source


def program(folder: Path, source: Path, main: str = MAIN) -> App:
    (folder / "FreeRTOSConfig.h").write_text(CONFIG)
    (folder / "main.c").write_text(main)
    (folder / "sources.list").write_text(f"main.c\n{source}\n")
    return build.freertos_application(folder, folder / "sources.list")


SOAK = pytest.mark.soak
KERNELS = ("sw", "hwrtos", "freertos", *(pytest.param(k, marks=SOAK) for k in ("port", "banked")))


@needs_cargo
@pytest.mark.parametrize("kernel", KERNELS)
def test_library_of_others_runs_as_it_is(kernel: str, tmp_path: Path) -> None:
    app = program(tmp_path, library(tmp_path))
    assert run_program(config.find(kernel), app).console == PRINTED


@needs_cargo
def test_what_it_prints_depends_on_the_library(tmp_path: Path) -> None:
    """Control: with a mutex that excludes nobody, updates are lost."""
    text = library(tmp_path).read_text(encoding="utf-8")
    wrong = text.replace(
        "return xSemaphoreCreateMutex();", "return xSemaphoreCreateCounting(9, 9);"
    )
    assert wrong != text
    (tmp_path / "shim.c").write_text(wrong)
    app = program(tmp_path, tmp_path / "shim.c")
    console = run_program(config.find("sw"), app).console
    assert console.startswith("sum 12570, shared ") and console != PRINTED


# ---- wolfCrypt -----------------------------------------------------------------------------------

CRYPTO, CRYPTO_VERSION = "wolfssl-sys", "5.3.0"  # wolfSSL 5.9.4, 134 MB of files
CRYPTO_DIGEST = "4fec4f43ab3bfb26d0d89f8aaa216c8bc81755af3ccbd903a1773c86781fbfd5"
CRYPTO_SOURCES = "aes error hash hmac logging memory misc sha256 wc_port"
# As the library's manual asks for: what it has, and that its system is FreeRTOS.
CRYPTO_SETTINGS = """#define FREERTOS
#define WOLFCRYPT_ONLY
#define NO_FILESYSTEM
#define NO_WRITEV
#define NO_MAIN_DRIVER
#define NO_RSA
#define NO_DH
#define NO_DSA
#define NO_RC4
#define NO_MD4
#define NO_MD5
#define NO_SHA
#define NO_DES3
#define NO_ASN
#define NO_CERTS
#define NO_PWDBASED
#define NO_SIG_WRAPPER
#define NO_ASN_TIME
#define WOLFSSL_USER_CURRTIME
#define WC_NO_RNG
#define HAVE_AESGCM
#define GCM_SMALL
#define WOLFSSL_AES_DIRECT
#define WOLFSSL_GENERAL_ALIGNMENT 4
#define SIZEOF_LONG_LONG 8
#define WOLFSSL_NO_ATOMICS
"""
CRYPTO_MAIN = r"""#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/hmac.h>
#include <wolfssl/wolfcrypt/wc_port.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static wolfSSL_Mutex mutex;
static Sha256 *shared;
static SemaphoreHandle_t ended;
static unsigned inside, overlaps;
static void work(void *text)
{
    for (int i = 0; i < 8; i++) {
        (void)wc_LockMutex(&mutex);
        overlaps += inside++ != 0;
        (void)wc_Sha256Update(shared, (const byte *)"block of 16 byte", 16);
        vTaskDelay(1);
        inside--;
        (void)wc_UnLockMutex(&mutex);
    }
    byte digest[32];
    Hmac hmac;
    (void)wc_HmacInit(&hmac, NULL, INVALID_DEVID);
    (void)wc_HmacSetKey(&hmac, WC_SHA256, (const byte *)"key", 3);
    (void)wc_HmacUpdate(&hmac, text, strlen(text));
    (void)wc_HmacFinal(&hmac, digest);
    (void)wc_LockMutex(&mutex);
    printf("%s %02x%02x%02x%02x\n", (char *)text, digest[0], digest[1], digest[2], digest[3]);
    (void)wc_UnLockMutex(&mutex);
    (void)xSemaphoreGive(ended);
    vTaskDelete(NULL);
}
static void all(void *unused)
{
    (void)unused;
    byte digest[32];
    for (int i = 0; i < 2; i++) (void)xSemaphoreTake(ended, portMAX_DELAY);
    (void)wc_Sha256Final(shared, digest);
    printf("sha256 %02x%02x%02x%02x, overlaps %u\n", digest[0], digest[1], digest[2], digest[3],
           overlaps);
    XFREE(shared, NULL, DYNAMIC_TYPE_TMP_BUFFER);
    (void)wc_FreeMutex(&mutex);
    exit(wolfCrypt_Cleanup());
}
int main(void)
{
    if (wolfCrypt_Init() != 0 || wc_InitMutex(&mutex) != 0) abort();
    shared = XMALLOC(sizeof *shared, NULL, DYNAMIC_TYPE_TMP_BUFFER);
    (void)wc_InitSha256(shared);
    ended = xSemaphoreCreateCounting(2, 0);
    xTaskCreate(work, "one", 1024, "one", 1, NULL);
    xTaskCreate(work, "two", 1024, "two", 2, NULL);
    xTaskCreate(all, "all", 1024, NULL, 1, NULL);
    vTaskStartScheduler();
}
"""


def crypto(folder: Path, main: str = CRYPTO_MAIN) -> App:
    """The library's sources by name and its folder by -I, in a list."""
    found = crate(CRYPTO, CRYPTO_VERSION, folder / "cargo") / "wolfssl-src"
    sources = [found / "wolfcrypt" / "src" / f"{name}.c" for name in CRYPTO_SOURCES.split()]
    assert digest(sources) == CRYPTO_DIGEST
    (folder / "FreeRTOSConfig.h").write_text(f"{CONFIG}#define configTOTAL_HEAP_SIZE 65536\n")
    (folder / "user_settings.h").write_text(CRYPTO_SETTINGS)
    (folder / "main.c").write_text(main)
    lines = ["main.c", *map(str, sources), f"-I{found}", "-DWOLFSSL_USER_SETTINGS"]
    (folder / "sources.list").write_text("\n".join(lines))
    return build.freertos_application(folder, folder / "sources.list")


def expected(rounds: int) -> str:
    """Results of Python's own implementation."""
    lines = [
        f"{text} {hmac.new(b'key', text.encode(), 'sha256').hexdigest()[:8]}\n"
        for text in ("two", "one")
    ]
    whole = hashlib.sha256(b"block of 16 byte" * 2 * rounds).hexdigest()
    return f"{''.join(lines)}sha256 {whole[:8]}, overlaps 0\n"


@SOAK
@needs_cargo
@pytest.mark.parametrize("kernel", ["sw", "hwrtos", "port", "banked", "freertos"])
def test_wolfcrypt_runs_as_it_is(kernel: str, tmp_path: Path) -> None:
    assert run_program(config.find(kernel), crypto(tmp_path)).console == expected(rounds=8)


@SOAK
@needs_cargo
def test_tasks_overlap_without_the_mutex_of_wolfcrypt(tmp_path: Path) -> None:
    """Control: tasks that do not lock are seen, and so is a hash of other data."""
    app = crypto(tmp_path, CRYPTO_MAIN.replace("(void)wc_LockMutex(&mutex);\n        ov", "ov"))
    console = run_program(config.find("sw"), app).console
    assert "overlaps 0" not in console
    assert expected(rounds=7) != expected(rounds=8)
