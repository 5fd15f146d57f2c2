# SPDX-License-Identifier: Apache-2.0
"""Options that several commands have."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from melanion import build
from melanion.build import App, freertos
from melanion.build.app import MACRO
from melanion.run import Waits


def application(app: str, is_freertos: bool) -> App:
    """The program that a command names; `is_freertos`: a folder as FreeRTOS has it. Raises
    BuildError."""
    return build.freertos_application(app) if is_freertos else build.application(app)


def _use(_context: click.Context, _option: click.Parameter, folder: Path | None) -> None:
    """Runs are processes of their own: they get it with the environment."""
    if folder is not None:
        os.environ[freertos.FOLDER] = str(folder.resolve())


freertos_kernel = click.option(
    "--freertos-kernel",
    type=click.Path(path_type=Path),
    metavar="DIR",
    expose_value=False,
    callback=_use,
    help=f"Of the kernel freertos: a copy of FreeRTOS-Kernel {freertos.VERSION}, instead of the one"
    " that cargo fetches.",
)


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


_CHOICES = (
    click.option("--kernel", "system_name", default="sw", show_default=True, metavar="SYSTEM"),
    click.option("--seed", type=click.IntRange(min=0, max=2**64 - 1), default=1, show_default=True),
    click.option(
        "--max-cycles", type=click.IntRange(min=1), help="End the run after this many cycles."
    ),
    click.option(
        "--wait-states",
        callback=_waits,
        metavar="N | N-M",
        help="Cycles added to every memory access; of a range each access draws its own, by"
        " --seed.",
    ),
    click.option(
        "--data-wait-states",
        callback=_waits,
        metavar="N | N-M",
        help="The same for loads and stores alone, when instructions have others.",
    ),
    click.option(
        "--unit-wait-states",
        callback=_waits,
        metavar="N | N-M",
        help="The same for every device or unit access.",
    ),
    click.option(
        "--define",
        "defines",
        callback=_defines,
        multiple=True,
        metavar="NAME=VALUE",
        help="A macro of the program instead of that in its app.yaml.",
    ),
    freertos_kernel,
)


def chosen_run(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that decide a run: system, seed, limit, wait states, macros."""
    for option in reversed(_CHOICES):
        function = option(function)
    return function


freertos_program = click.option(
    "--freertos",
    "is_freertos",
    is_flag=True,
    help="APP is a program for FreeRTOS: a folder with FreeRTOSConfig.h and sources, without"
    " app.yaml. Given --max-cycles, its run need not end by itself.",
)
