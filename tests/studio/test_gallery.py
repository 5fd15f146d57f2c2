# SPDX-License-Identifier: Apache-2.0
"""The programs of the page (apps/gallery): their description, and what they do natively."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mel_gen import TraceKind

from melanion import build, config
from melanion.run import RunResult, Settings, run_program
from melanion.spec.yaml_file import read
from melanion.studio.errors import StudioError
from melanion.studio.gallery import FILE, folder, load, parse
from melanion.studio.programs import built
from tests.studio.seen import spans

GALLERY = load()
SYSTEMS = list(GALLERY.systems)
PROGRAMS = list(GALLERY.programs)
TIMER_TRAP = 0x8007
QUICK = ("freertos", "hwrtos")  # in every run; the others in the soak
SOME = [pytest.param(each, marks=[] if each in QUICK else pytest.mark.soak) for each in SYSTEMS]


def run(program: str, system: str, **knobs: int) -> RunResult:
    """A run as the page begins it."""
    return run_at(program, system, None, knobs)


def run_at(
    program: str, system: str, times: Sequence[int] | None, knobs: Mapping[str, int]
) -> RunResult:
    """A run whose pulses a visitor has moved to these cycles."""
    row = GALLERY.programs[program]
    pulses = tuple(
        (line.number, cycle)
        for line in row.lines
        for cycle in (line.pulses if times is None else times)
    )
    settings = Settings(max_cycles=row.cycles, endless=True, pulses=pulses, variables=knobs)
    app = build.freertos_application(GALLERY.folder(program))
    return run_program(config.find(system), app, settings)


def test_every_folder_is_in_the_gallery() -> None:
    folders = {path.parent.name for path in folder().glob("*/main.c")}
    assert folders == set(PROGRAMS)


@pytest.mark.parametrize("system", SOME)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_runs_to_its_limit_and_measures_something(program: str, system: str) -> None:
    """Every run is replayed; on freertos the program's assertions decide."""
    result = run(program, system)
    assert result.cycles == GALLERY.programs[program].cycles
    given = sum(len(line.pulses) for line in GALLERY.programs[program].lines if line.number == 3)
    found = spans(result)
    assert len(found) == given if given and program != "storm" else len(found) > 1


@pytest.mark.parametrize("program", PROGRAMS)
def test_knobs_reach_their_ends(program: str) -> None:
    """At the least and at the largest value of every knob the program runs, and measures."""
    row, shortest = GALLERY.programs[program], config.find("hwrtos").tick_cycles_minimum
    for end in ("least", "most"):
        values = {k: getattr(v, end) for k, v in row.knobs.items()}
        values |= {k: max(values[k], shortest) for k, v in row.knobs.items() if v.tick}
        assert spans(run(program, "hwrtos", **values))


