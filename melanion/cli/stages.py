# SPDX-License-Identifier: Apache-2.0
"""Stages of a command, on standard error: a line that changes on a terminal, else a line for each
stage as it begins."""

from __future__ import annotations

from types import TracebackType

import click
from rich.console import Console
from rich.status import Status


class Stages:
    """`with Stages("making …") as tell`: then `tell("building …")`."""

    def __init__(self, begins: str) -> None:
        console = Console(stderr=True)
        self._status = Status(begins, console=console) if console.is_terminal else None
        self._last = ""

    def __enter__(self) -> Stages:
        if self._status:
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status:
            self._status.stop()

    def __call__(self, text: str) -> None:
        if self._status:
            self._status.update(text)
        elif text and text != self._last:
            click.echo(text, err=True)
        self._last = text
