# SPDX-License-Identifier: Apache-2.0
"""Set-up of a checkout (`make setup`): system packages, .venv, locked Python packages, the project
itself.

Contract: idempotent; what is done already is not done again (a stamp in .venv holds the hash of
everything that decides). Missing system packages are installed as root or with a sudo that asks
nothing, else the one command is printed and the exit code is 1. Runs with the system's Python and
nothing else: standard library only.
"""

import sys

# Before anything that an old Python does not understand.
if sys.version_info < (3, 11):  # noqa: UP036
    import os
    import shutil

    for _minor in range(20, 10, -1):
        _newer = shutil.which("python3.%d" % _minor)  # noqa: UP031
        if _newer:
            os.execv(_newer, [_newer] + sys.argv)  # noqa: RUF005
    sys.exit(
        "setup: this is Python %d.%d, and 3.11 or newer is needed; install it and run"  # noqa: UP031
        " `make setup PYTHON=python3.11`." % sys.version_info[:2]
    )

import contextlib
import fcntl
import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from melanion import doctor  # noqa: E402 (after the path is known)

VENV = ROOT / ".venv"
# Each level holds the packages of those before it.
LEVELS = {
    "runtime": ("requirements.txt",),
    "docs": ("requirements-docs.txt",),
    "dev": ("requirements-dev.txt", "requirements-sdist.txt"),
}
ARGUMENTS = {(): "runtime", ("--docs",): "docs", ("--dev",): "dev"}


class SetupError(Exception):
    """The set-up cannot go on; the message is for the user."""


def install_system_packages() -> None:
    """Install what is missing, or say the command that does."""
    lines = doctor.examine_system()
    missing = [line for line in lines if not line.ok]
    needed = [line for line in missing if not line.optional]
    for line in missing:
        word = "optional, and not here" if line.optional else "missing"
        print(f"setup: {word}: {line.name}, {line.purpose} ({line.problem})", flush=True)
    command = doctor.install_all(lines)
    if not missing or not (needed or command):
        return
    if command and _may_install(command):
        print(f"setup: installing: {command}", flush=True)
        done = subprocess.run(command, shell=True, check=False)
        needed = [line for line in doctor.examine_system() if not (line.ok or line.optional)]
        if needed:
            names = ", ".join(line.name for line in needed)
            raise SetupError(
                f"still missing: {names}; `{command}` ended with exit code {done.returncode};"
                " correct what"
                " it reports and run `make setup` again."
            )
    elif needed:
        fixes = [command] if command else []
        fixes += [line.fix for line in needed if not line.package]
        remedy = "\n    ".join(dict.fromkeys(fixes))
        raise SetupError(
            f"system packages are missing; run this, then `make setup` again:\n    {remedy}"
        )


def install_test_tools() -> None:
    """Install the browser and what makes the page. Without them their tests are skipped, so nothing
    here stops the set-up."""
    if all(line.ok for line in doctor.examine_tests()):
        return
    for command in doctor.install_tests():
        if _may_install(command):
            print(f"setup: installing: {command}", flush=True)
            subprocess.run(command, shell=True, check=False)
    for line in doctor.examine_tests():
        if not line.ok:
            print(f"setup: missing: {line.text}", flush=True)


def _may_install(command: str) -> bool:
    """Only apt is run for the user; as root, or when sudo asks nothing."""
    if "apt-get" not in command or shutil.which("apt-get") is None:
        return False
    if not command.startswith("sudo "):
        return True
    sudo = shutil.which("sudo")
    return (
        sudo is not None
        and subprocess.run([sudo, "-n", "true"], capture_output=True).returncode == 0
    )


def content(level: str) -> str:
    """The hash of everything that decides what is in .venv."""
    digest = hashlib.sha256(f"{sys.version} {ROOT}".encode())
    for name in ("pyproject.toml", *LEVELS[level], "scripts/setup.py"):
        digest.update(hashlib.sha256((ROOT / name).read_bytes()).digest())
    return digest.hexdigest()


def is_done(level: str) -> bool:
    """The virtual environment holds this level, or one that includes it."""
    if not (VENV / "bin" / "melanion").is_file():
        return False
    levels = list(LEVELS)
    candidates = levels[levels.index(level) :]
    return any(_stamp(name) == content(name) for name in candidates)


def _stamp(level: str) -> str:
    try:
        return (VENV / f"setup-{level}").read_text(encoding="utf-8")
    except OSError:
        return ""


def install_python_packages(level: str) -> None:
    """Make .venv when it is missing or of another Python, and fill it."""
    python = VENV / "bin" / "python"
    if not _same_python(python):
        print("setup: making .venv", flush=True)
        _run([sys.executable, "-m", "venv", "--clear", str(VENV)])
    for name in LEVELS:
        (VENV / f"setup-{name}").unlink(missing_ok=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    wheels, *sources = LEVELS[level]
    print(f"setup: installing the packages of {wheels} (once, a minute or so)", flush=True)
    locked = [*pip, "--require-hashes"]
    _run([*locked, "--only-binary", ":all:", "-r", str(ROOT / wheels)])
    for name in sources:  # built with what `wheels` installed, and with nothing else
        _run([*locked, "--no-deps", "--no-build-isolation", "-r", str(ROOT / name)])
    print("setup: installing melanion", flush=True)
    _run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)])
    (VENV / f"setup-{level}").write_text(content(level), encoding="utf-8")


def _same_python(python: Path) -> bool:
    question = "import pip, sys; print(sys.version)"
    try:
        done = subprocess.run([python, "-c", question], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return done.stdout.strip() == sys.version.strip()


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True)
    except subprocess.CalledProcessError as error:
        raise SetupError(
            f"`{' '.join(command)}` ended with exit code {error.returncode}; correct what it"
            " reports and run"
            " `make setup` again."
        ) from None


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """One set-up of this checkout at a time; the lock ends with the process, however it ends."""
    with Path(__file__).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("setup: waiting for another set-up of this checkout", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(arguments: list[str]) -> int:
    level = ARGUMENTS.get(tuple(arguments))
    if level is None:
        print("setup: allowed are no argument, --docs and --dev.", file=sys.stderr)
        return 2
    try:
        with alone():
            install_system_packages()
            if level == "dev":
                install_test_tools()
            if is_done(level):
                return 0
            install_python_packages(level)
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: interrupted; run `make setup` again.", file=sys.stderr)
        return 1
    print("setup: done", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
