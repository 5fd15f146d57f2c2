# SPDX-License-Identifier: Apache-2.0
"""`melanion commands`: a user's own commands, and their scenarios on the model and on the RTL."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from mel_gen import TraceKind

from melanion import build, commands, config, micro, paths, scenario
from melanion.config import System
from melanion.errors import MelanionError
from melanion.run import Settings, run_program
from melanion.scenario import Scenario, encoder, language
from melanion.scenario.executor import differences
from melanion.spec.own import OwnCommands


@click.command("commands")
@click.argument("configuration", type=click.Path(path_type=Path))
@click.option("--model", "model_only", is_flag=True, help="Run the scenarios on the model only.")
def command(configuration: Path, model_only: bool) -> None:
    """Check the commands that CONFIGURATION adds to the hardware unit, and run their scenarios on
    the golden model and on simulated RTL. The file of the model is Python, and is executed."""
    system = config.load(configuration)
    own = system.own
    if own is None:
        raise MelanionError(f"{configuration}: it has no key `commands`; add it.", 2)
    for line in _summary(own):
        click.echo(line)
    language.add(own.rows)
    wrong = []
    for path in own.scenarios:
        loaded = scenario.load(path, commands.meanings(own))
        found = list(_complaints(loaded, system, model_only))
        click.echo(f"{'fails' if found else 'ok':<6} {own.place(path)}: {loaded.text}")
        wrong += found
    if wrong:
        raise MelanionError("\n".join(wrong))


def _summary(own: OwnCommands) -> Iterator[str]:
    """Number and name of each command; words of the program store."""
    with_own, without = micro.assemble(own=own), micro.assemble()
    for name, row in own.rows.items():
        yield f"{row.op:<6} {name}"
    words, size = len(with_own.words), with_own.tables.machine.words
    yield f"{words - len(without.words)} words more, {words} of {size}"


def _complaints(loaded: Scenario, system: System, model_only: bool) -> Iterator[str]:
    """The first difference of the model, or else of the hardware."""
    outcome = scenario.execute(loaded)
    found = list(differences(loaded, outcome.log, "the model"))
    yield from found
    if found or model_only:
        return
    app = build.application(paths.data_root() / "apps" / "scenario")
    sizes = system.parameters.model_copy(update={"time_reset": loaded.limits.time_reset})
    system = system.model_copy(update={"parameters": sizes})
    hardware, program = build.hardware(system), build.program(system, app)
    with tempfile.TemporaryDirectory(prefix="melanion-commands-") as folder:
        table = Path(folder, "table")
        table.write_bytes(encoder.encode(loaded, outcome.ticks, system.tick_cycles))
        data = ((table, program.content.symbols["scenario_table"]),)
        result = run_program(system, app, Settings(data=data), built=(hardware, program))
    marks = result.events[result.events["kind"] == TraceKind.MARKER]
    log = encoder.decode(loaded, zip(marks["a"].tolist(), marks["b"].tolist(), strict=True))
    yield from differences(loaded, log, system.name)
