# SPDX-License-Identifier: Apache-2.0
"""`melanion sweep`: the file, points, the front, what is kept and not run again, workers that end,
the search, Ctrl-C. Points here are bounds of the hardware unit: computed, nothing is simulated."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import melanion.cli.sweep as sweep_command
import melanion.sweep.digest as digest
from melanion import cli, config
from melanion.area.recorded import Figure
from melanion.results import Store
from melanion.sweep import (
    Answer,
    Campaign,
    Plan,
    Point,
    Pool,
    Quantity,
    Sweep,
    SweepError,
    front,
    load,
)
from melanion.sweep.evaluate import LOG, STRANGER, Outcome, evaluate
from melanion.sweep.plan import named
from melanion.sweep.schema import Search

SMALL = """title: Bounds over sizes
systems: [hwrtos, port]
parameters:
  tasks: [8, 16]
  mutexes: {from: 4, to: 8, step: 4}
bounds: [irq_wakeup]
"""
BOUND = Quantity("bound", "irq_wakeup")


def written(folder: Path, text: str) -> Path:
    file = folder / "my.yaml"
    file.write_text(text, encoding="utf-8")
    return file


# ---- the file ------------------------------------------------------------------------------------


def changed(old: str, new: str) -> str:
    assert SMALL.count(old) == 1
    return SMALL.replace(old, new)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            changed("tasks: [8, 16]", "tasks: [8, 512]"),
            "4: parameters.tasks[1] is 512; allowed is a whole number 4 … 256; correct the value.",
        ),
        (
            changed("tasks: [8, 16]", "taks: [8, 16]"),
            "4: parameters.taks is no key that a sweep varies; there are tasks, priorities,"
            " semaphores, event_flags, mutexes, queues, messages, timers, interrupts, cores,"
            " monitor, flag_lanes, time_reset, resident, kib, clock_mhz, tick_us, unit_wait_states,"
            " memory; did you mean tasks.",
        ),
        (
            changed("tasks: [8, 16]", "tasks: []"),
            "4: parameters.tasks is an empty list; write one value at least, or remove the key.",
        ),
        (
            changed("tasks: [8, 16]", "tasks: [8, 8]"),
            "4: parameters.tasks[1] is 8 for the second time; write each value once.",
        ),
        (
            changed("tasks: [8, 16]", "memory: [cashed]"),
            "4: parameters.memory[0] is 'cashed'; there are cached, gm, lm, shared; did you mean"
            " cached.",
        ),
        (
            changed("step: 4", "step: 4, times: 2"),
            "5: parameters.mutexes has both step and times; write one of them.",
        ),
        (
            changed(", step: 4", ""),
            "5: parameters.mutexes has neither step nor times; write one of them.",
        ),
        (
            changed("from: 4, to: 8", "from: 9, to: 8"),
            "5: parameters.mutexes is from 9 to 8, which is less; exchange the two.",
        ),
        (
            changed("from: 4, to: 8, step: 4", "from: 0, to: 8, times: 2"),
            "5: parameters.mutexes is from 0, which stays 0 whatever it is multiplied by; begin at"
            " 1, or write step.",
        ),
        (
            changed("mutexes: {from: 4, to: 8, step: 4}", "memory: {from: 4, to: 8, step: 4}"),
            "5: parameters.memory is a range, and memories have names; write a list of them.",
        ),
        (
            changed("[hwrtos, port]", "[hwrtos, hwrtos]"),
            "2: systems[1] is 'hwrtos' for the second time; name each system once.",
        ),
        (
            changed("[hwrtos, port]", "['hwrtos[tasks=8]']"),
            "2: systems[0] is 'hwrtos[tasks=8]'; allowed is a name without sizes, wait states and"
            " memory, such as hwrtos or port-2; write those below parameters.",
        ),
        (
            changed("[hwrtos, port]", "[hwrtis]"),
            "2: systems[0] is refused: 'hwrtis' is no system; did you mean hwrtos (`melanion"
            " systems` lists all).",
        ),
        (
            changed("[hwrtos, port]", "[hwrtos-2]").replace("tasks: [8, 16]", "cores: [1, 2]"),
            "2: systems[0] is 'hwrtos-2', which has 2 cores, and parameters.cores is given; name"
            " the system with one core.",
        ),
        (
            changed("[hwrtos, port]", "[hwrtos, sw]").replace("tasks:", "unit_wait_states:"),
            "2: systems[1] is 'sw', which has no hardware unit, and parameters.unit_wait_states is"
            " given, the way to one; name systems with a unit, and the others in a file of their"
            " own.",
        ),
        (
            changed("bounds: [irq_wakeup]", "bounds: [irq_wakup]"),
            "6: bounds[0] is 'irq_wakup'; actions of an interrupt are irq_give, irq_none,"
            " irq_notify_give, irq_notify_set, irq_post_message, irq_set_flags, irq_wakeup, release"
            "; did you mean irq_wakeup.",
        ),
        (
            changed("bounds: [irq_wakeup]", "experiments: {latency: irq_to_tusk}"),
            "6: experiments.latency is 'irq_to_tusk'; metrics of latency in cycles are",
        ),
        (
            changed("bounds: [irq_wakeup]", "experiments: {latencie: irq_to_task}"),
            "6: experiments.latencie is refused: 'latencie' is no experiment; there are:",
        ),
        (
            changed("bounds: [irq_wakeup]", "experiments: {rtu-area: logic}"),
            "6: experiments.rtu-area synthesizes hardware and runs no program; name an experiment"
            " that runs one.",
        ),
        (
            changed("bounds: [irq_wakeup]", "programs: [pingpang]"),
            "6: programs[0] is refused: 'pingpang' is neither a folder with app.yaml nor a program"
            " of Melanion",
        ),
        (
            changed("bounds: [irq_wakeup]\n", ""),
            "1: the file measures nothing; add experiments, programs or bounds, such as"
            " `experiments: {latency: irq_to_task}`.",
        ),
        (
            changed("bounds: [irq_wakeup]", "bounds: [irq_wakeup]\nsearch: {seed: 2}"),
            "7: search is given, and mode is grid; write mode: search, or remove the key.",
        ),
        (
            changed("bounds: [irq_wakeup]", "bounds: [irq_wakeup, irq_give]\nmode: search"),
            "7: mode is search, and 2 quantities are asked for; a search has one; write a file for"
            " each, or mode: grid.",
        ),
        (
            changed("tasks: [8, 16]", "tick_us: {from: 1, to: 90000, step: 1}"),
            "3: parameters asks for 360000 points; a grid has at most 100000; give fewer values, or"
            " search.",
        ),
        (
            changed("tasks: [8, 16]", "tick_us: {from: 1, to: 2000000000, step: 1}"),
            "4: parameters.tick_us has 2000000000 values; a grid has at most 100000 points; take a"
            " larger step.",
        ),
        (
            changed("bounds: [irq_wakeup]", "bounds: [irq_wakeup]\nmode: gird"),
            "7: mode is 'gird'; allowed is grid, search; correct the value.",
        ),
        (
            changed("title: Bounds over sizes\n", ""),
            "1: title is missing; add it: text, not empty.",
        ),
    ],
)
def test_a_wrong_file(tmp_path: Path, text: str, message: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(SweepError) as caught:
        load(file)
    assert caught.value.exit_code == 2
    (line,) = caught.value.message.splitlines()
    whole = message.endswith(".") and not message.endswith("are.")
    found = line if whole else line[: len(f"{file}:{message}")]
    assert found == f"{file}:{message}"


def test_every_error_is_said_at_once(tmp_path: Path) -> None:
    text = changed("tasks: [8, 16]", "tasks: [3]").replace("to: 8", "to: 200")
    with pytest.raises(SweepError) as caught:
        load(written(tmp_path, text))
    lines = caught.value.message.splitlines()
    assert len(lines) == 2 and all("allowed is a whole number" in line for line in lines)


def test_a_right_file(tmp_path: Path) -> None:
    plan = load(written(tmp_path, SMALL))
    assert plan.axes == {"tasks": (8, 16), "mutexes": (4, 8)}
    assert plan.quantities == (BOUND,) and plan.search is None
    grid = list(plan.grid())
    assert len(grid) == plan.size == 8
    assert [point.system for point in grid[:3]] == [
        "hwrtos[tasks=8,mutexes=4]",
        "hwrtos[tasks=8,mutexes=8]",
        "hwrtos[tasks=16,mutexes=4]",
    ]
    times = load(written(tmp_path, changed("to: 8, step: 4", "to: 40, times: 3")))
    assert times.axes["mutexes"] == (4, 12, 36)


@pytest.mark.parametrize(
    ("base", "values", "name"),
    [
        ("hwrtos", {}, "hwrtos"),
        ("hwrtos", {"cores": 2, "tasks": 8}, "hwrtos-2[tasks=8]"),
        ("hwrtos", {"cores": 1, "unit_wait_states": 20}, "hwrtos@bus:20"),
        ("hwrtos@port", {"cores": 4}, "hwrtos@port-4"),
        ("sw", {"memory": "lm", "kib": 128}, "sw[kib=128]+lm"),
        (
            "hwrtos",
            {"memory": "gm", "unit_wait_states": 3, "tick_us": 500, "cores": 2},
            "hwrtos-2@bus:3[tick_us=500]+gm",
        ),
    ],
)
def test_a_point_has_a_name_that_others_take(
    base: str, values: dict[str, int | str], name: str
) -> None:
    assert named(base, values) == name
    system = config.find(name)
    assert system.core.count == values.get("cores", 1)
    assert system.unit_wait_states == values.get("unit_wait_states", 0)
    assert system.parameters.tasks == values.get("tasks", 64)
    assert system.tick_us == values.get("tick_us", 1000)
    assert system.memory.kib == values.get("kib", 256)


# ---- the front -----------------------------------------------------------------------------------


def answer(name: str, worst: int | None, cells: int | None, rams: int, rom: int) -> Answer:
    area = Figure(cells, None if cells is None else rams, "measured", "said here")
    return Answer(Point(name, (), name, BOUND), "done", area, worst, rom, 0)


def test_the_front_holds_what_no_other_beats() -> None:
    answers = [
        answer("slow-small", 900, 0, 0, 5000),
        answer("fast-large", 30, 5800, 48, 4000),
        answer("beaten", 31, 5800, 48, 4000),
        answer("less-memory", 31, 5800, 48, 3999),
        answer("equal", 30, 5800, 48, 4000),
        answer("no-cells", 1, None, 0, 1),
        answer("no-cycles", None, 1, 0, 1),
    ]
    names = [each.point.system for each in front(answers)]
    assert names == ["equal", "fast-large", "less-memory", "slow-small"]
    assert answers[1].memory == 4000 + 48 * 2304


def test_points_without_cells_are_named_beside_the_front(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Else a fast system would be missing there, and nobody would know."""
    fast = answer("banked-2[tasks=16]", 16, None, 0, 1)
    some = [answer("slow-small", 900, 0, 0, 5000), fast, answer("no-cycles", None, 1, 0, 1)]
    plan = Plan("a sweep", "mine.yaml", ("banked-2", "sw", "hwrtos"), {}, (BOUND,))
    sweep_command._show(Sweep(plan, some, "melanion sweep"), tmp_path)
    printed = capsys.readouterr().out
    assert "left out, cells unknown: banked-2[tasks=16] (16 cycles)\n" in printed
    assert "no-cycles" not in printed


