# SPDX-License-Identifier: Apache-2.0
"""An experiment on several systems, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from melanion import config
from melanion.claims.experiment import Experiment
from melanion.claims.needs import too_small
from melanion.claims.reader import load, load_with_origin, short
from melanion.claims.reference import ReferenceDocument
from melanion.claims.result import Result
from melanion.config import System
from melanion.measure.definition import ExperimentError
from melanion.measure.work import Outcome, Report, work
from melanion.run.parallel import Progress, run_jobs


def check(experiment: str, kernels: Sequence[str]) -> Experiment:
    """The definition, after every name was found right, and every system large enough. Raises
    ExperimentError, ConfigError."""
    definition = load(experiment)
    if definition.designs:
        raise ExperimentError(
            f"{experiment} synthesizes hardware and runs no program; `melanion reproduce` has it.",
            2,
        )
    systems = [config.find(kernel) for kernel in kernels]
    small = [too_small(short(experiment), definition.least, system) for system in systems]
    if found := [sentence for sentence in small if sentence]:
        raise ExperimentError("\n".join(found), 2)
    if len(set(kernels)) != len(kernels):
        raise ExperimentError(
            f"--kernels {','.join(kernels)} names a kernel twice; name each once.", 2
        )
    return definition


def outcome(experiment: str, kernel: str, report: Report) -> Outcome:
    """Measure the rows that an experiment speaks of on one system. Raises MelanionError."""
    definition, origin = load_with_origin(experiment)
    return work(short(origin), definition, kernel, report)


def execute(
    experiment: str,
    kernels: Sequence[str],
    *,
    command: str,
    progress: Progress = lambda kernel, text: None,
) -> Result:
    """Measure on every kernel. `command` is what the user typed, for the report.

    Raises MelanionError: the name that is wrong, or the first run that failed.
    """
    definition = check(experiment, kernels)
    jobs = {kernel: (experiment, kernel) for kernel in kernels}
    outcomes = run_jobs(outcome, jobs, progress)
    return Result(
        experiment=experiment,
        definition=definition,
        kernels=tuple(kernels),
        measurements=tuple(each for kernel in kernels for each in outcomes[kernel].measurements),
        provenance=_provenance(
            command, {kernel: outcomes[kernel].provenance for kernel in kernels}
        ),
        worst_cases={kernel: each for kernel in kernels if (each := outcomes[kernel].worst_case)},
    )


def chosen(document: ReferenceDocument, kernels: Sequence[str] | None) -> dict[str, list[str]]:
    """The kernels of each experiment of a reference document: those of its definition, as far as
    they are among `kernels`; an experiment without any is left out. Raises ExperimentError: a
    kernel that no experiment of the document has."""
    defined = {experiment: load(experiment).kernels for experiment in document.experiments}
    known = list(dict.fromkeys(kernel for each in defined.values() for kernel in each))
    for kernel in kernels or ():
        if kernel not in known:
            raise ExperimentError(
                f"--kernels names {kernel!r}; {document.name} is reproduced on {', '.join(known)}."
                " Name some of them.",
                2,
            )
    wanted = set(kernels or known)
    found = {name: [each for each in own if each in wanted] for name, own in defined.items()}
    return {name: own for name, own in found.items() if own}


def _provenance(command: str, systems: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Provenance common to all runs, and one flat mapping per system."""
    first = next(iter(systems.values()))
    return {
        "command": command,
        "version": first["melanion"],
        "commit": first["commit"],
        "checkout": first["checkout"],
        "spec_hash": first["spec_hash"],
        "tools": first["tools"],
        "systems": {
            kernel: configuration(config.find(kernel), decided)
            for kernel, decided in systems.items()
        },
    }


def configuration(system: System, decided: dict[str, Any]) -> dict[str, str]:
    """One system's configuration in words."""
    core, memory, bridge = system.core, system.memory, system.bridge
    sizes = system.parameters.model_dump(exclude={"time_reset"})
    waits = f"{system.coupling}, {system.unit_wait_states} wait states"
    return {
        "core": core.text,
        "clock": f"{system.clock_mhz} MHz",
        "memory": f"{memory.kib} KiB, {memory.speed}",
        "coupling": waits + (f", {bridge.text(system.clock_mhz)}" if bridge else ""),
        "sizes": ", ".join(f"{value} {key}" for key, value in sizes.items()),
        "flags": decided["flags"],
        "seed": str(decided["seed"]),
        "hardware": decided["hardware_key"][:12],
        "program": decided["program_key"][:12],
    }
