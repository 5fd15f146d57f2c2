# SPDX-License-Identifier: Apache-2.0
"""`melanion systems`: the systems that come with Melanion; one of them as a file to change."""

from __future__ import annotations

import click

from melanion import config


@click.command("systems")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the systems that come with Melanion, or print NAME as a configuration file.

    NAME may be composed, such as hwrtos@port-4 or "banked[tasks=128]". Write the file to a folder
    of your own (`melanion systems hwrtos > my.yaml`), change it, and name it instead of a kernel.
    """
    if name is not None:
        click.echo(config.text(config.find(name)), nl=False)
        return
    for each in config.names():
        system = config.find(each)
        tasks = f"{system.parameters.tasks} tasks"
        click.echo(f"{each:<18} {system.core.text:<32} {tasks:<10} {system.kernel_info.text}")
