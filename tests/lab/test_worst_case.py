# SPDX-License-Identifier: Apache-2.0
"""The worst case of a run on the result page: what its picture says is compared with the events
of the probes, number by number and place by place; planted defects show that this notices them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from mel_gen import Command, TraceKind

from melanion import build, config
from melanion.measure.worst_case import WorstCase, worst_case_of_json
from melanion.report import timeline
from melanion.report.timeline import Panel, interrupts_off, short, table_of, timelines
from melanion.run import RunResult, run_program
from melanion.run.annotations import annotated
from melanion.run.tasks import task_names
from melanion.trace import perfetto
from melanion.trace.excerpt import Excerpt, excerpt
from melanion.trace.perfetto import Mark
from tests.lab.test_report import TWO
from tests.lab.test_timeline import APP, HIGH, LOW, MIDDLE, NUMBER, WAITS, Probes

MARGIN = 40  # cycles before the lock and behind the unlock
PLACE = 0.06  # largest shift by rounding to one digit, in the units of the picture


@dataclass(frozen=True)
class Shape:
    """A bar, mark or arrow of a picture: what its data say, and from where to where it goes."""

    kernel: str
    track: str
    name: str
    begin: int
    end: int
    kind: str
    left: float
    right: float


def shapes(svg: str) -> list[Shape]:
    """Return the shapes of a picture."""
    found = []
    for each in ElementTree.fromstring(svg).iter():
        if "data-track" not in each.attrib:
            continue
        said = {key: each.attrib[f"data-{key}"] for key in ("kernel", "track", "name")}
        begin, end = int(each.attrib["data-begin"]), int(each.attrib["data-end"])
        if "d" in each.attrib:
            start, tip = each.attrib["d"].removeprefix("M").split("m")[0].split("L")
            left, right = (float(point.split(",")[0]) for point in (start, tip))
        else:
            left = float(each.attrib["x"])
            right = left + float(each.attrib["width"])
        said = {key: unescape(value) for key, value in said.items()}
        kind = each.attrib["class"]
        found.append(Shape(**said, begin=begin, end=end, kind=kind, left=left, right=right))
    return found


@pytest.fixture(scope="module")
def run() -> RunResult:
    return run_program(config.find("hwrtos"), build.application(str(APP)))


def span(probes: Probes) -> tuple[int, int]:
    """From where the high task's lock waits to the low task's unlock."""
    (locked,) = (c for c, status in probes.calls(Command.MUTEX_LOCK, 0) if status == WAITS)
    (unlocked,) = (c for c, _ in probes.calls(Command.MUTEX_UNLOCK, 2))
    return locked, unlocked


def worst_case_of(run: RunResult) -> WorstCase:
    """Around that, by way of its form on the disk."""
    begin, end = span(Probes(run))
    since, until = begin - MARGIN, end + MARGIN
    events, known = annotated(run.system, run.events, until=until + MARGIN)
    names = task_names(run.program)
    marks = perfetto.marks(events, run.system.parameters.tasks, known, names)
    kept = WorstCase("mutex", {}, begin, end, excerpt(marks, since, until))
    return worst_case_of_json(kept.as_json())


def differences(run: RunResult, svg: str) -> list[str]:
    """Return differences of picture and probes, and shapes drawn in another place."""
    probes = Probes(run)
    begin, end = span(probes)
    since, until = begin - MARGIN, end + MARGIN
    found = shapes(svg)
    wrong = [f"{each} is not of hwrtos" for each in found if each.kernel != "hwrtos"]

    def ask(question: str, shown: list[Any], probed: list[Any]) -> None:
        if sorted(shown) != sorted(probed):
            wrong.append(f"{question}: {shown}, the probes say {probed}")

    def of(track: str, name: str) -> list[tuple[int, int]]:
        meant = [e for e in found if (e.track, e.name) == (track, name) and e.kind != "arrow"]
        return [(each.begin, each.end) for each in meant]

    def clipped(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        return [(max(b, since), min(e, until)) for b, e in spans if b <= until and e >= since]

    switches = probes.dispatches()
    ends = [*(cycle for cycle, _ in switches[1:]), run.cycles]
    for task, number in NUMBER.items():
        ran = [(c, e) for (c, who), e in zip(switches, ends, strict=True) if who == number]
        ask(f"when {task} runs", of(f"tasks / {task}", "running"), clipped(ran))
    off = [(e[0] - e[4], e[0]) for e in probes.events if e[1] == TraceKind.IRQ_OFF]
    ask("interrupts off", of("core 0 / interrupts off", "interrupts off"), clipped(off))
    ask("inheritance", of(f"priorities / {LOW}", f"1 of {HIGH}"), [(begin, end)])
    calls = [e[0] for e in probes.events if e[1] == TraceKind.COMMAND and since <= e[0] <= until]
    ticks = [e.begin for e in found if e.kind == "event"]
    ask("commands", [each for each in ticks if each in calls], calls)
    arrows = [(e.begin, e.end, e.track) for e in found if e.kind == "arrow"]
    gives = [c for c, by in probes.gives() if by == "task 2"]
    known = [(c, c, f"tasks / {MIDDLE}") for c in gives] + [(end, end, f"tasks / {HIGH}")]
    ask("arrows", arrows, known)
    return wrong + misplaced(found)


def misplaced(found: list[Shape]) -> list[str]:
    """Shapes that are not where their cycles are, on the scale that the two farthest edges of bars
    give."""
    bars = [each for each in found if each.kind.startswith("bar")]
    edges = sorted({(e.begin, e.left) for e in bars} | {(e.end, e.right) for e in bars})
    (first, left), (last, right) = edges[0], edges[-1]
    each_cycle = (right - left) / (last - first)
    wrong = []
    for each in found:
        middle = 0.0 if each.kind == "arrow" or each in bars else (each.right - each.left) / 2
        wanted = [left + (cycle - first) * each_cycle for cycle in (each.begin, each.end)]
        shown = [each.left + middle, each.right - middle]
        thin = each in bars and wanted[1] - wanted[0] < 0.8  # is drawn a little wider
        if any(abs(a - b) > 2 * PLACE for a, b in zip(wanted[: 2 - thin], shown, strict=False)):
            wrong.append(f"{each.name} of {each.track} is at {shown}, not at {wanted}")
    return wrong


def svg_of(worst_case: WorstCase) -> str:
    return timelines([Panel("hwrtos", 0, worst_case)], "x")


def test_the_picture_says_what_the_probes_say(run: RunResult) -> None:
    svg = svg_of(worst_case_of(run))
    assert differences(run, svg) == []
    kinds = {each.kind.split()[-1] for each in shapes(svg)}
    assert {"runs", "ready", "waits", "event", "arrow"} <= kinds
    assert len(svg) < 20_000


def _slice(change: Callable[[Any], Any]) -> Callable[[WorstCase], WorstCase]:
    """A worst case in which the first running task's bar is another."""

    def planted(worst_case: WorstCase) -> WorstCase:
        place = next(i for i, s in enumerate(worst_case.excerpt.slices) if s.name == "running")
        slices = list(worst_case.excerpt.slices)
        slices[place] = change(slices[place])
        kept = replace(worst_case.excerpt, slices=tuple(s for s in slices if s is not None))
        return replace(worst_case, excerpt=kept)

    return planted