def ticks(result: RunResult) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Cycles between two ticks."""
    events = result.events
    if result.system.kernel_info.replayed:
        found = events[events["kind"] == TraceKind.TICK]
    else:
        found = events[(events["kind"] == TraceKind.TRAP) & (events["a"] == TIMER_TRAP)]
    cycles: np.ndarray[Any, np.dtype[np.int64]] = np.diff(found["cycle"].astype(np.int64))
    return cycles


@pytest.mark.parametrize("cycles", [10_000, 3000, 750])
@pytest.mark.parametrize("system", SOME)
def test_a_tick_has_the_length_of_its_knob(system: str, cycles: int) -> None:
    """Software takes the tick with interrupts off, so single ticks may come late, none is lost."""
    [knob] = [name for name, each in GALLERY.knobs.items() if each.tick]
    found = ticks(run("deadlock", system, **{knob: cycles}))
    assert len(found) >= (GALLERY.programs["deadlock"].cycles - 50_000) // cycles
    assert np.median(found) == pytest.approx(cycles, abs=40)
    assert abs(float(np.mean(found)) - cycles) < 10


def test_every_program_has_the_knobs_of_all() -> None:
    assert list(GALLERY.knobs) == ["tick_cycles"]
    for row in GALLERY.programs.values():
        assert list(row.knobs)[-1] == "tick_cycles" and row.knobs["tick_cycles"].tick


@pytest.mark.parametrize("system", SOME)
def test_as_many_tasks_wait_and_rise_as_the_knobs_say(system: str) -> None:
    def tasks(program: str, **knobs: int) -> int:
        events = run(program, system, **knobs).events
        points = events[events["kind"] == TraceKind.TRACEPOINT]
        return int((points["a"] == 0x1F0).sum())

    assert [tasks("timeouts", sleepers=n) for n in (1, 24)] == [2, 25]
    assert [tasks("storm", storm_lines=n) for n in (1, 4)] == [3, 6]


def test_the_unit_is_earlier_than_software() -> None:
    """The page's first sight: the worst wake-up by an interrupt, over pulses in 25 phases of the
    background's work. Which coupling is the earliest needs a sweep: each may meet a call in a phase
    in which the others do not."""
    times = range(40_000, 59_500, 787)
    worst = {system: max(spans(run_at("interrupt", system, times, {}))) for system in SYSTEMS}
    software = min(worst["sw"], worst["freertos"])
    assert max(worst["hwrtos"], worst["port"], worst["banked"]) < software


def test_inheritance_ends_the_inversion() -> None:
    with_it, without = (max(spans(run("inversion", "hwrtos", inherits=n))) for n in (1, 0))
    assert with_it < without / 2


@pytest.mark.parametrize("system", SOME)
def test_only_a_timeout_ends_the_deadlock(system: str) -> None:
    tick = 10_000
    assert max(spans(run("deadlock", system))) > tick
    assert max(spans(run("deadlock", system, opposite=0))) < tick


def test_tasks_tell_their_names() -> None:
    result = run("interrupt", "hwrtos")
    points = result.events[result.events["kind"] == TraceKind.TRACEPOINT]
    told = [(int(p["a"]), int(p["b"])) for p in points if 0x1F0 <= p["a"] <= 0x1F2]
    assert [a for a, _ in told] == [0x1F0, 0x1F1, 0x1F2] * 4
    image = result.program.content.data
    names = [image[address - 0x1000_0000 :].split(b"\0")[0] for a, address in told if a == 0x1F1]
    assert names == [b"control", b"a", b"b", b"c"]
    assert len({number for a, number in told if a == 0x1F0}) == 4


def test_addresses_have_functions_and_lines() -> None:
    """What the page shows of an instruction: its function, its file and line."""
    document = built(GALLERY, "storm", config.find("hwrtos"), lambda _: None).document
    functions = {name: address for address, _, name in document["functions"]}
    addresses = [row[0] for row in document["lines"]["rows"]]
    _, file, line = document["lines"]["rows"][bisect_right(addresses, functions["control"]) - 1]
    assert document["lines"]["files"][file] == "app/main.c"
    source = (GALLERY.folder("storm") / "main.c").read_text().splitlines()
    assert source[line - 1] in ("static void control(void *unused)", "{")
    assert not [name for name in document["lines"]["files"] if name.startswith("/")]


@pytest.mark.parametrize("system", SOME)
def test_every_trap_is_in_a_function(system: str) -> None:
    """Assembler code, too, which has no sizes."""
    functions = built(GALLERY, "storm", config.find(system), lambda _: None).document["functions"]
    events = run("storm", system).events
    addresses = {int(pc) for pc in events[events["kind"] == TraceKind.IRQ_OFF]["c"]}
    assert len(addresses) > 2
    for address in addresses:
        place = bisect_right([first for first, _, _ in functions], address) - 1
        first, size, name = functions[place]
        assert first <= address < first + size, f"{address:#x} is behind {name}"


# ---- the file ----------------------------------------------------------------------------------

PROGRAM = """systems: {sw: {title: t, text: t}}
programs:
  one: {title: t, text: t, cycles: 1000, LINE}
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "lines: [{number: 3, name: n, pulses: [10, 1000]}]",
            "gallery.yaml:3: programs.one.lines[0].pulses holds 1000, and the run ends in cycle"
            " 1000; name an earlier cycle, or a longer run.",
        ),
        (
            "lines: [{number: 3, name: n, pulses: [20, 10]}]",
            "gallery.yaml:3: programs.one.lines[0].pulses is not in order of time; sort it, and"
            " name no cycle twice.",
        ),
        (
            "knobs: {k: {title: t, least: 5, most: 5}}",
            "gallery.yaml:3: programs.one.knobs.k.most is 5; it must be more than least, 5.",
        ),
        (
            "}\nknobs: {all: {title: t, least: 2, most: 1}",
            "gallery.yaml:4: knobs.all.most is 1; it must be more than least, 2.",
        ),
        (
            "knobs: {k: {title: t, least: 0, most: 1, choices: [a]}}",
            "gallery.yaml:3: programs.one.knobs.k.choices names 1 values, and there are 2 from"
            " least to most; name each.",
        ),
        (
            "lines: [{number: 64, name: n, pulses: [10]}]",
            "gallery.yaml:3: programs.one.lines[0].number is 64; allowed is a whole number 0 … 63;"
            " correct the value.",
        ),
    ],
)
def test_a_wrong_gallery_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_text(PROGRAM.replace("LINE", text))
    with pytest.raises(StudioError) as error:
        parse(read(tmp_path / FILE, FILE))
    assert error.value.message == said


def test_names_that_are_not_there() -> None:
    with pytest.raises(StudioError) as error:
        GALLERY.chosen((), ("storms",))
    assert error.value.message == (
        "'storms' is no program of the page (there are interrupt, timeouts, inversion, pingpong,"
        " flags, storm, deadlock); did you mean storm."
    )
    assert list(GALLERY.chosen(("sw",), ("storm",)).programs) == ["storm"]
