"""Programs on the whole system: an interrupt in every cycle of every call (row 8), a storm (11)."""

from __future__ import annotations

from collections import defaultdict

from mel_gen import TraceKind

from melanion import build, paths
from melanion.config import System
from melanion.run import RunResult, run_program

CALL_BEGIN, CALL_END = 1, 2  # points of apps/faults/interrupted
WAITING = 40  # and above: numbers of calls that wait for a tick or for the pulse
MARK_TURNS, MARK_LOST = 1, 2  # of apps/faults/storm
LOADS = 7


def app(name: str) -> build.App:
    return build.application(paths.data_root() / "apps" / "faults" / name)


def interrupted(
    system: System,
    *,
    delays: int,
    handle: bool,
    seed: int = 1,
    wait_states: int | str = 0,
    unit_wait_states: int | str = 0,
    max_cycles: int | None = None,
) -> RunResult:
    """`delays`: rounds. `handle`: a handler gives the signal, and does more; else the line's action
    does. Raises RunError for a wrong status, ReplayError for a wrong schedule."""
    defines: dict[str, int | str] = {"DELAYS": delays, "HANDLE": int(handle)}
    return run_program(
        system,
        app("interrupted"),
        defines=defines,
        seed=seed,
        wait_states=wait_states,
        unit_wait_states=unit_wait_states,
        max_cycles=max_cycles,
    )


def interrupted_at_random(system: System, seed: int) -> RunResult:
    """Few rounds, in which each access has wait states of its own."""
    return interrupted(
        system,
        delays=20,
        handle=True,
        seed=seed,
        wait_states="0-7",
        unit_wait_states="0-20",
        max_cycles=10_000_000,
    )


def cycles_missed(result: RunResult, reach: int) -> dict[int, list[int]]:
    """Per call: cycles between its two points in which no pulse came. The call's length is the
    shortest one with the pulse outside; of a call that waits, the first `reach` cycles."""
    pulses = [int(e["cycle"]) for e in result.events[result.events["kind"] == TraceKind.IRQ_WIRE]]
    calls = _calls(result)
    hit: dict[int, set[int]] = defaultdict(set)
    alone: dict[int, int] = {}
    for (number, start, stop), pulse in zip(calls, pulses, strict=True):
        hit[number].add(pulse - start)
        if not start <= pulse < stop:
            alone[number] = min(alone.get(number, stop - start), stop - start)
    missed = {}
    for number, length in alone.items():
        wanted = min(length, reach) if number >= WAITING else length
        missed[number] = sorted(set(range(wanted)) - hit[number])
    assert missed.keys() == hit.keys()
    return {number: cycles for number, cycles in missed.items() if cycles}


def _calls(result: RunResult) -> list[tuple[int, int, int]]:
    """Number, first and last cycle of every call. The instruction behind a call may be a loop's
    and report its point again: the first counts."""
    found: list[tuple[int, int, int]] = []
    begun: tuple[int, int] | None = None
    for point in result.events[result.events["kind"] == TraceKind.POINT]:
        cycle, number = int(point["cycle"]), int(point["b"])
        if point["a"] == CALL_BEGIN:
            begun = (number, cycle)
        elif begun is not None and point["a"] == CALL_END:
            found.append((*begun, cycle))
            begun = None
    return found


def storm(system: System, handle: bool) -> tuple[list[int], int, int, int]:
    """apps/faults/storm: turns of the most urgent task per load, first in calm; edges that came,
    that the unit reports as served, that only its register counts."""
    defines: dict[str, int | str] = {"HANDLE": int(handle)}
    events = run_program(system, app("storm"), defines=defines).events
    marks = events[events["kind"] == TraceKind.MARKER]
    turns = marks[marks["a"] == MARK_TURNS]["b"].tolist()
    (lost,) = marks[marks["a"] == MARK_LOST]["b"].tolist()
    irqs = events[events["kind"] == TraceKind.IRQ]
    without_effect = int((irqs["d"] != 0).sum())
    came = int((events["kind"] == TraceKind.IRQ_WIRE).sum())
    return turns, came, len(irqs), lost - without_effect


def check_storm(system: System, *, handle: bool = False) -> None:
    """The most urgent task makes as many turns in any storm as in calm, to one turn; every edge is
    served or counted."""
    turns, came, served, merged = storm(system, handle)
    assert max(turns) - min(turns) <= 1, turns
    assert len(turns) == LOADS
    assert came == served + merged
    assert merged > came // 4, "the last storm is none: too few edges met a pending one"
