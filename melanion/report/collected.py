# SPDX-License-Identifier: Apache-2.0
"""A document's results out of a collection of the results store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from melanion.claims.reference import ReferenceDocument
from melanion.claims.result import Result
from melanion.report.reproduction import Reproduction, on_systems
from melanion.results import Collection, result
from melanion.results.assemble import LACKING


def reproduction(
    reference: ReferenceDocument,
    plan: Mapping[str, Sequence[str]],
    collection: Collection,
    why: Mapping[str, str] = {},
) -> Reproduction:
    """`plan`: the systems of each experiment; `why`: experiments that could not be measured here.
    What the collection lacks is named, with its reason. Raises ExperimentError."""
    found: list[Result] = []
    missing: list[tuple[str, str]] = []
    refused = {experiment: why[experiment] for experiment in plan if experiment in why}
    for experiment, kernels in plan.items():
        if experiment in why:
            continue
        measured, lacking = result(collection, experiment, kernels)
        if measured is not None:
            found.append(measured)
            missing += on_systems(experiment, lacking)
        else:
            reasons = sorted(set(lacking.values()), key=lambda reason: reason == LACKING)
            missing += [(experiment, reason) for reason in reasons[:1]]
    return Reproduction(reference, tuple(found), tuple(missing), tuple(refused.items()))
