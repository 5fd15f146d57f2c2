/* SPDX-License-Identifier: Apache-2.0 */
/* booster.h: objects in C on a unit that keeps tasks and time (implementation `booster` of the interface `objects`, decision 0022).
 *
 * A task that waits for an object stands in its wait list, and waits in the unit as one that delays itself: task_delay(timeout). Who ends the
 * wait takes it out of the list and asks task_release. Both stand in one section. The unit alone decides whether the timeout, a release, a
 * termination or the hand-over came first: a task that it no longer finds waiting refuses the hand-over (E_OBJ), and the next one is tried. Such
 * a task stays in the list until it runs again, or somebody tries it: a list holds every task that waits, and perhaps some that no longer do.
 *
 * What the replay needs (melanion/model/lower.py) costs no instruction: MEL_BY_UNIT_… names the kernel call that the next command of this core in the
 * section performs, if the unit accepts it; a call without a command is reported at the instruction that loads its status. */
#ifndef MEL_BOOSTER_BOOSTER_H
#define MEL_BOOSTER_BOOSTER_H

#include "common/link.h"
#include "unit/unit.h"

/* Why a task may not make a call that can block: bits of mel_task_t.held. */
#define MEL_HELD_DISPATCH 1u  /* it has disabled dispatch */
#define MEL_HELD_SUSPENDED 2u /* another core has suspended it, and it still runs */
#define MEL_HELD_IDLE 4u      /* it is no task */

/* Outcome of a wait that has not ended, or that the unit alone has ended; else it is a status. */
#define MEL_OUTCOME_NONE 1

/* State of a task kept in C. */
typedef struct {
    mel_link_t queue; /* among the waiting tasks of equal priority */
    mel_link_t group; /* wait list: the first task of a priority stands for it */
    mel_link_t *list; /* the wait list in which it stands; NULL: in none */
    uint32_t pattern; /* the flags that it waits for */
    uint32_t word;    /* the message that it waits to send; or what its wait brought */
    int8_t outcome;   /* a status, or MEL_OUTCOME_NONE */
    uint8_t mode;     /* MEL_FLAGS_… of a wait for flags */
    uint8_t priority; /* the current one */
    uint8_t initial_priority;
    uint8_t held;     /* MEL_HELD_… */
} mel_task_t;

#include "software/wait_queue/wait_queue.h"

/* The last one is idle's, of every core. */
extern mel_task_t mel_objects_tasks[MEL_TASKS + 1];

mel_status_t mel_objects_call_task(uint32_t op, mel_id_t task, uint32_t argument);
mel_status_t mel_objects_call(uint32_t op);
void mel_objects_asked(uint32_t op, mel_id_t task, uint32_t argument);

/* ---- what is reported ------------------------------------------------------------------------------------------------------- */

/* Instead of a status: */
#define MEL_BY_UNIT_HANDS_OVER 0x100 /* E_OK, or, when the unit refuses, nothing has happened yet */
#define MEL_BY_UNIT_DOES 0x101       /* that of the unit */
#define MEL_BY_UNIT_WAITS 0x102      /* the caller waits, or that of the unit */
#define MEL_IRQ_OF_C 0x8000          /* in field a of an interrupt that C serves */
#define MEL_OPERAND_OF_C 1         /* field a of an operand that the unit does not see */
#define MEL_REPORTED_OP(op) ((op) | MEL_CONTEXT_UNKNOWN << 8)

#define MEL_REPORT_OPERANDS(kind, a, b, c, d)                                                                \
    [pk] "i"(kind), [pa] "ri"((uint32_t)(a)), [pb] "ri"((uint32_t)(b)), [pc] "ri"((uint32_t)(c)), [pd] "ri"((uint32_t)(d))

/* The command `op` of the unit on object `id`, which stands for a kernel call (or one release of it) and is reported as that, at the instruction
 * that begins its address. An int32_t: the answer. */
#define MEL_ASK_AS(kind, a, b, c, d, op, id, argument)                                                       \
    ({                                                                                                       \
        uint32_t upper_;                                                                                     \
        __asm__ volatile("880: lui %[upper_], %%hi(%[word_])\n\t" MEL_TRACEPOINT_TEXT("%[pk]")                   \
                         : [upper_] "=r"(upper_)                                                             \
                         : [word_] "i"(MEL_UNIT_BASE + MEL_COMMAND_OFFSET(op, 0)), MEL_REPORT_OPERANDS(kind, a, b, c, d) \
                         : "memory");                                                                        \
        volatile uint32_t *address_ = (volatile uint32_t *)(upper_ + (id)*4 +                                \
            (MEL_UNIT_BASE + MEL_COMMAND_OFFSET(op, 0) - ((MEL_UNIT_BASE + MEL_COMMAND_OFFSET(op, 0) + 0x800) & ~UINT32_C(0xFFF)))); \
        *address_ = (argument);                                                                              \
        (int32_t)*address_;                                                                                  \
    })

/* The status (a constant) of what needed no command, or was refused. */
#define MEL_REPORT_AS(kind, a, b, c, status)                                                                 \
    ({                                                                                                       \
        int32_t status_;                                                                                     \
        __asm__ volatile("880: li %[status_], %[value_]\n\t" MEL_TRACEPOINT_TEXT("%[pk]")                        \
                         : [status_] "=r"(status_)                                                           \
                         : [value_] "i"(status), MEL_REPORT_OPERANDS(kind, a, b, c, status)                  \
                         : "memory");                                                                        \
        status_;                                                                                             \
    })

/* The status (a constant) of a call that needed no command, or was refused. */
#define MEL_REPORT(op, id, argument, status) MEL_REPORT_AS(MEL_TRACE_COMMAND, MEL_REPORTED_OP(op), id, argument, status)

