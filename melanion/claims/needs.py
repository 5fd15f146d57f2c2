# SPDX-License-Identifier: Apache-2.0
"""Sizes that the program of an experiment needs (`needs` of its definition), and systems that have
too few. The program asserts the same (`_Static_assert`), one size after the other."""

from __future__ import annotations

from collections.abc import Mapping

from melanion import config
from melanion.config import System
from melanion.errors import MelanionError

CORES = "cores"


def lacking(needs: Mapping[str, int], system: System) -> dict[str, int]:
    """What the system has of sizes of which it has too few."""
    have = {CORES: system.core.count, **system.parameters.model_dump()}
    return {name: have[name] for name, least in needs.items() if have[name] < least}


def needed(needs: Mapping[str, int]) -> str:
    """`at least 63 tasks, 31 priorities, 3 interrupts`."""
    return "at least " + ", ".join(_words(name, least) for name, least in needs.items())


def too_small(experiment: str, needs: Mapping[str, int], system: System) -> str:
    """A sentence about a system that has too few of something; empty: it has enough."""
    few = lacking(needs, system)
    if not few:
        return ""
    has = ", ".join(_words(name, number) for name, number in few.items())
    return (
        f"{system.name} has {has}, and the experiment {experiment} needs {needed(needs)};"
        f" {_remedy(needs, few, system)}."
    )


def _words(name: str, number: int) -> str:
    words = name.replace("_", " ")
    one = {"priorities": "priority", "event flags": "set of event flags", "queues": "queue"}
    return f"{number} {one.get(words, words.removesuffix('s')) if number == 1 else words}"


def _remedy(needs: Mapping[str, int], few: Mapping[str, int], system: System) -> str:
    if CORES in few:
        return (
            f"write core.count {needs[CORES]}, or take a system with more cores, such as hwrtos-2"
        )
    raised = ",".join(f"{name}={needs[name]}" for name in few)
    name = f"{system.name}[{raised}]"
    try:
        config.find(name)
    except MelanionError:
        return "raise these parameters of its configuration"
    return f"take {name}, or raise these parameters of its configuration"
