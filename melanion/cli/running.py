# SPDX-License-Identifier: Apache-2.0
"""Commands that run a program: the options that choose the settings, and the run."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

import melanion.run.console_input as console_input
from melanion import build
from melanion.build import App
from melanion.build.app import CYCLES, MACRO
from melanion.config import System
from melanion.errors import MelanionError
from melanion.run import RunResult, Settings, Waits, evidence, run_program


def _waits(_context: click.Context, _option: click.Parameter, text: str | None) -> Waits | None:
    return None if text is None else Waits.of(text)


def _defines(
    _context: click.Context, _option: click.Parameter, texts: tuple[str, ...]
) -> dict[str, int | str]:
    found: dict[str, int | str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value or re.fullmatch(MACRO, name) is None:
            raise click.BadParameter(
                f"{text!r} is no macro with a value; write a name of capital letters, digits and _,"
                " an equals sign and the value, such as TRIADS=10."
            )
        found[name] = value
    return found


def _pulses(
    _context: click.Context, _option: click.Parameter, texts: tuple[str, ...]
) -> tuple[tuple[int, int], ...]:
    found = []
    for text in texts:
        words = re.fullmatch(r"(\d{1,2})@(\d{1,19})", text)
        if words is None or int(words[2]) == 0:
            raise click.BadParameter(
                f"{text!r} is no pulse; write the number of an interrupt line, @, and the cycle in"
                " which it rises, 1 or later, such as 3@20000."
            )
        found.append((int(words[1]), int(words[2])))
    return tuple(found)


def _variables(
    _context: click.Context, _option: click.Parameter, texts: tuple[str, ...]
) -> dict[str, int]:
    found = {}
    for text in texts:
        words = re.fullmatch(r"([A-Za-z_]\w*)=(-?(?:0[xX][0-9a-fA-F]+|\d+))", text)
        value = int(words[2], 0) if words and not re.fullmatch(r"-?0\d+", words[2]) else None
        if words is None or value is None or not -(1 << 31) <= value < 1 << 32:
            raise click.BadParameter(
                f"{text!r} is no variable with a value; write its name, an equals sign and a number"
                " of 32 bits, such as rounds=10."
            )
        found[words[1]] = value
    return found


system = click.option("--kernel", "system_name", default="sw", show_default=True, metavar="SYSTEM")
_LIMITS = (
    click.option("--seed", type=click.IntRange(min=0, max=2**64 - 1), default=1, show_default=True),
    click.option(
        "--max-cycles",
        type=click.IntRange(min=1),
        help=f"End the run after this many cycles.  [default: max_cycles of app.yaml, or {CYCLES}]",
    ),
)
_SPEEDS = (
    click.option(
        "--wait-states",
        callback=_waits,
        metavar="N | N-M",
        help="Cycles added to every memory access; from a range each access draws its own, by"
        " --seed.",
    ),
    click.option(
        "--data-wait-states",
        callback=_waits,
        metavar="N | N-M",
        help="The same for loads and stores only.  [default: --wait-states]",
    ),
    click.option(
        "--unit-wait-states",
        callback=_waits,
        metavar="N | N-M",
        help="The same for every access to a device or the unit.",
    ),
)
_MACROS = click.option(
    "--define",
    "defines",
    callback=_defines,
    multiple=True,
    metavar="NAME=VALUE",
    help="Define a macro of the program; it replaces that of app.yaml.",
)


_SCRIPT = (
    click.option(
        "--pulse",
        "pulses",
        callback=_pulses,
        multiple=True,
        metavar="LINE@CYCLE",
        help="Raise an interrupt line in this cycle, in addition to those that the program raises.",
    ),
    click.option(
        "--set",
        "variables",
        callback=_variables,
        multiple=True,
        metavar="NAME=VALUE",
        help="Initial value of a variable of the program (32 bits).",
    ),
)


_INPUT = (
    click.option(
        "--input",
        "input_file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Input of the console, for getchar and others; -: standard input.",
    ),
    click.option(
        "--input-cycles",
        type=int,
        metavar="N",
        help=f"Cycles from one byte of --input to the next, {console_input.LEAST} to"
        f" {console_input.MOST}.  [default: {console_input.CYCLES}]",
    ),
)


def console_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the console's input; the command gets `input_file`, `input_cycles`."""
    for option in reversed(_INPUT):
        function = option(function)
    return function


def limits(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a run's seed, limit, interrupts and variables; the command gets them as
    `settings`."""
    return _packed(function, (*_LIMITS, *_SCRIPT))


def settings(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that decide a run on a system: seed, limit, wait states, macros, interrupts,
    variables; the command gets them as `settings`."""
    return _packed(function, (*_LIMITS, *_SPEEDS, _MACROS, *_SCRIPT))


def _packed(
    function: Callable[..., Any], options: tuple[Callable[..., Any], ...]
) -> Callable[..., Any]:
    own = {"wave", "speed", "received"}  # a command adds them itself
    names = {field.name for field in fields(Settings)} - own

    @functools.wraps(function)
    def packed(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in names & set(given)}
        return function(settings=Settings(**chosen), **given)

    for option in reversed(options):
        packed = option(packed)
    return packed


def run(
    system: System,
    app: App,
    settings: Settings,
    *,
    is_freertos: bool,
    left: Callable[[RunResult], None],
) -> RunResult:
    """Run, with the progress on standard error. A program for FreeRTOS (`is_freertos`) need not end
    by itself when the settings limit it. `left` shows what a failed run left, before its error is
    raised. Raises MelanionError."""
    endless = is_freertos and settings.max_cycles is not None
    failed: list[RunResult] = []
    chosen = replace(settings, endless=endless)
    try:
        with Console(stderr=True).status("building") as status:
            if settings.received is None or settings.received.content is not None:
                return run_program(
                    system, app, chosen, report=status.update, failed=failed.append, note=show_note
                )
            built = (
                build.hardware(
                    system, wave=settings.wave is not None, receives=True, report=status.update
                ),
                build.program(system, app, defines=settings.defines, report=status.update),
            )
        # Without progress, which would stand between what is typed and what is answered.
        return run_program(system, app, chosen, built=built, failed=failed.append, note=show_note)
    except MelanionError:
        for result in failed:
            left(result)
        raise


def show_note(text: str) -> None:
    """Print a sentence about the program on standard error, before its run."""
    click.echo(text, err=True)


def show_evidence(result: RunResult) -> None:
    """Print the evidence of a failed run on standard error."""
    for line in evidence.lines(result):
        click.echo(line, err=True)
