# SPDX-License-Identifier: Apache-2.0
"""Programs on the whole system: an interrupt in every cycle of every call (row 8), a storm (11)."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
from mel_gen import TraceKind

from melanion import build, config, paths
from melanion.config import System
from melanion.run import RunResult, Settings, run_program
from melanion.trace import Events

SET_UP = 10  # cycles from the store that asks for a pulse to the call, without wait states
CALL_BEGIN, CALL_END = 1, 2  # tracepoints of apps/faults/interrupted
WAITING = 80  # and above: numbers of calls that wait for a tick or for the pulse
MARK_TURNS, MARK_LOST, MARK_GAP, MARK_MISSED = 1, 2, 3, 4  # markers of apps/faults/storm
LINES = 4
LOADS = 11
WINDOW, PERIODS = 8000, 8  # cycles, ticks
TICK, LIMIT = 2000, 5  # cycles; handlers in a tick
ENTRY_AND_RETURN = 10  # cycles, at most, that a trap costs before its first and after its last
SLACK = 0.02  # share of a window: a handler at its end, and the loop's last turn


def app(name: str) -> build.App:
    return build.application(paths.data_root() / "apps" / "faults" / name)


def banked(variant: str = "main", resident: int = 4, cores: int = 1) -> System:
    """The system `banked` with another core, another number of contexts at hand, or more cores."""
    system = config.find("banked" if cores == 1 else f"banked-{cores}")
    core = system.core.model_copy(update={"variant": variant, "resident": resident})
    return system.model_copy(update={"core": core})


def interrupted(
    system: System,
    *,
    delays: int,
    handle: bool,
    seed: int = 1,
    wait_states: int | str = 0,
    unit_wait_states: int | str = 0,
    max_cycles: int | None = None,
    phase: int = 0,
) -> RunResult:
    """`delays`: rounds. `handle`: a handler gives the signal, and does more; else the line's action
    does. `phase`: cycles by which ticks come earlier. Raises RunError for a wrong status,
    ReplayError for a wrong schedule."""
    defines: dict[str, int | str] = {"DELAYS": delays, "HANDLE": int(handle)}
    if phase:
        defines["PHASE"] = phase
    return run_program(
        system,
        app("interrupted"),
        Settings(
            defines=defines,
            seed=seed,
            wait_states=wait_states,
            unit_wait_states=unit_wait_states,
            max_cycles=max_cycles,
        ),
    )


ROUNDS = 20  # rounds of interrupted_at_random


def interrupted_at_random(system: System, seed: int, max_cycles: int = 10_000_000) -> RunResult:
    """Few rounds, in which each access has wait states of its own."""
    return interrupted(
        system,
        delays=ROUNDS,
        handle=True,
        seed=seed,
        wait_states="0-7",
        unit_wait_states="0-20",
        max_cycles=max_cycles,
    )


def cycles_missed(
    result: RunResult, reach: int, unjudged: frozenset[int] = frozenset()
) -> dict[int, list[int]]:
    """Per call: cycles between its two tracepoints in which no pulse came. The call's length is the
    shortest one with the pulse outside; of a call that waits, the first `reach` cycles. Calls
    `unjudged` have pulses elsewhere."""
    pulses = [int(e["cycle"]) for e in result.events[result.events["kind"] == TraceKind.IRQ_WIRE]]
    calls = _calls(result)
    hit: dict[int, set[int]] = defaultdict(set)
    alone: dict[int, int] = {}
    for (number, start, stop), pulse in zip(calls, pulses, strict=True):
        if number in unjudged:
            continue
        hit[number].add(pulse - start)
        if not start <= pulse < stop:
            alone[number] = min(alone.get(number, stop - start), stop - start)
    missed = {}
    for number, length in alone.items():
        wanted = min(length, reach) if number >= WAITING else length
        missed[number] = sorted(set(range(wanted)) - hit[number])
    assert missed.keys() == hit.keys()
    return {number: cycles for number, cycles in missed.items() if cycles}


def rounds_made(result: RunResult) -> dict[int, int]:
    """Per call: how often it was made."""
    return dict(Counter(number for number, _, _ in _calls(result)))


def _calls(result: RunResult) -> list[tuple[int, int, int]]:
    """Number, first and last cycle of every call. The instruction behind a call may be a loop's
    and report its tracepoint again: the first counts."""
    found: list[tuple[int, int, int]] = []
    begun: tuple[int, int] | None = None
    for tracepoint in result.events[result.events["kind"] == TraceKind.TRACEPOINT]:
        cycle, number = int(tracepoint["cycle"]), int(tracepoint["b"])
        if tracepoint["a"] == CALL_BEGIN:
            begun = (number, cycle)
        elif begun is not None and tracepoint["a"] == CALL_END:
            found.append((*begun, cycle))
            begun = None
    return found


@dataclass(frozen=True)
class Storm:
    """apps/faults/storm on one system. `turns` of the most urgent task by the gap between two
    pulses of a line, in cycles (0: calm); `handling`: cycles that the core spends on a pulse; edges
    that came, that the kernel reports as served, that only the unit's register counts."""

    turns: dict[int, int]
    handling: float
    came: int
    served: int
    merged: int

    def share(self, gap: int) -> float:
        """Share of its time that the most urgent task keeps, compared with calm."""
        return self.turns[gap] / self.turns[0]

    def left(self, gap: int) -> float:
        """Share of the time that is left when every pulse is handled."""
        return max(0.0, 1 - LINES * self.handling / gap)


