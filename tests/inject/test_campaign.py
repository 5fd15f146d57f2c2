# SPDX-License-Identifier: Apache-2.0
"""A small campaign: its classes exactly, because every machine gives the same; that it goes on
where it was; that a harness without flips is noticed; wrong use."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import build, config, paths
from melanion.cli.inject import command
from melanion.errors import MelanionError
from melanion.inject import Campaign, InjectError, Record, prepared, run, single
from melanion.inject.campaign import Prepared, record
from melanion.inject.flips import Plan
from melanion.inject.harness import Harness
from melanion.inject.outcome import CLASSES, SILENT
from melanion.inject.present import NOTHING, UNPROTECTED, result
from melanion.results import Store
from melanion.run import Settings

ROOT = paths.data_root()
LIVES = str(ROOT / "apps" / "faults" / "lives")
SETTINGS = Settings(defines={"ROUNDS": 3})  # a quarter of the program
FLIPS, SEED = 200, 1
SYSTEM = "hwrtos"
LATE = 200  # cycles before the end of the run

Classes = Mapping[str, Mapping[str, int]]

# Kind of state → class → flips. They move with the RTL, the kernel, the program and the compiler.
EXPECTED: Classes = {
    "registers": {"masked": 39, "hang": 1},
    "memories": {"masked": 40},
    "contexts": {"detected": 2, "masked": 35, "program": 3},
    "data": {"masked": 40},
    "configuration": {"detected": 1, "masked": 39},
}


@contextmanager
def ready(flips: int = FLIPS, system: str = SYSTEM) -> Iterator[tuple[Prepared, Harness]]:
    campaign = Campaign(config.find(system), build.application(LIVES), SEED, flips)
    with prepared(campaign, SETTINGS, lambda _: None) as found:
        yield found


def classes(records: Sequence[Record]) -> Classes:
    found: dict[str, Counter[str]] = {}
    for each in records:
        found.setdefault(each.kind, Counter())[each.name] += 1
    return {kind: dict(counts) for kind, counts in found.items()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Prepared, list[Record]]]:
    store = Store(tmp_path_factory.mktemp("whole") / "results.sqlite")
    with ready() as (found, harness):
        yield found, run(found, harness, store, "test", 2)


def test_classes_are_those_of_every_machine(whole: tuple[Prepared, list[Record]]) -> None:
    found, records = whole
    assert [each.number for each in records] == list(range(FLIPS))
    assert classes(records) == EXPECTED
    kinds = Counter(each.kind for each in records)
    assert kinds == dict.fromkeys(found.space.kinds, FLIPS // len(found.space.kinds))


def test_records_say_what_was_hit_and_how_late_it_was_noticed(
    whole: tuple[Prepared, list[Record]],
) -> None:
    found, records = whole
    for each in records:
        assert 0 <= each.cycle < found.reference.cycles
        noticed = each.name not in ("masked", "silent")
        assert (each.latency is not None) == noticed
        assert each.latency is None or each.latency >= 0
        assert bool(each.evidence) >= (each.name != "masked")
        assert (each.hit == NOTHING) <= (each.kind == "contexts")
        assert not (each.left and each.early)
    assert {each.name for each in records} <= set(CLASSES)


def test_saved_contexts_lie_in_stacks_of_tasks(whole: tuple[Prepared, list[Record]]) -> None:
    found, records = whole
    stacks = [each for each in found.program.content.stacks if each.number in range(5)]
    hits = [int(each.hit) for each in records if each.kind == "contexts" and each.hit != NOTHING]
    assert len(hits) > 20
    for hit in hits:
        assert any(stack.base <= hit < stack.base + stack.size for stack in stacks)


def test_tables_and_files_have_every_flip(whole: tuple[Prepared, list[Record]]) -> None:
    found, records = whole
    done = result(found, records, "melanion inject", 0, 1.0)
    assert sum(line.flips for line in done.kinds) + done.missed == FLIPS
    assert sum(line.flips for line in done.modules) + done.missed == FLIPS
    assert len(done.silent) == sum(each.name in SILENT for each in records)
    shares = [line.silent / line.flips for line in done.modules]
    assert shares == sorted(shares, reverse=True)
    for line in done.kinds:
        assert line.silent / line.flips < line.bound <= 1
        assert line.counts["corrected"] == 0


def test_a_run_that_ends_early_has_the_class_of_one_that_does_not(
    whole: tuple[Prepared, list[Record]], tmp_path: Path
) -> None:
    found, records = whole
    short = [each for each in records if each.early]
    assert len(short) > 10
    campaign = found.campaign
    harness = Harness(
        campaign.system, found.hardware, found.program, found.decided, tmp_path, early=False
    )
    flips = sorted((found.flip(each.number) for each in short), key=lambda flip: flip.cycle)
    plan = "".join(map(found.plan.line, flips))
    longer = {each.number: record(found, each) for each in harness.run(plan, 2, found.limit)}
    for each in short:
        other = longer[each.number]
        assert not other.early and not other.left
        assert replace(other, early=True) == each


def test_a_harness_that_flips_nothing_is_noticed(
    whole: tuple[Prepared, list[Record]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every run is then that without a flip: all are masked, and the expected classes are not."""
    monkeypatch.setattr(Plan, "_target", lambda *_: "memory 0 0")  # no memory has this address
    with ready() as (found, harness):
        records = run(found, harness, Store(tmp_path / "results.sqlite"), "test", 2)
    assert {each.name for each in records} == {"masked"}
    assert {each.hit for each in records} == {NOTHING}
    assert not any(each.left for each in records)
    assert classes(records) != EXPECTED


