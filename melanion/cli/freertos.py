# SPDX-License-Identifier: Apache-2.0
"""`melanion compare APP`: the regions that a program marks, on several kernels."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

import melanion.cli.options as options
from melanion import build, config, report
from melanion.build import BuildError
from melanion.measure import ExperimentError, regions
from melanion.measure.regions import Measured
from melanion.run import Settings, run_program
from melanion.run.evidence import printed, shown
from melanion.run.parallel import run_jobs

DEFAULT = ["freertos", "sw", "hwrtos", "banked"]  # of a program for FreeRTOS
OWN = ["sw", "hwrtos", "banked"]  # of one for Melanion
NOTE = (
    "cycles; p99: not exceeded by 99 of 100 spans; begins in: the cycle of the run in which the"
    " longest span began; outside: of the spans that no critical section or division that the"
    " program marks (MEL_OWN_BEGIN) touches; misses: spans longer than the limit, and those that"
    " had not ended and were as old"
)


def compare(
    program: str,
    kernels: Sequence[str] | None,
    *,
    is_freertos: bool = True,
    sources: Path | None = None,
    json_file: str | None,
    max_cycles: int | None,
) -> None:
    """Run, print, write. `is_freertos`: a folder as FreeRTOS has it, else one with app.yaml.
    Raises MelanionError."""
    names = list(kernels or (DEFAULT if is_freertos else OWN))
    options.show_left_out(_application(program, sources, is_freertos=is_freertos))
    for name in names:
        config.find(name)
    if len(set(names)) != len(names):
        raise ExperimentError(
            f"--kernels {','.join(names)} names a kernel twice; name each once.", 2
        )
    if json_file not in (None, "-"):
        report.check_writable(Path(str(json_file)))
    with Console(stderr=True).status("building") as status:
        jobs = {name: (name, program, sources, max_cycles, is_freertos) for name in names}
        found = run_jobs(_measure, jobs, lambda name, text: status.update(f"{name}: {text}"))
    document = as_json(program, {name: found[name] for name in names})
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if json_file == "-":
        click.echo(text, nl=False)
        return
    if json_file is not None:
        report.write_text(Path(json_file), text)
    console = Console(width=None if sys.stdout.isatty() else 80)
    for line in consoles({name: found[name].console for name in names}):
        console.print(line, style="dim", highlight=False, markup=False, soft_wrap=True)
    for line in document["regions"]:
        console.print(title(line), style="bold", highlight=False, soft_wrap=True)
        console.print(table(line, names))
    for sentence in (*sentences(document, names), NOTE, assumed(names), report.judged(names)):
        console.print(sentence, highlight=False, soft_wrap=True)


class _Run:
    """Result of one kernel's process."""

    def __init__(self, console: str, cycles: int, measured: list[Measured]) -> None:
        self.console, self.cycles, self.measured = console, cycles, measured


def _application(program: str, sources: Path | None, *, is_freertos: bool) -> build.App:
    if is_freertos:
        return build.freertos_application(program, sources)
    return build.application(program)


def _measure(
    kernel: str,
    program: str,
    sources: Path | None,
    max_cycles: int | None,
    is_freertos: bool,
    tell: Any,
) -> _Run:
    """In a process of its own. Raises MelanionError."""
    app = _application(program, sources, is_freertos=is_freertos)
    system = config.find(kernel)
    try:
        marked = build.program(system, app, report=tell).content.regions
    except BuildError as error:
        raise BuildError(f"{kernel}: {error.message}", error.exit_code) from error
    if not marked:
        raise ExperimentError(
            f"{app.name} marks nothing to measure; name its regions with MEL_REGION or"
            " MEL_REGION_OF_LINE (kernel/include/melanion/measure.h).",
            2,
        )
    endless = is_freertos and max_cycles is not None
    with shown() as failed:
        result = run_program(
            system,
            app,
            Settings(max_cycles=max_cycles, endless=endless),
            report=tell,
            failed=failed,
        )
    found = regions.measure(result.events, marked, system.clock_mhz)
    return _Run(result.console, result.cycles, found)


