# SPDX-License-Identifier: Apache-2.0
"""`melanion report`: the page from a store, the sets that it holds, two sets compared, wrong use;
and that the measuring commands write into the store."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from melanion import cli
from melanion.claims.reference import load_references, reference_names
from melanion.cli import measuring
from melanion.measure import ExperimentError
from melanion.measure.work import Outcome
from melanion.report import html
from melanion.results import Store, Unit
from tests.common import stored
from tests.lab.test_report import Outline
from tests.lab.test_results import FIRST, UNITS, slower


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The user's store, empty; the working folder is empty, too."""
    monkeypatch.setenv("MELANION_RESULTS", str(tmp_path / "results.sqlite"))
    monkeypatch.chdir(tmp_path)
    return Store(tmp_path / "results.sqlite")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        cli.main(list(words))
    assert isinstance(caught.value.code, int)
    said = capsys.readouterr()
    return caught.value.code, said.out, said.err


# ---- the page ------------------------------------------------------------------------------------


def test_page_is_made_from_the_store_alone(
    store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store.keep("melanion reproduce all", stored.units())
    code, out, err = run(capsys, "report")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "page: build/reproduce/report.html"
    folder = tmp_path / "build" / "reproduce"
    assert {path.name for path in folder.iterdir()} == {
        *("report.html", "latency.csv", "latency.json", *reference_names())
    }
    text = (folder / "report.html").read_text(encoding="utf-8")
    outline = Outline(text)
    assert not {"script", "link", "img"} & set(outline.tags)
    assert not [a for a in outline.attributes if a[0] == "src" or a[0].startswith("on")]
    links = [value for key, value in outline.attributes if key == "href"]
    assert links == [f"#{seed.name}" for seed in load_references("all")]
    assert outline.tags.index("table") < outline.tags.index("svg")  # the worst cases come first
    assert "prefers-color-scheme: dark" in text and "url(" not in text
    assert len(text.encode()) < 3_000_000
    assert text.count(f"commit {stored.COMMIT}") >= outline.tags.count("figure") >= 30


def test_titles_of_the_page_are_computed(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """With other figures they say other things."""
    store.keep("a", stored.units())
    run(capsys, "report", "--out", "before")
    worse = [slower(u, 1000) if u.kernel == "banked" else u for u in stored.units()]
    store.keep("b", worse)
    run(capsys, "report", "--of", "last", "--out", "after")
    before, after = (
        [text for tag, text in Outline(Path(name, "report.html").read_text()).texts if tag == "h3"]
        for name in ("before", "after")
    )
    slowest = "Interrupt to task, at its slowest of all loads: "
    assert before[0].startswith(f"{slowest}52 cycles with banked, 117 ")
    assert after[0].startswith(f"{slowest}117 cycles with hwrtos, 378 sw,")
    computes = [
        next(t for t in texts if "while the core computes" in t) for texts in (before, after)
    ]
    assert computes[0].startswith("Interrupt to task while the core computes: at most 22 cycles")
    assert computes[1].startswith("Interrupt to task while the core computes: at most 81 cycles")
    pareto = [next(t for t in texts if t.startswith("Less latency")) for texts in (before, after)]
    assert "banked (16\u202f900 cells, 35 cycles); freertos is beaten" in pareto[0]
    assert pareto[1].endswith("freertos, banked are beaten")
    threads = [next(t for t in texts if "iteration" in t) for texts in (before, after)]
    assert re.fullmatch(
        r"An iteration is shortest with banked in \d of 7 tests, [\d.]+ to [\d.]+ times as fast as"
        r" sw",
        threads[0],
    )


def test_what_the_results_lack_is_named(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    store.keep("melanion compare latency", [u for u in UNITS if u.kernel == "hwrtos"])
    code, out, _ = run(capsys, "report", "--out", "here")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "newest: 2 experiments on systems"
    assert lines[1:-1] == [
        "Not measured: latency on sw, freertos, booster, port, banked: the results hold no figures;"
        " `melanion compare latency --kernels sw,freertos,booster,port,banked` measures that.",
        "Not measured: the area of sw, freertos, booster, port, banked: the results hold no"
        " figures; `melanion reproduce` measures that.",
        "Not measured: all of aquila, booster, rtu, thread-metric, white-paper: the results hold no"
        " figures; `melanion reproduce aquila booster rtu thread-metric white-paper` measures"
        " that.",
    ]
    text = Path("here", "report.html").read_text(encoding="utf-8")
    assert all(html.code(line) in text for line in lines[1:3])
    experiments = (
        "rtu-db, rtu-counts, rtu-split, rtu-wait, rtu-shared, rtu-locks, rtu-footprint, rtu-area"
    )
    assert f"Not measured: {experiments}: " in text
    assert "<code>melanion reproduce rtu</code> measures that." in text
    assert not Path("here", "white-paper").exists()


def test_area_that_was_counted_in_another_way_is_not_shown(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    store.keep("a", [replace(u, definition="0") if u.experiment == "area" else u for u in UNITS])
    _, out, _ = run(capsys, "report")
    assert "Not measured: the area of sw, freertos, booster, hwrtos, port, banked: " in out
    assert "cells beside the core" not in Path("build/reproduce/report.html").read_text()


@pytest.mark.parametrize("words", [["report"], ["report", "list"]])
def test_nothing_to_show(
    store: Store, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert run(capsys, *words) == (
        1,
        "",
        f"melanion: {store.file} holds no results yet; `melanion reproduce` or `melanion compare`"
        " adds some.\n",
    )


@pytest.mark.parametrize("words", [["report"], ["report", "list"], ["report", "diff", "1", "2"]])
def test_who_reads_makes_no_store(
    store: Store, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    store.file.unlink()
    assert "holds no results yet" in run(capsys, *words)[2]
    assert not store.file.exists()


# ---- sets, and two of them compared --------------------------------------------------------------


def test_list_of_sets(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    store.keep("melanion compare latency", UNITS)
    store.begin("melanion reproduce all", [("latency", "sw")])
    code, out, _ = run(capsys, "report", "list")
    assert code == 0
    rows = [re.split(r"  +", line.strip()) for line in out.splitlines()]
    assert rows[2][::2] == ["1", str(len(UNITS))]
    assert rows[2][3] == "melanion compare latency"
    assert rows[3][2] == "0 of 1"
    assert rows[3][3].startswith("melanion reproduce all (interrupted, or")
    store.end(store.begin("melanion compare mine.yaml", [("latency", "sw")]))
    assert "melanion compare mine.yaml (failed)" in run(capsys, "report", "list")[1]
    assert max(map(len, out.splitlines()[:-1])) <= 80


def test_equal_sets(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    store.keep("a", UNITS)
    store.keep("b", UNITS)
    code, out, _ = run(capsys, "report", "diff", "1", "2")
    rows = sum(len(unit.measurements) for unit in UNITS)
    assert code == 0 and f"no row differs ({rows} rows)." in out


def test_sets_that_differ(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows that changed, both ways; a row that is gone, one that is new."""
    row = FIRST.measurements[0]
    faster = replace(row, row=replace(row.row, max=row.row.max - 1))
    rest = FIRST.measurements[2:]
    before = replace(FIRST, measurements=(row, FIRST.measurements[1], *rest))
    long = "hwrtos@bus:20+cached"
    after: list[Unit] = [
        replace(slower(FIRST, 0), measurements=(faster, *rest)),
        replace(FIRST, kernel=long, measurements=rest[:1]),
    ]
    store.keep("a", [before])
    store.keep("b", after)
    code, out, _ = run(capsys, "report", "diff", "last~1", "last")
    lines = out.splitlines()
    assert code == 1
    assert max(map(len, lines)) <= 80
    words = [
        line.split()[-1] for line in lines if line.split()[-1:] and line.startswith(("l", " "))
    ]
    assert words == ["faster", "gone", "new", *words[3:]] and len(words) <= 6
    assert lines[0].startswith(f"A: set 1 (commit {stored.COMMIT}), 1 experiments")
    assert lines[-1] == "3 rows differ: 1 faster, 1 gone, 1 new."
    assert "…" not in out


def test_compared_with_another_store(
    store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store.keep("a", UNITS)
    other = Store(tmp_path / "other.sqlite")
    other.keep("b", [slower(unit, 3) for unit in UNITS])
    code, out, _ = run(capsys, "report", "diff", "newest", "other.sqlite")
    latency = sum(len(unit.measurements) for unit in UNITS if unit.experiment == "latency")
    assert code == 1
    assert out.splitlines()[-1] == f"{latency + 6} rows differ: {latency} slower, 6 more."


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["diff", "1"], 2, "Missing argument 'B'."),
        (["diff", "1", "9"], 2, "'9' names no results: {file} holds no set of that number;"),
        (["--of", "today"], 2, "'today' names no results; write `newest`"),
        (["--out", "file"], 1, "file/report.html cannot be written (file exists);"),
        (["dif", "1", "2"], 2, "No such command 'dif'."),
    ],
)
def test_wrong_use(
    store: Store,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    message: str,
) -> None:
    Path("file").write_text("")
    store.keep("a", [FIRST])
    found, out, err = run(capsys, "report", *words)
    assert (found, out) == (code, "")
    assert message.format(file=store.file) in err and "Traceback" not in err


# ---- measuring commands write into the store -----------------------------------------------------


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Workers run in this process and take known rows; in those of the set they are interrupted."""
    known = {(unit.experiment, unit.kernel): unit for unit in stored.units()}
    broken: set[tuple[str, str]] = set()

    def work(experiment: str, kernel: str, report: Callable[[str], None]) -> Outcome:
        report("running")
        if (experiment, kernel) in broken:
            raise KeyboardInterrupt
        unit = known[experiment, kernel]
        decided = {**unit.provenance, "flags": "-O2", "seed": 1}
        keys = {"hardware_key": "a" * 32, "program_key": "b" * 32}
        return Outcome(unit.measurements, {**decided, **keys})

    def run_jobs(function, jobs, progress):  # type: ignore[no-untyped-def]
        for name, arguments in jobs.items():
            function(*arguments, lambda text, name=name: progress(name, text))

    gather = importlib.import_module("melanion.results.gather")
    monkeypatch.setattr(gather, "outcome", work)
    monkeypatch.setattr(gather, "run_jobs", run_jobs)
    monkeypatch.setattr("melanion.area.missing_tools", lambda: "no yosys.")
    monkeypatch.setattr("melanion.area.missing", lambda liberty: "no library.")
    return broken


@pytest.mark.usefixtures("measured")
def test_compare_adds_a_set(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "compare", "latency", "--kernels", "hwrtos,sw", "--json", "-")
    assert code == 0
    (found,) = store.sets()
    assert found.command == "melanion compare latency --kernels hwrtos,sw"
    assert (found.wanted, found.got, bool(found.ended)) == (2, 2, True)
    document = json.loads(out)
    assert [row["kernel"] for row in document["rows"]][::22] == ["hwrtos", "sw"]
    assert {unit.judged for unit in store.of_set(1)} == {"golden model"}


def test_reproduce_all_ends_with_the_page(
    store: Store,
    measured: set[tuple[str, str]],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Interrupted first: what was measured is kept, and the next run ends with the page."""
    measured.add(("waits", "hwrtos"))
    code, out, err = run(capsys, "reproduce", "all", "--kernels", "sw,hwrtos")
    assert (code, out) == (1, "") and "interrupted; nothing half-written is left" in err
    (broken,) = store.sets()
    assert not broken.ended and 0 < broken.got < broken.wanted
    assert len(store.of_set(1)) == broken.got
    measured.clear()
    code, out, err = run(capsys, "reproduce", "all", "--kernels", "sw,hwrtos")
    assert code == 0
    assert out.splitlines()[-1] == "page: build/reproduce/report.html"
    last = store.sets()[-1]
    assert last.ended and last.got == last.wanted
    lines = err.splitlines()
    assert len(lines) == last.wanted
    assert re.fullmatch(rf"1 of {last.wanted}, about \d+ \w+ left: \S+ on \S+", lines[0])
    assert lines[-1].startswith(f"{last.wanted} of {last.wanted}: ")
    text = (tmp_path / "build" / "reproduce" / "report.html").read_text(encoding="utf-8")
    assert "Interrupt to task" in text and "Thread-Metric" in text
    assert not (tmp_path / "build" / "reproduce" / "rtu").exists()  # it has neither of them


@pytest.mark.usefixtures("measured")
def test_kernel_that_no_document_has(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "reproduce", "all", "--kernels", "sw,hwrtos-mixed")
    assert code == 2 and store.sets() == []
    assert err.startswith(
        "melanion: --kernels names 'hwrtos-mixed'; the documents are reproduced on banked,"
    )


def test_a_run_is_kept_and_compared(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Simulated: the smallest program, on software."""
    for _ in range(2):
        assert run(capsys, "run", "hello", "--kernel", "sw")[0] == 0
    (unit,) = store.of_set(2)
    assert (unit.experiment, unit.kernel, unit.judged) == ("run hello", "sw", "golden model")
    assert unit.provenance["seed"] == 1 and unit.provenance["hardware_key"]
    assert unit.command == "melanion run hello --kernel sw"
    assert {each.row.metric for each in unit.measurements} == {"cycles", "instructions"}
    assert run(capsys, "report", "diff", "1", "2")[0] == 0


def test_rows_are_printed_for_other_tools(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    store.keep("melanion compare latency", UNITS)
    code, out, _ = run(capsys, "report", "rows", "last", "--csv")
    rows = [each.row for unit in UNITS for each in unit.measurements]
    assert code == 0 and len(out.splitlines()) == 1 + len(rows)
    code, out, _ = run(capsys, "report", "rows")
    units = json.loads(out)["units"]
    assert code == 0 and len(units) == len(UNITS)
    first = next(each for each in units if each["kernel"] == FIRST.kernel)
    assert first["provenance"]["commit"] == FIRST.commit
    assert run(capsys, "report", "rows", "99")[0] == 2


def test_rows_name_an_experiment_of_a_user_as_its_files_do(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tuple(
        replace(each, row=replace(each.row, experiment="/elsewhere/mine.yaml"))
        for each in FIRST.measurements
    )
    store.keep("a", [replace(FIRST, experiment="/elsewhere/mine.yaml", measurements=rows)])
    _, out, _ = run(capsys, "report", "rows")
    (unit,) = json.loads(out)["units"]
    assert {unit["experiment"], unit["measurements"][0]["row"]["experiment"]} == {"mine"}
    assert "/elsewhere" not in run(capsys, "report", "rows", "--csv")[1]


def test_a_command_that_fails_has_an_end(
    store: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ExperimentError("it fails.")

    monkeypatch.setattr("melanion.results.gather", fails)
    assert run(capsys, "compare", "latency", "--kernels", "sw")[0] == 1
    assert "(failed)" in run(capsys, "report", "list")[1]


def test_jobs_name_each_unit_once() -> None:
    seeds = load_references("white-paper")[0].experiments
    found = measuring.jobs({name: ["sw", "hwrtos"] for name in seeds})
    assert sorted(found) == [
        *(("calls", "hwrtos"), ("calls", "sw"), ("waits", "hwrtos"), ("waits", "sw"))
    ]
