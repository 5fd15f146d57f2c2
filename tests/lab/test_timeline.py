# SPDX-License-Identifier: Apache-2.0
"""Questions to a timeline: how long did a task wait for a semaphore, and who gave it; who ran
when; who inherited from whom; who missed its deadline. The answers are computed from the file that
was written, with Perfetto's own schema, and from the events of the probes, without the model."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from mel_gen import ANSWER_WAITING, Command, IrqAction, TraceKind
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

from melanion import build, config
from melanion.run import RunResult, run_program
from melanion.run.annotations import annotated
from melanion.run.tasks import task_names
from melanion.trace import perfetto
from melanion.trace.annotations import Began, Ended, Inherits
from melanion.trace.perfetto import timeline

APP = Path(__file__).parents[1] / "system" / "drawn"
SYSTEMS = [
    "hwrtos",
    "sw",
    *(pytest.param(n, marks=pytest.mark.soak) for n in ("banked", "port")),
]
HIGH, MIDDLE, LOW = "task 0 high", "task 1 middle", "task 2 low"
NUMBER = {HIGH: 0, MIDDLE: 1, LOW: 2}
SHELLS = (
    "trace_processor_shell",
    "trace_processor",
)  # Perfetto's own, by the names of its releases


@dataclass
class Slice:
    """From, to (cycles), name, arguments."""

    begin: int
    name: str
    end: int = -1
    values: dict[str, Any] = field(default_factory=dict)


@dataclass
class Answers:
    """A timeline read back: slices and instants (cycle, name) by path of track, arrows as (cycle,
    name) of the place they leave and (cycle, track) of the one they come to."""

    slices: dict[str, list[Slice]] = field(default_factory=dict)
    instants: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    arrows: list[tuple[tuple[int, str], tuple[int, str]]] = field(default_factory=list)

    def waits(self, task: str, what: str) -> list[tuple[int, int, str]]:
        """Waits of a task for an object (from, to, ended by); not those that end with the run."""
        own = self.slices.get(f"waits / {task}", [])
        return [
            (s.begin, s.end, s.values["by"]) for s in own if s.name == what and "by" in s.values
        ]

    def ran(self, core: int) -> list[tuple[int, str]]:
        """Cycle and task of each dispatch on a core."""
        return [(s.begin, s.name) for s in self.slices[f"core {core} / task"]]

    def running(self, task: str) -> list[tuple[int, int]]:
        return [(s.begin, s.end) for s in self.slices[f"tasks / {task}"] if s.name == "running"]

    def inherited(self, task: str) -> list[tuple[int, int, str]]:
        """From, to, the priority and whose it is."""
        return [(s.begin, s.end, s.name) for s in self.slices.get(f"priorities / {task}", [])]

    def missed(self, task: str) -> list[int]:
        own = self.instants.get(f"tasks / {task}", [])
        return [cycle for cycle, name in own if name == "deadline missed"]


def asked(content: bytes) -> Answers:
    """Reads a file by the official schema."""
    trace, found = Trace(), Answers()
    trace.ParseFromString(content)
    paths: dict[int, str] = {}
    left: dict[int, tuple[int, str]] = {}
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            about = packet.track_descriptor
            above = paths.get(about.parent_uuid)
            paths[about.uuid] = f"{above} / {about.name}" if above else about.name
            continue
        event = packet.track_event
        values = {
            a.name: a.string_value if a.HasField("string_value") else a.int_value
            for a in event.debug_annotations
        }
        cycle, path = values.pop("cycle"), paths[event.track_uuid]
        slices = found.slices.setdefault(path, [])
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            slices.append(Slice(cycle, event.name, values=values))
        elif event.type == TrackEvent.TYPE_SLICE_END:
            slices[-1].end = cycle
            slices[-1].values.update(values)
        else:
            found.instants.setdefault(path, []).append((cycle, event.name))
        for arrow in event.flow_ids:
            left[arrow] = (cycle, event.name)
        for arrow in event.terminating_flow_ids:
            found.arrows.append((left.pop(arrow), (cycle, path)))
    assert left == {}, "arrows that come nowhere"
    return found


# ---- the same from the probes --------------------------------------------------------------------


class Probes:
    """The events of a run, asked without a model."""

    def __init__(self, result: RunResult) -> None:
        names = ("cycle", "kind", "core", "a", "b", "c", "d")
        self.events: list[tuple[int, ...]] = result.events[[*names]].tolist()
        self.idle = result.system.parameters.tasks

    def dispatches(self) -> list[tuple[int, int]]:
        """Cycle and task; a handler's end that changes nothing is none."""
        found, running = [], self.idle
        for cycle, kind, _, a, *_ in self.events:
            if kind == TraceKind.DISPATCH and a != running:
                found.append((cycle, a))
                running = a
        return found

    def calls(self, op: Command, task: int | None = None) -> list[tuple[int, int]]:
        """Cycle and status of the commands of a task."""
        found, running = [], self.idle
        for cycle, kind, _, a, _, _, d in self.events:
            if kind == TraceKind.DISPATCH:
                running = a
            elif kind == TraceKind.COMMAND and a & 0xFF == op and task in (None, running):
                found.append((cycle, d))
        return found

    def gives(self) -> list[tuple[int, str]]:
        """Gives of the only semaphore: by `low`, and by the interrupt."""
        found = [(cycle, "task 2") for cycle, _ in self.calls(Command.SEMAPHORE_GIVE)]
        found += [
            (cycle, f"interrupt {a}")
            for cycle, kind, _, a, b, *_ in self.events
            if kind == TraceKind.IRQ and b == IrqAction.SEMAPHORE_GIVE
        ]
        return sorted(found)

    def waits(self) -> list[tuple[int, int, str]]:
        """Waits of `middle` for the semaphore."""
        takes = [c for c, status in self.calls(Command.SEMAPHORE_TAKE, 1) if status == WAITS]
        ends = self.gives()
        return [
            (take, *next(g for g in ends if g[0] > take)) for take in takes if take < ends[-1][0]
        ]


