/* SPDX-License-Identifier: Apache-2.0 */
/* link.h: places in circular doubly linked lists. */
#ifndef MEL_COMMON_LINK_H
#define MEL_COMMON_LINK_H

#include <stddef.h>

/* A place in a circular doubly linked list; the list itself is one too. */
typedef struct mel_link {
    struct mel_link *next, *previous;
} mel_link_t;

static inline void mel_link_join(mel_link_t *before, mel_link_t *after)
{
    before->next = after;
    after->previous = before;
}

/* The task whose place `link` is. */
#define MEL_TASK_OF(link, member) ((mel_task_t *)(void *)((char *)(link)-offsetof(mel_task_t, member)))

#endif