# ---- what is kept --------------------------------------------------------------------------------


class Silent:
    """Progress that only counts."""

    def __init__(self, most: int | None = None) -> None:
        self.evaluated: list[str] = []
        self.most = most

    def begun(self, point: Point) -> None:
        pass

    def ended(self, answer: Answer) -> None:
        if answer.state != "refused" and not answer.found:
            self.evaluated.append(answer.point.system)
        if self.most is not None and len(self.evaluated) >= self.most:
            raise KeyboardInterrupt


class Here:
    """Workers in this process."""

    def __init__(self) -> None:
        self._done: list[Outcome] = []

    @property
    def free(self) -> int:
        return 1 - len(self._done)

    def begin(self, point: Point, expected: str) -> None:
        self._done.append(evaluate(point, expected))

    def ended(self) -> Iterator[Outcome]:
        yield self._done.pop()

    def close(self) -> None:
        pass


def swept(plan: Plan, file: Path, told: Silent | None = None) -> tuple[Campaign, Silent]:
    told = told or Silent()
    campaign = Campaign(plan, Store(file), Here(), "a test", told)
    campaign.run()
    return campaign, told


def test_nothing_is_run_twice(tmp_path: Path) -> None:
    plan = load(written(tmp_path, SMALL))
    first, told = swept(plan, tmp_path / "store")
    assert len(told.evaluated) == 8
    assert [each.point for each in first.answers] == list(plan.grid())
    again, told = swept(plan, tmp_path / "store")
    assert told.evaluated == []
    assert all(each.found for each in again.answers)
    assert [each.costs for each in again.answers] == [each.costs for each in first.answers]
    # A larger grid runs what is new; another store everything.
    larger = load(written(tmp_path, changed("[8, 16]", "[8, 16, 32]")))
    assert len(swept(larger, tmp_path / "store")[1].evaluated) == 4
    assert len(swept(plan, tmp_path / "other")[1].evaluated) == 8
    sets = Store(tmp_path / "store").sets()
    assert [(each.wanted, each.got) for each in sets] == [(8, 8), (8, 8), (12, 12)]


