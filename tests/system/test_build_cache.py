# SPDX-License-Identifier: Apache-2.0
"""The cache: an entry is complete or absent, whatever happens; two builders make it once."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from melanion import config
from melanion.build import BuildError, cache, simulator, tools
from tests.common import limited


def quiet(_: str) -> None:
    """No progress display."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def leftovers(folder: Path) -> list[Path]:
    return list((folder / "tmp").iterdir())


def test_an_entry_is_made_once(own_cache: Path) -> None:
    made = []

    def make(work: Path) -> None:
        made.append(work)
        (work / "thing").write_text("1")

    first = cache.entry("kind", "key", make, quiet, "thing")
    assert cache.entry("kind", "key", make, quiet, "thing") == first
    assert (first / "thing").read_text() == "1"
    assert len(made) == 1
    assert leftovers(own_cache) == []


def test_key_depends_on_names_and_contents_not_on_order() -> None:
    one, two = ("a", b"1"), ("b", b"2")
    key = cache.key_of([one, two])
    assert key == cache.key_of([two, one])
    assert key != cache.key_of([("a", b"2"), ("b", b"1")])
    assert cache.key_of([("a", b"1b")]) != cache.key_of([("a1", b"b")])


@pytest.mark.parametrize("error", [BuildError("no"), KeyboardInterrupt()])
def test_a_failed_build_leaves_nothing_and_a_repeat_works(
    own_cache: Path, error: BaseException
) -> None:
    def fail(work: Path) -> None:
        (work / "half").write_text("x")
        raise error

    with pytest.raises(type(error)):
        cache.entry("kind", "key", fail, quiet, "thing")
    assert leftovers(own_cache) == []
    assert not (own_cache / "kind" / "key").exists()
    assert cache.entry("kind", "key", lambda work: None, quiet, "thing").is_dir()


def _make_slowly(log: str) -> None:
    def make(work: Path) -> None:
        with Path(log).open("a") as file:
            file.write("made\n")
        time.sleep(0.5)

    cache.entry("kind", "key", make, quiet, "thing")


def test_two_at_once_build_once(own_cache: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=_make_slowly, args=(str(log),)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(20)
        assert process.exitcode == 0
    assert log.read_text() == "made\n"


def test_what_a_killed_build_left_is_swept(own_cache: Path) -> None:
    (own_cache / "tmp" / "kind-key-abc").mkdir(parents=True)
    (own_cache / "tmp" / "kind-other-abc").mkdir()
    cache.entry("kind", "key", lambda work: None, quiet, "thing")
    assert [path.name for path in leftovers(own_cache)] == ["kind-other-abc"]


def test_cache_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "file"))
    with pytest.raises(BuildError) as raised:
        cache.entry("kind", "key", lambda work: None, quiet, "thing")
    assert raised.value.message == (
        f"{tmp_path / 'file'}: the cache folder cannot be written (Not a directory); free space,"
        " correct its permissions, or name another folder in MELANION_CACHE."
    )
    assert raised.value.exit_code == 1


@pytest.mark.parametrize(
    ("number", "words"), [(30, "Read-only file system"), (28, "No space left on device")]
)
def test_read_only_and_full_disk(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("melanion.build.cache.tempfile.mkdtemp", refuse)
    with pytest.raises(BuildError, match=f"the cache folder cannot be written \\({words}\\)"):
        cache.entry("kind", "key", lambda work: None, quiet, "thing")


def test_a_finished_entry_needs_no_writable_cache(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = cache.entry("kind", "key", lambda work: None, quiet, "thing")
    (own_cache / "lock" / "kind-key").unlink()
    (own_cache / "lock").rmdir()
    (own_cache / "lock").write_text("in the way of any lock")
    assert cache.entry("kind", "key", lambda work: None, quiet, "thing") == place


def test_a_full_disk_met_by_the_compiler(own_cache: Path) -> None:
    output = "fatal error: error writing to x.s: No space left on device\ncompilation terminated.\n"
    error = simulator.failed("the C++ compiler", "key", output)
    assert error.message.startswith(
        f"{own_cache}: the cache folder cannot be written (No space left"
    )


def test_a_full_disk_that_the_compiler_does_not_name(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nearly = shutil.disk_usage(own_cache.parent)._replace(free=cache.LEAST_FREE - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: nearly)
    message = simulator.failed("the C++ compiler", "key", "make: *** [x] Error 1\n").message
    assert message.startswith(f"{own_cache}: the cache folder cannot be written (No space left")


def test_broken_rtl_is_named_and_the_log_kept(own_cache: Path) -> None:
    output = "%Warning: x\n%Error: mel_top.sv:3:1: syntax error\n%Error: Exiting\n"
    message = simulator.failed("Verilator", "key", output).message
    assert (
        "Verilator refused the simulation's sources: %Error: mel_top.sv:3:1: syntax error"
        in message
    )
    assert (own_cache / "log" / "key.log").read_text() == output


def test_a_failure_without_an_error_and_without_a_place_for_its_log(own_cache: Path) -> None:
    own_cache.mkdir(exist_ok=True)
    (own_cache / "log").write_text("in the way of any log")
    assert simulator.failed("Verilator", "key", "Killed\n").message == (
        "Verilator refused the simulation's sources: it named no error; this is a defect of"
        " Melanion or of its installation, correct the source or install again."
    )


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("make", "make"),
        ("c++", "g++"),
        ("perl", "perl"),
        (tools.CROSS_GCC, "gcc-riscv64-unknown-elf"),
    ],
)
def test_missing_tool(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BuildError) as raised:
        tools.find(name)
    assert raised.value.message == (
        f"{name} was not found on PATH; install it (Debian: apt-get install {package}), or run"
        " `melanion doctor`, which names everything that is missing."
    )


def test_interrupted_build_ends_its_compilers_and_leaves_nothing(own_cache: Path) -> None:
    """A real build of the simulation gets Ctrl-C while Verilator or the compiler runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "melanion", "build", "--kernel", "sw", "--output", str(own_cache)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    deadline = time.monotonic() + limited.HUNG
    while not list(own_cache.glob("tmp/hardware-*/obj/*.cpp")):
        assert time.monotonic() < deadline, "the build never started"
        assert process.poll() is None, process.stdout and process.stdout.read()
        time.sleep(0.05)
    work = next(own_cache.glob("tmp/hardware-*"))
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=limited.HUNG)
    assert process.returncode == 1
    assert "interrupted; nothing half-written is left, run the same command again." in output
    assert "Traceback" not in output
    assert leftovers(own_cache) == []
    assert not list(own_cache.glob("hardware/*"))
    time.sleep(0.2)
    alive = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert work.name not in alive


def test_the_hardware_key_ignores_what_is_run_time(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[str] = []

    def entry(kind: str, key: str, *_: object) -> Path:
        keys.append(key)
        return own_cache

    monkeypatch.setattr(cache, "entry", entry)
    sw = config.find("sw")
    simulator.hardware(sw)
    slow = sw.memory.model_copy(update={"wait_states": 9})
    simulator.hardware(
        sw.model_copy(update={"name": "x", "memory": slow, "tick_us": 7, "clock_mhz": 3})
    )
    simulator.hardware(
        sw.model_copy(update={"parameters": sw.parameters.model_copy(update={"tasks": 9})})
    )
    assert len(set(keys)) == 1
    simulator.hardware(sw, wave=True)
    simulator.hardware(
        sw.model_copy(update={"core": sw.core.model_copy(update={"variant": "small"})})
    )
    assert len(set(keys)) == 3
