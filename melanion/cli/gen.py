# SPDX-License-Identifier: Apache-2.0
"""`melanion gen`: write what is made from spec/, or check that it is up to date."""

from __future__ import annotations

import click

from melanion import gen, paths
from melanion.spec import load


@click.command("gen")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a file differs.")
def command(check: bool) -> None:
    """Generate from spec/: constants for SystemVerilog, C and Python, and reference pages."""
    if not paths.is_checkout():
        raise gen.GenError(
            f"{paths.data_root()}: this is an installed Melanion, whose files do not change; run"
            " `melanion gen` in a checkout.",
            exit_code=2,
        )
    spec, root = load(), paths.data_root()
    texts, of_spec = gen.files(spec), f"(spec hash {spec.hash[:8]})"
    if check:
        gen.check(texts, root)
        click.echo(f"gen: {len(texts)} files are up to date {of_spec}")
        return
    changed = gen.write(texts, root)
    for name in changed:
        click.echo(f"wrote {name}")
    click.echo(f"gen: {len(changed)} of {len(texts)} files written {of_spec}")
