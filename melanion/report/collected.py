"""A document's results out of a collection of the results store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from melanion.experiments.result import Result
from melanion.experiments.seed import Seed
from melanion.report.reproduction import Reproduction
from melanion.results import Collection, result


def reproduction(
    seed: Seed,
    plan: Mapping[str, Sequence[str]],
    collection: Collection,
    why: Mapping[str, str] = {},
) -> Reproduction:
    """`plan`: the systems of each experiment; `why`: experiments that could not be measured here.
    What the collection lacks is named, with its reason. Raises ExperimentError."""
    found: list[Result] = []
    missing: list[tuple[str, str]] = []
    for experiment, kernels in plan.items():
        if experiment in why:
            missing.append((experiment, why[experiment]))
            continue
        measured, lacking = result(collection, experiment, kernels)
        if measured is not None:
            found.append(measured)
        for reason in dict.fromkeys(lacking.values()):
            names = [kernel for kernel, each in lacking.items() if each == reason]
            what = experiment if measured is None else f"{experiment} on {', '.join(names)}"
            missing.append((what, f"{reason}; `melanion reproduce {seed.name}` measures it."))
    return Reproduction(seed, tuple(found), tuple(missing))
