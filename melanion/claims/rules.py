# SPDX-License-Identifier: Apache-2.0
"""Rules for claims and figures that involve more than one key: names that must exist in the
definition, limits that a rule needs. One sentence each."""

from __future__ import annotations

from collections.abc import Iterator

from melanion.claims.claim import (
    CURVES,
    EVERY,
    MAY_HAVE_OTHER,
    NEEDS_OVER,
    OF_WORDS,
    WITH_OTHER,
    Bars,
    Claim,
    Figure,
    Rule,
    Where,
)
from melanion.claims.experiment import Experiment
from melanion.config import find, memories, units
from melanion.errors import MelanionError, meant
from melanion.spec.check import sentence
from melanion.spec.yaml_file import KeyPath, YamlFile

Problem = tuple[KeyPath, str]

# Tracepoints that a kind of extractor looks for, by its key.
LOOKS_FOR = {
    **dict.fromkeys(("span", "irq_off"), ("start", "end")),
    **dict.fromkeys(("tick_share", "period"), ("start",)),
    **dict.fromkeys(("tick_wake", "tick_irq_off", "reading"), ("end",)),
}


def broken_rules(definition: Experiment, file: YamlFile) -> list[str]:
    """The sentences about a definition's claims and figures, in order."""
    found = [*_systems(definition), *_programs(definition), *_parameter_lists(definition)]
    found += list(_extractors(definition))
    for i, claim in enumerate(definition.claims):
        found += list(_claim(definition, claim, ("claims", i)))
    for i, figure in enumerate(definition.figures):
        found += list(_figure(definition, figure, ("figures", i)))
    for i, bars in enumerate(definition.bars):
        found += list(_bars(definition, bars, ("bars", i)))
    return [sentence(file, path, rest) for path, rest in found]


def _systems(definition: Experiment) -> Iterator[Problem]:
    """Names of `kernels` that no system has."""
    for i, kernel in enumerate([] if definition.designs else definition.kernels):
        try:
            find(kernel)
        except MelanionError as error:
            yield ("kernels", i), f"is refused: {error.message.splitlines()[0].rstrip('.')}"


def _parameter_lists(definition: Experiment) -> Iterator[Problem]:
    """Values that a parameter of a metric has twice: their rows could not be told apart."""
    for name, metric in definition.metrics.items():
        for key, values in metric.parameters.items():
            twice = [value for i, value in enumerate(values) if value in values[:i]]
            for value in dict.fromkeys(twice):
                path = ("metrics", name, "parameters", key)
                yield path, f"has {value!r} twice; write each value once"


def _programs(definition: Experiment) -> Iterator[Problem]:
    """Problems with the memories of the programs' code and data."""
    places = memories()
    for i, program in enumerate(definition.programs):
        path = ("programs", i, "memory")
        if program.memory is None:
            continue
        if program.memory not in places:
            rest = f"there are {', '.join(sorted(places))} (configs/places/memories.yaml)"
            yield path, f"is {program.memory!r}; {rest}; name one of them"
        elif places[program.memory].cache is not None:
            rest = "has caches, which are hardware; name the systems with it instead, as rtu-3"
            yield path, f"is {program.memory!r}, which {rest}+{program.memory}"
        elif program.wait_states is not None:
            yield path, "is given, and wait_states too; remove one of them"


def _extractors(definition: Experiment) -> Iterator[Problem]:
    """Names in extractors that no phase or tracepoint of the definition has."""
    for name, metric in definition.metrics.items():
        rule = metric.extractor
        if rule is None:
            continue
        asked = [("phase", definition.phases, "phases")]
        asked += [(key, definition.tracepoints, "tracepoints") for key in LOOKS_FOR[rule.kind]]
        for key, known, where in asked:
            if (given := getattr(rule, key)) not in known:
                there = ", ".join(known) or "none"
                rest = f"is {given!r}; `{where}` has {there}; {meant(given, known, 'add it there')}"
                yield ("metrics", name, "extractor", key), rest