def test_a_run_has_the_console_that_was_printed_before_its_flip(
    whole: tuple[Prepared, list[Record]], tmp_path: Path
) -> None:
    """Many runs begin before the last line is printed, and wait for a processor until it is."""
    found, _ = whole
    campaign, last = found.campaign, found.reference.cycles
    harness = Harness(campaign.system, found.hardware, found.program, found.decided, tmp_path)
    plan = "".join(f"{number} {last - LATE + number} memory 0 0\n" for number in range(LATE))
    runs = list(harness.run(plan, LATE, found.limit))
    assert len(runs) == LATE
    assert {each.seen.console for each in runs} == {found.reference.console}


class _Stopped(Exception):
    """Somebody breaks a campaign off."""


def test_a_broken_off_campaign_goes_on_where_it_was(
    whole: tuple[Prepared, list[Record]], tmp_path: Path
) -> None:
    _, records = whole
    store = Store(tmp_path / "results.sqlite")
    seen: list[int] = []

    def stop(each: Record) -> None:
        seen.append(each.number)
        if len(seen) == 10:
            raise _Stopped

    with ready(40) as (found, harness):
        with pytest.raises(_Stopped):
            run(found, harness, store, "test", 2, stop)
        again: list[int] = []
        first = run(found, harness, store, "test", 1, lambda each: again.append(each.number))
        assert sorted(seen + again) == list(range(40))  # none twice
        assert first == records[:40]
        again.clear()
        assert run(found, harness, store, "test", 1, lambda each: again.append(each.number))
        assert again == []
    with ready(50) as (found, harness):  # a longer one begins with it
        assert (
            run(found, harness, store, "test", 1, lambda e: again.append(e.number)) == records[:50]
        )
    assert sorted(again) == list(range(40, 50))


def test_one_flip_again(whole: tuple[Prepared, list[Record]]) -> None:
    _, records = whole
    chosen = next(each for each in records if each.name != "masked")
    with ready(1) as (one, harness):
        again, ended = single(one, harness, chosen.number)
    assert again == chosen
    assert ended.number == chosen.number
    assert ended.seen.events["cycle"][-1] >= chosen.cycle


