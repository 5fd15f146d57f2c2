# SPDX-License-Identifier: Apache-2.0
"""`make check`: lint of the changed files, and the tests nearest to them, within a minute.

Changed is what differs from the last commit, and what git does not know yet. Tests of a file: a
test file itself; those that name the file; of a folder of melanion/ the tests called after it; what
MORE adds.
Of these the quickest run first, until their durations of the last `make test` fill BUDGET; the
others are named. This is no proof that nothing broke: `make test` is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import checks

ROOT = checks.ROOT
sys.path.insert(0, str(ROOT))

from tests.common.order import UNKNOWN, durations  # noqa: E402 (after the path is known)

BUDGET = 60.0  # seconds of one worker; two of them run, beside the lint
Plan = tuple[list[str], list[str]]
# Beginning of a path → tests of what is there, beside those that name the file.
MORE = {
    "docs/": ("tests/docs/test_docs.py", "tests/rules/test_words.py"),
    "README.md": ("tests/docs/test_docs.py", "tests/rules/test_words.py"),
    "hw/engine/": ("tests/rtl/test_rtl_lint.py", "tests/rtl/test_cycles.py"),
    "hw/formal/": ("tests/rtl/test_proofs.py",),
    "kernel/": ("tests/kernel/test_kernel_build.py", "tests/kernel/test_kernel_boot.py"),
    "spec/": ("tests/spec/test_spec.py", "tests/spec/test_gen.py"),
    "configs/": ("tests/system/test_config.py",),
    "melanion/inject/": ("tests/inject/test_campaign.py", "tests/inject/test_outcome.py"),
    "soc/sim/inject/": ("tests/inject/test_campaign.py", "tests/inject/test_state.py"),
    "soc/": ("tests/system/test_soc.py", "tests/rtl/test_soc_rtl.py"),
    "tests/scenarios/": (
        "tests/scenarios/test_scenario_loader.py",
        "tests/scenarios/test_scenarios.py",
    ),
    "tests/mutants/kernel.yaml": ("tests/scenarios/test_scenario_mutants.py",),
    "tests/mutants/proofs.yaml": ("tests/rtl/test_proofs.py",),
}


def changed() -> list[str]:
    """The changed files that exist, as paths from the top."""
    found = set[str]()
    for words in (["diff", "--name-only", "HEAD"], ["ls-files", "--others", "--exclude-standard"]):
        command = ["git", "-C", str(ROOT), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found.update(done.stdout.splitlines())
    return sorted(name for name in found if (ROOT / name).is_file())


def test_files() -> dict[str, str]:
    """The text of every test file."""
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def tests_of(name: str, texts: Mapping[str, str]) -> set[str]:
    """The test files of a file."""
    found = {name} & set(texts)
    for beginning, tests in MORE.items():
        if name.startswith(beginning):
            found.update(tests)
    if name.startswith("melanion/"):
        room = name.split("/")[1].removesuffix(".py")
        found.update(test for test in texts if f"/test_{room}" in test)
    called = naming(name)
    return found | {test for test, text in texts.items() if called.search(text)}


def naming(name: str) -> re.Pattern[str]:
    """Pattern of a file's name in a test file: as a module that it imports, or in quotes."""
    path = Path(name)
    parent, stem = re.escape(".".join(path.parent.parts)), re.escape(path.stem)
    if path.suffix != ".py":
        return re.compile(rf"\b{re.escape(path.name)}\b")
    if stem == "__init__":
        return re.compile(rf"^from {parent} import ", re.MULTILINE)
    module = rf"^(from|import) {parent}\.{stem}\b|^from {parent} import [^#]*?\b{stem}\b"
    return re.compile(rf'{module}|"{stem}"|scripts/{stem}\.py', re.MULTILINE)


def chosen(files: Iterable[str], texts: Mapping[str, str], seconds: Mapping[str, float]) -> Plan:
    """The tests to run now, and those that there is no time for."""
    wanted = set[str]().union(*(tests_of(name, texts) for name in files))
    now: list[str] = []
    later: list[str] = []
    spent = 0.0
    for test in sorted(wanted, key=lambda test: (seconds.get(test, UNKNOWN), test)):
        spent += seconds.get(test, UNKNOWN)
        (now if spent <= BUDGET else later).append(test)
    return now, later


def lint(files: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Name and command of the static checks that these files can fail."""
    python = [sys.executable, "-m"]
    modules = [name for name in files if name.endswith(".py")]
    if modules:
        yield "ruff", [*python, "ruff", "check", "--quiet", *modules]
        yield "ruff format", [*python, "ruff", "format", "--check", "--quiet", *modules]
        yield "mypy", [*python, "mypy"]
    if any(name.startswith(("spec/", "gen/", "melanion/gen/")) for name in files):
        yield "melanion gen --check", [*python, "melanion", "gen", "--check"]
    stems = {f"lint {Path(name).stem}" for name in files if name.endswith(".sv")}
    yield from (check for check in checks.rtl_lint() if check[0] in stems)


def main() -> int:
    files = changed()
    now, later = chosen(files, test_files(), durations())
    count = checks.run_all(lint(files))
    if now:
        workers = f"-n{min(checks.CPUS, len(now))}"
        command = [sys.executable, "-m", "pytest", "-q", workers, *now]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        failed = subprocess.run(command, cwd=ROOT, env=environment).returncode != 0
        count += checks.Count(int(not failed), int(failed))
    print(f"{len(files)} changed files; test files run: {len(now)}", flush=True)
    if later:
        print(f"no time for (`make test` runs them): {' '.join(later)}")
    return 1 if count.failed else 0


if __name__ == "__main__":
    sys.exit(main())