def test_other_sources_are_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = load(written(tmp_path, SMALL))
    swept(plan, tmp_path / "store")
    monkeypatch.setattr(digest, "sources", lambda kind: "others")
    campaign, told = swept(plan, tmp_path / "store")
    assert len(told.evaluated) == 8
    # This process has the sources that it has: as a worker of another checkout it says so.
    assert {each.failure for each in campaign.answers} == {STRANGER}


def test_an_interrupted_sweep_goes_on(tmp_path: Path) -> None:
    plan = load(written(tmp_path, SMALL))
    told = Silent(most=3)
    campaign = Campaign(plan, Store(tmp_path / "store"), Here(), "a test", told)
    with pytest.raises(KeyboardInterrupt):
        campaign.run()
    assert len(campaign.answers) == 3
    rest, more = swept(plan, tmp_path / "store")
    assert len(more.evaluated) == 5
    assert not set(more.evaluated) & set(told.evaluated)
    assert len(rest.answers) == 8


def test_refused_and_failed_points_are_kept(tmp_path: Path) -> None:
    text = changed("[hwrtos, port]", "[sw, hwrtos, hwrtos-vexriscv]")
    text = text.replace("mutexes: {from: 4, to: 8, step: 4}", "cores: [1, 2]")
    plan = load(written(tmp_path, text))
    campaign, told = swept(plan, tmp_path / "store")
    states = {each.point.system: each.state for each in campaign.answers}
    assert states == {
        **{f"{name}[tasks={n}]": "failed" for name in ("sw", "sw-2") for n in (8, 16)},
        **{f"{name}[tasks={n}]": "done" for name in ("hwrtos", "hwrtos-2") for n in (8, 16)},
        **{f"hwrtos-vexriscv[tasks={n}]": "done" for n in (8, 16)},
        **{f"hwrtos-vexriscv-2[tasks={n}]": "refused" for n in (8, 16)},
    }
    causes = {each.failure for each in campaign.answers if each.state == "failed"}
    assert causes == {
        "sw has no hardware unit, of which bounds are computed; measure an experiment, or take a"
        " kernel with the unit."
    }
    (refusal, _) = (each.failure for each in campaign.answers if each.state == "refused")
    assert refusal.startswith("hwrtos-vexriscv-2[tasks=8]: core.count is 2; ")
    # A computation would fail again, so that it is not repeated; the failure is shown again.
    again, told = swept(plan, tmp_path / "store")
    assert told.evaluated == []
    assert [each.failure for each in again.answers] == [each.failure for each in campaign.answers]