def as_json(program: str, found: dict[str, _Run]) -> dict[str, Any]:
    """The document of --json: for each region its figures on each kernel, in cycles."""
    first = next(iter(found.values())).measured
    return {
        "schema": 1,
        "program": program,
        "cycles": {name: run.cycles for name, run in found.items()},
        "assumed_mhz": {name: config.find(name).clock_mhz for name in found},
        "regions": [
            {
                "name": each.region.name,
                "line": each.region.line,
                "limit_us": each.region.limit_us or None,
                "kernels": {name: run.measured[i].figures() for name, run in found.items()},
            }
            for i, each in enumerate(first)
        ],
    }


def assumed(kernels: Sequence[str]) -> str:
    """A sentence about the clocks behind times in µs."""
    clocks = {kernel: config.find(kernel).clock_mhz for kernel in kernels}
    words = " and ".join(
        f"{clock} MHz ({', '.join(kernel for kernel in kernels if clocks[kernel] == clock)})"
        for clock in sorted(set(clocks.values()))
    )
    return (
        f"µs: at {words}, which the configuration assumes (clock_mhz); the clocks that boards"
        " reach are in docs/reference/boards.md"
    )


def consoles(texts: Mapping[str, str]) -> list[str]:
    """The last lines that the program printed on each kernel, once where they are the same."""
    same: dict[str, list[str]] = {}
    for kernel, text in texts.items():
        same.setdefault(text, []).append(kernel)
    return [
        f"{', '.join(kernels)}: {line}" for text, kernels in same.items() for line in printed(text)
    ]


def title(region: dict[str, Any]) -> str:
    """A region in words."""
    origin = "" if region["line"] is None else f", from line {region['line']}"
    limit = f", limit {region['limit_us']} µs" if region["limit_us"] else ""
    return f"{region['name']}{origin}{limit}"


def table(region: dict[str, Any], kernels: Sequence[str]) -> Table:
    """One region: a row for each figure, a column for each kernel."""
    view = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    view.add_column("", no_wrap=True)
    for kernel in kernels:
        view.add_column(kernel, justify="right", no_wrap=True)
    rows = {
        "spans": "spans",
        "minimum": "minimum",
        "p50": "median",
        "p99": "p99",
        "maximum": "maximum",
        "maximum, µs": "maximum_us",
        "maximum begins in": "maximum_begin",
        "spans outside": "outside",
        "maximum outside": "maximum_outside",
        "misses": "misses",
        "not ended": "open",
    }
    for label, key in rows.items():
        values = [region["kernels"][kernel][key] for kernel in kernels]
        view.add_row(label, *map(shown_figure, values))
    return view


def shown_figure(value: float | None) -> str:
    """A figure of a region in a table."""
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else f"{value}"


def against(first: int, other: int) -> str:
    """Compare `other` with `first`, in words."""
    if other == first:
        return "as fast"
    factor = f"{max(first, other) / min(first, other):.1f}"
    if factor == "1.0":
        return "about as fast"
    return f"{factor} times {'slower' if other > first else 'faster'}"


def sentences(document: dict[str, Any], kernels: Sequence[str]) -> list[str]:
    """Sentences about the worst case of each region of a line: how many times faster or slower it
    is than on the first kernel."""
    found = []
    for region in document["regions"]:
        worst = {k: region["kernels"][k]["maximum_outside"] for k in kernels}
        if region["line"] is None or not worst[kernels[0]]:
            continue
        others = [
            f"{kernel} {worst[kernel]} ({against(worst[kernels[0]], worst[kernel])})"
            for kernel in kernels[1:]
            if worst[kernel]
        ]
        found.append(
            f"{region['name']}: worst case outside divisions and critical sections of the program:"
            f" {', '.join([f'{kernels[0]} {worst[kernels[0]]} cycles', *others])}"
        )
    return found
