# SPDX-License-Identifier: Apache-2.0
"""Options that several commands have."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from melanion import build
from melanion.build import App, BuildError, freertos

SOURCES = "melanion.sources"  # in the context of a command


def application(app: str, is_freertos: bool) -> App:
    """The program that a command names; `is_freertos`: a folder as FreeRTOS has it. Raises
    BuildError."""
    named = sources(is_freertos=is_freertos)
    if not is_freertos:
        return build.application(app)
    found = build.freertos_application(app, named)
    show_left_out(found)
    return found


def show_left_out(app: App) -> None:
    """Print on standard error what was named for a program and does not count."""
    if app.left_out:
        files = "file" if app.left_out == 1 else "files"
        verb, them = ("is", "it") if app.left_out == 1 else ("are", "them")
        click.echo(
            f"{app.name}: {app.left_out} {files} of FreeRTOS itself {verb} left out: the kernel"
            f" brings {them}",
            err=True,
        )
    for note in app.notes:
        click.echo(f"{app.name}: {note}", err=True)


def sources(*, is_freertos: bool) -> Path | None:
    """The file of --sources. Raises BuildError."""
    found: Path | None = click.get_current_context().meta.get(SOURCES)
    if found is not None and not is_freertos:
        raise BuildError(
            f"--sources {found} goes with --freertos alone: app.yaml names the sources of its"
            " program; leave it out.",
            2,
        )
    return found


def _keep_sources(context: click.Context, _option: click.Parameter, file: Path | None) -> None:
    context.meta[SOURCES] = file


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
    help=f"For the kernel freertos: use this copy of FreeRTOS-Kernel {freertos.VERSION} instead of"
    " the one that cargo fetches.",
)


_is_freertos = click.option(
    "--freertos",
    "is_freertos",
    is_flag=True,
    help="APP is a program for FreeRTOS: a folder with FreeRTOSConfig.h and sources, without"
    " app.yaml. With --max-cycles, it need not end by itself.",
)
_sources = click.option(
    "--sources",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="LIST",
    expose_value=False,
    callback=_keep_sources,
    help="With --freertos: the program's sources, instead of all in its folder: a"
    " compile_commands.json, or a list whose lines are sources or patterns, !PATTERN, -IFOLDER,"
    " -DNAME=VALUE.",
)


def freertos_program(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a program for FreeRTOS as it is; the command gets `is_freertos`."""
    return _is_freertos(_sources(function))
