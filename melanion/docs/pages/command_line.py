# SPDX-License-Identifier: Apache-2.0
"""docs/reference/cli.md: every command of `melanion`, from its own help."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from melanion import cli, paths
from melanion.docs.table import table

PAGE: Path = paths.data_root() / "docs" / "reference" / "cli.md"
HEAD = """\
# Command line

This page is for users of the command line.
It has each command with its options, as `--help` prints them.
`python -m melanion.docs` generates it.

"""


def page() -> str:
    """The whole page."""
    return HEAD + "\n".join(_sections(cli.group, "melanion"))


def _sections(group: click.Group, name: str) -> Iterator[str]:
    context = click.Context(group, info_name=name)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        own = click.Context(command, info_name=word, parent=context)
        yield _section(command, own)
        if isinstance(command, click.Group):
            yield from _sections(command, f"{name} {word}")


def _section(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    text = inspect.cleandoc(command.help or "").replace("\b\n", "").rstrip() + "\n"
    head = f"## {context.command_path}\n\n```\n{usage}\n```\n"
    return f"{head}\n{text}{_options(command, context)}"


def _options(command: click.Command, context: click.Context) -> str:
    """A table of them."""
    records = [each.get_help_record(context) for each in command.params]
    rows = [
        (f"`{option}`", " ".join(text.split()).replace("|", "\\|"))
        for option, text in filter(None, records)
        if text
    ]
    return f"\n{table('ll', ('option', 'what it does'), rows)}" if rows else ""
