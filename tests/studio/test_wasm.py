# SPDX-License-Identifier: Apache-2.0
"""Simulations of the page (melanion/build/wasm.py) in Node: the trace of each program on each
system equals the native one byte by byte, and the golden model of the page judges it."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from melanion import build, config
from melanion.build.wasm import WebHardware, web_hardware
from melanion.run import Settings, simulation
from melanion.run.settings import Decided, pulses_text
from melanion.studio import load
from melanion.studio.page_model import RECORD, verdict
from melanion.studio.programs import Built, built
from tests.common.needed import needs, problem

GALLERY = load()
RUNNER = Path(__file__).with_name("run_wasm.cjs")
FIRST = ("interrupt", "hwrtos")
FILES = "--image /image --tracepoints /tracepoints --trace /trace --console /console"
pytestmark = [needs("emscripten", problem("emscripten")), needs("npm", problem("npm"))]

CASES = [
    pytest.param(program, system, marks=[] if (program, system) == FIRST else pytest.mark.soak)
    for system in GALLERY.systems
    for program in GALLERY.programs
]


def decided(program: str, system: str, **others: object) -> Decided:
    row, slower = GALLERY.programs[program], 4  # studio/src/contract.ts
    pulses = tuple((line.number, slower * each) for line in row.lines for each in line.pulses)
    cycles = slower * row.cycles
    settings = Settings(max_cycles=cycles, endless=True, pulses=pulses, wait_states="0-3")
    app = build.freertos_application(GALLERY.folder(program))
    return replace(settings, **others).decide(config.find(system), app)  # type: ignore[arg-type]


def native(program: str, system: str, settings: Decided, folder: Path) -> bytes:
    """The trace of the native simulation."""
    chosen = config.find(system)
    app = build.freertos_application(GALLERY.folder(program))
    hardware, image = build.hardware(chosen), build.program(chosen, app)
    words = ["--trace", str(folder / "trace")]
    words = simulation.command(hardware, image, settings, folder, words)
    subprocess.run(words, check=True, capture_output=True)
    return (folder / "trace").read_bytes()


def in_node(hardware: WebHardware, found: Built, settings: Decided, folder: Path) -> bytes:
    """The trace of the simulation of the page; words as its worker says them."""
    (folder / "image").write_bytes(found.image)
    (folder / "tracepoints").write_text(found.document["tracepoints"])
    waits = str(settings.wait_states)
    words = shlex.split(FILES)
    words += ["--max-cycles", str(settings.max_cycles), "--seed", str(settings.seed)]
    words += ["--wait-states", waits, "--data-wait-states", waits, *found.document["arguments"]]
    for knob, value in settings.variables.items():
        (folder / knob).write_bytes(value.to_bytes(4, "little"))
        words += ["--data", f"/{knob}@0x{found.document['variables'][knob]:x}"]
    node = shutil.which("node")
    assert node is not None
    held = min((cycle for _, cycle in settings.pulses), default=settings.max_cycles // 2) - 1
    pulses = ",".join(pulses_text(settings.pulses).split())
    runner = [node, str(RUNNER), str(hardware.script), str(hardware.module), str(folder)]
    subprocess.run([*runner, str(held), pulses, *words], check=True, capture_output=True)
    return (folder / "trace").read_bytes()


def both(program: str, system: str, settings: Decided, folder: Path) -> tuple[bytes, bytes, Built]:
    places = [folder / name for name in ("native", "page")]
    for place in places:
        place.mkdir()
    found = built(GALLERY, program, config.find(system), lambda _: None)
    hardware = web_hardware(config.find(system))
    first = native(program, system, settings, places[0])
    return first, in_node(hardware, found, settings, places[1]), found


@pytest.mark.parametrize(("program", "system"), CASES)
def test_the_trace_is_that_of_the_native_simulation(
    program: str, system: str, tmp_path: Path
) -> None:
    """With drawn wait states and a knob: all that a visitor may choose. The simulation is held
    before the first pulse, and goes on from there twice (run_wasm.cjs)."""
    knobs = GALLERY.programs[program].knobs
    name, knob = next(iter(knobs.items()))
    settings = decided(program, system, seed=7, variables={name: knob.most})
    first, second, found = both(program, system, settings, tmp_path)
    assert len(first) > 100 * RECORD.size
    assert first == second
    model = found.document["model"]
    if model is None:
        assert not config.find(system).kernel_info.replayed
        return
    said = json.loads(verdict(second, json.dumps(model), "{}"))
    assert (said["kind"], said["events"]) == ("agrees", len(second) // RECORD.size)
    assert said["waits"] and all(wait["what"] for wait in said["waits"])
    # The verdict's control: a command that nobody gave.
    record = RECORD.pack(20_000, 1, 0, 200, 0, 0, 0)
    planted = json.loads(verdict(record + second, json.dumps(model), '{"0": "control"}'))
    assert planted["kind"] == "differs" and "event" in planted["message"]
