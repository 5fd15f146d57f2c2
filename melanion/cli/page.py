# SPDX-License-Identifier: Apache-2.0
"""`melanion page`: simulations that run in the browser."""

from __future__ import annotations

import shlex
import time
from pathlib import Path

import click
from rich.console import Console

from melanion import studio

PORT = 8000


@click.command("page")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("build/page"),
    show_default=True,
    help="Folder of the page; an existing page is replaced.",
)
@click.option("--systems", metavar="A,B,…", help="Include only these systems.  [default: all]")
@click.option("--programs", metavar="A,B,…", help="Include only these programs.  [default: all]")
def command(out: Path, systems: str | None, programs: str | None) -> None:
    """Write a page that simulates systems and programs of the gallery (apps/gallery) in the
    visitor's browser, from the same RTL.

    The page is a folder of static files for any web server. The command needs Emscripten and npm.
    """
    gallery = studio.load().chosen(_names(systems), _names(programs))
    begin = time.monotonic()
    with Console(stderr=True).status("making the page") as status:
        studio.write_page(out, gallery, report=status.update)
    files = [path for path in out.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    click.echo(
        f"{out}: {len(gallery.programs)} programs on {len(gallery.systems)} systems,"
        f" {len(files)} files, {size:.1f} MB, made in {time.monotonic() - begin:.0f} s"
    )
    click.echo("A browser loads no simulation from a file, so serve the folder, for example:")
    folder = shlex.quote(str(out))
    click.echo(f"  python3 -m http.server {PORT} --bind 127.0.0.1 --directory {folder}")
    click.echo(f"and open http://127.0.0.1:{PORT}/")


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip()) if text else ()
