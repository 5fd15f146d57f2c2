/* SPDX-License-Identifier: Apache-2.0 */
/* hostile.c: a task in user mode does all that it can: loads and stores anywhere, calls with any number and arguments, jumps, instructions that it may not
 * execute, stack overflows, storms of calls, and gp, tp and sp that hold anything. It is ended and started again LIVES times.
 * A control task runs every PERIOD ticks, and counts when it comes late; an honest task in user mode, in a domain of its own, hands words to it and checks its
 * own memory. Exit code 0: nothing came late, no word was lost, and no word of the others' memory changed. */
#include <melanion/domain.h>
#include <melanion/melanion.h>
#include <melanion/user.h>

enum { TASK_CONTROL = 1, TASK_WARDEN, TASK_HONEST, TASK_HOSTILE };
enum { PRIORITY_CONTROL = 1, PRIORITY_WARDEN, PRIORITY_HONEST, PRIORITY_HOSTILE };
enum { SEM_WORK, SEM_KERNEL, SEM_HOSTILE };
enum { QUEUE_WORDS };
enum { PERIOD = 1, TICK = 5000, CANARY_WORDS = 256, REGION = 1024, DEEDS = 60 };
#define CANARY(i) (UINT32_C(0xC0DEF00D) ^ (i) * UINT32_C(2654435761))

MEL_TASK_STACK(stack_control, TASK_CONTROL, 1024);
MEL_TASK_STACK(stack_warden, TASK_WARDEN, 1024);
MEL_TASK_STACK(stack_honest, TASK_HONEST, 512);
MEL_TASK_STACK(stack_hostile, TASK_HOSTILE, 512);

/* The simulation ends a run whose sp leaves all stacks: here that is for the core to refuse. */
__attribute__((used)) static void any_stack(void)
{
    __asm__ volatile(".pushsection .mel_tracepoints,\"\",@progbits\n\t.balign 4\n\t.word 0\n\t.word %0\n\t.asciz \"4294967280 65532 0 0\"\n\t.popsection"
                     : : "i"(MEL_TRACEPOINT_STACK));
}

static uint32_t canary[CANARY_WORDS]; /* nobody writes it */
static volatile uint32_t late, rounds, lost, honest_faults;
static volatile bool over; /* the warden calculates, and the honest task waits for it */

MEL_REGION(honest_memory, REGION);
MEL_REGION(hostile_memory, REGION);
static mel_domain_t honest_domain, hostile_domain;

static uint32_t mixed(uint32_t word)
{
    word ^= word << 13;
    word ^= word >> 17;
    return word ^ word << 5;
}

/* --- user mode --------------------------------------------------------------------------------------------------- */

/* At the beginning of the region; its end is the stack. */
typedef struct {
    uint32_t sent;
    uint32_t words[32];
} honest_t;

static void honest(void *argument)
{
    honest_t *mine = argument;
    for (;;) {
        if (mel_user_sem_take(SEM_WORK, MEL_FOREVER) != MEL_E_OK) {
            *(volatile uint32_t *)0 = 0; /* a fault that is counted */
        }
        const uint32_t at = mine->sent % 32;
        if (mine->sent >= 32 && mine->words[at] != mixed(mine->sent - 31)) {
            *(volatile uint32_t *)0 = 0;
        }
        mine->sent++;
        mine->words[at] = mixed(mine->sent);
        (void)mel_user_queue_send(QUEUE_WORDS, mine->words[at], MEL_FOREVER);
    }
}

static uint32_t overflow(uint32_t depth)
{
    volatile uint32_t frame[16];
    frame[depth % 16] = depth;
    return overflow(depth + 1) + frame[0];
}