# ---- workers that end ----------------------------------------------------------------------------


def test_a_worker_that_is_killed_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv(LOG, str(log))
    plan = load(written(tmp_path, SMALL))
    pool = Pool(1)
    points = list(plan.grid())
    expected = digest.sources("bound")
    pool.begin(points[0], expected)
    (first,) = pool.ended()
    pool.begin(points[1], expected)
    (process,) = [worker.process for worker in pool._busy.values()]
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    (second,) = pool.ended()
    pool.close()
    assert (first.point, second.point) == (points[0], points[1])
    assert first.failure == second.failure == ""


def test_a_point_that_ends_its_workers_is_a_failure(tmp_path: Path) -> None:
    point = next(load(written(tmp_path, SMALL)).grid())
    pool = Pool(1)
    pool.begin(point, digest.sources("bound"))
    for _ in range(2):
        (worker,) = pool._busy.values()
        worker.process.kill()
        worker.process.join()
        del pool._busy[worker.pipe]
        assert pool._again(worker) == []
    (worker,) = pool._busy.values()
    worker.process.kill()
    (outcome,) = pool.ended()
    pool.close()
    assert outcome.failure == (
        "3 workers have ended by signal 9 within this point; free memory and run it again."
    )
    assert not outcome.final


# ---- the search ----------------------------------------------------------------------------------


