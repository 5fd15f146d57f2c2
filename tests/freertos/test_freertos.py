# SPDX-License-Identifier: Apache-2.0
"""The kernel `freertos`: where its files come from, what judges its runs, and that it notices."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from mel_gen import KERNELS, TraceKind
from ruamel.yaml import YAML

from melanion import build, config, paths
from melanion.build import freertos, tools
from melanion.build.errors import BuildError
from melanion.report.judged import judged, sentence
from melanion.run import RunResult, run_program, switches
from melanion.run.errors import RunError
from melanion.trace.events import EVENT
from tests.common.fetched import needs_cargo
from tests.common.planted_tree import TreeMutant

FILE = Path(__file__).parents[1] / "mutants" / "freertos.yaml"
APP = "others"


@pytest.fixture(scope="module")
def kernel() -> Path:
    """The folder of the fetched files."""
    return freertos.upstream().folder


def refused(make: Callable[[], object]) -> BuildError:
    with pytest.raises(BuildError) as raised:
        make()
    assert raised.value.message.count("\n") == 0
    return raised.value


# ---- where the files come from -------------------------------------------------------------------


@needs_cargo
def test_the_files_are_those_that_are_pinned(kernel: Path) -> None:
    assert freertos.upstream().origin == (
        "V11.2.0, crate freertos-next 0.12.0, checksums as pinned"
    )
    assert {"tasks.c", "queue.c", "portASM.S", "task.h", "LICENSE.md"} <= {
        path.name for path in freertos.upstream().files
    }
    done = subprocess.run(
        ["sha256sum", "--quiet", "--check", freertos._list()], cwd=kernel, check=False
    )
    assert done.returncode == 0


@needs_cargo
def test_a_file_of_the_crate_that_differs_is_refused(
    kernel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crate = tmp_path / "crate"
    shutil.copytree(kernel, crate / "FreeRTOS-Kernel")
    with (crate / "FreeRTOS-Kernel" / "queue.c").open("a") as file:
        file.write("\n")
    monkeypatch.setattr(freertos, "_crate", lambda project: crate)
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))
    message = refused(freertos.upstream).message
    assert message.startswith(
        "queue.c of the crate freertos-next 0.12.0 has the SHA-256 "
    ) and message.endswith(
        "… is pinned in kernel.sha256; the crate that cargo has is not the one that was measured:"
        f" remove {crate} and build again, or give a copy of the kernel with --freertos-kernel DIR."
    )
    assert not list((tmp_path / "cache" / "freertos").glob("*"))


@needs_cargo
def test_a_kept_file_that_is_missing_is_fetched_anew(
    kernel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "cache" / "freertos" / kernel.name
    shutil.copytree(kernel, place)
    (place / "tasks.c").unlink()
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path / "cache"))
    assert freertos.upstream().folder == place
    assert (place / "tasks.c").read_bytes() == (kernel / "tasks.c").read_bytes()


REMEDY = (
    "install Rust 1.85 or newer, or give a copy of the kernel with --freertos-kernel DIR"
    " (`melanion doctor` looks for it)."
)


@pytest.mark.parametrize(
    ("found", "text", "said"),
    [
        (
            None,
            "",
            "cargo was not found on PATH; it fetches the kernel freertos (crate freertos-next"
            f" 0.12.0); {REMEDY}",
        ),
        (
            "/bin/cargo",
            "cargo 1.63.0",
            "cargo is 1.63; the crate freertos-next 0.12.0, which holds the kernel freertos, needs"
            f" 1.85; {REMEDY}",
        ),
        (
            "/bin/cargo",
            "no toolchain",
            "cargo is of an unknown version; the crate freertos-next 0.12.0, which holds the kernel"
            f" freertos, needs 1.85; {REMEDY}",
        ),
    ],
)
def test_without_a_cargo_that_can_fetch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: str | None, text: str, said: str
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: found)
    monkeypatch.setattr(tools, "run", lambda words, **_: tools.Finished(0, text))
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path))
    freertos._cargo.cache_clear()
    try:
        assert refused(freertos.upstream).message == said
    finally:
        freertos._cargo.cache_clear()


def test_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = "error: failed to get `freertos-next` as a dependency\n\nCaused by:\n  offline"
    monkeypatch.setattr(freertos, "_cargo", lambda: "cargo")
    monkeypatch.setattr(tools, "run", lambda words, **_: tools.Finished(101, output))
    monkeypatch.setenv("MELANION_CACHE", str(tmp_path))
    assert refused(freertos.upstream).message == (
        "cargo could not fetch the crate freertos-next 0.12.0, which holds the kernel freertos:"
        " error: failed to get `freertos-next` as a dependency; connect to the network once, or"
        " give a copy of the kernel with --freertos-kernel DIR."
    )


@pytest.fixture
def copy(kernel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the user's own."""
    shutil.copytree(kernel, tmp_path / "mine")
    monkeypatch.setenv(freertos.FOLDER, str(tmp_path / "mine"))
    return tmp_path / "mine"


@needs_cargo
def test_a_given_copy_is_told_in_the_provenance(copy: Path) -> None:
    assert freertos.upstream().origin == "V11.2.0, a given copy, checksums as pinned"
    for name in ("list.c", "queue.c"):
        with (copy / name).open("a") as file:
            file.write("\n")
    assert freertos.upstream().origin == (
        "V11.2.0, a given copy, files that differ from the pinned ones: list.c, queue.c"
    )
    program = build.program(config.find("freertos"), build.application("hello"))
    assert program.kernel_origin == freertos.upstream().origin


