# SPDX-License-Identifier: Apache-2.0
"""Runs of the studio without a browser: they are runs of the command line, within limits."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import mel_gen
import numpy as np
import pytest

from melanion import build, config, paths, results
from melanion.run import RunError, Settings, run_program
from melanion.run.names import split
from melanion.studio import load
from melanion.studio.limits import Limits
from melanion.studio.worker import PROGRAM, _family
from melanion.trace.events import EVENT
from tests.common.needed import needs, problem
from tests.studio.studio_server import Answer, Client, studio

pytestmark = needs("npm", problem("npm"))
GALLERY = load()
ROW = GALLERY.programs["interrupt"]
[LINE] = ROW.lines
ENDLESS = 20_000_000  # cycles: a minute on any machine


def copied(root: Path) -> Path:
    """A folder of the visitor: the first program of the gallery, with the headers beside it."""
    shutil.copytree(GALLERY.folder("interrupt"), root / "mine")
    shutil.copytree(GALLERY.folder("interrupt").parent / "common", root / "common")
    return root / "mine"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("studio"))


@pytest.fixture(scope="module")
def client(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with studio(tmp_path_factory.mktemp("results"), folder) as found:
        yield found


def wanted(**others: object) -> dict[str, object]:
    """A run as the page asks for it."""
    pulses = [{"line": LINE.number, "cycle": cycle} for cycle in LINE.pulses]
    return {
        "side": "a",
        "program": "interrupt",
        "system": "sw",
        "seed": 1,
        "wait_states": "0",
        "cycles": ROW.cycles,
        "pulses": pulses,
        "knobs": {},
        **others,
    }


def run(client: Client, **others: object) -> dict[str, Any]:
    """The last message of a run."""
    answer = client.post("/api/run", wanted(**others))
    assert answer.status == 200, answer.body
    last: dict[str, Any] = answer.lines[-1]
    return last


def result(client: Client, name: str, message: dict[str, Any], side: str = "a") -> Answer:
    assert message["kind"] == "done", message
    found = client.get(f"/api/result/{side}/{message['run']}/{name}")
    assert found.status == 200
    return found


def native(system: str, **others: Any) -> bytes:
    """The trace of the same run by the function of the command line."""
    traces: list[bytes] = []
    pulses = tuple((LINE.number, cycle) for cycle in LINE.pulses)
    settings = Settings(max_cycles=ROW.cycles, endless=True, pulses=pulses, **others)
    app = build.freertos_application(GALLERY.folder("interrupt"))
    run_program(config.find(system), app, settings, traced=traces.append)
    return traces[0]


def processes(client: Client) -> set[int]:
    """The process of side a, with what came of it."""
    process = client.server.studio.workers["a"]._process
    return set() if process is None else {process.pid, *_family(process.pid)}


def alive(pids: set[int]) -> set[int]:
    return {pid for pid in pids if Path(f"/proc/{pid}").exists()}


def gone(pids: set[int]) -> bool:
    """They end within the time that an interrupted process has, and a little more."""
    end = time.monotonic() + 20
    while alive(pids) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive(pids)


# ---- runs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["sw", "freertos"])
def test_a_trace_is_that_of_a_native_run(client: Client, system: str) -> None:
    message = run(client, system=system, knobs={"background_work": 40})
    trace = native(system, variables={"background_work": 40})
    assert result(client, "trace", message).body == trace
    answer = result(client, "answer.json", message).json
    verdict = answer["verdict"]
    assert verdict["kind"] == ("own" if system == "freertos" else "agrees")
    if verdict["kind"] == "agrees":
        events, _ = split(np.frombuffer(trace, dtype=EVENT))  # without the names of tasks
        assert verdict["events"] == len(events) and verdict["waits"]
    assert answer["region"] == {"number": 0, "name": "interrupt to task", "line": LINE.number}
    assert answer["provenance"]["variable_background_work"] == 40
    assert any(name == "main" for _, _, name in answer["built"]["functions"])
    assert any(file.endswith("main.c") for file in answer["built"]["lines"]["files"])
    app = build.freertos_application(GALLERY.folder("interrupt"))
    image = build.program(config.find(system), app).content.data
    assert result(client, "image", message).body == image


def test_it_shows_the_command_that_does_the_same(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command is parsed by the command line, which gets the same settings."""
    message = run(client, program="folder", knobs={"background_work": 40})
    words = shlex.split(result(client, "answer.json", message).json["command"])
    assert words[:5] == ["melanion", "run", str(folder), "--kernel", "sw"]
    import melanion.cli.run as cli
    import melanion.cli.running as running

    seen: list[tuple[str, Path, Settings]] = []

    def kept(system: Any, app: Any, settings: Settings, **_: object) -> None:
        seen.append((system.name, app.folder, settings))
        raise RunError("seen")

    monkeypatch.setattr(running, "run", kept)
    with pytest.raises(RunError, match="seen"):
        cli.command.main(words[2:], standalone_mode=False)
    [(name, place, settings)] = seen
    assert (name, place) == ("sw", folder)
    assert settings.max_cycles == ROW.cycles and settings.seed == 1
    assert settings.pulses == tuple((LINE.number, cycle) for cycle in LINE.pulses)
    assert settings.variables == {"background_work": 40}


