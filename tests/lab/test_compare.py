# SPDX-License-Identifier: Apache-2.0
"""`melanion compare`, `demo`, `trace`: wrong use, and jobs that run side by side."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from melanion import build, cli, config, paths
from melanion.claims import load, names
from melanion.claims.execute import configuration, outcome
from melanion.claims.needs import too_small
from melanion.config import Bridge, Cache, Span
from melanion.errors import MelanionError
from melanion.measure.work import applications
from melanion.run import RunError
from melanion.run.parallel import Progress, run_jobs
from tests.common import limited
from tests.common.latency_events import whole_tape

ROOT = paths.data_root()


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as caught:
        cli.main(list(words))
    assert isinstance(caught.value.code, int)
    return caught.value.code, capsys.readouterr().err.strip()


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["latencies"],
            f"'latencies' is no experiment; there are: {', '.join(names())}; did you mean latency.",
        ),
        (
            ["mine/latency.yaml"],
            "$HERE/mine/latency.yaml: experiments/latency.yaml has this name; rename the file.",
        ),
        (
            ["latency", "--kernels", "sw,hwrtis"],
            "'hwrtis' is no system; did you mean hwrtos (`melanion systems` lists all).",
        ),
        (
            ["rtu-area"],
            "rtu-area synthesizes hardware and runs no program; `melanion reproduce` has it.",
        ),
        (
            ["latency", "--kernels", "sw,sw"],
            "--kernels sw,sw names a kernel twice; name each once.",
        ),
        (
            ["latency", "--kernels", "sw,hwrtos-16"],
            "hwrtos-16 has 16 tasks, and the experiment latency needs at least 63 tasks,"
            " 31 priorities, 5 semaphores, 3 interrupts; take hwrtos-16[tasks=63], or raise these"
            " parameters of its configuration.",
        ),
        (
            ["interference", "--kernels", "hwrtos[tasks=24,priorities=8]"],
            "hwrtos-tasks-24-priorities-8 has 24 tasks, 8 priorities, and the experiment"
            " interference needs at least 61 tasks, 29 priorities, 5 semaphores, 2 event flags,"
            " 14 mutexes, 4 queues, 56 messages, 2 timers, 4 interrupts; raise these parameters of"
            " its configuration.",
        ),
        (
            ["cores", "--kernels", "hwrtos"],
            "hwrtos has 1 core, and the experiment cores needs at least 2 cores; write core.count"
            " 2, or take a system with more cores, such as hwrtos-2.",
        ),
        (
            ["latency", "--kernels", ""],
            "--kernels is empty; name systems separated by commas, such as sw,hwrtos.",
        ),
        (
            ["latency", "--kernels", "sw,,hwrtos"],
            "--kernels 'sw,,hwrtos' has an empty name; name systems separated by commas, such as"
            " sw,hwrtos.",
        ),
    ],
)
def test_wrong_names(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], message: str
) -> None:
    message = message.replace("$HERE", str(tmp_path))
    assert refused(capsys, "compare", *words) == (2, f"melanion: {message}")
    assert list(tmp_path.iterdir()) == []


ASSERTED = re.compile(r"_Static_assert\([^;]* needs a system with (?:at least )?(\d+) (\w[\w ]*)")
INCLUDED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def asserted(app: build.App) -> dict[str, int]:
    """Least sizes that a program asserts in its sources, and in the headers beside them."""
    found: dict[str, int] = {}
    waiting, seen = list(app.sources), set[Path]()
    while waiting:
        path = waiting.pop().resolve()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        text = path.read_text(encoding="utf-8")
        waiting += [path.parent / name for name in INCLUDED.findall(text)]
        for number, words in ASSERTED.findall(text):
            name = words.replace(" ", "_")
            found[name] = max(found.get(name, 0), int(number))
    return found


WITH_PROGRAM = [name for name in names() if not load(name).designs]


def test_sizes_that_programs_assert_are_found() -> None:
    app = build.application(str(ROOT / "apps" / "benchmarks" / "interference"))
    assert asserted(app) == {
        **{"tasks": 61, "priorities": 29, "mutexes": 14},
        **{"messages": 56, "semaphores": 5, "interrupts": 4},
    }


@pytest.mark.parametrize("name", WITH_PROGRAM)
def test_needs_are_what_the_program_asserts(name: str) -> None:
    """`needs` of a definition says at once what the compiler says one by one. It decides no row."""
    definition = load(name)
    own = build.application(str(ROOT / "apps" / definition.app))
    wanted = asserted(own)
    for app in applications(definition):
        wanted |= asserted(app)
    assert {name: definition.least.get(name) for name in wanted} == wanted
    for kernel in definition.kernels:
        assert too_small(name, definition.least, config.find(kernel)) == ""
    more = definition.model_copy(update={"needs": {"tasks": 1}})
    assert more.measured == definition.measured


def test_regions_of_a_program_are_compared() -> None:
    """The application of `melanion new` marks one."""
    assert CliRunner().invoke(cli.group, ["new", "my_app"]).exit_code == 0
    words = ["compare", "my_app", "--kernels", "sw,hwrtos", "--json", "figures.json"]
    done = CliRunner().invoke(cli.group, words, catch_exceptions=False)
    assert "maximum begins in" in done.output
    document = json.loads(Path("figures.json").read_text(encoding="utf-8"))
    (region,) = document["regions"]
    assert (region["name"], list(region["kernels"])) == ("give to task", ["sw", "hwrtos"])
    for figures in region["kernels"].values():
        assert (figures["spans"], figures["open"]) == (5, 0)
        assert 0 < figures["maximum"] < 1000 < figures["maximum_begin"]


def test_a_folder_without_a_program_is_no_experiment(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    code, message = refused(capsys, "compare", "mine")
    assert code == 2
    assert "this folder holds no app.yaml; make one with `melanion new" in message


def test_file_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert refused(capsys, "compare", "mine.yaml") == (
        1,
        f"melanion: {tmp_path}/mine.yaml:1: the file cannot be read (No such file or directory);"
        " correct its path, or restore the file.",
    )


@pytest.mark.parametrize("words", [["compare", "latency"], ["demo"]])
def test_output_that_cannot_be_written_is_found_before_the_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert refused(capsys, *words, "--out", str(file)) == (
        1,
        f"melanion: {file}/report.html cannot be written (file exists); name another place with"
        " --out or --json.",
    )
    assert refused(capsys, *words, "--json", str(tmp_path)) == (
        1,
        f"melanion: {tmp_path} cannot be written (it is a folder); name another place with --out or"
        " --json.",
    )


def test_trace_refuses_before_the_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert refused(capsys, "trace", "latency", "--out", str(tmp_path / "file" / "x")) == (
        1,
        f"melanion: {tmp_path}/file/x cannot be written (file exists); name another place with"
        " --out or --json.",
    )
    assert refused(capsys, "trace", "nothing")[0] == 2


def double(value: int, report: object) -> int:
    assert callable(report)
    report(f"doubling {value}")
    if value == 13:
        raise RunError("13 is refused.", 2)
    return 2 * value


def test_jobs_report_and_return() -> None:
    told: list[tuple[str, str]] = []
    progress: Progress = lambda name, text: told.append((name, text))  # noqa: E731
    assert run_jobs(double, {"a": (1,), "b": (2,), "c": (3,)}, progress) == {"a": 2, "b": 4, "c": 6}
    assert sorted(told) == [
        ("a", ""),
        ("a", "doubling 1"),
        ("b", ""),
        ("b", "doubling 2"),
        ("c", ""),
        ("c", "doubling 3"),
    ]


def test_error_of_a_job_keeps_its_sentence_and_exit_code() -> None:
    with pytest.raises(RunError) as caught:
        run_jobs(double, {"a": (1,), "b": (13,)})
    assert (caught.value.message, caught.value.exit_code) == ("13 is refused.", 2)


def die(report: object) -> None:
    raise SystemExit(9)


def test_job_that_dies() -> None:
    with pytest.raises(RunError) as caught:
        run_jobs(die, {"sw": ()})
    assert caught.value.message == (
        "the process for sw ended without a result; free memory and run it again."
    )


class FakeRuns:
    """Stands in for building and running: gives the synthetic run, or fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cache_folder: Path) -> None:
        self.runs = 0
        self.error: MelanionError | None = None
        monkeypatch.setenv("MELANION_CACHE", str(cache_folder))
        program = SimpleNamespace(key="p", app=SimpleNamespace(name="latency"), kernel_origin="")
        hardware = SimpleNamespace(key="h")
        monkeypatch.setattr(build, "hardware", lambda *_, **__: hardware)
        monkeypatch.setattr(build, "program", lambda *_, **__: program)
        monkeypatch.setattr("melanion.measure.work.run_program", self.run)

    def run(self, *_: object, **__: object) -> SimpleNamespace:
        self.runs += 1
        if self.error:
            raise self.error
        return SimpleNamespace(events=whole_tape().events, instructions=0, caches=())


