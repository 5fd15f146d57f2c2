# SPDX-License-Identifier: Apache-2.0
"""Interrupts and variables that whoever starts a run gives it: `--pulse`, `--set`."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from click.testing import CliRunner
from mel_gen import TraceKind

from melanion import build, config
from melanion.cli import run as run_command
from melanion.cli import trace as trace_command
from melanion.run import RunError, RunResult, Settings, run_program

SOURCE = """#include <melanion/console.h>
#include <melanion/device.h>
#include <melanion/kernel.h>

volatile uint32_t answer = 1;

int main(void)
{
    mel_print_signed((int32_t)answer);
    mel_busy(2000);
    return 0;
}
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> build.App:
    folder = tmp_path_factory.mktemp("waits")
    (folder / "app.yaml").write_text("name: waits\n")
    (folder / "main.c").write_text(SOURCE)
    return build.application(folder)


def run(app: build.App, **chosen: object) -> RunResult:
    return run_program(config.find("sw"), app, Settings(**chosen))  # type: ignore[arg-type]


def rises(result: RunResult) -> list[tuple[int, int]]:
    """Interrupt lines that rose, and their cycles."""
    wires = result.events[result.events["kind"] == TraceKind.IRQ_WIRE]
    return [(int(event["a"]), int(event["cycle"])) for event in wires]


@pytest.mark.parametrize("waits", [0, "0-7"])
def test_a_line_rises_in_the_cycle_that_was_given(app: build.App, waits: int | str) -> None:
    pulses = ((3, 1200), (0, 700), (3, 701), (31, 1), (4, 1200))
    found = rises(run(app, pulses=pulses, wait_states=waits))
    assert found == sorted(pulses, key=lambda pulse: (pulse[1], pulse[0]))


def test_pulses_of_a_line_that_are_too_close_come_two_cycles_apart(app: build.App) -> None:
    assert rises(run(app, pulses=((3, 500), (3, 500), (3, 501)))) == [(3, 500), (3, 502), (3, 504)]


def test_pulses_take_no_cycle(app: build.App) -> None:
    """The lines are not enabled; every instruction is in the same cycle."""
    assert run(app, pulses=((3, 500),)).cycles == run(app).cycles


def test_a_variable_has_the_value_that_was_given(app: build.App) -> None:
    values = (7, -7, 0xFFFF_FFFE)
    printed = [run(app, variables={"answer": value}).console.strip() for value in values]
    assert printed == ["7", "-7", "-2"]
    assert run(app).console.strip() == "1"


def test_the_result_says_what_was_given(app: build.App) -> None:
    given = run(app, pulses=((3, 500), (4, 9)), variables={"answer": 2}).provenance
    assert (given["pulses"], given["variable_answer"]) == ("3@500 4@9", 2)
    assert not [key for key in run(app).provenance if key.startswith(("pulses", "variable"))]


def test_a_line_that_the_system_lacks_is_refused(app: build.App) -> None:
    with pytest.raises(RunError) as error:
        run(app, pulses=((32, 500),))
    assert error.value.message == (
        "pulse 32@500: sw has no interrupt line 32 (it has 0 to 31); name another line, or a system"
        " with more interrupts."
    )


def test_a_variable_that_the_program_lacks_is_refused(app: build.App) -> None:
    with pytest.raises(RunError, match="begin with questions = 1, and the program has no variable"):
        run(app, variables={"questions": 1})


def said(*words: str) -> str:
    result = CliRunner().invoke(run_command.command, ["hello", *words])
    assert result.exit_code == 2
    return " ".join(result.output.split())


PULSE = (
    "is no pulse; write the number of an interrupt line, @, and the cycle in which it rises, 1 or"
    " later, such as 3@20000."
)
VARIABLE = (
    "is no variable with a value; write its name, an equals sign and a number of 32 bits, such as"
    " rounds=10."
)


@pytest.mark.parametrize(
    ("option", "text", "rest"),
    [
        *itertools.product(["--pulse"], ["3", "3@", "@3", "3@0", "-1@5", "a@5", "3@1.5"], [PULSE]),
        *itertools.product(
            ["--set"], ["a", "a=", "=1", "1a=1", "a=x", "a=010", "a=4294967296"], [VARIABLE]
        ),
    ],
)
def test_a_wrong_word_is_refused(option: str, text: str, rest: str) -> None:
    assert f"'{text}' {rest}" in said(f"{option}={text}")


def test_the_command_line_gives_both(app: build.App) -> None:
    words = [str(app.folder), "--set", "answer=0x10", "--pulse", "3@500", "--pulse", "4@501"]
    result = CliRunner().invoke(run_command.command, [*words, "--console"])
    assert (result.exit_code, result.output.strip()) == (0, "16")


def test_a_timeline_shows_them(app: build.App, tmp_path: Path) -> None:
    words = [str(app.folder), "--pulse", "3@500", "--out", str(tmp_path / "timeline")]
    result = CliRunner().invoke(trace_command.command, words)
    assert result.exit_code == 0, result.output
    assert b"line 3" in (tmp_path / "timeline").read_bytes()
