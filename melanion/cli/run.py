# SPDX-License-Identifier: Apache-2.0
"""`melanion run`: a program on simulated RTL, replayed against the golden model."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import click
from mel_gen import ExitReason

import melanion.cli.options as options
import melanion.cli.running as running
import melanion.run.console_input as console_input
import melanion.run.hints as hints
import melanion.run.limits as limits
from melanion import config, results
from melanion.results import repeat
from melanion.run import RunError, RunResult, Settings, saved, signals

# ANCHORS: simulation of one core with unit and probes.
TARGET_TRACED = 1_000_000
TARGET_BARE = 3_000_000


@click.command("run")
@click.argument("app")
@running.system
@running.settings
@options.freertos_kernel
@click.option(
    "--wave",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a waveform (FST), and a list of its signals in the same folder (GTKWave).",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Save the run's events there, for `melanion tasks`.",
)
@options.freertos_program
@running.console_options
@click.option(
    "--speed", is_flag=True, help="Print the speed of the simulation, and its target speed."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option(
    "--console", "only_console", is_flag=True, help="Print only the output of the program."
)
def command(
    app: str,
    system_name: str,
    settings: Settings,
    is_freertos: bool,
    wave: Path | None,
    save: Path | None,
    speed: bool,
    as_json: bool,
    only_console: bool,
    input_file: Path | None,
    input_cycles: int | None,
) -> None:
    """Run APP (a folder with app.yaml, or a program of Melanion) on SYSTEM.

    The results store keeps its cycles, instructions and latencies: `melanion report diff
    last~1 last` compares two runs.
    """
    system = config.find(system_name)
    application = options.application(app, is_freertos)
    received = console_input.named(input_file, input_cycles, live=not (as_json or speed))
    is_typed = received is not None and received.content is None
    store = results.Store(results.location())
    result = running.run(
        system,
        application,
        replace(settings, wave=wave, speed=speed, received=received),
        is_freertos=is_freertos,
        left=lambda failed: _show_failed(failed, save, as_json=as_json, is_shown=is_typed),
    )
    if save is not None:
        saved.save(result, save)
    if wave is not None:
        signals.save_list(wave, system, result.program, result.names)
    macros = "".join(f" --define {name}={value}" for name, value in settings.defines.items())
    words = f"melanion run {app} --kernel {system_name}{macros}"
    words += "".join(f" --pulse {line}@{cycle}" for line, cycle in settings.pulses)
    words += "".join(f" --set {name}={value}" for name, value in settings.variables.items())
    words += f" --input {input_file}" if input_file is not None else ""
    # Macros, an input and a list of sources are files and words that nobody keeps.
    listed = options.sources(is_freertos=is_freertos) is not None
    kept = None
    if not (settings.defines or received or listed):
        place = str(Path(app).resolve()) if Path(app).is_dir() else app
        kept = repeat.repeatable(result, place, system_name, freertos=is_freertos)
    unit = results.of_run(result, kept)
    store.keep(words, [unit], result.seconds)
    _print(result, as_json=as_json, is_shown=is_typed)
    if as_json:
        return
    if not only_console:
        click.echo(_summary(result))
    if speed:
        click.echo(_speed(result))


def _print(result: RunResult, *, as_json: bool, is_shown: bool) -> None:
    """The document, or what the program printed; `is_shown`: while it ran."""
    if as_json:
        click.echo(json.dumps(result.as_json(), indent=2, ensure_ascii=False))
    elif not is_shown:
        click.echo(result.console, nl=bool(result.console) and not result.console.endswith("\n"))


def _show_failed(result: RunResult, save: Path | None, *, as_json: bool, is_shown: bool) -> None:
    """On standard output what a run that succeeds has there, the rest on standard error."""
    _print(result, as_json=as_json, is_shown=is_shown)
    sys.stdout.flush()
    running.show_evidence(result)
    if save is None:
        return
    try:
        saved.save(result, save)
    except RunError as error:  # the run's own error comes behind it
        click.echo(f"melanion: {error.message}", err=True)
    else:
        click.echo(f"its events: `melanion tasks {save} --cycle N`", err=True)


def _summary(result: RunResult) -> str:
    replay = result.replay
    agreed = (
        "the program's self-checks decided, no model replayed it"
        if replay is None
        else f"the golden model agrees with {replay.commands} commands, {replay.dispatches}"
        f" dispatches, {replay.ticks} ticks"
    )
    program = result.reason == ExitReason.PROGRAM
    how = f"exit code {result.code} after" if program else "stopped, as --max-cycles asks, after"
    end = (
        f"{result.program.app.name} on {result.system.name}: {how}"
        f" {result.cycles} cycles; {agreed}{_drawn(result)}"
    )
    return "\n".join(
        [
            *(replay.deadlocks if replay else ()),
            *limits.used_up(result),
            *_lost(result),
            *hints.of(result, failed=False),
            end,
        ]
    )


def _lost(result: RunResult) -> list[str]:
    """A sentence about bytes of the input that the program did not take in time."""
    if not result.counts.input_lost:
        return []
    return [
        f"{result.counts.input_lost} bytes of the input were lost, because 2048 others waited; give"
        " each byte more cycles with --input-cycles."
    ]


def _drawn(result: RunResult) -> str:
    """Options that repeat a run with drawn wait states; empty when none were drawn."""
    decided = dict(result.provenance)
    if decided["data_wait_states"] == decided["wait_states"]:
        del decided["data_wait_states"]  # --wait-states sets both ports
    words = [
        f"--{name.replace('_', '-')} {decided[name]}"
        for name in ("wait_states", "data_wait_states", "unit_wait_states")
        if isinstance(decided.get(name), str)
    ]
    return f"; drawn by --seed {decided['seed']} {' '.join(words)}" if words else ""


def _speed(result: RunResult) -> str:
    bare = result.untraced_cycles_per_second or 0
    return (
        f"simulation, in cycles per processor second: {bare / 1e6:.2f} M untraced"
        f" (target {TARGET_BARE / 1e6:.0f}),"
        f" {result.cycles_per_second / 1e6:.2f} M traced and replayed"
        f" (target {TARGET_TRACED / 1e6:.0f})"
    )
