# SPDX-License-Identifier: Apache-2.0
"""The frame of the command line: errors as sentences, exit codes, no traceback."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from melanion import cli
from melanion.errors import MelanionError
from tests.common import limited


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """`melanion demo` raises what the test puts here."""
    errors: list[BaseException] = []

    @click.command("demo")
    def command() -> None:
        raise errors[0]

    monkeypatch.setattr(cli.group, "get_command", lambda context, name: command)
    return errors


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        cli.main(list(words))
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.mark.parametrize("exit_code", [1, 2])
def test_error_of_a_room(
    failing: list[BaseException], capsys: pytest.CaptureFixture[str], exit_code: int
) -> None:
    failing.append(MelanionError("one thing.\nanother thing.", exit_code))
    assert run("demo") == exit_code
    assert capsys.readouterr().err == "melanion: one thing.\nmelanion: another thing.\n"


def test_interrupt(failing: list[BaseException], capsys: pytest.CaptureFixture[str]) -> None:
    failing.append(KeyboardInterrupt())
    assert run("demo") == 1
    assert capsys.readouterr().err.strip() == (
        "melanion: interrupted; nothing half-written is left, run the same command again."
    )


def test_termination_ends_what_was_started(tmp_path: Path) -> None:
    """SIGTERM while a program runs (`melanion board` starts yosys): it ends, too."""
    file = tmp_path / "child"
    child = f"import os, time; open({str(file)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    parent = (
        "import sys\n"
        "import click\n"
        "from melanion import cli\n"
        "from melanion.build.tools import run\n"
        "@click.command('demo')\n"
        "def command() -> None:\n"
        f"    run([sys.executable, '-c', {child!r}])\n"
        "cli.group.get_command = lambda context, name: command\n"
        "sys.argv = ['melanion', 'demo']\n"
        "cli.main()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", parent], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + limited.HUNG
    while not file.is_file() or not file.read_text(encoding="ascii"):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=limited.HUNG)
    assert process.returncode == 1 and "interrupted; nothing half-written is left" in said
    with pytest.raises(ProcessLookupError):
        os.kill(int(file.read_text(encoding="ascii")), 0)


def test_defect(failing: list[BaseException], capsys: pytest.CaptureFixture[str]) -> None:
    failing.append(ZeroDivisionError("division by zero"))
    assert run("demo") == 1
    assert capsys.readouterr().err == (
        "melanion: internal error, ZeroDivisionError: division by zero; this is a defect of"
        " Melanion:"
        " please report it with the output of `melanion --debug demo`.\n"
    )


def test_debug_shows_the_traceback(failing: list[BaseException]) -> None:
    failing.append(ZeroDivisionError("division by zero"))
    with pytest.raises(ZeroDivisionError):
        cli.main(["--debug", "demo"])


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("genn", "'genn' is no command; did you mean `melanion gen`?"),
        ("xyzzy", f"'xyzzy' is no command; known are {', '.join(cli.COMMANDS)}."),
    ],
)
def test_unknown_command(word: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(word) == 2
    assert hint in capsys.readouterr().err


def test_unknown_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("doctor", "--xml") == 2
    assert "No such option" in capsys.readouterr().err


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    text = capsys.readouterr().out
    assert all(f"\n  {name} " in text for name in cli.COMMANDS)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_its_module(name: str) -> None:
    command = importlib.import_module(f"melanion.cli.{name}").command
    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.help


def test_closed_pipe() -> None:
    """`melanion doctor | head -0` ends without a traceback."""
    with subprocess.Popen(
        [sys.executable, "-m", "melanion", "doctor"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1
