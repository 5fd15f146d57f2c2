# SPDX-License-Identifier: Apache-2.0
"""Options that several commands have."""

from __future__ import annotations

import os
from pathlib import Path

import click

from melanion import build
from melanion.build import App, freertos


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


freertos_program = click.option(
    "--freertos",
    "is_freertos",
    is_flag=True,
    help="APP is a program for FreeRTOS: a folder with FreeRTOSConfig.h and sources, without"
    " app.yaml. Given --max-cycles, its run need not end by itself.",
)
