/* SPDX-License-Identifier: Apache-2.0 */
/* parcels.c: three senders take memory of many sizes, fill it, and give it to a receiver, which looks at every word and frees it: no message is copied.
 * The heap is full at times; then a sender waits for a tick. What must be refused is tried, too: to free what another task holds, what was freed, what
 * begins in the middle of an allocation or outside of the heap.
 * Needs a system with `components.dmmu`: sw-dmmu, hwrtos-dmmu, banked-2-dmmu, … */
#include <melanion/dmmu.h>
#include <melanion/melanion.h>

enum { SENDERS = 3, PARCELS = 12, STACK = 512 };
enum { RECEIVER = SENDERS, HOST }; /* tasks behind the senders */
enum { POST = 0, DONE = 0 };       /* the queue of parcels, and the semaphore of those that are through */
enum { HEAP = MEL_DMMU_BLOCKS * MEL_DMMU_BLOCK_BYTES };

MEL_TASK_STACK(stack_0, 0, STACK);
MEL_TASK_STACK(stack_1, 1, STACK);
MEL_TASK_STACK(stack_2, 2, STACK);
MEL_TASK_STACK(stack_receiver, RECEIVER, STACK);
MEL_TASK_STACK(stack_host, HOST, STACK);
static uint8_t *const stacks[] = {stack_0, stack_1, stack_2, stack_receiver, stack_host};

/* A parcel: its words behind the first two are its sender's mark. */
typedef struct {
    uint32_t words, mark;
    uint32_t content[];
} parcel_t;

static void must(bool holds, const char *what)
{
    if (!holds) {
        mel_print("parcels: ");
        mel_print(what);
        mel_print("\n");
        mel_exit(1);
    }
}

static void check(mel_status_t status)
{
    must(status == MEL_E_OK, "a kernel call failed");
}

static void sender(void *argument)
{
    const mel_id_t self = (mel_id_t)(uintptr_t)argument;
    uint32_t random = self + 1;
    for (uint32_t number = 0; number < PARCELS;) {
        random = random * 1664525 + 1013904223;
        const uint32_t words = 1 + (random >> 16) % (HEAP / 2 / sizeof(uint32_t));
        parcel_t *const parcel = mel_dmmu_alloc(sizeof(parcel_t) + words * sizeof(uint32_t));
        if (parcel == NULL) {
            check(mel_task_delay(1));
            continue;
        }
        *parcel = (parcel_t){.words = words, .mark = self << 16 | number};
        for (uint32_t i = 0; i < words; i++) {
            parcel->content[i] = parcel->mark;
        }
        must(mel_dmmu_free(parcel->content) == MEL_E_PAR, "what begins in the middle of a block was freed");
        must(mel_dmmu_give(parcel, MEL_DMMU_OWNERS) == MEL_E_ID, "a task that does not exist was given memory");
        check(mel_dmmu_give(parcel, RECEIVER));
        check(mel_queue_send(POST, (uint32_t)(uintptr_t)parcel, MEL_FOREVER));
        number++;
    }
    check(mel_task_sleep(MEL_FOREVER));
}

static void receiver(void *argument)
{
    (void)argument;
    for (uint32_t number = 0; number < SENDERS * PARCELS; number++) {
        uint32_t message = 0;
        check(mel_queue_receive(POST, MEL_FOREVER, &message));
        parcel_t *const parcel = (parcel_t *)(uintptr_t)message;
        for (uint32_t i = 0; i < parcel->words; i++) {
            must(parcel->content[i] == parcel->mark, "two parcels are in one place");
        }
        const bool long_one = sizeof *parcel + parcel->words * sizeof(uint32_t) > MEL_DMMU_BLOCK_BYTES;
        must(!long_one || mel_dmmu_free((uint8_t *)parcel + MEL_DMMU_BLOCK_BYTES) == MEL_E_ILUSE, "an inner block was freed");
        check(mel_dmmu_free(parcel));
    }
    check(mel_sem_give(DONE));
    check(mel_task_sleep(MEL_FOREVER));
}

static void host(void *argument)
{
    (void)argument;
    void *const whole = mel_dmmu_alloc(HEAP);
    must(whole != NULL && mel_dmmu_alloc(1) == NULL, "the whole heap is no allocation");
    check(mel_dmmu_give(whole, RECEIVER));
    must(mel_dmmu_free(whole) == MEL_E_ILUSE, "another task's memory was freed");
    must(mel_dmmu_command(MEL_DMMU_COMMAND_RELEASE, RECEIVER) == MEL_DMMU_ANSWER_DONE, "its owner cannot release it");
    must(mel_dmmu_free(whole) == MEL_E_ILUSE, "memory was freed twice");
    must(mel_dmmu_free((uint8_t *)whole + HEAP) == MEL_E_PAR, "memory outside of the heap was freed");
    must(mel_dmmu_alloc(0) == NULL && mel_dmmu_alloc(HEAP + 1) == NULL && mel_dmmu_alloc(SIZE_MAX) == NULL, "memory that there is not was allocated");
    for (mel_id_t i = 0; i <= RECEIVER; i++) {
        check(mel_task_start(i));
    }
    check(mel_sem_take(DONE, MEL_FOREVER));
    mel_dmmu_info_t info;
    mel_dmmu_query(&info);
    must(info.free == MEL_DMMU_BLOCKS && info.least == 0, "blocks are missing");
    must(info.failed > 1, "the heap was never full");
    mel_print("parcels: all have arrived\n");
    mel_exit(0);
}

static void create(mel_id_t task, mel_task_entry_t entry, mel_priority_t priority)
{
    check(mel_task_create(task, &(mel_task_attributes_t){.entry = entry,
                                                         .argument = (void *)(uintptr_t)task,
                                                         .stack = stacks[task],
                                                         .stack_size = STACK,
                                                         .priority = priority}));
}

int main(void)
{
    mel_dmmu_boot();
    check(mel_queue_create(POST, 8));
    check(mel_sem_create(DONE, 0, 1));
    for (mel_id_t i = 0; i < SENDERS; i++) {
        create(i, sender, 5);
    }
    create(RECEIVER, receiver, 6);
    create(HOST, host, 4);
    check(mel_task_start(HOST));
    mel_kernel_start();
}
