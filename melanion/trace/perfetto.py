# SPDX-License-Identifier: Apache-2.0
"""A trace as a Perfetto timeline: tracks per task, per core, and one of the kernel (the unit, or
the software kernel).

What a track shows: a task that it runs (slice `running`), or, while it does not, in which call it
waits, that it is ready, or that it was preempted, and the deadlines that it missed; a core its
task, its traps and the spans with interrupts disabled; the kernel its commands, ticks, timeouts,
interrupts and misses as instants. Each carries its cycle as an annotation, since Perfetto's time is
in whole nanoseconds. What the events do not say comes from annotations: what each task waits for,
from its command to the event that ends the wait (`waits`), an arrow from that event to the task
that is ready by it, and the priorities that are inherited (`priorities`); without one none of it is
drawn, nor that a task is ready: it is `off core` where nobody follows the kernel. `answer` and
`turn` are not drawn: the command shows the first, and the second changes nothing that one could
see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mel_gen import ANSWER_WAITING, Command, Context, IrqAction, Status, TraceKind
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

from melanion.trace.annotations import Annotation, Annotations, Began, Ended, Inherits
from melanion.trace.events import INTERFACE_TRACEPOINT, Events

SEQUENCE = 1  # one writer
KERNEL = "kernel"  # the track of its events
HANDLER = 0xFFFF  # as a reader
CAUSES = {
    0x000B: "system call",
    0x8003: "dispatch interrupt",
    0x8007: "timer interrupt",
    0x800B: "external interrupt",
}


@dataclass(frozen=True)
class Mark:
    """One event of the timeline. `kind`: begin, end or instant; `values` become annotations; arrows
    `leave` from it, or `arrive` at it, by number."""

    cycle: int
    track: str
    kind: str
    name: str = ""
    values: dict[str, int | str] = field(default_factory=dict)
    leave: tuple[int, ...] = ()
    arrive: tuple[int, ...] = ()


def marks(
    events: Events,
    tasks: int,
    annotations: Annotations | None = None,
    names: Mapping[int, str] | None = None,
    commands: Mapping[int, str] | None = None,
) -> Iterator[Mark]:
    """The timeline of a trace. `tasks`: the limit of the system, which is also the number of the
    idle context; `names`: of tasks; `commands`: of a user's commands."""
    drawing = _Drawing(tasks, names or {}, annotations or Annotations(), commands or {})
    for number, (cycle, kind, core, a, b, c, d) in enumerate(
        events[["cycle", "kind", "core", "a", "b", "c", "d"]].tolist()
    ):
        draw = DRAW.get(kind)
        if draw is not None:
            leave = tuple(drawing.arrows.get(number, ()))
            for mark in draw(drawing, cycle, core, a, b, c, d):
                yield replace(mark, leave=leave) if mark.track == KERNEL else mark
        for annotation in drawing.annotations.of.get(number, ()):
            yield from drawing.tell(cycle, annotation)
    yield from drawing.close(int(events["cycle"][-1]) if len(events) else 0)


def timeline(
    events: Events,
    tasks: int,
    clock_hz: int,
    annotations: Annotations | None = None,
    names: Mapping[int, str] | None = None,
    commands: Mapping[int, str] | None = None,
) -> bytes:
    """The file's content: a protobuf `Trace` of Perfetto's official schema. Time 0 is reset."""
    trace = Trace()
    numbers: dict[str, int] = {}
    drawn = marks(events, tasks, annotations, names, commands)
    for mark in sorted(drawn, key=lambda each: each.cycle):
        track = numbers.get(mark.track)
        if track is None:
            track = numbers[mark.track] = _add_track(trace, mark.track, numbers)
        packet = trace.packet.add()
        packet.trusted_packet_sequence_id = SEQUENCE
        packet.timestamp = mark.cycle * 1_000_000_000 // clock_hz
        event = packet.track_event
        event.track_uuid = track
        event.type = _TYPES[mark.kind]
        if mark.kind != "end":
            event.name = mark.name
        event.flow_ids.extend(mark.leave)
        event.terminating_flow_ids.extend(mark.arrive)
        for key, value in {"cycle": mark.cycle, **mark.values}.items():
            annotation = event.debug_annotations.add()
            annotation.name = key
            if isinstance(value, str):
                annotation.string_value = value
            else:
                annotation.int_value = value
    content: bytes = trace.SerializeToString()
    return content


_TYPES = {
    "begin": TrackEvent.TYPE_SLICE_BEGIN,
    "end": TrackEvent.TYPE_SLICE_END,
    "instant": TrackEvent.TYPE_INSTANT,
}