def storm(system: System, handle: bool, limit: int = 0) -> Storm:
    """`handle`: every line runs an empty C handler; `limit`: so many in a tick, which is shorter
    then. Raises RunError, ReplayError."""
    defines: dict[str, int | str] = {"HANDLE": int(handle), "UNIT": int(system.unit)}
    if limit:
        defines |= {"LIMIT": limit, "TICK": TICK}
    events = run_program(system, app("storm"), Settings(defines=defines)).events
    return Storm(_by_gap(events, MARK_TURNS), _handling(events), *_losses(events))


@dataclass(frozen=True)
class Periods:
    """A storm with the unit and handlers, and a most urgent task that needs half of every tick.
    `missed`: periods missed of PERIODS, by the gap. Traps that claim: most cycles in a tick, cycles
    of the longest one, and their number in the fullest tick. Edges: as in Storm."""

    missed: dict[int, int]
    cycles: int
    longest: int
    claims: int
    came: int
    served: int
    merged: int


def periods(system: System, limit: int) -> Periods:
    """`limit`: of handlers in a tick; 0: none. Raises RunError, ReplayError."""
    defines: dict[str, int | str] = {"HANDLE": 1, "PERIODIC": 1, "TICK": TICK, "LIMIT": limit}
    events = run_program(system, app("storm"), Settings(defines=defines)).events
    kinds = events["kind"]
    claims, ticks, begins, ends = (
        np.flatnonzero(kinds == kind)
        for kind in (TraceKind.CLAIM, TraceKind.TICK, TraceKind.TRAP, TraceKind.IRQ_OFF)
    )
    # A trap ends with interrupts on again: one that switches to a task inside a call has no mret.
    claims = claims[claims < ends[-1]]  # the run may end inside a handler
    first = events["cycle"][begins[np.searchsorted(begins, claims) - 1]].astype(int)
    last = events["cycle"][ends[np.searchsorted(ends, claims)]].astype(int)
    cycles = last - first + ENTRY_AND_RETURN
    tick = np.searchsorted(ticks, claims)
    return Periods(
        _by_gap(events, MARK_MISSED),
        int(np.bincount(tick, cycles).max()),
        int(cycles.max()),
        int(np.bincount(tick).max()),
        *_losses(events),
    )


def _by_gap(events: Events, mark: int) -> dict[int, int]:
    marks = events[events["kind"] == TraceKind.MARKER]
    gaps, values = (marks[marks["a"] == m]["b"].tolist() for m in (MARK_GAP, mark))
    return dict(zip(gaps, values, strict=True))


