/* SPDX-License-Identifier: Apache-2.0 */
/* isolation.c: statuses of the calls of melanion/domain.h; then a task in user mode tries each call of melanion/user.h, prints nothing itself, and ends by a fault.
 * What it holds then is handed on. */
#include <melanion/domain.h>
#include <melanion/melanion.h>
#include <melanion/user.h>

enum { TASK_MAIN = 1, TASK_USER, TASK_HEIR, SEM, SEM_OTHER, MUTEX = 0, FLAGS = 0, QUEUE = 0, REGION = 1024 };

MEL_TASK_STACK(stack_main, TASK_MAIN, 1024);
MEL_TASK_STACK(stack_user, TASK_USER, 512);
MEL_TASK_STACK(stack_heir, TASK_HEIR, 512);
MEL_REGION(memory, REGION);
MEL_STACK_RECORD(memory, TASK_USER, REGION);
static const uint8_t constant[16] __attribute__((aligned(16)));
static mel_domain_t domain;

static void say(const char *what, int32_t value)
{
    mel_print(what);
    mel_print(" ");
    mel_print_signed(value);
    mel_print("\n");
}

enum { RESULTS = 24 };

static void use(void *argument)
{
    int32_t *found = argument;
    uint32_t value = 0;
    *found++ = mel_user_sem_take(SEM, MEL_POLL);
    *found++ = mel_user_sem_give(SEM);
    *found++ = mel_user_sem_take(SEM, 1);
    *found++ = mel_user_sem_give(SEM_OTHER);
    *found++ = mel_user_sem_give(1000);
    *found++ = mel_user_flags_set(FLAGS, 5);
    *found++ = mel_user_flags_wait(FLAGS, 4, MEL_FLAGS_ANY, MEL_POLL, &value);
    *found++ = (int32_t)value;
    *found++ = mel_user_flags_clear(FLAGS, 1);
    *found++ = mel_user_queue_send(QUEUE, 77, MEL_POLL);
    *found++ = mel_user_queue_receive(QUEUE, MEL_POLL, &value);
    *found++ = (int32_t)value;
    *found++ = mel_user_queue_receive(QUEUE, MEL_POLL, &value);
    *found++ = mel_user_task_wakeup(TASK_USER);
    *found++ = mel_user_task_sleep(MEL_POLL);
    *found++ = mel_user_task_wakeup(TASK_MAIN);
    *found++ = mel_user_notification_send(TASK_USER, 9);
    *found++ = mel_user_notification_take(MEL_POLL, &value);
    *found++ = mel_user_task_delay(1);
    *found++ = mel_user_task_yield();
    *found++ = mel_user_ask(MEL_USER_CALLS, 0, 0, 0, 0).status;
    *found++ = (int32_t)mel_user_time() >= 1;
    *found++ = mel_user_mutex_lock(MUTEX, MEL_FOREVER);
    (void)mel_user_task_delay(1); /* the heir waits for it now */
    *(volatile uint32_t *)(uintptr_t)&domain = 0;
}

static void inherit(void *unused)
{
    (void)unused;
    (void)mel_task_delay(1);
    say("heir", mel_mutex_lock(MUTEX, MEL_FOREVER));
    (void)mel_mutex_unlock(MUTEX);
}

void mel_user_fault_hook(mel_id_t task, uint32_t cause, uint32_t pc, uint32_t address)
{
    say("fault of task", (int32_t)task);
    say("cause", (int32_t)cause);
    say("here", pc >= (uintptr_t)use && pc < (uintptr_t)use + 2048 && address == (uintptr_t)&domain);
}

static const mel_user_t user = {&domain, use, memory, memory + REGION / 2, REGION / 2};

static void lead(void *unused)
{
    (void)unused;
    const mel_task_attributes_t attributes = {.stack = stack_user, .stack_size = sizeof stack_user, .priority = 2, .name = "user"};
    mel_domain_init(&domain);
    say("outside", mel_task_create_user(TASK_USER, &attributes, &user));
    say("size", mel_domain_region(&domain, 0, memory, 48, MEL_REGION_READ));
    say("place", mel_domain_region(&domain, 0, memory + 16, 32, MEL_REGION_READ));
    say("index", mel_domain_region(&domain, 3, memory, REGION, MEL_REGION_READ));
    say("access", mel_domain_region(&domain, 0, memory, REGION, 4));
    say("constant", mel_domain_region(&domain, 1, constant, 16, MEL_REGION_READ));
    say("read only", mel_domain_region(&domain, 0, memory, REGION, MEL_REGION_READ));
    say("unwritable", mel_task_create_user(TASK_USER, &attributes, &user));
    say("region", mel_domain_region(&domain, 0, memory, REGION, MEL_REGION_READ | MEL_REGION_WRITE));
    say("half", mel_domain_region(&domain, 2, memory, REGION / 2, MEL_REGION_READ | MEL_REGION_WRITE));
    mel_user_t beyond = user;
    beyond.stack_size = REGION;
    say("beyond", mel_task_create_user(TASK_USER, &attributes, &beyond));
    say("kind", mel_domain_grant(&domain, MEL_GRANT_KINDS, 0));
    say("id", mel_domain_grant(&domain, MEL_GRANT_TASK, 256));
    (void)mel_domain_grant(&domain, MEL_GRANT_SEMAPHORE, SEM);
    (void)mel_domain_grant(&domain, MEL_GRANT_EVENT_FLAGS, FLAGS);
    (void)mel_domain_grant(&domain, MEL_GRANT_QUEUE, QUEUE);
    (void)mel_domain_grant(&domain, MEL_GRANT_MUTEX, MUTEX);
    say("create", mel_task_create_user(TASK_USER, &attributes, &user));
    (void)mel_task_start(TASK_USER);
    (void)mel_task_delay(20);
    for (uint32_t i = 0; i < RESULTS - 1; i++) {
        mel_print_signed(((int32_t *)(void *)memory)[i]);
        mel_print(i + 2 < RESULTS ? " " : "\n");
    }
    say("refused", (int32_t)domain.refused);
    say("faults", (int32_t)domain.faults);
    mel_task_info_t info;
    (void)mel_task_query(TASK_USER, &info);
    say("dormant", info.state == MEL_TASK_STATE_DORMANT);
    mel_exit(0);
}

int main(void)
{
    (void)mel_tick_set(10000);
    (void)mel_sem_create(SEM, 0, 9);
    (void)mel_sem_create(SEM_OTHER, 0, 9);
    (void)mel_flags_create(FLAGS, 0);
    (void)mel_queue_create(QUEUE, 2);
    (void)mel_mutex_create(MUTEX, MEL_NO_CEILING);
    const mel_task_attributes_t main_task = {.entry = lead, .stack = stack_main, .stack_size = sizeof stack_main, .priority = 1};
    const mel_task_attributes_t heir = {.entry = inherit, .stack = stack_heir, .stack_size = sizeof stack_heir, .priority = 3};
    (void)mel_task_create(TASK_MAIN, &main_task);
    (void)mel_task_create(TASK_HEIR, &heir);
    (void)mel_task_start(TASK_MAIN);
    (void)mel_task_start(TASK_HEIR);
    mel_kernel_start();
}
