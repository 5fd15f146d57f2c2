# SPDX-License-Identifier: Apache-2.0
"""The rules of classes, with planted outcomes: of each class what makes it, and what must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from mel_gen import ExitReason, Status, TraceKind

from melanion.inject import outcome
from melanion.inject.outcome import CLASSES, SILENT, TITLES, Class, Objection, Seen, Verdict, judged
from melanion.run.judge import EXIT_CODE_FAULT
from melanion.trace import events_of

FLIPPED = 100  # cycle of every planted flip
Event = tuple[int, ...]
Change = Callable[[list[Event]], list[Event]]

# Two tasks take turns; each makes a call, and task 1 prints.
COMMAND, DISPATCH, TICK = TraceKind.COMMAND, TraceKind.DISPATCH, TraceKind.TICK
RUN: list[Event] = [
    (50, DISPATCH, 0, 0, 64, 0, 0),
    (90, COMMAND, 0, 20, 1, 0, 0),
    (120, TraceKind.TRACEPOINT, 0, 7, 1000, 0, 0),
    (150, DISPATCH, 0, 1, 0, 0, 0),
    (160, COMMAND, 0, 21, 1, 0, 0),
    (170, TICK, 0, 0, 1, 0, 0),
    (200, TraceKind.EXIT, 0, ExitReason.PROGRAM, 0, 0, 0),
]
CONSOLE = "all is well\n"


def seen(change: Change = list, console: str = CONSOLE) -> Seen:
    return Seen(console, events_of(change(RUN)))


def ended(reason: ExitReason, code: int, cycle: int = 200) -> Change:
    return lambda run: [*run[:-1], (cycle, TraceKind.EXIT, 0, reason, code, 0, 0)]


def added(*event: int) -> Change:
    """One more event, in its place."""
    return lambda run: sorted([*run, event], key=lambda each: each[0])


def altered(place: int, *event: int) -> Change:
    return lambda run: [*run[:place], event, *run[place + 1 :]]


def shifted(run: list[Event]) -> list[Event]:
    return [(each[0] + 3 * (each[0] > FLIPPED), *each[1:]) for each in run]


def turned(run: list[Event]) -> list[Event]:
    """A tick comes before a command of another task: order between tasks alone."""
    return [*run[:4], (155, *run[5][1:]), (162, *run[4][1:]), *run[6:]]


def agrees() -> Objection | None:
    return None


def objects() -> Objection | None:
    return Objection("event 4: the status is wrong", 160)


TRAP = (130, TraceKind.TRAP, 0, 5, 0x1000, 0, 0)  # a load from no memory
OPERAND = (120, TraceKind.TRACEPOINT, 0, 7, 1003, 0, 0)
SPAN = (140, TraceKind.IRQ_OFF, 0, 0, 9, 0, 0)
PANIC = ended(ExitReason.PROGRAM, EXIT_CODE_FAULT)
E_SYS = Status.E_SYS & 0xFFFF_FFFF

PLANTED: list[tuple[str, Seen, Class, int | None]] = [
    ("the same", seen(), "masked", None),
    ("later cycles", seen(shifted), "masked", None),
    ("another operand of a tracepoint", seen(altered(2, *OPERAND)), "masked", None),
    ("events of the core alone", seen(added(*SPAN)), "masked", None),
    ("another order between tasks", seen(turned), "masked", None),
    ("an exception", seen(added(*TRAP)), "detected", 130),
    ("a panic", seen(PANIC), "detected", 200),
    ("a second exception", seen(ended(ExitReason.FAULT, 5)), "detected", 200),
    ("E_SYS", seen(altered(4, 160, COMMAND, 0, 21, 1, 0, E_SYS)), "detected", 160),
    ("no end", seen(ended(ExitReason.CYCLE_LIMIT, 0, 900)), "hang", 900),
    ("an exit code", seen(ended(ExitReason.PROGRAM, 1)), "program", 200),
    ("another console", seen(console="all is wel\n"), "silent", None),
    ("a call less", seen(lambda run: [*run[:4], *run[5:]]), "silent", None),
    ("a wrong status", seen(altered(4, 160, COMMAND, 0, 21, 1, 0, 2)), "silent", None),
    ("a mark less", seen(lambda run: [*run[:2], *run[3:]]), "silent", None),
]
IDS = [name for name, *_ in PLANTED]


def complaints(judge: Callable[..., Verdict]) -> list[str]:
    """The planted outcomes that a classifier calls something else."""
    found = [
        (name, judge(run, seen(), FLIPPED, agrees), expected, cycle)
        for name, run, expected, cycle in PLANTED
    ]
    return [
        name
        for name, verdict, expected, cycle in found
        if (verdict.name, verdict.cycle) != (expected, cycle)
    ]


def test_planted_outcomes_have_their_classes() -> None:
    assert complaints(judged) == []


@pytest.mark.parametrize(("name", "run", "expected", "cycle"), PLANTED, ids=IDS)
def test_golden_model_decides_between_silent_classes_alone(
    name: str, run: Seen, expected: Class, cycle: int | None
) -> None:
    """An objection makes what nobody noticed `model`, and nothing else."""
    asked: list[None] = []

    def model() -> Objection | None:
        asked.append(None)
        return objects()

    verdict = judged(run, seen(), FLIPPED, model)
    unnoticed = expected in SILENT or name == "another order between tasks"
    assert verdict.name == ("model" if unnoticed else expected)
    assert len(asked) == unnoticed
    assert verdict.cycle == (160 if unnoticed else cycle)


def test_without_a_model_another_order_is_silent() -> None:
    """Nobody says that it is right."""
    assert judged(seen(turned), seen(), FLIPPED, None).name == "silent"
    assert judged(seen(shifted), seen(), FLIPPED, None).name == "masked"


def test_the_kernel_is_asked_before_the_program() -> None:
    for end in (ended(ExitReason.PROGRAM, 1), ended(ExitReason.CYCLE_LIMIT, 0, 900)):
        both = seen(lambda run, end=end: added(*TRAP)(end(run)))  # type: ignore[misc]
        assert judged(both, seen(), FLIPPED, agrees).name == "detected"


def test_exceptions_of_the_program_are_no_sign() -> None:
    usual = seen(added(*TRAP))
    assert judged(usual, usual, FLIPPED, agrees).name == "masked"
    call = seen(added(130, TraceKind.TRAP, 0, 11, 0x1000, 0, 0))
    assert judged(call, seen(), FLIPPED, agrees).name == "masked"


def test_mutants_of_the_rules_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A classifier that calls a silent run masked, and one for each rule that is left out."""

    def blind(*given: object) -> Verdict:
        found = judged(*given)  # type: ignore[arg-type]
        return replace(found, name="masked") if found.name in SILENT else found

    assert complaints(blind) == ["another console", "a call less", "a wrong status", "a mark less"]
    with monkeypatch.context() as patch:
        patch.setattr(outcome, "same_events", lambda *_: True)
        assert complaints(judged) == ["a call less", "a wrong status", "a mark less"]
    with monkeypatch.context() as patch:
        patch.setattr(outcome, "same_deeds", lambda *_: False)
        assert complaints(judged) == ["another order between tasks"]
    with monkeypatch.context() as patch:
        patch.setattr(outcome, "_told", lambda *_: None)
        found = ["an exception", "a panic", "a second exception", "E_SYS"]
        assert complaints(judged) == found


def test_classes_are_named_once() -> None:
    assert get_args(Class) == CLASSES
    assert tuple(TITLES) == CLASSES
    assert set(SILENT) < set(CLASSES)
    planted = {expected for _, _, expected, _ in PLANTED}
    assert set(CLASSES) - planted == {"model", "corrected"}
    text = outcome.__doc__ or ""
    assert all(f"\n  {name} " in text for name in CLASSES)
