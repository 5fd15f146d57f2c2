/* SPDX-License-Identifier: Apache-2.0 */
/* layer.h: what the files of the layer share. Its own data is touched in atomic sequences only (melanion/compound.h), where not said otherwise. */
#ifndef ITRON_LAYER_H
#define ITRON_LAYER_H

#include "kernel.h"

#include <melanion/compound.h>

/* State of a task in the layer, beside the kernel's. */
typedef struct itron_task {
    TASK task;         /* NULL: there is none */
    VP_INT exinf;
    VP_INT argument;   /* exinf or a start code, of the activation that runs or would be next */
    uintptr_t top;     /* initial stack pointer */
    PRI initial;       /* priority */
    UINT activations;  /* that are queued */
    volatile _Bool ending;      /* it has found none and has interrupts off until it is dormant */
    volatile _Bool undispatched; /* it has disabled dispatch; touched by itself only */
    struct itron_task **waits; /* waiter field of the event flags that it waits for; NULL: none */
    _Bool ended;               /* its wait for event flags has ended with `result` */
    ER result;
} itron_task_t;

extern itron_task_t itron_tasks[TMAX_TSKID];

/* The calling task's row; NULL: the caller is no task. */
itron_task_t *itron_self(void);

/* The caller may wait: it is a task, and dispatch is enabled. */
_Bool itron_may_wait(void);

/* Make an object of the highest free ID, 1 … maximum, with `make`; the ID, E_NOID, or what `make` returned. */
ER_ID itron_acre(INT maximum, ER (*make)(ID id, const void *packet), const void *packet);

/* A handler of the program has returned. */
void itron_handler_end(void);

#endif
