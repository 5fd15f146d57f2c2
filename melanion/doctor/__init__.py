# SPDX-License-Identifier: Apache-2.0
"""Needs of Melanion on this machine, those that are missing, and the exact command that installs
them.

`examine` looks at everything; `examine_system` only at what the set-up can install. Standard
library only, so that it also runs where nothing is installed yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from melanion.doctor.distribution import install_command
from melanion.doctor.machine import Machine
from melanion.doctor.needs import DEVELOPMENT, PYTHON, SYSTEM, TESTS, Need, Probe

__all__ = [
    "Line",
    "Machine",
    "examine",
    "examine_system",
    "examine_tests",
    "install_all",
    "install_tests",
    "packages",
]

FREE_MIB_MINIMUM = 1024  # two systems with their simulations are about 200 MiB


@dataclass(frozen=True)
class Line:
    """One need.

    `problem` and `fix` are empty when it is met; `package` is what the package manager calls it.
    """

    name: str
    purpose: str
    ok: bool
    optional: bool
    version: str
    problem: str
    fix: str
    note: str
    package: str

    @property
    def text(self) -> str:
        """One line for a person."""
        if self.ok:
            note = f"; {self.note}" if self.note else ""
            return f"{self.name}: {self.version}{note}"
        return f"{self.name} ({self.purpose}): {self.problem}; fix: {self.fix}"


def examine(cache: Path, machine: Machine | None = None) -> list[Line]:
    """Every need; `cache` is the folder of builds."""
    machine = machine or Machine()
    return [
        *(_line(need, machine) for need in PYTHON),
        *examine_system(machine),
        *examine_tests(machine),
        *(_line(need, machine) for need in DEVELOPMENT),
        _cache_line(cache, machine),
    ]


def examine_system(machine: Machine | None = None) -> list[Line]:
    """The needs that a package manager satisfies."""
    machine = machine or Machine()
    return [_line(need, machine) for need in SYSTEM]


def examine_tests(machine: Machine | None = None) -> list[Line]:
    """The needs of tests alone; they are optional."""
    machine = machine or Machine()
    return [_line(need, machine) for need in TESTS]


def install_tests(machine: Machine | None = None) -> list[str]:
    """A command for each need of tests that is missing, where its package is known."""
    machine = machine or Machine()
    manager = machine.distribution().manager
    missing = [need for need in TESTS if need.alone and need.probe(machine).problem]
    if manager != "apt":
        return []
    return [install_command(manager, [need.alone], machine.is_root()) for need in missing]


def packages(lines: Iterable[Line]) -> list[str]:
    """The packages that are missing, each once."""
    return list(dict.fromkeys(line.package for line in lines if not line.ok and line.package))


def install_all(lines: Iterable[Line], machine: Machine | None = None) -> str:
    """The one command that installs all missing packages; empty when there is none to install."""
    machine = machine or Machine()
    missing = packages(lines)
    manager = machine.distribution().manager
    return install_command(manager, missing, machine.is_root()) if missing else ""


def _line(need: Need, machine: Machine) -> Line:
    probe = need.probe(machine)
    package = _package(need, machine)
    return Line(
        name=need.name,
        purpose=need.purpose,
        ok=not probe.problem,
        optional=need.optional,
        version=probe.version,
        problem=probe.problem,
        fix=_fix(need, package, machine) if probe.problem else "",
        note=probe.note,
        package=package,
    )


def _package(need: Need, machine: Machine) -> str:
    manager = machine.distribution().manager
    if need.name == "venv" and manager == "apt":
        major, minor, _ = machine.python()
        return f"python{major}.{minor}-venv"
    return need.packages.get(manager, "")


def _fix(need: Need, package: str, machine: Machine) -> str:
    distribution = machine.distribution()
    if package:
        return f"`{install_command(distribution.manager, [package], machine.is_root())}`"
    if need.fix:
        return need.fix
    return f"install {need.name} with the package manager of {distribution.name}"


def _cache_line(cache: Path, machine: Machine) -> Line:
    probe, fix = _probe_cache(cache, machine)
    return Line(
        name="cache folder",
        purpose="keeps builds",
        ok=not probe.problem,
        optional=False,
        version=probe.version,
        problem=probe.problem,
        fix=fix,
        note="",
        package="",
    )


def _probe_cache(cache: Path, machine: Machine) -> tuple[Probe, str]:
    problem = machine.write_problem(cache)
    if problem:
        fix = f"make {cache} writable, or set XDG_CACHE_HOME to a folder that is"
        return Probe(problem=f"{cache} cannot be written ({problem})"), fix
    free = machine.free_bytes(cache) >> 20
    if free < FREE_MIB_MINIMUM:
        problem = f"{cache} has {free} MiB free, and {FREE_MIB_MINIMUM} MiB are needed"
        fix = (
            f"free space there (`rm -r {cache}` removes all builds), or set"
            f" XDG_CACHE_HOME to another disk"
        )
        return Probe(problem=problem), fix
    return Probe(version=f"{cache}, {free >> 10} GiB free"), ""