static __attribute__((noinline)) void wild_registers(uint32_t value, uint32_t number)
{
    /* gp, tp and sp are kept by no one here. */
    __asm__ volatile("mv s2, sp\n mv s3, gp\n mv s4, tp\n mv sp, %0\n mv gp, %0\n mv tp, %0\n mv a7, %1\n ecall\n mv sp, s2\n mv gp, s3\n mv tp, s4"
                     : : "r"(value), "r"(number)
                     : "s2", "s3", "s4", "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "memory");
}

static void act(uint32_t deed, uint32_t word)
{
    switch (deed) {
    case 0: *(volatile uint32_t *)(uintptr_t)(word & ~3u) = word; break;
    case 1: *(volatile uint32_t *)(uintptr_t)(MEL_MEMORY_BASE + (word & 0x3FFFC)) = word; break;
    case 2: *(volatile uint32_t *)(uintptr_t)(word << 11 >> 31 ? MEL_IO_BASE + (word & 0x7FC) : MEL_IRQGEN_BASE + (word & 0xFC)) = word; break;
    case 3: (void)*(volatile uint32_t *)(uintptr_t)word; break;
    case 4: ((void (*)(void))(uintptr_t)(word & ~1u))(); break;
    case 5: (void)overflow(0); break;
    case 6: __asm__ volatile("csrw mstatus, %0" : : "r"(word)); break;
    case 7: __asm__ volatile("mret"); break;
    case 8: __asm__ volatile("csrw pmpcfg0, zero"); break;
#ifdef MEL_UNIT_BASE
    case 9: *(volatile uint32_t *)(uintptr_t)(MEL_UNIT_BASE + (word & 0xFFFC)) = word; break;
#endif
    case 11: *(volatile uint32_t *)((uintptr_t)mel_sem_give & ~(uintptr_t)3) = word; break;
    case 10: wild_registers(word, word % (MEL_USER_CALLS + 3)); break;
    default:
        for (uint32_t i = 0; i < 20; i++) {
            word = mixed(word);
            const uint32_t number = word % (MEL_USER_CALLS + 3);
            if (number != MEL_USER_EXIT && number != MEL_USER_SLEEP && number != MEL_USER_DELAY && number != MEL_USER_NOTIFICATION_TAKE) {
                (void)mel_user_ask(number, word >> 8 & 0x1FF, word, word >> 4, word & 3);
            }
        }
    }
}

static void hostile(void *argument)
{
    uint32_t *seed = argument;
    for (uint32_t i = 0; i < DEEDS; i++) {
        *seed = mixed(*seed);
        act(*seed >> 8 & 15, mixed(*seed + 1));
    }
}

static const mel_user_t honest_user = {&honest_domain, honest, honest_memory, honest_memory + REGION / 2, REGION / 2};
static const mel_user_t hostile_user = {&hostile_domain, hostile, hostile_memory, hostile_memory + REGION / 2, REGION / 2};

/* --- the kernel's side ------------------------------------------------------------------------------------------- */

void mel_user_fault_hook(mel_id_t task, uint32_t cause, uint32_t pc, uint32_t address)
{
    (void)cause;
    (void)pc;
    (void)address;
    honest_faults += task != TASK_HOSTILE;
}

static void control(void *unused)
{
    (void)unused;
    uint64_t now;
    (void)mel_time_get(&now);
    uint32_t expected = (uint32_t)now, sent = 0;
    for (;;) {
        expected += PERIOD;
        const mel_status_t status = mel_task_delay_until(expected);
        (void)mel_time_get(&now);
        if (over) {
            continue;
        }
        late += status != MEL_E_OK || (uint32_t)now != expected;
        rounds++;
        uint32_t word;
        (void)mel_sem_give(SEM_WORK);
        if (sent != 0) { /* that of the round before */
            lost += mel_queue_receive(QUEUE_WORDS, MEL_POLL, &word) != MEL_E_OK || word != mixed(sent);
        }
        sent++;
    }
}

static void warden(void *unused)
{
    (void)unused;
    uint32_t seed = SEED;
    for (uint32_t life = 0; life < LIVES; life++) {
        mel_task_info_t info;
        (void)mel_task_query(TASK_HOSTILE, &info);
        if (info.state != MEL_TASK_STATE_DORMANT) { /* it waits for something, or calculates */
            (void)mel_task_delay(2);
            (void)mel_task_terminate(TASK_HOSTILE);
        }
        seed = mixed(seed + life);
        *(uint32_t *)(void *)hostile_memory = seed;
        (void)mel_task_start(TASK_HOSTILE);
        (void)mel_task_delay(1);
    }
    over = true;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < CANARY_WORDS; i++) {
        changed += canary[i] != CANARY(i);
    }
    mel_print("hostile: ");
    mel_print_unsigned(LIVES);
    mel_print(" lives, ");
    mel_print_unsigned(hostile_domain.faults);
    mel_print(" faults, ");
    mel_print_unsigned(hostile_domain.refused);
    mel_print(" refused calls; control: ");
    mel_print_unsigned(rounds);
    mel_print(" rounds, ");
    mel_print_unsigned(late);
    mel_print(" late, ");
    mel_print_unsigned(lost);
    mel_print(" lost; changed: ");
    mel_print_unsigned(changed);
    mel_print("; honest: ");
    mel_print_unsigned(honest_faults);
    mel_print(" faults\n");
    mel_exit(late != 0 || lost != 0 || changed != 0 || honest_faults != 0 || rounds < LIVES || hostile_domain.faults == 0 ||
             hostile_domain.refused == 0);
}

static void make(mel_id_t task, mel_task_entry_t entry, void *stack, uint32_t size, mel_priority_t priority, const mel_user_t *user)
{
    const mel_task_attributes_t attributes = {.entry = entry, .stack = stack, .stack_size = size, .priority = priority};
    const mel_status_t status = user ? mel_task_create_user(task, &attributes, user) : mel_task_create(task, &attributes);
    if (status != MEL_E_OK || mel_task_start(task) != MEL_E_OK) {
        mel_exit(2);
    }
}

int main(void)
{
    for (uint32_t i = 0; i < CANARY_WORDS; i++) {
        canary[i] = CANARY(i);
    }
    (void)mel_tick_set(TICK);
    (void)mel_sem_create(SEM_WORK, 0, 100);
    (void)mel_sem_create(SEM_KERNEL, 0, 100);
    (void)mel_sem_create(SEM_HOSTILE, 5, 100);
    (void)mel_queue_create(QUEUE_WORDS, 4);
    mel_domain_init(&honest_domain);
    mel_domain_init(&hostile_domain);
    (void)mel_domain_region(&honest_domain, 0, honest_memory, REGION, MEL_REGION_READ | MEL_REGION_WRITE);
    (void)mel_domain_region(&hostile_domain, 0, hostile_memory, REGION, MEL_REGION_READ | MEL_REGION_WRITE);
    (void)mel_domain_grant(&honest_domain, MEL_GRANT_SEMAPHORE, SEM_WORK);
    (void)mel_domain_grant(&honest_domain, MEL_GRANT_QUEUE, QUEUE_WORDS);
    (void)mel_domain_grant(&hostile_domain, MEL_GRANT_SEMAPHORE, SEM_HOSTILE);
    make(TASK_CONTROL, control, stack_control, sizeof stack_control, PRIORITY_CONTROL, NULL);
    make(TASK_WARDEN, warden, stack_warden, sizeof stack_warden, PRIORITY_WARDEN, NULL);
    make(TASK_HONEST, NULL, stack_honest, sizeof stack_honest, PRIORITY_HONEST, &honest_user);
    make(TASK_HOSTILE, NULL, stack_hostile, sizeof stack_hostile, PRIORITY_HOSTILE, &hostile_user);
    mel_kernel_start();
}