def _losses(events: Events) -> tuple[int, int, int]:
    """Edges that came, were served, and are in the unit's register alone."""
    marks = events[events["kind"] == TraceKind.MARKER]
    (lost,) = marks[marks["a"] == MARK_LOST]["b"].tolist()
    irqs = events[events["kind"] == TraceKind.IRQ]
    came = int((events["kind"] == TraceKind.IRQ_WIRE).sum())
    return came, len(irqs), lost - int((irqs["d"] != 0).sum())


def _handling(events: Events) -> float:
    """Cycles in traps per pulse, while the lightest storm blows."""
    marks = np.flatnonzero((events["kind"] == TraceKind.MARKER) & (events["a"] != MARK_LOST))
    window = events[
        marks[2] : marks[3]
    ]  # MARK_GAP and MARK_TURNS alternate; the first pair is calm
    traps = window[np.isin(window["kind"], (TraceKind.TRAP, TraceKind.MRET))]
    cycles = np.diff(traps["cycle"].astype(int))[::2] + ENTRY_AND_RETURN
    return float(cycles.sum() / (window["kind"] == TraceKind.IRQ_WIRE).sum())


def check_storm(storm: Storm) -> None:
    """The most urgent task makes as many turns in any storm as in calm, to one turn; every edge is
    served or counted."""
    turns = storm.turns.values()
    assert max(turns) - min(turns) <= 1, storm.turns
    assert len(turns) == LOADS
    check_losses(storm)


def check_losses(storm: Storm | Periods) -> None:
    """Every edge is served or counted; the last loads do make edges meet a pending one."""
    assert storm.came == storm.served + storm.merged
    assert storm.merged > storm.came // 4, "the last storm is none: too few edges met a pending one"


def check_handlers(storm: Storm) -> None:
    """The most urgent task keeps at least what handling every pulse leaves; that may be nothing,
    and then it is."""
    for gap in storm.turns.keys() - {0}:
        assert storm.share(gap) >= storm.left(gap) - SLACK, (gap, storm)
    shares = [storm.share(gap) for gap in sorted(storm.turns, reverse=True) if gap != 0]
    assert shares[0] > 0.5, "the first storm is no light load"
    assert shares[-1] < 0.01, "the last storm left the task something: is there a bound now?"


def check_bound(storm: Storm) -> None:
    """Whatever the load, the most urgent task keeps what as many handlers as the limit lets begin
    leave, each as long as in the lightest storm. A window meets one tick more than it holds."""
    kept = 1 - (WINDOW // TICK + 1) * LIMIT * storm.handling / WINDOW
    assert kept > 0.2, "the limit leaves too little to be told from none"
    shares = {gap: round(storm.share(gap), 3) for gap in storm.turns}
    assert min(shares.values()) >= kept - SLACK, (kept, shares)
    assert min(shares.values()) < 0.95, "no storm: the handlers took next to nothing"


def check_periods(limited: Periods) -> None:
    """At any load the most urgent task is done before the next tick; handlers take no more of a
    tick than the limit times the longest one."""
    assert len(limited.missed) == LOADS
    assert not any(limited.missed.values()), f"a period was missed: {limited}"
    assert limited.claims <= LIMIT, f"more handlers in a tick than the limit: {limited}"
    assert limited.cycles <= LIMIT * limited.longest, f"they take more than their share: {limited}"
    assert limited.claims == LIMIT, "no storm: the limit was never reached"


def check_unlimited(periods: Periods) -> None:
    """Check that the loads of the limited run are too much without a limit."""
    shares = [periods.missed[gap] for gap in sorted(periods.missed, reverse=True) if gap != 0]
    assert periods.missed[0] == shares[0] == 0, "the first storm is no light load"
    assert shares[-1] == PERIODS, "the last storm left the task something: is there a limit?"
    assert periods.cycles > LIMIT * periods.longest, "handlers keep to a limit that is not there"


def check_limited(bounded: Storm, periodic: Periods) -> None:
    """With a limit: both bounds; every edge is served or counted."""
    print(bounded, periodic, sep="\n")
    check_bound(bounded)
    check_losses(bounded)
    check_periods(periodic)
    check_losses(periodic)