def _latency_models(claim: Claim) -> list[str]:
    """The systems that a claim judges or compares whose unit stands behind cycles that were
    reasoned, not measured."""
    reasoned = {name for name, place in units().items() if place.reasoned}
    others = [rule.to_kernel for rule in claim.rules if rule.to_kernel is not None]
    return [each for each in [*claim.kernels, *others] if _place(each) in reasoned]


def _place(system: str) -> str:
    """`snooping` of `hwrtos@snooping+lm`."""
    return system.partition("@")[2].partition("+")[0].partition(":")[0]


def _claim(definition: Experiment, claim: Claim, path: KeyPath) -> Iterator[Problem]:
    yield from _kernels(definition, claim.kernels, path)
    yield from _metric(definition, claim.metric, (*path, "metric"))
    if all(rule.at_least is None and rule.at_most is None for rule in claim.rules):
        yield (*path, "rules"), "has no at_least and no at_most, so it judges nothing; add one"
    if claim.decided_by != "choice" and (models := _latency_models(claim)):
        rest = f"the claim is about {models[0]}, a latency model whose cycles we chose"
        yield (*path, "decided_by"), f"is {claim.decided_by!r}, and {rest}; write choice"
    for i, rule in enumerate(claim.rules):
        here = (*path, "rules", i)
        if rule.times_paper and claim.paper is None:
            yield (*here, "times_paper"), "needs the printed number; add `paper` to the claim"
        yield from _rule(definition, rule, rule.metric or claim.metric, here)
        yield from _with_itself(claim, rule, here)


def _with_itself(claim: Claim, rule: Rule, path: KeyPath) -> Iterator[Problem]:
    """A comparison that cannot come out otherwise, whatever was measured."""
    rest = "which the rule compares with itself; name another, or leave the claim out"
    if rule.to_kernel in claim.kernels:
        yield (*path, "to_kernel"), f"is {rule.to_kernel!r}, {rest}"
    if rule.to_metric is not None and rule.to_metric == (rule.metric or claim.metric):
        yield (*path, "to_metric"), f"is {rule.to_metric!r}, {rest}"


def _rule(definition: Experiment, rule: Rule, name: str, path: KeyPath) -> Iterator[Problem]:
    if rule.metric is not None:
        yield from _metric(definition, rule.metric, (*path, "metric"))
    if name not in (*definition.metrics, EVERY):
        return
    needed = {
        "over": rule.quantity in NEEDS_OVER and rule.over is None,
        "limit": rule.quantity in ("share", "count") and rule.limit is None,
    }
    for key in [key for key, missing in needed.items() if missing]:
        yield path, f"is of the quantity {rule.quantity}, which needs the key {key}; add it"
    others = [key for key in ("to_metric", "to_kernel") if getattr(rule, key) is not None]
    may = (0, 1) if rule.quantity in MAY_HAVE_OTHER else (0,)
    numbers = (1,) if rule.quantity in WITH_OTHER else may
    if len(others) not in numbers:
        yield (
            path,
            f"has the quantity {rule.quantity} and {len(others)} of the keys to_metric, to_kernel;"
            " a ratio or crossover has one of them, a share or slope may have one, any other"
            " quantity none",
        )
    if rule.to_metric is not None:
        yield from _metric(definition, rule.to_metric, (*path, "to_metric"))
    if rule.to_kernel is not None:
        yield from _kernels(definition, [rule.to_kernel], path)
    if rule.over is not None:
        numbers_only = rule.quantity not in OF_WORDS
        yield from _over(definition, name, rule.over, (*path, "over"), numbers_only)
    yield from _where(definition, name, rule.where, (*path, "where"))