def _add_track(trace: Trace, name: str, numbers: dict[str, int]) -> int:
    """Describe a track; `tasks / task 3` stands under `tasks`."""
    uuid = len(numbers) + 1
    group, _, own = name.rpartition(" / ")
    if group and group not in numbers:
        numbers[group] = uuid
        _describe(trace, uuid, group, None)
        uuid += 1
    _describe(trace, uuid, own, numbers.get(group))
    return uuid


def _describe(trace: Trace, uuid: int, name: str, parent: int | None) -> None:
    packet = trace.packet.add()
    packet.trusted_packet_sequence_id = SEQUENCE
    packet.track_descriptor.uuid = uuid
    packet.track_descriptor.name = name
    if parent is not None:
        packet.track_descriptor.parent_uuid = parent


class _Drawing:
    """State of the drawing: open slices, running tasks and waiting calls."""

    def __init__(
        self,
        tasks: int,
        names: Mapping[int, str],
        annotations: Annotations,
        commands: Mapping[int, str],
    ) -> None:
        self.idle = tasks
        self.names = names
        self.commands = commands
        self.annotations = annotations
        # Arrows: event → those that leave from it; a wait that ends → its own.
        self.arrows: dict[int, list[int]] = defaultdict(list)
        self.arrow_of: dict[int, int] = {}
        ends = (each for each_event in annotations.of.values() for each in each_event)
        for end in ends:
            if isinstance(end, Ended) and end.cause is not None and end.ready:
                self.arrow_of[id(end)] = len(self.arrow_of) + 1
                self.arrows[end.cause].append(len(self.arrow_of))
        self.off = "preempted" if annotations.known else "off core"
        self.running: dict[int, int] = {}  # core → task
        self.call: dict[int, str] = {}  # task → the call in which it waits
        self.gone: set[int] = set()  # tasks that became dormant while they ran
        self.open: set[str] = set()  # tracks with an open slice

    def begin(self, cycle: int, track: str, name: str, **values: int | str) -> Iterator[Mark]:
        yield from self.end(cycle, track)
        self.open.add(track)
        yield Mark(cycle, track, "begin", name, values)

    def end(self, cycle: int, track: str, **values: int | str) -> Iterator[Mark]:
        if track in self.open:
            self.open.remove(track)
            yield Mark(cycle, track, "end", values=values)

    def tell(self, cycle: int, annotation: Annotation) -> Iterator[Mark]:
        """Marks for the consequences of an event, behind the event itself."""
        match annotation:
            case Began(task, what):
                yield from self.begin(cycle, f"waits / {self.label(task)}", what)
            case Ended(task, by):
                yield from self.end(cycle, f"waits / {self.label(task)}", by=by)
                yield from self.woken(cycle, annotation)
            case Inherits(task, priority, base, givers):
                track = f"priorities / {self.label(task)}"
                if priority == base:
                    yield from self.end(cycle, track)
                    return
                whose = ", ".join(map(self.label, givers)) or "a ceiling"
                yield from self.begin(cycle, track, f"{priority} of {whose}", own=base)

    def woken(self, cycle: int, annotation: Ended) -> Iterator[Mark]:
        """The task is ready, unless a core is still at the call in which it waited."""
        track = self.task(annotation.task)
        self.call.pop(annotation.task, None)
        arrow = self.arrow_of.get(id(annotation))
        arrive = () if arrow is None else (arrow,)
        if annotation.task in self.running.values():
            yield Mark(cycle, track, "instant", "woken", arrive=arrive)
        elif annotation.ready:
            for mark in self.begin(cycle, track, "ready"):
                yield replace(mark, arrive=arrive) if mark.kind == "begin" else mark
        else:
            yield from self.end(cycle, track)

    def close(self, cycle: int) -> Iterator[Mark]:
        for track in sorted(self.open):
            yield from self.end(cycle, track)

    def task(self, number: int) -> str:
        return f"tasks / {self.label(number)}"

    def label(self, number: int) -> str:
        """`task 3 ping`."""
        if number == self.idle:
            return "idle"
        return f"task {number} {self.names.get(number, '')}".rstrip()


def _name(kind: type[Command] | type[Status] | type[IrqAction], value: int) -> str:
    try:
        return kind(value).name
    except ValueError:
        return str(value)


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def _command(
    now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int
) -> Iterator[Mark]:
    name = now.commands.get(a & 0xFF) or _name(Command, a & 0xFF).lower()
    call = f"{name}({b})"
    status = _signed(d)
    runner = now.running.get(core, now.idle)
    if status == ANSWER_WAITING:  # a task called, even if the kernel reports no caller
        now.call[runner] = call
    elif a >> 8 == Context.TASK and a & 0xFF == Command.TASK_EXIT:
        now.gone.add(runner)
    answer = "WAITING" if status == ANSWER_WAITING else _name(Status, status)
    yield Mark(cycle, KERNEL, "instant", call, {"argument": c, "status": answer, "core": core})


