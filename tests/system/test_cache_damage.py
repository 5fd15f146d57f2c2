# SPDX-License-Identifier: Apache-2.0
"""A damaged entry of the build cache is found, dropped and made again, with one sentence.

Control of each: the entry unharmed is used as it is, without a word.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from melanion import build, config
from melanion.build import cache, seal
from melanion.claims.execute import outcome
from melanion.measure.work import FILE
from melanion.run import run_program
from tests.lab.test_compare import FakeRuns

CONTENT = bytes(range(256)) * 16


def quiet(_: str) -> None:
    """No progress display."""


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def empty(file: Path) -> None:
    os.truncate(file, 0)


def remove(file: Path) -> None:
    file.unlink()


def change(file: Path) -> None:
    """One bit of one byte; size and time stay."""
    times = file.stat()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    with file.open("r+b") as same:
        same.write(content)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def change_through_a_link(file: Path) -> None:
    other = file.parent.parent / "other"
    other.unlink(missing_ok=True)
    os.link(file, other)
    change(other)


KINDS: dict[Callable[[Path], None], str] = {
    truncate: "{name} has {half} bytes of {size}",
    empty: "{name} has 0 bytes of {size}",
    remove: "{name} is missing",
    change: "{name} has other bytes",
    change_through_a_link: "{name} has other bytes",
}


@pytest.fixture(scope="module", autouse=True)
def usual() -> Path:
    """The cache of all other tests, which holds what a run needs."""
    run_program(config.find("sw"), build.application("hello"))
    return cache.folder()


@pytest.fixture(autouse=True)
def own_cache(usual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def another_process(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Forgets what this process has read."""
    return lambda: monkeypatch.setattr(seal, "_known", {})


