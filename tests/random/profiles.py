"""What a script does how often: named mixtures, each deep in one part of the unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mel_gen import Command


@dataclass(frozen=True)
class Profile:
    """`commands`: weight of a command where it is not 1. The rest are probabilities mostly."""

    commands: Mapping[Command, float]
    edge: float = 0.05
    wait: float = 0.05
    access: float = 0.05
    hostile: float = 0.05  # the driver breaks a rule
    careless: float = 0.05  # a number or argument without a thought
    burst: float = 0.01  # several commands in the middle of background work
    revive: float = 0.4  # in the idle context: a command that may give it a task
    delay: int = 8  # cycles, mean
    ticks: bool = True  # of the minimum length, at first


def _weights(text: str) -> dict[Command, float]:
    """`name weight, …`; rare everywhere: what ends time or scheduling for long."""
    weights = {Command.TICK_SET: 0.1, Command.DISPATCH_DISABLE: 0.3}
    for item in filter(None, map(str.strip, text.split(","))):
        name, weight = item.split()
        weights[Command[name.upper()]] = float(weight)
    return weights


PROFILES: dict[str, Profile] = {
    "mixed": Profile(_weights("tick_set 0.2")),
    "semaphores": Profile(
        _weights(
            "semaphore_take 20, semaphore_give 5, semaphore_delete 0.7, semaphore_create 3,"
            "task_set_priority 4, task_start 6, task_delete 0.2, task_terminate 0.5, task_exit 0.2,"
            "task_suspend 0.5"
        ),
        careless=0.02,
        edge=0.02,
        wait=0.01,
        burst=0.03,
        delay=2,
    ),
    "time": Profile(
        _weights(
            "task_delay 8, task_delay_until 5, task_sleep 6, semaphore_take 6, task_start 4,"
            "task_exit 0.2, task_terminate 0.3, task_delete 0.3"
        ),
        wait=0.1,
        burst=0.15,
        delay=16,
    ),
    "tasks": Profile(
        _weights(
            "task_create 4, task_start 5, task_terminate 3, task_suspend 4, task_resume 4,"
            "task_set_priority 5, task_rotate 4, semaphore_take 4"
        ),
        delay=3,
    ),
    "interrupts": Profile(
        _weights(
            "irq_map 5, irq_enable 5, irq_raise 4, semaphore_take 5, task_sleep 5, task_start 3"
        ),
        edge=0.35,
    ),
    "hostile": Profile(
        _weights("tick_set 0.3, dispatch_disable 0.5"),
        hostile=0.5,
        careless=0.3,
        access=0.25,
        delay=2,
    ),
    "rapid": Profile(_weights(""), delay=0, wait=0.01, access=0.01),
}
