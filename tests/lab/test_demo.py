# SPDX-License-Identifier: Apache-2.0
"""`melanion demo`: which kernels it compares, what it prints, and that its first sentence compares
them under one load. The rows are those that other tests assert; nothing is simulated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from melanion import cli, config, paths
from melanion.build import freertos
from melanion.cli import compare, demo
from melanion.report import finding
from melanion.results import Collection, result
from tests.common import stored
from tests.docs.test_docs import text_of

ALL = ["freertos", "sw", "hwrtos", "banked"]
LATENCY = paths.data_root() / "docs" / "reference" / "latency.md"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(freertos.FOLDER, raising=False)


@pytest.fixture
def without_cargo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has none, and has fetched nothing."""
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    freertos._cargo.cache_clear()


class Measured:
    """Stands in for building and running: what was asked for, and rows that other tests assert."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wanted: dict[str, list[str]] = {}
        monkeypatch.setattr(compare, "measure", self.measure)

    def measure(self, wanted: dict[str, list[str]], command: str, *, lines: bool) -> Collection:
        assert command == "melanion demo" and lines
        self.wanted = wanted
        return stored.collection(command)


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        cli.main(["demo", *words])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_four_kernels_where_the_files_of_freertos_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freertos, "upstream", lambda report: None)
    fake = Measured(monkeypatch)
    assert run() == 0
    assert fake.wanted == {"latency": ALL}


def test_without_cargo_three_kernels_and_one_sentence(
    without_cargo: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake = Measured(monkeypatch)
    assert run() == 0
    assert fake.wanted == {"latency": ALL[1:]}
    told = capsys.readouterr()
    assert (
        "freertos is left out: cargo was not found on PATH; it fetches the kernel freertos (crate"
        f" {freertos.CRATE} {freertos.CRATE_VERSION}); install Rust 1.85 or newer, or give a copy"
        " of the kernel with --freertos-kernel DIR (`melanion doctor` looks for it).\n"
    ) in told.err
    assert "freertos" not in told.out


def test_a_copy_that_is_none_is_refused_and_not_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(freertos.FOLDER, "")  # restored at the end of the test
    assert run("--freertos-kernel", str(tmp_path)) == 2
    assert f"--freertos-kernel {tmp_path}: " in capsys.readouterr().err


def test_what_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(freertos, "upstream", lambda report: None)
    Measured(monkeypatch)
    assert run("--out", "there") == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100 and not any("…" in line for line in lines)
    rows = {tuple(line.split()[-4:]) for line in lines if line.startswith("Interrupt to task (un")}
    assert rows == {tuple(str(worst(kernel, "calls")) for kernel in ALL)}
    for kernel in ALL:
        assert f"{kernel}: {config.find(kernel).kernel_info.text}" in lines
    text = " ".join(line.strip() for line in lines)
    assert "Under kernel-call load, an interrupt has its task running after at most" in text
    assert lines[-1] == "page, CSV, JSON: there/report.html"
    assert (tmp_path / "there" / "report.html").is_file()


def worst(kernel: str, load: str) -> int:
    found, _ = result(stored.collection(), "latency", [kernel])
    assert found is not None
    return found.get(kernel, "irq_to_task", {"load": load}).row.max


def test_the_sentence_compares_one_load() -> None:
    """The largest value of some kernels comes under another load: it is not in the sentence."""
    found, _ = result(stored.collection(), "latency", ALL)
    assert found is not None
    said = [int(word) for word in re.findall(r"\d+", finding.headline(found))]
    assert said == sorted(worst(kernel, "calls") for kernel in ALL)
    assert worst("hwrtos", "divide") > worst("hwrtos", "calls")
    assert worst("hwrtos", "divide") not in said


def test_the_page_says_what_the_demo_compares() -> None:
    (sentence,) = [
        line for line in text_of(LATENCY).splitlines() if line.startswith("`make demo` measures ")
    ]
    assert re.findall(r"`(\w+)`", sentence) == [demo.FETCHED, *demo.OWN] == ALL
    assert "@$(BIN)/melanion demo\n" in text_of(paths.data_root() / "Makefile")
