# SPDX-License-Identifier: Apache-2.0
"""The page draws a trace as melanion/trace/perfetto.py does: the same marks in the same order."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from mel_gen import TraceKind

from melanion import config, trace
from melanion.build.front import front
from melanion.run.switches import NOBODY
from melanion.studio.page import TASK_TRACEPOINT, names
from melanion.studio.programs import built
from melanion.trace import Events
from melanion.trace.annotations import Annotations
from melanion.trace.perfetto import marks
from tests.common.needed import needs, problem
from tests.studio.test_wasm import GALLERY, decided, native

QUICK = {("interrupt", "hwrtos"), ("storm", "freertos"), ("inversion", "sw")}
IMAGE = 0x1000_0000  # address of its first byte
pytestmark = needs("npm", problem("npm"))

CASES = [
    pytest.param(program, system, marks=[] if (program, system) in QUICK else pytest.mark.soak)
    for system in GALLERY.systems
    for program in GALLERY.programs
]


def told(events: Events, image: bytes) -> tuple[dict[int, str], dict[int, int]]:
    """Names of tasks by number, and their numbers by handle, as the program tells them."""
    known, handles, number = {}, {}, 0
    for kind, a, b in events[["kind", "a", "b"]].tolist():
        if kind != TraceKind.TRACEPOINT:
            continue
        if a == TASK_TRACEPOINT:
            number = b
        elif a == TASK_TRACEPOINT + 1:
            known[number] = image[b - IMAGE :].split(b"\0")[0].decode()
        elif a == TASK_TRACEPOINT + 2:
            handles[b] = number
    return known, handles


def numbered(events: Events, handles: dict[int, int], idle: int) -> Events:
    """The events of FreeRTOS with the numbers of tasks that the program told."""
    found, before, kept = events.copy(), idle, []
    for place, (kind, a, c) in enumerate(events[["kind", "a", "c"]].tolist()):
        kept.append(True)
        if kind == TraceKind.DISPATCH and a == NOBODY:
            task = handles.get(c, idle)
            found["a"][place], found["b"][place], found["c"][place] = task, before, 0
            kept[-1] = task != before
            before = task
    return found[kept]


def of_the_page(folder: Path, system: str, idle: int, replayed: bool) -> list[list[object]]:
    """Marks of the trace in a folder, by the page's own code in Node."""
    row = {"name": system, "idle": idle, "replayed": replayed}
    (folder / "manifest").write_text(json.dumps({"systems": [row], "names": names()}))
    node = shutil.which("node")
    assert node is not None
    words = [node, str(front().tools / "marks.mjs"), "manifest", system, "image", "trace"]
    done = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("program", "system"), CASES)
def test_the_page_draws_as_the_timeline_does(program: str, system: str, tmp_path: Path) -> None:
    chosen = config.find(system)
    idle, replayed = chosen.parameters.tasks, chosen.kernel_info.replayed
    image = built(GALLERY, program, chosen, lambda _: None).image
    (tmp_path / "image").write_bytes(image)
    native(program, system, decided(program, system), tmp_path)
    events = trace.read(tmp_path / "trace")
    known, handles = told(events, image)
    drawn = marks(numbered(events, handles, idle), idle, Annotations(known=replayed), known)
    expected = [[each.cycle, each.track, each.kind, each.name] for each in drawn]
    assert len(expected) > 200 and len(known) > 1
    assert of_the_page(tmp_path, system, idle, replayed) == expected