def test_a_file_of_the_folder_is_a_system(client: Client, folder: Path) -> None:
    path = folder / "my.yaml"
    path.write_text(config.text(config.find("sw")))
    message = run(client, system="./my.yaml", program="folder")
    answer = result(client, "answer.json", message).json
    assert answer["command"].startswith(f"melanion run {folder} --kernel {path} --freertos ")
    assert result(client, "trace", message).body == native("sw")
    path.unlink()
    assert "there is no such file" in client.post("/api/run", wanted(system="./my.yaml")).message


def test_a_build_error_names_its_line(client: Client, folder: Path) -> None:
    path = folder / "main.c"
    text = path.read_text()
    lines = text.splitlines()
    [number] = [n for n, line in enumerate(lines, 1) if line.strip() == "work(50);"]
    lines[number - 1] = "        work(50) + ;"
    path.write_text("\n".join(lines) + "\n")
    try:
        failed = run(client, program="folder")
    finally:
        path.write_text(text)
    assert failed["kind"] == "failed"
    assert (failed["file"], failed["line"]) == ("main.c", number)
    assert "does not compile: expected expression" in failed["message"]
    assert failed["command"].startswith(f"melanion run {folder} --kernel sw --freertos ")
    assert run(client, program="folder")["kind"] == "done"  # the same process builds again


def test_a_run_that_the_program_fails_is_shown(client: Client, folder: Path) -> None:
    path = folder / "main.c"
    text = path.read_text()
    path.write_text(text.replace("    lock = xSemaphoreCreateMutex();\n", "    return 3;\n"))
    try:
        message = run(client, program="folder")
    finally:
        path.write_text(text)
    verdict = result(client, "answer.json", message).json["verdict"]
    assert verdict["kind"] == "ended"
    assert "exit code 3" in verdict["message"]


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ({"program": "interupt"}, "did you mean interrupt"),
        ({"system": "hwrtoss"}, "did you mean hwrtos"),
        ({"cycles": ENDLESS + 1}, "20000000"),
        ({"wait_states": "many"}, "wait states such as 0 or 0-7"),
        ({"side": "c"}, "side"),
        ({"pulses": [{"line": 50, "cycle": 5}]}, "no interrupt line 50"),
        ({"knobs": {"no_such": 1}}, "no variable of that name"),
    ],
)
def test_what_cannot_run_gets_a_sentence(
    client: Client, others: dict[str, object], sentence: str
) -> None:
    answer = client.post("/api/run", wanted(**others))
    message = answer.message if answer.status == 400 else answer.lines[-1]["message"]
    assert sentence in message


def test_two_sides_run_at_once_and_keep_their_results(client: Client) -> None:
    systems = {"a": "sw", "b": "freertos"}
    with ThreadPoolExecutor(2) as pool:
        jobs = {s: pool.submit(run, client, side=s, system=name) for s, name in systems.items()}
        done = {side: job.result() for side, job in jobs.items()}
    for side, system in systems.items():
        assert result(client, "trace", done[side], side).body == native(system)


def test_a_newer_run_of_a_side_ends_the_older_one(client: Client) -> None:
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(run, client, cycles=ENDLESS)
        while not client.server.studio.workers["a"].busy:
            time.sleep(0.05)
        time.sleep(1)
        second = run(client)
    assert first.result()["message"] == (
        "the run was stopped: another one of this side was asked for."
    )
    assert second["kind"] == "done"
    old = client.get(f"/api/result/a/{second['run'] - 1}/trace")
    assert "not the newest of its side" in old.message