@needs_cargo
def test_a_given_copy_of_another_version_is_refused(copy: Path) -> None:
    header = copy / "include" / "task.h"
    header.write_text(header.read_text().replace("V11.2.0", "V10.4.3"))
    assert refused(freertos.upstream).message == (
        f"--freertos-kernel {copy}: include/task.h says V10.4.3; this kernel is measured as"
        " V11.2.0; name a copy of that version."
    )


@needs_cargo
def test_a_given_copy_that_is_not_whole_is_refused(copy: Path) -> None:
    (copy / "queue.c").unlink()
    assert refused(freertos.upstream).message == (
        f"--freertos-kernel {copy}: there is no queue.c in it; name a whole copy of V11.2.0."
    )


def test_a_given_folder_that_is_no_copy_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(freertos.FOLDER, str(tmp_path))
    error = refused(freertos.upstream)
    assert error.exit_code == 2
    assert error.message == (
        f"--freertos-kernel {tmp_path}: {tmp_path}/include/task.h cannot be read (No such file or"
        " directory); name the folder of FreeRTOS-Kernel that holds tasks.c and include/task.h."
    )


def test_nothing_of_it_is_in_the_tree() -> None:
    """Its files name their licence; ours do not."""
    folder = paths.data_root() / "kernel"
    texts = {path: path.read_text(errors="replace") for path in folder.rglob("*.[chS]")}
    assert not [path for path, text in texts.items() if "Amazon.com" in text]


def test_an_interface_that_it_does_not_carry_is_refused() -> None:
    error = refused(
        lambda: build.program(config.find("freertos"), build.application("itron_meter"))
    )
    assert error.exit_code == 2
    assert error.message == (
        "itron_meter is written for the interface itron, which the kernel freertos does not carry"
        " (it carries freertos, thread_metric); run it on another kernel."
    )


# ---- who judges ----------------------------------------------------------------------------------


def test_every_other_kernel_is_replayed() -> None:
    assert [name for name, kernel in KERNELS.items() if not kernel.replayed] == ["freertos"]


@pytest.fixture(scope="module")
def result() -> RunResult:
    return run_program(config.find("freertos"), build.application(APP))


@needs_cargo
def test_self_checks_decide_and_the_result_says_so(result: RunResult) -> None:
    document = result.as_json()
    assert (document["judged_by"], document["replay"]) == ("the program's self-checks", None)
    assert document["provenance"]["kernel_origin"] == freertos.upstream().origin
    assert result.console == "others: all was right\n"


@pytest.mark.parametrize("kernel", ["sw", "hwrtos"])
def test_the_self_checks_are_no_rules_of_freertos_alone(kernel: str) -> None:
    run = run_program(config.find(kernel), build.application(APP))
    assert run.as_json()["judged_by"] == "golden model"
    assert run.replay is not None and run.replay.commands > 100


def test_who_judged_in_words() -> None:
    assert judged(["sw", "hwrtos"]) == "agrees with the golden model"
    assert judged(["freertos"]) == "judged by the program's self-checks, replayed by no model"
    assert judged(["sw", "freertos"]) == (
        "agrees with the golden model, freertos excepted: there the program's self-checks decided,"
        " no model replayed them"
    )
    replayed = "replayed event by event against the golden model and agreed with it."
    alone = (
        "No model knows what the calls of freertos mean: there the program's self-checks decided."
    )
    assert sentence(["sw"]) == f"Every run was {replayed}"
    assert sentence(["freertos"]) == alone
    assert sentence(["sw", "freertos"]) == (
        f"Every run but those of freertos was {replayed} {alone}"
    )


@needs_cargo
def test_switches_are_those_of_the_tasks(result: RunResult) -> None:
    """Each begins where the one before ended, and never is one."""
    found = result.events[result.events["kind"] == TraceKind.DISPATCH]
    assert len(found) > 50
    assert (found["a"][:-1] == found["b"][1:]).all()
    assert (found["a"] != found["b"]).all()
    assert set(found["a"].tolist()) == {0, 1, 2, config.find("freertos").parameters.tasks}


def test_tasks_with_stacks_anywhere_have_numbers_as_they_come() -> None:
    events = np.zeros(4, dtype=EVENT)
    events["kind"], events["a"], events["b"] = TraceKind.DISPATCH, switches.NOBODY, 0x1000_4000
    events["c"] = [0x200, 0x300, 0x300, 0x200]
    stack = build.Stack(0x1000_0000, 0x100_0000, 0xFFFC, "__bss_start")
    found = switches.named(events, (stack,), 64)
    assert found["a"].tolist() == [0, 1, 0]
    assert found["b"].tolist() == [64, 0, 1]


def test_a_context_in_no_stack_is_refused() -> None:
    events = np.zeros(1, dtype=EVENT)
    events["kind"], events["a"], events["b"] = TraceKind.DISPATCH, switches.NOBODY, 0x1000_4000
    stack = build.Stack(0x1000_2000, 0x100, 3, "stack")
    with pytest.raises(RunError) as raised:
        switches.named(events, (stack,), 64)
    assert raised.value.message == (
        "a context was restored whose stack pointer, 0x10004000, is in no stack; make each stack"
        " with MEL_TASK_STACK."
    )


# ---- mutants -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant(TreeMutant):
    """`says`: a part of the sentence with which the self-checks end the run."""

    says: str


MUTANTS = [Mutant(**row) for row in YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))]
CHEAP = 2  # mutants that run with every commit


@needs_cargo
@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(each, id=each.name, marks=[pytest.mark.soak] if i >= CHEAP else [])
        for i, each in enumerate(MUTANTS)
    ],
)
def test_self_checks_notice_planted_bugs(
    mutant: Mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant.plant(monkeypatch, tmp_path)
    with pytest.raises(RunError) as raised:
        run_program(config.find("freertos"), build.application(APP))
    assert mutant.says in raised.value.message
