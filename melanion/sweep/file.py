# SPDX-License-Identifier: Apache-2.0
"""Reads a sweep file strictly: every error is a sentence with file, line, key, value, what is
allowed and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from mel_gen import PARAMETERS

from melanion import build, config
from melanion.claims import load as load_experiment
from melanion.config import Core, Memory, System
from melanion.datasheet.unit import microprogram
from melanion.errors import MelanionError, meant
from melanion.measure import extractors
from melanion.spec.check import check, sentence
from melanion.spec.yaml_file import KeyPath, YamlFile, read
from melanion.sweep.errors import SweepError
from melanion.sweep.plan import CORES, MEMORY, WAITS, Plan, Quantity, Value
from melanion.sweep.schema import Range, Search, SweepFile

MOST = 100_000  # points of a grid
BASE = re.compile(r"[a-z0-9-]+(@[a-z0-9-]+)?")
Wrong = Callable[[KeyPath, str], str]


def load(path: Path) -> Plan:
    """The plan of a file. Raises SweepError with every error."""
    file = read(path, str(path))
    asked, problems = check(SweepFile, file)
    if asked is not None:
        problems = list(_problems(asked, file))
    if asked is None or problems:
        raise SweepError("\n".join(problems), 2)
    axes = {key: _values(value) for key, value in asked.parameters.items()}
    quantities = tuple(quantity for _, quantity in _quantities(asked))
    search = asked.search or Search() if asked.mode == "search" else None
    return Plan(asked.title, str(path), tuple(asked.systems), axes, quantities, search)


def _values(asked: list[Value] | Range) -> tuple[Value, ...]:
    return asked.values if isinstance(asked, Range) else tuple(asked)


def _count(asked: list[Value] | Range) -> int:
    """Number of values; a range may be too long to write out."""
    if not isinstance(asked, Range) or asked.times:
        return len(_values(asked))
    return max((asked.end - asked.start) // (asked.step or 1) + 1, 0)


def _quantities(asked: SweepFile) -> Iterator[tuple[KeyPath, Quantity]]:
    for name, metric in asked.experiments.items():
        yield ("experiments", name), Quantity("experiment", name, metric)
    for i, name in enumerate(asked.programs):
        yield ("programs", i), Quantity("program", name)
    for i, name in enumerate(asked.bounds):
        yield ("bounds", i), Quantity("bound", name)


def _problems(asked: SweepFile, file: YamlFile) -> Iterator[str]:
    wrong = partial(sentence, file)
    yield from _wrong_systems(asked, wrong)
    found = [each for key in asked.parameters for each in _wrong_parameter(asked, key, wrong)]
    yield from found
    yield from _without_unit(asked, wrong)
    yield from _wrong_quantities(asked, wrong)
    size = len(asked.systems) * max(len(list(_quantities(asked))), 1)
    for values in asked.parameters.values():
        size *= max(_count(values), 1)
    if asked.mode == "grid" and size > MOST and not found:
        rest = f"asks for {size} points; a grid has at most {MOST}; give fewer values, or search"
        yield wrong(("parameters",), rest)
    if asked.mode == "grid" and asked.search is not None:
        rest = "is given, and mode is grid; write mode: search, or remove the key"
        yield wrong(("search",), rest)


# ---- systems -------------------------------------------------------------------------------------


def _wrong_systems(asked: SweepFile, wrong: Wrong) -> Iterator[str]:
    for i, name in enumerate(asked.systems):
        path = ("systems", i)
        if name in asked.systems[:i]:
            yield wrong(path, f"is {name!r} for the second time; name each system once")
        elif BASE.fullmatch(name) is None:
            rest = "allowed is a name without sizes, wait states and memory, such as hwrtos or"
            yield wrong(path, f"is {name!r}; {rest} port-2; write those below parameters")
        else:
            try:
                system = config.find(name)
            except MelanionError as error:
                yield wrong(path, f"is refused: {_plain(error)}")
                continue
            if CORES in asked.parameters and system.core.count > 1:
                rest = f"is {name!r}, which has {system.core.count} cores, and parameters.cores is"
                yield wrong(path, f"{rest} given; name the system with one core")


def _plain(error: MelanionError) -> str:
    """A message within another sentence."""
    return error.message.splitlines()[0].rstrip(".")


# ---- parameters ----------------------------------------------------------------------------------


@cache
def limits() -> dict[str, tuple[int, int]]:
    """Least and greatest value of each key that is a number."""
    sizes = {name: (info.minimum, info.maximum) for name, info in PARAMETERS.items()}
    beside: dict[str, type[System | Core | Memory]] = {"resident": Core, "kib": Memory}
    beside |= dict.fromkeys(("clock_mhz", "tick_us", WAITS), System)
    for key, model in beside.items():
        node: dict[str, Any] = model.model_json_schema()["properties"][key]
        sizes[key] = node["minimum"], node["maximum"]
    return sizes


def _wrong_parameter(file: SweepFile, key: str, wrong: Wrong) -> Iterator[str]:
    path: KeyPath = ("parameters", key)
    asked = file.parameters[key]
    known = [*limits(), MEMORY]
    if key not in known:
        rest = f"is no key that a sweep varies; there are {', '.join(known)}"
        yield wrong(path, f"{rest}; {meant(key, known, 'remove it')}")
        return
    if isinstance(asked, Range):
        problem = _wrong_range(key, asked)
        if problem:
            yield wrong(path, problem)
            return
    values = asked.values if isinstance(asked, Range) else tuple(asked)
    if not values:
        yield wrong(path, "is an empty list; write one value at least, or remove the key")
    # Of a range the ends say it for all between them.
    checked = {0, len(values) - 1} if isinstance(asked, Range) else range(len(values))
    for i in sorted(checked) if values else ():
        value = values[i]
        here = path if isinstance(asked, Range) else (*path, i)
        if problem := _wrong_value(key, value):
            yield wrong(here, problem)
        elif not isinstance(asked, Range) and value in values[:i]:
            yield wrong(here, f"is {value!r} for the second time; write each value once")


def _without_unit(asked: SweepFile, wrong: Wrong) -> Iterator[str]:
    """Systems that have no unit, whose wait states would be the same point again and again."""
    if WAITS not in asked.parameters:
        return
    for i, name in enumerate(asked.systems):
        try:
            lacks = not config.find(name).unit
        except MelanionError:  # is told as the system's own
            continue
        if lacks:
            rest = f"is {name!r}, which has no hardware unit, and parameters.{WAITS} is given, the"
            rest += " way to one; name systems with a unit, and the others in a file of their own"
            yield wrong(("systems", i), rest)


def _wrong_range(key: str, asked: Range) -> str:
    if key == MEMORY:
        return "is a range, and memories have names; write a list of them"
    if (asked.step is None) == (asked.times is None):
        many = "both step and times" if asked.step else "neither step nor times"
        return f"has {many}; write one of them"
    if asked.start > asked.end:
        return f"is from {asked.start} to {asked.end}, which is less; exchange the two"
    if asked.times and asked.start == 0:
        return "is from 0, which stays 0 whatever it is multiplied by; begin at 1, or write step"
    if (count := _count(asked)) > MOST:
        return f"has {count} values; a grid has at most {MOST} points; take a larger step"
    return ""


def _wrong_value(key: str, value: Value) -> str:
    if key == MEMORY:
        names = sorted(config.memories())
        remedy = meant(str(value), names, "name one of them")
        return "" if value in names else f"is {value!r}; there are {', '.join(names)}; {remedy}"
    least, most = limits()[key]
    if isinstance(value, int) and least <= value <= most:
        return ""
    return f"is {value!r}; allowed is a whole number {least} … {most}; correct the value"


# ---- quantities ----------------------------------------------------------------------------------


def _wrong_quantities(asked: SweepFile, wrong: Wrong) -> Iterator[str]:
    every = list(_quantities(asked))
    if not every:
        rest = "measures nothing; add experiments, programs or bounds, such as"
        yield wrong((), f"{rest} `experiments: {{latency: irq_to_task}}`")
    if asked.mode == "search" and len(every) > 1:
        rest = f"is search, and {len(every)} quantities are asked for; a search has one; write a"
        yield wrong(("mode",), f"{rest} file for each, or mode: grid")
    for i, (path, quantity) in enumerate(every):
        if quantity in [other for _, other in every[:i]]:
            yield wrong(path, f"is {quantity.name!r} for the second time; name each once")
            continue
        try:
            problem = _CHECKS[quantity.kind](quantity)
        except MelanionError as error:
            problem = f"is refused: {_plain(error)}"
        if problem:
            yield wrong(path, problem)


def _wrong_experiment(quantity: Quantity) -> str:
    definition = load_experiment(quantity.name)
    if definition.designs:
        return "synthesizes hardware and runs no program; name an experiment that runs one"
    metrics = [
        name for name, each in definition.metrics.items() if extractors.unit(each) == "cycles"
    ]
    if quantity.metric in metrics:
        return ""
    rest = f"is {quantity.metric!r}; metrics of {quantity.name} in cycles are {', '.join(metrics)}"
    return f"{rest}; {meant(quantity.metric, metrics, 'name one of them')}"


def _wrong_program(quantity: Quantity) -> str:
    build.application(quantity.name)
    return ""


def _wrong_bound(quantity: Quantity) -> str:
    actions = [row.way for row in microprogram()["irq"] if row.answer is not None]
    known = sorted(set(actions))
    if quantity.name in known:
        return ""
    rest = f"is {quantity.name!r}; actions of an interrupt are {', '.join(known)}"
    return f"{rest}; {meant(quantity.name, known, 'name one of them')}"


_CHECKS = {"experiment": _wrong_experiment, "program": _wrong_program, "bound": _wrong_bound}
