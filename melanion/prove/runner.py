# SPDX-License-Identifier: Apache-2.0
"""Runs one task of a proof in a copy of the sources, and reads what came of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import melanion.prove.limit as limit
from melanion.prove.theorem import FORMAL, Theorem
from melanion.prove.tools import Tools

SOURCES = (
    *("gen/sv", "hw/engine", "hw/bridges", "hw/banks", "hw/contexts", "hw/lock_cache"),
    *("hw/deadlock", "hw/dmmu", "hw/protect", "hw/formal"),
)
# A dotted name into the design that does not exist becomes a free wire with only a warning.
LOOSE = re.compile(r"Warning:.*(?:implicitly declared|has no driver).*")
FAILED = re.compile(r"failed assertion (\S+) at (\S+?):(\d+)\.\S+(?: (?:in )?step (\d+))?")
UNREACHED = re.compile(r"unreached cover statement (\S+)|Unreached cover statement at (\S+: \S+)")
STATUS = re.compile(r"DONE \((\w+), rc=\d+\)")
GENERIC = re.compile(r"-G(\w+)=(\w+)")


@dataclass(frozen=True)
class Outcome:
    """`status`: PASS, FAIL (a counterexample), UNKNOWN (not inductive), ERROR, TIMEOUT.

    `place`: where it failed. `bound`, `parameters`, `solver`: as the task's configuration says.
    """

    name: str
    claim: str
    status: str
    bound: str
    parameters: str
    solver: str
    seconds: float
    place: str = ""
    trace: str = ""

    @property
    def passed(self) -> bool:
        return self.status == "PASS"

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


@contextmanager
def workspace(root: Path) -> Iterator[Path]:
    """A copy of what proofs read, for bugs and results; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="melanion-prove-") as folder:
        for name in SOURCES:
            shutil.copytree(root / name, Path(folder) / name)
        yield Path(folder)


def run_task(tools: Tools, folder: Path, proof: str, task: str, seconds: float) -> tuple[str, str]:
    """Run a task with a limit of `seconds` of processor time; return its output and status. Its
    files are in <folder>/runs/<proof>_<task>."""
    (folder / "runs").mkdir(exist_ok=True)
    command = tools.command(f"runs/{proof}", f"{FORMAL.as_posix()}/{proof}.sby", task)
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PATH": tools.search},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        text = limit.finish(process, seconds)
    except BaseException as reason:
        process.terminate()  # sby then ends the solvers, which are groups of their own
        text, _ = process.communicate()
        if not isinstance(reason, limit.Exhausted):
            raise
        return text, "TIMEOUT"
    found = STATUS.findall(text)
    status = found[-1] if found else "ERROR"
    if status == "PASS" and LOOSE.search(_log(folder, proof, task)):
        status = "ERROR"
    return text, status


def prove(tools: Tools, folder: Path, theorem: Theorem, seconds: float = 1800.0) -> Outcome:
    """Run a theorem's task in this workspace; the trace of a failure is kept in build/prove."""
    begin = time.monotonic()
    text, status = run_task(tools, folder, theorem.proof, theorem.task, seconds)
    spent = time.monotonic() - begin
    work = folder / "runs" / f"{theorem.proof}_{theorem.task}"
    config = work / "config.sby"
    facts = _facts(config.read_text(encoding="utf-8")) if config.is_file() else ("", "", "")
    place = "" if status == "PASS" else _place(text, _log(folder, theorem.proof, theorem.task))
    trace = "" if status == "PASS" else _keep_trace(work, theorem.name)
    return Outcome(theorem.name, theorem.claim, status, *facts, round(spent, 1), place, trace)


def _log(folder: Path, proof: str, task: str) -> str:
    log = folder / "runs" / f"{proof}_{task}" / "model" / "design.log"
    return log.read_text(encoding="utf-8") if log.is_file() else ""


def _facts(config: str) -> tuple[str, str, str]:
    """Bound, parameters and solver, from the configuration that sby made of the task."""
    options = dict(re.findall(r"^(mode|depth)\s+(\w+)", config, re.MULTILINE))
    engine = re.search(r"^\[engines\]\n(\S+)\s+(.*)$", config, re.MULTILINE)
    tool, solver = (engine[1], engine[2].split()[-1]) if engine else ("", "")
    depth = options.get("depth", "20")
    bound = {
        "prove": "unbounded, PDR" if tool == "abc" else f"unbounded, {depth}-induction",
        "bmc": f"{depth} cycles from reset",
        "cover": f"reached within {depth} cycles",
    }.get(options.get("mode", ""), "")
    read = "\n".join(line for line in config.splitlines() if line.startswith("read_slang"))
    parameters = ", ".join(f"{name} {value}" for name, value in GENERIC.findall(read))
    return bound, parameters, "abc" if tool == "abc" else solver


def _place(text: str, log: str) -> str:
    """Place of the failure, in words."""
    failed = FAILED.search(text)
    if failed:
        step = f" in cycle {failed[4]}" if failed[4] else ""
        return f"{failed[1]} ({failed[2]}:{failed[3]}){step}"
    unreached = UNREACHED.search(text)
    if unreached:
        return f"unreached: {unreached[1] or unreached[2]}"
    loose = LOOSE.search(log)
    if loose:
        return loose[0]
    errors = re.findall(r"ERROR: (.*)", text)
    return str(errors[0]) if errors else "no answer in time"


def _keep_trace(work: Path, name: str) -> str:
    traces = sorted(work.glob("engine_*/trace*.vcd"))
    if not traces:
        return ""
    target = Path("build", "prove", f"{name}.vcd")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(traces[0], target)
    return target.as_posix()
