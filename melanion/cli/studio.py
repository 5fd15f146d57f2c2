# SPDX-License-Identifier: Apache-2.0
"""`melanion studio`: the page with what needs tools, from a server of this machine."""

from __future__ import annotations

import importlib
import webbrowser
from pathlib import Path

import click
from rich.console import Console

from melanion.studio.errors import StudioError

PACKAGES = ("starlette", "uvicorn", "anyio", "h11")


@click.command("studio")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=True,
    help="Port of 127.0.0.1; 0: any free port.",
)
@click.option("--no-open", is_flag=True, help="Only print the address, without opening a browser.")
def command(folder: Path | None, port: int, no_open: bool) -> None:
    """Show two kernels under one time axis in the browser; edit, build and run their systems,
    programs of Melanion, and the program in FOLDER.

    The server answers only requests from this machine that have the token of its address. Builds
    and runs have your rights. Ctrl-C ends the server.
    """
    try:
        server = importlib.import_module("melanion.studio.server")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES:
            raise
        raise StudioError(
            f"the studio needs the package {error.name}, which is not installed; in a checkout run"
            " `make setup-dev`, elsewhere `pip install 'melanion[studio]'`."
        ) from error
    status = Console(stderr=True).status("preparing the studio")

    def ready(address: str, opener: Path) -> None:
        status.stop()
        click.echo(f"studio: {address}")
        click.echo("Whoever has this address builds and runs as you. Ctrl-C ends the studio.")
        if not no_open:
            webbrowser.open(opener.as_uri())

    with status:
        server.serve(folder, port, status.update, ready)