def _without(field: str) -> Callable[[WorstCase], WorstCase]:
    """A worst case that lost one of a kind."""

    def planted(worst_case: WorstCase) -> WorstCase:
        values = getattr(worst_case.excerpt, field)
        return replace(worst_case, excerpt=replace(worst_case.excerpt, **{field: values[1:]}))

    return planted


PLANTED = {
    "a bar begins a cycle later": _slice(lambda s: replace(s, begin=s.begin + 1)),
    "a bar ends a cycle earlier": _slice(lambda s: replace(s, end=s.end - 1)),
    "a bar is on another track": _slice(lambda s: replace(s, track=f"tasks / {MIDDLE}")),
    "a bar is missing": _slice(lambda _: None),
    "an arrow is missing": _without("arrows"),
    "an event is missing": _without("instants"),
}


@pytest.mark.parametrize("defect", PLANTED)
def test_planted_windows_are_noticed(run: RunResult, defect: str) -> None:
    assert differences(run, svg_of(PLANTED[defect](worst_case_of(run)))) != []


def test_planted_pictures_are_noticed(run: RunResult, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data are right and the place is wrong; and an excerpt whose marks are cut wrongly."""
    worst_case = worst_case_of(run)
    right = timeline._Scale.x
    with monkeypatch.context() as planted:
        planted.setattr(timeline._Scale, "x", lambda self, c: right(self, c + (c > 0)))
        assert misplaced(shapes(svg_of(worst_case))) != []
    began = perfetto._Drawing.begin

    def late(self: Any, cycle: int, track: str, name: str, **values: Any) -> Any:
        for mark in began(self, cycle, track, name, **values):
            yield replace(mark, cycle=cycle + 1) if mark.kind == "begin" else mark

    with monkeypatch.context() as planted:
        planted.setattr(perfetto._Drawing, "begin", late)
        assert differences(run, svg_of(worst_case_of(run))) != []
    assert differences(run, svg_of(worst_case)) == []


def test_words_say_what_the_picture_says(run: RunResult) -> None:
    worst_case = worst_case_of(run)
    lines = list(table_of(Panel("hwrtos", 0, worst_case)))
    count = len(worst_case.excerpt.slices) + len(worst_case.excerpt.instants)
    assert len(lines) == count and {line["kernel"] for line in lines} == {"hwrtos"}
    length = worst_case.cycles
    waits = [line for line in lines if line["track"] == "high, waits"]
    assert waits == [
        {
            "kernel": "hwrtos",
            "when": f"0 … {length}",
            "track": "high, waits",
            "what": "mutex 0 of task 2, ended by task 2",
        }
    ]
    assert any(line["when"].startswith("before …") for line in lines)
    assert any(line["when"].endswith("… later") for line in lines)


@pytest.mark.parametrize("earlier", [MARGIN, 2000])
def test_an_excerpt_is_the_same_of_a_part_of_the_run(run: RunResult, earlier: int) -> None:
    """Tasks that wait or inherit when the part begins are known."""
    begin, end = span(Probes(run))
    for first, last in ((begin - MARGIN, end + MARGIN), (end - 20, end + MARGIN)):
        excerpts = []
        for since, until in ((0, None), (max(first - earlier, 0), last + MARGIN)):
            events, known = annotated(run.system, run.events, since, until)
            marks = perfetto.marks(events, run.system.parameters.tasks, known)
            excerpts.append(excerpt(marks, first, last))
        whole, part = (
            {
                (s.track, s.name, s.begin, s.end, s.by)
                for s in each.slices
                if s.track.startswith(("waits", "priorities"))
            }
            for each in excerpts
        )
        assert whole == part and any(s[0].startswith("priorities") for s in whole)
        assert excerpts[0].arrows == excerpts[1].arrows
        assert excerpts[0].instants == excerpts[1].instants


def test_cycles_with_interrupts_off_are_those_of_the_span() -> None:
    track = "core 0 / interrupts off"
    marks = [
        Mark(cycle, track, kind, "interrupts off")
        for cycle, kind in ((90, "begin"), (105, "end"), (150, "begin"), (160, "end"))
    ]
    marks += [Mark(195, track, "begin", "interrupts off"), Mark(230, track, "end")]
    kept = WorstCase("x", {}, 100, 200, excerpt(marks, 80, 220))
    assert interrupts_off(kept) == 5 + 10 + 5
    assert [s.end for s in kept.excerpt.slices] == [105, 160, 220]  # the last is cut at the end


def test_tracks_without_an_event_are_left_out() -> None:
    marks = [
        Mark(1, "tasks / task 1", "begin", "running"),
        Mark(2, "tasks / task 2", "begin", "ready"),
        Mark(50, "tasks / task 1", "end"),
        Mark(900, "tasks / task 2", "end"),
        Mark(60, "kernel", "instant", "tick"),
        Mark(901, "core 0 / tracepoints", "instant", "tracepoint 1"),
    ]
    kept = excerpt(marks, 40, 70)
    assert kept.tracks == ["kernel", "tasks / task 1"]
    assert [(s.begin, s.end) for s in kept.slices] == [(40, 50)]


def test_of_many_kernels_the_slowest_and_the_fastest_are_compared() -> None:
    cycles = {"a": 50, "b": 900, "c": 60, "d": 400, "e": 300, "f": 100}
    worst_cases = {
        name: WorstCase("x", {}, 0, value, Excerpt(0, value)) for name, value in cycles.items()
    }
    shown = replace(TWO, worst_cases=worst_cases)
    assert timeline.extremes(shown) == ["a", "c", "d", "b"]
    few = replace(TWO, worst_cases={name: worst_cases[name] for name in "bac"})
    assert timeline.extremes(few) == ["a", "c", "b"]


def test_a_row_has_room_for_its_name() -> None:
    assert timeline._row_name("priorities / task 2 low") == "↑ low"
    assert timeline._row_name("core 0 / interrupts off") == "interrupts off"
    assert timeline._row_name("tasks / task 3 a_very_long_name") == "a_very_long_n…"


@pytest.mark.parametrize(
    ("track", "shown"),
    [
        ("tasks / task 1 woken", "woken"),
        ("tasks / task 7", "task 7"),
        ("tasks / idle", "idle"),
        ("waits / task 1 woken", "woken, waits"),
        ("core 0 / interrupts off", "interrupts off"),
        ("kernel", "kernel"),
    ],
)
def test_short_names(track: str, shown: str) -> None:
    assert short(track) == shown
