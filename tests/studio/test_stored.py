# SPDX-License-Identifier: Apache-2.0
"""Stored runs in the studio: both sides are kept as one set, a run is shown from its trace or is
run again and compared bit for bit, and a set is exported as the command line does it."""

from __future__ import annotations

import errno
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from melanion import build, config
from melanion.cli import report as report_command
from melanion.cli import run as run_command
from melanion.results import ResultsError, Store, repeat
from melanion.results.unit import as_json, of_json
from melanion.run import Settings, run_program
from melanion.studio.files import Folder
from melanion.studio.stored import MANY
from tests.common import stored as known
from tests.common.needed import needs, problem
from tests.studio.studio_server import Answer, Client, studio

pytestmark = needs("npm", problem("npm"))
CYCLES, PULSES = 60_000, [{"line": 3, "cycle": 40_000}, {"line": 3, "cycle": 44_000}]
SIDES = {"a": "freertos", "b": "sw"}
NAME = "before the change"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store of its own, which the processes of the studio write, too."""
    file = tmp_path_factory.mktemp("store") / "results.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MELANION_RESULTS", str(file))
        yield Store(file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mine")
    Folder(root).begin()
    return root


@pytest.fixture(scope="module")
def client(
    folder: Path, store: Store, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    with studio(tmp_path_factory.mktemp("results"), folder) as found:
        yield found


@pytest.fixture(scope="module")
def number(client: Client) -> int:
    """A set of both sides."""
    early = client.post("/api/keep", {"name": NAME})
    assert early.message == (
        "the kernel above has no run that ended as it should; run both kernels, then save."
    )
    for side, system in SIDES.items():
        run(client, side, system=system)
    answer = client.post("/api/keep", {"name": NAME}).json
    assert answer["command"] == f"melanion report rows {answer['number']}"
    found: int = answer["number"]
    return found


def run(client: Client, side: str, **others: object) -> dict[str, Any]:
    """What the page gets of a run."""
    wanted = {
        "side": side,
        "program": "folder",
        "seed": 1,
        "wait_states": "0",
        "cycles": CYCLES,
        "pulses": PULSES,
        "knobs": {},
        **others,
    }
    last = client.post("/api/run", wanted).lines[-1]
    assert last["kind"] == "done", last
    found: dict[str, Any] = get(client, side, last["run"], "answer.json").json
    return {**found, "trace": get(client, side, last["run"], "trace").body}


def get(client: Client, side: str, number: int, name: str) -> Answer:
    return client.get(f"/api/result/{side}/{number}/{name}")


def again(client: Client, number: int, side: str, **others: object) -> dict[str, Any]:
    """The stored run of a side."""
    requests = {
        each["stored"]["kernel"]: each for each in client.post("/api/open", {"set": number}).json
    }
    found = requests[SIDES[side]]
    pulses = [
        {"line": int(line), "cycle": int(cycle)}
        for line, cycle in (word.split("@") for word in found["pulses"].split())
    ]
    assert (found["program"], found["seed"], found["wait_states"]) == ("folder", 1, "0")
    assert (found["cycles"], pulses, found["knobs"]) == (CYCLES, PULSES, {})
    stored = {**found["stored"], **others}
    return run(client, side, system=found["system"]["name"], stored=stored)


def test_both_runs_are_one_set_with_its_name(client: Client, number: int, folder: Path) -> None:
    [found] = [each for each in client.get("/api/sets").json if each["number"] == number]
    assert found["name"] == NAME
    assert [each["kernel"] for each in found["runs"]] == list(SIDES.values())
    assert {each["how"] for each in found["runs"]} == {"trace"}
    for each, command in zip(found["runs"], found["command"].split("; "), strict=True):
        assert command.startswith(f"melanion run {folder} --kernel {each['kernel']} --freertos ")
        [row] = [row for row in each["rows"] if row["label"] == "latency interrupt to task"]
        assert row["n"] == len(PULSES)


def test_a_trace_that_cannot_be_kept_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file, unit = tmp_path / "results.sqlite", known.units()[0]
    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(ResultsError) as caught:
        repeat.keep_files(file, unit, {"trace": b"1"})
    place = repeat.archive(file, unit)
    assert caught.value.message == (
        f"{place}: the trace cannot be kept (No space left on device); free space, or name another"
        " store in MELANION_RESULTS."
    )
    assert list(place.parent.iterdir()) == []


def test_a_set_of_many_units_is_counted(client: Client, store: Store) -> None:
    units = known.units()
    number = store.keep("melanion reproduce all", units)
    [found] = [each for each in client.get("/api/sets").json if each["number"] == number]
    assert found["runs"] == [] and found["units"] == len(store.of_set(number)) > MANY


@pytest.mark.parametrize("side", list(SIDES))
def test_a_kept_trace_is_shown_whatever_the_sources_are_now(
    client: Client, number: int, folder: Path, side: str
) -> None:
    native: list[bytes] = []
    pulses = tuple((each["line"], each["cycle"]) for each in PULSES)
    settings = Settings(max_cycles=CYCLES, endless=True, pulses=pulses)
    app = build.freertos_application(folder)
    run_program(config.find(SIDES[side]), app, settings, traced=native.append)
    text = (folder / "main.c").read_text()
    (folder / "main.c").write_text("not C any more\n")
    try:
        found = again(client, number, side)
    finally:
        (folder / "main.c").write_text(text)
    assert found["trace"] == native[0]
    assert found["stored"] == {
        "same": True,
        "sentence": (
            "Stored run, its kept trace, whose events are those that were stored; nothing was run."
        ),
    }


@pytest.mark.parametrize("side", list(SIDES))
def test_a_run_that_is_repeated_has_the_stored_events(
    client: Client, number: int, side: str
) -> None:
    found = again(client, number, side, again=True)["stored"]
    assert found["same"]
    assert found["sentence"].startswith("Stored run, run again: all ")
    assert found["sentence"].endswith(" events are those that were stored, bit for bit.")


def test_a_change_of_the_program_is_named(
    client: Client, number: int, folder: Path, store: Store
) -> None:
    text = (folder / "main.c").read_text()
    (folder / "main.c").write_text(text.replace("busy_turns = 200", "busy_turns = 201"))
    try:
        found = again(client, number, "b", again=True)["stored"]
    finally:
        (folder / "main.c").write_text(text)
    commit = store.of_set(number)[0].commit
    assert found == {
        "same": False,
        "sentence": (
            "Stored run, run again: the events are others than those that were stored; the program"
            f" (its sources, or its compiler) changed since commit {commit}; take that back to"
            " repeat the run."
        ),
    }


@pytest.mark.parametrize("damage", ["cut", "other"])
def test_a_damaged_trace_is_not_shown(
    client: Client, number: int, store: Store, damage: str
) -> None:
    unit = store.of_set(number)[1]
    place = repeat.archive(store.file, unit)
    whole = place.read_bytes()
    if damage == "cut":
        place.write_bytes(whole[: len(whole) // 2])
    else:
        place.write_bytes(repeat.archive(store.file, store.of_set(number)[0]).read_bytes())
    try:
        assert repeat.kept_files(store.file, unit) is None
        found = again(client, number, "b")["stored"]
    finally:
        place.write_bytes(whole)
    assert found["same"] and "run again" in found["sentence"]


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_a_set_is_exported_as_the_command_prints_it(client: Client, number: int, kind: str) -> None:
    words = ["rows", str(number), *(["--csv"] if kind == "csv" else [])]
    printed = CliRunner().invoke(report_command.command, words)
    assert printed.exit_code == 0
    text = client.get(f"/api/set/{number}/{kind}").body.decode()
    assert text == printed.stdout
    if kind == "csv":
        assert "run mine" not in text.splitlines()[0] and "interrupt to task" in text
    else:
        kernels = [unit["kernel"] for unit in json.loads(text)["units"]]
        assert kernels == list(SIDES.values())


def test_a_run_of_the_command_line_is_repeated(client: Client, folder: Path, store: Store) -> None:
    words = [str(folder), "--freertos", "--max-cycles", str(CYCLES)]
    words += ["--kernel", "sw", "--pulse", "3@40000", "--pulse", "3@44000"]
    assert CliRunner().invoke(run_command.command, words).exit_code == 0
    found = again(client, store.sets()[-1].number, "b", again=True)
    assert found["stored"]["same"] and "run again" in found["stored"]["sentence"]


# ---- what cannot be opened or kept ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["", " x", "a # b", "a\nb", "x" * 61, "../x"])
def test_a_name_of_a_set_is_checked(client: Client, number: int, name: str) -> None:
    assert client.post("/api/keep", {"name": name}).message.endswith(
        "allowed is a name of 1 to 60 letters, digits, spaces and . _ , + -; correct the value."
    )


def test_what_the_store_has_not_is_told(client: Client, number: int) -> None:
    assert "holds no set of that number" in client.post("/api/open", {"set": 9999}).message
    assert "holds no set of that number" in client.get("/api/set/9999/csv").message
    assert client.get(f"/api/set/{number}/html").message == (
        "'html': a set is exported as json or csv; name one of them."
    )
    wanted = {"set": number, "experiment": "run none", "kernel": "sw"}
    assert client.post("/api/open", {"set": number, "run": wanted}).message == (
        f"set {number} holds no 'run none' on sw; open the list again."
    )


def opened(client: Client, number: int) -> str:
    return client.post("/api/open", {"set": number}).message


def test_what_repeats_nothing_is_told(client: Client, store: Store) -> None:
    number = store.keep("melanion compare latency", known.units()[:1])
    unit = store.of_set(number)[0]
    assert opened(client, number) == (
        f"set {number}, {unit.experiment} on {unit.kernel}: it was stored without what repeats it"
        " (it is no run, had --define, --input or --sources, or is older); its command is"
        " `melanion compare latency`."
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"repeat": {"program": "/somewhere/else"}},
            "its program is /somewhere/else, which is none of this studio; start it as `melanion"
            " studio /somewhere/else`.",
        ),
        ({"repeat": {"system": "no-such"}}, "'no-such' is no system"),
        (
            {"variable_busy_turns": 5, "repeat": {"program": "interrupt"}},
            "the page has no control for --set busy_turns; its command is `melanion run x`.",
        ),
        (
            {"wait_states": "3", "data_wait_states": "4"},
            "the page has no control for --data-wait-states 4, --wait-states 3 with --max-cycles"
            " 60000; its command is `melanion run x`.",
        ),
    ],
)
def test_a_run_that_the_page_cannot_repeat_is_told(
    client: Client, number: int, store: Store, changes: dict[str, Any], sentence: str
) -> None:
    unit = store.of_set(number)[1]
    content = as_json(unit)
    again = {**unit.provenance["repeat"], **changes.pop("repeat", {})}
    content["provenance"] = {**unit.provenance, **changes, "repeat": again}
    content |= {"command": "", "measured": ""}
    number = store.keep("melanion run x", [of_json(content)])
    assert sentence in opened(client, number)


def test_runs_of_other_settings_do_not_stand_side_by_side(
    client: Client, number: int, store: Store
) -> None:
    first, second = store.of_set(number)
    content = as_json(second)
    content["provenance"] = {**second.provenance, "seed": 2}
    other = of_json(content)
    assert "differ in more than their systems" in opened(client, store.keep("x", [first, other]))