WAITS = ANSWER_WAITING & 0xFFFF_FFFF


def differences(result: RunResult, answers: Answers) -> list[str]:
    """Questions to which timeline and probes give other answers."""
    probes = Probes(result)
    by_name = {number: name for name, number in NUMBER.items()}
    wrong = []

    def ask(question: str, shown: object, probed: object) -> None:
        if shown != probed:
            wrong.append(f"{question}: {shown}, the probes say {probed}")

    ask("waits for semaphore 0", answers.waits(MIDDLE, "semaphore 0"), probes.waits())
    switches = probes.dispatches()
    ran = [(cycle, by_name[task]) for cycle, task in switches if task != probes.idle]
    ask("who ran when", answers.ran(0), ran)
    ends = [*(cycle for cycle, _ in switches[1:]), result.cycles]
    for name, number in NUMBER.items():
        spans = [(c, e) for (c, task), e in zip(switches, ends, strict=True) if task == number]
        ask(f"when {name} ran", answers.running(name), spans)
    (locked,) = (c for c, status in probes.calls(Command.MUTEX_LOCK, 0) if status == WAITS)
    (unlocked,) = (c for c, _ in probes.calls(Command.MUTEX_UNLOCK, 2))
    ask("inheritance", answers.inherited(LOW), [(locked, unlocked, f"1 of {HIGH}")])
    ask(
        "waits for mutex 0",
        answers.waits(HIGH, "mutex 0 of task 2"),
        [(locked, unlocked, "task 2")],
    )
    misses = [e[0] for e in probes.events if e[1] == TraceKind.MISS]
    ask("misses", answers.missed(MIDDLE), misses)
    arrows = [
        *(((c, _giver(by)), (c, f"tasks / {MIDDLE}")) for c, by in probes.gives()),
        ((unlocked, "mutex_unlock(0)"), (unlocked, f"tasks / {HIGH}")),
    ]
    ask("arrows", sorted(answers.arrows), sorted(arrows))
    return wrong


def _giver(by: str) -> str:
    return f"{by}: semaphore_give" if by.startswith("interrupt") else "semaphore_give(0)"


def drawn(result: RunResult) -> bytes:
    events, annotations = annotated(result.system, result.events)
    system = result.system
    names = task_names(result.program)
    return timeline(events, system.parameters.tasks, system.clock_hz, annotations, names)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_timeline_answers_as_the_probes_do(name: str) -> None:
    result = run_program(config.find(name), build.application(str(APP)))
    answers = asked(drawn(result))
    assert differences(result, answers) == []
    waits = answers.waits(MIDDLE, "semaphore 0")
    assert [by for _, _, by in waits] == ["task 2", "interrupt 1"]
    has_deadlines = not config.find(name).kernel_info.replayed or bool(answers.missed(MIDDLE))
    assert has_deadlines == (name != "sw")


def _later(drawing: Any, cycle: int, annotations: Any) -> Any:
    yield from TELL(drawing, cycle + (isinstance(annotations, Ended)), annotations)