def test_a_simulation_that_breaks_is_no_class(
    whole: tuple[Prepared, list[Record]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says nothing of the hardware; outcomes before it are kept."""
    _, records = whole
    usual = Harness._lines

    def broken(self: Harness, *given: object) -> Iterator[str]:
        for line in usual(self, *given):  # type: ignore[arg-type]
            if not line.startswith(("flip 3 ", "end 3 ")):
                yield line
            elif line.startswith("end"):
                yield "died 3 11\n"

    store = Store(tmp_path / "results.sqlite")
    monkeypatch.setattr(Harness, "_lines", broken)
    with (
        ready(8) as (found, harness),
        pytest.raises(
            InjectError, match=r"flip 3: the simulation itself broke \(signal 11\); this"
        ),
    ):
        run(found, harness, store, "test", 1)
    monkeypatch.undo()
    again: list[int] = []
    with ready(8) as (found, harness):
        assert (
            run(found, harness, store, "test", 1, lambda e: again.append(e.number)) == records[:8]
        )
    assert 3 in again and len(again) < 8


# ---- FreeRTOS ------------------------------------------------------------------------------------

FREERTOS: Classes = {
    "contexts": {"masked": 10},
    "data": {"masked": 10},
    "configuration": {"detected": 2, "hang": 1, "masked": 7},
}


def test_a_kernel_that_no_model_knows(tmp_path: Path) -> None:
    """Its switches are named by stacks, and its own files are hit."""
    store = Store(tmp_path / "results.sqlite")
    with ready(30, "freertos") as (found, harness):
        assert {"tasks.c", "freertos/boot.c"} <= {field.module for field in found.space.fields}
        records = run(found, harness, store, "test", 2)
    assert classes(records) == FREERTOS


# ---- the command line ----------------------------------------------------------------------------


def invoked(*words: str) -> tuple[int, str]:
    """Exit code, and what it printed or would print of its error."""
    done = CliRunner().invoke(command, list(words))
    error = done.exception
    if isinstance(error, MelanionError):
        return error.exit_code, error.message
    return done.exit_code, done.output


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELANION_RESULTS", str(tmp_path / "results.sqlite"))
    words = (SYSTEM, "pingpong", "--seed", "3", "--flips", "10", "--out", str(tmp_path))
    code, text = invoked(*words)
    assert code == 0, text
    assert "10 flips with seed 3: " in text and UNPROTECTED in text
    document = json.loads((tmp_path / "inject.json").read_text(encoding="utf-8"))
    assert len(document["flips"]) == 10 and document["seed"] == 3
    assert {"commit", "provenance", "command", "protection"} <= set(document)
    assert document["provenance"]["tools"] and document["provenance"]["system"]["name"] == SYSTEM
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert UNPROTECTED.split(",")[0] in page and "Bit flips in hwrtos" in page
    assert len((tmp_path / "inject.csv").read_text(encoding="utf-8").splitlines()) == 11
    assert "10 of them from the results store" in invoked(*words)[1]
    code, text = invoked(*words, "--only", "4")
    assert code == 0 and text.startswith("flip 4: ") and "console:" in text
    assert (tmp_path / "flip-4" / "events").is_file()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--flips", "0"), "0 flips: a campaign has 1 or more; write such a number."),
        (("--flips", "20000000"), "20000000 flips: a campaign has 10000000 at most; write fewer."),
        *(
            (
                ("--flips", "4", "--only", number),
                f"--only {number}: the 4 flips of the campaign (--flips) have the numbers 0 … 3;"
                " write one of them.",
            )
            for number in ("-1", "4", "9")
        ),
        (
            ("--module", "u_unit.u_tim"),
            "u_unit.u_tim: no module or kind of state has this name; did",
        ),
    ],
)
def test_wrong_use_is_one_sentence(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    code, text = invoked(SYSTEM, "pingpong", *words, "--out", str(tmp_path))
    assert (code, text[: len(sentence)]) == (2, sentence)


def test_an_app_that_fails_without_a_flip_is_refused(tmp_path: Path) -> None:
    app = tmp_path / "fails"
    app.mkdir()
    (app / "app.yaml").write_text("name: fails\ntitle: it fails\nsources: [main.c]\n")
    (app / "main.c").write_text("#include <melanion/melanion.h>\nint main(void) { mel_exit(3); }\n")
    code, text = invoked(SYSTEM, str(app), "--flips", "5", "--out", str(tmp_path))
    assert code == 1
    assert text.startswith("fails fails on hwrtos without a flip (exit code 3); `melanion run")
    with pytest.raises(InjectError):
        campaign = Campaign(config.find(SYSTEM), build.application(str(app)), SEED, 1)
        with prepared(campaign, Settings(), lambda _: None):
            pass
