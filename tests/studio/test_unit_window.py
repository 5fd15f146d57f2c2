# SPDX-License-Identifier: Apache-2.0
"""Windows on the unit (soc/sim/unit): its cycles in a page are those of the native simulation, byte
by byte, and the words at their addresses are those that the unit executes."""

from __future__ import annotations

import gzip
import json
import shlex
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from melanion import build, config, micro, soc
from melanion.build.wasm import web_hardware
from melanion.micro import report
from melanion.run import simulation
from melanion.run.settings import Decided, pulses_text
from melanion.soc import Purpose, Sources
from melanion.studio.microprogram import listing
from melanion.studio.programs import built
from tests.common.needed import needs, problem
from tests.studio.test_wasm import FILES, GALLERY, decided

RUNNER = Path(__file__).with_name("run_window.cjs")
WITNESS = Path(__file__).with_name("unit_words.sv")
RECORD = struct.Struct("<IHH")  # soc/sim/unit/window.h
UNITS = [name for name in GALLERY.systems if config.find(name).unit]
NEAR = 1500  # cycles of a window


def window(program: str) -> tuple[Decided, int]:
    """A run that ends soon after its first interrupt, and the first cycle of its window."""
    end = min(line.pulses[0] for line in GALLERY.programs[program].lines) * 4 + NEAR
    return decided(program, "hwrtos", seed=7, max_cycles=end), end - 2 * NEAR


def native(program: str, system: str, folder: Path) -> bytes:
    """Records of the native simulation."""
    settings, first = window(program)
    chosen = config.find(system)
    app = build.freertos_application(GALLERY.folder(program))
    hardware, image = build.hardware(chosen, Purpose.UNIT), build.program(chosen, app)
    return simulation.watched(hardware, image, settings, folder, first, lambda _: None)[0]