def test_a_search_repeats_itself(tmp_path: Path) -> None:
    wide = changed("[8, 16]", "{from: 4, to: 64, step: 4}")
    text = f"{wide}mode: search\nsearch: {{points: 20, batch: 5, seed: 7}}\n"
    plan = load(written(tmp_path, text))
    assert plan.search == Search(points=20, batch=5, seed=7) and plan.size == 64
    first, told = swept(plan, tmp_path / "store")
    assert len(told.evaluated) == len(first.answers) == 20
    again, told = swept(plan, tmp_path / "store")
    assert told.evaluated == []
    assert [each.point for each in again.answers] == [each.point for each in first.answers]
    other, _ = swept(load(written(tmp_path, text.replace("7", "8"))), tmp_path / "store")
    assert {each.point for each in other.answers} != {each.point for each in first.answers}


def test_a_search_ends_when_it_knows_every_point(tmp_path: Path) -> None:
    plan = load(written(tmp_path, f"{SMALL}mode: search\n"))
    campaign, _ = swept(plan, tmp_path / "store")
    assert {each.point for each in campaign.answers} == set(plan.grid())


# ---- the command ---------------------------------------------------------------------------------


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        cli.main(["sweep", *words])
    assert isinstance(caught.value.code, int)
    said = capsys.readouterr()
    return caught.value.code, said.out, said.err.strip()


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MELANION_RESULTS", str(tmp_path / "results.sqlite"))


def test_the_files_of_a_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = changed("[hwrtos, port]", "[sw, port]")
    code, out, err = ran(capsys, str(written(tmp_path, text)), "--jobs", "1", "--out", "here")
    assert code == 1  # points of sw have failed
    assert "grid of 8 points; 8 points: 4 done, 4 failed" in out
    assert err.count("sw has no hardware unit") == 4 and "sw[tasks=8,mutexes=4]:" in err
    document = json.loads(Path("here/sweep.json").read_text(encoding="utf-8"))
    assert (document["mode"], document["seed"], document["wanted"]) == ("grid", None, 8)
    points = document["points"]
    assert [each["state"] for each in points] == ["failed"] * 4 + ["done"] * 4
    assert {each["area"] for each in points[4:]} == {"interpolated"}
    with Path("here/sweep.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["system"] for row in rows] == [each["system"] for each in points]
    assert [row["worst"] for row in rows[4:]] == [str(each["worst"]) for each in points[4:]]
    page = Path("here/report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3 and "Failed" in page
    assert len(re.findall("sw has no hardware unit", page)) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--jobs", "2", "--dask", "tcp://127.0.0.1:1"],
            "melanion: --jobs does not go with --dask: the cluster decides how many points are in"
            " work; leave one of them out.",
        ),
    ],
)
def test_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert ran(capsys, str(written(tmp_path, SMALL)), *words)[::2] == (2, message)


def test_packages_that_are_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = "which is not installed; in a checkout run `make setup-dev`, elsewhere"
    rest += " `pip install 'melanion[sweep]'`."
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setitem(sys.modules, "optuna", None)
    file = written(tmp_path, SMALL)
    said = ran(capsys, str(file), "--dask", "tcp://127.0.0.1:1")
    assert said[::2] == (1, f"melanion: --dask needs the package distributed, {rest}")
    written(tmp_path, f"{SMALL}mode: search\nsearch: {{points: 3}}\n")
    code, _, err = ran(capsys, str(file))
    assert (code, err) == (1, f"melanion: {file}: mode: search needs the package optuna, {rest}")


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    wide = changed("[8, 16]", "{from: 4, to: 256, step: 4}")
    file, log = written(tmp_path, wide), tmp_path / "log"
    words = [sys.executable, "-m", "melanion", "sweep", str(file), "--jobs", "1"]
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, LOG: str(log)},
        start_new_session=True,
    )
    while process.poll() is None and (not log.exists() or len(log.read_text().split("\n")) < 5):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 1
    match = re.search(
        r"melanion: interrupted; the (\d+) points that ended are kept, and the same command"
        r" continues with the rest\.$",
        err.strip(),
    )
    assert match and "Traceback" not in err, err
    # It may come after an outcome was kept, and before it was counted.
    kept = Store(tmp_path / "results.sqlite").measured("sweep bound of irq_wakeup")
    said = int(match[1])
    assert 0 < said <= len(kept) <= said + 1
    assert Path("build/sweep/my/report.html").is_file()
    assert f"{256 - said} not begun or interrupted" in out