#define MEL_REFUSE_WHEN(condition, op, id, argument, status)          \
    do {                                                              \
        if (condition) {                                              \
            return MEL_REPORT(op, id, argument, status);              \
        }                                                             \
    } while (0)

/* ---- sections ---------------------------------------------------------------------------------------------------------------- */

/* mel_unit_lock of a call with an operand. */
static inline uint32_t mel_objects_lock_operand(uint32_t operand)
{
    uint32_t key;
    __asm__ volatile("880: csrrci %[key_], mstatus, 8\n\t" MEL_TRACEPOINT_TEXT("%[pk]")
                     : [key_] "=r"(key)
                     : MEL_REPORT_OPERANDS(MEL_TRACE_OPERAND, MEL_OPERAND_OF_C, 0, operand, 0)
                     : "memory");
    mel_core_enter();
    return key;
}

/* The operand of a call that stands in a section of its caller. */
static inline void mel_objects_report_operand(uint32_t operand)
{
    __asm__ volatile("880: nop\n\t" MEL_TRACEPOINT_TEXT("%[pk]")
                     :
                     : MEL_REPORT_OPERANDS(MEL_TRACE_OPERAND, MEL_OPERAND_OF_C, 0, operand, 0)
                     : "memory");
}

/* Leave the core, or the section only, as the answer of a call says; its status. */
mel_status_t mel_objects_switch(int32_t answer);

static inline mel_status_t mel_objects_end(uint32_t key, int32_t answer)
{
    mel_unit_unlock(key);
    return __builtin_expect(answer > 0, 0) ? mel_objects_switch(answer) : answer;
}

/* ---- in a section ------------------------------------------------------------------------------------------------------------ */

static inline mel_id_t mel_objects_number(const mel_task_t *task)
{
    return (mel_id_t)(task - mel_objects_tasks);
}

static inline mel_task_t *mel_objects_self(void)
{
    return &mel_objects_tasks[mel_core_running()->number];
}

/* The caller may make a call that can block. */
static inline bool mel_objects_may_block(void)
{
    return !mel_unit_in_handler() && mel_objects_self()->held == 0;
}

/* Out of the wait list in which it stands. */
static inline void mel_objects_take_out(mel_task_t *task)
{
    mel_wait_remove(task);
    task->list = NULL;
}

/* Hand over to the first task of a list that still waits, reported as `kind`, a, b, c. Sets `task`, NULL: nobody waited, and `answer`, that of
 * the unit. A macro, because the report wants constants. */
#define MEL_HAND_OVER(waiting, kind, a, b, c, task, answer)                                                  \
    while ((task = mel_wait_first(waiting)) != NULL) {                                                       \
        mel_objects_take_out(task);                                                                          \
        answer = MEL_ASK_AS(kind, a, b, c, MEL_BY_UNIT_HANDS_OVER, MEL_OP_TASK_RELEASE,                      \
                            mel_objects_number(task), 0);                                                    \
        if (__builtin_expect(answer >= 0, 1)) {                                                              \
            task->outcome = MEL_E_OK;                                                                        \
            break;                                                                                           \
        }                                                                                                    \
    }

/* One of several tasks that a call releases: out of its list, with this outcome. False: it no longer waited. Adds to `due`, which is not 0 when a
 * dispatch is. */
bool mel_objects_release(mel_task_t *task, mel_status_t outcome, int32_t *due);

/* The object of a list is deleted: its tasks leave, the most urgent first. Not 0: a dispatch is due. */
int32_t mel_objects_release_all(mel_wait_list_t *list);

/* The caller, which may block, waits in a list for at most `timeout` ticks, not 0, as kernel call `op`: the answer. */
#define MEL_WAIT_IN(waiting, op, id, argument, timeout)                                                      \
    ({                                                                                                       \
        mel_task_t *self_ = mel_objects_self();                                                              \
        mel_wait_insert(waiting, self_);                                                                     \
        self_->outcome = MEL_OUTCOME_NONE;                                                                   \
        const int32_t answer_ = MEL_ASK_AS(MEL_TRACE_COMMAND, MEL_REPORTED_OP(op), id, argument, MEL_BY_UNIT_WAITS, \
                                           MEL_OP_TASK_DELAY, 0, timeout);                                   \
        if (__builtin_expect(answer_ < 0, 0)) { /* another core has just suspended or ended it */            \
            mel_objects_take_out(self_);                                                                     \
        }                                                                                                    \
        answer_;                                                                                             \
    })

/* Calls without their section, for those that have one: the answer. */
int32_t mel_objects_sem_create(mel_id_t sem, uint32_t initial, uint32_t maximum);
int32_t mel_objects_sem_delete(mel_id_t sem);
int32_t mel_objects_sem_give(mel_id_t sem);
int32_t mel_objects_sem_take(mel_id_t sem, mel_ticks_t timeout);
int32_t mel_objects_queue_send(mel_id_t queue, uint32_t message, mel_ticks_t timeout);
int32_t mel_objects_queue_receive(mel_id_t queue, mel_ticks_t timeout, uint32_t *message);

/* Actions of an interrupt on objects in C, in a section. */
void mel_objects_sem_irq(mel_id_t irq, mel_id_t sem);
void mel_objects_flags_irq(mel_id_t irq, mel_id_t flags, uint32_t pattern);
void mel_objects_queue_irq(mel_id_t irq, mel_id_t queue, uint32_t message);

/* ---- interrupts ------------------------------------------------------------------------------------------------------------------ */

mel_status_t mel_objects_irq_map(mel_id_t irq, uint32_t action, mel_id_t object, uint32_t word, bool handler);
bool mel_objects_irq_claimed(mel_id_t irq);

#endif