def _figure(definition: Experiment, figure: Figure, path: KeyPath) -> Iterator[Problem]:
    yield from _kernels(definition, figure.kernels, path)
    yield from _metric(definition, figure.metric, (*path, "metric"))
    if figure.metric not in definition.metrics:
        return
    parameters = definition.metrics[figure.metric].parameters
    yield from _over(definition, figure.metric, figure.over, (*path, "over"), True)
    yield from _where(definition, figure.metric, figure.where, (*path, "where"))
    if figure.curves is not None:
        yield from _over(definition, figure.metric, figure.curves, (*path, "curves"), False)
    each = len(parameters.get(figure.curves or "", [None]))
    curves = len(figure.kernels) * each + len(figure.paper)
    if curves > CURVES:
        yield path, f"has {curves} curves; a chart holds at most {CURVES}; name fewer kernels"
    for i, curve in enumerate(figure.paper):
        if (curve.value is None) == (curve.slope is None) or (
            (curve.slope is None) != (curve.through is None)
        ):
            rest = "needs either `value`, or `slope` and `through`; correct the keys"
            yield (*path, "paper", i), rest
        elif curve.through is not None and curve.through not in figure.kernels:
            rest = f"is {curve.through!r}, which the figure does not draw; name one of its kernels"
            yield (*path, "paper", i, "through"), rest


def _bars(definition: Experiment, bars: Bars, path: KeyPath) -> Iterator[Problem]:
    yield from _kernels(definition, bars.kernels, path)
    for i, name in enumerate(bars.metrics):
        yield from _metric(definition, name, (*path, "metrics", i))
        if name in definition.metrics:
            yield from _where(definition, name, bars.where, (*path, "where"))
            found = [each for each in definition.metrics[name].combinations if meets(each, bars)]
            if len(found) != 1:
                rest = (
                    f"has {len(found)} rows of {name}; a bar is one row; name parameters in where"
                )
                yield (*path, "metrics", i), rest


def meets(parameters: dict[str, int | str], bars: Bars) -> bool:
    """A row with these parameters is drawn."""
    return all(parameters.get(key) == value for key, value in bars.where.items())


def _kernels(definition: Experiment, kernels: list[str], path: KeyPath) -> Iterator[Problem]:
    known = ", ".join(definition.kernels)
    for kernel in kernels:
        if kernel not in definition.kernels:
            yield path, f"names the kernel {kernel!r}; those of the experiment are {known}; add it"


def _metric(definition: Experiment, metric: str, path: KeyPath) -> Iterator[Problem]:
    if metric not in (*definition.metrics, EVERY):
        known = ", ".join(definition.metrics)
        yield path, f"is {metric!r}; the metrics are {known}; correct the name"


def _parameters(definition: Experiment, metric: str) -> dict[str, list[int | str]]:
    """Those of a metric; of all metrics their values together."""
    if metric != EVERY:
        return definition.metrics[metric].parameters
    found: dict[str, list[int | str]] = {}
    for each in definition.metrics.values():
        for key, values in each.parameters.items():
            known = found.setdefault(key, [])
            known += [value for value in values if value not in known]
    return found


def _over(
    definition: Experiment, metric: str, parameter: str, path: KeyPath, numbers: bool
) -> Iterator[Problem]:
    parameters = _parameters(definition, metric)
    if parameter not in parameters:
        known = ", ".join(parameters) or "none"
        yield path, f"is {parameter!r}; the parameters of {metric} are {known}; correct the name"
    elif numbers and not all(isinstance(value, int) for value in parameters[parameter]):
        yield path, f"is {parameter!r}, whose values are words; a parameter with numbers is needed"


def _where(definition: Experiment, metric: str, where: Where, path: KeyPath) -> Iterator[Problem]:
    parameters = _parameters(definition, metric)
    for key, value in where.items():
        for each in value if isinstance(value, list) else [value]:
            if each not in parameters.get(key, []):
                rest = f"asks for {key} = {each!r}, which no row of {metric} has; correct it"
                yield (*path, key), rest