def _dispatch(
    now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int
) -> Iterator[Mark]:
    if c:
        yield from now.end(cycle, f"core {core} / handler")
    if a == now.running.get(core):
        return
    left = now.running.get(core, b)
    now.running[core] = a
    if left in now.gone or left == now.idle:
        now.gone.discard(left)
        yield from now.end(cycle, now.task(left))
    elif left != a:
        call = now.call.get(left)
        yield from now.begin(cycle, now.task(left), call or now.off, core=core)
    now.call.pop(a, None)
    yield from now.begin(cycle, now.task(a), "running", core=core)
    if a == now.idle:
        yield from now.end(cycle, f"core {core} / task")
    else:
        yield from now.begin(cycle, f"core {core} / task", now.label(a))


def _tick(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    yield Mark(cycle, KERNEL, "instant", "tick", {"counter": b | c << 32})


def _timeout(
    now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int
) -> Iterator[Mark]:
    yield Mark(
        cycle, KERNEL, "instant", f"timeout of task {a}", {"status": _name(Status, _signed(d))}
    )


def _release(
    now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int
) -> Iterator[Mark]:
    yield Mark(
        cycle, KERNEL, "instant", f"release of task {a}", {"status": _name(Status, _signed(d))}
    )


def _reader(now: _Drawing, number: int) -> str:
    return {HANDLER: "a handler", now.idle: "idle"}.get(number, f"task {number}")


def _operand(
    now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int
) -> Iterator[Mark]:
    yield Mark(cycle, KERNEL, "instant", "operand", {"value": c, "core": core})


def _value(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    name = f"value for {_reader(now, a)}"
    yield Mark(cycle, KERNEL, "instant", name, {"value": c, "core": core})


def _orphan(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    owner = "nobody" if a == now.idle else f"task {a}"
    name = f"mutex {b} of task {c}, which ended"
    yield Mark(cycle, KERNEL, "instant", name, {"owner": owner})


def _inherit(
    now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int
) -> Iterator[Mark]:
    yield Mark(cycle, KERNEL, "instant", f"task {a} inherits", {"priority": c})


def _slice(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    yield Mark(cycle, KERNEL, "instant", f"end of the slice of task {a}", {"core": core})


def _miss(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    what = "budget used up by" if b else "deadline missed by"
    yield Mark(cycle, KERNEL, "instant", f"{what} task {a}")
    yield Mark(cycle, now.task(a), "instant", "budget used up" if b else "deadline missed")


def _irq(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    values: dict[str, int | str] = {"object": c, "status": _name(Status, _signed(d))}
    yield Mark(cycle, KERNEL, "instant", f"interrupt {a}: {_name(IrqAction, b).lower()}", values)


def _claim(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    name = "spurious" if a == 0xFFFF else f"handler of interrupt {a}"
    yield from now.begin(cycle, f"core {core} / handler", name)


def _trap(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    yield from now.begin(cycle, f"core {core} / trap", CAUSES.get(a, f"trap {a:#x}"), pc=b)


def _mret(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    yield from now.end(cycle, f"core {core} / trap")


def _irq_off(
    now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int
) -> Iterator[Mark]:
    track = f"core {core} / interrupts off"
    yield Mark(cycle - b, track, "begin", "interrupts off", {"cycles": b, "pc": c})
    yield Mark(cycle, track, "end")


def _wire(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    yield Mark(cycle, "interrupt lines", "instant", f"line {a}")


def _tracepoint(
    now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int
) -> Iterator[Mark]:
    if a < INTERFACE_TRACEPOINT:
        track, values = f"core {core} / tracepoints", dict[str, int | str](first=b, second=c)
        yield Mark(cycle, track, "instant", f"tracepoint {a}", values)


def _marker(now: _Drawing, cycle: int, core: int, a: int, b: int, c: int, d: int) -> Iterator[Mark]:
    yield Mark(cycle, f"core {core} / markers", "instant", f"marker {a}", {"value": b})


DRAW = {
    TraceKind.COMMAND: _command,
    TraceKind.DISPATCH: _dispatch,
    TraceKind.TICK: _tick,
    TraceKind.TIMEOUT: _timeout,
    TraceKind.RELEASE: _release,
    TraceKind.ORPHAN: _orphan,
    TraceKind.INHERIT: _inherit,
    TraceKind.SLICE: _slice,
    TraceKind.MISS: _miss,
    TraceKind.OPERAND: _operand,
    TraceKind.VALUE: _value,
    TraceKind.IRQ: _irq,
    TraceKind.CLAIM: _claim,
    TraceKind.TRAP: _trap,
    TraceKind.MRET: _mret,
    TraceKind.IRQ_OFF: _irq_off,
    TraceKind.IRQ_WIRE: _wire,
    TraceKind.TRACEPOINT: _tracepoint,
    TraceKind.MARKER: _marker,
}
