# SPDX-License-Identifier: Apache-2.0
"""The Perfetto timeline, read back with the official schema and compared with the events."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import pytest
from mel_gen import ANSWER_WAITING, Command, Context, IrqAction, Status, TraceKind
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

from melanion import build, config
from melanion.run import run_program
from melanion.trace import EVENT, Events
from melanion.trace.annotations import Annotations
from melanion.trace.perfetto import DRAW, timeline

TASKS = 64  # also the idle context
CLOCK_HZ = 100_000_000

Record = tuple[int, int, int, int, int, int]


def events(records: list[Record]) -> Events:
    """(cycle, kind, a, b, c, d)."""
    return np.array([(r[0], r[1], 0, *r[2:]) for r in records], dtype=EVENT)


@dataclass
class Track:
    """Track as read back: slices (from, to, name), instants (cycle, name, annotations)."""

    slices: list[tuple[int, int, str]] = field(default_factory=list)
    instants: list[tuple[int, str, dict[str, int | str]]] = field(default_factory=list)
    opened: list[tuple[int, str]] = field(default_factory=list)


def read_back(content: bytes, clock_hz: int = CLOCK_HZ) -> dict[str, Track]:
    """Tracks by path, such as `tasks / task 3`. Every slice must be closed."""
    trace = Trace()
    trace.ParseFromString(content)
    names: dict[int, str] = {}
    tracks: dict[str, Track] = defaultdict(Track)
    last = 0
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            descriptor = packet.track_descriptor
            parent = names.get(descriptor.parent_uuid)
            name = str(descriptor.name)
            assert descriptor.uuid not in names
            names[descriptor.uuid] = f"{parent} / {name}" if parent else name
            continue
        event = packet.track_event
        values = {
            a.name: a.string_value if a.HasField("string_value") else a.int_value
            for a in event.debug_annotations
        }
        cycle = values.pop("cycle")
        assert isinstance(cycle, int)
        assert packet.timestamp == cycle * 1_000_000_000 // clock_hz
        assert packet.timestamp >= last
        last = packet.timestamp
        track = tracks[names[event.track_uuid]]
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            track.opened.append((cycle, event.name))
        elif event.type == TrackEvent.TYPE_SLICE_END:
            start, name = track.opened.pop()
            track.slices.append((start, cycle, name))
        else:
            track.instants.append((cycle, event.name, values))
    assert not any(track.opened for track in tracks.values())
    return dict(tracks)


def command(cycle: int, op: Command, number: int, argument: int, status: int) -> Record:
    kind = TraceKind.COMMAND
    return (cycle, kind, op | Context.TASK << 8, number, argument, status & 0xFFFFFFFF)


def dispatch(cycle: int, task: int, before: int, ended_handler: int = 0) -> Record:
    return (cycle, TraceKind.DISPATCH, task, before, ended_handler, 0)


def test_words_mutexes_of_ended_tasks_and_misses_are_instants_of_the_kernel() -> None:
    records: list[Record] = [
        (10, TraceKind.OPERAND, 0, 0, 7, 0),
        (20, TraceKind.VALUE, 3, 0, 8, 0),
        (30, TraceKind.VALUE, 0xFFFF, 0, 9, 0),
        (40, TraceKind.VALUE, TASKS, 0, 10, 0),
        (50, TraceKind.ORPHAN, 4, 2, 3, 0),
        (60, TraceKind.ORPHAN, TASKS, 1, 3, 0),
        (70, TraceKind.SLICE, 4, 0, 0, 0),
        (80, TraceKind.MISS, 4, 0, 0, 0),
        (90, TraceKind.MISS, 3, 1, 0, 0),
    ]
    assert read_back(timeline(events(records), TASKS, CLOCK_HZ))["kernel"].instants == [
        (10, "operand", {"value": 7, "core": 0}),
        (20, "value for task 3", {"value": 8, "core": 0}),
        (30, "value for a handler", {"value": 9, "core": 0}),
        (40, "value for idle", {"value": 10, "core": 0}),
        (50, "mutex 2 of task 3, which ended", {"owner": "task 4"}),
        (60, "mutex 1 of task 3, which ended", {"owner": "nobody"}),
        (70, "end of the slice of task 4", {"core": 0}),
        (80, "deadline missed by task 4", {}),
        (90, "budget used up by task 3", {}),
    ]


def test_every_kind_of_event_is_drawn_but_these() -> None:
    assert set(TraceKind) - set(DRAW) == {
        TraceKind.ANSWER,  # the command shows it
        TraceKind.TURN,  # changes nothing that one could see
        TraceKind.EXIT,
        TraceKind.STACK,
    }


def test_tasks_run_wait_and_are_preempted() -> None:
    tracks = read_back(
        timeline(
            events(
                [
                    dispatch(10, 3, TASKS),
                    command(20, Command.SEMAPHORE_TAKE, 5, 100, ANSWER_WAITING),
                    dispatch(25, 4, 3),
                    command(40, Command.SEMAPHORE_GIVE, 5, 0, Status.E_OK),
                    dispatch(45, 3, 4),
                    command(60, Command.TASK_EXIT, 0, 0, Status.E_OK),
                    dispatch(65, 4, 3),
                    command(70, Command.SEMAPHORE_TAKE, 9, 0, Status.E_NOEXS),
                    (90, TraceKind.EXIT, 0, 0, 0, 0),
                ]
            ),
            TASKS,
            CLOCK_HZ,
        )
    )
    assert tracks["tasks / task 3"].slices == [
        (10, 25, "running"),
        (25, 45, "semaphore_take(5)"),
        (45, 65, "running"),
    ]
    assert tracks["tasks / task 4"].slices == [
        (25, 45, "running"),
        (45, 65, "preempted"),
        (65, 90, "running"),
    ]
    assert tracks["kernel"].instants == [
        (20, "semaphore_take(5)", {"argument": 100, "status": "WAITING", "core": 0}),
        (40, "semaphore_give(5)", {"argument": 0, "status": "E_OK", "core": 0}),
        (60, "task_exit(0)", {"argument": 0, "status": "E_OK", "core": 0}),
        (70, "semaphore_take(9)", {"argument": 0, "status": "E_NOEXS", "core": 0}),
    ]


def test_a_wait_has_its_call_also_where_the_kernel_does_not_say_who_calls() -> None:
    """The kernel in software."""
    take = Command.SEMAPHORE_TAKE | Context.UNKNOWN << 8
    wait = ANSWER_WAITING & 0xFFFF_FFFF
    records: list[Record] = [
        dispatch(10, 3, TASKS),
        (20, TraceKind.COMMAND, take, 5, 100, wait),
        dispatch(25, 4, 3),
        (90, TraceKind.EXIT, 0, 0, 0, 0),
    ]
    tracks = read_back(timeline(events(records), TASKS, CLOCK_HZ))
    assert tracks["tasks / task 3"].slices == [(10, 25, "running"), (25, 90, "semaphore_take(5)")]


def test_where_nobody_follows_the_kernel_a_task_is_off_core() -> None:
    """It may wait, or be ready; a system call is named."""
    records: list[Record] = [
        dispatch(10, 3, TASKS),
        (20, TraceKind.TRAP, 11, 0x1000_0100, 0, 0),
        dispatch(25, 4, 3),
        (30, TraceKind.MRET, 0, 0, 0, 0),
        (90, TraceKind.EXIT, 0, 0, 0, 0),
    ]
    tracks = read_back(timeline(events(records), TASKS, CLOCK_HZ, Annotations(known=False)))
    assert tracks["tasks / task 3"].slices == [(10, 25, "running"), (25, 90, "off core")]
    assert tracks["core 0 / trap"].slices == [(20, 30, "system call")]


def test_interrupts_ticks_and_the_core() -> None:
    tracks = read_back(
        timeline(
            events(
                [
                    (5, TraceKind.IRQ_WIRE, 7, 0, 0, 0),
                    (8, TraceKind.TRAP, 0x800B, 0x10000200, 0, 0),
                    (20, TraceKind.CLAIM, 7, 0, 0, 0),
                    (22, TraceKind.IRQ, 7, IrqAction.SEMAPHORE_GIVE, 5, Status.E_OK),
                    dispatch(40, 3, TASKS, 1),
                    (50, TraceKind.MRET, 0, 0x10000300, 0, 0),
                    (52, TraceKind.IRQ_OFF, 0, 44, 0x10000400, 0),
                    (100, TraceKind.TICK, 0, 2, 1, 0),
                    (101, TraceKind.TIMEOUT, 9, 0, 0, Status.E_TMOUT & 0xFFFFFFFF),
                    (102, TraceKind.RELEASE, 8, 0, 0, Status.E_DLT & 0xFFFFFFFF),
                    (103, TraceKind.TRACEPOINT, 2, 77, 0, 0),
                    (104, TraceKind.MARKER, 1, 6, 0, 0),
                    (110, TraceKind.EXIT, 0, 0, 0, 0),
                ]
            ),
            TASKS,
            CLOCK_HZ,
        )
    )
    assert tracks["interrupt lines"].instants == [(5, "line 7", {})]
    assert tracks["core 0 / trap"].slices == [(8, 50, "external interrupt")]
    assert tracks["core 0 / handler"].slices == [(20, 40, "handler of interrupt 7")]
    assert tracks["core 0 / interrupts off"].slices == [(8, 52, "interrupts off")]
    assert tracks["kernel"].instants == [
        (22, "interrupt 7: semaphore_give", {"object": 5, "status": "E_OK"}),
        (100, "tick", {"counter": (1 << 32) + 2}),
        (101, "timeout of task 9", {"status": "E_TMOUT"}),
        (102, "release of task 8", {"status": "E_DLT"}),
    ]
    assert tracks["core 0 / tracepoints"].instants == [
        (103, "tracepoint 2", {"first": 77, "second": 0})
    ]
    assert tracks["core 0 / markers"].instants == [(104, "marker 1", {"value": 6})]


def test_times_of_a_clock_that_does_not_divide_a_nanosecond() -> None:
    content = timeline(events([(100, TraceKind.TICK, 0, 1, 0, 0)]), TASKS, 66_000_000)
    assert read_back(content, 66_000_000)["kernel"].instants[0][0] == 100


@pytest.mark.parametrize("kernel", ["sw", "hwrtos"])
def test_a_real_run(kernel: str) -> None:
    """Every event of a kernel is on the timeline, in its cycle; every dispatch moves `running`."""
    system = config.find(kernel)
    trace = run_program(system, build.application("pingpong")).events
    tracks = read_back(timeline(trace, system.parameters.tasks, system.clock_hz), system.clock_hz)

    def cycles(*kinds: TraceKind) -> list[int]:
        found: list[int] = trace["cycle"][np.isin(trace["kind"], kinds)].tolist()
        return found

    def begins(track: str, name: str = "") -> list[int]:
        slices = tracks[track].slices if track in tracks else []
        return [start for start, _, found in slices if found == name or not name]

    kernel_kinds = (TraceKind.COMMAND, TraceKind.TICK, TraceKind.TIMEOUT, TraceKind.RELEASE)
    assert [i[0] for i in tracks["kernel"].instants] == cycles(*kernel_kinds, TraceKind.IRQ)
    assert begins("core 0 / trap") == cycles(TraceKind.TRAP)
    assert [s[1] for s in tracks["core 0 / interrupts off"].slices] == cycles(TraceKind.IRQ_OFF)
    dispatches = trace[trace["kind"] == TraceKind.DISPATCH]
    changed = dispatches[dispatches["a"] != dispatches["b"]]
    assert len(changed) > 10
    for task in np.unique(changed["a"]).tolist():
        track = "tasks / idle" if task == system.parameters.tasks else f"tasks / task {task}"
        assert begins(track, "running") == changed["cycle"][changed["a"] == task].tolist()


def test_unknown_numbers_and_an_empty_trace() -> None:
    """A refused command with a number that no command has is drawn as it is."""
    tracks = read_back(
        timeline(
            events([(3, TraceKind.COMMAND, 63, 4, 0, Status.E_RSFN & 0xFFFFFFFF)]), TASKS, CLOCK_HZ
        )
    )
    assert tracks["kernel"].instants[0][1] == "63(4)"
    assert read_back(timeline(events([]), TASKS, CLOCK_HZ)) == {}