def _another_giver(drawing: Any, cycle: int, annotations: Any) -> Any:
    if isinstance(annotations, Inherits):
        annotations = Inherits(annotations.task, annotations.priority, annotations.base, (1,))
    yield from TELL(drawing, cycle, annotations)


def _no_wait(drawing: Any, cycle: int, annotations: Any) -> Any:
    if not isinstance(annotations, Began):
        yield from TELL(drawing, cycle, annotations)


TELL = perfetto._Drawing.tell
PLANTED: dict[str, Callable[..., Any]] = {
    "waits end a cycle later": _later,
    "another task is the heir's giver": _another_giver,
    "waits do not begin": _no_wait,
}


def test_wrong_timelines_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run_program(config.find("hwrtos"), build.application(str(APP)))
    for name, tell in PLANTED.items():
        with monkeypatch.context() as planted:
            planted.setattr(perfetto._Drawing, "tell", tell)
            assert differences(result, asked(drawn(result))) != [], name
    swapped = drawn(result).replace(b"task 1 middle", b"task 2 middle")
    with pytest.raises((AssertionError, KeyError)):
        assert differences(result, asked(swapped)) == []
    assert differences(result, asked(drawn(result))) == []


def test_a_wait_that_ends_while_its_task_is_still_on_the_core() -> None:
    """The arrow comes to an instant: the task was never seen to leave."""
    result = run_program(config.find("hwrtos"), build.application(str(APP)))
    events, annotations = annotated(result.system, result.events)
    first = next(n for n, each in annotations.of.items() if isinstance(each[0], Ended))
    taken = next(n for n, each in annotations.of.items() if isinstance(each[0], Began))
    kept = [i for i in range(len(events)) if not taken < i < first or i == first]
    moved = {i: annotations.of[old] for i, old in enumerate(kept) if old in (taken, first)}
    (end,) = (each for each in moved[max(moved)] if isinstance(each, Ended))
    moved[max(moved)] = (Ended(end.task, end.by, max(moved), True),)
    content = timeline(events[kept], 64, 100_000_000, type(annotations)(moved), {})
    assert asked(content).instants["tasks / task 1"][0][1] == "woken"


@pytest.mark.soak
def test_objects_in_c_have_waits_too() -> None:
    """There a call is made of records of C and of the unit (docs/decisions/0022)."""
    result = run_program(config.find("booster"), build.application("pingpong"))
    answers = asked(drawn(result))
    waits = answers.waits("task 0 ping", "semaphore 0") + answers.waits(
        "task 1 pong", "semaphore 1"
    )
    gives = [name for _, name in answers.instants["kernel"] if name.startswith("semaphore_give")]
    assert len(waits) == len(answers.arrows) == len(gives) - 1 == 199  # the first finds nobody


# ---- Perfetto's own reader -----------------------------------------------------------------------

SHELL = next((path for name in SHELLS if (path := shutil.which(name))), None)
WAIT_QUERY = """
  SELECT s.ts AS begin, s.dur AS length FROM slice s JOIN track t ON s.track_id = t.id
  JOIN track p ON t.parent_id = p.id
  WHERE p.name = 'waits' AND t.name = '{task}' AND s.name = '{what}' ORDER BY s.ts"""
RAN_QUERY = """
  SELECT s.ts AS begin, s.name AS name FROM slice s JOIN track t ON s.track_id = t.id
  JOIN track p ON t.parent_id = p.id WHERE p.name = 'core 0' AND t.name = 'task' ORDER BY s.ts"""


@pytest.mark.skipif(
    SHELL is None, reason=f"Perfetto's trace processor is not here ({' or '.join(SHELLS)} on PATH)"
)
def test_perfettos_trace_processor_answers_the_same(tmp_path: Path) -> None:
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig

    result = run_program(config.find("hwrtos"), build.application(str(APP)))
    (tmp_path / "run").write_bytes(drawn(result))
    probes, tick = Probes(result), 1_000_000_000 // result.system.clock_hz
    processor = TraceProcessor(
        trace=str(tmp_path / "run"), config=TraceProcessorConfig(bin_path=SHELL)
    )
    try:
        query = WAIT_QUERY.format(task=MIDDLE, what="semaphore 0")
        waits = [(row.begin // tick, row.length // tick) for row in processor.query(query)]
        assert waits[:2] == [(begin, end - begin) for begin, end, _ in probes.waits()]
        ran = [(row.begin // tick, NUMBER[row.name]) for row in processor.query(RAN_QUERY)]
        assert ran == [each for each in probes.dispatches() if each[1] != probes.idle]
    finally:
        processor.close()
