# SPDX-License-Identifier: Apache-2.0
"""Runs of the random test: sizes × profiles × seeds, each judged; a failure says how to repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from melanion.model import Limits
from tests.random import bench, steps
from tests.random.cycles import Cycles
from tests.random.generate import generate, rehearse, tail
from tests.random.judge import judge
from tests.random.profiles import PROFILES
from tests.random.records import RejectedError, Run, parse
from tests.random.script import Entry
from tests.random.steps import Step

# Just before a word of the tick counter ends, and before its own wrap: scripts run dozens of ticks.
NEAR_WORD = (1 << 32) - 5
NEAR_WRAP = (1 << 64) - 5

SIZES: dict[str, Limits] = {
    "tiny": Limits(
        tasks=4, priorities=2, semaphores=1, event_flags=1, mutexes=1, queues=1, messages=1,
        timers=1, interrupts=2, time_reset=NEAR_WORD,
    ),
    "small": Limits(
        tasks=8, priorities=4, semaphores=2, event_flags=2, mutexes=4, queues=2, messages=5,
        timers=2, interrupts=4,
    ),
    "odd": Limits(
        tasks=13, priorities=7, semaphores=5, event_flags=3, mutexes=7, queues=3, messages=9,
        timers=3, interrupts=9, time_reset=NEAR_WRAP,
    ),
    "default": Limits(),
    "large": Limits(
        tasks=256, priorities=256, semaphores=128, event_flags=128, mutexes=128, queues=128,
        messages=256, timers=16, interrupts=64,
    ),
    "no_interrupts": Limits(
        tasks=6, priorities=3, semaphores=3, event_flags=0, mutexes=2, queues=0, messages=0,
        timers=2, interrupts=0,
    ),
    "no_semaphores": Limits(
        tasks=5, priorities=4, semaphores=0, event_flags=2, mutexes=0, queues=1, messages=0,
        timers=0, interrupts=3, time_reset=(1 << 31) - 5,
    ),
    "two": Limits(
        tasks=6, priorities=3, semaphores=2, event_flags=2, mutexes=3, queues=2, messages=5,
        timers=1, interrupts=3, cores=2,
    ),
    "three": Limits(
        tasks=7, priorities=4, semaphores=2, event_flags=2, mutexes=3, queues=1, messages=4,
        timers=1, interrupts=2, cores=3, time_reset=NEAR_WORD,
    ),
    "four": Limits(
        tasks=10, priorities=4, semaphores=3, event_flags=2, mutexes=4, queues=2, messages=5,
        timers=2, interrupts=4, cores=4,
    ),
    "four_default": Limits(cores=4),
}  # fmt: skip

# With lanes for event flags; cases run when they are named.
LANES: dict[str, Limits] = {
    f"lanes_{size}": replace(SIZES[size], flag_lanes=4)
    for size in ("tiny", "small", "odd", "default", "two", "four")
}

SINGLE = tuple(size for size, limits in SIZES.items() if limits.cores == 1)
SEVERAL = tuple(size for size in SIZES if size not in SINGLE)


@dataclass(frozen=True)
class Case:
    """One script: names of `SIZES` and `PROFILES`, seed (also of the power-up), commands.

    `ratio`: cycles of the unit's clock in one of the cores.
    """

    size: str
    profile: str
    seed: int
    commands: int
    ratio: int = 1

    @property
    def limits(self) -> Limits:
        return LANES[self.size] if self.size in LANES else SIZES[self.size]

    def build(self, rtl: Path = bench.RTL) -> Path:
        """The program of its bench; `rtl`: of another folder with the unit."""
        return bench.build(self.limits, rtl, ratio=self.ratio)

    def replay_command(self, rtl: Path = bench.RTL) -> str:
        """`rtl`: the folder with the unit that the case was run on."""
        words = f"python -m tests.random --size {self.size} --profile {self.profile}"
        words += f" --seed {self.seed} --commands {self.commands}"
        words += f" --ratio {self.ratio}" if self.ratio > 1 else ""
        return words + (f" --rtl {rtl}" if rtl != bench.RTL else "")


class CaseError(Exception):
    """A case failed; the text names the seed, the replay command, and the difference."""

    def __init__(self, case: Case, text: str) -> None:
        super().__init__(case, text)  # both: it travels between processes
        self.case = case
        self.text = text

    def __str__(self) -> str:
        return self.told()

    def told(self, rtl: Path = bench.RTL) -> str:
        """The command that shows it again, and the difference."""
        return f"{self.case.replay_command(rtl)}\n{self.text}"


@dataclass
class Result:
    """Result of a case. `unit`: U of the commands that were alone."""

    commands: int
    cycles: int
    longest_accept: int
    longest_answer: int
    longest_wait: int
    overtaken: int
    coverage: Counter[str]
    unit: Cycles
    run: Run
    steps: list[Step] = field(default_factory=list)  # none of a netlist


def cycle_bound(limits: Limits) -> int:
    """Cycles in which every request is taken and answered.

    The memories are cleared once after reset. A command may wait until an earlier one is done: one
    that makes or deletes an object with waiters from before its deletion, or starts or deletes a
    task whose mutexes are not unlocked yet.
    """
    lists = (limits.semaphores + limits.queues + limits.mutexes) * limits.priorities // 8
    return 64 * max(limits.tasks, limits.priorities, limits.messages, lists) + 2048


def execute(
    program: Path, limits: Limits, entries: list[Entry], seed: int, words: str | None = None
) -> Result:
    """Run one script; `words` as in `bench.run`. RejectedError."""
    outcome = bench.run(program, limits, entries, seed, cycle_bound(limits), words)
    measured = steps.parse(limits, outcome.steps)
    longest = steps.longest(limits)
    if measured:  # not in a netlist
        longest = min(longest, max(step.step for step in measured))  # in this very run
    halves = bench.ratio_of(program) == 2
    run = replace(parse(limits, outcome.trace, outcome.log), step=longest, halves=halves)
    if outcome.complaint:
        raise RejectedError(outcome.complaint, outcome.summary["entries"])
    verdict = judge(run)
    steps.check(limits, measured)
    counts = verdict.counts
    commands = sum(count for name, count in counts.items() if name.startswith("commands by "))
    said = outcome.summary
    waits = (said["longest_accept"], said["longest_answer"], verdict.longest_wait)
    return Result(
        commands, said["cycles"], *waits, verdict.overtaken, counts, verdict.unit, run, measured
    )


def run_case(case: Case, program: Path) -> Result:
    """Generate, run and judge; raises CaseError."""
    entries = generate(case.seed, case.limits, PROFILES[case.profile], case.commands)
    return run_entries(case, program, entries)


def run_entries(case: Case, program: Path, entries: list[Entry]) -> Result:
    """Run and judge what was generated for a case; raises CaseError."""
    try:
        return execute(program, case.limits, entries, case.seed)
    except RejectedError as reason:
        where = ""
        if reason.entry is not None and reason.entry < len(entries):
            where = f"script entry {reason.entry}: {entries[reason.entry]}\n"
        raise CaseError(case, f"{where}{reason}") from None


def rehearse_case(case: Case) -> Counter[str]:
    """The situations of a case on the model alone: what its script is good for, without RTL."""
    entries, run = rehearse(case.seed, case.limits, PROFILES[case.profile], case.commands)
    for entry in entries:
        entry.pack()  # every number fits its place in the file
    return judge(run).counts


def cases(sizes: Iterable[str], seeds: Iterable[int], commands: int, ratio: int = 1) -> list[Case]:
    """Every profile on every size with every seed."""
    return [
        Case(size, profile, seed, commands, ratio)
        for size in sizes
        for seed in seeds
        for profile in PROFILES
    ]


def shrink(
    case: Case, program: Path, tell: Callable[[str], None] = lambda text: None
) -> list[Entry]:
    """A short script that still fails: halves, quarters, … are left out while the rest fails."""
    entries = generate(case.seed, case.limits, PROFILES[case.profile], case.commands)
    last = entries[-tail(case.limits) :]
    entries = entries[: -len(last)]

    def fails(candidate: list[Entry]) -> bool:
        try:
            execute(program, case.limits, candidate + last, case.seed)
        except RejectedError as reason:
            return bool(str(reason))
        return False

    if not fails(entries):
        return []
    size = len(entries) // 2
    while size:
        start = 0
        while start < len(entries):
            candidate = entries[:start] + entries[start + size :]
            if fails(candidate):
                entries = candidate
            else:
                start += size
        tell(f"{len(entries)} entries left")
        size //= 2
    return entries + last