def test_a_run_is_kept_when_the_visitor_wants_it(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = results.location()
    before = len(results.Store(location).sets())
    message = run(client, keep=True)
    notes = result(client, "answer.json", message).json["notes"]
    sets = results.Store(location).sets()
    assert len(sets) == before + 1
    app = build.freertos_application(GALLERY.folder("interrupt"))
    sizes = build.kernel_bytes(build.program(config.find("sw"), app))
    assert notes == [
        f"kernel in this program: {sizes['code']} bytes of code, {sizes['data']} bytes of data",
        f"kept as set {sets[-1].number}",
    ]


# ---- limits --------------------------------------------------------------------------------------


def test_a_program_that_never_ends_is_stopped(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is there when the clock begins, so that a busy machine ends nothing else."""
    assert run(client)["kind"] == "done"
    begun = processes(client)
    with monkeypatch.context() as patch:
        patch.setattr(client.server.studio.workers["a"], "_limits", Limits(seconds=2))
        failed = run(client, cycles=ENDLESS)
    assert failed["message"] == (
        "the build or the run was stopped after 2 s, the limit of the studio; choose fewer cycles,"
        " or use the command line."
    )
    assert begun and gone(begun)
    assert run(client)["kind"] == "done"


def test_a_page_that_goes_ends_its_run(client: Client) -> None:
    """Also the simulation, which has a session of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", client.server.port)
    headers = {"X-Melanion-Token": client.server.token}
    connection.request("POST", "/api/run", json.dumps(wanted(cycles=ENDLESS)), headers)
    response = connection.getresponse()
    while b"running" not in response.readline():
        pass
    begun: set[int] = set()
    end = time.monotonic() + 20
    while len(begun) < 2 and time.monotonic() < end:  # the process, and its simulation
        begun = processes(client)
    assert len(begun) >= 2
    response.close()
    connection.close()
    assert gone(begun)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        pytest.param(Limits(file=50_000), "could not be written", id="file"),
        pytest.param(Limits(memory=200 << 20), "memory", id="memory"),
    ],
)
def test_a_limit_that_is_reached_is_said(tmp_path: Path, limits: Limits, sentence: str) -> None:
    with studio(tmp_path, limits=limits) as client:
        failed = run(client, cycles=400_000)
    assert failed["kind"] == "failed"
    assert sentence.lower() in failed["message"].lower()
    assert limits.text in failed["message"]


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.soak)]
)
def test_everything_ends_with_the_studio(tmp_path: Path, number: signal.Signals) -> None:
    """As somebody starts it, in a folder whose files have names of modules, which stand in for
    none; with a run that lasts, and results that are there."""
    here, results_at = tmp_path / "here", tmp_path / "results"
    for folder in (here, results_at):
        folder.mkdir()
    for name in ("json.py", "numpy.py", "melanion.py"):
        (here / name).write_text("raise SystemExit(9)\n")
    words = [sys.executable, "-P", "-m", "melanion", "studio", "--no-open"]
    roots = [str(Path(str(each.__file__)).parents[1]) for each in (paths, mel_gen)]
    place = {**os.environ, "TMPDIR": str(results_at), "PYTHONPATH": os.pathsep.join(roots)}
    start = partial(subprocess.Popen, words, stdout=subprocess.PIPE, text=True, env=place)
    with start(cwd=here) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.fullmatch(r"studio: http://127\.0\.0\.1:(\d+)/#token=(\S+)\n", said)
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]))
        headers = {"X-Melanion-Token": found[2]}
        connection.request("POST", "/api/run", json.dumps(wanted(cycles=ENDLESS)), headers)
        response = connection.getresponse()
        while b"running" not in response.readline():
            pass
        end = time.monotonic() + 20
        while len(begun := set(_family(process.pid))) < 2 and time.monotonic() < end:
            pass
        assert len(begun) >= 2
        process.send_signal(number)
        assert process.wait(60) == 0
    assert gone(begun)
    assert list(results_at.iterdir()) == []


def test_a_page_that_goes_at_once_leaves_no_traceback(tmp_path: Path) -> None:
    """The process of a run still imports: a module that takes long stands in for one."""
    begun = tmp_path / "begun"
    slow = f"import time\nopen({str(begun)!r}, 'w').close()\ntime.sleep(60)\n"
    (tmp_path / "pydantic.py").write_text(slow)
    roots = [str(Path(str(each.__file__)).parents[1]) for each in (paths, mel_gen)]
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *roots])}
    words = [sys.executable, "-P", "-c", PROGRAM]
    with subprocess.Popen(words, stderr=subprocess.PIPE, env=place) as process:
        end = time.monotonic() + 20
        while not begun.exists() and time.monotonic() < end:
            pass
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[1] == b""
        assert process.returncode == -signal.SIGINT