def test_outcome_is_kept_and_a_rejected_run_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = FakeRuns(monkeypatch, tmp_path / "cache")
    fake.error = RunError("the model rejects the run.")
    with pytest.raises(RunError):
        outcome("latency", "sw", lambda _: None)
    assert not list((tmp_path / "cache").glob("outcome/*"))
    fake.error = None
    first = outcome("latency", "sw", lambda _: None)
    again = outcome("latency", "sw", lambda _: None)
    assert fake.runs == 2
    assert first == again and len(first.measurements) == 22
    outcome("latency", "hwrtos", lambda _: None)
    assert fake.runs == 3


def test_changed_model_or_definition_measures_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = FakeRuns(monkeypatch, tmp_path / "cache")
    outcome("latency", "sw", lambda _: None)
    monkeypatch.setattr("melanion.measure.work.judges", lambda: [("model/kernel.py", b"new")])
    outcome("latency", "sw", lambda _: None)
    assert fake.runs == 2


def test_other_latencies_of_the_bridge_are_measured_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The hardware is the same: they are inputs of the simulation."""
    fake = FakeRuns(monkeypatch, tmp_path / "cache")
    near = Bridge(read_ns=Span(least=10, most=20))
    systems = [
        config.find("hwrtos").model_copy(update=change)
        for change in (
            {"bridge": Bridge()},
            {"bridge": near},
            {"bridge": near.model_copy(update={"write_ns": Span(least=10, most=10)})},
            {"bridge": Bridge(), "clock_mhz": 50},
            {"memory": config.find("hwrtos+gm").memory},
        )
    ]
    for system in [*systems, *systems]:
        monkeypatch.setattr(config, "find", lambda _, system=system: system)
        outcome("latency", "hwrtos@pci", lambda _: None)
    assert fake.runs == len(systems)


def test_page_heads_say_what_is_slow() -> None:
    system = config.find("hwrtos-2@pci+gm")
    cached = system.memory.model_copy(update={"cache": Cache(kib=1)})
    decided = {"flags": "-O2", "seed": 1, "hardware_key": "h", "program_key": "p"}
    words = configuration(system.model_copy(update={"memory": cached}), decided)
    assert words["memory"] == "256 KiB, 8 wait states, 98 of data, caches of 1 KiB"
    assert words["coupling"] == (
        "bus, 0 wait states, bridge: loads 136 … 363 cycles, stores 23 … 113, 32 posted"
    )
    plain = configuration(config.find("hwrtos@bus:20"), decided)
    assert (plain["memory"], plain["coupling"]) == (
        "256 KiB, 0 wait states",
        "bus, 20 wait states",
    )


def test_interrupted_jobs_end() -> None:
    """SIGINT to the parent alone: no job stays, and the parent ends at once."""
    code = (
        "import os, signal, sys, threading, time\n"
        "from melanion.run.parallel import run_jobs\n"
        "from tests.lab.test_compare import linger\n"
        "def stop(name, text):\n"
        "    print(text, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "try:\n"
        "    run_jobs(linger, {'a': ()}, stop)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=limited.HUNG,
        check=False,
    )
    pid, last = done.stdout.split()
    assert last == "interrupted" and done.stderr == ""
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def linger(report: Callable[[str], None]) -> None:
    report(str(os.getpid()))
    time.sleep(60)
