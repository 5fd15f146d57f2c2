# SPDX-License-Identifier: Apache-2.0
"""Blocks of README.md: the worst wait of an interrupt for its task, as a picture with its caption,
and what each coupling adds and gives; and the table of measurements. All of it comes from the files
of rows that tests/lab/test_latency.py, tests/lab/test_interference_cycles.py and
tests/lab/test_area_engine.py assert; nothing is measured here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from melanion import config, paths
from melanion.area.contexts import RESIDENT
from melanion.area.recorded import recorded
from melanion.build import linkage
from melanion.claims import load
from melanion.claims.result import Result
from melanion.docs import engine_area, rows
from melanion.docs.conditions import conditions, ticks
from melanion.docs.pages import interference
from melanion.docs.table import table
from melanion.doctor.needs import RISCV_GCC_ASSERTED
from melanion.measure import Row
from melanion.measure.rows import Measurement
from melanion.report import colours, finding, readme, worst
from melanion.report.svg import number

LATENCY, EVERY_CYCLE = "latency", "interference"  # experiments
PICTURE = paths.data_root() / "docs" / "latency.svg"
METRIC, HANDLER = "irq_to_task", "irq_to_handler"
LOAD, DIVIDE = "calls", "divide"
FEW, MORE = "few", "many"  # loads of the experiment `interference`
KERNELS = {  # in the order of picture and table; name and words in the picture
    "freertos": ("FreeRTOS", "in software"),
    "sw": ("sw", "in software"),
    "hwrtos": ("hwrtos", "unit on the bus"),
    "port": ("port", "its calls inline"),
    "banked": ("banked", "registers in a store"),
}


@cache
def read(experiment: str, metric: str = METRIC) -> Mapping[tuple[str, str], Row]:
    """Rows of a metric, by kernel and load."""
    every = rows.read(rows.FILES[experiment])
    return {(r.kernel, str(r.parameters["load"])): r for r in every if r.metric == metric}


def figures() -> list[worst.Worst]:
    """Values of each kernel for the picture, under one load."""
    latency, swept = read(LATENCY), read(EVERY_CYCLE)
    found = []
    for kernel, (name, words) in KERNELS.items():
        row = latency[kernel, LOAD]
        pair = [swept[kernel, load].max for load in (FEW, MORE) if (kernel, load) in swept]
        every = (pair[0], pair[1]) if pair else None
        found.append(worst.Worst(name, words, colours.KERNELS[kernel], row.max, row.n, every))
    return found


def words() -> tuple[str, str]:
    """The loads of the sweep."""
    few, more = (interference.LOAD_WORDS[load] for load in (FEW, MORE))
    return f"with {few} tasks or objects", f"with {more}"


def picture() -> str:
    """Drawing of docs/latency.svg."""
    return worst.picture(figures(), *words())


def shown() -> str:
    """The picture in README.md, with its figures as its text, and what it does not show."""
    latency, every = read(LATENCY), figures()
    divided = ", ".join(
        f"{number(latency[kernel, DIVIDE].max)} with `{kernel}`" for kernel in KERNELS
    )
    handlers = read(EVERY_CYCLE, HANDLER)
    swept = [kernel for kernel in KERNELS if (kernel, MORE) in handlers]
    handled = ", ".join(
        f"{number(max(handlers[kernel, load].max for load in (FEW, MORE)))} with `{kernel}`"
        for kernel in swept
    )
    without = " and ".join(row.name for row in every if row.every is None)
    sweep = "[every cycle of every call](docs/reference/interference.md)"
    return (
        f"![{worst.description(every, *words())}](docs/{PICTURE.name})\n\n"
        f"All kernels run under the same load, on the same core and memory. The sweep over {sweep}"
        f" uses Melanion's own calls, so {without} has no such figure. The worst case depends on"
        f" the load: {finding.LOAD_WORDS[DIVIDE]}, it is {divided}.\n\n"
        f"In the same sweep a handler in C begins, at worst, after (cycles): {handled}.\n"
    )


ADDED = {  # hardware beside the core
    "sw": "nothing: the kernel is C",
    "hwrtos": "the unit, on the bus",
    "port": "… and a dedicated port, with calls compiled [inline](docs/explanation/port.md)",
    "banked": "… and a store for the [registers of every task](docs/explanation/banked.md)",
}
SIZES = (("64", "256"), ("4", "0"))  # tasks and objects


TASKS = 64  # systems of KERNELS, and their semaphores


def core_mhz(*, banked: bool) -> str:
    """Clock that the core reaches alone: with one set of registers, or with those of TASKS tasks at
    hand; from the table of docs/explanation/banked.md."""
    size = f"{TASKS} | {RESIDENT}" if banked else "none | "
    text = (paths.data_root() / "docs" / "explanation" / "banked.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^\| {re.escape(size)} \|.*\| ([0-9.]+) \|$", text, re.MULTILINE)
    return str(found)


def _cells(kernel: str) -> str:
    """Logic cells that a kernel adds to its core; ≈: between rows that were measured."""
    system = config.find(kernel)
    assert system.parameters.tasks == system.parameters.semaphores == TASKS
    found = recorded(system)
    assert found.cells is not None, found.reason
    return f"{'' if found.how == 'measured' else '≈ '}{number(found.cells)}"


def couplings() -> str:
    """Table of couplings, with a sentence about the size of the unit."""
    every = {(r.kernel, r.metric): r for r in rows.read(rows.FILES[LATENCY]) if not r.parameters}
    latency = read(LATENCY)
    lines = [
        (
            f"`{kernel}`",
            added,
            _cells(kernel),
            core_mhz(banked=config.find(kernel).coupling == "banked"),
            number(latency[kernel, LOAD].max),
            *(number(every[kernel, metric].max) for metric in ("yield", "sem_give_switch")),
        )
        for kernel, added in ADDED.items()
    ]
    heads = (
        "",
        "what you add",
        "logic cells",
        "core, MHz",
        "interrupt → task",
        "yield",
        "give → task",
    )
    areas = {
        (row["tasks"], row["objects"], row["cores"]): row
        for row in rows.lines(engine_area.FILE)
        if row["lanes"] == "0"
    }
    (large, small) = (areas[tasks, objects, "1"] for tasks, objects in SIZES)
    return (
        f"{table('llrrrrr', heads, lines)}\n"
        "Times are worst cases in cycles. Logic cells are those of an ECP5, in addition to the"
        f" core, for {TASKS} tasks and {TASKS} semaphores; MHz are those of the core alone, with"
        f" its registers ([measured](docs/explanation/banked.md#the-price)). The unit takes"
        f" {number(int(large['comb']))} cells and {large['bram']} block RAMs for {large['tasks']}"
        f" tasks and {large['objects']} objects, and {number(int(small['comb']))} cells and"
        f" {small['bram']} block RAMs for {small['tasks']} tasks without objects. Alone it reaches"
        f" {large['fmax']} MHz, more than twice the clock of the Ibex beside it, so it runs at"
        f" twice the core's clock ([area](docs/explanation/area.md)).\n"
    )


def measurements() -> str:
    """The table of the experiment `latency`, and what decides its figures."""
    every = rows.read(rows.FILES[LATENCY])
    measured = tuple(Measurement(r, ((r.max, r.n),)) for r in every if r.kernel in KERNELS)
    result = Result(LATENCY, load(LATENCY), tuple(KERNELS), measured, {})
    (flags,) = {" ".join(linkage.flags(config.find(kernel))) for kernel in KERNELS}
    return (
        f"{readme.table(result)}\n\n{conditions(rows.FILES[LATENCY], tuple(KERNELS))}\n\n"
        f"* compiler: riscv64-unknown-elf-gcc {RISCV_GCC_ASSERTED}, `{flags}`\n"
        f"* tick: {ticks()}\n"
    )