class Maker:
    """Makes an entry of a program and a text, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Path:
        return cache.entry("kind", "key", self._make, quiet, "thing")

    def _make(self, work: Path) -> None:
        self.times += 1
        (work / "below").mkdir()
        (work / "below" / "text").write_bytes(CONTENT)
        (work / "sim").write_bytes(CONTENT)
        (work / "sim").chmod(0o755)


@pytest.mark.parametrize("name", ["sim", "below/text"])
@pytest.mark.parametrize("damage", KINDS, ids=lambda kind: kind.__name__)
def test_damage_is_found_by_the_next_process(
    damage: Callable[[Path], None],
    name: str,
    another_process: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    make = Maker()
    place = make()
    another_process()
    assert make() == place, "the control: unharmed"
    assert (make.times, caplog.messages) == (1, [])
    damage(place / name)
    another_process()
    assert make() == place
    said = KINDS[damage].format(name=name, size=len(CONTENT), half=len(CONTENT) // 2)
    assert caplog.messages == [
        f"{place}: this entry of the build cache was damaged ({said}); it was dropped and is made"
        " again."
    ]
    assert make.times == 2
    assert (place / name).read_bytes() == CONTENT
    assert list((place.parent.parent / "tmp").iterdir()) == []
    another_process()
    assert make() == place
    assert make.times == 2


@pytest.mark.parametrize("damage", KINDS, ids=lambda kind: kind.__name__)
def test_damage_is_found_by_the_process_that_used_it_before(damage: Callable[[Path], None]) -> None:
    make = Maker()
    damage(make() / "sim")
    make()
    assert make.times == 2


def test_whole_entries_are_read_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker()
    make()
    make()
    monkeypatch.setattr(seal, "_facts", lambda _: pytest.fail("the entry was read again"))
    make()
    assert make.times == 1


def file_instead(place: Path) -> None:
    """A file where the entry's folder was."""
    shutil.rmtree(place)
    place.write_text("")


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda place: (place / "sim").chmod(0o644), "sim is not executable"),
        (lambda place: (place / seal.SEAL).unlink(), "its seal.json cannot be read"),
        (lambda place: (place / seal.SEAL).write_text("[]"), "its seal.json cannot be read"),
        (file_instead, "its seal.json cannot be"),
    ],
    ids=["mode", "no-seal", "strange-seal", "file"],
)
def test_other_damage(
    harm: Callable[[Path], object],
    words: str,
    another_process: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    make = Maker()
    harm(make())
    another_process()
    make()
    assert make.times == 2
    assert words in caplog.text


def test_a_copy_of_the_cache_is_used_as_it_is(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Other inodes and times, the same bytes."""
    make = Maker()
    make()
    subprocess.run(["cp", "-r", str(own_cache), str(tmp_path / "copy")], check=True)
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "copy"))
    make()
    assert make.times == 1


def test_whoever_runs_a_damaged_file_keeps_it(another_process: Callable[[], None]) -> None:
    make = Maker()
    place = make()
    with (place / "sim").open("rb") as held:
        truncate(place / "sim")
        another_process()
        make()
        assert len(held.read()) == len(CONTENT) // 2
    assert (place / "sim").stat().st_size == len(CONTENT)


# ---- the entries of a run ------------------------------------------------------------------------


def entry_of(place: Path, kind: str, name: str) -> Path:
    """The folder of the only entry of a kind."""
    (found,) = (place / kind).iterdir()
    assert (found / name).is_file()
    return found


def run_hello() -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "melanion", "run", "hello", "--kernel", "sw"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def fill(own: Path, usual: Path) -> dict[str, Path]:
    """Copies what `hello` on `sw` needs; kind → folder."""
    system, app = config.find("sw"), build.application("hello")
    used: dict[str, Path] = {}
    entry = cache.entry

    def noted(kind: str, *rest: Any) -> Path:
        used[kind] = entry(kind, *rest)
        return used[kind]

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MELANION_CACHE", str(usual))
        build.program(system, app)
        patch.setattr(cache, "entry", noted)
        build.hardware(system)
        patch.setenv("MELANION_CACHE", str(own))
        own.mkdir()
        (own / "kernel").symlink_to(usual / "kernel")
        build.program(system, app)  # linked anew, so that it asks for its kernel
        (own / "kernel").unlink()
    for kind in ("hardware", "kernel"):
        name = used[kind].name
        used[kind] = Path(shutil.copytree(usual / kind / name, own / kind / name))
    return used


REAL = {"hardware": "sim", "program": "program.elf", "kernel": "kernel_0_riscv+start.S.o"}


@pytest.mark.parametrize("damage", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("kind", REAL)
def test_every_file_of_a_run_is_sealed(
    kind: str, damage: Callable[[Path], None], own_cache: Path, usual: Path
) -> None:
    place = fill(own_cache, usual)[kind]
    assert seal.damage(place) == ""
    size = (place / REAL[kind]).stat().st_size
    damage(place / REAL[kind])
    said = KINDS[damage].format(name=REAL[kind], size=size, half=size // 2)
    assert seal.damage(place) == said


def test_a_run_with_damaged_entries_makes_them_again(own_cache: Path, usual: Path) -> None:
    """The real thing: an empty ELF, a kernel's object that is missing, and a truncated simulation
    each cost one sentence, in the order of use, and the run gives what it gave."""
    places = fill(own_cache, usual)
    (own_cache / "library").symlink_to(usual / "library")  # unharmed: it takes long to make
    usually = run_hello()
    assert (usually.returncode, usually.stderr) == (0, ""), "the control: unharmed"
    size = (places["hardware"] / "sim").stat().st_size
    truncate(places["hardware"] / "sim")
    elf = (places["program"] / "program.elf").stat().st_size
    empty(places["program"] / "program.elf")
    remove(places["kernel"] / "kernel_0_riscv+start.S.o")
    done = run_hello()
    assert (done.returncode, done.stdout) == (0, usually.stdout)
    said = [
        (places["program"], f"program.elf has 0 bytes of {elf}"),
        (places["kernel"], "kernel_0_riscv+start.S.o is missing"),
        (places["hardware"], f"sim has {size // 2} bytes of {size}"),
    ]
    assert done.stderr.splitlines() == [
        f"melanion: {place}: this entry of the build cache was damaged ({what}); it was dropped"
        " and is made again."
        for place, what in said
    ]
    assert run_hello().stderr == ""


def test_what_simulations_share_is_sealed(own_cache: Path, usual: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MELANION_CACHE", str(usual))
        build.hardware(config.find("sw"))
    library = shutil.copytree(next((usual / "library").iterdir()), own_cache / "library")
    assert seal.damage(library) == ""
    change(library / "library.a")
    assert seal.damage(library) == "library.a has other bytes"


@pytest.mark.parametrize("damage", KINDS, ids=lambda kind: kind.__name__)
def test_a_damaged_outcome_is_measured_again(
    damage: Callable[[Path], None],
    own_cache: Path,
    another_process: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = FakeRuns(monkeypatch, own_cache)
    first = outcome("latency", "sw", quiet)
    another_process()
    assert outcome("latency", "sw", quiet) == first
    assert fake.runs == 1
    damage(entry_of(own_cache, "outcome", FILE) / FILE)
    another_process()
    assert outcome("latency", "sw", quiet) == first
    assert fake.runs == 2
