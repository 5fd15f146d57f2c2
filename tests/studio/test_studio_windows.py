# SPDX-License-Identifier: Apache-2.0
"""Windows on the unit by the studio's server: they are of the run that the page shows, or a
sentence."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from melanion import build, config, paths
from melanion.run import Settings, simulation
from melanion.soc import Purpose
from melanion.studio.microprogram import listing
from tests.common.needed import needs, problem
from tests.studio.studio_server import Client, studio
from tests.studio.test_studio import GALLERY, LINE, ROW, copied, result, run, wanted

pytestmark = needs("npm", problem("npm"))
FIRST, UNTIL = 40_000, 42_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("studio"))


@pytest.fixture(scope="module")
def client(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with studio(tmp_path_factory.mktemp("results"), folder) as found:
        yield found


def window(number: int, **others: object) -> dict[str, object]:
    return {**wanted(**others), "run": number, "first": FIRST, "until": UNTIL}


def test_a_window_is_that_of_the_native_simulation(client: Client, tmp_path: Path) -> None:
    """And the run of the side stays there: a window is made by a process of its own."""
    shown = run(client, system="hwrtos")
    answer = client.post("/api/watch", window(shown["run"], system="hwrtos"))
    cycles = result(client, "cycles", answer.lines[-1], side="unit").body
    system, app = config.find("hwrtos"), build.freertos_application(GALLERY.folder("interrupt"))
    pulses = tuple((LINE.number, cycle) for cycle in LINE.pulses)
    settings = Settings(max_cycles=UNTIL, endless=True, pulses=pulses).decide(system, app)
    hardware, program = build.hardware(system, Purpose.UNIT), build.program(system, app)
    native, _ = simulation.watched(hardware, program, settings, tmp_path, FIRST, lambda _: None)
    assert len(native) > 800
    assert cycles == native
    words = result(client, "listing", answer.lines[-1], side="unit").body
    assert words == listing(system)
    assert result(client, "trace", shown).status == 200


def test_a_window_behind_the_end_of_a_run_is_empty(client: Client) -> None:
    shown = run(client, system="hwrtos")
    late = {"first": ROW.cycles + 5, "until": ROW.cycles + 9}
    answer = client.post("/api/watch", window(shown["run"], system="hwrtos") | late)
    assert result(client, "cycles", answer.lines[-1], side="unit").body == b""


def test_a_program_that_has_changed_is_not_watched(client: Client, folder: Path) -> None:
    given = {"program": "folder", "system": "hwrtos"}
    shown = run(client, **given)
    path = folder / "main.c"
    text = path.read_text()
    changed = text.replace("work(50)", "work(51)")
    assert changed != text
    path.write_text(changed)
    try:
        last = client.post("/api/watch", window(shown["run"], **given)).lines[-1]
    finally:
        path.write_text(text)
    assert last["message"] == (
        "the program or the system has changed since this run, so its unit cannot be watched; run"
        " it again."
    )
    again = client.post("/api/watch", window(shown["run"], **given)).lines[-1]
    assert again["kind"] == "done"


def test_a_kernel_without_a_unit_is_not_watched(client: Client) -> None:
    shown = run(client)
    last = client.post("/api/watch", window(shown["run"])).lines[-1]
    assert last["message"] == "sw has no hardware unit; choose a system with one."


def test_a_run_that_is_gone_is_not_watched(client: Client) -> None:
    answer = client.post("/api/watch", window(99, system="hwrtos"))
    assert (answer.status, answer.message) == (
        400,
        "this run is not the newest of its side any more; run it again.",
    )


def test_words_of_own_commands_are_in_the_listing() -> None:
    path = paths.data_root() / "apps" / "examples" / "rendezvous"
    [file] = path.glob("*system*.yaml")
    found = json.loads(gzip.decompress(listing(config.load(file, file.name))))
    own = [name for name in found["files"] if "rendezvous" in name]
    assert len(own) == 1
