# SPDX-License-Identifier: Apache-2.0
"""Profiles of scripts: named mixtures of actions, each deep in one part of the unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mel_gen import Command, IdKind

# Tasks, time and interrupts are always there; the rest can be left out of a profile.
OBJECTS = frozenset(
    {IdKind.SEMAPHORE, IdKind.EVENT_FLAGS, IdKind.QUEUE, IdKind.MUTEX, IdKind.TIMER}
)
SEMAPHORES = frozenset({IdKind.SEMAPHORE})
NOTIFICATIONS = frozenset(c for c in Command if c.name.startswith("NOTIFICATION_"))


@dataclass(frozen=True)
class Profile:
    """`commands`: weight of a command where it is not 1. The rest are probabilities mostly."""

    commands: Mapping[Command, float]
    objects: frozenset[IdKind] = OBJECTS  # kinds of objects that a script touches at all
    notifications: bool = True  # likewise
    edge: float = 0.05
    wait: float = 0.05
    access: float = 0.05
    hostile: float = 0.05  # the driver breaks a rule
    careless: float = 0.05  # a number or argument without a thought
    burst: float = 0.01  # several commands in the middle of background work
    rare: float = 0.0  # situations that hardly ever arise by chance (rare.py)
    pile: float = 0.0  # for a script: that a mutex is locked up to the limit
    revive: float = 0.4  # in the idle context: a command that may give it a task
    meet: float = 0.08  # several cores: all go on in the same cycle
    delay: int = 8  # cycles, mean
    ticks: bool = True  # ticks of the minimum length, at first

    @property
    def words(self) -> bool:
        """The script touches operand and value."""
        return self.notifications or not self.objects <= SEMAPHORES


def _weights(text: str) -> dict[Command, float]:
    """`name weight, …`; rare everywhere: what ends time or scheduling for long."""
    weights = {
        Command.TICK_SET: 0.1,
        Command.CLAIM_LIMIT: 0.2,
        Command.DISPATCH_DISABLE: 0.3,
        Command.QUANTUM_SET: 0.3,
        Command.DEADLINE_SET: 0.3,
        Command.BUDGET_SET: 0.3,
    }
    for item in filter(None, map(str.strip, text.split(","))):
        name, weight = item.split()
        weights[Command[name.upper()]] = float(weight)
    return weights


PROFILES: dict[str, Profile] = {
    "mixed": Profile(_weights("tick_set 0.2"), burst=0.03),
    "plain": Profile(
        _weights("tick_set 0.2, semaphore_take 4"), objects=SEMAPHORES, notifications=False
    ),
    "semaphores": Profile(
        _weights(
            "semaphore_take 20, semaphore_give 5, semaphore_delete 0.7, semaphore_create 3,"
            "task_set_priority 4, task_start 6, task_delete 0.2, task_terminate 0.5, task_exit 0.2,"
            "task_suspend 0.5"
        ),
        objects=SEMAPHORES,
        notifications=False,
        careless=0.02,
        edge=0.02,
        wait=0.01,
        burst=0.03,
        delay=2,
    ),
    "flags": Profile(
        _weights(
            "event_flags_wait_any 6, event_flags_wait_all 8, event_flags_take_any 8,"
            "event_flags_take_all 10, event_flags_set 6, event_flags_clear 6,"
            "event_flags_delete 0.7, event_flags_create 3, irq_map 2, irq_enable 2, irq_raise 3,"
            "irq_disable 0.5, task_set_priority 3, task_start 6, task_delete 0.2,"
            "task_terminate 0.5, task_exit 0.2, task_suspend 0.5"
        ),
        objects=frozenset({IdKind.EVENT_FLAGS}),
        notifications=False,
        burst=0.04,
        delay=3,
    ),
    "queues": Profile(
        _weights(
            "queue_send 14, queue_receive 14, queue_post 6, queue_delete 1, queue_create 5,"
            "task_set_priority 3, task_start 6, task_delete 0.2, task_terminate 0.5, task_exit 0.2,"
            "task_suspend 0.5"
        ),
        objects=frozenset({IdKind.QUEUE}),
        notifications=False,
        burst=0.03,
        delay=3,
    ),
    "mutexes": Profile(
        _weights(
            "mutex_lock 24, mutex_unlock 5, mutex_delete 0.4, mutex_create 3, task_set_priority 4,"
            "task_start 8, task_delete 0.3, task_terminate 0.6, task_exit 0.4, task_suspend 0.5,"
            "task_wakeup 2, task_sleep 2, task_delay 2"
        ),
        objects=frozenset({IdKind.MUTEX}),
        notifications=False,
        burst=0.03,
        pile=0.3,
        delay=3,
    ),
    "timers": Profile(
        _weights(
            "timer_start 10, timer_stop 2, irq_map 4, irq_enable 3, irq_disable 0.5, irq_raise 2,"
            "task_sleep 6, task_delay 3, task_start 4, task_wakeup 0.5"
        ),
        objects=frozenset({IdKind.TIMER}),
        notifications=False,
        wait=0.15,
        delay=16,
    ),
    "notifications": Profile(
        _weights(
            "notification_wait 10, notification_take 6, notification_take_all 4,"
            "notification_set 4, notification_give 3, notification_overwrite 3,"
            "notification_send 5, notification_clear 3, notification_cancel 2,"
            "irq_map 2, irq_enable 2, irq_raise 3, irq_disable 0.5, task_set_priority 2,"
            "task_start 6, task_delete 0.2, task_terminate 0.5, task_exit 0.2, task_suspend 1,"
            "task_resume 2"
        ),
        objects=frozenset(),
        burst=0.03,
        delay=3,
    ),
    "time": Profile(
        _weights(
            "task_delay 8, task_delay_until 5, task_sleep 6, semaphore_take 6, task_start 4,"
            "task_exit 0.2, task_terminate 0.3, task_delete 0.3, mutex_lock 4, queue_receive 4,"
            "event_flags_take_all 4, notification_wait 3, notification_take 3"
        ),
        wait=0.1,
        burst=0.15,
        delay=16,
    ),
    "slices": Profile(
        _weights(
            "quantum_set 3, task_start 6, task_rotate 3, task_wakeup 3, task_sleep 3, task_delay 2,"
            "task_set_priority 2, task_resume 3, task_create 3, task_delete 0.2, task_exit 0.2,"
            "task_terminate 0.4, mutex_lock 3, semaphore_take 2"
        ),
        edge=0.1,
        wait=0.3,
        delay=16,
    ),
    "deadlines": Profile(
        _weights(
            "deadline_set 14, budget_set 14, task_start 6, task_wakeup 3, task_sleep 3,"
            "task_delay 3, task_set_priority 2, task_resume 3, task_create 3, task_exit 0.5,"
            "task_terminate 0.7, irq_map 4, irq_enable 4, irq_raise 1, irq_disable 0.5,"
            "semaphore_take 2"
        ),
        edge=0.1,
        wait=0.25,
        delay=12,
    ),
    "tasks": Profile(
        _weights(
            "task_create 4, task_start 5, task_terminate 3, task_suspend 4, task_resume 4,"
            "task_set_priority 5, task_rotate 4, semaphore_take 4, mutex_lock 4"
        ),
        delay=3,
    ),
    "interrupts": Profile(
        _weights(
            "irq_map 5, irq_enable 5, irq_raise 4, claim_limit 2, semaphore_take 5, task_sleep 5,"
            "task_start 3,"
            "timer_start 4, event_flags_take_any 4, event_flags_wait_all 3, queue_receive 5,"
            "notification_wait 3, notification_take 3"
        ),
        edge=0.35,
    ),
    "hostile": Profile(
        _weights("tick_set 0.3, dispatch_disable 0.5"),
        hostile=0.5,
        careless=0.3,
        access=0.25,
        burst=0.02,
        delay=2,
    ),
    "rapid": Profile(_weights(""), delay=0, wait=0.01, access=0.01),
    "rare": Profile(
        _weights(
            "task_delay 6, task_sleep 4, task_start 12, mutex_lock 10, mutex_create 3,"
            "task_set_priority 3, task_resume 4, task_create 3, task_suspend 0.5,"
            "task_delete 0.2, mutex_delete 0.4"
        ),
        objects=frozenset({IdKind.MUTEX}),
        notifications=False,
        wait=0.1,
        rare=0.1,
        delay=8,
    ),
}
