# SPDX-License-Identifier: Apache-2.0
"""Classes of what a flip led to: the rules, in the order in which they are asked. The first that
applies decides, so that the classes exclude each other.

  corrected  the hardware put the bit right and says so. Always zero today: the unit has no
             protection, and so nothing that could say it.
  detected   the kernel or the core says that something is wrong: an exception that the run without
             a flip does not take, the kernel's panic (exit code 251), or the status E_SYS.
  hang       the program did not end in time: a watchdog would notice.
  program    the program ended with another exit code: its own checks noticed.
  masked     console, exit code and kernel events are those of the run without a flip, whatever
             their cycles; or console and exit code are, the golden model finds every event right,
             and each task did the same in the same order (only the order between tasks differs).
  model      nobody in the system noticed, and the golden model says which event is wrong: silent.
  silent     nobody noticed, and the golden model has no objection, or does not know the kernel; but
             console, events or what a task did differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from mel_gen import ExitReason, Status, TraceKind

from melanion.run.judge import EXIT_CODE_FAULT
from melanion.trace import Events

Class = Literal["silent", "model", "program", "hang", "detected", "corrected", "masked"]
CLASSES: tuple[Class, ...] = get_args(Class)  # the worst first
SILENT: tuple[Class, ...] = ("silent", "model")

TITLES: Mapping[Class, str] = {
    "silent": "silent: nobody noticed, and something differs",
    "model": "silent: the golden model alone sees it",
    "program": "wrong result, noticed by the program",
    "hang": "hang, noticed by a watchdog",
    "detected": "detected by kernel, unit or core",
    "corrected": "corrected by the unit",
    "masked": "masked: no effect",
}

REFUSED = "status E_SYS"  # evidence
_ECALLS = (8, 11)  # exceptions that are calls of a service
_KERNEL = int(TraceKind.INHERIT)  # the last kind of a kernel's own events
_E_SYS = Status.E_SYS & 0xFFFF_FFFF
_HANDLER = 1 << 16  # stands for a handler among the tasks of a core
# Deeds of a task: its calls, its reads, its marks.
_DEEDS = (
    TraceKind.COMMAND,
    TraceKind.ANSWER,
    TraceKind.VALUE,
    TraceKind.TRACEPOINT,
    TraceKind.MARKER,
)


@dataclass(frozen=True)
class Seen:
    """A run as it was seen from outside. `events`: ends with the end of the run."""

    console: str
    events: Events

    @property
    def reason(self) -> ExitReason:
        return ExitReason(int(self.events["a"][-1]))

    @property
    def code(self) -> int:
        return int(self.events["b"][-1])

    @property
    def cycles(self) -> int:
        return int(self.events["cycle"][-1])


@dataclass(frozen=True)
class Verdict:
    """`cycle`: in which it was noticed, None: nobody did. `evidence`: in words."""

    name: Class
    cycle: int | None = None
    evidence: str = ""


@dataclass(frozen=True)
class Objection:
    """Sentence of the golden model about a run that it rejects, and the cycle of the event."""

    sentence: str
    cycle: int


def judged(
    seen: Seen, reference: Seen, flipped: int, model: Callable[[], Objection | None] | None
) -> Verdict:
    """The class of a run whose bit was flipped in cycle `flipped`; `model` asks the golden model,
    None: it does not know the kernel."""
    if sign := _told(seen, reference, flipped):
        return sign
    if seen.reason in (ExitReason.CYCLE_LIMIT, ExitReason.WATCHDOG):
        return Verdict("hang", seen.cycles, f"no end in {seen.cycles} cycles")
    if (seen.reason, seen.code) != (reference.reason, reference.code):
        return Verdict("program", seen.cycles, f"exit code {seen.code}{_last(seen.console)}")
    same_console = seen.console == reference.console
    if same_console and same_events(seen.events, reference.events):
        return Verdict("masked")
    objection = model() if model is not None else None
    if objection is not None:
        return Verdict("model", objection.cycle, objection.sentence)
    if not same_console:
        return Verdict("silent", None, f"the console differs{_last(seen.console)}")
    if model is not None and same_deeds(seen.events, reference.events):
        return Verdict("masked", None, "the order between tasks differs")
    return Verdict("silent", None, _difference(seen.events, reference.events))


def _told(seen: Seen, reference: Seen, flipped: int) -> Verdict | None:
    """The first sign that the kernel, the unit or the core gave."""
    signs: list[tuple[int, str]] = []
    found = exceptions(seen.events)
    if len(found) > len(exceptions(reference.events)):
        later = found[found["cycle"] >= flipped]
        if len(later):
            first = later[0]
            signs.append((int(first["cycle"]), f"exception {int(first['a'])}"))
    events = seen.events
    answers = np.isin(events["kind"], (TraceKind.COMMAND, TraceKind.ANSWER))
    refused = events[answers & (events["d"] == _E_SYS)]
    if len(refused):
        signs.append((int(refused["cycle"][0]), REFUSED))
    panicked = seen.reason == ExitReason.PROGRAM and seen.code == EXIT_CODE_FAULT
    if panicked or seen.reason == ExitReason.FAULT:
        signs.append((seen.cycles, "the kernel's panic" if panicked else "a second exception"))
    if not signs:
        return None
    cycle, sign = min(signs)
    # Behind an answer E_SYS the run may have ended: what it printed later is not known.
    last = "" if sign == REFUSED else _last(seen.console)
    return Verdict("detected", cycle, f"{sign}{last}")


def exceptions(events: Events) -> Events:
    """Exceptions that are no calls of a service."""
    traps: Events = events[events["kind"] == TraceKind.TRAP]
    own: Events = traps[(traps["a"] >> 15 == 0) & ~np.isin(traps["a"], _ECALLS)]
    return own


def kernel_events(events: Events) -> Events:
    """The kernel's events and the program's marks without their cycles; of tracepoints the number
    alone, because operands may be times."""
    marks = (TraceKind.TRACEPOINT, TraceKind.MARKER)
    kept = events[(events["kind"] <= _KERNEL) | np.isin(events["kind"], marks)].copy()
    kept["cycle"] = 0
    _forget_operands(kept)
    return kept


def _forget_operands(events: Events) -> None:
    points = events["kind"] == TraceKind.TRACEPOINT
    for name in ("b", "c", "d"):
        events[name][points] = 0


def same_events(events: Events, others: Events) -> bool:
    """Compare kernel events and their order."""
    return bool(np.array_equal(kernel_events(events), kernel_events(others)))


def same_deeds(events: Events, others: Events) -> bool:
    """Each task did the same, in the same order."""
    mine, theirs = deeds(events), deeds(others)
    return mine.keys() == theirs.keys() and all(
        np.array_equal(mine[who], theirs[who]) for who in mine
    )


def deeds(events: Events) -> dict[int, Events]:
    """Deeds of each task, and of all handlers together, without cycles and cores."""
    runs = events["kind"] == TraceKind.DISPATCH
    who = np.zeros(len(events), dtype=np.int64)
    for core in np.unique(events["core"]):
        here = np.flatnonzero(events["core"] == core)
        switches = runs[here]
        last = np.maximum.accumulate(np.where(switches, np.arange(len(here)), -1))
        tasks = events["a"][here].astype(np.int64)
        who[here] = np.where(last >= 0, tasks[np.maximum(last, 0)], -1)
    handlers = (events["kind"] == TraceKind.COMMAND) & (events["a"] >> 8 == 1)
    who[handlers] = _HANDLER
    chosen = np.isin(events["kind"], _DEEDS)
    kept, who = events[chosen].copy(), who[chosen]
    kept["cycle"], kept["core"] = 0, 0
    _forget_operands(kept)
    return {int(each): kept[who == each] for each in np.unique(who)}


def _difference(events: Events, others: Events) -> str:
    mine, theirs = kernel_events(events), kernel_events(others)
    least = min(len(mine), len(theirs))
    unlike = np.flatnonzero(mine[:least] != theirs[:least])
    place = int(unlike[0]) if len(unlike) else least
    names = [
        TraceKind(int(each["kind"][place])).name.lower() if place < len(each) else "none"
        for each in (theirs, mine)
    ]
    return f"event {place} of the kernel differs ({names[0]}, now {names[1]})"


def _last(console: str) -> str:
    lines = [line.strip() for line in console.splitlines() if line.strip()]
    return f"; it printed last: {lines[-1]}" if lines else ""