def in_page(program: str, system: str, folder: Path) -> bytes:
    """Records of the simulation in a page, held before the window as its worker holds it."""
    settings, first = window(program)
    found = built(GALLERY, program, config.find(system), lambda _: None)
    hardware = web_hardware(config.find(system))
    (folder / "image").write_bytes(found.image)
    (folder / "tracepoints").write_text(found.document["tracepoints"])
    waits = str(settings.wait_states)
    words = [*shlex.split(FILES), "--max-cycles", str(1 << 50), "--seed", str(settings.seed)]
    words += ["--wait-states", waits, "--data-wait-states", waits, *found.document["arguments"]]
    node = shutil.which("node")
    assert node is not None
    pulses = ",".join(pulses_text(settings.pulses).split())
    runner = [node, str(RUNNER), str(hardware.script), str(hardware.module), str(folder)]
    runner += [str(first - 400), pulses, str(first), str(settings.max_cycles), *words]
    done = subprocess.run(runner, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    return (folder / "cycles").read_bytes()


def witnessed(
    program: str, system: str, folder: Path, patch: pytest.MonkeyPatch
) -> list[tuple[int, bool, bool, int]]:
    """Address, stall, annulled and word of every cycle of the unit, by another probe."""
    real, chosen = soc.rtl_sources, config.find(system)
    app = build.freertos_application(GALLERY.folder(program))
    image = build.program(chosen, app)
    with patch.context() as within:
        within.setattr(
            soc,
            "rtl_sources",
            lambda each: Sources((*real(each).files, WITNESS), real(each).includes),
        )
        hardware = build.hardware(chosen)
    words = simulation.command(hardware, image, window(program)[0], folder, [])
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    found, address = [], 0
    for line in said.splitlines():
        _, fetched, stalls, annulled, word = line.split()
        found.append((address, stalls == "1", annulled == "1", int(word, 16)))
        address = address if stalls == "1" else int(fetched, 16)
    return found


def disagreements(records: bytes, seen: list[tuple[int, bool, bool, int]]) -> list[str]:
    """Cycles in which a window says something else than the witness, or than the program: the run
    of both ends in the same cycle."""
    cycles = list(RECORD.iter_unpack(records))
    values, tables = micro.assemble().values, micro.assemble().tables
    found = []
    for (cycle, address, flags), (at, stalls, annulled, word) in zip(
        cycles, seen[-len(cycles) :], strict=True
    ):
        value = values[address] & (1 << tables.width) - 1
        constant = (1 << 32) - 1 << tables.width - 32  # of the unit, where the word names a size
        if values[address] >> tables.width:
            value, word = value & ~constant, word & ~constant
        if (address, flags & 1, flags >> 1 & 1, value) != (at, annulled, stalls, word):
            found.append(f"cycle {cycle}: {address:#x}, the unit is at {at:#x}")
    return found


CASES = [
    pytest.param(system, marks=[] if system == "hwrtos" else pytest.mark.soak) for system in UNITS
]


@needs("emscripten", problem("emscripten"))
@needs("npm", problem("npm"))
@pytest.mark.parametrize("system", CASES)
def test_a_window_in_a_page_is_that_of_the_native_simulation(system: str, tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("native", "page")]
    for place in places:
        place.mkdir()
    first, second = native("interrupt", system, places[0]), in_page("interrupt", system, places[1])
    assert len(first) > 100 * RECORD.size
    assert first == second


@pytest.mark.parametrize("system", CASES)
def test_a_window_shows_the_words_that_the_unit_executes(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its control: a window whose addresses are shifted by one."""
    records = native("interrupt", system, tmp_path)
    seen = witnessed("interrupt", system, tmp_path, monkeypatch)
    assert disagreements(records, seen) == []
    shifted = b"".join(RECORD.pack(c, a + 1, f) for c, a, f in RECORD.iter_unpack(records))
    assert len(disagreements(shifted, seen)) == len(records) // RECORD.size


def test_a_probe_that_shows_the_next_word_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mutant of the RTL: the address of the word that is fetched, not of the executed one."""
    [probe] = soc.simulation_rtl(config.find("hwrtos"), Purpose.UNIT)
    mutant = tmp_path / probe.name
    text = probe.read_text()
    mutant.write_text(
        text.replace("mel_probe_word(32'(address_q)", "mel_probe_word(32'(fetched_i)")
    )
    assert mutant.read_text() != text
    planted = {Purpose.UNIT: (mutant,)}
    monkeypatch.setattr(soc, "simulation_rtl", lambda _, purpose: planted.get(purpose, ()))
    records = native("interrupt", "hwrtos", tmp_path)
    assert disagreements(records, witnessed("interrupt", "hwrtos", tmp_path, monkeypatch))


def test_a_run_without_a_window_has_no_other_hardware() -> None:
    """What is measured neither has the probe nor the C++ behind it."""
    system = config.find("hwrtos")
    usual = build.simulator.sources(system)
    names = {path.name for path in (*usual.rtl.files, *usual.simulation.files)}
    assert not names & {"mel_probe_engine.sv", "window.cpp", "watched.cpp"}
    watched = build.simulator.sources(system, Purpose.UNIT)
    assert {path.name for path in watched.rtl.files} - {path.name for path in usual.rtl.files} == {
        "mel_probe_engine.sv"
    }


def test_the_listing_of_a_page_is_that_of_the_assembler() -> None:
    program = micro.assemble()
    found = json.loads(gzip.decompress(listing(config.find("hwrtos"))))
    rows = {row[0]: row for row in found["words"]}
    assert list(rows) == sorted(program.words)
    take = program.symbols["command semaphore_take"]
    _, label, offset, text, _, file, line = rows[take + 1]
    assert (label, offset) == ("command semaphore_take", 1)
    assert text == program.words[take + 1].text
    assert (found["files"][file], line) == (
        "hw/micro/semaphore.mu",
        program.words[take + 1].place.line,
    )
    assert rows[program.symbols["idle"]][4].startswith("reads the record")
    symbols = dict(line.split(" ", 1)[::-1] for line in report.symbols(program).splitlines())
    assert int(symbols["command semaphore_take"], 16) == take


def test_a_unit_without_objects_has_the_lean_listing() -> None:
    system = config.find("hwrtos")
    none = dict.fromkeys(("semaphores", "event_flags", "queues", "mutexes"), 0)
    sizes = system.parameters.model_copy(update=none)
    lean = system.model_copy(update={"parameters": sizes})
    found = json.loads(gzip.decompress(listing(lean)))
    assert [row[0] for row in found["words"]] == sorted(micro.assemble_lean().words)
