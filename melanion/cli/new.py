# SPDX-License-Identifier: Apache-2.0
"""`melanion new`: the folder of a new application, ready to run."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from jinja2 import ChoiceLoader, PackageLoader

from melanion import paths
from melanion.errors import MelanionError
from melanion.spec.schema import NAME
from melanion.templates import environment

NAME_LENGTH = 40
# Folders of templates: package and folder; a file of an earlier one comes before its namesake.
OWN = (("melanion.cli", "new_app"),)
FREERTOS = (("melanion.cli", "new_freertos"), ("melanion.studio", "starter"))


class NewError(MelanionError):
    """The folder cannot be made."""


@click.command("new")
@click.argument("name")
@click.option(
    "--freertos",
    "is_freertos",
    is_flag=True,
    help="A program for FreeRTOS: FreeRTOSConfig.h, two tasks, a queue and an interrupt.",
)
def command(name: str, is_freertos: bool) -> None:
    """Create the folder NAME with a small application: two tasks and a semaphore."""
    _check_name(name)
    target = Path(name)
    if target.exists() or target.is_symlink():
        raise NewError(
            f"{name}: there is already something of this name here; choose another name, or remove"
            " it first.",
            2,
        )
    make(name, target, FREERTOS if is_freertos else OWN)
    settings = "FreeRTOSConfig.h" if is_freertos else "app.yaml"
    click.echo(f"made {name}/main.c, {name}/{settings}, {name}/README.md")
    option = " --freertos" if is_freertos else ""
    click.echo(f"next: {_called()} run {name}{option} --kernel hwrtos")


def _called() -> str:
    """Command by which the user can call us: the path that was typed, when no active environment
    has `melanion` on its PATH."""
    typed = sys.argv[0]
    if shutil.which("melanion") is None and Path(typed).name == "melanion":
        return typed
    return "melanion"


def _check_name(name: str) -> None:
    if len(name) > NAME_LENGTH or not re.fullmatch(NAME, name):
        raise NewError(
            f"{name!r} is no name of an application; allowed are lower-case letters, digits and"
            f" single underscores, beginning with a letter, at most {NAME_LENGTH} characters;"
            " choose another, such as my_app.",
            2,
        )


def make(name: str, target: Path, templates: Sequence[tuple[str, str]] = OWN) -> None:
    """Write the files; the folder appears whole or not at all. Raises NewError."""
    made = environment(ChoiceLoader([PackageLoader(*place) for place in templates]))
    include = paths.data_root() / "kernel" / "include" / "melanion"
    try:
        with tempfile.TemporaryDirectory(dir=target.absolute().parent) as partial:
            folder = Path(partial) / name
            folder.mkdir()
            for template in made.list_templates():
                text = made.get_template(template).render(name=name, include=include)
                (folder / template.removesuffix(".j2")).write_text(text, encoding="utf-8")
            shutil.move(folder, target)
    except OSError as error:
        raise NewError(
            f"{target}: cannot be made ({error.strerror}); make the folder around it writable, or"
            " work in another.",
        ) from None
